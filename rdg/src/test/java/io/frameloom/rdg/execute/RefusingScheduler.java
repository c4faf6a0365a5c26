package io.frameloom.rdg.execute;

import io.frameloom.taskgraph.OperatingSystemThreads;
import io.frameloom.taskgraph.SchedulingPoint;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The operating system's threads; the next task of a name that is asked for finds no memory when it is dispatched. */
final class RefusingScheduler extends OperatingSystemThreads {
    private final AtomicReference<@Nullable String> refused = new AtomicReference<>();

    void refuse(String task) {
        refused.set(task);
    }

    @Override
    public void reached(SchedulingPoint point, @Nullable String subject) {
        String name = refused.get();
        if (point == SchedulingPoint.DISPATCH && name != null && name.equals(subject)) {
            refused.set(null);
            throw new OutOfMemoryError("no memory for '" + name + "'");
        }
    }
}
