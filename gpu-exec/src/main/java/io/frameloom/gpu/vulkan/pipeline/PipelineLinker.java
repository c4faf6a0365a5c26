package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.cache.disk.Digest;
import io.frameloom.gpu.device.DeviceGate;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.WorkerLevel;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * Links graphics pipelines from parts: fast for their first use, and anew with optimisation in the background. Any
 * thread.
 */
final class PipelineLinker {
    private final TaskGraph tasks;
    private final DeviceGate gate;
    private final PipelineParts parts;
    private final LongConsumer destruction;

    /**
     * @param tasks runs the optimisation, at level {@link WorkerLevel#BACKGROUND}
     * @param gate the gate of the device; nothing is linked in the background once it is closed
     * @param destruction destroys a native pipeline
     */
    PipelineLinker(TaskGraph tasks, DeviceGate gate, PipelineParts parts, LongConsumer destruction) {
        this.tasks = tasks;
        this.gate = gate;
        this.parts = parts;
        this.destruction = destruction;
    }

    /** The calls of the driver for one pipeline. */
    interface Calls {
        Set<PipelinePart> parts();

        Digest content(PipelinePart part);

        PipelineParts.MadePart make(PipelinePart part);

        /**
         * Links the parts.
         *
         * @param made the parts in the order of {@link PipelinePart}
         * @return a new native pipeline
         */
        long link(long[] made, boolean optimised);
    }

    /**
     * Links a pipeline fast, and then with optimisation in the background. If that fails, the task graph reports it, and
     * the fast form stays.
     *
     * @param end follows the destruction of the pipeline, or the failure to make it
     */
    LinkedPipeline link(String name, Calls calls, Runnable end) {
        PipelineParts.Taken taken;
        LinkedPipeline linked;
        try {
            taken = take(calls);
            linked = fast(calls, taken, end);
        } catch (RuntimeException | Error e) {
            end.run();
            throw e;
        }
        try {
            tasks.task(
                            "optimise pipeline '" + name + "'",
                            () -> gate.closing(() -> linked.optimise(() -> calls.link(taken.handles(), true))))
                    .on(WorkerLevel.BACKGROUND)
                    .fireAndForget();
        } catch (RuntimeException | Error e) {
            linked.free();
            throw e;
        }
        return linked;
    }

    private PipelineParts.Taken take(Calls calls) {
        List<PipelinePart> kinds = List.copyOf(calls.parts());
        PipelineParts.Taken taken =
                parts.take(kinds.stream().map(calls::content).toList());
        try {
            for (int i = 0; i < kinds.size(); i++) {
                PipelinePart kind = kinds.get(i);
                taken.make(i, () -> calls.make(kind));
            }
            return taken;
        } catch (RuntimeException | Error e) {
            taken.close();
            throw e;
        }
    }

    private LinkedPipeline fast(Calls calls, PipelineParts.Taken taken, Runnable end) {
        try {
            return new LinkedPipeline(calls.link(taken.handles(), false), destruction, () -> {
                taken.close();
                end.run();
            });
        } catch (RuntimeException | Error e) {
            taken.close();
            throw e;
        }
    }
}
