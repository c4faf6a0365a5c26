package io.frameloom.samples.clip;

import io.frameloom.gpu.compute.ClipBoxes;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;

/** What a picture draws and clips, in order, as bounds in its own units. One thread. */
final class ClipScene {
    private static final float[] EMPTY = {
        Float.POSITIVE_INFINITY, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.NEGATIVE_INFINITY
    };

    private final double width;
    private final double height;
    private final List<Integer> operations = new ArrayList<>();
    private final List<float[]> boxes = new ArrayList<>();

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

    /** Begins a clip; nothing is left of it if its path is empty. */
    void begin(Rectangle2D bounds) {
        add(ClipBoxes.BEGIN, bounds.isEmpty() ? EMPTY : box(bounds));
    }

    void end() {
        add(ClipBoxes.END, EMPTY);
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
