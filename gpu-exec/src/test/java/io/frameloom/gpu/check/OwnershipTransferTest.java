package io.frameloom.gpu.check;

import static io.frameloom.gpu.check.Fakes.use;
import static io.frameloom.gpu.command.Access.SAMPLED_FRAGMENT;
import static io.frameloom.gpu.command.Access.STORAGE_READ_COMPUTE;
import static io.frameloom.gpu.command.Access.STORAGE_WRITE_COMPUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.check.Hazard.Kind;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
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

    private static BarrierBatch.BufferBarrier half(
            Buffer buffer, BarrierBatch.Scope scope, BarrierBatch.OwnershipTransfer transfer) {
        return new BarrierBatch.BufferBarrier(buffer, 0, buffer.description().bytes(), scope, transfer);
    }

    /** Leaves the buffer written, and owned by the graphics family. */
    private TimelinePoint handedToGraphics() {
        BarrierBatch.OwnershipTransfer transfer = new BarrierBatch.OwnershipTransfer(1, 0);
        TimelinePoint written = script.pass("write", use(buffer, STORAGE_WRITE_COMPUTE))
                .barrier(half(buffer, Script.scope(STORAGE_WRITE_COMPUTE, STORAGE_READ_COMPUTE), transfer))
                .submit(script.compute);
        TimelinePoint acquired = script.waitFor(written)
                .barrier(half(buffer, Script.fromNothing(STORAGE_READ_COMPUTE), transfer))
                .pass("read", use(buffer, STORAGE_READ_COMPUTE))
                .submit(script.graphics);
        silent();
        return acquired;
    }

    @Test
    void whoeverDiscardsTheContentsOwnsWhatComesNext() {
        TimelinePoint acquired = handedToGraphics();
        TimelinePoint rewritten = script.waitFor(acquired)
                .pass("rewrite", use(buffer, STORAGE_WRITE_COMPUTE))
                .submit(script.compute);
        silent();
        script.waitFor(rewritten)
                .pass("stale", use(buffer, STORAGE_READ_COMPUTE))
                .submit(script.graphics);
        reported(Kind.WRONG_OWNER, "particles", "", "stale");
    }

    @Test
    void aTransitionThatDiscardsTakesTheTexture() {
        BarrierBatch.OwnershipTransfer transfer = new BarrierBatch.OwnershipTransfer(1, 0);
        BarrierBatch.Scope release = new BarrierBatch.Scope(
                STORAGE_WRITE_COMPUTE.stages(), STORAGE_WRITE_COMPUTE.memoryAccess(), PipelineStage.NONE, 0);
        BarrierBatch.TextureBarrier fresh = Script.move(
                texture, Script.fromNothing(STORAGE_WRITE_COMPUTE), TextureLayout.UNDEFINED, TextureLayout.GENERAL);
        TimelinePoint released = script.barrier(fresh)
                .pass("write", use(texture, STORAGE_WRITE_COMPUTE))
                .barrier(Script.move(texture, release, TextureLayout.GENERAL, TextureLayout.SHADER_RO, transfer))
                .submit(script.compute);
        TimelinePoint discarded = script.waitFor(released, STORAGE_WRITE_COMPUTE.stages())
                .barrier(Script.move(
                        texture,
                        Script.scope(STORAGE_WRITE_COMPUTE, STORAGE_WRITE_COMPUTE),
                        TextureLayout.UNDEFINED,
                        TextureLayout.GENERAL))
                .pass("anew", use(texture, STORAGE_WRITE_COMPUTE))
                .submit(script.graphics);
        silent();
        script.waitFor(discarded)
                .barrier(Script.move(
                        texture,
                        Script.scope(STORAGE_WRITE_COMPUTE, SAMPLED_FRAGMENT),
                        TextureLayout.GENERAL,
                        TextureLayout.SHADER_RO))
                .pass("stale", use(texture, SAMPLED_FRAGMENT))
                .submit(script.compute);
        reported(Kind.WRONG_OWNER, "albedo", "", "stale");
    }

    @Test
    void whatIsReleasedIsNotReleasedAgain() {
        BarrierBatch.OwnershipTransfer transfer = new BarrierBatch.OwnershipTransfer(1, 0);
        BarrierBatch.Scope release = Script.scope(STORAGE_WRITE_COMPUTE, STORAGE_READ_COMPUTE);
        script.pass("write", use(buffer, STORAGE_WRITE_COMPUTE))
                .barrier(half(buffer, release, transfer))
                .barrier(half(buffer, release, transfer))
                .submit(script.compute);
        assertThat(script.checker.hazards()).singleElement().satisfies(hazard -> {
            assertThat(hazard.kind()).isEqualTo(Kind.WRONG_OWNER);
            assertThat(hazard.explanation()).contains("released to family 0 and not acquired");
        });
    }

    private static BarrierBatch.BufferBarrier half(
            Buffer buffer, long offset, long bytes, BarrierBatch.OwnershipTransfer transfer) {
        return new BarrierBatch.BufferBarrier(buffer, offset, bytes, BarrierBatch.GlobalBarrier.FULL.scope(), transfer);
    }

    /** Hands one half of the buffer to the compute family, which then writes all of it. */
    private TimelinePoint partHandedToComputeAndAllWritten(long offset) {
        BarrierBatch.OwnershipTransfer transfer = new BarrierBatch.OwnershipTransfer(0, 1);
        TimelinePoint released = script.pass("write", use(buffer, offset, 512, STORAGE_WRITE_COMPUTE))
                .barrier(half(buffer, offset, 512, transfer))
                .submit(script.graphics);
        TimelinePoint written = script.waitFor(released)
                .barrier(half(buffer, offset, 512, transfer))
                .pass("whole", use(buffer, STORAGE_WRITE_COMPUTE))
                .submit(script.compute);
        silent();
        return written;
    }

    @Test
    void aWriteOfPartsOfDifferentOwnersLeavesEachItsOwner() {
        TimelinePoint written = partHandedToComputeAndAllWritten(512);
        script.waitFor(written)
                .pass("stale", use(buffer, 512, 512, STORAGE_READ_COMPUTE))
                .submit(script.graphics);
        reported(Kind.WRONG_OWNER, "particles", "", "stale");
    }

    @Test
    void aWriteOfPartsOfDifferentOwnersGivesNothingToTheOwnerOfOne() {
        TimelinePoint written = partHandedToComputeAndAllWritten(0);
        script.waitFor(written)
                .pass("shared", use(buffer, 512, 512, STORAGE_READ_COMPUTE))
                .submit(script.graphics);
        silent();
    }

    private static final int ENGINES = 7;

    private BarrierBatch.BufferBarrier handOver(Buffer of, int from, int to) {
        return half(
                of,
                Script.scope(STORAGE_WRITE_COMPUTE, STORAGE_WRITE_COMPUTE),
                new BarrierBatch.OwnershipTransfer(from, to));
    }

    /** The engine executes the other halves on queues of its own. */
    @Test
    void anImportedResourceComesFromAndGoesToFamiliesWithoutAQueueHere() {
        Buffer engines = Fakes.buffer("engine's", 1024, 5, true);
        script.barrier(handOver(engines, ENGINES, 0))
                .pass("write", use(engines, STORAGE_WRITE_COMPUTE))
                .barrier(handOver(engines, 0, ENGINES));
        TimelinePoint given = script.submit(script.graphics);
        script.waitFor(given)
                .barrier(handOver(engines, ENGINES, 1))
                .pass("write again", use(engines, STORAGE_WRITE_COMPUTE))
                .submit(script.compute);
        silent();
    }

    @Test
    void whatWasGivenToAnotherFamilyDoesNotComeFromAThird() {
        Buffer engines = Fakes.buffer("engine's", 1024, 5, true);
        script.pass("write", use(engines, STORAGE_WRITE_COMPUTE)).barrier(handOver(engines, 0, ENGINES));
        TimelinePoint given = script.submit(script.graphics);
        script.waitFor(given)
                .barrier(handOver(engines, ENGINES + 1, 1))
                .pass("taken", use(engines, STORAGE_WRITE_COMPUTE))
                .submit(script.compute);
        reported(Kind.WRONG_OWNER, "engine's", "", "taken");
    }

    @Test
    void whatIsUsedHereIsReleasedHere() {
        Buffer engines = Fakes.buffer("engine's", 1024, 5, true);
        TimelinePoint written =
                script.pass("write", use(engines, STORAGE_WRITE_COMPUTE)).submit(script.graphics);
        script.waitFor(written)
                .barrier(handOver(engines, 0, 1))
                .pass("acquired only", use(engines, STORAGE_WRITE_COMPUTE))
                .submit(script.compute);
        reported(Kind.WRONG_OWNER, "engine's", "", "acquired only");
    }

    @Test
    void sharedResourcesAreUsedByTheirFamiliesWithoutTransfers() {
        Buffer shared = Fakes.buffer("shared", 1024, 5, true).sharedBy(0, 1, ENGINES);
        TimelinePoint written =
                script.pass("write", use(shared, STORAGE_WRITE_COMPUTE)).submit(script.compute);
        script.waitFor(written).pass("read", use(shared, STORAGE_READ_COMPUTE)).submit(script.graphics);
        silent();
    }

    @Test
    void aFamilyThatDoesNotShareIsReported() {
        Buffer shared = Fakes.buffer("shared", 1024, 5, true).sharedBy(1, ENGINES);
        script.pass("outside", use(shared, STORAGE_WRITE_COMPUTE)).submit(script.graphics);
        reported(Kind.WRONG_OWNER, "shared", "", "outside");
        assertThat(script.checker.hazards().get(0).explanation())
                .contains("family 0")
                .contains("7");
    }

    private static final BarrierBatch.OwnershipTransfer FROM_ENGINE = new BarrierBatch.OwnershipTransfer(1, 0);
    private static final BarrierBatch.OwnershipTransfer TO_ENGINE = new BarrierBatch.OwnershipTransfer(0, 1);

    private static BarrierBatch.TextureBarrier acquire(Texture texture, TextureLayout from, TextureLayout to) {
        return Script.move(texture, Script.fromNothing(SAMPLED_FRAGMENT), from, to, FROM_ENGINE);
    }

    @Test
    void whatAnEngineHasReleasedIsAcquired() {
        Texture imported = Fakes.imported("engine's", 77, TextureLayout.SHADER_RO);
        script.barrier(acquire(imported, TextureLayout.SHADER_RO, TextureLayout.SHADER_RO))
                .pass("sample", use(imported, SAMPLED_FRAGMENT))
                .submit(script.graphics);
        silent();
        script.pass("elsewhere", use(imported, SAMPLED_FRAGMENT)).submit(script.compute);
        reported(Kind.WRONG_OWNER, "engine's", "", "elsewhere");
    }

    /** The engine's half of the transfer and ours name the same layouts; the import may be before or behind its half. */
    @Test
    void whatAnEngineHasMovedWithItsReleaseIsAcquired() {
        for (TextureLayout at : new TextureLayout[] {TextureLayout.COLOR, TextureLayout.SHADER_RO}) {
            Texture imported = Fakes.imported("engine's", 77 + at.ordinal(), at);
            script.barrier(acquire(imported, TextureLayout.COLOR, TextureLayout.SHADER_RO))
                    .pass("sample", use(imported, SAMPLED_FRAGMENT))
                    .submit(script.graphics);
        }
        silent();
    }

    @Test
    void anotherLayoutThanThatOfTheImportIsReported() {
        Texture imported = Fakes.imported("engine's", 77, TextureLayout.GENERAL);
        script.barrier(acquire(imported, TextureLayout.COLOR, TextureLayout.SHADER_RO))
                .pass("sample", use(imported, SAMPLED_FRAGMENT))
                .submit(script.graphics);
        reported(Kind.WRONG_LAYOUT, "engine's", "", "sample");
    }

    @Test
    void whatAnEngineHasGotBackItMayGiveAgain() {
        Texture imported = Fakes.imported("engine's", 77, TextureLayout.SHADER_RO);
        BarrierBatch.Scope release = new BarrierBatch.Scope(SAMPLED_FRAGMENT.stages(), 0, 0, 0);
        script.barrier(acquire(imported, TextureLayout.SHADER_RO, TextureLayout.SHADER_RO))
                .pass("sample", use(imported, SAMPLED_FRAGMENT))
                .barrier(
                        Script.move(imported, release, TextureLayout.SHADER_RO, TextureLayout.TRANSFER_DST, TO_ENGINE));
        TimelinePoint released = script.submit(script.graphics);
        script.waitFor(released)
                .barrier(acquire(imported, TextureLayout.COLOR, TextureLayout.SHADER_RO))
                .pass("sample", use(imported, SAMPLED_FRAGMENT))
                .submit(script.graphics);
        silent();
    }

    /** What Frameloom has made nobody else has released. */
    @Test
    void whatIsOursIsNotAcquiredFromAnEngine() {
        script.barrier(acquire(texture, TextureLayout.UNDEFINED, TextureLayout.SHADER_RO))
                .submit(script.graphics);
        assertThat(script.checker.hazards()).extracting(Hazard::kind).contains(Kind.WRONG_OWNER);
    }

    @Test
    void whatIsAcquiredOnceIsNotAcquiredAgain() {
        Texture imported = Fakes.imported("engine's", 77, TextureLayout.SHADER_RO);
        script.barrier(acquire(imported, TextureLayout.SHADER_RO, TextureLayout.SHADER_RO))
                .full()
                .barrier(acquire(imported, TextureLayout.SHADER_RO, TextureLayout.SHADER_RO))
                .submit(script.graphics);
        assertThat(script.checker.hazards()).extracting(Hazard::kind).containsExactly(Kind.WRONG_OWNER);
    }

    /** The rest was used here and not released, so that no engine can have released it either. */
    @Test
    void moreThanWasReleasedIsNotAcquired() {
        Buffer imported = Fakes.buffer("engine's", 1024, 78, true);
        script.pass("write", use(imported, STORAGE_WRITE_COMPUTE))
                .barrier(new BarrierBatch.BufferBarrier(
                        imported, 0, 512, Script.scope(STORAGE_WRITE_COMPUTE, STORAGE_READ_COMPUTE), TO_ENGINE));
        TimelinePoint released = script.submit(script.graphics);
        script.waitFor(released)
                .barrier(new BarrierBatch.BufferBarrier(
                        imported, 0, 1024, Script.scope(STORAGE_WRITE_COMPUTE, STORAGE_READ_COMPUTE), TO_ENGINE))
                .submit(script.compute);
        assertThat(script.checker.hazards()).extracting(Hazard::kind).containsExactly(Kind.WRONG_OWNER);
    }
}
