package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.taskgraph.internal.InjectionQueue;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Race 27, the real thing: threads that offer in the last frames of their stacks, so that stacks end at every place
 * inside an offer. Interpreted, because compiled code inlines the calls between which they would end; with JCTools'
 * array queue this was stuck after a few rounds.
 */
@Timeout(120)
final class StackEndTest {
    private static final Duration LIMIT = Duration.ofSeconds(110);

    private static final String INTERPRETED = "-Xint";
    private static final int ROUNDS = 200;

    @Test
    void offersThatRunOutOfStackHoldUpNothing() throws IOException, InterruptedException {
        assertThat(ChildJvm.run(LIMIT, QueueProgram.class, INTERPRETED)).contains("nothing held up");
    }

    /** Calls itself until the stack ends; each frame then offers. What counts does so without a call. */
    private static final class DeepOffers {
        static final int DEEPEST = 20_000;

        final int[] returned = new int[DEEPEST];
        int overflows;
        private final InjectionQueue<Integer> queue;
        private final Integer[] items = new Integer[DEEPEST];

        DeepOffers(InjectionQueue<Integer> queue) {
            this.queue = queue;
            Arrays.setAll(items, depth -> depth);
        }

        /** Small frames first, so that the end of the stack lies elsewhere in each round. */
        void offerBelow(int frames) {
            if (frames == 0) {
                offer(0);
            } else {
                offerBelow(frames - 1);
            }
        }

        @SuppressWarnings("InfiniteRecursion") // on purpose
        private void offer(int depth) {
            try {
                offer(depth + 1);
            } catch (StackOverflowError e) {
                overflows++;
            }
            try {
                queue.offer(items[depth]);
                returned[depth]++;
            } catch (StackOverflowError e) {
                overflows++;
            }
        }
    }

    /** Prints whether something was held up, for both ways to take. */
    static final class QueueProgram {
        private QueueProgram() {}

        public static void main(String[] args) throws InterruptedException {
            for (boolean alone : new boolean[] {false, true}) {
                InjectionQueue<Integer> queue = new InjectionQueue<>(64);
                DeepOffers offers = new DeepOffers(queue);
                for (int round = 0; round < ROUNDS; round++) {
                    int frames = round % 97;
                    Thread thread = new Thread(null, () -> offers.offerBelow(frames), "deep", 200_000);
                    thread.start();
                    thread.join();
                }
                check(queue, offers, alone);
            }
            System.out.println("nothing held up");
        }

        private static void check(InjectionQueue<Integer> queue, DeepOffers offers, boolean alone) {
            int[] taken = new int[DeepOffers.DEEPEST];
            for (Integer item = take(queue, alone); item != null; item = take(queue, alone)) {
                taken[item]++;
            }
            require(queue.isEmpty(), "not empty");
            require(offers.overflows > ROUNDS, "no offer ran out of stack");
            for (int depth = 0; depth < DeepOffers.DEEPEST; depth++) {
                require(taken[depth] >= offers.returned[depth], "an item of depth " + depth + " is missing");
            }
        }

        private static @Nullable Integer take(InjectionQueue<Integer> queue, boolean alone) {
            return alone ? queue.pollAlone() : queue.poll();
        }

        private static void require(boolean condition, String otherwise) {
            if (!condition) {
                throw new AssertionError(otherwise);
            }
        }
    }
}
