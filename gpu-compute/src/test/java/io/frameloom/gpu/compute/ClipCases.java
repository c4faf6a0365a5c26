package io.frameloom.gpu.compute;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Rows of clips, a sequential computation to compare with, and a way to run one on a device. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ClipCases(int[] operations, float[] boxes) {
    private static final float[] CORNERS = {
        Float.NEGATIVE_INFINITY,
        Float.POSITIVE_INFINITY,
        Float.NaN,
        -0f,
        0f,
        Float.MIN_VALUE,
        -Float.MIN_VALUE,
        Float.MAX_VALUE,
        1e-40f,
        64f
    };

    int length() {
        return operations.length;
    }

    ClipCases beginning(int length) {
        return new ClipCases(Arrays.copyOf(operations, length), Arrays.copyOf(boxes, 4 * length));
    }

    /**
     * Clips that nest as brackets do, with draws in between.
     *
     * @param draws share of elements that draw
     */
    static ClipCases nested(boolean[] opens, double draws, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] operations = new int[opens.length];
        for (int i = 0; i < opens.length; i++) {
            if (random.nextDouble() < draws) {
                // Anything that neither begins nor ends draws.
                operations[i] = random.nextBoolean() ? ClipBoxes.DRAW : 3 + random.nextInt(5);
            } else {
                operations[i] = opens[i] ? ClipBoxes.BEGIN : ClipBoxes.END;
            }
        }
        return new ClipCases(operations, boxes(opens.length, random));
    }

    /** Clips that nest as flags do, each of what its word says: an empty box, the plainest, for 0. */
    static ClipCases of(FuzzInput input) {
        int count = input.elements().length;
        int[] operations = new int[count];
        float[] boxes = new float[4 * count];
        for (int i = 0; i < count; i++) {
            int word = FuzzInput.word(input.elements()[i]);
            boolean flag = FuzzInput.flag(input.elements()[i]);
            operations[i] = word % 4 == 1 ? ClipBoxes.DRAW : flag ? ClipBoxes.BEGIN : ClipBoxes.END;
            if (word != 0) {
                box(boxes, i, new SplittableRandom(word));
            }
        }
        return new ClipCases(operations, boxes);
    }

    private static float[] boxes(int count, SplittableRandom random) {
        float[] boxes = new float[4 * count];
        for (int i = 0; i < count; i++) {
            box(boxes, i, random);
        }
        return boxes;
    }

    /** Boxes mostly overlap a little less each; empty, touching and strange ones are among them. */
    private static void box(float[] boxes, int i, SplittableRandom random) {
        int kind = random.nextInt(40);
        for (int w = 0; w < 4; w++) {
            float near = (float) random.nextDouble(1000);
            boxes[4 * i + w] = switch (kind) {
                case 0 -> CORNERS[random.nextInt(CORNERS.length)];
                case 1 -> near;
                case 2 -> 64 * random.nextInt(16);
                case 3 -> -0f;
                default -> w < 2 ? near - 1000 : near + 500;
            };
        }
    }

    /** The words of all effective boxes, then those of all links. */
    int[] sequential(ClipEnd end, ClipBox viewport) {
        int count = length();
        int[] words = new int[5 * count];
        float[][] stack = new float[count + 1][];
        int[] begins = new int[count + 1];
        stack[0] = clean(new float[] {viewport.x0(), viewport.y0(), viewport.x1(), viewport.y1()});
        begins[0] = BracketMatch.NONE;
        int top = 0;
        for (int i = 0; i < count; i++) {
            float[] own = clean(Arrays.copyOfRange(boxes, 4 * i, 4 * i + 4));
            float[] effective;
            words[4 * count + i] = begins[top];
            switch (operations[i]) {
                case ClipBoxes.BEGIN -> {
                    effective = cut(own, stack[top]);
                    stack[++top] = effective;
                    begins[top] = i;
                }
                case ClipBoxes.END -> {
                    float[] before = stack[top];
                    top = Math.max(0, top - 1);
                    effective = switch (end) {
                        case OWN_BOX -> cut(own, stack[top]);
                        case BEFORE_POP -> before;
                        case AFTER_POP -> stack[top];
                    };
                }
                default -> effective = cut(own, stack[top]);
            }
            for (int w = 0; w < 4; w++) {
                words[4 * i + w] = Float.floatToRawIntBits(effective[w]);
            }
        }
        return words;
    }

    private static float[] clean(float[] box) {
        for (int w = 0; w < 4; w++) {
            if (Float.isNaN(box[w])) {
                return new float[] {
                    Float.POSITIVE_INFINITY, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.NEGATIVE_INFINITY
                };
            }
            box[w] = box[w] == 0 ? 0f : box[w];
        }
        return box;
    }

    private static float[] cut(float[] a, float[] b) {
        return new float[] {Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])};
    }

    private int[] boxWords() {
        int[] words = new int[boxes.length];
        for (int i = 0; i < words.length; i++) {
            words[i] = Float.floatToRawIntBits(boxes[i]);
        }
        return words;
    }

    /** An offset with which all boxes begin at multiples of 16 bytes; others are those that leave 1 divided by 4. */
    static final int ALIGNED = 1;

    /** Words that stand before the boxes with an offset: as many as make all boxes aligned with the same. */
    private static int before(int offset) {
        return offset + 3;
    }

    /** Runs on a device, with an offset as {@link #ALIGNED} says; the words are those of {@link #sequential}. */
    int[] run(ComputeRig rig, ClipBoxes clips, ClipEnd end, ClipBox viewport, int offset, int times) {
        int mark = rig.mark();
        long count = length();
        BufferRange given = rig.upload(operations, offset);
        BufferRange scratch = rig.scratch(clips.scratchBytes(count));
        int[] words = rig.run(
                rig.upload(boxWords(), before(offset)), (int) (5 * count), offset, times, new ComputeRig.Primitive() {
                    private ClipArguments arguments(BufferRange from, BufferRange to) {
                        BufferRange effective = new BufferRange(to.buffer(), to.offset(), 16 * count);
                        BufferRange links = new BufferRange(to.buffer(), to.offset() + 16 * count, 4 * count);
                        return new ClipArguments(count, end, viewport, given, from, effective, links, scratch);
                    }

                    @Override
                    public List<ResourceUse> uses(BufferRange from, BufferRange to) {
                        return clips.uses(arguments(from, to));
                    }

                    @Override
                    public void record(CommandList list, BufferRange from, BufferRange to) {
                        clips.record(list, arguments(from, to));
                    }
                });
        rig.release(mark);
        return words;
    }
}
