package io.frameloom.stress.gpu.compute;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.compute.CompactArguments;
import io.frameloom.gpu.compute.ElementType;
import io.frameloom.gpu.compute.StreamCompaction;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import java.util.List;
import java.util.function.IntSupplier;

/** A compaction of words of which about half stay. What is behind those that stay is not touched. */
final class LongCompaction implements LongWork {
    static final String NAME = "compaction of U32";

    private final StreamCompaction compaction;

    LongCompaction(GpuDevice device) {
        compaction = StreamCompaction.create(device, ElementType.U32);
    }

    private static long keepWords(long length) {
        return (length + Integer.SIZE - 1) / Integer.SIZE;
    }

    /** The flags of 32 elements: other random bits than the elements. */
    private static int keep(long index) {
        return WordSource.random(~index);
    }

    private static boolean stays(long element) {
        return (keep(element / Integer.SIZE) >>> (element % Integer.SIZE) & 1) != 0;
    }

    private static int count(long length) {
        int count = 0;
        for (long word = 0; word < length / Integer.SIZE; word++) {
            count += Integer.bitCount(keep(word));
        }
        for (long element = length / Integer.SIZE * Integer.SIZE; element < length; element++) {
            count += stays(element) ? 1 : 0;
        }
        return count;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public long maxLength() {
        return compaction.maxLength();
    }

    @Override
    public List<Input> inputs(long length) {
        return List.of(
                new Input("elements", length, WordSource::random),
                new Input("flags", keepWords(length), LongCompaction::keep));
    }

    @Override
    public List<Output> outputs(long length) {
        return List.of(new Output("kept elements", length, () -> new Kept(length)), new Output("count", 1, () -> {
            int count = count(length);
            return () -> count;
        }));
    }

    @Override
    public long scratchBytes(long length) {
        return compaction.scratchBytes(length);
    }

    @Override
    public void record(
            CommandList list, long length, List<BufferRange> inputs, List<BufferRange> outputs, BufferRange scratch) {
        compaction.record(
                list,
                new CompactArguments(length, inputs.get(0), inputs.get(1), outputs.get(0), outputs.get(1), scratch));
    }

    @Override
    public void close() {
        compaction.close();
    }

    /** The elements that stay, one after the other, then poison. */
    private static final class Kept implements IntSupplier {
        private final long length;
        private long next;

        Kept(long length) {
            this.length = length;
        }

        @Override
        public int getAsInt() {
            while (next < length && !stays(next)) {
                next++;
            }
            return next < length ? WordSource.random(next++) : ComputeStand.POISON;
        }
    }
}
