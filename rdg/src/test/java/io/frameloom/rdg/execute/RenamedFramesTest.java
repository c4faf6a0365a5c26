package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FrameStatistics.PassTime;
import io.frameloom.rdg.FrameStatistics.ScopeTime;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.PlanReuse;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.VirtualDevices;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.diagnostics.Breakpoint;
import io.frameloom.rdg.diagnostics.NameFilter;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.diagnostics.RdgListener;
import io.frameloom.rdg.diagnostics.RdgWatch;
import io.frameloom.rdg.utility.ClearPasses;
import io.frameloom.rdg.utility.ReadbackPasses;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A frame that differs from others in names alone takes over what was made for them, and is told by its own names. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RenamedFramesTest {
    private static final RdgOptions OPTIONS = RdgOptions.defaults().withPassLimits(1, 100);

    /** Its device takes no timestamps between passes of one render pass. */
    private static FakeRig rig() {
        return new FakeRig(2, FrameExecutorOptions.defaults().withCollectTimestamps(false), QueueKind.GRAPHICS);
    }

    private static FramePlan compile(FakeRig rig, RenderGraphCompiler compiler, RenderGraph graph) {
        return compiler.compile(graph, QueueTopology.of(rig.device), MemorySizer.of(rig.device));
    }

    /** Two passes that share a render pass, and a copy, in a scope; everything has the name of a view in its name. */
    private static RenderGraph view(String view, Buffer result, Runnable body) {
        RenderGraph graph = new RenderGraph("frame");
        RdgTexture target = graph.createTexture(view + " target", FakeRig.TARGET);
        RdgBuffer out = graph.registerExternal(result);
        graph.scope(view, () -> {
            graph.addPass(view + " draw", PassKind.RASTER)
                    .color(target, LoadOp.CLEAR, FakeRig.CLEAR)
                    .record(context -> body.run());
            graph.addPass(view + " more", PassKind.RASTER)
                    .color(target, LoadOp.LOAD, FakeRig.CLEAR)
                    .record(context -> {});
            graph.addPass(view + " copy", PassKind.COPY)
                    .reads(target, Access.COPY_SRC)
                    .overwrites(out, Access.COPY_DST)
                    .record(context -> context.texture(target));
        });
        return graph;
    }

    private static List<String> targets(FakeRig rig) {
        return rig.device.open().stream()
                .filter(Resource.class::isInstance)
                .map(each -> ((Resource) each).name())
                .filter(name -> name.endsWith("target"))
                .sorted()
                .toList();
    }

    @Test
    void markersAndListsHaveTheNamesOfTheirFrame() {
        try (FakeRig rig = rig();
                Buffer result = rig.readback()) {
            RenderGraphCompiler compiler = new RenderGraphCompiler(OPTIONS);
            int frame = 0;
            for (String view : List.of("left", "right", "left", "right", "third")) {
                FrameHandle handle = rig.executor.execute(compile(rig, compiler, view(view, result, () -> {})));
                handle.completed().await();
                FakeQueue.Submitted submitted = rig.device.submissions().get(frame++);
                assertThat(submitted.operations())
                        .filteredOn(operation -> operation.contains("label") || operation.startsWith("pass "))
                        .containsExactly(
                                "label " + view,
                                "pass " + view + " draw + " + view + " more",
                                "pass " + view + " copy",
                                "end label");
                assertThat(((FakeCommandList) submitted.submission().lists().get(0)).label())
                        .isEqualTo(view + " draw .. " + view + " copy");
            }
            assertThat(compiler.planReuse()).isEqualTo(new PlanReuse(4, 1, 1, 0));
        }
    }

    @Test
    void timesHaveTheNamesOfTheirFrame() {
        try (FakeRig rig = FakeRig.graphics();
                Buffer result = rig.readback()) {
            RenderGraphCompiler compiler = new RenderGraphCompiler(OPTIONS.withMergeRenderPasses(false));
            for (String view : List.of("left", "right", "left")) {
                FrameHandle handle = rig.executor.execute(compile(rig, compiler, view(view, result, () -> {})));
                handle.completed().await();
                assertThat(handle.statistics().passTimes())
                        .extracting(PassTime::pass)
                        .containsExactly(view + " draw", view + " more", view + " copy");
                assertThat(handle.statistics().scopeTimes())
                        .extracting(ScopeTime::path)
                        .containsExactly(view);
            }
        }
    }

    /** Only what is debugged is worth native objects of its own. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nativeObjectsAreMadeAgainForOtherNamesOnlyWhereTheyAreDebugged(boolean debug) {
        try (FakeRig rig = rig();
                Buffer result = rig.readback()) {
            RenderGraphCompiler compiler = new RenderGraphCompiler(OPTIONS.withDebug(debug));
            for (String view : List.of("left", "right", "left", "right")) {
                rig.executor
                        .execute(compile(rig, compiler, view(view, result, () -> {})))
                        .completed()
                        .await();
            }
            assertThat(targets(rig)).isEqualTo(debug ? List.of("left target", "right target") : List.of("left target"));
        }
    }

    @Test
    void breakpointsAreOfTheNamesOfTheirFrame() {
        List<String> reached = new CopyOnWriteArrayList<>();
        RdgListener listener = new RdgListener() {
            @Override
            public void reached(Breakpoint moment, String graph, String subject) {
                reached.add(moment + " " + subject);
            }

            @Override
            public void transition(String graph, String line) {
                throw new IllegalStateException("nobody asked for it");
            }
        };
        for (Breakpoint moment : List.of(Breakpoint.EXECUTE, Breakpoint.RESOURCE)) {
            RdgWatch watch = RdgWatch.none()
                    .withListener(listener)
                    .withBreakpoint(moment)
                    .withPasses(new NameFilter("right draw"))
                    .withResources(new NameFilter("right target"));
            try (FakeRig rig = rig();
                    Buffer result = rig.readback()) {
                RenderGraphCompiler compiler = new RenderGraphCompiler(
                        OPTIONS.withDiagnostics(RdgDiagnostics.none().withWatch(watch)));
                for (String view : List.of("left", "right", "left")) {
                    rig.executor
                            .execute(compile(rig, compiler, view(view, result, () -> {})))
                            .completed()
                            .await();
                }
                assertThat(compiler.planReuse().hits()).isEqualTo(2);
            }
        }
        assertThat(reached).containsExactly("EXECUTE right draw", "RESOURCE right target");
    }

    @Test
    void failuresNameThePassOfTheirFrame() {
        try (FakeRig rig = rig();
                Buffer result = rig.readback()) {
            RenderGraphCompiler compiler = new RenderGraphCompiler(OPTIONS);
            rig.executor
                    .execute(compile(rig, compiler, view("left", result, () -> {})))
                    .completed()
                    .await();
            FramePlan failing = compile(rig, compiler, view("right", result, () -> {
                throw new IllegalStateException("no mesh");
            }));
            assertThatThrownBy(() -> rig.executor.execute(failing).completed().await())
                    .hasRootCauseMessage("no mesh")
                    .hasStackTraceContaining("recording pass 'right draw' of plan 'frame'");
        }
    }

    /** Views of one frame share memory, and are ordered there, whatever they are called. */
    @Test
    void viewsOfOneFrameDisturbEachOtherNoMoreThanThoseOfOneName() {
        try (DeviceRig rig = new DeviceRig(
                2,
                FrameExecutorOptions.defaults(),
                RdgOptions.defaults(),
                false,
                options -> VirtualDevices.open(new VirtualGpuOptions(3, 5), options))) {
            Object shape = null;
            List<RdgReadback> results = new ArrayList<>();
            for (int frame = 0; frame < 6; frame++) {
                rig.executor.beginFrame();
                for (int view = 0; view < 3; view++) {
                    String name = "view " + view % 2 + " of " + (frame < 3 ? "one" : frame + "");
                    RenderGraph graph = new RenderGraph("frame");
                    RdgBuffer data = graph.createBuffer(name, FakeRig.BUFFER);
                    int value = 10 * frame + view;
                    ClearPasses.buffer(graph, data, value);
                    results.add(ReadbackPasses.buffer(graph, data));
                    FramePlan plan = rig.compile(graph);
                    shape = shape == null ? CompiledPlan.of(plan).shape() : shape;
                    assertThat(CompiledPlan.of(plan).shape()).isSameAs(shape);
                    assertThat(plan.resources().get(0).name()).isEqualTo(name);
                    rig.executor.execute(plan);
                }
                rig.executor.endFrame().await();
            }
            for (int i = 0; i < results.size(); i++) {
                assertThat(results.get(i)
                                .bytes()
                                .join()
                                .order(ByteOrder.nativeOrder())
                                .getInt(0))
                        .isEqualTo(10 * (i / 3) + i % 3);
            }
            rig.assertClean();
        }
    }
}
