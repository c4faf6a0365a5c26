package io.frameloom.gpu.shader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class DeepStackTest {
    @Test
    void anInterruptLosesNeitherTheResultNorItself() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicReference<String> result = new AtomicReference<>();
        AtomicBoolean interrupted = new AtomicBoolean();
        Thread caller = new Thread(() -> {
            result.set(DeepStack.call(0, () -> {
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
            assertThat(DeepStack.call(0, () -> 7)).isEqualTo(7);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void whatTheBodyThrowsIsThrown() {
        assertThatThrownBy(() -> DeepStack.call(0, () -> {
                    throw new IllegalStateException("no");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no");
        assertThatThrownBy(() -> DeepStack.call(0, () -> {
                    throw new OutOfMemoryError("none");
                }))
                .isInstanceOf(OutOfMemoryError.class)
                .hasMessage("none");
    }

    @Test
    void recursionGoesDeep() {
        assertThat(DeepStack.call(0, () -> depth(200_000))).isEqualTo(200_000);
        assertThat(DeepStack.call(DeepStack.LONGEST_TEXT, () -> depth(2_000_000)))
                .isEqualTo(2_000_000);
    }

    private static int depth(int left) {
        return left == 0 ? 0 : 1 + depth(left - 1);
    }
}
