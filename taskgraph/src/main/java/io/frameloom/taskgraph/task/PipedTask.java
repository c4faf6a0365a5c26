package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.Pipe;
import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.TaskBody;
import io.frameloom.taskgraph.parts.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One task of a {@link Pipe} and its place in the queue; {@link PipeTail} describes the algorithm. */
public final class PipedTask extends Admission {
    private static final Object ENDED = new Object();

    private static final VarHandle NEXT = Fields.handle(MethodHandles.lookup(), PipedTask.class, "next", Object.class);

    private final PipeTail pipe;
    private @Nullable TaskBody body;

    private volatile @Nullable Object next;

    /** For those who wait; cleared when the turn has come, or the pipe's whole past would stay reachable. */
    private volatile @Nullable PipedTask before;

    public PipedTask(GraphCore graph, PipeTail pipe, TaskBody body) {
        super(graph);
        this.pipe = pipe;
        this.body = body;
    }

    @Override
    public void cancelledBy(BoundTokens tokens, Task own) {
        body = tokens.before(own, Objects.requireNonNull(body, "the task is not launched"));
    }

    @Override
    void enter(CoreEvent[] events, boolean held, Completer completer) {
        PipedTask last = pipe.exchange(this);
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
    void runBody() throws Exception {
        TaskBody work = Objects.requireNonNull(body, "a body runs once");
        body = null;
        work.run();
    }

    @Override
    void ended(Completer completer) {
        body = null;
        Object follower = next;
        if (follower == null) {
            if (pipe.tryBecomeIdle(this)) {
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
