package io.frameloom.testing;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Test classes that run in JVMs of their own; surefire never picks them up by name. */
final class Fixtures {

    private Fixtures() {}

    static final class Passes {
        @Test
        void passes(WaitGraphs graphs) {
            graphs.show("of the passing fixture", () -> "never asked for");
        }
    }

    static final class OpensDevices {
        /** As gpu-exec does. */
        private static void open(String driver) {
            System.getLogger("io.frameloom.gpu").log(System.Logger.Level.DEBUG, "opened a device, driver " + driver);
        }

        @BeforeAll
        static void openOneForAll() {
            open("Mesa 1");
        }

        @Test
        void one() {
            open("Mesa 1");
            open("Mesa 1");
        }

        @Test
        void two() {
            open("Mesa 2");
        }

        @Test
        void none() {}
    }

    static final class SpinsForEver {
        private static final long PAUSE_NANOS = 1_000_000;

        private volatile int turns;

        @BeforeEach
        void describe(WaitGraphs graphs) {
            graphs.show("of the spinning fixture", () -> "lane A waits for lane B");
            graphs.show("that fails", () -> {
                throw new IllegalArgumentException("half-built graph");
            });
        }

        @Test
        @Timeout(threadMode = Timeout.ThreadMode.SAME_THREAD, value = 1, unit = TimeUnit.HOURS)
        void spinsWhateverInterruptsIt() {
            while (turns >= 0) {
                turns = 1;
                // It returns when it is interrupted, too.
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    static final class HangsBeforeAll {
        @BeforeAll
        @Timeout(1_000)
        static void waitsForNobody() throws InterruptedException {
            new CountDownLatch(1).await();
        }

        @Test
        void neverStarts() {}
    }

    static final class TimesOut {
        @Test
        @Timeout(1)
        void waitsForNobody(WaitGraphs graphs) throws InterruptedException {
            graphs.show("of the waiting fixture", () -> "RENDER waits for GAME");
            new CountDownLatch(1).await();
        }
    }
}
