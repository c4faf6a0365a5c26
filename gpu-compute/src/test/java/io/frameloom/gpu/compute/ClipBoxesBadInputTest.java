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

/** Everything that clip boxes refuse, and that they say what and why. */
@Timeout(60)
class ClipBoxesBadInputTest {
    private static final int LENGTH = 1000;

    private ComputeRig rig;
    private ClipBoxes clips;
    private ClipArguments fits;

    static ClipArguments arguments(ComputeRig rig, ClipBoxes clips, int length) {
        return new ClipArguments(
                length,
                ClipEnd.AFTER_POP,
                ClipBox.UNBOUNDED,
                range(rig, "operations", 4L * length),
                range(rig, "boxes", 16L * length),
                range(rig, "effective", 16L * length),
                range(rig, "links", 4L * length),
                range(rig, "scratch", clips.scratchBytes(length)));
    }

    private static BufferRange range(ComputeRig rig, String name, long bytes) {
        return new BufferRange(rig.storage(name, bytes), 0, bytes);
    }

    @BeforeEach
    void open() {
        rig = new ComputeRig(ComputeRig.Backend.VIRTUAL);
        clips = rig.own(ClipBoxes.create(rig.device));
        fits = arguments(rig, clips, LENGTH);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private ClipArguments with(long length, BufferRange operations, BufferRange boxes, BufferRange effective) {
        return new ClipArguments(
                length, fits.end(), fits.viewport(), operations, boxes, effective, fits.links(), fits.scratch());
    }

    private void refused(ClipArguments arguments, String... words) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rig.execute(list -> clips.record(list, arguments)))
                .withMessageContainingAll(words)
                .withMessageContaining("clip boxes");
        assertThatIllegalArgumentException().isThrownBy(() -> clips.uses(arguments));
    }

    @Test
    @SuppressWarnings("NullAway") // that is the test
    void nothingMayBeMissing() {
        assertThatNullPointerException()
                .isThrownBy(() -> clips.uses(with(LENGTH, null, fits.boxes(), fits.effective())))
                .withMessageContaining("operations");
        assertThatNullPointerException()
                .isThrownBy(() -> clips.uses(new ClipArguments(
                        LENGTH,
                        null,
                        fits.viewport(),
                        fits.operations(),
                        fits.boxes(),
                        fits.effective(),
                        fits.links(),
                        fits.scratch())))
                .withMessageContaining("end");
        assertThatNullPointerException().isThrownBy(() -> clips.uses(null)).withMessageContaining("arguments");
    }

    @Test
    void lengthsRangesAndOverlaps() {
        refused(with(-1, fits.operations(), fits.boxes(), fits.effective()), "negative");
        refused(
                with(clips.maxLength() + 1, fits.operations(), fits.boxes(), fits.effective()),
                "beyond " + clips.maxLength());
        refused(with(LENGTH, fits.operations(), fits.links(), fits.effective()), "boxes", "16000 are needed");
        refused(
                with(LENGTH, new BufferRange(fits.operations().buffer(), 2, 3998), fits.boxes(), fits.effective()),
                "operations",
                "multiple of 4");
        refused(with(LENGTH, fits.operations(), fits.boxes(), fits.boxes()), "boxes", "effective", "overlap");
        refused(with(LENGTH, fits.links(), fits.boxes(), fits.effective()), "operations", "links", "overlap");
        Buffer copies = rig.buffer("copies", 4 * LENGTH, BufferUsage.COPY_DST);
        refused(
                with(LENGTH, new BufferRange(copies, 0, 4 * LENGTH), fits.boxes(), fits.effective()),
                "'copies'",
                "usage STORAGE");
    }

    @Test
    void nothingIsUsedForNothing() {
        assertThat(clips.uses(with(0, fits.operations(), fits.boxes(), fits.effective())))
                .isEmpty();
        assertThat(clips.scratchBytes(0)).isPositive();
    }

    @Test
    void whatIsClosed() {
        clips.close();
        clips.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> rig.execute(list -> clips.record(list, fits)))
                .withMessageContaining("closed");
    }
}
