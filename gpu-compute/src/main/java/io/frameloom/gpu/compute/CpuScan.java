package io.frameloom.gpu.compute;

import io.frameloom.taskgraph.TaskGraph;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * {@link PrefixScan} on the processor: the same operators, cut into blocks that the workers of a task graph take if
 * they are more than a few. Used where there is no device, and to check one. Stateless; any thread may call it.
 *
 * <p>Results have the same bits for any number of workers. Where rounding depends on the order, blocks have a fixed
 * length, even with few workers: they are summed up, their sums are added from the first on, and each block is scanned
 * from there.
 */
public final class CpuScan {
    /** Elements of a block: long enough to pay for a task, short enough for many of them. */
    private static final int BLOCK = 1 << 15;

    /** Up to so many workers one thread does all of it: blocks are read twice. */
    private static final int FEW_WORKERS = 2;

    private CpuScan() {}

    /**
     * Scans.
     *
     * @param tasks whose workers help
     * @param kind inclusive or exclusive
     * @param input words of the elements, a whole number of them
     * @param heads where segments begin, as {@link ScanArguments#heads} has it; null for a plain scan
     * @return words of the results
     * @throws IllegalArgumentException if the input is no whole number of elements or {@code heads} too short
     */
    public static int[] scan(
            TaskGraph tasks, ScanOperator operator, ScanKind kind, int[] input, int @Nullable [] heads) {
        int words = operator.type().words();
        if (input.length % words != 0) {
            throw new IllegalArgumentException("scan '" + operator.name() + "': " + input.length
                    + " words are no whole number of elements of " + words);
        }
        int count = input.length / words;
        if (heads != null && heads.length < (count + 31L) / 32) {
            throw new IllegalArgumentException("scan '" + operator.name() + "': " + count + " elements need "
                    + (count + 31L) / 32 + " words of heads, got " + heads.length);
        }
        boolean few = tasks.workerCount() <= FEW_WORKERS && operator.isExact();
        if (few || count <= BLOCK) {
            return scanAlone(operator, kind, input, heads);
        }
        return scanTogether(tasks, operator, kind, input, heads);
    }

    static int[] scanAlone(ScanOperator operator, ScanKind kind, int[] input, int @Nullable [] heads) {
        int[] output = new int[input.length];
        int count = input.length / operator.type().words();
        new Pass(operator, kind, input, heads, output).scan(0, count, operator.identity(), 0);
        return output;
    }

    static int[] scanTogether(
            TaskGraph tasks, ScanOperator operator, ScanKind kind, int[] input, int @Nullable [] heads) {
        int words = operator.type().words();
        int count = input.length / words;
        int[] output = new int[input.length];
        int blocks = (int) ((count + BLOCK - 1L) / BLOCK);
        int[] carries = new int[Math.max(1, blocks) * words];
        boolean[] cuts = new boolean[blocks];
        Pass pass = new Pass(operator, kind, input, heads, output);
        String name = "scan " + operator.name();
        tasks.parallelFor(name, Math.max(0, blocks - 1), 1, (from, to, slot) -> {
            for (int block = from; block < to; block++) {
                cuts[block] = pass.total(block * BLOCK, end(block, count), carries, block * words);
            }
        });
        turnTotalsIntoCarries(operator, carries, cuts);
        tasks.parallelFor(name, blocks, 1, (from, to, slot) -> {
            for (int block = from; block < to; block++) {
                pass.scan(block * BLOCK, end(block, count), carries, block * words);
            }
        });
        return output;
    }

    private static int end(int block, int count) {
        return (int) Math.min(count, (block + 1L) * BLOCK);
    }

    private static void turnTotalsIntoCarries(ScanOperator operator, int[] totals, boolean[] cuts) {
        int words = operator.type().words();
        int[] running = operator.identity();
        int[] total = new int[words];
        for (int block = 0; block < cuts.length; block++) {
            System.arraycopy(totals, block * words, total, 0, words);
            System.arraycopy(running, 0, totals, block * words, words);
            if (cuts[block]) {
                System.arraycopy(total, 0, running, 0, words);
            } else {
                operator.cpu().combine(running, 0, total, 0, running, 0);
            }
        }
    }

    /** The arrays of one scan. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Pass(ScanOperator operator, ScanKind kind, int[] input, int @Nullable [] heads, int[] output) {
        /** Writes the total of a block, that of its last segment if one begins in it; returns whether one does. */
        boolean total(int from, int to, int[] totals, int at) {
            int[] running = operator.identity();
            if (isPlainOfOneWord()) {
                CpuOperator cpu = operator.cpu();
                for (int element = from; element < to; element++) {
                    cpu.combine(running, 0, input, element, running, 0);
                }
                totals[at] = running[0];
                return false;
            }
            boolean cut = false;
            for (int element = from; element < to; element++) {
                boolean head = isHead(element);
                append(running, element, head);
                cut |= head;
            }
            System.arraycopy(running, 0, totals, at, running.length);
            return cut;
        }

        void scan(int from, int to, int[] carries, int at) {
            int[] identity = operator.identity();
            int words = identity.length;
            int[] running = Arrays.copyOfRange(carries, at, at + words);
            if (isPlainOfOneWord()) {
                scanWords(running, from, to);
                return;
            }
            for (int element = from; element < to; element++) {
                boolean head = isHead(element);
                if (kind == ScanKind.EXCLUSIVE) {
                    System.arraycopy(head ? identity : running, 0, output, element * words, words);
                }
                append(running, element, head);
                if (kind == ScanKind.INCLUSIVE) {
                    System.arraycopy(running, 0, output, element * words, words);
                }
            }
        }

        private boolean isPlainOfOneWord() {
            return heads == null && operator.type().words() == 1;
        }

        private void scanWords(int[] running, int from, int to) {
            CpuOperator cpu = operator.cpu();
            boolean exclusive = kind == ScanKind.EXCLUSIVE;
            for (int element = from; element < to; element++) {
                int before = running[0];
                cpu.combine(running, 0, input, element, running, 0);
                output[element] = exclusive ? before : running[0];
            }
        }

        private void append(int[] running, int element, boolean head) {
            if (head) {
                System.arraycopy(input, element * running.length, running, 0, running.length);
            } else {
                operator.cpu().combine(running, 0, input, element * running.length, running, 0);
            }
        }

        private boolean isHead(int element) {
            return heads != null && (heads[element >>> 5] >>> (element & 31) & 1) != 0;
        }
    }
}
