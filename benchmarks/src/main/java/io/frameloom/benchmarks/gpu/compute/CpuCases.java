package io.frameloom.benchmarks.gpu.compute;

import io.frameloom.gpu.compute.BracketInput;
import io.frameloom.gpu.compute.BracketMatch;
import io.frameloom.gpu.compute.CpuBracketMatch;
import io.frameloom.gpu.compute.CpuScan;
import io.frameloom.gpu.compute.ElementType;
import io.frameloom.gpu.compute.ScanKind;
import io.frameloom.gpu.compute.ScanOperator;
import io.frameloom.taskgraph.TaskGraph;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** The processor's versions beside a plain loop on one core; each result is compared with the plain loop's. */
final class CpuCases {
    private static final int WARM_UP_LENGTH = 1 << 18;
    private static final int WARM_UP_RUNS = 30;
    private static final int MOST_SAMPLES = 5;

    private final TaskGraph tasks;
    private final int workers;
    private final int samples;
    private final Consumer<Row> rows;

    /** @param workers of {@code tasks}, for reports */
    CpuCases(TaskGraph tasks, int workers, int samples, Consumer<Row> rows) {
        this.tasks = tasks;
        this.workers = workers;
        this.samples = Math.min(samples, MOST_SAMPLES);
        this.rows = rows;
    }

    void warmUp() {
        CpuCases silent = new CpuCases(tasks, workers, WARM_UP_RUNS, row -> {});
        silent.scan(WARM_UP_LENGTH);
        for (Inputs.Brackets brackets : Inputs.Brackets.values()) {
            silent.match(WARM_UP_LENGTH, brackets);
        }
    }

    void measure(int length) {
        scan(length);
        match(length, Inputs.Brackets.RANDOM);
        match(length, Inputs.Brackets.MOUNTAIN);
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
                new Subject("scan", "u32 sum", "CpuScan, " + workers + " workers", "random"),
                length,
                bytes,
                expected,
                () -> CpuScan.scan(tasks, operator, ScanKind.EXCLUSIVE, input, null));
    }

    private void match(int length, Inputs.Brackets brackets) {
        BracketInput width = BracketInput.WORDS;
        int[] input = new int[length];
        IntStream.range(0, length).parallel().forEach(i -> input[i] = MatchCase.word(width, brackets, length, i));
        String name = brackets.name().toLowerCase(Locale.ROOT);
        int[] expected = plainMatch(input);
        long bytes = 2L * length * Integer.BYTES;
        time(
                new Subject("match", "u32", "plain loop, 1 thread", name),
                length,
                bytes,
                expected,
                () -> plainMatch(input));
        time(
                new Subject("match", "u32", "CpuBracketMatch, " + workers + " workers", name),
                length,
                bytes,
                expected,
                () -> CpuBracketMatch.match(tasks, width, input, length));
    }

    private void time(Subject subject, int length, long bytes, int[] expected, Supplier<int[]> run) {
        if (!Arrays.equals(expected, run.get())) {
            throw new WrongResultException(subject + " of " + length + " elements is wrong");
        }
        double[] nanos = new double[samples];
        for (int i = 0; i < samples; i++) {
            long start = System.nanoTime();
            int[] result = run.get();
            nanos[i] = System.nanoTime() - start;
            if (result.length != length) {
                throw new WrongResultException(subject + " has " + result.length + " results");
            }
        }
        rows.accept(Row.of(subject, length, bytes, Timing.of(nanos), 0));
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
