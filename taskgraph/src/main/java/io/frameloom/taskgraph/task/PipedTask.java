package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.Pipe;
import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.TaskBody;
import io.frameloom.taskgraph.parts.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One task of a {@link Pipe} and its place in the queue, of which the pipe keeps the tail.
 *
 * <p><b>Algorithm.</b> The queue of the MCS lock (Mellor-Crummey, Scott: "Algorithms for scalable
 * synchronization on shared-memory multiprocessors") with continuations in place of spinning threads.
 *
 * <pre>
 *   tail: null (idle) | last task          task.next: null | following task | ENDED
 * </pre>
 *
 * <p>A launcher exchanges {@code tail}; finding null it starts its task, otherwise it links itself to the task before.
 * A task that ends looks for its follower; without one it takes itself off the tail. If that fails, because a launcher
 * has exchanged the tail and is about to link, it leaves ENDED in {@code next}. Whichever of the two updates {@code
 * next} second starts the follower: it is started once. <b>Linearization.</b> A launch at its exchange of {@code tail};
 * a hand-over at the second compare-and-set of {@code next}; becoming idle at the compare-and-set of {@code tail}.
 * <b>Memory order.</b> All are volatile read-modify-writes, so what an ending task wrote is visible to the thread that
 * starts the next. <b>Progress.</b> Every operation is wait-free.
 */
public final class PipedTask extends Admission {
    private static final Object ENDED = new Object();

    private static final VarHandle NEXT = Fields.handle(MethodHandles.lookup(), PipedTask.class, "next", Object.class);

    private final AtomicReference<@Nullable PipedTask> tail;

    private volatile @Nullable Object next;

    /** For those who wait; cleared when the turn has come, or the pipe's whole past would stay reachable. */
    private volatile @Nullable PipedTask before;

    /**
     * A task that is not launched.
     *
     * @param tail the task of the pipe that was launched last, or null if the pipe is idle
     */
    public PipedTask(GraphCore graph, AtomicReference<@Nullable PipedTask> tail, TaskBody body) {
        super(graph);
        this.tail = tail;
        setWork(body);
    }

    @Override
    void enter(CoreEvent[] events, boolean held, Completer completer) {
        PipedTask last = tail.getAndSet(this);
        if (last == null) {
            admit(completer);
            return;
        }
        before = last;
        reached(SchedulingPoint.ENQUEUE);
        if (!casNext(last, this)) {
            start(completer);
        }
    }

    private void start(Completer completer) {
        before = null;
        admit(completer);
    }

    @Override
    void ended(Completer completer) {
        Object follower = next;
        if (follower == null) {
            if (tail.compareAndSet(this, null)) {
                return;
            }
            reached(SchedulingPoint.TAKE);
            if (casNext(this, ENDED)) {
                return;
            }
            follower = next;
        }
        if (follower instanceof PipedTask task) {
            task.start(completer);
        }
    }

    @Override
    public CoreEvent[] needs() {
        PipedTask ahead = before;
        return ahead == null ? CoreEvent.NO_EVENTS : new CoreEvent[] {ahead.task()};
    }

    /** It stands in the list of its own task. */
    @Override
    public @Nullable CoreEvent dependent() {
        return next instanceof PipedTask follower ? follower.task() : null;
    }

    private static boolean casNext(PipedTask task, Object desired) {
        return NEXT.compareAndSet(task, (Object) null, desired);
    }
}
