package io.frameloom.taskgraph.named;

import io.frameloom.taskgraph.ExecutionTarget;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.TaskGraphClosedException;
import io.frameloom.taskgraph.parts.Deadline;
import io.frameloom.taskgraph.parts.Fields;
import io.frameloom.taskgraph.parts.ThreadParker;
import io.frameloom.taskgraph.queue.NamedThreadQueue;
import io.frameloom.taskgraph.task.GraphCore;
import io.frameloom.taskgraph.task.Lane;
import io.frameloom.taskgraph.task.LaneItem;
import io.frameloom.taskgraph.task.Task;
import io.frameloom.taskgraph.worker.ThreadContext;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One named thread of a graph: its queues, the attached thread, and the consumer.
 *
 * <p>Any thread may enqueue and wake. The queues have one consumer at a time: the holder of the <em>consumer role</em>,
 * taken by compare-and-set. It is the attached thread while it pumps or waits, or the thread that fails the rest of the
 * queue after the graph was closed. The thread that gives the role back looks once more at a closed lane, and so does
 * every producer after its offer: no task is left.
 */
public final class NamedLane extends Lane {
    private static final int CHUNK = 256;

    private static final VarHandle CONSUMER =
            Fields.handle(MethodHandles.lookup(), NamedLane.class, "consumer", Thread.class);
    private static final VarHandle ATTACHED =
            Fields.handle(MethodHandles.lookup(), NamedLane.class, "attached", ThreadContext.class);

    public final NamedThread thread;
    final int ordinal;

    /** What a pump that is out of work waits for. */
    private final BooleanSupplier readyOrClosing = this::isReadyOrClosing;

    /**
     * One active call of {@code processUntilReturnRequested}. Its fields belong to the pumping thread; other threads
     * only hold the reference, as the address of a {@link ReturnRequest}.
     */
    private static final class Pump {
        final @Nullable Pump outer;
        boolean active = true;
        int returns;

        Pump(@Nullable Pump outer) {
            this.outer = outer;
        }
    }

    /**
     * A request that a pump return, queued after the work that the requester dispatched before.
     *
     * @param addressee the innermost pump that was active at the time of the request, or null if there was none
     */
    private record ReturnRequest(@Nullable Pump addressee) implements LaneItem {}

    private final GraphCore graph;
    private final NamedThreadQueue<LaneItem> queue;
    private volatile @Nullable Thread consumer;
    private volatile @Nullable ThreadContext attached;
    private volatile @Nullable Pump activePump;
    private volatile boolean closed;
    /** Requests that no pump was active for; belongs to the consumer. */
    private int unclaimedReturns;

    NamedLane(GraphCore graph, NamedThread thread, int ordinal) {
        this.graph = graph;
        this.thread = thread;
        this.ordinal = ordinal;
        this.queue = new NamedThreadQueue<>(CHUNK, graph.scheduler());
    }

    @Override
    public void enqueue(Task task) {
        graph.reached(SchedulingPoint.ENQUEUE, task.name());
        task.setQueued();
        queue.offer(task, task.target instanceof NamedThread.Local, task.isUrgentOnLane());
    }

    @Override
    public void enqueueAgain(Task task) {
        queue.offer(task, task.target instanceof NamedThread.Local, true);
        wake();
    }

    @Override
    public ExecutionTarget local() {
        return thread.local();
    }

    @Override
    public void wake() {
        // Begins with a full fence, so what is read from here on is read after the offer.
        queue.wakeConsumer();
        graph.inheritance().settle();
        graph.reached(SchedulingPoint.RECHECK, null);
        if (closed) {
            failRest();
        }
    }

    public void requestReturn() {
        graph.reached(SchedulingPoint.ATTACH, thread.name());
        queue.offer(new ReturnRequest(activePump), false, false);
        wake();
    }

    /**
     * The next task, claimed.
     *
     * @param stopAtReturn give up when the innermost pump has been asked to return
     * @return the task, or null if there is none
     */
    public @Nullable Task take(boolean localOnly, boolean stopAtReturn) {
        while (true) {
            graph.reached(SchedulingPoint.TAKE, thread.name());
            LaneItem item = queue.poll(localOnly);
            if (item == null) {
                if (queue.isEmpty(localOnly)) {
                    return null;
                }
                // A producer is in the middle of its offer; one that has died there has stopped the graph.
                graph.requireRunning();
                Thread.onSpinWait();
            } else if (item instanceof Task task) {
                graph.reached(SchedulingPoint.CLAIM, task.name());
                if (task.claim()) {
                    return task;
                }
            } else if (item instanceof ReturnRequest request) {
                deliver(request);
                Pump innermost = activePump;
                if (stopAtReturn && innermost != null && innermost.returns > 0) {
                    return null;
                }
            }
        }
    }

    /**
     * A request whose pump has returned belongs to the next outer one that has not; without such a pump it is for the
     * outermost call that is, or will be, active.
     */
    private void deliver(ReturnRequest request) {
        Pump pump = request.addressee();
        while (pump != null && !pump.active) {
            pump = pump.outer;
        }
        if (pump == null) {
            pump = outermost();
        }
        if (pump == null) {
            unclaimedReturns++;
        } else {
            pump.returns++;
        }
    }

    private @Nullable Pump outermost() {
        Pump pump = activePump;
        while (pump != null && pump.outer != null) {
            pump = pump.outer;
        }
        return pump;
    }

    private Pump enterPump() {
        Pump pump = new Pump(activePump);
        if (pump.outer == null && unclaimedReturns > 0) {
            unclaimedReturns--;
            pump.returns = 1;
        }
        activePump = pump;
        return pump;
    }

    /** Ends the innermost pump, by one of its requests if there are any; the others go to the next outer one. */
    private void exitPump(Pump pump) {
        int left = Math.max(0, pump.returns - 1);
        pump.active = false;
        activePump = pump.outer;
        if (pump.outer != null) {
            pump.outer.returns += left;
        } else {
            unclaimedReturns += left;
        }
    }

    /** Runs what is queued, on the attached thread. Returns how many tasks it ran. */
    public int processUntilIdle() {
        ThreadContext context = requireContext();
        boolean nested = isConsumer();
        if (!nested && !tryBecomeConsumer()) {
            return 0;
        }
        int executed = 0;
        for (Task task = take(false, false); task != null; task = take(false, false)) {
            context.execute(task);
            executed++;
            graph.requireRunning();
        }
        if (!nested) {
            endConsumer();
        }
        return executed;
    }

    /** Runs what is queued, on the attached thread, until a return is requested or the graph closes. */
    public void processUntilReturnRequested() {
        ThreadContext context = requireContext();
        boolean nested = isConsumer();
        if (!nested && !tryBecomeConsumer()) {
            return;
        }
        Pump pump = enterPump();
        while (true) {
            graph.requireRunning();
            if (pump.returns > 0) {
                break;
            }
            Task task = take(false, true);
            if (task != null) {
                context.execute(task);
            } else if (pump.returns == 0) {
                if (graph.isClosing()) {
                    break;
                }
                idle(context);
            }
        }
        exitPump(pump);
        if (!nested) {
            endConsumer();
        }
    }

    private void idle(ThreadContext context) {
        if (context.spinUntil(Deadline.NEVER, readyOrClosing)) {
            return;
        }
        context.parker.prepare();
        if (isEmpty(false) && !graph.isClosing()) {
            context.park();
            graph.wakeLatency().record(context.parker.lastWakeLatencyNanos());
        } else {
            context.parker.cancel();
        }
    }

    /** Takes the consumer role; re-entrant. Returns false if another thread empties the closed lane. */
    public boolean tryBecomeConsumer() {
        return CONSUMER.compareAndSet(this, (Thread) null, Thread.currentThread());
    }

    public boolean isConsumer() {
        return consumer == Thread.currentThread();
    }

    public void endConsumer() {
        graph.reached(SchedulingPoint.ATTACH, thread.name());
        consumer = null;
        graph.reached(SchedulingPoint.RECHECK, thread.name());
        if (closed) {
            failRest();
        }
    }

    public boolean isBeingConsumed() {
        return consumer != null;
    }

    /** From now on queued tasks fail unless the present consumer runs them. */
    public void close() {
        closed = true;
        graph.reached(SchedulingPoint.CLOSE, thread.name());
        failRest();
    }

    private void failRest() {
        while (!queue.isEmpty(false) && tryBecomeConsumer()) {
            for (Task task = take(false, false); task != null; task = take(false, false)) {
                TaskGraphClosedException refusal = graph.closedUnpumped(task.name(), thread);
                if (!task.dropIfReusable(refusal)) {
                    graph.completer().finish(task, refusal);
                }
            }
            consumer = null;
        }
    }

    public boolean isEmpty(boolean localOnly) {
        return queue.isEmpty(localOnly);
    }

    private boolean isReadyOrClosing() {
        return queue.hasReady(false) || graph.isClosing();
    }

    public int queued(boolean local) {
        return queue.size(local);
    }

    ThreadParker parker() {
        return queue.parker();
    }

    public @Nullable ThreadContext attached() {
        return attached;
    }

    /** The context of the attached thread, for that thread. */
    private ThreadContext requireContext() {
        return Objects.requireNonNull(attached, "nobody is attached");
    }

    boolean casAttached(@Nullable ThreadContext expected, @Nullable ThreadContext desired) {
        return ATTACHED.compareAndSet(this, expected, desired);
    }
}
