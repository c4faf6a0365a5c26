package io.frameloom.gpu.check;

import static io.frameloom.gpu.check.Fakes.use;
import static io.frameloom.gpu.command.Access.COPY_DST;
import static io.frameloom.gpu.command.Access.HOST_READ;
import static io.frameloom.gpu.command.Access.HOST_WRITE;
import static io.frameloom.gpu.command.Access.SAMPLED_FRAGMENT;
import static io.frameloom.gpu.command.Access.STORAGE_READ_COMPUTE;
import static io.frameloom.gpu.command.Access.STORAGE_READ_WRITE_COMPUTE;
import static io.frameloom.gpu.command.Access.STORAGE_WRITE_COMPUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.check.Hazard.Kind;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.QueueSharing;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is made exclusive belongs to the first queue family that uses it, and is handed over from then on. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MadeExclusiveTest {
    private static final int GRAPHICS = 0;
    private static final int COMPUTE = 1;
    private static final BarrierBatch.Scope FULL = BarrierBatch.GlobalBarrier.FULL.scope();

    private final Script script = new Script();
    private final Buffer buffer = Fakes.exclusive("particles", 1024);
    private final Texture texture = Fakes.exclusive("albedo", 1, 1);

    private void silent() {
        assertThat(script.checker.hazards()).isEmpty();
        assertThat(script.checker.total()).isZero();
    }

    private void wrongOwner(String resource, String pass, String explanation) {
        assertThat(script.checker.hazards()).singleElement().satisfies(hazard -> {
            assertThat(hazard.kind()).isEqualTo(Kind.WRONG_OWNER);
            assertThat(hazard.resource()).isEqualTo(resource);
            assertThat(hazard.secondPass()).isEqualTo(pass);
            assertThat(hazard.explanation()).contains(explanation);
        });
    }

    private static BarrierBatch.BufferBarrier half(Buffer of, int from, int to) {
        return new BarrierBatch.BufferBarrier(
                of, 0, of.description().bytes(), FULL, new BarrierBatch.OwnershipTransfer(from, to));
    }

    /** Writes the buffer on the graphics queue, and does not hand it over. */
    private TimelinePoint written() {
        return script.pass("write", use(buffer, STORAGE_WRITE_COMPUTE)).submit(script.graphics);
    }

    @Test
    void theFirstFamilyHandsItOverAndGetsItBack() {
        TimelinePoint given = script.pass("write", use(buffer, STORAGE_WRITE_COMPUTE))
                .barrier(half(buffer, GRAPHICS, COMPUTE))
                .submit(script.graphics);
        TimelinePoint returned = script.waitFor(given)
                .barrier(half(buffer, GRAPHICS, COMPUTE))
                .pass("continue", use(buffer, STORAGE_READ_WRITE_COMPUTE))
                .barrier(half(buffer, COMPUTE, GRAPHICS))
                .submit(script.compute);
        script.waitFor(returned)
                .barrier(half(buffer, COMPUTE, GRAPHICS))
                .pass("read", use(buffer, STORAGE_READ_COMPUTE))
                .submit(script.graphics);
        silent();
    }

    @Test
    void aTextureIsHandedOverWithItsLayout() {
        BarrierBatch.OwnershipTransfer transfer = new BarrierBatch.OwnershipTransfer(COMPUTE, GRAPHICS);
        TimelinePoint given = script.barrier(Script.move(texture, FULL, TextureLayout.UNDEFINED, TextureLayout.GENERAL))
                .pass("write", use(texture, STORAGE_WRITE_COMPUTE))
                .barrier(Script.move(texture, FULL, TextureLayout.GENERAL, TextureLayout.SHADER_RO, transfer))
                .submit(script.compute);
        script.waitFor(given)
                .barrier(Script.move(texture, FULL, TextureLayout.GENERAL, TextureLayout.SHADER_RO, transfer))
                .pass("sample", use(texture, SAMPLED_FRAGMENT))
                .submit(script.graphics);
        silent();
    }

    @Test
    void useOnAnotherFamilyWithoutATransferIsReported() {
        script.waitFor(written())
                .pass("stolen", use(buffer, STORAGE_READ_COMPUTE))
                .submit(script.compute);
        wrongOwner("particles", "stolen", "belongs to family 0");
    }

    @Test
    void aTransitionOnAnotherFamilyWithoutATransferIsReported() {
        TimelinePoint drawn = script.barrier(Script.move(texture, FULL, TextureLayout.UNDEFINED, TextureLayout.GENERAL))
                .pass("write", use(texture, STORAGE_WRITE_COMPUTE))
                .submit(script.compute);
        script.waitFor(drawn)
                .barrier(Script.move(texture, FULL, TextureLayout.GENERAL, TextureLayout.SHADER_RO))
                .pass("stolen", use(texture, SAMPLED_FRAGMENT))
                .submit(script.graphics);
        assertThat(script.checker.hazards())
                .isNotEmpty()
                .allSatisfy(hazard -> assertThat(hazard.kind()).isEqualTo(Kind.WRONG_OWNER));
    }

    @Test
    void aMissingReleaseIsReported() {
        script.waitFor(written())
                .barrier(half(buffer, GRAPHICS, COMPUTE))
                .pass("acquired only", use(buffer, STORAGE_READ_COMPUTE))
                .submit(script.compute);
        wrongOwner("particles", "acquired only", "has not released it");
    }

    @Test
    void aMissingAcquireIsReported() {
        TimelinePoint given = script.pass("write", use(buffer, STORAGE_WRITE_COMPUTE))
                .barrier(half(buffer, GRAPHICS, COMPUTE))
                .submit(script.graphics);
        script.waitFor(given)
                .pass("not acquired", use(buffer, STORAGE_READ_COMPUTE))
                .submit(script.compute);
        wrongOwner("particles", "not acquired", "is released from family 0 to 1 and not acquired");
    }

    @Test
    void whoeverDiscardsTakesItWithoutATransfer() {
        TimelinePoint taken = script.waitFor(written())
                .pass("anew", use(buffer, STORAGE_WRITE_COMPUTE, true))
                .submit(script.compute);
        silent();
        script.waitFor(taken).pass("stolen", use(buffer, STORAGE_READ_COMPUTE)).submit(script.graphics);
        wrongOwner("particles", "stolen", "belongs to family 1");
    }

    @Test
    void aTransitionThatDiscardsTakesItWithoutATransfer() {
        BarrierBatch.TextureBarrier anew = Script.move(texture, FULL, TextureLayout.UNDEFINED, TextureLayout.GENERAL);
        TimelinePoint drawn = script.barrier(anew)
                .pass("write", use(texture, STORAGE_WRITE_COMPUTE))
                .submit(script.compute);
        script.waitFor(drawn)
                .barrier(anew)
                .pass("anew", use(texture, STORAGE_WRITE_COMPUTE))
                .submit(script.graphics);
        silent();
    }

    @Test
    void otherBarriersOfTheCommandComeBeforeARelease() {
        BarrierBatch.BufferBarrier toHost =
                new BarrierBatch.BufferBarrier(buffer, 0, 1024, Script.scope(STORAGE_WRITE_COMPUTE, HOST_READ), null);
        TimelinePoint given = script.pass("write", use(buffer, STORAGE_WRITE_COMPUTE))
                .barrier(half(buffer, GRAPHICS, COMPUTE), toHost)
                .submit(script.graphics);
        silent();
        script.waitFor(given).barrier(toHost).submit(script.graphics);
        assertThat(script.checker.hazards())
                .singleElement()
                .satisfies(hazard ->
                        assertThat(hazard.explanation()).contains("uses it although it is released to family 1"));
    }

    /** As a frame does with what outlives it, which belongs to the graphics queue when it starts. */
    @Test
    void whatNobodyHasUsedMayBeReleasedAtOnce() {
        TimelinePoint given = script.barrier(half(buffer, GRAPHICS, COMPUTE)).submit(script.graphics);
        script.waitFor(given)
                .barrier(half(buffer, GRAPHICS, COMPUTE))
                .pass("write", use(buffer, STORAGE_WRITE_COMPUTE, false))
                .submit(script.compute);
        silent();
    }

    @Test
    void whatNobodyHasUsedIsNotAcquired() {
        script.barrier(half(buffer, GRAPHICS, COMPUTE))
                .pass("write", use(buffer, STORAGE_WRITE_COMPUTE))
                .submit(script.compute);
        wrongOwner("particles", "write", "has not released it");
    }

    @Test
    void partsBelongToDifferentFamilies() {
        script.pass("low", use(buffer, 0, 512, STORAGE_WRITE_COMPUTE)).submit(script.graphics);
        TimelinePoint high =
                script.pass("high", use(buffer, 512, 512, COPY_DST)).submit(script.copy);
        silent();
        script.waitFor(high)
                .pass("read low", use(buffer, 0, 512, STORAGE_READ_COMPUTE))
                .pass("stolen", use(buffer, 512, 512, STORAGE_READ_COMPUTE))
                .barrier(FULL)
                .submit(script.graphics);
        assertThat(script.checker.hazards())
                .filteredOn(hazard -> hazard.kind() == Kind.WRONG_OWNER)
                .singleElement()
                .satisfies(hazard -> assertThat(hazard.secondPass()).isEqualTo("stolen"));
    }

    /** What aliasing has taken the contents of is as if it were made anew. */
    @Test
    void whatLostItsContentsToAnAliasBelongsToNobody() {
        Fakes.Heap heap = new Fakes.Heap();
        Buffer first = Fakes.exclusive("first", heap, 0, 256);
        Buffer second = Fakes.buffer("second", heap, 0, 256);
        script.pass("write", use(first, STORAGE_WRITE_COMPUTE))
                .full()
                .pass("alias", use(second, STORAGE_WRITE_COMPUTE));
        TimelinePoint done = script.submit(script.graphics);
        TimelinePoint again = script.waitFor(done)
                .full()
                .pass("again", use(first, STORAGE_WRITE_COMPUTE, false))
                .submit(script.compute);
        silent();
        script.waitFor(again).pass("stolen", use(first, STORAGE_READ_COMPUTE)).submit(script.graphics);
        wrongOwner("first", "stolen", "belongs to family 1");
    }

    /** The host is of no queue family, so what it writes first belongs to the first queue that reads it. */
    @Test
    void theHostOwnsNothing() {
        Buffer mapped = new Fakes.FakeBuffer(
                "mapped", BufferDescription.upload(64, BufferUsage.STORAGE).withSharing(QueueSharing.EXCLUSIVE), null);
        script.pass("fill", use(mapped, HOST_WRITE)).submit(script.graphics);
        TimelinePoint read =
                script.pass("read", use(mapped, STORAGE_READ_COMPUTE)).submit(script.compute);
        silent();
        script.waitFor(read, PipelineStage.ALL_COMMANDS.bit())
                .pass("stolen", use(mapped, STORAGE_READ_COMPUTE))
                .submit(script.graphics);
        wrongOwner("mapped", "stolen", "belongs to family 1");
    }
}
