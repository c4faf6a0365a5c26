package io.frameloom.stress.gpu.compute;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.compute.CpuOperator;
import io.frameloom.gpu.compute.ElementType;
import io.frameloom.gpu.compute.PrefixScan;
import io.frameloom.gpu.compute.ScanArguments;
import io.frameloom.gpu.compute.ScanKind;
import io.frameloom.gpu.compute.ScanOperator;
import io.frameloom.gpu.compute.ScanVariant;
import io.frameloom.gpu.compute.StuckTiles;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import java.util.List;
import java.util.function.IntSupplier;

/** A scan: inclusive where it reduces first, exclusive where it looks back. */
final class LongScan implements LongWork {
    /** One segment in about as many elements. */
    private static final int SEGMENT = 100_000;

    private static final CpuOperator BICYCLIC_ON_THE_HOST = (l, i, r, j, t, k) -> {
        int matched = Math.min(l[i + 1], r[j]);
        int closes = l[i] + r[j] - matched;
        t[k + 1] = l[i + 1] + r[j + 1] - matched;
        t[k] = closes;
    };

    /** Closes and opens that are left of a row of brackets; not commutative. */
    private static final ScanOperator BICYCLIC = ScanOperator.of(
            "bicyclic",
            ElementType.U32X2,
            new int[2],
            "uvec2 combine(uvec2 a, uvec2 b) { uint m = min(a.y, b.x); return uvec2(a.x + b.x - m, a.y + b.y - m); }",
            BICYCLIC_ON_THE_HOST);

    /** What is scanned. */
    enum Kind {
        /** Sums of words. */
        U32(ScanOperator.sum(ElementType.U32), false, true, (l, i, r, j, t, k) -> t[k] = l[i] + r[j]) {
            @Override
            int word(long index) {
                return WordSource.random(index);
            }
        },
        /** Sums of 64 bits. */
        U64(ScanOperator.sum(ElementType.U64), false, true, LongScan::addLongs) {
            @Override
            int word(long index) {
                return WordSource.random(index);
            }
        },
        /** Minima of numbers that fall, some of them ahead of the others. */
        MINIMA(ScanOperator.min(ElementType.I32), false, true, (l, i, r, j, t, k) -> t[k] = Math.min(l[i], r[j])) {
            @Override
            int word(long index) {
                return falling(index);
            }
        },
        /** Maxima of numbers that rise in the same way. */
        MAXIMA(ScanOperator.max(ElementType.I32), false, true, (l, i, r, j, t, k) -> t[k] = Math.max(l[i], r[j])) {
            @Override
            int word(long index) {
                return ~falling(index);
            }
        },
        /** Sums of floats that are small whole numbers of either sign, so that none is rounded. */
        F32(
                ScanOperator.sum(ElementType.F32),
                false,
                false,
                (l, i, r, j, t, k) ->
                        t[k] = Float.floatToRawIntBits(Float.intBitsToFloat(l[i]) + Float.intBitsToFloat(r[j]))) {
            @Override
            int word(long index) {
                return Float.floatToRawIntBits((WordSource.random(index) >>> 8) % 19 - 9);
            }
        },
        /** Pairs whose order matters. */
        PAIRS(BICYCLIC, false, true, BICYCLIC_ON_THE_HOST) {
            @Override
            int word(long index) {
                return (WordSource.random(index) >>> 8) % 3;
            }
        },
        /** Sums of words in segments. */
        SEGMENTED_SUMS(ScanOperator.sum(ElementType.U32), true, true, (l, i, r, j, t, k) -> t[k] = l[i] + r[j]) {
            @Override
            int word(long index) {
                return WordSource.random(index);
            }
        },
        /** Such pairs in segments. */
        SEGMENTED_PAIRS(BICYCLIC, true, true, BICYCLIC_ON_THE_HOST) {
            @Override
            int word(long index) {
                return (WordSource.random(index) >>> 8) % 3;
            }
        };

        private final ScanOperator operator;
        private final boolean segmented;
        private final boolean looksBack;
        private final CpuOperator host;

        Kind(ScanOperator operator, boolean segmented, boolean looksBack, CpuOperator host) {
            this.operator = operator;
            this.segmented = segmented;
            this.looksBack = looksBack;
            this.host = host;
        }

        /** Falls by 7 each time, and now and then as much as 9,000 numbers ahead; up to 2^29 it stays within 32 bits. */
        private static int falling(long index) {
            return (int) (Integer.MAX_VALUE - 7 * index) - (WordSource.random(index) >>> 16);
        }

        /** Returns whether the variant that looks back does it. */
        boolean looksBack() {
            return looksBack;
        }

        abstract int word(long index);

        int words() {
            return operator.type().words();
        }
    }

    private final String name;
    private final Kind kind;
    private final PrefixScan scan;

    private LongScan(String name, Kind kind, PrefixScan scan) {
        this.name = name;
        this.kind = kind;
        this.scan = scan;
    }

    /** Makes one that reduces first. */
    static LongScan reducing(GpuDevice device, Kind kind) {
        PrefixScan scan = kind.segmented
                ? PrefixScan.createSegmented(device, kind.operator)
                : PrefixScan.create(device, kind.operator);
        return new LongScan(nameOfReducing(kind), kind, scan);
    }

    /** Makes one that looks back. */
    static LongScan lookingBack(GpuDevice device, Kind kind, StuckTiles stuck) {
        PrefixScan scan = stuck.scan(device, kind.operator, kind.segmented);
        return new LongScan(nameOfLookingBack(kind, stuck), kind, scan);
    }

    static String nameOfReducing(Kind kind) {
        return name(kind) + "reduce, then scan";
    }

    static String nameOfLookingBack(Kind kind, StuckTiles stuck) {
        return name(kind) + "look-back" + (stuck == StuckTiles.NONE ? "" : ", tiles stuck: " + stuck);
    }

    private static String name(Kind kind) {
        return "scan of " + kind.operator.name() + (kind.segmented ? " in segments, " : ", ");
    }

    private static void addLongs(int[] left, int i, int[] right, int j, int[] to, int k) {
        long sum = asLong(left, i) + asLong(right, j);
        to[k] = (int) sum;
        to[k + 1] = (int) (sum >>> Integer.SIZE);
    }

    private static long asLong(int[] words, int at) {
        return Integer.toUnsignedLong(words[at]) | (long) words[at + 1] << Integer.SIZE;
    }

    private static boolean isHead(long element) {
        return Integer.remainderUnsigned(WordSource.random(~element), SEGMENT) == 0;
    }

    private static int heads(long index) {
        int bits = 0;
        for (int b = 0; b < Integer.SIZE; b++) {
            bits |= isHead(index * Integer.SIZE + b) ? 1 << b : 0;
        }
        return bits;
    }

    private ScanKind direction() {
        return scan.variant() == ScanVariant.LOOK_BACK ? ScanKind.EXCLUSIVE : ScanKind.INCLUSIVE;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long maxLength() {
        return Long.MAX_VALUE >>> Byte.SIZE;
    }

    @Override
    public List<Input> inputs(long length) {
        Input elements = new Input("elements", length * kind.words(), kind::word);
        long headWords = (length + Integer.SIZE - 1) / Integer.SIZE;
        return kind.segmented ? List.of(elements, new Input("heads", headWords, LongScan::heads)) : List.of(elements);
    }

    @Override
    public List<Output> outputs(long length) {
        return List.of(new Output("sums", length * kind.words(), () -> new Expected(kind, direction())));
    }

    @Override
    public long scratchBytes(long length) {
        return scan.scratchBytes(length);
    }

    @Override
    public void record(
            CommandList list, long length, List<BufferRange> inputs, List<BufferRange> outputs, BufferRange scratch) {
        BufferRange heads = kind.segmented ? inputs.get(1) : null;
        scan.record(list, new ScanArguments(direction(), length, inputs.get(0), outputs.get(0), scratch, heads));
    }

    @Override
    public void close() {
        scan.close();
    }

    /** The results, one word after the other. */
    private static final class Expected implements IntSupplier {
        private final Kind kind;
        private final boolean exclusive;
        private final int words;
        private final int[] running;
        private final int[] element;
        private final int[] result;
        private long next;
        private int word;

        Expected(Kind kind, ScanKind direction) {
            this.kind = kind;
            exclusive = direction == ScanKind.EXCLUSIVE;
            words = kind.words();
            running = kind.operator.identity();
            element = new int[words];
            result = new int[words];
            word = words;
        }

        @Override
        public int getAsInt() {
            if (word == words) {
                advance();
                word = 0;
            }
            return result[word++];
        }

        private void advance() {
            if (kind.segmented && isHead(next)) {
                System.arraycopy(kind.operator.identity(), 0, running, 0, words);
            }
            for (int w = 0; w < words; w++) {
                element[w] = kind.word(next * words + w);
            }
            if (exclusive) {
                System.arraycopy(running, 0, result, 0, words);
            }
            kind.host.combine(running, 0, element, 0, running, 0);
            if (!exclusive) {
                System.arraycopy(running, 0, result, 0, words);
            }
            next++;
        }
    }
}
