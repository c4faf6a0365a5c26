package io.frameloom.gpu.check;

import static io.frameloom.gpu.check.Fakes.use;
import static io.frameloom.gpu.command.Access.COLOR_WRITE;
import static io.frameloom.gpu.command.Access.COPY_DST;
import static io.frameloom.gpu.command.Access.COPY_SRC;
import static io.frameloom.gpu.command.Access.HOST_READ;
import static io.frameloom.gpu.command.Access.PRESENT;
import static io.frameloom.gpu.command.Access.SAMPLED_COMPUTE;
import static io.frameloom.gpu.command.Access.SAMPLED_FRAGMENT;
import static io.frameloom.gpu.command.Access.STORAGE_READ_COMPUTE;
import static io.frameloom.gpu.command.Access.STORAGE_READ_VERTEX;
import static io.frameloom.gpu.command.Access.STORAGE_READ_WRITE_COMPUTE;
import static io.frameloom.gpu.command.Access.STORAGE_WRITE_COMPUTE;
import static io.frameloom.gpu.command.Access.VERTEX;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.check.Hazard.Kind;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.MemoryHeap;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Correct sequences are silent; each defect is reported with kind and names. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HazardCheckerTest {
    private final Script script = new Script();
    private final Buffer buffer = Fakes.buffer("particles", 1024);
    private final Texture texture = Fakes.texture("albedo", 4, 2);

    private void silent() {
        assertThat(script.checker.hazards()).isEmpty();
        assertThat(script.checker.total()).isZero();
    }

    private void reported(Kind kind, String resource, String first, String second) {
        List<Hazard> hazards = script.checker.hazards();
        assertThat(hazards).as("%s", hazards).anySatisfy(hazard -> {
            assertThat(hazard.kind()).isEqualTo(kind);
            assertThat(hazard.resource()).isEqualTo(resource);
            assertThat(hazard.firstPass()).isEqualTo(first);
            assertThat(hazard.secondPass()).isEqualTo(second);
            assertThat(hazard.explanation()).contains(resource);
        });
    }

    @Test
    void readAfterWriteWithABarrier() {
        script.pass("simulate", use(buffer, STORAGE_WRITE_COMPUTE))
                .barrier(Script.on(buffer, Script.scope(STORAGE_WRITE_COMPUTE, STORAGE_READ_VERTEX)))
                .pass("draw", use(buffer, STORAGE_READ_VERTEX))
                .submit(script.graphics);
        silent();
        assertThat(script.checker.passesChecked()).isEqualTo(2);
        assertThat(script.checker.submissionsChecked()).isEqualTo(1);
    }

    @Test
    void readAfterWriteWithoutABarrier() {
        for (int frame = 0; frame < 3; frame++) {
            script.pass("simulate", use(buffer, STORAGE_WRITE_COMPUTE))
                    .pass("draw", use(buffer, STORAGE_READ_VERTEX))
                    .full();
            TimelinePoint done = script.submit(script.graphics);
            script.checker.hostWaited(done);
        }
        reported(Kind.READ_AFTER_WRITE, "particles", "simulate", "draw");
        assertThat(script.checker.hazards()).hasSize(1);
        assertThat(script.checker.occurrences(script.checker.hazards().get(0))).isEqualTo(3);
    }

    @Test
    void submissionOrderIsNoOrder() {
        script.pass("simulate", use(buffer, STORAGE_WRITE_COMPUTE)).submit(script.graphics);
        script.pass("draw", use(buffer, STORAGE_READ_VERTEX)).submit(script.graphics);
        reported(Kind.READ_AFTER_WRITE, "particles", "simulate", "draw");
    }

    @Test
    void wrongStageAndWrongAccess() {
        script.pass("simulate", use(buffer, STORAGE_WRITE_COMPUTE))
                .barrier(Script.on(buffer, Script.scope(STORAGE_WRITE_COMPUTE, SAMPLED_FRAGMENT)))
                .pass("wrong stage", use(buffer, STORAGE_READ_VERTEX))
                .submit(script.graphics);
        reported(Kind.READ_AFTER_WRITE, "particles", "simulate", "wrong stage");
        Script second = new Script();
        second.pass("simulate", use(buffer, STORAGE_WRITE_COMPUTE))
                .barrier(new BarrierBatch.Scope(STORAGE_WRITE_COMPUTE.stages(), 0, STORAGE_READ_COMPUTE.stages(), 0))
                .pass("execution only", use(buffer, STORAGE_READ_COMPUTE))
                .submit(second.graphics);
        assertThat(second.checker.hazards()).singleElement().satisfies(hazard -> {
            assertThat(hazard.kind()).isEqualTo(Kind.READ_AFTER_WRITE);
            assertThat(hazard.explanation()).contains("ordered").contains("available");
        });
    }

    @Test
    void writeAfterReadNeedsExecutionOnly() {
        script.full()
                .pass("fill", use(buffer, COPY_DST))
                .full()
                .pass("read", use(buffer, STORAGE_READ_COMPUTE))
                .barrier(new BarrierBatch.Scope(
                        STORAGE_READ_COMPUTE.stages(), 0, COPY_DST.stages(), COPY_DST.memoryAccess()))
                .pass("overwrite", use(buffer, COPY_DST))
                .submit(script.graphics);
        silent();
        script.pass("again", use(buffer, STORAGE_READ_COMPUTE))
                .pass("race", use(buffer, STORAGE_WRITE_COMPUTE))
                .submit(script.graphics);
        reported(Kind.WRITE_AFTER_READ, "particles", "again", "race");
    }

    @Test
    void writeAfterWrite() {
        script.pass("one", use(buffer, STORAGE_WRITE_COMPUTE))
                .pass("two", use(buffer, COPY_DST))
                .submit(script.graphics);
        reported(Kind.WRITE_AFTER_WRITE, "particles", "one", "two");
    }

    @Test
    void barriersChain() {
        script.pass("simulate", use(buffer, STORAGE_WRITE_COMPUTE))
                .barrier(Script.on(buffer, Script.scope(STORAGE_WRITE_COMPUTE, COPY_SRC)))
                .barrier(new BarrierBatch.Scope(
                        COPY_SRC.stages(), 0, STORAGE_READ_VERTEX.stages(), STORAGE_READ_VERTEX.memoryAccess()))
                .pass("draw", use(buffer, STORAGE_READ_VERTEX))
                .submit(script.graphics);
        silent();
    }

    @Test
    void barriersWithoutACommonStageDoNotChain() {
        script.pass("simulate", use(buffer, STORAGE_WRITE_COMPUTE))
                .barrier(Script.on(buffer, Script.scope(STORAGE_WRITE_COMPUTE, COPY_SRC)))
                .barrier(new BarrierBatch.Scope(
                        PipelineStage.HOST.bit(), 0, STORAGE_READ_VERTEX.stages(), STORAGE_READ_VERTEX.memoryAccess()))
                .pass("draw", use(buffer, STORAGE_READ_VERTEX))
                .submit(script.graphics);
        reported(Kind.READ_AFTER_WRITE, "particles", "simulate", "draw");
    }

    @Test
    void aBarrierOfAnotherBufferOrdersButDoesNotMakeVisible() {
        Buffer other = Fakes.buffer("other", 16);
        script.pass("simulate", use(buffer, STORAGE_WRITE_COMPUTE))
                .barrier(Script.on(other, Script.scope(STORAGE_WRITE_COMPUTE, STORAGE_READ_COMPUTE)))
                .pass("read", use(buffer, STORAGE_READ_COMPUTE))
                .submit(script.graphics);
        reported(Kind.READ_AFTER_WRITE, "particles", "simulate", "read");
    }

    @Test
    void waitsCarryEverythingAndNarrowWaitsOnlyTheirStages() {
        TimelinePoint written =
                script.pass("simulate", use(buffer, STORAGE_WRITE_COMPUTE)).submit(script.compute);
        script.waitFor(written, PipelineStage.VERTEX_SHADER.bit())
                .pass("draw", use(buffer, STORAGE_READ_VERTEX))
                .submit(script.graphics);
        silent();
        script.pass("early copy", use(buffer, COPY_SRC)).submit(script.graphics);
        reported(Kind.READ_AFTER_WRITE, "particles", "simulate", "early copy");
    }

    @Test
    void aMissingWaitAcrossQueues() {
        script.pass("simulate", use(buffer, STORAGE_WRITE_COMPUTE)).submit(script.compute);
        script.full().pass("draw", use(buffer, STORAGE_READ_VERTEX)).submit(script.graphics);
        reported(Kind.READ_AFTER_WRITE, "particles", "simulate", "draw");
    }

    @Test
    void whatTheHostWaitedForIsSeenByLaterSubmissions() {
        TimelinePoint written =
                script.pass("simulate", use(buffer, STORAGE_WRITE_COMPUTE)).submit(script.compute);
        script.checker.hostWaited(written);
        script.pass("draw", use(buffer, STORAGE_READ_VERTEX)).submit(script.graphics);
        silent();
    }

    @Test
    void disjointRangesDoNotConflict() {
        script.pass("low", use(buffer, 0, 512, STORAGE_WRITE_COMPUTE))
                .pass("high", use(buffer, 512, 512, COPY_DST))
                .submit(script.graphics);
        silent();
        script.pass("middle", use(buffer, 500, 24, COPY_DST)).submit(script.graphics);
        reported(Kind.WRITE_AFTER_WRITE, "particles", "low", "middle");
        reported(Kind.WRITE_AFTER_WRITE, "particles", "high", "middle");
    }

    @Test
    void mipChainWithBarriersPerMip() {
        script.barrier(Script.move(
                        texture, Script.fromNothing(COPY_DST), TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST))
                .pass("upload", use(texture, COPY_DST));
        for (int layer = 0; layer < 2; layer++) {
            for (int mip = 0; mip < 3; mip++) {
                SubresourceRange from = new SubresourceRange(mip, 1, layer, 1, 0, 1);
                SubresourceRange to = new SubresourceRange(mip + 1, 1, layer, 1, 0, 1);
                script.barrier(
                        new BarrierBatch.TextureBarrier(
                                texture,
                                from,
                                Script.scope(COPY_DST, COPY_SRC),
                                TextureLayout.TRANSFER_DST,
                                TextureLayout.TRANSFER_SRC,
                                null),
                        new BarrierBatch.TextureBarrier(
                                texture,
                                to,
                                Script.scope(COPY_DST, COPY_DST),
                                TextureLayout.TRANSFER_DST,
                                TextureLayout.TRANSFER_DST,
                                null));
                script.pass(
                        "mip " + mip,
                        use(texture, from, COPY_SRC, TextureLayout.TRANSFER_SRC),
                        use(texture, to, COPY_DST, TextureLayout.TRANSFER_DST));
            }
        }
        script.submit(script.graphics);
        silent();
    }

    @Test
    void wrongLayouts() {
        script.pass("sample", use(texture, SAMPLED_FRAGMENT)).submit(script.graphics);
        reported(Kind.WRONG_LAYOUT, "albedo", "", "sample");
        reported(Kind.UNDEFINED_CONTENTS, "albedo", "", "sample");
        Script second = new Script();
        Texture other = Fakes.texture("other", 1, 1);
        second.barrier(Script.move(
                        other, Script.fromNothing(COPY_DST), TextureLayout.GENERAL, TextureLayout.TRANSFER_DST))
                .pass("upload", use(other, COPY_DST))
                .submit(second.graphics);
        assertThat(second.checker.hazards()).singleElement().satisfies(hazard -> {
            assertThat(hazard.kind()).isEqualTo(Kind.WRONG_LAYOUT);
            assertThat(hazard.secondPass()).isEqualTo("upload");
            assertThat(hazard.explanation()).contains("GENERAL").contains("UNDEFINED");
        });
    }

    @Test
    void aTransitionIsAWrite() {
        script.barrier(Script.move(
                        texture, Script.fromNothing(COPY_DST), TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST))
                .pass("upload", use(texture, COPY_DST))
                .barrier(Script.move(
                        texture,
                        Script.scope(STORAGE_WRITE_COMPUTE, SAMPLED_FRAGMENT),
                        TextureLayout.TRANSFER_DST,
                        TextureLayout.SHADER_RO))
                .pass("sample", use(texture, SAMPLED_FRAGMENT))
                .submit(script.graphics);
        reported(Kind.WRITE_AFTER_WRITE, "albedo", "upload", "sample");
        Script second = new Script();
        second.barrier(Script.move(
                        texture, Script.fromNothing(COPY_DST), TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST))
                .pass("upload", use(texture, COPY_DST))
                .barrier(Script.move(
                        texture,
                        Script.scope(COPY_DST, SAMPLED_COMPUTE),
                        TextureLayout.TRANSFER_DST,
                        TextureLayout.SHADER_RO))
                .pass("sample", use(texture, SAMPLED_FRAGMENT))
                .submit(second.graphics);
        assertThat(second.checker.hazards()).singleElement().satisfies(hazard -> {
            assertThat(hazard.kind()).isEqualTo(Kind.READ_AFTER_WRITE);
            assertThat(hazard.firstPass()).contains("transition");
        });
    }

    @Test
    void transitionsAtTheTailReachOtherQueues() {
        BarrierBatch.Scope tail =
                new BarrierBatch.Scope(COLOR_WRITE.stages(), COLOR_WRITE.memoryAccess(), PipelineStage.NONE, 0);
        script.barrier(Script.move(
                        texture, Script.fromNothing(COLOR_WRITE), TextureLayout.UNDEFINED, TextureLayout.COLOR))
                .pass("draw", use(texture, COLOR_WRITE))
                .barrier(Script.move(texture, tail, TextureLayout.COLOR, TextureLayout.SHADER_RO));
        TimelinePoint drawn = script.submit(script.graphics);
        script.waitFor(drawn).pass("blur", use(texture, SAMPLED_COMPUTE)).submit(script.compute);
        silent();
    }

    @Test
    void undefinedContents() {
        script.pass("read", use(buffer, STORAGE_READ_COMPUTE)).submit(script.graphics);
        reported(Kind.UNDEFINED_CONTENTS, "particles", "", "read");
        Script second = new Script();
        Buffer upload = new Fakes.FakeBuffer("upload", BufferDescription.upload(64, BufferUsage.COPY_SRC), null);
        second.pass("copy", use(upload, COPY_SRC)).submit(second.graphics);
        assertThat(second.checker.hazards()).isEmpty();
    }

    @Test
    void hostReadsNeedABarrierToTheHost() {
        script.pass("copy", use(buffer, COPY_DST))
                .barrier(Script.on(buffer, Script.scope(COPY_DST, HOST_READ)))
                .pass("readback", use(buffer, HOST_READ))
                .submit(script.graphics);
        silent();
        Script second = new Script();
        second.pass("copy", use(buffer, COPY_DST))
                .full()
                .pass("readback", use(buffer, HOST_READ))
                .submit(second.graphics);
        assertThat(second.checker.hazards())
                .singleElement()
                .satisfies(hazard -> assertThat(hazard.kind()).isEqualTo(Kind.READ_AFTER_WRITE));
    }

    @Test
    void presentingFollowsTheQueueAndWhatThatHasWaitedFor() {
        BarrierBatch.Scope tail =
                new BarrierBatch.Scope(COLOR_WRITE.stages(), COLOR_WRITE.memoryAccess(), PipelineStage.NONE, 0);
        script.barrier(Script.move(
                        texture, Script.fromNothing(COLOR_WRITE), TextureLayout.UNDEFINED, TextureLayout.COLOR))
                .pass("draw", use(texture, COLOR_WRITE))
                .barrier(Script.move(texture, tail, TextureLayout.COLOR, TextureLayout.PRESENT))
                .pass("present here", use(texture, PRESENT));
        TimelinePoint drawn = script.submit(script.graphics);
        script.waitFor(drawn).pass("present there", use(texture, PRESENT)).submit(script.compute);
        silent();
        script.pass("present without a wait", use(texture, PRESENT)).submit(script.copy);
        reported(Kind.READ_AFTER_WRITE, "albedo", "transition of 'albedo' to PRESENT", "present without a wait");
    }

    @Test
    void useAfterClose() {
        buffer.close();
        script.pass("late", use(buffer, COPY_DST)).submit(script.graphics);
        reported(Kind.USE_AFTER_FREE, "particles", "", "late");
    }

    @Test
    void undeclaredReadsAfterClose() {
        buffer.close();
        script.undeclaredRead("late", buffer, VERTEX).submit(script.graphics);
        reported(Kind.USE_AFTER_FREE, "particles", "", "late");
    }

    @Test
    void undeclaredReadsComeAfterWritesOfAliases() {
        MemoryHeap heap = new Fakes.Heap();
        Buffer first = Fakes.buffer("first", heap, 0, 512);
        Buffer second = Fakes.buffer("second", heap, 256, 512);
        script.pass("one", use(first, STORAGE_WRITE_COMPUTE))
                .undeclaredRead("draw", second, VERTEX)
                .submit(script.graphics);
        reported(Kind.READ_AFTER_WRITE, "second", "one", "draw");
    }

    @Test
    void aliasesAreOrderedThroughTheFirstTransition() {
        MemoryHeap heap = new Fakes.Heap();
        Texture first = Fakes.texture("first", heap, 0, 4096);
        Texture second = Fakes.texture("second", heap, 2048, 4096);
        script.barrier(Script.move(
                        first, Script.fromNothing(COLOR_WRITE), TextureLayout.UNDEFINED, TextureLayout.COLOR))
                .pass("draw", use(first, COLOR_WRITE))
                .barrier(Script.move(
                        first,
                        Script.scope(COLOR_WRITE, SAMPLED_FRAGMENT),
                        TextureLayout.COLOR,
                        TextureLayout.SHADER_RO))
                .pass("sample", use(first, SAMPLED_FRAGMENT))
                .barrier(Script.move(
                        second,
                        new BarrierBatch.Scope(
                                SAMPLED_FRAGMENT.stages(), 0, COPY_DST.stages(), COPY_DST.memoryAccess()),
                        TextureLayout.UNDEFINED,
                        TextureLayout.TRANSFER_DST))
                .pass("fill", use(second, COPY_DST))
                .submit(script.graphics);
        silent();
        script.full().pass("stale", use(first, SAMPLED_FRAGMENT)).submit(script.graphics);
        reported(Kind.UNDEFINED_CONTENTS, "first", "", "stale");
    }

    @Test
    void aliasesWithoutOrderAreReported() {
        MemoryHeap heap = new Fakes.Heap();
        Buffer first = Fakes.buffer("first", heap, 0, 512);
        Buffer second = Fakes.buffer("second", heap, 256, 512);
        Buffer apart = Fakes.buffer("apart", heap, 1024, 512);
        script.pass("one", use(first, STORAGE_WRITE_COMPUTE))
                .pass("apart", use(apart, COPY_DST))
                .pass("upper", use(second, 256, 256, COPY_DST))
                .submit(script.graphics);
        silent();
        script.pass("lower", use(second, 0, 256, COPY_DST)).submit(script.graphics);
        reported(Kind.WRITE_AFTER_WRITE, "second", "one", "lower");
    }

    @Test
    void historyIsBounded() {
        for (int frame = 0; frame < 2_000; frame++) {
            Buffer transientBuffer = Fakes.buffer("transient", 64);
            script.pass("write", use(transientBuffer, 16, 16, STORAGE_WRITE_COMPUTE))
                    .full()
                    .pass("read", use(transientBuffer, 16, 16, STORAGE_READ_WRITE_COMPUTE));
            TimelinePoint done = script.submit(script.graphics);
            transientBuffer.close();
            script.checker.hostWaited(done);
        }
        silent();
        assertThat(script.checker.trackedResources()).isLessThan(3);
    }
}
