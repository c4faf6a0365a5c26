package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.cache.disk.Digest;
import io.frameloom.gpu.device.DeviceGate;
import io.frameloom.taskgraph.BlockingScope;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.WorkerLevel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Links graphics pipelines from parts: fast for their first use, and anew with optimisation in the background. Parts of
 * equal content are made once and live as long as a pipeline that has them. Any thread.
 */
final class PipelineLinker {
    private final TaskGraph tasks;
    private final DeviceGate gate;
    private final LongConsumer destruction;
    /** The parts in use; with the lock of the map. */
    private final Map<Digest, Part> parts = new HashMap<>();

    /**
     * @param tasks runs the optimisation, at level {@link WorkerLevel#BACKGROUND}
     * @param gate the gate of the device; nothing is linked in the background once it is closed
     * @param destruction destroys a native pipeline, also one that is a part
     */
    PipelineLinker(TaskGraph tasks, DeviceGate gate, LongConsumer destruction) {
        this.tasks = tasks;
        this.gate = gate;
        this.destruction = destruction;
    }

    /** The calls of the driver for one pipeline. */
    interface Calls {
        Set<PipelinePart> parts();

        Digest content(PipelinePart part);

        MadePart make(PipelinePart part);

        /**
         * Links the parts.
         *
         * @param made the parts in the order of {@link PipelinePart}
         * @return a new native pipeline
         */
        long link(long[] made, boolean optimised);
    }

    /**
     * A native part.
     *
     * @param handle its VkPipeline
     * @param end follows its destruction
     */
    record MadePart(long handle, Runnable end) {}

    /** A part, which the first pipeline that needs it makes, while others wait. */
    private static final class Part {
        private final Digest content;
        /** How many pipelines have it; with the lock of the map. */
        private int uses;

        private final ReentrantLock lock = new ReentrantLock();
        /** With the lock. */
        private @Nullable MadePart made;

        Part(Digest content) {
            this.content = content;
        }

        /** Leaves the place of a worker to others while another thread makes the part, which can take long. */
        long handle(TaskGraph tasks, Supplier<MadePart> maker) {
            if (!lock.tryLock()) {
                BlockingScope scope = tasks.beginBlocking("part of a pipeline made elsewhere");
                try {
                    lock.lock();
                } finally {
                    scope.close();
                }
            }
            try {
                MadePart ready = made;
                if (ready == null) {
                    ready = maker.get();
                    made = ready;
                }
                return ready.handle;
            } finally {
                lock.unlock();
            }
        }

        @Nullable
        MadePart made() {
            lock.lock();
            try {
                return made;
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Links a pipeline fast, and then with optimisation in the background. If that fails, the task graph reports it, and
     * the fast form stays.
     *
     * @param end follows the destruction of the pipeline, or the failure to make it
     */
    LinkedPipeline link(String name, Calls calls, Runnable end) {
        List<Part> taken = new ArrayList<>();
        long[] handles = new long[calls.parts().size()];
        LinkedPipeline linked;
        try {
            for (PipelinePart each : calls.parts()) {
                Part part = take(calls.content(each));
                taken.add(part);
                handles[taken.size() - 1] = part.handle(tasks, () -> calls.make(each));
            }
            linked = new LinkedPipeline(calls.link(handles, false), destruction, () -> {
                release(taken);
                end.run();
            });
        } catch (RuntimeException | Error e) {
            release(taken);
            end.run();
            throw e;
        }
        try {
            tasks.task(
                            "optimise pipeline '" + name + "'",
                            () -> gate.closing(() -> linked.optimise(() -> calls.link(handles, true))))
                    .on(WorkerLevel.BACKGROUND)
                    .fireAndForget();
        } catch (RuntimeException | Error e) {
            linked.free();
            throw e;
        }
        return linked;
    }

    /** Returns a part, with one use more. */
    private Part take(Digest content) {
        synchronized (parts) {
            Part part = parts.computeIfAbsent(content, Part::new);
            part.uses++;
            return part;
        }
    }

    private void release(List<Part> taken) {
        for (Part part : taken) {
            synchronized (parts) {
                part.uses--;
                if (part.uses > 0) {
                    continue;
                }
                parts.remove(part.content);
            }
            MadePart made = part.made();
            if (made != null) {
                destruction.accept(made.handle);
                made.end.run();
            }
        }
    }

    int parts() {
        synchronized (parts) {
            return parts.size();
        }
    }
}
