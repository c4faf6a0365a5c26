package io.frameloom.gpu.check;

import static io.frameloom.gpu.check.Fakes.use;
import static io.frameloom.gpu.command.Access.COLOR_READ_WRITE;
import static io.frameloom.gpu.command.Access.COLOR_WRITE;
import static io.frameloom.gpu.command.Access.COPY_DST;
import static io.frameloom.gpu.command.Access.DEPTH_READ;
import static io.frameloom.gpu.command.Access.DEPTH_WRITE;
import static io.frameloom.gpu.command.Access.SAMPLED_FRAGMENT;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.check.Hazard.Kind;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Layout transitions among each other: those of one queue follow each other, those of one command do not. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TransitionOrderTest {
    private static final BarrierBatch.Scope FULL = BarrierBatch.GlobalBarrier.FULL.scope();

    private final Script script = new Script();
    private final Texture texture = Fakes.texture("target", 3, 1);

    private void hasOnly(Kind kind) {
        assertThat(script.checker.hazards()).extracting(Hazard::kind).containsExactly(kind);
    }

    private BarrierBatch.TextureBarrier toSampled() {
        return Script.move(
                texture, Script.fromNothing(SAMPLED_FRAGMENT), TextureLayout.UNDEFINED, TextureLayout.SHADER_RO);
    }

    private BarrierBatch.TextureBarrier fromNothing(TextureLayout old) {
        return Script.move(texture, Script.fromNothing(COPY_DST), old, TextureLayout.TRANSFER_DST);
    }

    @Test
    void aTransitionFollowsTheOneBeforeItOnItsQueue() {
        script.barrier(toSampled())
                .barrier(fromNothing(TextureLayout.SHADER_RO))
                .pass("copy", use(texture, COPY_DST))
                .submit(script.graphics);
        assertThat(script.checker.hazards()).isEmpty();
    }

    @Test
    void aTransitionFollowsOneOfAnEarlierSubmission() {
        script.barrier(toSampled()).submit(script.graphics);
        script.barrier(fromNothing(TextureLayout.UNDEFINED))
                .pass("copy", use(texture, COPY_DST))
                .submit(script.graphics);
        assertThat(script.checker.hazards()).isEmpty();
    }

    @Test
    void aTransitionDoesNotFollowOneOfAnotherQueue() {
        script.barrier(toSampled()).submit(script.graphics);
        script.barrier(fromNothing(TextureLayout.UNDEFINED)).submit(script.compute);
        hasOnly(Kind.WRITE_AFTER_WRITE);
    }

    @Test
    void aTransitionDoesNotFollowTheReadsBetween() {
        TimelinePoint filled = script.barrier(Script.move(
                        texture, Script.fromNothing(COPY_DST), TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST))
                .pass("fill", use(texture, COPY_DST))
                .barrier(Script.move(
                        texture,
                        Script.scope(COPY_DST, SAMPLED_FRAGMENT),
                        TextureLayout.TRANSFER_DST,
                        TextureLayout.SHADER_RO))
                .pass("sample", use(texture, SAMPLED_FRAGMENT))
                .submit(script.graphics);
        assertThat(filled.value()).isEqualTo(1);
        script.barrier(fromNothing(TextureLayout.SHADER_RO)).submit(script.graphics);
        hasOnly(Kind.WRITE_AFTER_READ);
    }

    @Test
    void aTransitionThatChangesTheOwnerFollowsNoneByItself() {
        script.barrier(toSampled())
                .barrier(Script.move(
                        texture,
                        new BarrierBatch.Scope(0, 0, 0, 0),
                        TextureLayout.SHADER_RO,
                        TextureLayout.SHADER_RO,
                        new BarrierBatch.OwnershipTransfer(0, 1)))
                .submit(script.graphics);
        hasOnly(Kind.WRITE_AFTER_WRITE);
    }

    @Test
    void transitionsOfOneCommandDoNotFollowEachOther() {
        script.barrier(
                        Script.move(texture, FULL, TextureLayout.UNDEFINED, TextureLayout.GENERAL),
                        Script.move(texture, FULL, TextureLayout.GENERAL, TextureLayout.COLOR))
                .pass("draw", use(texture, COLOR_WRITE))
                .submit(script.graphics);
        hasOnly(Kind.WRITE_AFTER_WRITE);
    }

    @Test
    void transitionsOfOneCommandThatOverlapInPartDoNotEither() {
        script.barrier(
                        Script.move(texture, FULL, TextureLayout.UNDEFINED, TextureLayout.COLOR),
                        new BarrierBatch.TextureBarrier(
                                texture,
                                SubresourceRange.mip(1),
                                FULL,
                                TextureLayout.UNDEFINED,
                                TextureLayout.GENERAL,
                                null))
                .submit(script.graphics);
        hasOnly(Kind.WRITE_AFTER_WRITE);
    }

    @Test
    void whoTestsAgainstNothingButItsOwnDepthNeedsNotSeeWhatWasBefore() {
        BarrierBatch.Scope writes = new BarrierBatch.Scope(
                DEPTH_WRITE.stages(),
                MemoryAccess.DEPTH_WRITE.bit(),
                DEPTH_WRITE.stages(),
                MemoryAccess.DEPTH_WRITE.bit());
        script.barrier(Script.move(texture, writes, TextureLayout.UNDEFINED, TextureLayout.DEPTH))
                .pass("first", use(texture, DEPTH_WRITE))
                .barrier(writes)
                .pass("second", use(texture, DEPTH_WRITE))
                .submit(script.graphics);
        assertThat(script.checker.hazards()).isEmpty();
        script.barrier(Script.move(texture, writes, TextureLayout.DEPTH, TextureLayout.DEPTH_RO))
                .pass("test", use(texture, DEPTH_READ))
                .submit(script.graphics);
        hasOnly(Kind.READ_AFTER_WRITE);
    }

    @Test
    void whatIsOrderedBehindATransitionAndDoesNotSeeItIsToldSo() {
        script.barrier(Script.move(
                        texture,
                        new BarrierBatch.Scope(0, 0, COLOR_WRITE.stages(), MemoryAccess.COLOR_WRITE.bit()),
                        TextureLayout.UNDEFINED,
                        TextureLayout.COLOR))
                .pass("blend", use(texture, COLOR_READ_WRITE))
                .submit(script.graphics);
        assertThat(script.checker.hazards())
                .filteredOn(hazard -> hazard.kind() == Kind.READ_AFTER_WRITE)
                .singleElement()
                .satisfies(hazard ->
                        assertThat(hazard.explanation()).contains("are ordered").doesNotContain("nothing orders"));
    }
}
