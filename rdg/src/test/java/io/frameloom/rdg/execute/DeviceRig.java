package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.ValidationMessage;
import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassOrder;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/** A task graph with a running RHI thread, a device that a hazard checker watches, and an executor. */
final class DeviceRig implements AutoCloseable {
    /** Name of the passes that use what they do not declare. */
    static final String UNTRACKED = "untracked";

    final TaskGraph tasks;
    final GpuDevice device;
    final FrameExecutor executor;
    private final HazardChecker checker = new HazardChecker();
    private final RenderGraphCompiler compiler;
    private int splits;

    DeviceRig(
            int workers,
            FrameExecutorOptions options,
            RdgOptions compile,
            boolean validation,
            Function<DeviceOptions, GpuDevice> open) {
        tasks = TaskGraph.builder().name("rig").workers(workers).build();
        tasks.start(NamedThread.RHI);
        device = open.apply(new DeviceOptions(tasks, "frame tests", validation, checker));
        executor = new FrameExecutor(device, tasks, options);
        compiler = new RenderGraphCompiler(compile);
    }

    FramePlan compile(RenderGraph graph) {
        FramePlan plan = compiler.compile(graph, QueueTopology.of(device), MemorySizer.of(device));
        splits += SplitFrames.splits(plan);
        return plan;
    }

    /** Declares a pass that has nothing to do with any other if barriers are split, so that one lies between halves. */
    void passBeside(RenderGraph graph, String name) {
        if (compiler.options().policy().splitBarriers()) {
            SplitFrames.passBeside(graph, name);
        }
    }

    /** Returns how many barriers of the plans compiled so far are split. */
    int splits() {
        return splits;
    }

    /** Begins a graph that runs in immediate mode if the options of the rig say so. */
    RenderGraph begin(String name) {
        return executor.beginGraph(name, compiler);
    }

    FramePlan compileUnordered(RenderGraph graph) {
        return new RenderGraphCompiler(compiler.options().withOrder(PassOrder.UNORDERED))
                .compile(graph, QueueTopology.of(device), MemorySizer.of(device));
    }

    /** Returns what the checker has found. */
    List<Hazard> hazards() {
        return checker.hazards();
    }

    void assertClean() {
        assertNoHazards();
        assertThat(device.validationMessages()).isEmpty();
    }

    /** As {@link #assertClean}, where frames fail, behind which queues wait for their own timelines. */
    void assertCleanBehindFailures() {
        assertCleanBut(LayerDefects::isOfALostSignal);
    }

    /** As {@link #assertClean}, where an image has bytes between two buffers. */
    void assertCleanAroundImages() {
        assertCleanBut(LayerDefects::isOfAnImageInBetween);
    }

    private void assertCleanBut(Predicate<ValidationMessage> overlooked) {
        assertNoHazards();
        assertThat(device.validationMessages()).filteredOn(overlooked.negate()).isEmpty();
    }

    private void assertNoHazards() {
        assertThat(checker.hazards()).isEmpty();
        assertThat(checker.undeclared())
                .filteredOn(use -> !use.secondPass().equals(UNTRACKED))
                .isEmpty();
    }

    /** Closes the executor, the device (which refuses to close over open resources) and the task graph. */
    @Override
    public void close() {
        executor.close();
        device.close();
        tasks.close();
    }
}
