package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Who ties the end of a frame to the device; race 40. */
class FrameEndTest {
    private static final int ROUNDS = 5_000;

    private final FrameEnd end = new FrameEnd();

    @Test
    void nobodyTiesAFrameThatNobodyAsksFor() {
        assertThat(end.submitted(false)).isFalse();
    }

    @Test
    void theFirstQuestionAfterTheSubmissionTies() {
        assertThat(end.submitted(false)).isFalse();
        assertThat(end.asked()).isTrue();
        assertThat(end.asked()).isFalse();
    }

    @Test
    void theSubmissionTiesWhatWasAskedFor() {
        assertThat(end.asked()).isFalse();
        assertThat(end.asked()).isFalse();
        assertThat(end.submitted(false)).isTrue();
        assertThat(end.asked()).isFalse();
    }

    @Test
    void theSubmissionTiesAtOnceIfItIsTold() {
        assertThat(end.submitted(true)).isTrue();
        assertThat(end.asked()).isFalse();
    }

    @Test
    void oneOfTwoThreadsTies() throws Exception {
        FrameEnd[] ends = new FrameEnd[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            ends[i] = new FrameEnd();
        }
        AtomicInteger[] ties = {new AtomicInteger(), new AtomicInteger()};
        CyclicBarrier begin = new CyclicBarrier(2);
        Thread other = new Thread(() -> {
            for (FrameEnd each : ends) {
                await(begin);
                ties[1].addAndGet(each.asked() ? 1 : 0);
            }
        });
        other.start();
        for (FrameEnd each : ends) {
            await(begin);
            ties[0].addAndGet(each.submitted(false) ? 1 : 0);
        }
        other.join();
        assertThat(ties[0].get() + ties[1].get()).isEqualTo(ROUNDS);
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
