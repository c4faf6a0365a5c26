package io.frameloom.gpu.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The hazard checker as the observer of a virtual device. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class VirtualCheckedTest {
    private static final int WORDS = 16;

    @Test
    void aCorrectFrameLoopIsSilent() {
        HazardChecker checker = new HazardChecker();
        try (VirtualRig rig = new VirtualRig(2, 11, checker)) {
            Buffer source = rig.buffer("source", WORDS);
            Buffer target = rig.buffer("target", WORDS);
            Buffer result = rig.readback("result", WORDS * 4L);
            for (int frame = 0; frame < 50; frame++) {
                frame(rig, source, target, result, true);
            }
            assertThat(rig.words(result)).containsOnly(1 + 3 * 2);
        }
        assertThat(checker.hazards()).isEmpty();
        assertThat(checker.submissionsChecked()).isEqualTo(150);
        assertThat(checker.passesChecked()).isEqualTo(250);
    }

    @Test
    void aMissingWaitIsReportedOncePerPair() {
        HazardChecker checker = new HazardChecker();
        try (VirtualRig rig = new VirtualRig(2, 11, checker)) {
            Buffer source = rig.buffer("source", WORDS);
            Buffer target = rig.buffer("target", WORDS);
            Buffer result = rig.readback("result", WORDS * 4L);
            for (int frame = 0; frame < 5; frame++) {
                frame(rig, source, target, result, false);
            }
        }
        assertThat(checker.hazards()).anySatisfy(hazard -> {
            assertThat(hazard.kind()).isEqualTo(Hazard.Kind.READ_AFTER_WRITE);
            assertThat(hazard.firstPass()).isEqualTo("fill source");
            assertThat(hazard.secondPass()).isEqualTo("scale");
            assertThat(checker.occurrences(hazard)).isEqualTo(5);
        });
    }

    @Test
    void aBarrierInsideAPassDoesNotServeTheNextOne() {
        HazardChecker checker = new HazardChecker();
        try (VirtualRig rig = new VirtualRig(1, 3, checker)) {
            Buffer source = rig.buffer("source", WORDS);
            Buffer target = rig.buffer("target", WORDS);
            rig.await(rig.submit(rig.queue(0), List.of(), list -> {
                list.beginPass("fill", List.of(VirtualRig.use(source, Access.COPY_DST, true)));
                list.barrier(VirtualRig.full());
                list.fillBuffer(source, 0, WORDS * 4L, 3);
                list.endPass();
                rig.copyPass(list, "copy", source, target);
            }));
        }
        assertThat(checker.hazards()).singleElement().satisfies(hazard -> {
            assertThat(hazard.kind()).isEqualTo(Hazard.Kind.READ_AFTER_WRITE);
            assertThat(hazard.firstPass()).isEqualTo("fill");
            assertThat(hazard.secondPass()).isEqualTo("copy");
        });
    }

    /** Fills on the graphics queue, scales on the compute queue, reads back on the graphics queue. */
    private static void frame(VirtualRig rig, Buffer source, Buffer target, Buffer result, boolean waits) {
        TimelinePoint filled = rig.submit(rig.queue(0), List.of(), list -> {
            rig.fillPass(list, "fill source", source, 3);
            rig.fillPass(list, "fill target", target, 1);
        });
        TimelinePoint scaled = rig.submit(
                rig.queue(1),
                waits ? List.of(VirtualRig.wait(filled)) : List.of(),
                list -> rig.scalePass(list, "scale", source, target, WORDS, 2));
        TimelinePoint read = rig.submit(rig.queue(0), List.of(VirtualRig.wait(scaled)), list -> {
            rig.copyPass(list, "read", target, result);
            list.barrier(VirtualRig.toHost());
            list.beginPass("host", List.of(new ResourceUse.OfBuffer(result, 0, WORDS * 4L, Access.HOST_READ, false)));
            list.endPass();
        });
        rig.await(filled);
        rig.await(scaled);
        rig.await(read);
    }
}
