package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.PipelineStatistic;
import io.frameloom.gpu.command.QueryKind;
import io.frameloom.gpu.command.QueryResults;
import io.frameloom.gpu.command.QuerySet;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.BufferHistory;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FrameStatistics;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.utility.ReadbackPasses;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Passes count queries into buffers of the graph. */
@Timeout(60)
class QueryFramesTest {
    private static final int SIZE = 8;
    static final TextureDescription PICTURE =
            TextureDescription.of(SIZE, SIZE, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT);
    static final BufferDescription FOUR = BufferDescription.device(32, BufferUsage.COPY_SRC);

    /** A device and a triangle that covers a picture. */
    static final class Scene implements AutoCloseable {
        final DeviceRig rig;
        final GraphicsPipeline triangle;

        Scene(DeviceRig rig) {
            assumeTrue(
                    rig.device.capabilities().limits().drawing().queries().contains(QueryKind.SAMPLES),
                    "the device does not count SAMPLES");
            this.rig = rig;
            triangle = rig.device.createGraphicsPipeline(new GraphicsPipelineDescription(
                    "everywhere",
                    new ShaderSource("everywhere.vert", ShaderStage.VERTEX, """
                            #version 450
                            void main() {
                                gl_Position =
                                    vec4(gl_VertexIndex == 1 ? 3 : -1, gl_VertexIndex == 2 ? 3 : -1, 0, 1);
                            }
                            """),
                    new ShaderSource("white.frag", ShaderStage.FRAGMENT, """
                            #version 450
                            layout(location = 0) out vec4 color;
                            void main() { color = vec4(1); }
                            """),
                    List.of(),
                    GraphicsPipelineDescription.CullMode.NONE,
                    null,
                    GraphicsPipelineDescription.Blend.NONE,
                    List.of(PICTURE.format()),
                    null));
        }

        static PassBuilder pass(RenderGraph graph, String name, RdgTexture picture, LoadOp load) {
            return graph.addPass(name, PassKind.RASTER).color(picture, load, ClearColor.BLACK_TRANSPARENT);
        }

        /** Draws a row of a number of texels as a query. */
        void row(CommandList list, QuerySet queries, int index, int texels) {
            list.bindPipeline(triangle);
            list.setScissor(0, index, texels, 1);
            list.beginQuery(queries, index);
            list.draw(3, 1, 0, 0);
            list.endQuery(queries);
        }

        /** Returns how many samples a number of texels give on the device. */
        long seen(long texels) {
            return rig.device.capabilities().renders() ? texels : 0;
        }

        FramePlan run(RenderGraph graph) {
            FramePlan plan = rig.compile(graph);
            rig.executor.execute(plan).completed().await();
            return plan;
        }

        @Override
        public void close() {
            triangle.close();
        }
    }

    static List<Long> samples(RdgReadback readback) {
        QueryResults results =
                QueryResults.of(QueryKind.SAMPLES, readback.bytes().join());
        List<Long> samples = new ArrayList<>();
        for (int i = 0; i < results.count(); i++) {
            samples.add(results.samples(i));
        }
        return samples;
    }

    /** Two passes of one render pass count into one buffer; what they do not count is 0, in each of many frames. */
    @ParameterizedTest
    @EnumSource
    void passesThatShareARenderPassCountForThemselves(TestDevice device) {
        device.run(rig -> {
            try (Scene scene = new Scene(rig)) {
                for (int frame = 1; frame <= 5; frame++) {
                    int width = frame;
                    RenderGraph graph = new RenderGraph("merged");
                    RdgTexture picture = graph.createTexture("picture", PICTURE);
                    RdgBuffer results = graph.createBuffer("results", FOUR);
                    Scene.pass(graph, "first", picture, LoadOp.CLEAR)
                            .counts(QueryKind.SAMPLES, results.view(0, 24))
                            .record(context -> {
                                QuerySet queries = context.queries(results.view(0, 24));
                                scene.row(context.commands(), queries, 0, width);
                                scene.row(context.commands(), queries, 2, SIZE);
                            });
                    Scene.pass(graph, "second", picture, LoadOp.LOAD)
                            .counts(QueryKind.SAMPLES, results.view(24, 8))
                            .record(context -> scene.row(context.commands(), context.queries(results), 0, 2));
                    RdgReadback read = ReadbackPasses.buffer(graph, results);
                    FramePlan plan = scene.run(graph);
                    assertThat(plan.renderPasses()).hasSize(1);
                    assertThat(samples(read)).containsExactly(scene.seen(width), 0L, scene.seen(SIZE), scene.seen(2));
                }
            }
        });
    }

    /** A pass that is left out leaves zeros, also where others of its render pass run. */
    @ParameterizedTest
    @EnumSource
    void aPassThatIsLeftOutHasCountedNothing(TestDevice device) {
        device.run(rig -> {
            try (Scene scene = new Scene(rig)) {
                for (int frame = 0; frame < 4; frame++) {
                    boolean firstRuns = frame % 2 == 0;
                    boolean secondRuns = frame < 2;
                    RenderGraph graph = new RenderGraph("left out");
                    RdgTexture picture = graph.createTexture("picture", PICTURE);
                    RdgBuffer first = graph.createBuffer("first", FOUR);
                    RdgBuffer second = graph.createBuffer("second", FOUR);
                    Scene.pass(graph, "clear", picture, LoadOp.CLEAR).record(context -> {});
                    Scene.pass(graph, "one", picture, LoadOp.LOAD)
                            .counts(QueryKind.SAMPLES, first)
                            .onlyIf(() -> firstRuns)
                            .record(context -> scene.row(context.commands(), context.queries(first), 1, 3));
                    Scene.pass(graph, "two", picture, LoadOp.LOAD)
                            .counts(QueryKind.SAMPLES, second)
                            .onlyIf(() -> secondRuns)
                            .record(context -> scene.row(context.commands(), context.queries(second), 0, 4));
                    RdgReadback readFirst = ReadbackPasses.buffer(graph, first);
                    RdgReadback readSecond = ReadbackPasses.buffer(graph, second);
                    FramePlan plan = scene.run(graph);
                    assertThat(plan.warnings()).isEmpty();
                    assertThat(samples(readFirst)).containsExactly(0L, firstRuns ? scene.seen(3) : 0L, 0L, 0L);
                    assertThat(samples(readSecond)).containsExactly(secondRuns ? scene.seen(4) : 0L, 0L, 0L, 0L);
                }
            }
        });
    }

    /** Shaders read results in the same frame; the reader is no part of the render pass that counts. */
    @ParameterizedTest
    @EnumSource
    void shadersReadResultsOfTheFrame(TestDevice device) {
        device.run(rig -> {
            ComputePipeline copy = rig.device.createComputePipeline(new ComputePipelineDescription(
                    "copy", new ShaderSource("copy.comp", ShaderStage.COMPUTE, """
                            #version 450
                            layout(local_size_x = 4) in;
                            layout(set = 0, binding = 0) readonly buffer Results { uvec2 results[]; };
                            layout(set = 0, binding = 1) writeonly buffer Visible { uvec2 visible[]; };
                            void main() {
                                uint i = gl_LocalInvocationID.x;
                                visible[i] = uvec2(results[i].x + 1, 0);
                            }
                            """), invocation -> {
                        for (int i = 0; i < 4; i++) {
                            invocation
                                    .bytes("Visible")
                                    .putLong(8 * i, invocation.bytes("Results").getLong(8 * i) + 1);
                        }
                    }));
            try (Scene scene = new Scene(rig);
                    copy) {
                RenderGraph graph = new RenderGraph("on the device");
                RdgTexture picture = graph.createTexture("picture", PICTURE);
                RdgBuffer results = graph.createBuffer("results", FOUR);
                RdgBuffer visible = graph.createBuffer("visible", FOUR);
                Scene.pass(graph, "count", picture, LoadOp.CLEAR)
                        .counts(QueryKind.SAMPLES, results)
                        .record(context -> scene.row(context.commands(), context.queries(results), 3, 5));
                graph.addPass("use", PassKind.COMPUTE)
                        .reads(results, Access.STORAGE_READ_COMPUTE)
                        .overwrites(visible, Access.STORAGE_WRITE_COMPUTE)
                        .record(context -> {
                            context.commands().bindPipeline(copy);
                            context.commands().bindBuffer("Results", context.buffer(results), 0, 32);
                            context.commands().bindBuffer("Visible", context.buffer(visible), 0, 32);
                            context.commands().dispatch(1, 1, 1);
                        });
                RdgReadback read = ReadbackPasses.buffer(graph, visible);
                scene.run(graph);
                assertThat(samples(read)).containsExactly(1L, 1L, 1L, 1 + scene.seen(5));
            }
        });
    }

    /** The draws of a pass of the same render pass cannot come before the results of another. */
    @Test
    void aReaderOfResultsBeginsAnotherRenderPass() {
        TestDevice.VIRTUAL.run(rig -> {
            try (Scene scene = new Scene(rig)) {
                RenderGraph graph = new RenderGraph("in between");
                RdgTexture picture = graph.createTexture("picture", PICTURE);
                RdgBuffer results = graph.createBuffer("results", FOUR);
                Scene.pass(graph, "count", picture, LoadOp.CLEAR)
                        .counts(QueryKind.SAMPLES, results)
                        .record(context -> scene.row(context.commands(), context.queries(results), 0, 5));
                Scene.pass(graph, "use", picture, LoadOp.LOAD)
                        .reads(results, Access.STORAGE_READ_FRAGMENT)
                        .record(context -> context.buffer(results));
                ReadbackPasses.buffer(graph, results);
                graph.extract(picture, Access.SAMPLED_FRAGMENT);
                assertThat(rig.compile(graph).renderPasses()).hasSize(2);
            }
        });
    }

    /** The results of a frame are read in the next one, which waits for nothing. */
    @ParameterizedTest
    @EnumSource
    void aHistoryHasTheResultsOfTheFormerFrame(TestDevice device) {
        device.run(rig -> {
            BufferHistory history = new BufferHistory(rig.device, "results", Access.COPY_SRC, 0);
            try (Scene scene = new Scene(rig)) {
                List<RdgReadback> read = new ArrayList<>();
                for (int frame = 0; frame < 6; frame++) {
                    int width = frame + 1;
                    RenderGraph graph = new RenderGraph("history");
                    RdgTexture picture = graph.createTexture("picture", PICTURE);
                    BufferHistory.Frame results = graph.history(history, FOUR);
                    Scene.pass(graph, "count", picture, LoadOp.CLEAR)
                            .counts(QueryKind.SAMPLES, results.current())
                            .record(context ->
                                    scene.row(context.commands(), context.queries(results.current()), 0, width));
                    read.add(ReadbackPasses.buffer(graph, results.previous()));
                    rig.executor.execute(rig.compile(graph));
                }
                for (int frame = 0; frame < 6; frame++) {
                    assertThat(samples(read.get(frame))).containsExactly(scene.seen(frame), 0L, 0L, 0L);
                }
            } finally {
                rig.executor.close();
                history.close();
            }
        });
    }

    /** Parts that are recorded in parallel count for their pass, straight into memory of the host. */
    @ParameterizedTest
    @EnumSource
    void partsCount(TestDevice device) {
        device.run(rig -> {
            try (Scene scene = new Scene(rig)) {
                RenderGraph graph = new RenderGraph("parts");
                RdgTexture picture = graph.createTexture("picture", PICTURE);
                RdgBuffer staging = graph.createBuffer("staging", BufferDescription.readback(32));
                Scene.pass(graph, "count", picture, LoadOp.CLEAR)
                        .counts(QueryKind.SAMPLES, staging)
                        .recordParts(
                                3,
                                (context, part) ->
                                        scene.row(context.commands(), context.queries(staging), part, part + 2));
                RdgReadback read = graph.readBack(staging);
                scene.run(graph);
                assertThat(samples(read)).containsExactly(scene.seen(2), scene.seen(3), scene.seen(4), 0L);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void statisticsHaveNames(TestDevice device) {
        device.run(rig -> {
            assumeTrue(
                    rig.device.capabilities().limits().drawing().queries().contains(QueryKind.STATISTICS),
                    "the device does not count STATISTICS");
            try (Scene scene = new Scene(rig)) {
                RenderGraph graph = new RenderGraph("statistics");
                RdgTexture picture = graph.createTexture("picture", PICTURE);
                RdgBuffer staging =
                        graph.createBuffer("staging", BufferDescription.readback(QueryKind.STATISTICS.bytes()));
                RdgBuffer samples = graph.createBuffer("samples", BufferDescription.readback(32));
                Scene.pass(graph, "count", picture, LoadOp.CLEAR)
                        .counts(QueryKind.STATISTICS, staging)
                        .counts(QueryKind.SAMPLES, samples)
                        .record(context -> {
                            CommandList list = context.commands();
                            list.beginQuery(context.queries(staging), 0);
                            scene.row(list, context.queries(samples), 0, 8);
                            scene.row(list, context.queries(samples), 1, 8);
                            list.endQuery(context.queries(staging));
                        });
                RdgReadback read = graph.readBack(staging);
                RdgReadback readSamples = graph.readBack(samples);
                scene.run(graph);
                QueryResults results =
                        QueryResults.of(QueryKind.STATISTICS, read.bytes().join());
                assertThat(results.statistic(0, PipelineStatistic.VERTICES)).isEqualTo(6);
                assertThat(results.statistic(0, PipelineStatistic.PRIMITIVES)).isEqualTo(2);
                assertThat(samples(readSamples)).containsExactly(scene.seen(8), scene.seen(8), 0L, 0L);
            }
        });
    }

    /** A pass that counts statistics itself, or is recorded in parts, has no others. */
    @ParameterizedTest
    @EnumSource
    void theExecutorCountsForEachRasterPass(TestDevice device) {
        device.run(FrameExecutorOptions.defaults().withCollectStatistics(true), rig -> {
            try (Scene scene = new Scene(rig)) {
                boolean counts =
                        rig.device.capabilities().limits().drawing().queries().contains(QueryKind.STATISTICS);
                List<QuerySet> owned =
                        counts ? List.of(rig.device.createQuerySet("own", QueryKind.STATISTICS, 4)) : List.of();
                for (int frame = 0; frame < 4; frame++) {
                    RenderGraph graph = new RenderGraph("measured");
                    RdgTexture picture = graph.createTexture("picture", PICTURE);
                    RdgBuffer results = graph.createBuffer("results", BufferDescription.readback(32));
                    boolean runs = frame % 2 == 0;
                    Scene.pass(graph, "first", picture, LoadOp.CLEAR)
                            .counts(QueryKind.SAMPLES, results)
                            .record(context -> scene.row(context.commands(), context.queries(results), 0, 8));
                    Scene.pass(graph, "second", picture, LoadOp.LOAD)
                            .flag(PassFlag.NEVER_CULL)
                            .onlyIf(() -> runs)
                            .record(context -> {
                                context.commands().bindPipeline(scene.triangle);
                                context.commands().draw(6, 1, 0, 0);
                            });
                    Scene.pass(graph, "parts", picture, LoadOp.LOAD)
                            .flag(PassFlag.NEVER_CULL)
                            .recordParts(2, (context, part) -> {
                                context.commands().bindPipeline(scene.triangle);
                                context.commands().draw(3, 1, 0, 0);
                            });
                    if (counts) {
                        own(graph, owned.get(0), frame);
                    }
                    RdgReadback read = graph.readBack(results);
                    FrameHandle handle = rig.executor.execute(rig.compile(graph));
                    assertThat(samples(read)).containsExactly(scene.seen(8), 0L, 0L, 0L);
                    handle.completed().await();
                    assertThat(handle.statistics().passCounts())
                            .extracting(
                                    FrameStatistics.PassCounts::pass, counted -> counted.of(PipelineStatistic.VERTICES))
                            .containsExactlyElementsOf(
                                    !counts
                                            ? List.of()
                                            : runs
                                                    ? List.of(tuple("first", 3L), tuple("second", 6L))
                                                    : List.of(tuple("first", 3L)));
                }
                owned.forEach(QuerySet::close);
            }
        });
    }

    /** A pass with render passes of its own may count statistics itself, which an open query would not allow. */
    private static void own(RenderGraph graph, QuerySet own, int query) {
        graph.addPass("own", PassKind.RASTER)
                .flag(PassFlag.SKIP_RENDER_PASS)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> {
                    context.commands().beginQuery(own, query);
                    context.commands().endQuery(own);
                });
    }

    /** Nothing is counted for nobody. */
    @ParameterizedTest
    @EnumSource
    void aPassWhoseResultsNobodyReadsIsCulled(TestDevice device) {
        device.run(rig -> {
            try (Scene scene = new Scene(rig)) {
                RenderGraph graph = new RenderGraph("culled");
                RdgTexture picture = graph.createTexture("picture", PICTURE);
                RdgBuffer results = graph.createBuffer("results", FOUR);
                Scene.pass(graph, "count", picture, LoadOp.CLEAR)
                        .counts(QueryKind.SAMPLES, results)
                        .record(context -> {
                            throw new AssertionError("recorded");
                        });
                assertThat(scene.run(graph).culledCount()).isOne();
            }
        });
    }

    @Test
    void whatDoesNotFitIsRefusedByName() {
        RenderGraph graph = new RenderGraph("refused");
        RdgBuffer results = graph.createBuffer("results", FOUR);
        assertThatThrownBy(() -> graph.addPass("copy", PassKind.COPY).counts(QueryKind.SAMPLES, results))
                .isInstanceOf(RdgException.class)
                .hasMessageContaining("pass 'copy'")
                .hasMessageContaining("only RASTER passes count");
        PassBuilder pass = graph.addPass("count", PassKind.RASTER);
        assertThatThrownBy(() -> pass.counts(QueryKind.STATISTICS, results))
                .isInstanceOf(RdgException.class)
                .hasMessageContaining("STATISTICS into 32 bytes at 0 of 'results'")
                .hasMessageContaining("a query takes 56 bytes");
        assertThatThrownBy(() -> pass.counts(QueryKind.SAMPLES, results.view(4, 8)))
                .isInstanceOf(RdgException.class)
                .hasMessageContaining("multiple of 8");
        RdgBuffer large = graph.createBuffer("large", BufferDescription.device(8 * 65_537L));
        assertThatThrownBy(() -> pass.counts(QueryKind.SAMPLES, large))
                .isInstanceOf(RdgException.class)
                .hasMessageContaining("there are 1 to 65536");
    }

    /** The results are copied after the draws, with nothing in between that the pass could order. */
    @Test
    void resultsAreNotUsedOtherwiseInTheirPass() {
        RenderGraph graph = new RenderGraph("refused");
        RdgTexture picture = graph.createTexture("picture", PICTURE);
        RdgBuffer results = graph.createBuffer("results", FOUR);
        PassBuilder twice = Scene.pass(graph, "twice", picture, LoadOp.CLEAR)
                .counts(QueryKind.SAMPLES, results.view(0, 16))
                .counts(QueryKind.SAMPLES, results.view(8, 16));
        assertThatThrownBy(() -> twice.record(context -> {}))
                .isInstanceOf(RdgException.class)
                .hasMessageContaining("pass 'twice'")
                .hasMessageContaining("counts into bytes 8 to 24 of 'results', which it also declares as COPY_DST");
        PassBuilder reading = Scene.pass(graph, "reading", picture, LoadOp.LOAD)
                .reads(results, Access.INDIRECT)
                .counts(QueryKind.SAMPLES, results.view(16, 8));
        assertThatThrownBy(() -> reading.record(context -> {}))
                .isInstanceOf(RdgException.class)
                .hasMessageContaining("which it also declares as INDIRECT; count into other bytes");
    }

    @Test
    void queriesThatAPassDoesNotCountAreRefusedByName() {
        TestDevice.VIRTUAL.run(rig -> {
            RenderGraph graph = new RenderGraph("foreign");
            RdgTexture picture = graph.createTexture("picture", PICTURE);
            RdgBuffer results = graph.createBuffer("results", FOUR);
            Scene.pass(graph, "count", picture, LoadOp.CLEAR)
                    .counts(QueryKind.SAMPLES, results.view(0, 16))
                    .record(context -> context.queries(results.view(0, 8)));
            ReadbackPasses.buffer(graph, results.view(0, 16));
            assertThatThrownBy(() ->
                            rig.executor.execute(rig.compile(graph)).completed().await())
                    .hasStackTraceContaining("takes queries of 'results' at bytes 0+8 that it has not declared");
        });
    }
}
