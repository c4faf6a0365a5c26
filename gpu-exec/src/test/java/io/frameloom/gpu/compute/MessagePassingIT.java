package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.ChildJvm;
import io.frameloom.gpu.compute.MessagePassing.Order;
import io.frameloom.gpu.compute.MessagePassing.Outcome;
import io.frameloom.gpu.compute.MessagePassing.Tally;
import io.frameloom.gpu.vulkan.VulkanDevices;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a memory model promises workgroups of one dispatch that talk to each other, held against the driver. Looks that
 * found a writer before it began or behind its last message tell nothing: a test that has too few others is skipped as
 * inconclusive, as it must be where a driver has one thread.
 */
@Timeout(120)
class MessagePassingIT {
    private static final int MOST_ROUNDS = 60;
    private static final long ENOUGH = 2_000;
    private static final int GROUPS = 256;

    private static Tally tally(TestReporter reporter, Order order, Outcome wanted) {
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VULKAN)) {
            Tally tally = new MessagePassing(rig, order, GROUPS, 1).run(MOST_ROUNDS, each -> each.of(wanted) >= ENOUGH);
            reporter.publishEntry("message passing, " + order, tally.toString());
            return tally;
        }
    }

    private static void assumeConclusive(Tally tally) {
        assumeTrue(
                tally.of(Outcome.MIDWAY) >= ENOUGH,
                () -> "inconclusive: readers and writers hardly ran at the same time, " + tally);
    }

    @Test
    void noReaderSeesWhatItMustNot(TestReporter reporter) {
        Tally tally = tally(reporter, Order.RELEASE_ACQUIRE, Outcome.MIDWAY);
        assertThat(tally.of(Outcome.STALE_PAYLOAD))
                .as("a flag without what was written before it, %s", tally)
                .isZero();
        assertThat(tally.of(Outcome.OLDER))
                .as("an older value after a newer one, %s", tally)
                .isZero();
        assertThat(tally.of(Outcome.TORN))
                .as("bits of two items in one word, %s", tally)
                .isZero();
        assumeConclusive(tally);
    }

    /** Of small dispatches, many at a time, on one, two and eight threads of a software driver. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8})
    void tenThousandRepetitions(int threads) throws Exception {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
        Map<String, String> environment = Map.of("LP_NUM_THREADS", Integer.toString(threads));
        assertThat(ChildJvm.run(ChildJvm.USUAL, environment, MessagePassingRepetitions.class, 10_000))
                .contains("10000 repetitions");
    }

    /** What needs no order among words holds where there is none: a word never goes back, and its halves belong together. */
    @Test
    void singleWordsNeedNoOrder(TestReporter reporter) {
        Tally tally = tally(reporter, Order.RELAXED, Outcome.MIDWAY);
        assertThat(tally.of(Outcome.OLDER))
                .as("an older value after a newer one, %s", tally)
                .isZero();
        assertThat(tally.of(Outcome.TORN))
                .as("bits of two items in one word, %s", tally)
                .isZero();
        assumeConclusive(tally);
    }

    /** A writer that sets its flag too early is found out, so the test above can fail. */
    @Test
    void aFlagBeforeItsPayloadIsSeen(TestReporter reporter) {
        Tally tally = tally(reporter, Order.FLAG_FIRST, Outcome.STALE_PAYLOAD);
        if (tally.of(Outcome.STALE_PAYLOAD) == 0) {
            assumeConclusive(tally);
        }
        assertThat(tally.of(Outcome.STALE_PAYLOAD)).as("%s", tally).isPositive();
    }
}
