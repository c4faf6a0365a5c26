package io.frameloom.benchmarks.pool;

import io.frameloom.benchmarks.dag.NodeBody;
import io.frameloom.benchmarks.driver.Threads;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The floor of every wake-up: one thread, one volatile slot, {@link LockSupport#unpark}. Holds one task at a time. */
public final class ParkUnparkThread implements Pool {
    private static final NodeBody STOP = () -> {};

    private final Thread thread = new Thread(this::work, "park-unpark");
    private volatile @Nullable NodeBody slot;

    /** Starts the thread. */
    public ParkUnparkThread() {
        thread.start();
    }

    @Override
    public String name() {
        return "park-unpark";
    }

    private void work() {
        while (true) {
            NodeBody task = slot;
            if (task == STOP) {
                return;
            }
            if (task == null) {
                LockSupport.park(this);
            } else {
                slot = null;
                task.run();
            }
        }
    }

    /** The task submitted before must have begun. */
    @Override
    public void submit(NodeBody task) {
        slot = task;
        LockSupport.unpark(thread);
    }

    @Override
    public void close() {
        submit(STOP);
        Threads.join(thread);
    }
}
