package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferSlice;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.rdg.BufferHistory;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgSetupTask;
import io.frameloom.rdg.RdgUniformBuffer;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.utility.ClearPasses;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.taskgraph.GraphEvent;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Frames of one graph that is reset for each of them: what is under way goes on as it was declared. */
class RedeclaredFramesTest {
    private static final BufferDescription DATA =
            BufferDescription.device(64, BufferUsage.STORAGE, BufferUsage.COPY_DST, BufferUsage.COPY_SRC);

    private static int word(RdgReadback readback) {
        return readback.bytes().join().order(ByteOrder.nativeOrder()).getInt(0);
    }

    /** Fills a buffer with a number that its body takes from uniforms, behind work of the host. */
    private static RdgReadback fill(
            DeviceRig rig, RenderGraph graph, String name, int number, int others, GraphEvent scene) {
        RdgSetupTask setup = graph.setupTask(rig.tasks, "setup", scene::await);
        for (int i = 0; i < others; i++) {
            RdgBuffer other = graph.createBuffer("other " + i, DATA);
            ClearPasses.buffer(graph, other, -number);
            graph.neverAlias(other);
        }
        RdgBuffer data = graph.createBuffer(name, DATA);
        RdgUniformBuffer constants = graph.createUniforms("constants", 16, bytes -> bytes.putInt(0, number));
        ClearPasses.buffer(graph, data, 0);
        graph.addPass("fill " + name, PassKind.COPY)
                .writes(data, Access.COPY_DST)
                .uniforms(constants)
                .after(setup)
                .onlyIf(() -> number % 5 != 0)
                .record(context -> {
                    BufferSlice slice = context.uniforms(constants);
                    int word = slice.data().order(ByteOrder.nativeOrder()).getInt(0);
                    context.commands().fillBuffer(context.buffer(data), 0, DATA.bytes(), word);
                });
        return ReadbackPasses.buffer(graph, data);
    }

    /** Nothing of a frame is recorded before the graph has declared the next ones, which are other graphs mostly. */
    @Test
    void framesUnderWayGoOnAsTheyWereDeclared() {
        TestDevice.VIRTUAL.run(rig -> {
            RenderGraph graph = new RenderGraph("one");
            List<RdgReadback> results = new ArrayList<>();
            int number = 0;
            for (int round = 0; round < 6; round++) {
                GraphEvent scene = rig.tasks.event("scene");
                List<FrameHandle> underWay = new ArrayList<>();
                for (int frame = 0; frame < rig.executor.framesInFlight(); frame++) {
                    number++;
                    String name = round < 3 ? "data" : "data " + frame;
                    graph.reset("frame " + number);
                    results.add(fill(rig, graph, name, number, (round + frame) % 3, scene));
                    underWay.add(rig.executor.execute(rig.compile(graph)));
                }
                assertThat(underWay.get(0).recorded().isComplete()).isFalse();
                graph.reset("given up");
                fill(rig, graph, "data", -1, 2, scene);
                scene.trigger();
                underWay.forEach(frame -> frame.completed().await());
            }
            for (int i = 0; i < results.size(); i++) {
                assertThat(word(results.get(i))).as("frame %d", i + 1).isEqualTo((i + 1) % 5 == 0 ? 0 : i + 1);
            }
            rig.executor.close();
        });
    }

    /** A plan is executed when its graph has declared others. */
    @Test
    void aPlanOfAFormerFrameIsExecutedLater() {
        TestDevice.VIRTUAL.run(rig -> {
            GraphEvent scene = rig.tasks.event("scene");
            scene.trigger();
            RenderGraph graph = new RenderGraph("one");
            RdgReadback first = fill(rig, graph, "data", 1, 1, scene);
            FramePlan plan = rig.compile(graph);
            RdgReadback second = fill(rig, graph.reset("two"), "data", 2, 0, scene);
            FramePlan next = rig.compile(graph);
            graph.reset("three");
            rig.executor.execute(next).completed().await();
            rig.executor.execute(plan).completed().await();
            assertThat(plan.name()).isEqualTo("one");
            assertThat(word(first)).isEqualTo(1);
            assertThat(word(second)).isEqualTo(2);
            rig.executor.close();
        });
    }

    @Test
    void historiesGoFromFrameToFrame() {
        TestDevice.VIRTUAL.run(rig -> {
            try (BufferHistory history = new BufferHistory(rig.device, "counter", Access.STORAGE_READ_COMPUTE, 100)) {
                RenderGraph graph = new RenderGraph("one");
                List<RdgReadback> results = new ArrayList<>();
                for (int frame = 0; frame < 7; frame++) {
                    BufferHistory.Frame halves = graph.reset("frame " + frame).history(history, DATA);
                    ClearPasses.buffer(graph, halves.current(), frame);
                    results.add(ReadbackPasses.buffer(graph, halves.previous()));
                    rig.executor.execute(rig.compile(graph));
                }
                rig.executor.close();
                assertThat(results).extracting(RedeclaredFramesTest::word).containsExactly(100, 0, 1, 2, 3, 4, 5);
            }
        });
    }

    @Test
    void inImmediateModeEachFrameTakesAGraph() {
        TestDevice.VIRTUAL.run(RdgDiagnostics.none().withImmediate(true), rig -> {
            RenderGraph graph = rig.begin("frame");
            assertThatThrownBy(() -> graph.reset("next"))
                    .isInstanceOf(RdgException.class)
                    .hasMessageContainingAll("'frame' runs in immediate mode", "beginGraph");
            RenderGraphCompiler immediate = new RenderGraphCompiler(
                    RdgOptions.defaults().withDiagnostics(RdgDiagnostics.none().withImmediate(true)));
            RenderGraphCompiler plain = new RenderGraphCompiler(RdgOptions.defaults());
            RenderGraph next = rig.executor.beginGraph("next", immediate, graph);
            assertThat(next).isNotSameAs(graph);
            assertThat(graph.name()).isEqualTo("frame");
            RenderGraph usual = rig.executor.beginGraph("usual", plain, null);
            assertThat(rig.executor.beginGraph("again", plain, usual)).isSameAs(usual);
            assertThat(usual.name()).isEqualTo("again");
            assertThatThrownBy(() -> rig.executor.beginGraph("mixed", plain, next))
                    .isInstanceOf(RdgException.class);
        });
    }
}
