package io.frameloom.gpu.check;

import static io.frameloom.gpu.Access.SAMPLED_FRAGMENT;
import static io.frameloom.gpu.Access.STORAGE_READ_COMPUTE;
import static io.frameloom.gpu.Access.STORAGE_WRITE_COMPUTE;
import static io.frameloom.gpu.check.Fakes.use;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.BarrierBatch;
import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.PipelineStage;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.gpu.TimelinePoint;
import io.frameloom.gpu.check.Hazard.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Transfers between queue families: a release and an acquire that say the same. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OwnershipTransferTest {
    private final Script script = new Script();
    private final Buffer buffer = Fakes.buffer("particles", 1024);
    private final Texture texture = Fakes.texture("albedo", 4, 2);

    private void silent() {
        assertThat(script.checker.hazards()).isEmpty();
        assertThat(script.checker.total()).isZero();
    }

    private void reported(Kind kind, String resource, String first, String second) {
        assertThat(script.checker.hazards()).anySatisfy(hazard -> {
            assertThat(hazard.kind()).isEqualTo(kind);
            assertThat(hazard.resource()).isEqualTo(resource);
            assertThat(hazard.firstPass()).isEqualTo(first);
            assertThat(hazard.secondPass()).isEqualTo(second);
        });
    }

    @Test
    void ownershipIsReleasedAndAcquired() {
        BarrierBatch.OwnershipTransfer transfer = new BarrierBatch.OwnershipTransfer(1, 0);
        BarrierBatch.Scope release = new BarrierBatch.Scope(
                STORAGE_WRITE_COMPUTE.stages(), STORAGE_WRITE_COMPUTE.memoryAccess(), PipelineStage.NONE, 0);
        BarrierBatch.Scope acquire = new BarrierBatch.Scope(
                PipelineStage.NONE, 0, SAMPLED_FRAGMENT.stages(), SAMPLED_FRAGMENT.memoryAccess());
        script.barrier(Script.move(
                        texture,
                        Script.fromNothing(STORAGE_WRITE_COMPUTE),
                        TextureLayout.UNDEFINED,
                        TextureLayout.GENERAL))
                .pass("write", use(texture, STORAGE_WRITE_COMPUTE))
                .barrier(Script.move(texture, release, TextureLayout.GENERAL, TextureLayout.SHADER_RO, transfer));
        TimelinePoint written = script.submit(script.compute);
        script.waitFor(written)
                .barrier(Script.move(texture, acquire, TextureLayout.GENERAL, TextureLayout.SHADER_RO, transfer))
                .pass("sample", use(texture, SAMPLED_FRAGMENT))
                .submit(script.graphics);
        silent();
    }

    @Test
    void halfATransferIsReported() {
        BarrierBatch.OwnershipTransfer transfer = new BarrierBatch.OwnershipTransfer(1, 0);
        script.pass("write", use(buffer, STORAGE_WRITE_COMPUTE))
                .barrier(new BarrierBatch.BufferBarrier(
                        buffer, 0, 1024, Script.scope(STORAGE_WRITE_COMPUTE, STORAGE_READ_COMPUTE), transfer));
        TimelinePoint written = script.submit(script.compute);
        script.waitFor(written).pass("read", use(buffer, STORAGE_READ_COMPUTE)).submit(script.graphics);
        reported(Kind.WRONG_OWNER, "particles", "", "read");
        Script second = new Script();
        second.pass("write", use(buffer, STORAGE_WRITE_COMPUTE));
        TimelinePoint point = second.submit(second.compute);
        second.waitFor(point)
                .barrier(new BarrierBatch.BufferBarrier(
                        buffer, 0, 1024, Script.scope(STORAGE_WRITE_COMPUTE, STORAGE_READ_COMPUTE), transfer))
                .pass("acquired only", use(buffer, STORAGE_READ_COMPUTE))
                .submit(second.graphics);
        assertThat(second.checker.hazards()).anySatisfy(hazard -> {
            assertThat(hazard.kind()).isEqualTo(Kind.WRONG_OWNER);
            assertThat(hazard.secondPass()).isEqualTo("acquired only");
        });
    }

    @Test
    void bothHalvesOfATransferHaveTheSameLayouts() {
        BarrierBatch.OwnershipTransfer transfer = new BarrierBatch.OwnershipTransfer(1, 0);
        BarrierBatch.Scope release = new BarrierBatch.Scope(
                STORAGE_WRITE_COMPUTE.stages(), STORAGE_WRITE_COMPUTE.memoryAccess(), PipelineStage.NONE, 0);
        BarrierBatch.Scope acquire = new BarrierBatch.Scope(
                PipelineStage.NONE, 0, SAMPLED_FRAGMENT.stages(), SAMPLED_FRAGMENT.memoryAccess());
        script.barrier(Script.move(
                        texture,
                        Script.fromNothing(STORAGE_WRITE_COMPUTE),
                        TextureLayout.UNDEFINED,
                        TextureLayout.GENERAL))
                .pass("write", use(texture, STORAGE_WRITE_COMPUTE))
                .barrier(Script.move(texture, release, TextureLayout.GENERAL, TextureLayout.TRANSFER_SRC, transfer));
        TimelinePoint written = script.submit(script.compute);
        script.waitFor(written)
                .barrier(Script.move(texture, acquire, TextureLayout.GENERAL, TextureLayout.SHADER_RO, transfer))
                .pass("sample", use(texture, SAMPLED_FRAGMENT))
                .submit(script.graphics);
        assertThat(script.checker.hazards()).singleElement().satisfies(hazard -> {
            assertThat(hazard.kind()).isEqualTo(Kind.WRONG_OWNER);
            assertThat(hazard.secondPass()).isEqualTo("sample");
            assertThat(hazard.explanation()).contains("TRANSFER_SRC").contains("SHADER_RO");
        });
    }
}
