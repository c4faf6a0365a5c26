package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Everything a matching refuses, and that it says what and why. */
@Timeout(60)
class BracketMatchBadInputTest {
    private static final int LENGTH = 10_000;

    private ComputeRig rig;
    private BracketMatch match;
    private BufferRange input;
    private BufferRange links;
    private BufferRange scratch;

    @BeforeEach
    void open() {
        rig = new ComputeRig(ComputeRig.Backend.VIRTUAL);
        match = rig.own(BracketMatch.create(rig.device, BracketInput.BYTES));
        input = new BufferRange(rig.storage("input", LENGTH), 0, LENGTH);
        links = new BufferRange(rig.storage("links", 4 * LENGTH), 0, 4 * LENGTH);
        long bytes = match.scratchBytes(LENGTH);
        scratch = new BufferRange(rig.storage("scratch", bytes + 256), 0, bytes);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private void record(BracketArguments arguments) {
        rig.execute(list -> match.record(list, arguments));
    }

    private void refused(BracketArguments arguments, String... words) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> record(arguments))
                .withMessageContainingAll(words)
                .withMessageContaining("bracket match");
        assertThatIllegalArgumentException().isThrownBy(() -> match.uses(arguments));
    }

    @Test
    @SuppressWarnings("NullAway") // that is the test
    void nothingMayBeMissing() {
        assertThatNullPointerException()
                .isThrownBy(() -> record(new BracketArguments(1, null, links, scratch)))
                .withMessageContaining("input");
        assertThatNullPointerException()
                .isThrownBy(() -> record(new BracketArguments(1, input, null, scratch)))
                .withMessageContaining("links");
        assertThatNullPointerException()
                .isThrownBy(() -> record(new BracketArguments(1, input, links, null)))
                .withMessageContaining("scratch");
        assertThatNullPointerException().isThrownBy(() -> record(null)).withMessageContaining("arguments");
    }

    @Test
    void lengthsAndRanges() {
        refused(new BracketArguments(-1, input, links, scratch), "negative");
        refused(
                new BracketArguments(match.maxLength() + 1, input, links, scratch),
                "beyond " + match.maxLength(),
                "what links and one storage binding of this device can hold");
        refused(
                new BracketArguments(LENGTH, new BufferRange(input.buffer(), 0, LENGTH - 1), links, scratch),
                "input",
                "10000 are needed");
        refused(
                new BracketArguments(LENGTH, input, new BufferRange(links.buffer(), 4, 4 * LENGTH - 4), scratch),
                "links",
                "40000 are needed");
        refused(
                new BracketArguments(LENGTH, new BufferRange(input.buffer(), 1, LENGTH - 1), links, scratch),
                "multiple of 4");
        long needed = match.scratchBytes(LENGTH);
        refused(
                new BracketArguments(LENGTH, input, links, new BufferRange(scratch.buffer(), 0, needed - 1)),
                "scratch",
                needed + " are needed");
        refused(
                new BracketArguments(LENGTH, input, links, new BufferRange(scratch.buffer(), 4, needed)),
                "scratch",
                "multiple of");
    }

    @Test
    void whatMayNotOverlapAndUsage() {
        refused(
                new BracketArguments(LENGTH, new BufferRange(links.buffer(), 4, LENGTH), links, scratch),
                "input",
                "links",
                "overlap in buffer 'links'");
        Buffer both = rig.storage("both", 1 << 20);
        BufferRange half = new BufferRange(both, 0, 1 << 19);
        refused(
                new BracketArguments(LENGTH, new BufferRange(both, 4096, LENGTH), links, half),
                "input",
                "scratch",
                "overlap");
        refused(
                new BracketArguments(LENGTH, input, new BufferRange(both, 4096, 4 * LENGTH), half),
                "links",
                "scratch",
                "overlap");
        Buffer copies = rig.buffer("copies", LENGTH, BufferUsage.COPY_DST);
        refused(
                new BracketArguments(LENGTH, new BufferRange(copies, 0, LENGTH), links, scratch),
                "'copies'",
                "usage STORAGE");
    }

    @Test
    void whatIsClosed() {
        match.close();
        match.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> record(new BracketArguments(LENGTH, input, links, scratch)))
                .withMessageContaining("closed");
    }

    @Test
    void theLargestLengthIsWhatLinksCanTellAndABindingHolds() {
        StorageLimits large = new StorageLimits(1L << 32, 256, 65_535, 65_535);
        BracketMatch most = rig.own(BracketMatch.create(rig.device, BracketInput.WORDS, true, large));
        assertThat(most.maxLength()).isEqualTo((1L << 31) - (1 << 16));
        StorageLimits limits = new StorageLimits(1 << 20, 256, 65_535, 65_535);
        BracketMatch small = rig.own(BracketMatch.create(rig.device, BracketInput.WORDS, true, limits));
        assertThat(small.maxLength()).isEqualTo(((1L << 20) / 256 - 1) * 1024);
        assertThat(small.scratchBytes(small.maxLength())).isPositive();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> small.scratchBytes(small.maxLength() + 1))
                .withMessageContainingAll(
                        "bracket match", "what links and one storage binding of this device can hold");
    }
}
