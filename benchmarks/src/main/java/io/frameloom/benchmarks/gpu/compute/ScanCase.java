package io.frameloom.benchmarks.gpu.compute;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.compute.ElementType;
import io.frameloom.gpu.compute.PrefixScan;
import io.frameloom.gpu.compute.ScanArguments;
import io.frameloom.gpu.compute.ScanKind;
import io.frameloom.gpu.compute.ScanOperator;
import io.frameloom.gpu.compute.ScanOptions;
import io.frameloom.gpu.compute.ScanVariant;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import java.util.List;
import java.util.Objects;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** An exclusive scan. */
final class ScanCase extends DeviceCase {
    /** Not commutative: closes and opens left of a stretch of brackets. */
    private static final ScanOperator BICYCLIC = ScanOperator.of(
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

    /**
     * What is scanned.
     *
     * @param title for reports
     * @param operator operator
     * @param input words of the elements
     * @param heads words of where segments begin, or null for a plain scan
     * @param rows what input and segments are like, for reports
     */
    record Kind(
            String title,
            ScanOperator operator,
            WordSource input,
            @Nullable WordSource heads,
            String rows) {
        private static Kind plain(String title, ScanOperator operator, WordSource input) {
            return new Kind(title, operator, input, null, RANDOM);
        }

        private static Kind segmented(WordSource heads, String rows) {
            return new Kind("u32 sum, segmented", ScanOperator.sum(ElementType.U32), Inputs::random, heads, rows);
        }

        boolean isSegmented() {
            return heads != null;
        }
    }

    private static final String RANDOM = "random";

    private final Kind kind;
    private final ScanArguments arguments;
    private final PrefixScan scan;

    ScanCase(Workbench bench, Kind kind, ScanOptions options, long length) {
        super(bench, subject(kind, options), length);
        this.kind = kind;
        scan = bench.own(
                kind.isSegmented()
                        ? PrefixScan.createSegmented(bench.device, kind.operator(), options)
                        : PrefixScan.create(bench.device, kind.operator(), options));
        long bytes = length * kind.operator().type().bytes();
        BufferRange input = range("input", bytes);
        BufferRange output = range("output", bytes);
        BufferRange scratch = range("scratch", scan.scratchBytes(length));
        BufferRange heads = kind.isSegmented() ? range("heads", headWords() * Integer.BYTES) : null;
        arguments = new ScanArguments(ScanKind.EXCLUSIVE, length, input, output, scratch, heads);
    }

    static Subject subject(Kind kind, ScanOptions options) {
        String how = options.variant() == ScanVariant.LOOK_BACK ? "look-back" : "reduce, then scan";
        if (!options.subgroups()) {
            how += ", in shared memory";
        } else if (options.threads() != 0) {
            how += ", " + options.threads() + " x " + options.itemsPerThread();
        }
        return new Subject("scan", kind.title(), how, kind.rows());
    }

    static List<Kind> kinds() {
        return List.of(
                Kind.plain("u32 sum", ScanOperator.sum(ElementType.U32), Inputs::random),
                Kind.plain("i32 sum", ScanOperator.sum(ElementType.I32), Inputs::random),
                Kind.plain("u64 sum", ScanOperator.sum(ElementType.U64), Inputs::random),
                Kind.plain("f32 sum", ScanOperator.sum(ElementType.F32), Inputs::smallFloat),
                Kind.segmented(Inputs::heads, RANDOM),
                Kind.plain("2 x u32 bicyclic", BICYCLIC, Inputs::bicyclic));
    }

    /** The most segments and the fewest. */
    static List<Kind> extremeSegments() {
        return List.of(Kind.segmented(word -> -1, "all heads"), Kind.segmented(word -> 0, "no heads"));
    }

    private long headWords() {
        return (length + Integer.SIZE - 1) / Integer.SIZE;
    }

    @Override
    long bytes() {
        long heads = kind.isSegmented() ? headWords() * Integer.BYTES : 0;
        return 2 * length * kind.operator().type().bytes() + heads;
    }

    @Override
    void record(CommandList list) {
        scan.record(list, arguments);
    }

    @Override
    String check() {
        long words = length * kind.operator().type().words();
        bench.fill(arguments.input().buffer(), words, kind.input());
        if (arguments.heads() != null) {
            bench.fill(arguments.heads().buffer(), headWords(), Objects.requireNonNull(kind.heads()));
        }
        bench.poison(arguments.output().buffer());
        bench.poison(arguments.scratch().buffer());
        bench.execute(this::record);
        return compare("scan", arguments.output().buffer(), words, new Expected(kind));
    }

    /** The words of the results, one element after the other. */
    private static final class Expected implements IntSupplier {
        private final Kind kind;
        private final int words;
        private final int[] identity;
        private final int[] running;
        private final int[] element;
        private long index;
        private int word;
        private int heads;

        Expected(Kind kind) {
            this.kind = kind;
            words = kind.operator().type().words();
            identity = kind.operator().identity();
            running = identity.clone();
            element = new int[words];
        }

        @Override
        public int getAsInt() {
            WordSource source = kind.heads();
            if (word == 0 && source != null) {
                if (index % Integer.SIZE == 0) {
                    heads = source.word(index / Integer.SIZE);
                }
                if ((heads >>> (index % Integer.SIZE) & 1) != 0) {
                    System.arraycopy(identity, 0, running, 0, words);
                }
            }
            int result = running[word];
            element[word] = kind.input().word(index * words + word);
            word++;
            if (word == words) {
                kind.operator().cpu().combine(running, 0, element, 0, running, 0);
                word = 0;
                index++;
            }
            return result;
        }
    }
}
