package io.frameloom.stress.gpu.compute;

import io.frameloom.gpu.BoundResource.BufferRange;
import io.frameloom.gpu.DeviceLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * Runs work several times on the same memory without clearing any of it, and compares all that it wrote with what a
 * sequential program expects: outputs after each run, and at last what it must not have written.
 */
final class ComputeCheck {
    private final ComputeStand stand;
    private final int alignment;

    ComputeCheck(ComputeStand stand) {
        this.stand = stand;
        alignment = stand.device.capabilities().storageAlignment();
    }

    /** Returns the largest length up to {@code wanted} whose memory the device allocates; 0 if there is none. */
    long longest(LongWork work, long wanted) {
        DeviceLimits.Memory limits = stand.device.capabilities().limits().memory();
        long most = Math.min(limits.maxBufferBytes(), limits.maxAllocationBytes());
        LongPredicate fits = length -> largest(work, length) <= most;
        long right = 0;
        long wrong = Math.min(wanted, work.maxLength()) + 1;
        if (fits.test(wrong - 1)) {
            return wrong - 1;
        }
        while (wrong - right > 1) {
            long middle = (right + wrong) >>> 1;
            if (fits.test(middle)) {
                right = middle;
            } else {
                wrong = middle;
            }
        }
        return right;
    }

    private long largest(LongWork work, long length) {
        long words = scratchWords(work, length);
        for (LongWork.Input input : work.inputs(length)) {
            words = Math.max(words, input.words());
        }
        for (LongWork.Output output : work.outputs(length)) {
            words = Math.max(words, output.words());
        }
        return GuardedBuffer.bytes(words, alignment);
    }

    private static long scratchWords(LongWork work, long length) {
        return (work.scratchBytes(length) + Integer.BYTES - 1) / Integer.BYTES;
    }

    /** Returns what is wrong first, empty if nothing is. */
    String difference(LongWork work, long length, int runs) {
        List<GuardedBuffer> memory = new ArrayList<>();
        try {
            List<LongWork.Input> inputs = work.inputs(length);
            List<LongWork.Output> outputs = work.outputs(length);
            inputs.forEach(input -> memory.add(buffer(input.role(), input.words(), Integer.BYTES)));
            outputs.forEach(output -> memory.add(buffer(output.role(), output.words(), Integer.BYTES)));
            memory.add(buffer("scratch memory", scratchWords(work, length), alignment));
            memory.forEach(stand::poison);
            List<GuardedBuffer> read = memory.subList(0, inputs.size());
            List<GuardedBuffer> written = memory.subList(inputs.size(), memory.size() - 1);
            for (int i = 0; i < read.size(); i++) {
                stand.fill(read.get(i), inputs.get(i).source());
            }
            for (int run = 1; run <= runs; run++) {
                run(work, length, memory, inputs.size());
                for (int i = 0; i < written.size(); i++) {
                    String wrong = stand.difference(
                            written.get(i), outputs.get(i).expected().get());
                    if (!wrong.isEmpty()) {
                        return wrong + " (run " + run + " of " + runs + ")";
                    }
                }
            }
            for (int i = 0; i < read.size(); i++) {
                WordSource source = inputs.get(i).source();
                long[] next = new long[1];
                String wrong = stand.difference(read.get(i), () -> source.word(next[0]++));
                if (!wrong.isEmpty()) {
                    return wrong + " (it is only to be read)";
                }
            }
            return memory.stream()
                    .map(stand::written)
                    .filter(wrong -> !wrong.isEmpty())
                    .findFirst()
                    .orElse("");
        } finally {
            memory.forEach(GuardedBuffer::close);
        }
    }

    private GuardedBuffer buffer(String role, long words, int multiple) {
        return GuardedBuffer.create(stand.device, role, words, multiple);
    }

    private void run(LongWork work, long length, List<GuardedBuffer> memory, int inputs) {
        List<BufferRange> ranges = memory.stream().map(GuardedBuffer::range).toList();
        int scratch = ranges.size() - 1;
        stand.execute(list -> work.record(
                list, length, ranges.subList(0, inputs), ranges.subList(inputs, scratch), ranges.get(scratch)));
    }
}
