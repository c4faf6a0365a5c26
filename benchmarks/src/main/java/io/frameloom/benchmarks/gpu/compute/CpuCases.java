package io.frameloom.benchmarks.gpu.compute;

import io.frameloom.gpu.compute.BracketInput;
import io.frameloom.gpu.compute.BracketMatch;
import io.frameloom.gpu.compute.ClipBox;
import io.frameloom.gpu.compute.ClipBoxes;
import io.frameloom.gpu.compute.ClipEnd;
import io.frameloom.gpu.compute.CpuBracketMatch;
import io.frameloom.gpu.compute.CpuClipBoxes;
import io.frameloom.gpu.compute.CpuCompaction;
import io.frameloom.gpu.compute.CpuScan;
import io.frameloom.gpu.compute.ElementType;
import io.frameloom.gpu.compute.ScanKind;
import io.frameloom.gpu.compute.ScanOperator;
import io.frameloom.gpu.internal.Plural;
import io.frameloom.taskgraph.TaskGraph;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** The processor's versions beside a plain loop on one core; each result is compared with the plain loop's. */
final class CpuCases {
    private static final int WARM_UP_LENGTH = 1 << 18;
    private static final int WARM_UP_RUNS = 30;
    private static final int MOST_SAMPLES = 5;
    /** Of CpuClipBoxes. */
    private static final int MOST_CLIPS = 1 << 27;

    private final TaskGraph tasks;
    private final int workers;
    private final int samples;
    private final Predicate<Subject> wanted;
    private final Consumer<Row> rows;

    /**
     * @param workers of {@code tasks}, for reports
     * @param wanted what is measured
     */
    CpuCases(TaskGraph tasks, int workers, int samples, Predicate<Subject> wanted, Consumer<Row> rows) {
        this.tasks = tasks;
        this.workers = workers;
        this.samples = Math.min(samples, MOST_SAMPLES);
        this.wanted = wanted;
        this.rows = rows;
    }

    void warmUp() {
        CpuCases silent = new CpuCases(tasks, workers, WARM_UP_RUNS, wanted, row -> {});
        silent.scan(WARM_UP_LENGTH);
        silent.compact(WARM_UP_LENGTH);
        for (Inputs.Brackets brackets : Inputs.Brackets.values()) {
            silent.match(WARM_UP_LENGTH, brackets);
        }
        silent.clip(WARM_UP_LENGTH, Inputs.Brackets.RANDOM);
    }

    void measure(int length) {
        scan(length);
        compact(length);
        match(length, Inputs.Brackets.RANDOM);
        match(length, Inputs.Brackets.MOUNTAIN);
        match(length, Inputs.Brackets.DRAIN);
        clip(length, Inputs.Brackets.RANDOM);
        clip(length, Inputs.Brackets.MOUNTAIN);
        clip(length, Inputs.Brackets.DRAIN);
    }

    private void scan(int length) {
        int[] input = new int[length];
        IntStream.range(0, length).parallel().forEach(i -> input[i] = Inputs.random(i));
        ScanOperator operator = ScanOperator.sum(ElementType.U32);
        int[] expected = plainScan(input);
        long bytes = 2L * length * Integer.BYTES;
        time(
                new Subject("scan", "u32 sum", "plain loop, 1 thread", "random"),
                length,
                bytes,
                expected,
                () -> plainScan(input));
        time(
                new Subject("scan", "u32 sum", "CpuScan, " + Plural.of(workers, "worker"), "random"),
                length,
                bytes,
                expected,
                () -> CpuScan.scan(tasks, operator, ScanKind.EXCLUSIVE, input, null));
    }

    private void compact(int length) {
        int[] input = new int[length];
        int[] keep = new int[(length + Integer.SIZE - 1) / Integer.SIZE];
        IntStream.range(0, length).parallel().forEach(i -> input[i] = Inputs.random(i));
        Arrays.parallelSetAll(keep, CompactCase::keep);
        int[] expected = PlainCompaction.compact(input, keep);
        long bytes = CompactCase.bytes(length);
        time(
                CompactCase.subject("plain loop, 1 thread"),
                length,
                bytes,
                expected,
                () -> PlainCompaction.compact(input, keep));
        time(
                CompactCase.subject("CpuCompaction, " + Plural.of(workers, "worker")),
                length,
                bytes,
                expected,
                () -> CpuCompaction.compact(tasks, ElementType.U32, input, keep));
    }

    private void match(int length, Inputs.Brackets brackets) {
        BracketInput width = BracketInput.WORDS;
        int[] input = new int[length];
        IntStream.range(0, length).parallel().forEach(i -> input[i] = MatchCase.word(width, brackets, length, i));
        String name = brackets.title();
        int[] expected = plainMatch(input);
        long bytes = 2L * length * Integer.BYTES;
        time(
                new Subject("match", "u32", "plain loop, 1 thread", name),
                length,
                bytes,
                expected,
                () -> plainMatch(input));
        time(
                new Subject("match", "u32", "CpuBracketMatch, " + Plural.of(workers, "worker"), name),
                length,
                bytes,
                expected,
                () -> CpuBracketMatch.match(tasks, width, input, length));
    }

    private void clip(int length, Inputs.Brackets brackets) {
        if (length > MOST_CLIPS) {
            return;
        }
        int[] operations = new int[length];
        float[] boxes = new float[ClipCase.BOX_WORDS * length];
        IntStream.range(0, length).parallel().forEach(i -> operations[i] = ClipCase.operation(brackets, i, length));
        IntStream.range(0, boxes.length)
                .parallel()
                .forEach(i -> boxes[i] = Float.intBitsToFloat(ClipCase.coordinate(i)));
        CpuClipBoxes.Result expected = plainClip(operations, boxes);
        Predicate<CpuClipBoxes.Result> right = result -> Arrays.equals(expected.links(), result.links())
                && Arrays.equals(expected.effective(), result.effective());
        long bytes = ClipCase.bytes(length);
        time(
                ClipCase.subject(brackets, "plain loop, 1 thread"),
                length,
                bytes,
                () -> plainClip(operations, boxes),
                right);
        time(
                ClipCase.subject(brackets, "CpuClipBoxes, " + Plural.of(workers, "worker")),
                length,
                bytes,
                () -> CpuClipBoxes.compute(tasks, ClipEnd.AFTER_POP, ClipCase.VIEWPORT, operations, boxes),
                right);
    }

    private void time(Subject subject, int length, long bytes, int[] expected, Supplier<int[]> run) {
        time(subject, length, bytes, run, result -> Arrays.equals(expected, result));
    }

    private <T> void time(Subject subject, int length, long bytes, Supplier<T> run, Predicate<T> right) {
        if (!wanted.test(subject)) {
            return;
        }
        double[] nanos = new double[samples];
        for (int i = -1; i < samples; i++) {
            long start = System.nanoTime();
            T result = run.get();
            double taken = System.nanoTime() - start;
            // Before it is timed, and so that no result goes unused.
            if ((i < 0 || i == samples - 1) && !right.test(result)) {
                throw new WrongResultException(subject + " of " + length + " elements is wrong");
            }
            if (i >= 0) {
                nanos[i] = taken;
            }
        }
        rows.accept(Row.of(subject, length, bytes, Timing.of(nanos), 0));
    }

    private static CpuClipBoxes.Result plainClip(int[] operations, float[] boxes) {
        int length = operations.length;
        int words = ClipCase.BOX_WORDS;
        CpuClipBoxes.Result result = new CpuClipBoxes.Result(new float[words * length], new int[length]);
        int[] begins = new int[1024];
        float[] stack = new float[words * 1025];
        ClipBox all = ClipCase.VIEWPORT;
        stack[0] = all.x0();
        stack[1] = all.y0();
        stack[2] = all.x1();
        stack[3] = all.y1();
        int depth = 0;
        for (int i = 0; i < length; i++) {
            int operation = operations[i];
            result.links()[i] = depth == 0 ? BracketMatch.NONE : begins[depth - 1];
            if (operation == ClipBoxes.END) {
                depth = Math.max(0, depth - 1);
                System.arraycopy(stack, words * depth, result.effective(), words * i, words);
                continue;
            }
            for (int w = 0; w < words; w++) {
                float around = stack[words * depth + w];
                float own = boxes[words * i + w];
                result.effective()[words * i + w] = w < 2 ? Math.max(around, own) : Math.min(around, own);
            }
            if (operation == ClipBoxes.BEGIN) {
                if (depth + 1 == begins.length) {
                    begins = Arrays.copyOf(begins, 2 * begins.length);
                    stack = Arrays.copyOf(stack, 2 * stack.length);
                }
                begins[depth++] = i;
                System.arraycopy(result.effective(), words * i, stack, words * depth, words);
            }
        }
        return result;
    }

    private static int[] plainScan(int[] input) {
        int[] output = new int[input.length];
        int sum = 0;
        for (int i = 0; i < input.length; i++) {
            output[i] = sum;
            sum += input[i];
        }
        return output;
    }

    private static int[] plainMatch(int[] input) {
        int[] links = new int[input.length];
        int[] stack = new int[1024];
        int depth = 0;
        for (int i = 0; i < input.length; i++) {
            links[i] = depth == 0 ? BracketMatch.NONE : stack[depth - 1];
            if (input[i] != 0) {
                if (depth == stack.length) {
                    stack = Arrays.copyOf(stack, (int) Math.min(Integer.MAX_VALUE - 8L, 2L * depth));
                }
                stack[depth++] = i;
            } else if (depth > 0) {
                depth--;
            }
        }
        return links;
    }
}
