package io.frameloom.gpu.check;

import static io.frameloom.gpu.check.Fakes.use;
import static io.frameloom.gpu.command.Access.COLOR_READ_WRITE;
import static io.frameloom.gpu.command.Access.COLOR_WRITE;
import static io.frameloom.gpu.command.Access.COPY_DST;
import static io.frameloom.gpu.command.Access.STORAGE_READ_COMPUTE;
import static io.frameloom.gpu.command.Access.STORAGE_READ_WRITE_COMPUTE;
import static io.frameloom.gpu.command.Access.STORAGE_WRITE_COMPUTE;
import static io.frameloom.gpu.command.Access.UNIFORM_GRAPHICS;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.check.Hazard.Kind;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.MemoryHeap;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A write behind a write needs order and availability, and no visibility; what also reads needs that, too. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WriteAfterWriteTest {
    private static final int DRAWING = PipelineStage.mask(PipelineStage.VERTEX_SHADER, PipelineStage.FRAGMENT_SHADER);

    private final Script script = new Script();
    private final Buffer buffer = Fakes.buffer("uniforms", 256);

    private static BarrierBatch.Scope execution(int from, int to) {
        return new BarrierBatch.Scope(from, 0, to, 0);
    }

    /** The dependency on a write without any destination access. */
    private static BarrierBatch.Scope available(Access from, Access to) {
        return new BarrierBatch.Scope(
                from.stages(), MemoryAccess.writesOf(from.memoryAccess()), to.stages(), MemoryAccess.NONE);
    }

    private void hasOnly(Kind kind) {
        assertThat(script.checker.hazards()).extracting(Hazard::kind).containsExactly(kind);
    }

    @Test
    void anExecutionBarrierBehindTheReadsIsEnoughToWriteAgain() {
        for (int frame = 0; frame < 3; frame++) {
            if (frame > 0) {
                script.barrier(execution(DRAWING, PipelineStage.COPY.bit()));
            }
            script.pass("copy" + frame, use(buffer, COPY_DST))
                    .barrier(Script.scope(COPY_DST, UNIFORM_GRAPHICS))
                    .pass("draw" + frame, use(buffer, UNIFORM_GRAPHICS))
                    .submit(script.graphics);
        }
        assertThat(script.checker.hazards()).isEmpty();
    }

    @Test
    void anExecutionBarrierBehindAWaitIsEnoughToWriteAgain() {
        TimelinePoint uploaded = script.pass("upload", use(buffer, COPY_DST)).submit(script.copy);
        script.waitFor(uploaded, PipelineStage.COMPUTE_SHADER.bit())
                .pass("read", use(buffer, STORAGE_READ_COMPUTE))
                .barrier(execution(PipelineStage.COMPUTE_SHADER.bit(), PipelineStage.COPY.bit()))
                .pass("overwrite", use(buffer, COPY_DST))
                .submit(script.graphics);
        assertThat(script.checker.hazards()).isEmpty();
    }

    @Test
    void anExecutionBarrierBehindABarrierOfOneTextureIsEnoughToWriteAgain() {
        Texture texture = Fakes.texture("storage", 1, 1);
        script.barrier(Script.move(
                        texture,
                        Script.fromNothing(STORAGE_WRITE_COMPUTE),
                        TextureLayout.UNDEFINED,
                        TextureLayout.GENERAL))
                .pass("ping", use(texture, STORAGE_WRITE_COMPUTE))
                .barrier(Script.move(
                        texture,
                        Script.scope(STORAGE_WRITE_COMPUTE, STORAGE_READ_COMPUTE),
                        TextureLayout.GENERAL,
                        TextureLayout.GENERAL))
                .pass("read", use(texture, STORAGE_READ_COMPUTE))
                .barrier(execution(PipelineStage.COMPUTE_SHADER.bit(), PipelineStage.COMPUTE_SHADER.bit()))
                .pass("pong", use(texture, STORAGE_WRITE_COMPUTE))
                .submit(script.graphics);
        assertThat(script.checker.hazards()).isEmpty();
    }

    @Test
    void aWriteThatIsMadeAvailableMayBeOverwritten() {
        script.pass("first", use(buffer, COPY_DST))
                .barrier(available(COPY_DST, COPY_DST))
                .pass("second", use(buffer, COPY_DST))
                .submit(script.graphics);
        assertThat(script.checker.hazards()).isEmpty();
    }

    @Test
    void aWriteThatIsNotMadeAvailableMayNot() {
        script.pass("first", use(buffer, COPY_DST))
                .barrier(execution(PipelineStage.COPY.bit(), PipelineStage.COPY.bit()))
                .pass("second", use(buffer, COPY_DST))
                .submit(script.graphics);
        hasOnly(Kind.WRITE_AFTER_WRITE);
        assertThat(script.checker.hazards().get(0).explanation())
                .contains("not made available")
                .doesNotContain("visible");
    }

    @Test
    void anAvailableWriteThatNothingOrdersMayNotBeOverwritten() {
        script.pass("first", use(buffer, COPY_DST))
                .barrier(Script.scope(COPY_DST, STORAGE_READ_COMPUTE))
                .pass("read", use(buffer, STORAGE_READ_COMPUTE))
                .pass("second", use(buffer, COPY_DST))
                .submit(script.graphics);
        assertThat(script.checker.hazards())
                .extracting(Hazard::kind)
                .containsExactlyInAnyOrder(Kind.WRITE_AFTER_WRITE, Kind.WRITE_AFTER_READ);
    }

    @Test
    void whatReadsAndWritesNeedsTheVisibilityOfItsReads() {
        script.pass("first", use(buffer, STORAGE_WRITE_COMPUTE))
                .barrier(available(STORAGE_WRITE_COMPUTE, STORAGE_READ_WRITE_COMPUTE))
                .pass("second", use(buffer, STORAGE_READ_WRITE_COMPUTE))
                .submit(script.graphics);
        hasOnly(Kind.READ_AFTER_WRITE);
    }

    @Test
    void whatReadsAndWritesNeedsNoVisibilityOfItsWrites() {
        script.pass("first", use(buffer, STORAGE_WRITE_COMPUTE))
                .barrier(Script.scope(STORAGE_WRITE_COMPUTE, STORAGE_READ_COMPUTE))
                .pass("second", use(buffer, STORAGE_READ_WRITE_COMPUTE))
                .submit(script.graphics);
        assertThat(script.checker.hazards()).isEmpty();
    }

    @Test
    void aTransitionIsAvailableToTheWritesBehindIt() {
        Texture texture = Fakes.texture("target", 1, 1);
        script.barrier(Script.move(
                        texture, execution(0, COLOR_WRITE.stages()), TextureLayout.UNDEFINED, TextureLayout.COLOR))
                .pass("draw", use(texture, COLOR_WRITE))
                .submit(script.graphics);
        assertThat(script.checker.hazards()).isEmpty();
    }

    @Test
    void aTransitionThatNothingOrdersIsNot() {
        Texture texture = Fakes.texture("target", 1, 1);
        script.barrier(Script.move(texture, execution(0, 0), TextureLayout.UNDEFINED, TextureLayout.COLOR))
                .pass("draw", use(texture, COLOR_WRITE))
                .submit(script.graphics);
        hasOnly(Kind.WRITE_AFTER_WRITE);
    }

    @Test
    void whatLoadsBehindATransitionHasToSeeIt() {
        Texture texture = Fakes.texture("target", 1, 1);
        script.barrier(Script.move(
                        texture, Script.fromNothing(COLOR_WRITE), TextureLayout.UNDEFINED, TextureLayout.GENERAL))
                .pass(
                        "draw",
                        use(texture, SubresourceRange.all(texture.description()), COLOR_WRITE, TextureLayout.GENERAL))
                .barrier(Script.move(
                        texture, available(COLOR_WRITE, COLOR_READ_WRITE), TextureLayout.GENERAL, TextureLayout.COLOR))
                .pass("blend", use(texture, COLOR_READ_WRITE))
                .submit(script.graphics);
        hasOnly(Kind.READ_AFTER_WRITE);
    }

    @Test
    void whatIsAvailableMayBeOverwrittenThroughAnAliasInSpiteOfABarrierOfOneBuffer() {
        MemoryHeap heap = new Fakes.Heap();
        Buffer low = Fakes.buffer("low", heap, 0, 256);
        Buffer high = Fakes.buffer("high", heap, 0, 256);
        script.pass("first", use(low, COPY_DST))
                .barrier(Script.on(low, Script.scope(COPY_DST, STORAGE_READ_COMPUTE)))
                .pass("read", use(low, STORAGE_READ_COMPUTE))
                .barrier(execution(PipelineStage.COMPUTE_SHADER.bit(), PipelineStage.COPY.bit()))
                .pass("second", use(high, COPY_DST))
                .submit(script.graphics);
        assertThat(script.checker.hazards()).isEmpty();
    }

    @Test
    void theSearchFindsThatWritesNeedNoDestinationAccess() {
        Script search = new Script(UnneededSync.Search.PARTS);
        search.pass("first", use(buffer, COPY_DST))
                .barrier(Script.scope(COPY_DST, COPY_DST))
                .pass("second", use(buffer, COPY_DST))
                .submit(search.graphics);
        search.checker.finish();
        assertThat(search.checker.hazards()).isEmpty();
        assertThat(search.checker.unneeded())
                .extracting(UnneededSync::kind)
                .containsExactly(UnneededSync.Kind.DESTINATION_ACCESS);
    }
}
