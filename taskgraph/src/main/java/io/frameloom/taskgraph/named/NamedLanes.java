package io.frameloom.taskgraph.named;

import io.frameloom.taskgraph.ExecutionTarget;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.task.FailStop;
import io.frameloom.taskgraph.task.GraphCore;
import io.frameloom.taskgraph.task.TaskThread;
import io.frameloom.taskgraph.worker.Broadcasts;
import io.frameloom.taskgraph.worker.ThreadContext;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The named threads of one graph, and which thread is attached to which. Any thread may call any method. */
public final class NamedLanes {
    private final GraphCore graph;
    private final Broadcasts broadcasts;
    private final Map<NamedThread, NamedLane> lanes = new ConcurrentHashMap<>();
    private final AtomicInteger made = new AtomicInteger();

    /** Per instance: a thread can be attached to one named thread of each of several graphs. */
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<@Nullable ThreadContext> attachedContext = new ThreadLocal<>();

    public NamedLanes(GraphCore graph, Broadcasts broadcasts) {
        this.graph = graph;
        this.broadcasts = broadcasts;
    }

    /** The lane of a named thread, made at its first use. */
    public NamedLane of(NamedThread thread) {
        NamedLane known = lanes.get(thread);
        if (known != null) {
            return known;
        }
        try {
            return make(thread);
        } catch (Error e) {
            graph.error = e;
            throw graph.stopped(e);
        }
    }

    private NamedLane make(NamedThread thread) {
        NamedLane lane = lanes.computeIfAbsent(
                thread, t -> new NamedLane(graph, t, graph.slotCount() - 1 + made.getAndIncrement()));
        graph.reached(SchedulingPoint.CLOSE, thread.name());
        if (graph.isClosing() && lane.attached() == null) {
            // The closing thread may have gone through the lanes before this one was among them.
            lane.close();
        }
        return lane;
    }

    /** The lane of a target; null for workers. */
    public @Nullable NamedLane of(ExecutionTarget target) {
        if (target instanceof NamedThread thread) {
            return of(thread);
        }
        return target instanceof NamedThread.Local local ? of(local.thread()) : null;
    }

    public Collection<NamedLane> all() {
        return lanes.values();
    }

    /** The context of the calling thread if it is attached to a named thread. */
    public @Nullable ThreadContext current() {
        return attachedContext.get();
    }

    public void attach(NamedThread thread) {
        graph.reached(SchedulingPoint.ATTACH, thread.name());
        if (Thread.currentThread() instanceof TaskThread) {
            throw new IllegalStateException("a worker cannot become named thread " + thread);
        }
        graph.requireOpen("named thread", thread.name());
        ThreadContext present = current();
        if (present != null && present.lane != null) {
            throw new IllegalStateException("thread " + Thread.currentThread().getName() + " cannot attach to " + thread
                    + ": it is attached to " + ((NamedLane) present.lane).thread + "; detach it first");
        }
        NamedLane lane = of(thread);
        ThreadContext context = newContext(Thread.currentThread(), lane);
        reserve(lane, context);
        enter(context);
    }

    public void detach(NamedThread thread) {
        NamedLane lane = requireAttached(thread, "detach");
        ThreadContext context = current();
        if (lane.isConsumer() || (context != null && context.insideTask())) {
            throw new IllegalStateException(
                    "thread " + thread + " cannot detach from inside its own pump or task; let them return first");
        }
        if (context != null) {
            leave(context, lane);
        }
    }

    public Thread start(NamedThread thread) {
        if (thread.equals(NamedThread.GAME)) {
            throw new IllegalArgumentException(
                    "GAME is the application's own thread and is never started by the library; call attach(GAME) on it");
        }
        graph.requireOpen("named thread", thread.name());
        NamedLane lane = of(thread);
        NamedPumpThread started = new NamedPumpThread(graph, this, lane);
        ThreadContext context = newContext(started, lane);
        reserve(lane, context);
        started.setContext(context);
        if (!graph.threadStarts(started)) {
            lane.casAttached(context, null);
            broadcasts.neverAttached(context, thread);
            throw graph.closed(thread.name());
        }
        graph.startThread(started);
        return started;
    }

    /** The lane of the named thread, if the calling thread is attached to it. */
    public NamedLane requireAttached(NamedThread thread, String method) {
        ThreadContext context = current();
        if (context == null || context.lane == null || !((NamedLane) context.lane).thread.equals(thread)) {
            throw new IllegalStateException(method + "(" + thread + ") was called by thread "
                    + Thread.currentThread().getName() + ", which is not attached to " + thread
                    + "; call attach first");
        }
        return (NamedLane) context.lane;
    }

    private ThreadContext newContext(Thread thread, NamedLane lane) {
        return new ThreadContext(graph, thread, lane, lane.ordinal, lane.parker());
    }

    private static void reserve(NamedLane lane, ThreadContext context) {
        if (!lane.casAttached(null, context)) {
            ThreadContext other = lane.attached();
            throw new IllegalStateException("named thread " + lane.thread + " is taken by thread "
                    + (other == null ? "that just detached" : other.thread.getName())
                    + "; only one thread can be attached at a time");
        }
    }

    void enter(ThreadContext context) {
        attachedContext.set(context);
        graph.runnable().getAndAdd(1);
    }

    /** Ends {@link #enter} on the same thread. */
    void leave(ThreadContext context, NamedLane lane) {
        broadcasts.detaching(context);
        graph.runnable().getAndAdd(-1);
        attachedContext.remove();
        graph.reached(SchedulingPoint.ATTACH, lane.thread.name());
        lane.casAttached(context, null);
    }

    /** The contexts of the threads that are attached now. */
    public List<ThreadContext> attached() {
        List<ThreadContext> contexts = new ArrayList<>();
        for (NamedLane lane : lanes.values()) {
            ThreadContext context = lane.attached();
            if (context != null) {
                contexts.add(context);
            }
        }
        return contexts;
    }

    /** Lets parked pumps see that the graph is closing. */
    public void wakeAll() {
        for (NamedLane lane : lanes.values()) {
            lane.wake();
        }
    }

    /** Lets every attached thread go on where it parks, see {@link FailStop}. */
    public void releaseAll() {
        for (NamedLane lane : lanes.values()) {
            lane.parker().release();
        }
    }

    /** Closes the lanes that no thread pumps, except the caller's own. */
    public void closeIdle(@Nullable NamedLane own) {
        for (NamedLane lane : lanes.values()) {
            ThreadContext context = lane.attached();
            if (lane != own && !(context != null && context.thread instanceof NamedPumpThread)) {
                lane.close();
            }
        }
    }

    public void closeAll() {
        for (NamedLane lane : lanes.values()) {
            lane.close();
        }
    }
}
