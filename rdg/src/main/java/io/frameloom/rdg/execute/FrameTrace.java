package io.frameloom.rdg.execute;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.internal.SilentTimeline;
import io.frameloom.gpu.resource.MemoryStatistics;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.bind.CompileTimes;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.trace.TraceRecorder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Shows frames in a trace: each from its declaration to its completion, what of it happens on the calling thread, its
 * scopes and passes on the device, and what is in flight and in memory meanwhile. All have the number of the frame.
 */
final class FrameTrace {
    private static final String ROW = "in flight";
    /** A device with many resources takes long to say what memory they have. */
    private static final long BETWEEN_LOOKS_AT_MEMORY = 100_000_000;

    private final TraceRecorder trace;
    private final GpuDevice gpu;
    /** What names of rows and markers end in: nothing, or the submit thread of a further executor. */
    private final String executor;

    private final String frames;
    private final String device;
    private long newestFrame = -1;
    /** Compilations that were shown, as long as their plans live: plans are executed in any order, and again. */
    private final Set<CompileTimes> shown = Collections.newSetFromMap(new WeakHashMap<>());

    private long memorySeen = System.nanoTime() - BETWEEN_LOOKS_AT_MEMORY;

    FrameTrace(TraceRecorder trace, GpuDevice gpu, NamedThread submitThread) {
        this.trace = trace;
        this.gpu = gpu;
        executor = submitThread.equals(NamedThread.RHI) ? "" : " of " + submitThread.name();
        frames = "Frames" + executor;
        device = "GPU" + executor;
    }

    /** The calling thread's task works for a frame. */
    void enter(long frame) {
        trace.frame(frame);
    }

    /**
     * A frame is about to be launched by the calling thread. RENDER thread.
     *
     * @return when it began
     */
    long begins(Frame frame, long startNanos) {
        CompileTimes times = compilation(frame);
        long begun = times == null ? startNanos : times.declaredNanos();
        if (frame.number() != newestFrame) {
            newestFrame = frame.number();
            trace.marker("frame " + newestFrame + executor, begun);
        }
        trace.frame(frame.number());
        return begun;
    }

    /** The times of the compilation that this is the first frame of, or null. */
    private @Nullable CompileTimes compilation(Frame frame) {
        CompileTimes times = frame.plan().compiled();
        return times == null || shown.contains(times) ? null : times;
    }

    /** A frame was launched. RENDER thread. */
    void launched(Frame frame, long startNanos, long transientBytes) {
        Map<String, ?> args = Map.of("frame", frame.number(), "graph", frame.planName());
        CompileTimes times = compilation(frame);
        if (times != null) {
            shown.add(times);
            boolean here = times.thread() == Thread.currentThread().getId();
            part("declare", times.declaredNanos(), times.beginNanos(), args, here);
            part("compile", times.beginNanos(), times.endNanos(), args, here);
        }
        long now = System.nanoTime();
        trace.span("execute", startNanos, now - startNanos, args);
        trace.counter(device, "transient memory", now, Map.of("bytes", transientBytes));
        if (now - memorySeen >= BETWEEN_LOOKS_AT_MEMORY) {
            memorySeen = now;
            countMemory(now);
        }
        countQueues(now);
    }

    private void part(String name, long from, long to, Map<String, ?> args, boolean here) {
        trace.span(frames, ROW, name, from, to - from, args);
        if (here) {
            trace.span(name, from, to - from, args);
        }
    }

    /** A frame has ended. Any thread. */
    void completed(Frame frame, long begunNanos, long startNanos) {
        long now = System.nanoTime();
        Exception failure = frame.failure();
        trace.span(frames, ROW, "execute", startNanos, now - startNanos, Map.of("frame", frame.number()));
        trace.span(
                frames,
                ROW,
                "frame " + frame.number(),
                begunNanos,
                now - begunNanos,
                failure == null
                        ? Map.of("frame", frame.number(), "graph", frame.planName())
                        : Map.of("frame", frame.number(), "graph", frame.planName(), "failure", failure.toString()));
        countQueues(now);
    }

    private void countMemory(long now) {
        long occupied = 0;
        long reserved = 0;
        try {
            for (MemoryStatistics.Heap heap : gpu.memoryStatistics().heaps()) {
                occupied += heap.occupied();
                reserved += heap.reserved();
            }
        } catch (RuntimeException lost) {
            // The frame is launched. What is wrong with the device is told by its events.
            return;
        }
        trace.counter(device, "memory", now, Map.of("occupied", occupied, "reserved", reserved));
    }

    private void countQueues(long now) {
        for (GpuQueue queue : gpu.queues()) {
            if (queue.timeline() instanceof SilentTimeline timeline) {
                long reached = timeline.reachedByDevice();
                long left = Math.max(0, queue.timeline().submitted() - reached);
                trace.counter(device, "work on " + queue.name(), now, Map.of("submissions", left));
            }
        }
    }

    /**
     * The device has done a frame.
     *
     * @param nanos two for each pass
     * @param submissions tasks that submitted its batches, empty if the calling thread did
     * @param done completes when the device has
     */
    void device(Frame frame, long[] nanos, List<GraphEvent> submissions, @Nullable GraphEvent done) {
        PlanRealisation realisation = frame.realisation();
        Map<String, OnQueue> queues = new LinkedHashMap<>();
        int batch = -1;
        for (int group = 0; group < realisation.groupCount(); group++) {
            if (realisation.isOnHost(group)) {
                continue;
            }
            PlanRealisation.GroupRealisation members = realisation.group(group);
            for (PassRealisation pass : members.passes()) {
                long start = nanos[2 * pass.plan().index()];
                long end = nanos[2 * pass.plan().index() + 1];
                if (start == Long.MIN_VALUE || end == Long.MIN_VALUE) {
                    continue;
                }
                boolean first = members.batch() != batch && members.batch() < submissions.size();
                batch = members.batch();
                queues.computeIfAbsent(members.queue().name(), queue -> new OnQueue(frame, queue, done))
                        .pass(pass.plan(), start, Math.max(start, end), first ? submissions.get(batch) : null);
            }
        }
        queues.values().forEach(OnQueue::end);
    }

    /** What a queue does of a frame. A scope is a span for each time that its passes follow each other. */
    private final class OnQueue {
        private final Frame frame;
        private final String queue;
        private final @Nullable GraphEvent done;
        private final List<Open> open = new ArrayList<>();
        private final Open whole;
        /** What has submitted the passes that follow, until one is shown that took time. */
        private @Nullable GraphEvent submission;

        /** A scope with passes in it, or the frame. */
        private static final class Open {
            private final int scope;
            private final String name;
            private long start = Long.MAX_VALUE;
            private long end = Long.MIN_VALUE;

            Open(int scope, String name) {
                this.scope = scope;
                this.name = name;
            }

            void add(long from, long to) {
                start = Math.min(start, from);
                end = Math.max(end, to);
            }
        }

        OnQueue(Frame frame, String queue, @Nullable GraphEvent done) {
            this.frame = frame;
            this.queue = queue;
            this.done = done;
            whole = new Open(-1, "frame " + frame.number());
        }

        void pass(FramePlan.PassPlan pass, long start, long end, @Nullable GraphEvent submittedBy) {
            enter(pass.scope());
            submission = submittedBy == null ? submission : submittedBy;
            whole.add(start, end);
            open.forEach(scope -> scope.add(start, end));
            span(pass.name(), start, end, end > start ? submission : null, null);
            submission = end > start ? null : submission;
        }

        /** Closes the scopes that a pass is not in, and opens those that it is in. */
        private void enter(int scope) {
            List<FramePlan.ScopePlan> scopes = frame.plan().scopes();
            List<FramePlan.ScopePlan> path = new ArrayList<>();
            for (int s = scope; s >= 0; s = scopes.get(s).parent()) {
                path.add(0, scopes.get(s));
            }
            int common = 0;
            while (common < Math.min(open.size(), path.size())
                    && open.get(common).scope == path.get(common).index()) {
                common++;
            }
            closeTo(common);
            for (int i = common; i < path.size(); i++) {
                open.add(new Open(path.get(i).index(), path.get(i).name()));
            }
        }

        private void closeTo(int depth) {
            while (open.size() > depth) {
                Open scope = open.remove(open.size() - 1);
                span(scope.name, scope.start, scope.end, null, null);
            }
        }

        void end() {
            closeTo(0);
            span(whole.name, whole.start, whole.end, submission, done);
        }

        private void span(
                String name, long start, long end, @Nullable GraphEvent after, @Nullable GraphEvent completes) {
            trace.span(device, queue, name, start, end - start, Map.of("frame", frame.number()), after, completes);
        }
    }
}
