package io.frameloom.gpu.present;

import java.util.concurrent.locks.LockSupport;

/** The time of a {@link FrameLimiter} and its ways to wait; tests have others than the system's. */
interface PacingClock {
    /** The clock and the waits of the operating system. */
    PacingClock SYSTEM = new PacingClock() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public void park(Object blocker, long nanos) {
            LockSupport.parkNanos(blocker, nanos);
        }

        @Override
        public void spin() {
            Thread.onSpinWait();
        }

        @Override
        public void unpark(Thread thread) {
            LockSupport.unpark(thread);
        }
    };

    long nanoTime();

    /** Blocks for a time, often longer; less if the thread has its permit, is interrupted, or for no reason. */
    void park(Object blocker, long nanos);

    /** Lets a moment pass, without blocking. */
    void spin();

    void unpark(Thread thread);
}
