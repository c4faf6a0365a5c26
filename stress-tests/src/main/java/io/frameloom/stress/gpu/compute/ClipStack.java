package io.frameloom.stress.gpu.compute;

import io.frameloom.gpu.compute.BracketMatch;
import io.frameloom.gpu.compute.ClipBox;
import io.frameloom.gpu.compute.ClipBoxes;
import io.frameloom.gpu.compute.ClipEnd;
import java.util.Arrays;
import java.util.function.IntSupplier;

/** What clip boxes must be, one element after the other, by a stack of boxes. */
final class ClipStack {
    private static final int BOX_WORDS = 4;

    /** Coordinates of the boxes of all elements; none is NaN or minus zero. */
    @FunctionalInterface
    interface Coordinates {
        float of(long word);
    }

    private final ClipEnd end;
    private final WordSource operations;
    private final Coordinates boxes;
    private final float[] effective = new float[BOX_WORDS];
    private int[] begins = new int[1024];
    /** The viewport, then the boxes of the clips that are open. */
    private float[] open = new float[BOX_WORDS * 1024];

    private int depth;
    private int link;
    private int next;

    ClipStack(ClipBox viewport, ClipEnd end, WordSource operations, Coordinates boxes) {
        this.end = end;
        this.operations = operations;
        this.boxes = boxes;
        open[0] = viewport.x0();
        open[1] = viewport.y0();
        open[2] = viewport.x1();
        open[3] = viewport.y1();
    }

    IntSupplier links() {
        return () -> {
            advance();
            return link;
        };
    }

    IntSupplier effectiveWords() {
        int[] word = {BOX_WORDS};
        return () -> {
            if (word[0] == BOX_WORDS) {
                advance();
                word[0] = 0;
            }
            return Float.floatToRawIntBits(effective[word[0]++]);
        };
    }

    private void advance() {
        int operation = operations.word(next);
        link = depth == 0 ? BracketMatch.NONE : begins[depth - 1];
        int before = depth;
        if (operation == ClipBoxes.END && depth > 0) {
            depth--;
        }
        boolean own = operation != ClipBoxes.END || end == ClipEnd.OWN_BOX;
        int around = operation == ClipBoxes.END && end == ClipEnd.BEFORE_POP ? before : depth;
        for (int w = 0; w < BOX_WORDS; w++) {
            effective[w] = open[around * BOX_WORDS + w];
            if (own) {
                float coordinate = boxes.of((long) next * BOX_WORDS + w);
                effective[w] = w < 2 ? Math.max(effective[w], coordinate) : Math.min(effective[w], coordinate);
            }
        }
        if (operation == ClipBoxes.BEGIN) {
            push();
        }
        next++;
    }

    private void push() {
        if (depth == begins.length) {
            begins = Arrays.copyOf(begins, 2 * depth);
        }
        begins[depth++] = next;
        if ((depth + 1) * BOX_WORDS > open.length) {
            open = Arrays.copyOf(open, 2 * open.length);
        }
        System.arraycopy(effective, 0, open, depth * BOX_WORDS, BOX_WORDS);
    }
}
