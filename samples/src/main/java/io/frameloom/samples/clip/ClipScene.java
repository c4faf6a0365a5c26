package io.frameloom.samples.clip;

import io.frameloom.gpu.compute.ClipBoxes;
import java.awt.Paint;
import java.awt.Shape;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;

/**
 * What a picture draws and clips, in order, as bounds in its own units. Clips around all others that leave the whole
 * picture are left out, such as those with which a renderer keeps to it. One thread.
 */
final class ClipScene implements ClipRecorder.Target {
    private static final float[] EMPTY = {
        Float.POSITIVE_INFINITY, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.NEGATIVE_INFINITY
    };

    /**
     * How far a clip may fall short of the picture's edges, as a part of its sides, and still leave the whole of it.
     */
    private static final double ROUNDING = 1e-6;

    private final double width;
    private final double height;
    private final List<Integer> operations = new ArrayList<>();
    private final List<float[]> boxes = new ArrayList<>();
    private int open;

    ClipScene(double width, double height) {
        this.width = width;
        this.height = height;
    }

    double width() {
        return width;
    }

    double height() {
        return height;
    }

    int length() {
        return operations.size();
    }

    void draw(Rectangle2D bounds) {
        add(ClipBoxes.DRAW, box(bounds));
    }

    @Override
    public void fill(Shape shape, Paint paint) {
        draw(shape.getBounds2D());
    }

    @Override
    public void begin(Rectangle2D bounds) {
        if (open > 0 || !leavesEverything(bounds)) {
            open++;
            add(ClipBoxes.BEGIN, bounds.isEmpty() ? EMPTY : box(bounds));
        }
    }

    private boolean leavesEverything(Rectangle2D bounds) {
        return bounds.getMinX() <= width * ROUNDING
                && bounds.getMinY() <= height * ROUNDING
                && bounds.getMaxX() >= width * (1 - ROUNDING)
                && bounds.getMaxY() >= height * (1 - ROUNDING);
    }

    /** Those that are left out are the outermost ones. */
    @Override
    public void end() {
        if (open > 0) {
            open--;
            add(ClipBoxes.END, EMPTY);
        }
    }

    private void add(int operation, float[] box) {
        operations.add(operation);
        boxes.add(box);
    }

    private static float[] box(Rectangle2D bounds) {
        return new float[] {
            (float) bounds.getMinX(), (float) bounds.getMinY(), (float) bounds.getMaxX(), (float) bounds.getMaxY()
        };
    }

    int operation(int element) {
        return operations.get(element);
    }

    /** Returns left, top, right and bottom. */
    float[] box(int element) {
        return boxes.get(element);
    }
}
