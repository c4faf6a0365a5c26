package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.QueueSharing;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.tools.GraphFile;
import io.frameloom.rdg.tools.PlanDiff;
import io.frameloom.rdg.tools.PlanJson;
import io.frameloom.testing.TestEffort;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Graphs that plans write go there and back. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GraphFileDumpTest {
    @TempDir
    private Path folder;

    @Test
    void aGraphThatAPlanWroteGivesThatPlanAgain() throws IOException, URISyntaxException {
        int compared = 0;
        for (Path source : GraphFileCasesTest.files()) {
            String text = Files.readString(source);
            if (text.contains("\"error\"") || !text.contains("\"declared\"")) {
                continue;
            }
            FramePlan plan = planOf(source);

            assertThat(decisions(readAgain(plan))).as(source.toString()).isEqualTo(decisions(plan));
            compared++;
        }
        assertThat(compared).isGreaterThan(50);
    }

    /** What a frame dumps is compiled to the very plan of the frame. */
    @Test
    void aDumpedFrameGivesThePlanOfTheFrame() throws IOException {
        List<RdgOptions> variants = List.of(
                RdgOptions.defaults(),
                RdgOptions.defaults().withMergeRenderPasses(false).withPassLimits(2, 3),
                RdgOptions.defaults().withOverlapStorageWrites(false).withCullPasses(false),
                RdgOptions.defaults().withAliasing(false).withAsync(AsyncCompute.ALL),
                // Passes are dumped in the order that was taken, which needs no search again.
                RdgOptions.defaults()
                        .withPolicy(new PlanPolicy(
                                WaitStageScope.EXACT,
                                PassSchedule.of(PassSchedule.Policy.BATCH),
                                true,
                                true,
                                HeapSearch.ALWAYS)));
        for (long seed = 0; seed < TestEffort.of(100, 1000); seed++) {
            RdgOptions options = variants.get((int) (seed % variants.size()));
            FramePlan plan = new RenderGraphCompiler(options)
                    .compile(
                            RandomGraphs.graph(seed).declare(),
                            QueueTopology.graphicsAndCompute(),
                            PlanPropertiesTest.SIZER);

            assertSame(plan, "seed " + seed);
        }
    }

    /** Each flag of passes, and each kind of texture. */
    @Test
    void everyFlagAndShapeSurvivesADump() throws IOException {
        for (PassFlag flag : PassFlag.values()) {
            RenderGraph graph = new RenderGraph("flags");
            PassKind kind =
                    flag == PassFlag.SKIP_RENDER_PASS || flag == PassFlag.NEVER_MERGE || flag == PassFlag.MULTIVIEW
                            ? PassKind.RASTER
                            : flag == PassFlag.ASYNC_COMPUTE ? PassKind.COMPUTE : PassKind.COPY;
            PassBuilder pass = graph.addPass("pass", kind).flag(flag).flag(PassFlag.NEVER_CULL);
            if (flag == PassFlag.NEVER_MERGE || flag == PassFlag.MULTIVIEW) {
                pass.color(
                        graph.createTexture(
                                "target", TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED)),
                        0,
                        0,
                        LoadOp.CLEAR,
                        new ClearColor(0.5, 0, 1, 0.25));
            }
            pass.record(context -> {});

            FramePlan plan = compiled(graph, RdgOptions.defaults());
            assertSame(plan, flag.toString());
            assertThat(readAgain(plan).passes().get(0).flags()).contains(flag);
        }
        TextureDescription flat = TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED);
        for (TextureDescription shape : List.of(
                flat.withDepth(64).withMips(7),
                flat.withDepth(1),
                flat.withCubes(2),
                flat.withViewFormats(Format.R8G8B8A8_SRGB),
                TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT)
                        .withSamples(4))) {
            RenderGraph graph = new RenderGraph("shapes");
            RdgTexture texture = graph.createTexture("texture", shape);
            graph.addPass("pass", PassKind.COPY)
                    .flag(PassFlag.NEVER_CULL)
                    .overwrites(texture, Access.COPY_DST)
                    .record(context -> {});

            assertSame(compiled(graph, RdgOptions.defaults()), shape.toString());
        }
    }

    /** A file whose history is cleared for this frame alone leaves the clear out where nothing reads it, as the frame did. */
    @Test
    void aHistoryThatIsNotReadSurvivesADump() throws IOException {
        RenderGraph graph = new RenderGraph("history");
        GraphModel.Res shape = new GraphModel.Res(
                "colour", true, false, 1, 1, Lifetime.EXTERNAL, TextureLayout.UNDEFINED, Access.SAMPLED_COMPUTE);
        graph.history(
                new FakeSurroundings().textureHistory(shape),
                TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED));

        FramePlan plan = compiled(graph, RdgOptions.defaults());
        assertThat(plan.culledCount()).isOne();
        assertThat(plan.resources().get(0).finalLayout()).isEqualTo(TextureLayout.UNDEFINED);
        assertSame(plan, "history");
    }

    @Test
    void whatBelongsToOneFamilyAtATimeSurvivesADump() throws IOException {
        RenderGraph graph = new RenderGraph("exclusive", RdgOptions.defaults());
        RdgTexture texture = graph.createTexture(
                "texture",
                TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED)
                        .withSharing(QueueSharing.EXCLUSIVE));
        RdgBuffer buffer = graph.createBuffer(
                "buffer", BufferDescription.device(1024, BufferUsage.STORAGE).withSharing(QueueSharing.EXCLUSIVE));
        graph.addPass("write", PassKind.COMPUTE)
                .flag(PassFlag.ASYNC_COMPUTE)
                .overwrites(texture, Access.STORAGE_WRITE_COMPUTE)
                .overwrites(buffer, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        graph.addPass("read", PassKind.COMPUTE)
                .flag(PassFlag.NEVER_CULL)
                .reads(texture, Access.SAMPLED_COMPUTE)
                .reads(buffer, Access.STORAGE_READ_COMPUTE)
                .record(context -> {});

        FramePlan plan = compiled(graph, RdgOptions.defaults());
        FramePlan again = readAgain(plan);
        assertSame(plan, "exclusive");
        assertThat(Objects.requireNonNull(again.resources().get(0).textureDescription())
                        .sharing())
                .isEqualTo(QueueSharing.EXCLUSIVE);
        assertThat(Objects.requireNonNull(again.resources().get(1).bufferDescription())
                        .sharing())
                .isEqualTo(QueueSharing.EXCLUSIVE);
        assertThat(again.passes())
                .anyMatch(pass -> pass.after().stream().anyMatch(barrier -> barrier.ownership() != null));
    }

    /** Of transients passes say what they are for, also where one is removed with all that used it. */
    @Test
    void transientsWithoutUsageSurviveADump() throws IOException {
        RenderGraph graph = new RenderGraph("usage", RdgOptions.defaults());
        RdgTexture drawn = graph.createTexture("drawn", TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM));
        RdgTexture several = graph.createTexture(
                "several", TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM).withSamples(4));
        RdgBuffer unseen = graph.createBuffer("unseen", BufferDescription.device(16));
        graph.addPass("culled", PassKind.COMPUTE)
                .overwrites(unseen, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        graph.addPass("draw", PassKind.RASTER)
                .color(several, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                .resolve(drawn)
                .record(context -> {});
        graph.addPass("read", PassKind.COMPUTE)
                .flag(PassFlag.NEVER_CULL)
                .reads(drawn, Access.SAMPLED_COMPUTE)
                .record(context -> {});

        FramePlan plan = compiled(graph, RdgOptions.defaults());
        assertThat(Objects.requireNonNull(plan.resources().get(0).textureDescription())
                        .usage())
                .containsExactlyInAnyOrder(TextureUsage.COLOR_ATTACHMENT, TextureUsage.SAMPLED);
        assertSame(plan, "usage");
    }

    /** Readbacks, histories, orders of the application, memory of the host, targets on several mips. */
    @Test
    void whatTheFormDidNotHaveSurvivesADump() throws IOException {
        RenderGraph graph = new RenderGraph("whole", RdgOptions.defaults());
        RdgBuffer made = graph.createBuffer("made", BufferDescription.device(1024, BufferUsage.STORAGE));
        RdgBuffer staging = graph.createBuffer(
                "staging", new BufferDescription(1024, EnumSet.of(BufferUsage.COPY_DST), MemoryUsage.READBACK));
        RdgTexture target = graph.createTexture(
                "target",
                TextureDescription.of(64, 64, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED)
                        .withLayers(2));
        graph.addPass("compute", PassKind.COMPUTE)
                .flag(PassFlag.ASYNC_COMPUTE)
                .overwrites(made, 0, 512, Access.STORAGE_WRITE_COMPUTE)
                .overwrites(made, 512, 512, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        PassBuilder draw = graph.addPass("draw", PassKind.RASTER)
                .color(target, 0, 1, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                .color(target, 0, 0, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT);
        draw.record(context -> {});
        graph.addPass("copy", PassKind.COPY)
                .reads(made, Access.COPY_SRC)
                .reads(target, Access.COPY_SRC)
                .overwrites(staging, Access.COPY_DST)
                .after(draw)
                .record(context -> {});
        graph.readBack(staging);
        FramePlan plan = new RenderGraphCompiler(RdgOptions.defaults())
                .compile(graph, QueueTopology.graphicsAndCompute(), PlanPropertiesTest.SIZER);

        assertThat(plan.passes().get(2).after()).anyMatch(barrier -> barrier.resource() == staging.index());
        assertThat(decisions(readAgain(plan))).isEqualTo(decisions(plan));
    }

    private static FramePlan compiled(RenderGraph graph, RdgOptions options) {
        return new RenderGraphCompiler(options)
                .compile(graph, QueueTopology.graphicsAndCompute(), PlanPropertiesTest.SIZER);
    }

    private void assertSame(FramePlan plan, String what) throws IOException {
        FramePlan again = readAgain(plan);
        assertThat(decisions(again)).as(what).isEqualTo(decisions(plan));
        assertThat(PlanDiff.between(plan, again).changes()).as(what).isEmpty();
    }

    private FramePlan readAgain(FramePlan plan) throws IOException {
        StringWriter written = new StringWriter();
        PlanJson.write(plan, written);
        Path file = folder.resolve("graph.json");
        Files.writeString(file, written.toString());
        return planOf(file);
    }

    private static FramePlan planOf(Path file) {
        FramePlan plan = GraphFile.read(file).compile(UnaryOperator.identity()).plan();
        return Objects.requireNonNull(plan);
    }

    private static List<Object> decisions(FramePlan plan) {
        return List.of(
                plan.culledCount(),
                plan.batches(),
                plan.renderPasses(),
                plan.recordingGroups(),
                plan.dependencies(),
                plan.epochs(),
                plan.heaps(),
                plan.transientBytesWithoutAliasing(),
                plan.resources().stream()
                        .map(resource -> List.of(
                                resource.name(),
                                resource.lifetime(),
                                resource.heap(),
                                resource.offset(),
                                resource.bytes(),
                                resource.finalLayout()))
                        .toList(),
                plan.passes().stream()
                        .map(pass -> List.of(pass.name(), pass.before(), pass.after()))
                        .toList());
    }
}
