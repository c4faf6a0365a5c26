package io.frameloom.benchmarks.gpu.compute;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.compute.CompactArguments;
import io.frameloom.gpu.compute.ElementType;
import io.frameloom.gpu.compute.StreamCompaction;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import java.util.function.IntSupplier;

/** A compaction of words of which about half stay. */
final class CompactCase extends DeviceCase {
    static final Subject SUBJECT = subject("tally, scan, move");

    private final StreamCompaction compaction;
    private final CompactArguments arguments;

    CompactCase(Workbench bench, long length) {
        super(bench, SUBJECT, length);
        compaction = bench.own(StreamCompaction.create(bench.device, ElementType.U32));
        BufferRange input = range("input", length * Integer.BYTES);
        BufferRange keep = range("keep", keepWords() * Integer.BYTES);
        BufferRange output = range("output", length * Integer.BYTES);
        BufferRange count = range("count", Integer.BYTES);
        BufferRange scratch = range("scratch", compaction.scratchBytes(length));
        arguments = new CompactArguments(length, input, keep, output, count, scratch);
    }

    static Subject subject(String how) {
        return new Subject("compact", "u32", how, "random half");
    }

    private long keepWords() {
        return keepWords(length);
    }

    private static long keepWords(long length) {
        return (length + Integer.SIZE - 1) / Integer.SIZE;
    }

    /** The flags of 32 elements: other random bits than the elements. */
    static int keep(long index) {
        return Inputs.random(~index);
    }

    @Override
    long bytes() {
        return bytes(length);
    }

    static long bytes(long length) {
        return length * Integer.BYTES + keepWords(length) * Integer.BYTES + length / 2 * Integer.BYTES;
    }

    @Override
    void record(CommandList list) {
        compaction.record(list, arguments);
    }

    @Override
    String check() {
        bench.fill(arguments.input().buffer(), length, Inputs::random);
        bench.fill(arguments.keep().buffer(), keepWords(), CompactCase::keep);
        bench.poison(arguments.output().buffer());
        bench.poison(arguments.scratch().buffer());
        bench.execute(this::record);
        Kept kept = new Kept();
        long stay = kept.count(length);
        String wrong = compare("count", arguments.count().buffer(), 1, () -> (int) stay);
        return wrong.isEmpty() ? compare("compaction", arguments.output().buffer(), stay, kept) : wrong;
    }

    /** The elements that stay, one after the other. */
    private static final class Kept implements IntSupplier {
        private long index;

        long count(long length) {
            long count = 0;
            for (long word = 0; word < length / Integer.SIZE; word++) {
                count += Integer.bitCount(keep(word));
            }
            for (long i = length / Integer.SIZE * Integer.SIZE; i < length; i++) {
                count += stays(i) ? 1 : 0;
            }
            return count;
        }

        private static boolean stays(long i) {
            return (keep(i / Integer.SIZE) >>> (i % Integer.SIZE) & 1) != 0;
        }

        @Override
        public int getAsInt() {
            while (!stays(index)) {
                index++;
            }
            return Inputs.random(index++);
        }
    }
}
