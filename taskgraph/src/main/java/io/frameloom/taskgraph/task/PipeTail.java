package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.Pipe;
import io.frameloom.taskgraph.parts.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The end of the queue of a {@link Pipe}.
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
public final class PipeTail {
    private static final VarHandle TAIL =
            Fields.handle(MethodHandles.lookup(), PipeTail.class, "tail", PipedTask.class);

    private volatile @Nullable PipedTask tail;

    /** The task that was launched last, or null if the pipe is idle. */
    public @Nullable PipedTask last() {
        return tail;
    }

    @Nullable
    PipedTask exchange(PipedTask last) {
        return (PipedTask) TAIL.getAndSet(this, last);
    }

    /** Makes the pipe idle if the given task is still the last. */
    boolean tryBecomeIdle(PipedTask last) {
        return TAIL.compareAndSet(this, last, (PipedTask) null);
    }
}
