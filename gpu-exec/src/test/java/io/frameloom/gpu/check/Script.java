package io.frameloom.gpu.check;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.DeviceEventSet;
import io.frameloom.gpu.command.ExternalPoint;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.present.SwapchainImage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Submissions written down line by line, judged as they are flushed. */
public final class Script {
    public final GpuQueue graphics = new Fakes.Queue("graphics", 0);
    public final GpuQueue compute = new Fakes.Queue("compute", 1);
    public final GpuQueue copy = new Fakes.Queue("copy", 2);
    public final HazardChecker checker;
    private final DeviceEventSet events = new Fakes.Events(2);
    private final long[] values = new long[3];
    private final List<SubmissionRecord.Command> commands = new ArrayList<>();
    private final List<Submission.Wait> waits = new ArrayList<>();
    private final List<Submission.Acquire> acquires = new ArrayList<>();
    private final List<SwapchainImage> presents = new ArrayList<>();
    private final List<ExternalPoint> externalWaits = new ArrayList<>();
    private final List<ExternalPoint> externalSignals = new ArrayList<>();
    private int signalStages = PipelineStage.ALL_COMMANDS.bit();

    public Script() {
        this(UnneededSync.Search.NONE);
    }

    public Script(UnneededSync.Search search) {
        checker = new HazardChecker(search);
    }

    public Script pass(String name, ResourceUse... uses) {
        commands.add(new SubmissionRecord.Pass(name, List.of(uses)));
        return this;
    }

    /** The rest of a pass, behind a barrier inside of it. */
    Script rest(String name, ResourceUse... uses) {
        commands.add(new SubmissionRecord.Pass(name, List.of(uses), true, List.of()));
        return this;
    }

    /** A pass with a command on something that it does not declare; of no pass if that is null. */
    Script undeclared(@Nullable String pass, Resource used) {
        if (pass != null) {
            pass(pass);
        }
        commands.add(new SubmissionRecord.Undeclared(pass, used));
        return this;
    }

    /** A pass that reads a buffer which it does not declare. */
    Script undeclaredRead(String pass, Buffer used, Access access) {
        pass(pass);
        ResourceUse.OfBuffer read =
                new ResourceUse.OfBuffer(used, 0, used.description().bytes(), access, false);
        commands.add(new SubmissionRecord.Undeclared(pass, used, null, read));
        return this;
    }

    public Script barrier(BarrierBatch.TextureBarrier... barriers) {
        commands.add(new SubmissionRecord.Barrier(new BarrierBatch(List.of(barriers), List.of(), List.of())));
        return this;
    }

    public Script barrier(BarrierBatch.BufferBarrier... barriers) {
        commands.add(new SubmissionRecord.Barrier(new BarrierBatch(List.of(), List.of(barriers), List.of())));
        return this;
    }

    public Script barrier(BarrierBatch.Scope scope) {
        commands.add(new SubmissionRecord.Barrier(
                new BarrierBatch(List.of(), List.of(), List.of(new BarrierBatch.GlobalBarrier(scope)))));
        return this;
    }

    Script barrier(BarrierBatch batch) {
        commands.add(new SubmissionRecord.Barrier(batch));
        return this;
    }

    /** The first half of a split barrier. */
    Script set(int event, BarrierBatch batch) {
        commands.add(new SubmissionRecord.SetEvent(events, event, batch));
        return this;
    }

    /** The second half of a split barrier. */
    Script await(int event, BarrierBatch batch) {
        commands.add(new SubmissionRecord.WaitEvent(events, event, batch));
        return this;
    }

    /** Takes all events of split barriers back. */
    void takeBack() {
        checker.takenBack(events);
    }

    public Script full() {
        return barrier(BarrierBatch.GlobalBarrier.FULL.scope());
    }

    public Script waitFor(TimelinePoint point) {
        return waitFor(point, PipelineStage.ALL_COMMANDS.bit());
    }

    Script waitFor(TimelinePoint point, int stages) {
        waits.add(new Submission.Wait(point, stages));
        return this;
    }

    public Script waitFor(ExternalPoint point) {
        externalWaits.add(point);
        return this;
    }

    public Script signal(ExternalPoint point) {
        externalSignals.add(point);
        return this;
    }

    /** Waits for the acquisition of an image. */
    Script acquire(SwapchainImage image, int stages) {
        acquires.add(new Submission.Acquire(image, stages));
        return this;
    }

    /** Hands an image to presentation at the end. */
    Script present(SwapchainImage image) {
        presents.add(image);
        return this;
    }

    /** Reaches the point of the next submission after some stages, and another one after everything. */
    Script signalling(int stages) {
        signalStages = stages;
        return this;
    }

    public TimelinePoint submit(GpuQueue queue) {
        boolean early = (signalStages & PipelineStage.ALL_COMMANDS.bit()) == 0;
        long value = ++values[queue.index()];
        values[queue.index()] += early ? 1 : 0;
        checker.submitted(new SubmissionRecord(
                queue,
                "s" + value,
                List.copyOf(waits),
                value,
                List.copyOf(commands),
                signalStages,
                List.copyOf(acquires),
                List.copyOf(presents),
                List.copyOf(externalWaits),
                List.copyOf(externalSignals)));
        commands.clear();
        waits.clear();
        acquires.clear();
        presents.clear();
        externalWaits.clear();
        externalSignals.clear();
        signalStages = PipelineStage.ALL_COMMANDS.bit();
        return new TimelinePoint(queue, value);
    }

    /** The dependency from one access to another. */
    public static BarrierBatch.Scope scope(Access from, Access to) {
        return new BarrierBatch.Scope(
                from.stages(),
                io.frameloom.gpu.command.MemoryAccess.writesOf(from.memoryAccess()),
                to.stages(),
                to.memoryAccess());
    }

    static BarrierBatch.Scope fromNothing(Access to) {
        return new BarrierBatch.Scope(0, 0, to.stages(), to.memoryAccess());
    }

    public static BarrierBatch.TextureBarrier move(
            Texture texture, BarrierBatch.Scope scope, TextureLayout from, TextureLayout to) {
        return move(texture, scope, from, to, null);
    }

    static BarrierBatch.TextureBarrier move(
            Texture texture,
            BarrierBatch.Scope scope,
            TextureLayout from,
            TextureLayout to,
            BarrierBatch.@Nullable OwnershipTransfer transfer) {
        return new BarrierBatch.TextureBarrier(
                texture, SubresourceRange.all(texture.description()), scope, from, to, transfer);
    }

    public static BarrierBatch.BufferBarrier on(Buffer buffer, BarrierBatch.Scope scope) {
        return new BarrierBatch.BufferBarrier(buffer, 0, buffer.description().bytes(), scope, null);
    }
}
