package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.tools.GraphFile;
import io.frameloom.rdg.tools.PlanDiff;
import io.frameloom.rdg.tools.PlanJson;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Passes of the host: where the plan puts them, and what is made visible to them. */
@Timeout(60)
class HostPassTest {
    private static final long BYTES = 256;
    private static final BufferDescription DEVICE =
            BufferDescription.device(BYTES, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);
    private static final BufferDescription UPLOAD = BufferDescription.upload(BYTES, BufferUsage.COPY_SRC);

    private final RenderGraph graph =
            new RenderGraph("frame", RdgOptions.defaults().withDebug(true));
    private final RdgBuffer result = graph.createBuffer("result", BufferDescription.readback(BYTES));
    private final RdgBuffer upload = graph.createBuffer("upload", UPLOAD);
    private final RdgBuffer out = graph.createBuffer("out", DEVICE);

    private FramePlan plan() {
        return plan(RdgOptions.defaults());
    }

    private FramePlan plan(RdgOptions options) {
        return new RenderGraphCompiler(options).compile(graph, QueueTopology.graphicsAndCompute(), PlanCase.SIZER);
    }

    private PassBuilder compute() {
        PassBuilder pass = graph.addPass("compute", PassKind.COPY).overwrites(result, Access.COPY_DST);
        pass.record(context -> {});
        return pass;
    }

    private PassBuilder decide() {
        PassBuilder pass =
                graph.hostPass("decide").reads(result, Access.HOST_READ).overwrites(upload, Access.HOST_WRITE);
        pass.run(context -> {});
        return pass;
    }

    private PassBuilder use() {
        PassBuilder pass = graph.addPass("use", PassKind.COPY)
                .reads(upload, Access.COPY_SRC)
                .overwrites(out, Access.COPY_DST);
        pass.record(context -> {});
        graph.extract(out);
        return pass;
    }

    private static FramePlan.PassPlan pass(FramePlan plan, String name) {
        return plan.passes().stream()
                .filter(pass -> pass.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static FramePlan.Batch batch(FramePlan plan, String name) {
        int index = pass(plan, name).index();
        return plan.batches().stream()
                .filter(batch -> batch.passes().contains(index))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void standsBetweenTheBatchesThatItDependsOnAndThoseThatDependOnIt() {
        compute();
        decide();
        use();
        FramePlan plan = plan();
        int host = plan.queues().host();
        assertThat(host).isEqualTo(2);
        assertThat(plan.queues().ofDevice()).isEqualTo(QueueTopology.graphicsAndCompute());
        assertThat(plan.passes()).extracting(FramePlan.PassPlan::queue).containsExactly(0, host, 0);
        assertThat(plan.passes()).extracting(FramePlan.PassPlan::level).containsExactly(0, 1, 2);
        assertThat(plan.batches())
                .extracting(FramePlan.Batch::passes)
                .containsExactly(List.of(0), List.of(1), List.of(2));
        assertThat(batch(plan, "decide").waits())
                .singleElement()
                .satisfies(wait -> assertThat(wait.batch()).isZero());
        assertThat(batch(plan, "use").waits())
                .singleElement()
                .satisfies(wait -> assertThat(wait.batch()).isEqualTo(1));
        assertThat(batch(plan, "decide").waits().get(0).reason())
                .contains("compute")
                .contains("decide");
    }

    @Test
    void whatItReadsIsShownToTheHostBehindTheWriterAndNothingStandsAtThePassItself() {
        compute();
        decide();
        use();
        FramePlan plan = plan();
        assertThat(pass(plan, "compute").after()).singleElement().satisfies(barrier -> {
            assertThat(barrier.resource()).isEqualTo(result.index());
            assertThat(barrier.scope().srcAccess()).isEqualTo(MemoryAccess.COPY_WRITE.bit());
            assertThat(barrier.scope().dstStages()).isEqualTo(PipelineStage.HOST.bit());
            assertThat(barrier.scope().dstAccess()).isEqualTo(MemoryAccess.HOST_READ.bit());
        });
        assertThat(pass(plan, "decide").before()).isEmpty();
        assertThat(pass(plan, "decide").after()).isEmpty();
        assertThat(pass(plan, "use").before()).noneMatch(barrier -> barrier.resource() == upload.index());
    }

    /** A write of the device that is not available to the host may land behind what the host writes. */
    @Test
    void whatItWritesOverIsMadeAvailableToTheHostBehindTheLastWriteAndNotBehindReads() {
        compute();
        copyResult();
        graph.hostPass("over").overwrites(result, Access.HOST_WRITE).run(context -> {});
        graph.extract(result);
        FramePlan plan = plan();
        assertThat(batch(plan, "over").waits()).hasSize(1);
        assertThat(pass(plan, "over").after()).isEmpty();
        assertThat(pass(plan, "copy").after()).isEmpty();
        assertThat(pass(plan, "compute").after()).singleElement().satisfies(barrier -> {
            assertThat(barrier.resource()).isEqualTo(result.index());
            assertThat(barrier.scope().srcStages()).isEqualTo(PipelineStage.COPY.bit());
            assertThat(barrier.scope().srcAccess()).isEqualTo(MemoryAccess.COPY_WRITE.bit());
            assertThat(barrier.scope().dstStages()).isEqualTo(PipelineStage.HOST.bit());
            assertThat(barrier.scope().dstAccess()).isEqualTo(MemoryAccess.HOST_WRITE.bit());
            assertThat(barrier.reason()).isEqualTo("write after write: compute wrote, then over");
        });
    }

    private void copyResult() {
        graph.addPass("copy", PassKind.COPY)
                .reads(result, Access.COPY_SRC)
                .overwrites(out, Access.COPY_DST)
                .record(context -> {});
        graph.extract(out);
    }

    /** A later frame has the same transient, and its host may write first: no plan knows the next one. */
    @Test
    void aTransientThatTheDeviceWroteLastIsLeftVisibleToTheHost() {
        graph.hostPass("first").overwrites(result, Access.HOST_WRITE).run(context -> {});
        compute();
        copyResult();
        FramePlan plan = plan();
        assertThat(pass(plan, "compute").after()).singleElement().satisfies(HostPassTest::showsForWriting);
        assertThat(pass(plan, "compute").after().get(0).reason())
                .isEqualTo("end of frame: the host of a later one may write into it");
        assertThat(pass(plan, "copy").after()).isEmpty();
    }

    @Test
    void aTransientThatTheHostReadOrWroteLastIsLeftAsItIs() {
        compute();
        decide();
        use();
        FramePlan plan = plan();
        assertThat(pass(plan, "compute").after()).hasSize(1);
        assertThat(pass(plan, "decide").after()).isEmpty();
        assertThat(pass(plan, "use").after()).isEmpty();
    }

    @Test
    void whatItHasReadIsNotMadeAvailableAgainForWritingOver() {
        compute();
        graph.hostPass("look")
                .reads(result, Access.HOST_READ)
                .flag(PassFlag.NEVER_CULL)
                .run(context -> {});
        graph.hostPass("over").overwrites(result, Access.HOST_WRITE).run(context -> {});
        graph.extract(result);
        assertThat(pass(plan(), "compute").after())
                .singleElement()
                .satisfies(barrier -> assertThat(barrier.scope().dstAccess()).isEqualTo(MemoryAccess.HOST_READ.bit()));
    }

    /** Nothing of the device may land behind what the host writes: that it waits for the reads is enough. */
    @Test
    void whatTheDeviceHasOnlyReadTakesNoBarrierToBeWrittenOver() {
        graph.hostPass("fill").overwrites(result, Access.HOST_WRITE).run(context -> {});
        copyResult();
        graph.hostPass("over").overwrites(result, Access.HOST_WRITE).run(context -> {});
        graph.extract(result);
        FramePlan plan = plan();
        assertThat(batch(plan, "over").waits()).hasSize(1);
        assertThat(plan.passes())
                .allMatch(pass -> pass.after().isEmpty()
                        && pass.before().stream().noneMatch(barrier -> barrier.resource() == result.index()));
    }

    /** What it leaves of the buffer is the device's, and nothing else would show that to the host. */
    @Test
    void whatItWritesIntoIsShownToTheHost() {
        compute();
        graph.hostPass("into").writes(result, Access.HOST_WRITE).run(context -> {});
        graph.extract(result);
        FramePlan plan = plan();
        assertThat(pass(plan, "compute").after()).singleElement().satisfies(HostPassTest::showsForWriting);
        assertThat(pass(plan, "compute").after().get(0).reason())
                .isEqualTo("write after write: compute wrote, then into");
    }

    /** The barrier stands behind the last write, and names it, although a queue has read since. */
    @Test
    void whatItWritesIntoIsShownBehindTheLastWriteAndNotBehindReads() {
        compute();
        graph.addPass("copy", PassKind.COPY)
                .reads(result, Access.COPY_SRC)
                .overwrites(out, Access.COPY_DST)
                .flag(PassFlag.ASYNC_COMPUTE)
                .record(context -> {});
        graph.extract(out);
        graph.hostPass("into").writes(result, Access.HOST_WRITE).run(context -> {});
        graph.extract(result);
        FramePlan plan = plan();
        assertThat(pass(plan, "compute").after()).singleElement().satisfies(HostPassTest::showsForWriting);
        assertThat(pass(plan, "copy").after()).isEmpty();
        assertThat(pass(plan, "compute").after().get(0).reason())
                .isEqualTo("write after write: compute wrote, then into");
    }

    @Test
    void whatItHasReadIsNotShownAgainForWriting() {
        compute();
        graph.hostPass("look")
                .reads(result, Access.HOST_READ)
                .flag(PassFlag.NEVER_CULL)
                .run(context -> {});
        graph.hostPass("into").writes(result, Access.HOST_WRITE).run(context -> {});
        graph.extract(result);
        assertThat(pass(plan(), "compute").after())
                .singleElement()
                .satisfies(barrier -> assertThat(barrier.scope().dstAccess()).isEqualTo(MemoryAccess.HOST_READ.bit()));
    }

    private static void showsForWriting(FramePlan.PlanBarrier barrier) {
        assertThat(barrier.scope().srcStages()).isEqualTo(PipelineStage.COPY.bit());
        assertThat(barrier.scope().srcAccess()).isEqualTo(MemoryAccess.COPY_WRITE.bit());
        assertThat(barrier.scope().dstStages()).isEqualTo(PipelineStage.HOST.bit());
        assertThat(barrier.scope().dstAccess())
                .isEqualTo(MemoryAccess.mask(MemoryAccess.HOST_READ, MemoryAccess.HOST_WRITE));
        assertThat(barrier.bytes()).isEqualTo(BYTES);
    }

    @Test
    void isCulledWhenNothingNeedsWhatItWrites() {
        compute();
        decide();
        FramePlan plan = plan();
        assertThat(plan.passes()).allMatch(FramePlan.PassPlan::culled);
        assertThat(plan.batches()).isEmpty();
        assertThat(pass(plan, "decide").cullReason()).contains("upload");
    }

    @Test
    void isKeptIfItIsNeverCulledAndKeepsWhatItReads() {
        compute();
        graph.hostPass("look")
                .reads(result, Access.HOST_READ)
                .flag(PassFlag.NEVER_CULL)
                .run(context -> {});
        FramePlan plan = plan();
        assertThat(plan.passes()).noneMatch(FramePlan.PassPlan::culled);
        assertThat(batch(plan, "look").signals()).isFalse();
    }

    @Test
    void batchesThatDoNotDependOnItDoNotWaitForIt() {
        compute();
        RdgBuffer other = graph.createBuffer("other", DEVICE);
        decide();
        graph.addPass("aside", PassKind.COMPUTE)
                .overwrites(other, Access.STORAGE_WRITE_COMPUTE)
                .flag(PassFlag.ASYNC_COMPUTE)
                .record(context -> {});
        graph.extract(other);
        use();
        FramePlan plan = plan();
        assertThat(batch(plan, "aside").waits()).isEmpty();
        assertThat(batch(plan, "use").waits()).hasSize(1);
    }

    @Test
    void waitsThatAPassOfTheHostImpliesAreLeftOut() {
        compute();
        decide();
        graph.addPass("both", PassKind.COPY)
                .reads(upload, Access.COPY_SRC)
                .reads(result, Access.COPY_SRC)
                .overwrites(out, Access.COPY_DST)
                .flag(PassFlag.ASYNC_COMPUTE)
                .record(context -> {});
        graph.extract(out);
        FramePlan plan = plan();
        assertThat(pass(plan, "both").queue()).isEqualTo(1);
        assertThat(batch(plan, "both").waits())
                .extracting(FramePlan.BatchWait::batch)
                .containsExactly(batch(plan, "decide").index());
    }

    @Test
    void eachIsABatchOfItsOwn() {
        decideTwice();
        FramePlan plan = plan();
        assertThat(batch(plan, "one").passes()).hasSize(1);
        assertThat(batch(plan, "two").passes()).hasSize(1);
        assertThat(batch(plan, "two").waits()).isEmpty();
    }

    private void decideTwice() {
        graph.hostPass("one").overwrites(upload, 0, 128, Access.HOST_WRITE).run(context -> {});
        graph.hostPass("two").overwrites(upload, 128, 128, Access.HOST_WRITE).run(context -> {});
        use();
    }

    @Test
    void ordersAndUntrackedPassesReachIt() {
        PassBuilder first = graph.addPass("first", PassKind.COMPUTE)
                .overwrites(out, Access.STORAGE_WRITE_COMPUTE)
                .flag(PassFlag.NEVER_CULL);
        first.record(context -> {});
        graph.hostPass("then").after(first).flag(PassFlag.NEVER_CULL).run(context -> {});
        graph.addPass("anything", PassKind.COPY).flag(PassFlag.UNTRACKED_ACCESS).record(context -> {});
        FramePlan plan = plan();
        assertThat(batch(plan, "then").waits()).hasSize(1);
        assertThat(batch(plan, "anything").waits())
                .extracting(FramePlan.BatchWait::batch)
                .containsExactly(batch(plan, "then").index());
    }

    @Test
    void mappedTransientsShareNoMemory() {
        compute();
        decide();
        use();
        FramePlan plan = plan();
        assertThat(plan.resources().get(upload.index()).heap()).isEqualTo(-1);
        assertThat(plan.resources().get(result.index()).heap()).isEqualTo(-1);
    }

    @Test
    void waitsOfExactStagesHoldBackTheHostWithEverything() {
        compute();
        decide();
        use();
        FramePlan plan = plan(RdgOptions.defaults()
                .withPolicy(PlanPolicy.defaults()
                        .withWaitStageScope(WaitStageScope.EXACT)
                        .withSplitBarriers(true)));
        assertThat(batch(plan, "decide").waits())
                .singleElement()
                .satisfies(wait -> assertThat(wait.stages()).isEqualTo(PipelineStage.ALL_COMMANDS.bit()));
        assertThat(batch(plan, "use").waits()).hasSize(1);
    }

    @Test
    void serialiseModeGivesItASubmissionOfItsOwn() {
        compute();
        decide();
        use();
        FramePlan plan =
                plan(RdgOptions.defaults().withDiagnostics(RdgDiagnostics.none().withSerialise(true)));
        assertThat(batch(plan, "decide").waits()).hasSize(1);
        assertThat(batch(plan, "use").waits()).hasSize(1);
    }

    @Test
    void plansAreReused() {
        RenderGraphCompiler compiler = new RenderGraphCompiler(RdgOptions.defaults());
        for (int frame = 0; frame < 2; frame++) {
            RenderGraph again = new RenderGraph("again");
            RdgBuffer mapped = again.createBuffer("mapped", UPLOAD);
            RdgBuffer kept = again.createBuffer("kept", DEVICE);
            again.extract(kept);
            again.hostPass("write").overwrites(mapped, Access.HOST_WRITE).run(context -> {});
            again.addPass("copy", PassKind.COPY)
                    .reads(mapped, Access.COPY_SRC)
                    .overwrites(kept, Access.COPY_DST)
                    .record(context -> {});
            compiler.compile(again, QueueTopology.single(), PlanCase.SIZER);
        }
        assertThat(compiler.planReuse().hits()).isEqualTo(1);
    }

    @Test
    void explanationAndDiffNameTheHost() {
        compute();
        decide();
        use();
        FramePlan plan = plan();
        assertThat(plan.explain("decide")).contains("pass 'decide' runs on the host, level 1", "  is batch 1");
        assertThat(PlanDiff.between(plan, plan).isEmpty()).isTrue();
    }

    @Test
    void aDumpGivesTheSamePlanAgain(@TempDir Path folder) throws IOException {
        compute();
        decide();
        use();
        graph.hostPass("look").reads(result, Access.HOST_READ).run(context -> {});
        FramePlan plan = plan();
        StringWriter text = new StringWriter();
        PlanJson.write(plan, text);
        Path file = Files.writeString(folder.resolve("graph.json"), text.toString());
        FramePlan again = Objects.requireNonNull(
                GraphFile.read(file).compile(UnaryOperator.identity()).plan());
        assertThat(again.passes()).extracting(FramePlan.PassPlan::kind).contains(PassKind.HOST);
        assertThat(again.batches()).extracting(FramePlan.Batch::passes).isEqualTo(passesOfBatches(plan));
        assertThat(again.waitCount()).isEqualTo(plan.waitCount());
        assertThat(again.queues()).isEqualTo(plan.queues());
    }

    private static List<List<Integer>> passesOfBatches(FramePlan plan) {
        return plan.batches().stream().map(FramePlan.Batch::passes).toList();
    }

    /** What says nothing of the memory of a buffer means one that the host reaches. */
    @Test
    void filesKnowItsKind(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("case.json"), """
                {
                  "schema": "rdg-case/1", "id": "host", "mode": {"order": "declared"},
                  "queues": [{"id": "g", "family": 0, "caps": ["graphics", "compute", "copy"]}],
                  "resources": [
                    {"id": "result", "kind": "buffer", "bytes": 64},
                    {"id": "upload", "kind": "buffer", "bytes": 64},
                    {"id": "out", "kind": "buffer", "bytes": 64, "lifetime": "extracted"}
                  ],
                  "passes": [
                    {"id": "fill", "queue": "g", "kind": "copy", "uses": [{"r": "result", "a": "copyDst", "discard": true}]},
                    {"id": "decide", "queue": "g", "kind": "host", "uses": [
                      {"r": "result", "a": "hostRead"}, {"r": "upload", "a": "hostWrite", "discard": true}]},
                    {"id": "use", "queue": "g", "kind": "copy", "uses": [
                      {"r": "upload", "a": "copySrc"}, {"r": "out", "a": "copyDst", "discard": true}]}
                  ]
                }
                """);
        FramePlan plan = Objects.requireNonNull(
                GraphFile.read(file).compile(UnaryOperator.identity()).plan());
        assertThat(plan.passes())
                .extracting(FramePlan.PassPlan::kind)
                .containsExactly(PassKind.COPY, PassKind.HOST, PassKind.COPY);
        assertThat(plan.batches()).hasSize(3);
        assertThat(plan.resources())
                .extracting(resource ->
                        Objects.requireNonNull(resource.bufferDescription()).memory())
                .containsExactly(MemoryUsage.READBACK, MemoryUsage.UPLOAD, MemoryUsage.DEVICE);
    }

    @Test
    void flagsOfScopesAreTaken() {
        PassScope scope = graph.flagScope(PassFlag.NEVER_CULL, PassFlag.NEVER_MERGE, PassFlag.NEVER_PARALLEL);
        compute();
        decide();
        scope.close();
        assertThat(plan().passes()).noneMatch(FramePlan.PassPlan::culled);
    }
}
