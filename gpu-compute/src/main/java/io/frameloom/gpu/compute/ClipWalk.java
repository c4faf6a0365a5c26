package io.frameloom.gpu.compute;

import java.util.function.Consumer;

/**
 * Goes through stretches of elements with the stack of the clips around them. Any thread, each its own stretch.
 *
 * @param end which box an END gets
 * @param operations an operation for each element
 * @param boxes four floats for each element
 * @param result filled by {@link #finish}
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ClipWalk(ClipEnd end, int[] operations, float[] boxes, CpuClipBoxes.Result result) {
    /** An END of nothing does nothing. */
    static final Consumer<ClipStack> NOTHING_BELOW = stack -> {};

    private static final ClipBox EVERYTHING = new ClipBox(
            Float.NEGATIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY, Float.POSITIVE_INFINITY);

    /**
     * Leaves in a stack the clips that a stretch leaves open, cut by each other; returns how many clips around it it
     * ends.
     */
    int leaveOpen(int from, int to, ClipStack stack) {
        stack.begin(BracketMatch.NONE, EVERYTHING);
        int closes = 0;
        for (int e = from; e < to; e++) {
            int operation = operations[e];
            if (operation == ClipBoxes.BEGIN) {
                stack.pushCut(e, boxes, ClipStack.BOX * e);
            } else if (operation == ClipBoxes.END) {
                if (stack.height() > 0) {
                    stack.pop();
                } else {
                    closes++;
                }
            }
        }
        return closes;
    }

    /**
     * Writes the results of a stretch, given a stack with the clips around it.
     *
     * @param below makes what is below the lowest entry of the stack its lowest and only one
     */
    void finish(int from, int to, ClipStack stack, Consumer<ClipStack> below) {
        float[] effective = result.effective();
        int[] links = result.links();
        for (int e = from; e < to; e++) {
            int operation = operations[e];
            int at = ClipStack.BOX * e;
            links[e] = stack.innermost();
            if (operation == ClipBoxes.END) {
                if (end == ClipEnd.BEFORE_POP) {
                    stack.copy(effective, at);
                }
                if (stack.height() > 0) {
                    stack.pop();
                } else {
                    below.accept(stack);
                }
                if (end == ClipEnd.AFTER_POP) {
                    stack.copy(effective, at);
                } else if (end == ClipEnd.OWN_BOX) {
                    stack.cut(boxes, at, effective, at);
                }
            } else {
                stack.cut(boxes, at, effective, at);
                if (operation == ClipBoxes.BEGIN) {
                    stack.push(e, effective, at);
                }
            }
        }
    }
}
