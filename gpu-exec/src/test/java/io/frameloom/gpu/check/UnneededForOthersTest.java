package io.frameloom.gpu.check;

import static io.frameloom.gpu.check.Fakes.use;
import static io.frameloom.gpu.command.Access.COPY_DST;
import static io.frameloom.gpu.command.Access.STORAGE_READ_COMPUTE;
import static io.frameloom.gpu.command.Access.VERTEX;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.TextureLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waits and barriers whose reason no declaration tells are not called unneeded. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnneededForOthersTest {
    private static final BarrierBatch.Scope FULL = BarrierBatch.GlobalBarrier.FULL.scope();
    private static final long HANDLE = 77;

    private final Script script = new Script(UnneededSync.Search.PARTS);
    private final Buffer buffer = Fakes.buffer("vertices", 64);
    private final Buffer engines = Fakes.buffer("engine's", 64, HANDLE, true);

    private void findsNothing(TimelinePoint last) {
        script.checker.hostWaited(last);
        script.checker.finish();
        assertThat(script.checker.hazards()).isEmpty();
        assertThat(script.checker.unneeded()).isEmpty();
    }

    @Test
    void aBarrierMayBeForACommandThatNoPassDeclares() {
        findsNothing(script.pass("upload", use(buffer, COPY_DST))
                .barrier(Script.on(buffer, Script.scope(COPY_DST, VERTEX)))
                .undeclared("draw", buffer)
                .submit(script.graphics));
    }

    @Test
    void aBarrierOfAllMemoryMayBeForACommandOutsideOfPasses() {
        findsNothing(script.pass("upload", use(buffer, COPY_DST))
                .barrier(Script.scope(COPY_DST, VERTEX))
                .undeclared(null, buffer)
                .submit(script.graphics));
    }

    @Test
    void aWaitMayBeForACommandThatNoPassDeclares() {
        TimelinePoint uploaded = script.pass("upload", use(buffer, COPY_DST)).submit(script.copy);
        findsNothing(script.waitFor(uploaded, PipelineStage.VERTEX_INPUT.bit())
                .undeclared("draw", buffer)
                .submit(script.graphics));
    }

    @Test
    void aBarrierIsNotForACommandOnSomethingElse() {
        TimelinePoint last = script.pass("upload", use(buffer, COPY_DST))
                .barrier(Script.on(buffer, Script.scope(COPY_DST, VERTEX)))
                .undeclared("draw", Fakes.buffer("other", 64))
                .submit(script.graphics);
        script.checker.hostWaited(last);
        script.checker.finish();
        assertThat(script.checker.unneeded()).extracting(UnneededSync::kind).containsExactly(UnneededSync.Kind.BARRIER);
    }

    @Test
    void theTransitionInWhichAnEngineGetsItsTextureBackIsNeeded() {
        Fakes.FakeTexture image = Fakes.imported("image", HANDLE, TextureLayout.GENERAL);
        TimelinePoint last = script.barrier(Script.move(image, FULL, TextureLayout.GENERAL, TextureLayout.TRANSFER_DST))
                .pass("fill", use(image, COPY_DST))
                .barrier(Script.move(
                        image,
                        new BarrierBatch.Scope(COPY_DST.stages(), MemoryAccess.COPY_WRITE.bit(), 0, 0),
                        TextureLayout.TRANSFER_DST,
                        TextureLayout.GENERAL))
                .submit(script.graphics);
        script.checker.hostWaited(last);
        image.close();
        script.checker.closed(image);
        script.checker.finish();
        assertThat(script.checker.unneeded())
                .filteredOn(found -> found.kind() == UnneededSync.Kind.BARRIER)
                .isEmpty();
    }

    @Test
    void itIsNeededAlsoWhereTheTextureStaysOpen() {
        Fakes.FakeTexture image = Fakes.imported("image", HANDLE, TextureLayout.GENERAL);
        script.checker.hostWaited(
                script.barrier(Script.move(image, FULL, TextureLayout.GENERAL, TextureLayout.TRANSFER_DST))
                        .pass("fill", use(image, COPY_DST))
                        .barrier(Script.move(image, FULL, TextureLayout.TRANSFER_DST, TextureLayout.GENERAL))
                        .submit(script.graphics));
        script.checker.finish();
        assertThat(script.checker.unneeded())
                .filteredOn(found -> found.kind() == UnneededSync.Kind.BARRIER)
                .isEmpty();
    }

    @Test
    void theFirstBarrierOfASubmissionMayBeForWhatAnEngineHasWritten() {
        findsNothing(script.barrier(Script.on(engines, Script.scope(COPY_DST, STORAGE_READ_COMPUTE)))
                .pass("read", use(engines, STORAGE_READ_COMPUTE))
                .submit(script.graphics));
    }

    @Test
    void theFirstBarrierOfAllMemoryMayBeForIt() {
        findsNothing(script.barrier(Script.scope(COPY_DST, STORAGE_READ_COMPUTE))
                .pass("read", use(engines, STORAGE_READ_COMPUTE))
                .submit(script.graphics));
    }

    @Test
    void aBarrierBehindTheFirstUseOfASubmissionIsNot() {
        TimelinePoint last = script.pass("read", use(engines, STORAGE_READ_COMPUTE))
                .barrier(Script.on(engines, Script.scope(STORAGE_READ_COMPUTE, STORAGE_READ_COMPUTE)))
                .pass("again", use(engines, STORAGE_READ_COMPUTE))
                .submit(script.graphics);
        script.checker.hostWaited(last);
        assertThat(script.checker.unneeded()).extracting(UnneededSync::kind).containsExactly(UnneededSync.Kind.BARRIER);
    }
}
