package io.frameloom.stress;

import io.frameloom.taskgraph.parts.EventCount;
import io.frameloom.taskgraph.parts.ThreadParker;
import io.frameloom.taskgraph.queue.InjectionQueue;
import io.frameloom.taskgraph.queue.NamedThreadQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The sleep protocols, written as a counter of puts and takes whose consumer sleeps while a put that has
 * begun is not there yet. A lost wake-up is a deadlock, which the model checker reports with its trace.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SleepProtocolLincheckTest {
    private static final Integer ITEM = 1;

    /** A worker on the eventcount and the injection queue. */
    public static class Worker {
        private final EventCount eventCount = new EventCount(1, (1L << 34) - 1, null);
        private final InjectionQueue<Integer> queue = new InjectionQueue<>(4);
        private final AtomicInteger begun = new AtomicInteger();
        private int taken;

        /** Pushes and notifies. */
        @Operation
        public void put() {
            begun.incrementAndGet();
            queue.offer(ITEM);
            eventCount.notifyOne();
        }

        /** Takes one of those begun, sleeping until it is there; false if there is none. */
        @Operation(nonParallelGroup = "consumer")
        public boolean take() {
            if (taken == begun.get()) {
                return false;
            }
            taken++;
            while (queue.poll() == null) {
                eventCount.prepareWait();
                if (queue.isEmpty()) {
                    eventCount.commitWait(0, () -> false, ThreadParker::park);
                } else {
                    eventCount.cancelWait();
                }
            }
            return true;
        }
    }

    /** A named thread on its queues and their parker. */
    public static class Named {
        private final NamedThreadQueue<Integer> queues = new NamedThreadQueue<>(2, null);
        private final AtomicInteger begun = new AtomicInteger();
        private int taken;

        /** Pushes to the high local queue and wakes. */
        @Operation
        public void putHigh() {
            begun.incrementAndGet();
            queues.offer(ITEM, true, true);
            queues.wakeConsumer();
        }

        /** Pushes to the normal main queue and wakes. */
        @Operation
        public void putNormal() {
            begun.incrementAndGet();
            queues.offer(ITEM, false, false);
            queues.wakeConsumer();
        }

        /** Takes one of those begun, sleeping until it is there; false if there is none. */
        @Operation(nonParallelGroup = "consumer")
        public boolean take() {
            if (taken == begun.get()) {
                return false;
            }
            taken++;
            while (queues.poll(false) == null) {
                queues.parker().prepare();
                if (queues.isEmpty(false)) {
                    queues.parker().park();
                } else {
                    queues.parker().cancel();
                }
            }
            return true;
        }
    }

    /** The same by one thread. */
    public static class Sequential {
        private int left;

        /** Puts. */
        public void put() {
            left++;
        }

        /** Puts. */
        public void putHigh() {
            left++;
        }

        /** Puts. */
        public void putNormal() {
            left++;
        }

        /** Takes. */
        public boolean take() {
            if (left == 0) {
                return false;
            }
            left--;
            return true;
        }
    }

    @Test
    void noInterleavingLosesAWakeUpOfAWorker() {
        LincheckRuns.modelCheck(Worker.class, Sequential.class);
    }

    @Test
    void noInterleavingLosesAWakeUpOfANamedThread() {
        LincheckRuns.modelCheck(Named.class, Sequential.class);
    }
}
