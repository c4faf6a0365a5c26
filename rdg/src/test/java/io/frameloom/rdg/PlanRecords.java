package io.frameloom.rdg;

import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.DeviceEventSet;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.GpuTimeline;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Shows a plan to the hazard checker as it would be submitted, with resources in place of its own. */
final class PlanRecords {
    private final FramePlan plan;
    private final List<? extends Resource> resources;
    private final List<Queue> queues = new ArrayList<>();
    private final Map<Integer, Object> groups = new HashMap<>();
    private final DeviceEventSet events = new Events("events", Integer.MAX_VALUE);

    private PlanRecords(FramePlan plan, List<? extends Resource> resources) {
        this.plan = plan;
        this.resources = resources;
        for (QueueTopology.Queue queue : plan.queues().queues()) {
            queues.add(new Queue(queue.name(), queues.size(), queue.kind(), queue.family()));
        }
    }

    /** Events that nobody sets. */
    private record Events(String name, int count) implements DeviceEventSet {
        @Override
        public void reset() {
            throw new UnsupportedOperationException("no device");
        }

        @Override
        public void close() {
            throw new UnsupportedOperationException("no device");
        }
    }

    /** A queue that nothing is submitted to. */
    private record Queue(String name, int index, QueueKind kind, int family) implements GpuQueue {
        @Override
        public GpuTimeline timeline() {
            throw new UnsupportedOperationException("no device");
        }

        @Override
        public TimelinePoint submit(Submission submission) {
            throw new UnsupportedOperationException("no device");
        }
    }

    /** Returns what is wrong with a plan. */
    static List<Hazard> hazards(FramePlan plan, List<? extends Resource> resources) {
        return new PlanRecords(plan, resources).judge();
    }

    private List<Hazard> judge() {
        HazardChecker checker = new HazardChecker();
        long[] values = new long[queues.size()];
        List<TimelinePoint> points = new ArrayList<>();
        for (FramePlan.Batch batch : plan.batches()) {
            Queue queue = queues.get(batch.queue());
            List<Submission.Wait> waits = batch.waits().stream()
                    .map(wait -> new Submission.Wait(points.get(wait.batch()), PipelineStage.ALL_COMMANDS.bit()))
                    .toList();
            List<SubmissionRecord.Command> commands = new ArrayList<>();
            for (int index : batch.passes()) {
                FramePlan.PassPlan pass = plan.passes().get(index);
                barriers(
                        commands,
                        pass.before().stream()
                                .filter(barrier -> !barrier.isSplit())
                                .toList());
                awaited(commands, pass);
                commands.add(new SubmissionRecord.Pass(
                        pass.name(), pass.uses().stream().map(this::use).toList()));
                begun(commands, index);
                barriers(commands, pass.after());
            }
            long value = ++values[batch.queue()];
            points.add(new TimelinePoint(queue, value));
            checker.submitted(new SubmissionRecord(
                    queue,
                    "batch " + batch.index(),
                    waits,
                    value,
                    commands,
                    PipelineStage.ALL_COMMANDS.bit(),
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of()));
        }
        return checker.hazards();
    }

    private ResourceUse use(FramePlan.UsePlan use) {
        Object group =
                use.overlapGroup() < 0 ? null : groups.computeIfAbsent(use.overlapGroup(), number -> new Object());
        return resources.get(use.resource()) instanceof Texture texture
                ? new ResourceUse.OfTexture(
                        texture, Objects.requireNonNull(use.range()), use.access(), use.discard(), use.layout(), group)
                : new ResourceUse.OfBuffer(
                        (Buffer) resources.get(use.resource()),
                        use.offset(),
                        use.bytes(),
                        use.access(),
                        use.discard(),
                        group);
    }

    /** The second halves of split barriers, each with an event of its own: {@code 64} times the pass and the place there. */
    private void awaited(List<SubmissionRecord.Command> commands, FramePlan.PassPlan pass) {
        for (int i = 0; i < pass.before().size(); i++) {
            PlanBarrier barrier = pass.before().get(i);
            if (barrier.isSplit()) {
                commands.add(new SubmissionRecord.WaitEvent(events, 64 * pass.index() + i, batch(List.of(barrier))));
            }
        }
    }

    private void begun(List<SubmissionRecord.Command> commands, int begin) {
        for (FramePlan.PassPlan pass : plan.passes()) {
            for (int i = 0; i < pass.before().size(); i++) {
                PlanBarrier barrier = pass.before().get(i);
                BarrierSplit split = barrier.split();
                if (split != null && split.begin() == begin) {
                    commands.add(new SubmissionRecord.SetEvent(events, 64 * pass.index() + i, batch(List.of(barrier))));
                }
            }
        }
    }

    private void barriers(List<SubmissionRecord.Command> commands, List<PlanBarrier> barriers) {
        commands.add(new SubmissionRecord.Barrier(batch(barriers)));
    }

    private BarrierBatch batch(List<PlanBarrier> barriers) {
        List<BarrierBatch.TextureBarrier> textures = new ArrayList<>();
        List<BarrierBatch.BufferBarrier> buffers = new ArrayList<>();
        for (PlanBarrier barrier : barriers) {
            if (resources.get(barrier.resource()) instanceof Texture texture) {
                textures.add(new BarrierBatch.TextureBarrier(
                        texture,
                        Objects.requireNonNull(barrier.range()),
                        barrier.scope(),
                        barrier.oldLayout(),
                        barrier.newLayout(),
                        barrier.ownership()));
            } else {
                buffers.add(new BarrierBatch.BufferBarrier(
                        (Buffer) resources.get(barrier.resource()),
                        barrier.offset(),
                        barrier.bytes(),
                        barrier.scope(),
                        barrier.ownership()));
            }
        }
        return new BarrierBatch(textures, buffers, List.of());
    }
}
