package io.frameloom.gpu.compute;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A sequential scan to compare with, operators to scan with, and a way to run a scan on a device. */
final class ScanCases {
    private static final int PRIME = 65_521;

    private ScanCases() {}

    /** 2x2 matrices modulo a prime, by rows: associative, not commutative. */
    static final ScanOperator MATRIX =
            ScanOperator.of("matrix", ElementType.U32X4, new int[] {1, 0, 0, 1}, """
                const uint prime = 65521u;
                uvec4 combine(uvec4 a, uvec4 b) {
                    return uvec4(a.x * b.x % prime + a.y * b.z % prime, a.x * b.y % prime + a.y * b.w % prime,
                                 a.z * b.x % prime + a.w * b.z % prime, a.z * b.y % prime + a.w * b.w % prime) % prime;
                }
                """, (l, i, r, j, t, k) -> {
                int x = product(l[i], r[j], l[i + 1], r[j + 2]);
                int y = product(l[i], r[j + 1], l[i + 1], r[j + 3]);
                int z = product(l[i + 2], r[j], l[i + 3], r[j + 2]);
                int w = product(l[i + 2], r[j + 1], l[i + 3], r[j + 3]);
                t[k] = x;
                t[k + 1] = y;
                t[k + 2] = z;
                t[k + 3] = w;
            });

    private static int product(int a, int b, int c, int d) {
        return (int) (((long) a * b % PRIME + (long) c * d % PRIME) % PRIME);
    }

    /** Closes and opens that are left of a row of brackets: the bicyclic semigroup, not commutative. */
    static final ScanOperator BICYCLIC = ScanOperator.of(
            "bicyclic",
            ElementType.U32X2,
            new int[2],
            "uvec2 combine(uvec2 a, uvec2 b) { uint m = min(a.y, b.x); return uvec2(a.x + b.x - m, a.y + b.y - m); }",
            (l, i, r, j, t, k) -> {
                int m = Math.min(l[i + 1], r[j]);
                int closes = l[i] + r[j] - m;
                t[k + 1] = l[i + 1] + r[j + 1] - m;
                t[k] = closes;
            });

    /** First, last, and number of elements: three words, not commutative. */
    static final ScanOperator ENDS = ScanOperator.of("ends", ElementType.U32X3, new int[3], """
        uvec3 combine(uvec3 a, uvec3 b) {
            return uvec3(a.z == 0u ? b.x : a.x, b.z == 0u ? a.y : b.y, a.z + b.z);
        }
        """, (l, i, r, j, t, k) -> {
        int first = l[i + 2] == 0 ? r[j] : l[i];
        int last = r[j + 2] == 0 ? l[i + 1] : r[j + 1];
        int count = l[i + 2] + r[j + 2];
        t[k] = first;
        t[k + 1] = last;
        t[k + 2] = count;
    });

    /** Sum and maximum, of two floats that are whole numbers. */
    static final ScanOperator FLOAT_PAIRS = ScanOperator.of(
            "float-pairs",
            ElementType.F32X2,
            floats(0, Float.NEGATIVE_INFINITY),
            "vec2 combine(vec2 a, vec2 b) { return vec2(a.x + b.x, max(a.y, b.y)); }",
            (l, i, r, j, t, k) -> {
                t[k] = bits(value(l[i]) + value(r[j]));
                t[k + 1] = bits(Math.max(value(l[i + 1]), value(r[j + 1])));
            });

    /** Sum, minimum, first and last that is not zero, of four floats that are whole numbers: not commutative. */
    static final ScanOperator FLOAT_FOURS = ScanOperator.of(
            "float-fours", ElementType.F32X4, floats(0, Float.POSITIVE_INFINITY, 0, 0), """
            vec4 combine(vec4 a, vec4 b) {
                return vec4(a.x + b.x, min(a.y, b.y), a.z == 0.0 ? b.z : a.z, b.w == 0.0 ? a.w : b.w);
            }
            """, (l, i, r, j, t, k) -> {
                float first = value(l[i + 2]) == 0 ? value(r[j + 2]) : value(l[i + 2]);
                float last = value(r[j + 3]) == 0 ? value(l[i + 3]) : value(r[j + 3]);
                t[k] = bits(value(l[i]) + value(r[j]));
                t[k + 1] = bits(Math.min(value(l[i + 1]), value(r[j + 1])));
                t[k + 2] = bits(first);
                t[k + 3] = bits(last);
            });

    /** Every sum, minimum and maximum, and those of this class. */
    static List<ScanOperator> operators() {
        List<ScanOperator> operators = new ArrayList<>(List.of(MATRIX, BICYCLIC, ENDS, FLOAT_PAIRS, FLOAT_FOURS));
        for (ElementType type : List.of(ElementType.U32, ElementType.I32, ElementType.U64, ElementType.F32)) {
            operators.addAll(List.of(ScanOperator.sum(type), ScanOperator.min(type), ScanOperator.max(type)));
        }
        return operators;
    }

    /** Words that are all alike, that cancel each other, and single ones beside the edges of tiles. */
    static List<int[]> patterns(int tile) {
        int size = 3 * tile + 5;
        List<int[]> patterns = new ArrayList<>();
        for (int value : new int[] {0, 1, -1, 1 << 29, 1 << 30, 1 << 31}) {
            int[] same = new int[size];
            Arrays.fill(same, value);
            patterns.add(same);
        }
        int[] alternating = new int[size];
        Arrays.setAll(alternating, i -> i % 2 == 0 ? 1 : -1);
        patterns.add(alternating);
        for (int edge = tile; edge < size; edge += tile) {
            for (int at = edge - 1; at <= edge + 1; at++) {
                int[] single = new int[size];
                single[at] = 1;
                patterns.add(single);
            }
        }
        return patterns;
    }

    private static int[] floats(float... values) {
        int[] words = new int[values.length];
        Arrays.setAll(words, w -> bits(values[w]));
        return words;
    }

    private static float value(int bits) {
        return Float.intBitsToFloat(bits);
    }

    private static int bits(float value) {
        return Float.floatToRawIntBits(value);
    }

    static int[] sequential(ScanOperator operator, ScanKind kind, int[] input, int @Nullable [] heads) {
        int words = operator.type().words();
        int[] output = new int[input.length];
        int[] running = operator.identity();
        for (int e = 0; e < input.length / words; e++) {
            if (heads != null && (heads[e / 32] >>> e % 32 & 1) == 1) {
                running = operator.identity();
            }
            int[] next = running.clone();
            operator.cpu().combine(running, 0, input, e * words, next, 0);
            System.arraycopy(kind == ScanKind.INCLUSIVE ? next : running, 0, output, e * words, words);
            running = next;
        }
        return output;
    }

    /** Elements for an operator: words of full range, but small where it needs them so. */
    static int[] random(ScanOperator operator, int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] words = new int[count * operator.type().words()];
        for (int i = 0; i < words.length; i++) {
            if (operator == MATRIX) {
                words[i] = random.nextInt(PRIME);
            } else if (operator == BICYCLIC) {
                words[i] = random.nextInt(3);
            } else if (operator == ENDS) {
                words[i] = i % 3 == 2 ? 1 : random.nextInt();
            } else if (operator.type().isFloat()) {
                words[i] = Float.floatToRawIntBits(random.nextInt(-9, 10));
            } else {
                words[i] = random.nextInt();
            }
        }
        return words;
    }

    /** Flags of which about one in {@code every} is set. */
    static int[] heads(int count, int every, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] heads = new int[(count + 31) / 32];
        for (int e = 0; e < count; e++) {
            if (random.nextInt(every) == 0) {
                heads[e / 32] |= 1 << e % 32;
            }
        }
        return heads;
    }

    /** How a scan is run on a device. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Run(ScanKind kind, int[] input, int @Nullable [] heads, int inputOffset, int outputOffset, int times) {
        static Run of(ScanKind kind, int[] input) {
            return new Run(kind, input, null, 0, 0, 1);
        }

        int[] on(ComputeRig rig, PrefixScan scan) {
            int mark = rig.mark();
            long length = input.length / scan.operator().type().words();
            BufferRange in = rig.upload(input, inputOffset);
            BufferRange scratch = rig.scratch(scan.scratchBytes(length));
            BufferRange flags = heads == null ? null : rig.upload(heads, inputOffset);
            int[] output = rig.run(in, input.length, outputOffset, times, new ComputeRig.Primitive() {
                @Override
                public List<ResourceUse> uses(BufferRange from, BufferRange to) {
                    return scan.uses(new ScanArguments(kind, length, from, to, scratch, flags));
                }

                @Override
                public void record(CommandList list, BufferRange from, BufferRange to) {
                    scan.record(list, new ScanArguments(kind, length, from, to, scratch, flags));
                }
            });
            rig.release(mark);
            return output;
        }

        /** Returns where the result on a device differs first from the sequential one, or nothing. */
        String difference(ComputeRig rig, PrefixScan scan) {
            return ScanCases.difference(on(rig, scan), sequential(scan.operator(), kind, input, heads));
        }
    }

    /** Returns where two results differ first, or nothing: comparing is quicker than AssertJ's for millions of words. */
    static String difference(int[] actual, int[] expected) {
        int at = Arrays.mismatch(actual, expected);
        return at < 0
                ? ""
                : "word " + at + " of " + expected.length + " is " + (at < actual.length ? actual[at] : "missing")
                        + ", not " + (at < expected.length ? expected[at] : "there");
    }
}
