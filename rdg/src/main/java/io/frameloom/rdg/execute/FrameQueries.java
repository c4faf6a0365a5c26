package io.frameloom.rdg.execute;

import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.QuerySet;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.declare.Counting;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The query sets of the frame of one slot: one for each {@link Counting} of a pass that is not culled. They are in the
 * order of the plan, and reset by the host before anything is recorded. Each pass copies the results at its end, in the list that
 * counts. So nothing is to be ordered but the copy, a write of the buffer that the plan knows.
 */
final class FrameQueries {
    private final GpuDevice device;
    private final List<QuerySet> sets = new ArrayList<>(0);
    /** By pass the first of its sets. */
    private int[] first = {};

    FrameQueries(GpuDevice device) {
        this.device = device;
    }

    /**
     * Makes the sets of a plan ready. RENDER thread, when the former frame has completed.
     *
     * @throws RdgException if the device cannot count what a pass is to count
     */
    void place(CompiledPlan plan) {
        if (!plan.hasCountings()) {
            return;
        }
        List<FramePlan.PassPlan> passes = plan.passes();
        if (first.length < passes.size()) {
            first = new int[passes.size()];
        }
        int next = 0;
        for (int pass = 0; pass < passes.size(); pass++) {
            first[pass] = next;
            List<Counting> countings = passes.get(pass).culled() ? List.of() : plan.countings(pass);
            for (int i = 0; i < countings.size(); i++) {
                place(next++, plan, passes.get(pass).name(), countings.get(i));
            }
        }
    }

    private void place(int at, CompiledPlan plan, String pass, Counting counting) {
        QuerySet former = at < sets.size() ? sets.get(at) : null;
        if (former != null && former.kind() == counting.kind() && former.count() == counting.count()) {
            former.reset();
            return;
        }
        DeviceCapabilities capabilities = device.capabilities();
        if (!capabilities.limits().drawing().queries().contains(counting.kind())) {
            throw new RdgException("pass '" + pass + "' of plan '" + plan.name() + "' counts " + counting.kind()
                    + ", which device '" + capabilities.name() + "' cannot; it counts "
                    + capabilities.limits().drawing().queries() + " (DeviceLimits.Drawing.queries)");
        }
        QuerySet made = device.createQuerySet(pass + " " + counting.name(), counting.kind(), counting.count());
        if (former == null) {
            sets.add(made);
        } else {
            sets.set(at, made);
            former.close();
        }
    }

    /** Returns the set of one of the countings of a pass that is recorded. Any thread. */
    QuerySet set(int pass, int counting) {
        return sets.get(first[pass] + counting);
    }

    /** Copies what a pass has counted, in the pass of the list that counts it, outside of render passes. */
    void copy(CommandList list, Frame frame, int pass) {
        List<Counting> countings = frame.plan().countings(pass);
        for (int i = 0; i < countings.size(); i++) {
            Counting counting = countings.get(i);
            list.copyQueries(set(pass, i), 0, counting.count(), buffer(frame, counting), counting.offset());
        }
    }

    /** Writes zeros for a pass that is left out, in a pass of the list for itself. */
    void clear(CommandList list, Frame frame, PassRealisation pass) {
        List<Counting> countings = frame.plan().countings(pass.plan().index());
        if (countings.isEmpty()) {
            return;
        }
        List<ResourceUse> uses = new ArrayList<>(pass.uses());
        uses.removeIf(use -> countings.stream().noneMatch(counting -> isOf(use, buffer(frame, counting), counting)));
        list.beginPass(pass.plan().name() + " left out", uses);
        for (int i = 0; i < countings.size(); i++) {
            Counting counting = countings.get(i);
            list.fillBuffer(buffer(frame, counting), counting.offset(), counting.bytes(), 0);
        }
        list.endPass();
    }

    private static boolean isOf(ResourceUse use, Buffer buffer, Counting counting) {
        return use instanceof ResourceUse.OfBuffer bytes
                && bytes.resource() == buffer
                && bytes.offset() >= counting.offset()
                && bytes.offset() < counting.offset() + counting.bytes();
    }

    private static Buffer buffer(Frame frame, Counting counting) {
        return (Buffer) Objects.requireNonNull(frame.resource(counting.resource()));
    }

    void close() {
        sets.forEach(QuerySet::close);
        sets.clear();
    }
}
