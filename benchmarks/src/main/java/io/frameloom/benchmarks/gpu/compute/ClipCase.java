package io.frameloom.benchmarks.gpu.compute;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.compute.BracketMatch;
import io.frameloom.gpu.compute.ClipArguments;
import io.frameloom.gpu.compute.ClipBox;
import io.frameloom.gpu.compute.ClipBoxes;
import io.frameloom.gpu.compute.ClipEnd;
import io.frameloom.gpu.resource.Buffer;
import java.util.Arrays;

/** Clip boxes: about half of the elements draw, the others begin and end clips as brackets open and close. */
final class ClipCase extends DeviceCase {
    static final int BOX_WORDS = 4;
    /** Elements whose results are compared at a time. */
    private static final int WINDOW = Workbench.WINDOW_WORDS / BOX_WORDS;

    static final ClipBox VIEWPORT = new ClipBox(0, 0, 4096, 4096);

    private final Inputs.Brackets brackets;
    private final ClipBoxes clips;
    private final ClipArguments arguments;

    ClipCase(Workbench bench, Inputs.Brackets brackets, long length) {
        super(bench, subject(brackets), length);
        this.brackets = brackets;
        clips = bench.own(ClipBoxes.create(bench.device));
        arguments = new ClipArguments(
                length,
                ClipEnd.AFTER_POP,
                VIEWPORT,
                range("input", length * Integer.BYTES),
                range("boxes", length * BOX_WORDS * Float.BYTES),
                range("output", length * BOX_WORDS * Float.BYTES),
                range("links", length * Integer.BYTES),
                range("scratch", clips.scratchBytes(length)));
    }

    static Subject subject(Inputs.Brackets brackets) {
        return subject(brackets, "after pop");
    }

    static Subject subject(Inputs.Brackets brackets, String how) {
        return new Subject("clip", "boxes of 4 x f32", how, brackets.title());
    }

    static int operation(Inputs.Brackets brackets, long index, long length) {
        if (Inputs.random(~index) < 0) {
            return ClipBoxes.DRAW;
        }
        return brackets.opens(index, length) ? ClipBoxes.BEGIN : ClipBoxes.END;
    }

    /** A coordinate of a box: whole numbers, beginnings below 2,048, ends above. */
    static int coordinate(long word) {
        int offset = Inputs.random(word) >>> 21;
        return Float.floatToRawIntBits(word % BOX_WORDS < 2 ? offset : 2048 + offset);
    }

    @Override
    long bytes() {
        return bytes(length);
    }

    static long bytes(long length) {
        return length * 2 * (BOX_WORDS + 1) * Integer.BYTES;
    }

    @Override
    void record(CommandList list) {
        clips.record(list, arguments);
    }

    @Override
    String check() {
        bench.fill(arguments.operations().buffer(), length, index -> operation(brackets, index, length));
        bench.fill(arguments.boxes().buffer(), length * BOX_WORDS, ClipCase::coordinate);
        bench.poison(arguments.effective().buffer());
        bench.poison(arguments.links().buffer());
        bench.poison(arguments.scratch().buffer());
        bench.execute(this::record);
        return difference();
    }

    /** Returns what is wrong first with the results, empty if nothing is: both are compared in one walk over the elements. */
    String difference() {
        Stack stack = new Stack(brackets, length);
        int[] links = new int[WINDOW];
        int[] boxes = new int[BOX_WORDS * WINDOW];
        for (long first = 0; first < length; first += WINDOW) {
            int count = (int) Math.min(WINDOW, length - first);
            for (int i = 0; i < count; i++) {
                stack.next();
                links[i] = stack.link;
                for (int w = 0; w < BOX_WORDS; w++) {
                    boxes[BOX_WORDS * i + w] = Float.floatToRawIntBits(stack.effective[w]);
                }
            }
            String wrong = compare("links", arguments.links().buffer(), first, links, count);
            if (wrong.isEmpty()) {
                wrong = compare("boxes", arguments.effective().buffer(), first * BOX_WORDS, boxes, count * BOX_WORDS);
            }
            if (!wrong.isEmpty()) {
                return wrong;
            }
        }
        return "";
    }

    private String compare(String role, Buffer buffer, long first, int[] expected, int count) {
        int at = bench.firstDifference(buffer, first, expected, count);
        return at < 0 ? "" : role + ": word " + (first + at) + " is wrong";
    }

    ClipArguments arguments() {
        return arguments;
    }

    /** Goes through the elements one after the other. */
    private static final class Stack {
        private final Inputs.Brackets brackets;
        private final long length;
        private final float[] effective = new float[BOX_WORDS];
        private int[] begins = new int[1024];
        private float[] boxes = new float[BOX_WORDS * 1024];
        private int depth;
        private int link;
        private int index;

        Stack(Inputs.Brackets brackets, long length) {
            this.brackets = brackets;
            this.length = length;
        }

        void next() {
            int operation = operation(brackets, index, length);
            link = depth == 0 ? BracketMatch.NONE : begins[depth - 1];
            if (operation == ClipBoxes.END && depth > 0) {
                depth--;
            }
            for (int w = 0; w < BOX_WORDS; w++) {
                effective[w] = around(w);
                if (operation != ClipBoxes.END) {
                    float own = Float.intBitsToFloat(coordinate((long) index * BOX_WORDS + w));
                    effective[w] = w < 2 ? Math.max(effective[w], own) : Math.min(effective[w], own);
                }
            }
            if (operation == ClipBoxes.BEGIN) {
                if (depth == begins.length) {
                    begins = Arrays.copyOf(begins, 2 * depth);
                    boxes = Arrays.copyOf(boxes, 2 * boxes.length);
                }
                System.arraycopy(effective, 0, boxes, depth * BOX_WORDS, BOX_WORDS);
                begins[depth++] = index;
            }
            index++;
        }

        private float around(int word) {
            if (depth > 0) {
                return boxes[(depth - 1) * BOX_WORDS + word];
            }
            return switch (word) {
                case 0 -> VIEWPORT.x0();
                case 1 -> VIEWPORT.y0();
                case 2 -> VIEWPORT.x1();
                default -> VIEWPORT.y1();
            };
        }
    }
}
