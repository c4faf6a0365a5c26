package io.frameloom.gpu.compute;

import java.util.Arrays;

/**
 * The clips that are open at an element, each with its box cut by those around it. The lowest entry is the clip around
 * a whole stretch of elements. Coordinates are never minus zero and never NaN. One thread.
 */
final class ClipStack {
    /** Floats of a box. */
    static final int BOX = 4;

    private int[] begins;
    private float[] boxes;
    private int top;

    /** @param most entries above the lowest one that there is room for at first */
    ClipStack(int most) {
        begins = new int[most + 1];
        boxes = new float[BOX * (most + 1)];
    }

    /** Forgets all entries and makes a BEGIN, or NONE, the lowest. */
    void begin(int element, ClipBox box) {
        top = 0;
        begins[0] = element;
        boxes[0] = box.x0() + 0f;
        boxes[1] = box.y0() + 0f;
        boxes[2] = box.x1() + 0f;
        boxes[3] = box.y1() + 0f;
    }

    /** The same, with a box of another such stack, cut by one more. */
    void begin(int element, float[] box, int at, float[] by, int byAt) {
        top = 0;
        begins[0] = element;
        boxes[0] = Math.max(box[at], by[byAt]);
        boxes[1] = Math.max(box[at + 1], by[byAt + 1]);
        boxes[2] = Math.min(box[at + 2], by[byAt + 2]);
        boxes[3] = Math.min(box[at + 3], by[byAt + 3]);
    }

    /** Returns how many entries are above the lowest one. */
    int height() {
        return top;
    }

    /** Returns the innermost BEGIN. */
    int innermost() {
        return begins[top];
    }

    /** Adds a BEGIN by the box that has been cut for it. */
    void push(int element, float[] box, int at) {
        raise(element);
        System.arraycopy(box, at, boxes, BOX * top, BOX);
    }

    private void raise(int element) {
        top++;
        if (top == begins.length) {
            begins = Arrays.copyOf(begins, (int) Math.min(Integer.MAX_VALUE / BOX, 2L * begins.length));
            boxes = Arrays.copyOf(boxes, BOX * begins.length);
        }
        begins[top] = element;
    }

    /** Adds a BEGIN by its own box. */
    void pushCut(int element, float[] box, int at) {
        raise(element);
        cut(box, at, boxes, BOX * top, BOX * (top - 1));
    }

    /** Removes the innermost entry, which is not the lowest. */
    void pop() {
        top--;
    }

    /** Writes a box, cut by the innermost entry; one with a coordinate that is no number is empty. */
    void cut(float[] box, int at, float[] to, int toAt) {
        cut(box, at, to, toAt, BOX * top);
    }

    private void cut(float[] box, int at, float[] to, int toAt, int around) {
        float x0 = box[at];
        float y0 = box[at + 1];
        float x1 = box[at + 2];
        float y1 = box[at + 3];
        if (Float.isNaN(x0) || Float.isNaN(y0) || Float.isNaN(x1) || Float.isNaN(y1)) {
            x0 = Float.POSITIVE_INFINITY;
            y0 = Float.POSITIVE_INFINITY;
            x1 = Float.NEGATIVE_INFINITY;
            y1 = Float.NEGATIVE_INFINITY;
        }
        // Plus zero: of minus zero that is zero.
        to[toAt] = Math.max(x0 + 0f, boxes[around]);
        to[toAt + 1] = Math.max(y0 + 0f, boxes[around + 1]);
        to[toAt + 2] = Math.min(x1 + 0f, boxes[around + 2]);
        to[toAt + 3] = Math.min(y1 + 0f, boxes[around + 3]);
    }

    /** Writes the box of the innermost entry. */
    void copy(float[] to, int toAt) {
        System.arraycopy(boxes, BOX * top, to, toAt, BOX);
    }

    /** Returns the BEGINs above the lowest entry, outermost first. */
    int[] beginsAboveLowest() {
        return Arrays.copyOfRange(begins, 1, top + 1);
    }

    /** Returns their boxes. */
    float[] boxesAboveLowest() {
        return Arrays.copyOfRange(boxes, BOX, BOX * (top + 1));
    }
}
