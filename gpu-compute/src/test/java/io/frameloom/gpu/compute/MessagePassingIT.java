package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.compute.MessagePassing.Form;
import io.frameloom.gpu.compute.MessagePassing.Order;
import io.frameloom.gpu.compute.MessagePassing.Outcome;
import io.frameloom.gpu.compute.MessagePassing.Payload;
import io.frameloom.gpu.compute.MessagePassing.Tally;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.testing.ChildJvm;
import io.frameloom.testing.TestEffort;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a memory model promises workgroups of one dispatch that talk to each other, held against the driver. Looks that
 * found a writer before it began or behind its last message tell nothing: a test that has too few others is skipped as
 * inconclusive, as it must be where a driver has one thread.
 */
class MessagePassingIT {
    private static final int MOST_ROUNDS = 60;
    private static final long ENOUGH = 2_000;
    /** What did not come out of so many informative looks will not. */
    private static final long MORE_THAN_ENOUGH = 50 * ENOUGH;

    private static final int GROUPS = 256;

    /** The forms in which messages are ordered, of both memory models where the device has both. */
    static List<Form> ordered(DeviceCapabilities device) {
        List<Form> forms = new ArrayList<>();
        forms.add(new Form(Order.RELEASE_ACQUIRE, Payload.ATOMIC, false));
        forms.add(new Form(Order.RELEASE_ACQUIRE, Payload.COHERENT, false));
        if (device.limits().compute().vulkanMemoryModel()) {
            for (Payload payload : Payload.values()) {
                forms.add(new Form(Order.RELEASE_ACQUIRE, payload, true));
            }
        }
        return forms;
    }

    private static Tally tally(TestReporter reporter, ComputeRig rig, Form form, Outcome wanted) {
        int mark = rig.mark();
        Tally tally = new MessagePassing(rig, form, GROUPS, 1)
                .run(MOST_ROUNDS, each -> each.of(wanted) >= ENOUGH || each.of(Outcome.MIDWAY) >= MORE_THAN_ENOUGH);
        rig.release(mark);
        reporter.publishEntry("message passing, " + form, tally.toString());
        return tally;
    }

    private static Tally tally(TestReporter reporter, Form form, Outcome wanted) {
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VULKAN)) {
            assumeTrue(
                    !form.vulkanMemoryModel()
                            || rig.device.capabilities().limits().compute().vulkanMemoryModel(),
                    "the device has no Vulkan memory model");
            return tally(reporter, rig, form, wanted);
        }
    }

    private static void assumeConclusive(Tally tally) {
        assumeTrue(
                tally.of(Outcome.MIDWAY) >= ENOUGH,
                () -> "inconclusive: readers and writers hardly ran at the same time, " + tally);
    }

    @Test
    void noReaderSeesWhatItMustNot(TestReporter reporter) {
        List<Tally> tallies = new ArrayList<>();
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VULKAN)) {
            for (Form form : ordered(rig.device.capabilities())) {
                Tally tally = tally(reporter, rig, form, Outcome.MIDWAY);
                assertThat(tally.of(Outcome.STALE_PAYLOAD))
                        .as("a flag without what was written before it, %s of %s", tally, form)
                        .isZero();
                assertThat(tally.of(Outcome.OLDER))
                        .as("an older value after a newer one, %s of %s", tally, form)
                        .isZero();
                assertThat(tally.of(Outcome.TORN))
                        .as("bits of two items in one word, %s of %s", tally, form)
                        .isZero();
                tallies.add(tally);
            }
        }
        tallies.forEach(MessagePassingIT::assumeConclusive);
    }

    private static Stream<Arguments> repetitions() {
        return TestEffort.isThorough()
                ? Stream.of(Arguments.of(1, 10_000), Arguments.of(2, 10_000), Arguments.of(8, 10_000))
                : Stream.of(Arguments.of(2, 1_000));
    }

    /**
     * Of small dispatches, many at a time, on one, two and eight threads of a software driver. On one nothing runs at the
     * same time, so fewer do; on more a run in which nothing did shows nothing.
     */
    @ParameterizedTest
    @MethodSource("repetitions")
    void thousandsOfRepetitions(int threads, int repetitions) throws Exception {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
        Map<String, String> environment = Map.of("LP_NUM_THREADS", Integer.toString(threads));
        List<String> said = ChildJvm.run(ChildJvm.USUAL, environment, MessagePassingRepetitions.class, repetitions);
        List<Long> informative = said.stream()
                .filter(line -> line.startsWith(MessagePassingRepetitions.INFORMATIVE))
                .map(line -> Long.valueOf(line.substring(MessagePassingRepetitions.INFORMATIVE.length())))
                .toList();
        assertThat(informative).hasSizeGreaterThanOrEqualTo(2);
        assertThat(said).contains("at least " + repetitions + " repetitions");
        if (threads > 1) {
            assumeTrue(
                    Collections.min(informative) >= ENOUGH,
                    () -> "inconclusive: readers and writers hardly ran at the same time, " + said);
        }
    }

    /** What needs no order among words holds where there is none: a word never goes back, and its halves belong together. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void singleWordsNeedNoOrder(boolean vulkanMemoryModel, TestReporter reporter) {
        Form form = new Form(Order.RELAXED, Payload.ATOMIC, vulkanMemoryModel);
        Tally tally = tally(reporter, form, Outcome.MIDWAY);
        assertThat(tally.of(Outcome.OLDER))
                .as("an older value after a newer one, %s", tally)
                .isZero();
        assertThat(tally.of(Outcome.TORN))
                .as("bits of two items in one word, %s", tally)
                .isZero();
        assumeConclusive(tally);
    }

    private static Stream<Form> flagsFirst() {
        return Stream.of(Payload.values())
                .flatMap(payload -> Stream.of(false, true).map(model -> new Form(Order.FLAG_FIRST, payload, model)))
                .filter(form -> form.vulkanMemoryModel() || form.payload() != Payload.MADE_AVAILABLE);
    }

    /** A writer that sets its flag too early is found out, so the tests above can fail. */
    @ParameterizedTest
    @MethodSource("flagsFirst")
    void aFlagBeforeItsPayloadIsSeen(Form form, TestReporter reporter) {
        Tally tally = tally(reporter, form, Outcome.STALE_PAYLOAD);
        if (tally.of(Outcome.STALE_PAYLOAD) == 0) {
            assumeConclusive(tally);
        }
        // A compiler may put a payload that is not atomic before its flag again.
        assumeTrue(
                form.payload() == Payload.ATOMIC || tally.of(Outcome.STALE_PAYLOAD) > 0,
                () -> "inconclusive: the payload came before its flag, or hardly behind it, " + tally);
        assertThat(tally.of(Outcome.STALE_PAYLOAD)).as("%s", tally).isPositive();
    }

    /**
     * Without release and acquire devices may show a flag without its payload, and those that keep stores in order do not:
     * the report says how often. Flags and halves are single words, which need no order, so whatever looks older than before
     * is a payload behind its flag.
     */
    @ParameterizedTest
    @EnumSource(names = {"ATOMIC", "COHERENT"})
    void withoutOrderNothingButThePayloadOfAFlagIsMissed(Payload payload, TestReporter reporter) {
        Tally tally = tally(reporter, new Form(Order.RELAXED, payload, true), Outcome.STALE_PAYLOAD);
        assertThat(tally.of(Outcome.TORN))
                .as("bits of two items in one word, %s", tally)
                .isZero();
        assertThat(tally.of(Outcome.OLDER))
                .as("an older value after a newer one, with the payload of its flag, %s", tally)
                .isLessThanOrEqualTo(tally.of(Outcome.STALE_PAYLOAD));
        assumeConclusive(tally);
    }
}
