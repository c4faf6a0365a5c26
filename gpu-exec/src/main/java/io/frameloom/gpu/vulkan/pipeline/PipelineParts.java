package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.cache.disk.Digest;
import io.frameloom.taskgraph.BlockingScope;
import io.frameloom.taskgraph.TaskGraph;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Parts that pipelines are linked from. Those of equal content are made once and live as long as a pipeline that has
 * them. Any thread.
 */
final class PipelineParts {
    private final TaskGraph tasks;
    private final LongConsumer destruction;
    /** The parts in use; with its own lock. */
    private final Map<Digest, Part> parts = new HashMap<>();

    /**
     * @param destruction destroys a native part
     */
    PipelineParts(TaskGraph tasks, LongConsumer destruction) {
        this.tasks = tasks;
        this.destruction = destruction;
    }

    /**
     * A native part.
     *
     * @param handle its VkPipeline
     * @param end follows its destruction
     */
    record MadePart(long handle, Runnable end) {}

    /** A part, which the first pipeline that needs it makes, while others wait. */
    private final class Part {
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
        long handle(Supplier<MadePart> maker) {
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

    /** The parts of one pipeline; closing lets go of them. */
    final class Taken implements AutoCloseable {
        private final List<Part> taken;
        private final long[] handles;

        private Taken(List<Part> taken) {
            this.taken = taken;
            this.handles = new long[taken.size()];
        }

        /** Makes a part, unless there is one; other threads may make others meanwhile. */
        void make(int number, Supplier<MadePart> maker) {
            handles[number] = taken.get(number).handle(maker);
        }

        /** Returns the parts in their order, when all are made. Not to be changed. */
        long[] handles() {
            return handles;
        }

        @Override
        public void close() {
            taken.forEach(PipelineParts.this::release);
        }
    }

    /** Takes the parts of some contents. */
    Taken take(List<Digest> contents) {
        synchronized (parts) {
            List<Part> taken = contents.stream()
                    .map(content -> parts.computeIfAbsent(content, Part::new))
                    .toList();
            taken.forEach(part -> part.uses++);
            return new Taken(taken);
        }
    }

    private void release(Part part) {
        synchronized (parts) {
            part.uses--;
            if (part.uses > 0) {
                return;
            }
            parts.remove(part.content);
        }
        MadePart made = part.made();
        if (made != null) {
            destruction.accept(made.handle);
            made.end.run();
        }
    }

    /** Returns the number of parts in use. */
    int size() {
        synchronized (parts) {
            return parts.size();
        }
    }
}
