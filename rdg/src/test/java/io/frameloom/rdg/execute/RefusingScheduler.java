package io.frameloom.rdg.execute;

import io.frameloom.taskgraph.OperatingSystemThreads;
import io.frameloom.taskgraph.SchedulingPoint;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The operating system's threads; the next task of a name that is asked for is refused when it is dispatched, or the
 * next event when it is made to wait for another one, or the task graph stops at a step of one.
 */
final class RefusingScheduler extends OperatingSystemThreads {
    private final AtomicReference<@Nullable Refusal> refused = new AtomicReference<>();

    private record Refusal(
            SchedulingPoint point, String name, @Nullable Thread asker, Runnable before) {}

    void refuse(String task) {
        refused.set(new Refusal(SchedulingPoint.DISPATCH, task, null, () -> {}));
    }

    /** Stops the task graph at the next step of a task or event, when {@code before} has run. */
    void stop(SchedulingPoint point, String name, Runnable before) {
        refused.set(new Refusal(point, name, null, () -> {
            before.run();
            throw new OutOfMemoryError("planted at " + point + " of " + name);
        }));
    }

    /** Refuses to make an event wait on another thread than this one, when {@code before} has run. */
    void refuseToHoldBack(String event, Runnable before) {
        refused.set(new Refusal(SchedulingPoint.REGISTER, event, Thread.currentThread(), before));
    }

    @Override
    public void reached(SchedulingPoint point, @Nullable String subject) {
        Refusal next = refused.get();
        if (next != null
                && point == next.point
                && next.name.equals(subject)
                && next.asker != Thread.currentThread()
                && refused.compareAndSet(next, null)) {
            next.before.run();
            throw new IllegalStateException("refused '" + next.name + "'");
        }
    }
}
