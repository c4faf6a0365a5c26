package io.frameloom.stress.gpu.compute;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.compute.BracketArguments;
import io.frameloom.gpu.compute.BracketInput;
import io.frameloom.gpu.compute.BracketMatch;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntSupplier;

/** A matching of brackets. */
final class LongMatch implements LongWork {
    private final Nest nest;
    private final BracketMatch match;

    LongMatch(GpuDevice device, BracketInput width, Nest nest) {
        this.nest = nest;
        match = BracketMatch.create(device, width);
    }

    private int word(long index, long length) {
        int perWord = match.input().perWord();
        int bits = Integer.SIZE / perWord;
        int word = 0;
        for (int i = 0; i < perWord; i++) {
            long element = index * perWord + i;
            if (element < length && nest.opens(element, length)) {
                // Whichever bit of an element is set, it opens.
                word |= 1 << (i * bits + element % bits);
            }
        }
        return word;
    }

    @Override
    public String name() {
        return name(match.input(), nest);
    }

    static String name(BracketInput width, Nest nest) {
        return "match of " + (width + ", " + nest).toLowerCase(Locale.ROOT);
    }

    @Override
    public long maxLength() {
        return match.maxLength();
    }

    @Override
    public List<Input> inputs(long length) {
        long words = match.input().bytes(length) / Integer.BYTES;
        return List.of(new Input("brackets", words, index -> word(index, length)));
    }

    @Override
    public List<Output> outputs(long length) {
        return List.of(new Output("links", length, () -> new Expected(nest, length)));
    }

    @Override
    public long scratchBytes(long length) {
        return match.scratchBytes(length);
    }

    @Override
    public void record(
            CommandList list, long length, List<BufferRange> inputs, List<BufferRange> outputs, BufferRange scratch) {
        match.record(list, new BracketArguments(length, inputs.get(0), outputs.get(0), scratch));
    }

    @Override
    public void close() {
        match.close();
    }

    /** The links, one after the other, by a stack. */
    private static final class Expected implements IntSupplier {
        private final Nest nest;
        private final long length;
        private int[] stack = new int[1024];
        private int depth;
        private int next;

        Expected(Nest nest, long length) {
            this.nest = nest;
            this.length = length;
        }

        @Override
        public int getAsInt() {
            int link = depth == 0 ? BracketMatch.NONE : stack[depth - 1];
            if (nest.opens(next, length)) {
                if (depth == stack.length) {
                    stack = Arrays.copyOf(stack, 2 * depth);
                }
                stack[depth++] = next;
            } else if (depth > 0) {
                depth--;
            }
            next++;
            return link;
        }
    }
}
