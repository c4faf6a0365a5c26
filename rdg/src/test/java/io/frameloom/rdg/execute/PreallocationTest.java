package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.utility.ReadbackPasses;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Transients that exist before their frame: who asks has the very texture of the passes, and it goes back afterwards. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PreallocationTest {
    private static final TextureDescription PICTURE =
            TextureDescription.of(4, 4, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_SRC);

    private static void draw(RenderGraph graph, RdgTexture target, int level, List<Texture> seen) {
        graph.addPass("draw", PassKind.RASTER)
                .color(target, LoadOp.CLEAR, new ClearColor(level / 255.0, 0, 0, 0))
                .record(context -> seen.add(context.texture(target)));
    }

    @ParameterizedTest
    @EnumSource
    void passesRenderToWhatWasHandedOut(TestDevice device) {
        for (boolean immediate : new boolean[] {false, true}) {
            device.run(RdgDiagnostics.none().withImmediate(immediate), rig -> {
                List<Texture> handedOut = new ArrayList<>();
                List<Texture> seen = new ArrayList<>();
                List<RdgReadback> results = new ArrayList<>();
                int frames = 3 * rig.executor.framesInFlight();
                for (int frame = 0; frame < frames; frame++) {
                    RenderGraph graph = rig.begin("frame");
                    RdgTexture target = graph.createTexture("target", PICTURE);
                    Texture made = rig.executor.preallocate(target);
                    assertThat(rig.executor.preallocate(target)).isSameAs(made);
                    assertThat(graph.findExternal(made)).isSameAs(target);
                    handedOut.add(made);
                    draw(graph, target, frame, seen);
                    results.add(ReadbackPasses.texture(graph, target));
                    rig.executor.execute(rig.compile(graph)).completed().await();
                }
                assertThat(seen).isEqualTo(handedOut);
                for (int frame = 0; frame < frames; frame++) {
                    assertThat(results.get(frame).bytes().join().get(0)).isEqualTo((byte) frame);
                }
                // Each goes back with its frame, for those behind the first one that has waited for that.
                assertThat(new HashSet<>(handedOut)).hasSizeLessThanOrEqualTo(rig.executor.framesInFlight() + 1);
            });
        }
    }

    /** The plan would have other memory for it. */
    @Test
    void notBehindTheCompilation() {
        try (FakeRig rig = FakeRig.graphics()) {
            RenderGraph graph = new RenderGraph("late");
            RdgTexture target = graph.createTexture("target", FakeRig.TARGET);
            RdgBuffer buffer = graph.createBuffer("buffer", FakeRig.BUFFER);
            draw(graph, target, 0, new ArrayList<>());
            new RenderGraphCompiler(RdgOptions.defaults())
                    .compile(graph, QueueTopology.of(rig.device), MemorySizer.of(rig.device));
            assertThatThrownBy(() -> rig.executor.preallocate(target))
                    .isInstanceOf(RdgException.class)
                    .hasMessageContaining("'target'")
                    .hasMessageContaining("preallocate before compiling");
            assertThatThrownBy(() -> rig.executor.preallocate(buffer)).hasMessageContaining("'buffer'");
        }
    }

    /** What writes it is needed by whoever has the texture. */
    @Test
    void whatWritesItIsNotCulled() {
        try (FakeRig rig = FakeRig.graphics()) {
            RenderGraphCompiler compiler = new RenderGraphCompiler(RdgOptions.defaults());
            Object shape = null;
            for (boolean preallocated : new boolean[] {true, true, false}) {
                RenderGraph graph = new RenderGraph("frame");
                RdgTexture target = graph.createTexture("target", FakeRig.TARGET);
                if (preallocated) {
                    rig.executor.preallocate(target);
                }
                draw(graph, target, 0, new ArrayList<>());
                FramePlan plan = compiler.compile(graph, QueueTopology.of(rig.device), MemorySizer.of(rig.device));
                assertThat(plan.culledCount()).isEqualTo(preallocated ? 0 : 1);
                if (shape == null) {
                    shape = CompiledPlan.of(plan).shape();
                } else {
                    assertThat(CompiledPlan.of(plan).shape() == shape).isEqualTo(preallocated);
                }
            }
            assertThat(compiler.planReuse().hits()).isEqualTo(1);
        }
    }

    @Test
    void buffersAreHandedOutToo() {
        try (FakeRig rig = FakeRig.graphics()) {
            RenderGraph graph = new RenderGraph("frame");
            RdgBuffer data = graph.createBuffer("data", FakeRig.BUFFER);
            Buffer made = rig.executor.preallocate(data);
            assertThat(made.description()).isEqualTo(FakeRig.BUFFER);
            List<Buffer> seen = new ArrayList<>();
            graph.addPass("fill", PassKind.COPY)
                    .overwrites(data, Access.COPY_DST)
                    .record(context -> seen.add(context.buffer(data)));
            FramePlan plan = rig.compile(graph);
            rig.executor.execute(plan).completed().await();
            assertThat(seen).containsExactly(made);
            assertThat(rig.executor.poolStatistics().idle()).isEqualTo(1);
            assertThatThrownBy(() -> rig.executor.execute(plan))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("preallocated 'data'")
                    .hasMessageContaining("a new graph per frame");
        }
    }

    /** Nobody executes any graph: the texture lives as long as the executor. */
    @Test
    void whatIsNeverExecutedIsFreedWithTheExecutor() {
        Texture made;
        try (FakeRig rig = FakeRig.graphics()) {
            made = rig.executor.preallocate(new RenderGraph("frame").createTexture("target", FakeRig.TARGET));
            assertThat(made.isClosed()).isFalse();
        }
        assertThat(made.isClosed()).isTrue();
    }

    /** A graph per frame that is declared and dropped, as when a view goes away. */
    @Test
    void whatIsMadeForAbandonedGraphsGoesBackInTime() {
        FrameExecutorOptions options =
                FrameExecutorOptions.defaults().withFramesInFlight(2).withPoolFrames(3);
        try (FakeRig rig = new FakeRig(1, options, QueueKind.GRAPHICS)) {
            RenderGraph abandoned = new RenderGraph("abandoned");
            RdgTexture target = abandoned.createTexture("target", FakeRig.TARGET);
            RdgBuffer data = abandoned.createBuffer("data", FakeRig.BUFFER);
            rig.executor.preallocate(target);
            Buffer made = rig.executor.preallocate(data);
            draw(abandoned, target, 0, new ArrayList<>());
            for (int frame = 0; frame < 5; frame++) {
                rig.executor
                        .execute(rig.compile(new RenderGraph("other")))
                        .completed()
                        .await();
                assertThat(rig.executor.poolStatistics().idle()).isZero();
                assertThat(rig.executor.preallocate(data)).isSameAs(made);
            }
            rig.executor
                    .execute(rig.compile(new RenderGraph("other")))
                    .completed()
                    .await();
            assertThat(rig.executor.poolStatistics().idle()).isEqualTo(2);
            RdgBuffer next = new RenderGraph("next").createBuffer("data", FakeRig.BUFFER);
            assertThat(rig.executor.preallocate(next)).isSameAs(made);
            assertThatThrownBy(() -> rig.executor.preallocate(data)).hasMessageContaining("was given back");
            FramePlan late = rig.compile(abandoned);
            assertThatThrownBy(() -> rig.executor.execute(late))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("preallocated 'target'", "execute the graph sooner", "poolFrames");
            for (int frame = 0; frame < 20; frame++) {
                rig.executor.preallocate(new RenderGraph("dropped").createTexture("target", FakeRig.TARGET));
                rig.executor
                        .execute(rig.compile(new RenderGraph("other")))
                        .completed()
                        .await();
            }
            assertThat(rig.device.open().stream().filter(Texture.class::isInstance))
                    .hasSizeLessThan(10);
        }
    }

    /** Passes that run while they are declared are frames, but not graphs that were executed in its place. */
    @Test
    void aLongGraphInImmediateModeKeepsItsOwn() {
        TestDevice.VIRTUAL.run(RdgDiagnostics.none().withImmediate(true), rig -> {
            RenderGraph graph = rig.begin("frame");
            RdgTexture target = graph.createTexture("target", PICTURE);
            Texture made = rig.executor.preallocate(target);
            List<Texture> seen = new ArrayList<>();
            for (int pass = 0; pass < 30; pass++) {
                draw(graph, target, pass, seen);
            }
            rig.executor.execute(rig.compile(graph)).completed().await();
            assertThat(seen).hasSize(30).containsOnly(made);
        });
    }

    @Test
    void whatIsNotOfTheFrameIsRefused() {
        try (FakeRig rig = FakeRig.graphics();
                Buffer outside = rig.readback()) {
            RenderGraph graph = new RenderGraph("frame", RdgOptions.defaults().withDebug(true));
            RdgBuffer external = graph.registerExternal(outside);
            assertThatThrownBy(() -> rig.executor.preallocate(external))
                    .isInstanceOf(RdgException.class)
                    .hasMessageContaining("'result'")
                    .hasMessageContaining("PreallocationTest")
                    .hasMessageContaining("is not of the frame");
            RdgTexture taken = graph.createTexture("taken", FakeRig.TARGET);
            graph.extract(taken, Access.COPY_SRC);
            assertThatThrownBy(() -> rig.executor.preallocate(taken)).hasMessageContaining("'taken'");
            RdgTexture made = graph.createTexture("made", FakeRig.TARGET);
            rig.executor.preallocate(made);
            assertThatThrownBy(() -> graph.extract(made, Access.COPY_SRC))
                    .hasMessageContaining("is preallocated and goes back");
        }
    }

    /** In immediate mode a pass that has run has chosen the texture. */
    @Test
    void immediatePassesThatHaveRunHaveTheirOwn() {
        TestDevice.VIRTUAL.run(RdgDiagnostics.none().withImmediate(true), rig -> {
            RenderGraph graph = rig.begin("frame");
            RdgTexture target = graph.createTexture("target", PICTURE);
            draw(graph, target, 0, new ArrayList<>());
            assertThatThrownBy(() -> rig.executor.preallocate(target))
                    .isInstanceOf(RdgException.class)
                    .hasMessageContaining("before the first of them");
            rig.executor.execute(rig.compile(graph)).completed().await();
        });
    }
}
