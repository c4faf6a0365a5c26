package io.frameloom.gpu.record;

import static io.frameloom.gpu.record.CommandRig.full;
import static io.frameloom.gpu.record.CommandRig.transition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.PipelineStatistic;
import io.frameloom.gpu.command.QueryKind;
import io.frameloom.gpu.command.QueryResults;
import io.frameloom.gpu.command.QuerySet;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.pipeline.DynamicState;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.RasterState;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Queries count what was drawn between begin and end, once between two resets, on all backends. */
@Timeout(60)
class QueryContractTest {
    private static final ShaderSource EVERYWHERE = new ShaderSource("everywhere.vert", ShaderStage.VERTEX, """
            #version 450
            void main() {
                gl_Position = vec4(gl_VertexIndex == 1 ? 3 : -1, gl_VertexIndex == 2 ? 3 : -1, 0, 1);
            }
            """);

    /** A target of 4 x 4 texels, and a triangle that covers it. */
    private static final class Scene implements AutoCloseable {
        final CommandRig rig;
        final Texture color;
        final RenderingInfo pass;
        final GraphicsPipeline triangle;
        final QuerySet samples;
        final Buffer results;

        Scene(Backend backend) {
            rig = new CommandRig(backend);
            color = RenderPassScene.color(rig, 1);
            pass = RenderPassScene.pass(color, 1);
            triangle = rig.own(rig.device.createGraphicsPipeline(new GraphicsPipelineDescription(
                    "everywhere",
                    EVERYWHERE,
                    RenderPassScene.FRAGMENT,
                    List.of(),
                    GraphicsPipelineDescription.CullMode.NONE,
                    null,
                    GraphicsPipelineDescription.Blend.NONE,
                    List.of(Format.R8G8B8A8_UNORM),
                    null)));
            samples = set("samples", QueryKind.ANY_SAMPLE, 4);
            results = rig.readback(64);
        }

        QuerySet set(String name, QueryKind kind, int count) {
            boolean able =
                    rig.device.capabilities().limits().drawing().queries().contains(kind);
            if (!able) {
                rig.close();
            }
            assumeTrue(able, () -> rig.device.capabilities().name() + " does not count " + kind);
            return rig.own(rig.device.createQuerySet(name, kind, count));
        }

        /** Begins a render pass with the triangle bound. */
        void begin(CommandList list) {
            transition(list, color, TextureLayout.UNDEFINED, TextureLayout.COLOR);
            list.beginRendering(pass);
            list.bindPipeline(triangle);
        }

        void draw(CommandList list, QuerySet set, int index, int width) {
            list.setScissor(0, 0, width, 1);
            list.beginQuery(set, index);
            list.draw(3, 1, 0, 0);
            list.endQuery(set);
        }

        boolean renders() {
            return rig.device.capabilities().renders();
        }

        @Override
        public void close() {
            rig.close();
        }
    }

    private static long[] samples(QuerySet set) {
        QueryResults read = set.read();
        return IntStream.range(0, read.count()).mapToLong(read::samples).toArray();
    }

    private static long[] longs(Buffer readback) {
        long[] read = new long[(int) readback.description().bytes() / 8];
        readback.mapped().asLongBuffer().get(read);
        return read;
    }

    @ParameterizedTest
    @EnumSource
    void samplesAreCountedAndWhatIsNotBegunIsNothing(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            QuerySet exact = scene.set("exact", QueryKind.SAMPLES, 6);
            for (int round = 0; round < 2; round++) {
                exact.reset();
                assertThat(samples(exact)).containsOnly(-1);
                assertThat(exact.read().isCounted(4)).isFalse();
                scene.rig.execute(list -> {
                    scene.begin(list);
                    scene.draw(list, exact, 1, 4);
                    scene.draw(list, exact, 2, 1);
                    list.beginQuery(exact, 4);
                    list.endQuery(exact);
                    list.endRendering();
                    list.fillBuffer(scene.results, 0, 64, -1);
                    full(list);
                    list.copyQueries(exact, 0, 6, scene.results, 8);
                    full(list);
                });
                long all = scene.renders() ? 4 : 0;
                assertThat(longs(scene.results)).containsExactly(-1, 0, all, all / 4, 0, 0, 0, -1);
                assertThat(samples(exact)).containsExactly(-1, all, all / 4, -1, 0, -1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void anySampleIsNotZero(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            scene.rig.execute(list -> {
                scene.begin(list);
                scene.draw(list, scene.samples, 0, 3);
                list.setScissor(0, 0, 0, 0);
                list.beginQuery(scene.samples, 1);
                list.draw(3, 1, 0, 0);
                list.endQuery(scene.samples);
                list.endRendering();
            });
            QueryResults read = scene.samples.read();
            assertThat(read.samples(0) != 0).isEqualTo(scene.renders());
            assertThat(read.samples(1)).isZero();
            assertThat(read.isCounted(1)).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void statisticsOfWholeRenderPassesAndOfPartsOfThem(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            QuerySet statistics = scene.set("statistics", QueryKind.STATISTICS, 2);
            scene.rig.execute(list -> {
                list.beginQuery(statistics, 0);
                scene.begin(list);
                scene.draw(list, scene.samples, 0, 4);
                list.draw(6, 1, 0, 0);
                list.endRendering();
                list.endQuery(statistics);
                scene.begin(list);
                list.beginQuery(statistics, 1);
                scene.draw(list, scene.samples, 1, 4);
                list.endQuery(statistics);
                list.draw(3, 1, 0, 0);
                list.endRendering();
            });
            QueryResults read = statistics.read();
            assertThat(read.statistic(0, PipelineStatistic.VERTICES)).isEqualTo(9);
            assertThat(read.statistic(0, PipelineStatistic.PRIMITIVES)).isEqualTo(3);
            assertThat(read.statistic(1, PipelineStatistic.VERTICES)).isEqualTo(3);
            assertThat(read.statistic(1, PipelineStatistic.VERTEX_INVOCATIONS)).isEqualTo(3);
            assertThat(read.statistic(1, PipelineStatistic.FRAGMENT_INVOCATIONS) > 0)
                    .isEqualTo(scene.renders());
            assertThatThrownBy(() -> read.samples(0)).hasMessageContaining("STATISTICS have no samples");
            assertThatThrownBy(() -> read.statistic(2, PipelineStatistic.VERTICES))
                    .hasMessageContaining("number 2");
        }
    }

    @ParameterizedTest
    @EnumSource
    void primitivesAreThoseOfTheTopologyThatTheListSets(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            QuerySet statistics = scene.set("statistics", QueryKind.STATISTICS, 2);
            GraphicsPipeline loose = scene.rig.own(scene.rig.device.createGraphicsPipeline(
                    GraphicsPipelineDescription.of("loose", EVERYWHERE, RenderPassScene.FRAGMENT, Format.R8G8B8A8_UNORM)
                            .withDynamicStates(Set.of(DynamicState.TOPOLOGY))));
            scene.rig.execute(list -> {
                scene.begin(list);
                list.bindPipeline(loose);
                list.beginQuery(statistics, 0);
                list.draw(6, 1, 0, 0);
                list.endQuery(statistics);
                list.setTopology(RasterState.Topology.TRIANGLE_STRIP);
                list.beginQuery(statistics, 1);
                list.draw(6, 1, 0, 0);
                list.endQuery(statistics);
                list.endRendering();
            });
            QueryResults read = statistics.read();
            assertThat(read.statistic(0, PipelineStatistic.PRIMITIVES)).isEqualTo(2);
            assertThat(read.statistic(1, PipelineStatistic.PRIMITIVES)).isEqualTo(4);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aListCopiesWhatTheListsCountThatItExecutes(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            scene.rig.execute(list -> {
                CommandList part =
                        scene.rig.frame.beginSecondary(scene.rig.queue(), "part", scene.pass.formats(), List.of());
                part.setViewport(0, 0, 4, 4);
                part.bindPipeline(scene.triangle);
                scene.draw(part, scene.samples, 3, 2);
                part.end();
                transition(list, scene.color, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                list.beginRendering(scene.pass.withSecondaries());
                list.execute(List.of(part));
                list.endRendering();
                list.copyQueries(scene.samples, 2, 2, scene.results, 0);
                full(list);
            });
            long[] read = longs(scene.results);
            assertThat(read[0]).isZero();
            assertThat(read[1] != 0).isEqualTo(scene.renders());
        }
    }

    /** The copy is a write of the pass, which a reader has to be ordered after. */
    @Test
    void theCheckerJudgesTheCopyOfResults() {
        HazardChecker checker = new HazardChecker();
        try (CommandRig rig = new CommandRig(Backend.VIRTUAL, false, checker)) {
            QuerySet set = rig.own(rig.device.createQuerySet("set", QueryKind.ANY_SAMPLE, 2));
            Buffer results = rig.buffer("results", 16, BufferUsage.COPY_DST, BufferUsage.COPY_SRC);
            Buffer other = rig.buffer("other", 16, BufferUsage.COPY_DST);
            ResourceUse written = new ResourceUse.OfBuffer(results, 0, 16, Access.COPY_DST, true);
            ResourceUse read = new ResourceUse.OfBuffer(results, 0, 16, Access.COPY_SRC, false);
            ResourceUse copied = new ResourceUse.OfBuffer(other, 0, 16, Access.COPY_DST, true);
            for (boolean ordered : new boolean[] {true, false}) {
                set.reset();
                rig.execute(list -> {
                    full(list);
                    list.beginPass("count", List.of(written));
                    list.beginQuery(set, 0);
                    list.endQuery(set);
                    list.copyQueries(set, 0, 2, results, 0);
                    list.endPass();
                    if (ordered) {
                        full(list);
                    }
                    list.beginPass("use", List.of(read, copied));
                    list.copyBuffer(results, 0, other, 0, 16);
                    list.endPass();
                });
                assertThat(checker.hazards()).hasSize(ordered ? 0 : 1);
                assertThat(checker.undeclared()).isEmpty();
            }
            set.reset();
            rig.execute(list -> {
                full(list);
                list.beginPass("count", List.of());
                list.copyQueries(set, 0, 1, results, 0);
                list.endPass();
            });
            assertThat(checker.undeclared()).hasSize(1);
        }
    }

    private static Arguments bad(String what, BiConsumer<Scene, CommandList> body, String... words) {
        return Arguments.of(what, body, words);
    }

    static Stream<Arguments> refusedCommands() {
        List<Arguments> bad = List.of(
                bad(
                        "begun twice",
                        (s, l) -> {
                            l.beginQuery(s.samples, 0);
                            l.endQuery(s.samples);
                            l.beginQuery(s.samples, 0);
                        },
                        "beginQuery",
                        "query 0 of set 'samples' is written already"),
                bad("no such query", (s, l) -> l.beginQuery(s.samples, 4), "'samples' has 4", "number 4"),
                bad(
                        "two of a kind",
                        (s, l) -> {
                            l.beginQuery(s.samples, 0);
                            l.beginQuery(s.set("more", QueryKind.SAMPLES, 1), 0);
                        },
                        "query 0 of set 'samples' is open",
                        "end it first"),
                bad("not begun", (s, l) -> l.endQuery(s.samples), "endQuery", "no query of set 'samples' is open"),
                bad(
                        "begun outside of the render pass",
                        (s, l) -> {
                            l.beginQuery(s.samples, 0);
                            s.begin(l);
                            l.endQuery(s.samples);
                        },
                        "end it where it was begun"),
                bad(
                        "open at the end of the render pass",
                        (s, l) -> {
                            s.begin(l);
                            l.beginQuery(s.samples, 0);
                            l.endRendering();
                        },
                        "endRendering",
                        "query 0 of set 'samples' is still open"),
                bad(
                        "open at the end of the pass",
                        (s, l) -> {
                            l.beginPass("pass", List.of());
                            l.beginQuery(s.samples, 0);
                            l.endPass();
                        },
                        "endPass",
                        "call endQuery before"),
                bad(
                        "open at the end of the part",
                        (s, l) -> {
                            l.beginPass("pass", List.of());
                            ((CheckedCommandList<?, ?>) l).beginPart();
                            l.beginQuery(s.samples, 0);
                            ((CheckedCommandList<?, ?>) l).endPart();
                        },
                        "endPart",
                        "call endQuery before"),
                bad(
                        "open at the end of the list",
                        (s, l) -> {
                            l.beginQuery(s.samples, 0);
                            l.end();
                        },
                        "end",
                        "call endQuery before"),
                bad(
                        "open while others are executed",
                        (s, l) -> {
                            l.beginQuery(s.samples, 0);
                            l.execute(List.of());
                        },
                        "execute",
                        "call endQuery before"),
                bad(
                        "copied while open",
                        (s, l) -> {
                            l.beginQuery(s.samples, 0);
                            l.copyQueries(s.samples, 0, 1, s.results, 0);
                        },
                        "copyQueries",
                        "still open"),
                bad(
                        "copied in a render pass",
                        (s, l) -> {
                            s.begin(l);
                            l.copyQueries(s.samples, 0, 1, s.results, 0);
                        },
                        "inside a render pass"),
                bad(
                        "copied for another list",
                        (s, l) -> {
                            CommandList other = s.rig.frame.beginCommands(s.rig.queue(), "other");
                            other.beginQuery(s.samples, 1);
                            other.endQuery(s.samples);
                            other.end();
                            l.copyQueries(s.samples, 0, 2, s.results, 0);
                        },
                        "query 1 of set 'samples' is counted by another list"),
                bad(
                        "copied beyond the set",
                        (s, l) -> l.copyQueries(s.samples, 2, 3, s.results, 0),
                        "'samples' has 4 queries, not 3 from 2 on"),
                bad("copied beside", (s, l) -> l.copyQueries(s.samples, 0, 1, s.results, 4), "'readback'", "8"),
                bad("copied beyond", (s, l) -> l.copyQueries(s.samples, 0, 2, s.results, 56), "'readback'", "64"),
                bad(
                        "copied to what is for something else",
                        (s, l) -> l.copyQueries(s.samples, 0, 1, s.rig.buffer("vertices", 64, BufferUsage.VERTEX), 0),
                        "'vertices'",
                        "COPY_DST"),
                bad(
                        "closed",
                        (s, l) -> {
                            QuerySet closed = s.rig.device.createQuerySet("closed", QueryKind.ANY_SAMPLE, 1);
                            closed.close();
                            l.beginQuery(closed, 0);
                        },
                        "query set 'closed'",
                        "closed"));
        return Arrays.stream(Backend.values())
                .flatMap(backend ->
                        bad.stream().map(row -> Arguments.of(backend, row.get()[0], row.get()[1], row.get()[2])));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("refusedCommands")
    void isRefusedByName(Backend backend, String what, BiConsumer<Scene, CommandList> body, String[] words) {
        try (Scene scene = new Scene(backend)) {
            CommandList list = scene.rig.frame.beginCommands(scene.rig.queue(), "list");
            assertThatThrownBy(() -> body.accept(scene, list))
                    .isInstanceOfAny(IllegalStateException.class, IllegalArgumentException.class)
                    .message()
                    .contains(words);
        }
    }

    @ParameterizedTest
    @EnumSource
    void setsOfNoQueriesAndQueuesWithoutGraphicsAreRefused(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            assertThatThrownBy(() -> scene.rig.device.createQuerySet("none", QueryKind.ANY_SAMPLE, 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("query set 'none'");
            scene.rig.device.queues().stream()
                    .filter(queue -> queue.index() > 0)
                    .forEach(queue -> {
                        CommandList list = scene.rig.frame.beginCommands(queue, "beside");
                        assertThatThrownBy(() -> list.beginQuery(scene.samples, 0))
                                .isInstanceOf(IllegalStateException.class)
                                .hasMessageContaining("GRAPHICS");
                    });
        }
    }
}
