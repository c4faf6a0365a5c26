package io.frameloom.rdg.execute;

import static io.frameloom.rdg.execute.QueryFramesTest.FOUR;
import static io.frameloom.rdg.execute.QueryFramesTest.PICTURE;
import static io.frameloom.rdg.execute.QueryFramesTest.samples;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.QueryKind;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.capture.Capture;
import io.frameloom.rdg.capture.CapturedTexture;
import io.frameloom.rdg.diagnostics.Clobber;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.execute.QueryFramesTest.Scene;
import io.frameloom.rdg.utility.ReadbackPasses;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Passes count the same with what finds mistakes: clobber mode, immediate mode and captures. */
@Timeout(60)
class QueryDiagnosticsTest {
    private static final RdgDiagnostics NONE = RdgDiagnostics.none();

    /** Results are overwritten as a whole, so nothing of the pattern is left in those that count nothing. */
    @ParameterizedTest
    @EnumSource
    void noPatternIsLeftInResults(TestDevice device) {
        device.run(NONE.withClobber(Clobber.LARGE), rig -> {
            try (Scene scene = new Scene(rig)) {
                for (int frame = 0; frame < 2; frame++) {
                    boolean runs = frame == 0;
                    RenderGraph graph = new RenderGraph("clobbered");
                    RdgTexture picture = graph.createTexture("picture", PICTURE);
                    RdgBuffer results = graph.createBuffer("results", FOUR);
                    RdgBuffer others = graph.createBuffer("others", FOUR);
                    Scene.pass(graph, "count", picture, LoadOp.CLEAR)
                            .counts(QueryKind.SAMPLES, results)
                            .record(context -> scene.row(context.commands(), context.queries(results), 2, 5));
                    Scene.pass(graph, "sometimes", picture, LoadOp.LOAD)
                            .counts(QueryKind.SAMPLES, others)
                            .onlyIf(() -> runs)
                            .record(context -> scene.row(context.commands(), context.queries(others), 0, 3));
                    RdgReadback read = ReadbackPasses.buffer(graph, results);
                    RdgReadback readOthers = ReadbackPasses.buffer(graph, others);
                    FramePlan plan = scene.run(graph);
                    assertThat(plan.passes())
                            .extracting(FramePlan.PassPlan::name)
                            .contains("clobber results", "clobber others", "clobber picture");
                    assertThat(samples(read)).containsExactly(0L, 0L, scene.seen(5), 0L);
                    assertThat(samples(readOthers)).containsExactly(runs ? scene.seen(3) : 0L, 0L, 0L, 0L);
                }
            }
        });
    }

    /** The host reads results as soon as the pass that counts them is declared. */
    @ParameterizedTest
    @EnumSource
    void inImmediateModeResultsAreThereWhenAPassIsDeclared(TestDevice device) {
        device.run(NONE.withImmediate(true), rig -> {
            try (Scene scene = new Scene(rig);
                    Buffer mapped = rig.device.createBuffer("mapped", BufferDescription.readback(32))) {
                for (int frame = 0; frame < 2; frame++) {
                    boolean runs = frame == 0;
                    for (int at = 0; at < 32; at += Long.BYTES) {
                        mapped.mapped().putLong(at, -1);
                    }
                    RenderGraph graph = rig.begin("immediate");
                    RdgTexture picture = graph.createTexture("picture", PICTURE);
                    RdgBuffer results = graph.registerExternal(mapped);
                    Scene.pass(graph, "first", picture, LoadOp.CLEAR)
                            .counts(QueryKind.SAMPLES, results.view(0, 16))
                            .record(context ->
                                    scene.row(context.commands(), context.queries(results.view(0, 16)), 1, 4));
                    assertThat(longs(mapped)).containsExactly(0, scene.seen(4), -1, -1);
                    Scene.pass(graph, "second", picture, LoadOp.LOAD)
                            .counts(QueryKind.SAMPLES, results.view(16, 16))
                            .onlyIf(() -> runs)
                            .record(context ->
                                    scene.row(context.commands(), context.queries(results.view(16, 16)), 0, 6));
                    assertThat(longs(mapped)).containsExactly(0, scene.seen(4), runs ? scene.seen(6) : 0, 0);
                    scene.run(graph);
                    assertThat(longs(mapped))
                            .as("nothing runs twice")
                            .containsExactly(0, scene.seen(4), runs ? scene.seen(6) : 0, 0);
                }
                rig.executor.close();
            }
        });
    }

    private static long[] longs(Buffer mapped) {
        long[] words = new long[4];
        for (int i = 0; i < words.length; i++) {
            words[i] = mapped.mapped().getLong(i * Long.BYTES);
        }
        return words;
    }

    /** A capture between two passes parts their render pass; each counts what it counts without. */
    @ParameterizedTest
    @EnumSource
    void aCaptureBetweenPassesChangesNoResult(TestDevice device) {
        device.run(NONE.withCaptures(List.of(Capture.parse("picture@1"))), rig -> {
            try (Scene scene = new Scene(rig)) {
                RenderGraph graph = new RenderGraph("captured");
                RdgTexture picture = graph.createTexture(
                        "picture", PICTURE.withUsage(Set.of(TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_SRC)));
                RdgBuffer results = graph.createBuffer("results", FOUR);
                Scene.pass(graph, "first", picture, LoadOp.CLEAR)
                        .counts(QueryKind.SAMPLES, results.view(0, 16))
                        .record(context -> scene.row(context.commands(), context.queries(results.view(0, 16)), 0, 7));
                Scene.pass(graph, "second", picture, LoadOp.LOAD)
                        .counts(QueryKind.SAMPLES, results.view(16, 16))
                        .record(context -> scene.row(context.commands(), context.queries(results.view(16, 16)), 1, 2));
                RdgReadback read = ReadbackPasses.buffer(graph, results);
                FramePlan plan = rig.compile(graph);
                assertThat(plan.renderPasses()).hasSize(2);
                FrameHandle frame = rig.executor.execute(plan);
                frame.completed().await();
                assertThat(samples(read)).containsExactly(scene.seen(7), 0L, 0L, scene.seen(2));
                CapturedTexture first = frame.captures().get(0).join();
                assertThat(first.version()).isEqualTo(1);
                if (rig.device.capabilities().renders()) {
                    assertThat(first.number(6, 0, 0)).isEqualTo(1);
                    assertThat(first.number(0, 1, 0)).as("drawn later").isEqualTo(0);
                }
            }
        });
    }
}
