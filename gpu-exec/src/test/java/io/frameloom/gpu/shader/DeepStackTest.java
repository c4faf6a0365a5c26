package io.frameloom.gpu.shader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class DeepStackTest {
    private final DeepStack deep = new DeepStack();

    @AfterEach
    void close() {
        deep.close();
    }

    @Test
    void anInterruptLosesNeitherTheResultNorItself() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicReference<String> result = new AtomicReference<>();
        AtomicBoolean interrupted = new AtomicBoolean();
        Thread caller = new Thread(() -> {
            result.set(deep.call(() -> {
                running.countDown();
                awaitUninterrupted(goOn);
                return "done";
            }));
            interrupted.set(Thread.currentThread().isInterrupted());
        });
        caller.start();
        running.await();
        caller.interrupt();
        // The interrupt is taken when the thread waits again, without its status.
        while (caller.isInterrupted()) {
            Thread.onSpinWait();
        }
        goOn.countDown();
        caller.join();
        assertThat(result).hasValue("done");
        assertThat(interrupted).isTrue();
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError("the interrupt was passed on", e);
        }
    }

    @Test
    void whoeverIsInterruptedBeforeHandCallsAndStaysInterrupted() {
        Thread.currentThread().interrupt();
        try {
            assertThat(deep.call(() -> 7)).isEqualTo(7);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void whatTheBodyThrowsIsThrown() {
        assertThatThrownBy(() -> deep.call(() -> {
                    throw new IllegalStateException("no");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no");
        assertThatThrownBy(() -> deep.call(() -> {
                    throw new OutOfMemoryError("none");
                }))
                .isInstanceOf(OutOfMemoryError.class)
                .hasMessage("none");
    }

    @Test
    void recursionGoesDeep() {
        assertThat(deep.call(() -> depth(200_000))).isEqualTo(200_000);
    }

    private static int depth(int left) {
        return left == 0 ? 0 : 1 + depth(left - 1);
    }
}
