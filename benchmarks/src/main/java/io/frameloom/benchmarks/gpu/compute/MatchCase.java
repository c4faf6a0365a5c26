package io.frameloom.benchmarks.gpu.compute;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.compute.BracketArguments;
import io.frameloom.gpu.compute.BracketInput;
import io.frameloom.gpu.compute.BracketMatch;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import java.util.Arrays;
import java.util.function.IntSupplier;

/** A matching of brackets. */
final class MatchCase extends DeviceCase {
    /** Stands for the threads of a workgroup that are used where nothing is said. */
    static final int USUAL = 0;

    private final BracketInput width;
    private final Inputs.Brackets brackets;
    private final BracketMatch match;
    private final BracketArguments arguments;

    /** @param threads of a workgroup, or {@link #USUAL} */
    MatchCase(Workbench bench, BracketInput width, int threads, Inputs.Brackets brackets, long length) {
        super(bench, subject(bench.device, width, threads, brackets), length);
        this.width = width;
        this.brackets = brackets;
        match = bench.own(
                threads == USUAL
                        ? BracketMatch.create(bench.device, width)
                        : BracketMatch.create(bench.device, width, threads));
        BufferRange input = range("input", width.bytes(length));
        BufferRange links = range("links", length * Integer.BYTES);
        BufferRange scratch = range("scratch", match.scratchBytes(length));
        arguments = new BracketArguments(length, input, links, scratch);
    }

    static Subject subject(GpuDevice device, BracketInput width, int threads, Inputs.Brackets brackets) {
        return new Subject("match", title(width), how(BracketMatch.sizesSections(device), threads), brackets.title());
    }

    /** @param sized whether sections are in workgroups of that size, and not only what links them */
    static String how(boolean sized, int threads) {
        String sections = "sections of 1024";
        if (threads == USUAL) {
            return sections;
        }
        return sections + (sized ? ", workgroups of " : ", linked by workgroups of ") + threads;
    }

    static String title(BracketInput width) {
        return switch (width) {
            case WORDS -> "u32";
            case BYTES -> "u8";
            case BITS -> "bits";
        };
    }

    /** Returns a word of the input as it lies in memory. */
    static int word(BracketInput width, Inputs.Brackets brackets, long length, long index) {
        int perWord = width.perWord();
        int bits = Integer.SIZE / perWord;
        int word = 0;
        for (int i = 0; i < perWord; i++) {
            long element = index * perWord + i;
            if (element < length && brackets.opens(element, length)) {
                word |= 1 << (i * bits);
            }
        }
        return word;
    }

    @Override
    long bytes() {
        return width.bytes(length) + length * Integer.BYTES;
    }

    @Override
    void record(CommandList list) {
        match.record(list, arguments);
    }

    @Override
    String check() {
        bench.fill(
                arguments.input().buffer(),
                width.bytes(length) / Integer.BYTES,
                index -> word(width, brackets, length, index));
        bench.poison(arguments.links().buffer());
        bench.poison(arguments.scratch().buffer());
        bench.execute(this::record);
        return compare("match", arguments.links().buffer(), length, new Expected(brackets, length));
    }

    /** The links, one after the other, by a stack. */
    static final class Expected implements IntSupplier {
        private final Inputs.Brackets brackets;
        private final long length;
        private int[] stack = new int[1024];
        private int depth;
        private int index;

        Expected(Inputs.Brackets brackets, long length) {
            this.brackets = brackets;
            this.length = length;
        }

        @Override
        public int getAsInt() {
            int link = depth == 0 ? BracketMatch.NONE : stack[depth - 1];
            if (brackets.opens(index, length)) {
                if (depth == stack.length) {
                    stack = Arrays.copyOf(stack, 2 * depth);
                }
                stack[depth++] = index;
            } else if (depth > 0) {
                depth--;
            }
            index++;
            return link;
        }
    }
}
