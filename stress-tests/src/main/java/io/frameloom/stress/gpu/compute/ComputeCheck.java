package io.frameloom.stress.gpu.compute;

import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * Runs work several times on the same memory, and compares all that it wrote with what a sequential program expects, after
 * each run, and what it must not have written. Outputs are poisoned before each run, so that one which writes nothing does
 * not pass for the one before it; scratch memory is left as runs leave it.
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
        long placed = 0;
        for (LongWork.Input input : work.inputs(length)) {
            placed = Math.max(placed, input.words());
        }
        for (LongWork.Output output : work.outputs(length)) {
            placed = Math.max(placed, output.words());
        }
        return Math.max(GuardedBuffer.bytes(scratchWords(work, length), alignment), GuardedBuffer.bytes(placed));
    }

    private static long scratchWords(LongWork work, long length) {
        return (work.scratchBytes(length) + Integer.BYTES - 1) / Integer.BYTES;
    }

    /**
     * Returns what is wrong first, empty if nothing is.
     *
     * @param placements where inputs and outputs lie in each run
     */
    String difference(LongWork work, long length, List<Placement> placements) {
        List<GuardedBuffer> memory = new ArrayList<>();
        try {
            List<LongWork.Input> inputs = work.inputs(length);
            List<LongWork.Output> outputs = work.outputs(length);
            inputs.forEach(input -> memory.add(GuardedBuffer.create(stand.device, input.role(), input.words())));
            outputs.forEach(output -> memory.add(GuardedBuffer.create(stand.device, output.role(), output.words())));
            GuardedBuffer scratch =
                    GuardedBuffer.create(stand.device, "scratch memory", scratchWords(work, length), alignment);
            memory.add(scratch);
            stand.poison(scratch);
            List<GuardedBuffer> read = memory.subList(0, inputs.size());
            List<GuardedBuffer> written = memory.subList(inputs.size(), memory.size() - 1);
            for (int run = 0; run < placements.size(); run++) {
                Placement placement = placements.get(run);
                read.replaceAll(buffer -> buffer.at(placement));
                written.replaceAll(buffer -> buffer.at(placement));
                if (run == 0 || placements.get(run - 1) != placement) {
                    fill(read, inputs);
                }
                written.forEach(stand::poison);
                run(work, length, memory, inputs.size());
                String wrong = difference(written, outputs);
                boolean moves = run + 1 == placements.size() || placements.get(run + 1) != placement;
                if (wrong.isEmpty() && moves) {
                    wrong = written(read, inputs);
                }
                if (!wrong.isEmpty()) {
                    return wrong + " (run " + (run + 1) + " of " + placements.size() + ", " + placement + ")";
                }
            }
            return stand.written(scratch);
        } finally {
            memory.forEach(GuardedBuffer::close);
        }
    }

    private void fill(List<GuardedBuffer> read, List<LongWork.Input> inputs) {
        read.forEach(stand::poison);
        for (int i = 0; i < read.size(); i++) {
            stand.fill(read.get(i), inputs.get(i).source());
        }
    }

    /** Returns what is wrong first with outputs, or beside them. */
    private String difference(List<GuardedBuffer> written, List<LongWork.Output> outputs) {
        for (int i = 0; i < written.size(); i++) {
            String wrong =
                    stand.difference(written.get(i), outputs.get(i).expected().get());
            if (!wrong.isEmpty()) {
                return wrong;
            }
        }
        return beside(written);
    }

    /** Returns what was written first of inputs, or beside them. */
    private String written(List<GuardedBuffer> read, List<LongWork.Input> inputs) {
        for (int i = 0; i < read.size(); i++) {
            String wrong = stand.difference(read.get(i), inputs.get(i).source());
            if (!wrong.isEmpty()) {
                return wrong + ", though it is only to be read";
            }
        }
        return beside(read);
    }

    private String beside(List<GuardedBuffer> memory) {
        return memory.stream()
                .map(stand::written)
                .filter(wrong -> !wrong.isEmpty())
                .findFirst()
                .orElse("");
    }

    private void run(LongWork work, long length, List<GuardedBuffer> memory, int inputs) {
        List<BufferRange> ranges = memory.stream().map(GuardedBuffer::range).toList();
        int scratch = ranges.size() - 1;
        stand.execute(list -> work.record(
                list, length, ranges.subList(0, inputs), ranges.subList(inputs, scratch), ranges.get(scratch)));
    }
}
