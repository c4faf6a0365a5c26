package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.capture.Capture;
import io.frameloom.rdg.diagnostics.Breakpoint;
import io.frameloom.rdg.diagnostics.Clobber;
import io.frameloom.rdg.diagnostics.NameFilter;
import io.frameloom.rdg.diagnostics.PlanWarning;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.diagnostics.RdgListener;
import io.frameloom.rdg.diagnostics.RdgWatch;
import io.frameloom.rdg.diagnostics.RecordingMode;
import io.frameloom.rdg.utility.ReadbackPasses;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the diagnostics promise about executed frames, seen on the device or in what is submitted to it. */
class DiagnosticFramesTest {
    private static final RdgDiagnostics NONE = RdgDiagnostics.none();

    private static RdgOptions options(RdgDiagnostics diagnostics) {
        return RdgOptions.defaults().withDiagnostics(diagnostics);
    }

    /** A rig without timestamps, which the fake device does not take inside of render passes. */
    private static FakeRig rig(QueueKind... queues) {
        return new FakeRig(2, FrameExecutorOptions.defaults().withCollectTimestamps(false), queues);
    }

    private static int[] words(RdgReadback readback) {
        int[] words = new int[4];
        readback.bytes().join().asIntBuffer().get(words);
        return words;
    }

    /** A pass that promises to overwrite a buffer and leaves half of it alone. */
    private static RdgReadback halfWritten(RenderGraph graph) {
        RdgBuffer half = graph.createBuffer("half", BufferDescription.device(16, BufferUsage.STORAGE));
        graph.addPass("write half", PassKind.COPY)
                .overwrites(half, Access.COPY_DST)
                .record(context -> context.commands().fillBuffer(context.buffer(half), 0, 8, 5));
        return ReadbackPasses.buffer(graph, half);
    }

    @ParameterizedTest
    @EnumSource
    void clobberShowsWhatAPassLeavesUnwritten(TestDevice device) {
        for (Clobber clobber : List.of(Clobber.LARGE, Clobber.NAN, Clobber.INFINITY)) {
            int word = Float.floatToIntBits(clobber.value());
            device.run(NONE.withClobber(clobber), rig -> {
                RenderGraph graph = new RenderGraph("frame");
                RdgReadback words = halfWritten(graph);
                FramePlan plan = rig.compile(graph);
                assertThat(plan.passes()).extracting(FramePlan.PassPlan::name).contains("clobber half");
                rig.executor.execute(plan).completed().await();
                assertThat(words(words)).containsExactly(5, 5, word, word);
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void clobberFillsTexturesOfEveryKind(TestDevice device) {
        RdgDiagnostics asked = NONE.withClobber(Clobber.NAN)
                .withCaptures(List.of(Capture.parse("floats@1"), Capture.parse("levels@1"), Capture.parse("depth@1")));
        device.run(asked, rig -> {
            RenderGraph graph = new RenderGraph("frame");
            List<RdgTexture> textures = new ArrayList<>();
            for (Format format : List.of(Format.R32_SFLOAT, Format.R8G8B8A8_UNORM, Format.D32_SFLOAT)) {
                String name = format.isDepth() ? "depth" : format == Format.R32_SFLOAT ? "floats" : "levels";
                RdgTexture texture = graph.createTexture(
                        name,
                        TextureDescription.of(4, 4, format, TextureUsage.SAMPLED)
                                .withMips(2));
                // Leaves everything as it was, which after a clobber is the pattern.
                graph.addPass("touch " + name, PassKind.COPY)
                        .overwrites(texture, Access.COPY_DST)
                        .record(context -> {});
                textures.add(texture);
                ReadbackPasses.texture(graph, texture);
            }
            FrameHandle handle = rig.executor.execute(rig.compile(graph));
            handle.completed().await();
            assertThat(handle.captures().get(0).join().number(3, 3, 0)).isNaN();
            assertThat(handle.captures().get(1).join().number(0, 0, 0)).isEqualTo(1);
            assertThat(handle.captures().get(1).join().number(0, 0, 1)).isEqualTo(0);
            assertThat(handle.captures().get(2).join().number(0, 0, 0)).isEqualTo(0.456f);
            assertThat(textures).hasSize(3);
        });
    }

    @Test
    void clobberLeavesWhatTheFilterDoesNotChooseAndWhatTheHostMaps() {
        RdgDiagnostics asked =
                NONE.withClobber(Clobber.LARGE).withWatch(RdgWatch.none().withResources(new NameFilter("!half")));
        TestDevice.VIRTUAL.run(asked, rig -> {
            RenderGraph graph = new RenderGraph("frame");
            halfWritten(graph);
            assertThat(rig.compile(graph).passes())
                    .extracting(FramePlan.PassPlan::name)
                    .noneMatch(name -> name.startsWith("clobber"));
        });
    }

    @ParameterizedTest
    @EnumSource
    void serialisedFramesGiveTheSameResults(TestDevice device) {
        device.run(NONE.withSerialise(true), rig -> new RandomFrames(rig, 4, 12).run(4));
    }

    @ParameterizedTest
    @EnumSource
    void clobberedFramesGiveTheSameResults(TestDevice device) {
        device.run(NONE.withClobber(Clobber.NAN), rig -> new RandomFrames(rig, 4, 12).run(4));
    }

    @ParameterizedTest
    @EnumSource(RecordingMode.class)
    void everyWayOfRecordingGivesTheSameResults(RecordingMode mode) {
        TestDevice.VIRTUAL_QUEUES.run(NONE.withRecording(mode), rig -> new RandomFrames(rig, 4, 12).run(4));
    }

    /** Three raster passes of one target, and a compute pass that may run beside them. */
    private static RenderGraph rasterAndAsync(Set<String> threads) {
        RenderGraph graph = new RenderGraph("frame");
        RdgTexture target = graph.createTexture("target", FakeRig.TARGET);
        RdgBuffer side = graph.createBuffer("side", FakeRig.BUFFER);
        for (int i = 0; i < 3; i++) {
            graph.addPass("draw " + i, PassKind.RASTER)
                    .color(target, i == 0 ? LoadOp.CLEAR : LoadOp.LOAD, ClearColor.BLACK_TRANSPARENT)
                    .flag(PassFlag.NEVER_CULL)
                    .record(context -> threads.add(Thread.currentThread().getName()));
        }
        graph.addPass("side", PassKind.COMPUTE)
                .overwrites(side, Access.STORAGE_WRITE_COMPUTE)
                .flag(PassFlag.NEVER_CULL, PassFlag.ASYNC_COMPUTE)
                .record(context -> threads.add(Thread.currentThread().getName()));
        return graph;
    }

    @Test
    void serialiseSubmitsEveryPassAloneBehindABarrierOfEverythingAndWaits() {
        try (FakeRig rig = rig(QueueKind.GRAPHICS, QueueKind.COMPUTE)) {
            Set<String> threads = Collections.synchronizedSet(new HashSet<>());
            FramePlan usual = rig.compile(rasterAndAsync(threads), RdgOptions.defaults());
            assertThat(usual.renderPasses()).hasSize(1);
            assertThat(usual.batches()).extracting(FramePlan.Batch::queue).contains(1);
            FramePlan plan = rig.compile(rasterAndAsync(threads), options(NONE.withSerialise(true)));
            assertThat(plan.batches()).hasSize(4).allMatch(batch -> batch.queue() == 0);
            assertThat(plan.renderPasses()).hasSize(3);
            rig.executor.execute(plan).completed().await();
            assertThat(rig.device.submissions()).hasSize(4);
            assertThat(rig.device.hostWaits()).containsExactly("graphics@1", "graphics@2", "graphics@3", "graphics@4");
            for (FakeQueue.Submitted submitted : rig.device.submissions()) {
                assertThat(submitted.operations().get(0)).as("full barrier").isEqualTo("full barrier");
            }
        }
    }

    @Test
    void stressRecordsEveryPassInATaskOfItsOwn() {
        try (FakeRig rig = rig(QueueKind.GRAPHICS)) {
            FramePlan plan =
                    rig.compile(rasterAndAsync(new HashSet<>()), options(NONE.withRecording(RecordingMode.STRESS)));
            assertThat(plan.recordingGroups()).hasSize(4);
            assertThat(plan.renderPasses()).hasSize(3);
            assertThat(rig.compile(rasterAndAsync(new HashSet<>()), RdgOptions.defaults())
                            .recordingGroups())
                    .hasSizeLessThan(4);
        }
    }

    @Test
    void serialRecordingStaysOnTheThreadThatExecutes() {
        try (FakeRig rig = rig(QueueKind.GRAPHICS)) {
            Set<String> threads = Collections.synchronizedSet(new HashSet<>());
            RdgOptions serial =
                    options(NONE.withRecording(RecordingMode.SERIAL)).withPassLimits(1, 1);
            rig.executor
                    .execute(rig.compile(rasterAndAsync(threads), serial))
                    .completed()
                    .await();
            assertThat(threads).containsExactly(Thread.currentThread().getName());
        }
    }

    @Test
    void scopesHaveNoLabelsIfThatIsAsked() {
        for (boolean labels : new boolean[] {true, false}) {
            try (FakeRig rig = rig(QueueKind.GRAPHICS)) {
                RenderGraph graph = new RenderGraph("frame");
                graph.scope("feature", () -> graph.addPass("pass", PassKind.COMPUTE, context -> {}));
                rig.executor
                        .execute(rig.compile(graph, options(NONE.withLabels(labels))))
                        .completed()
                        .await();
                assertThat(rig.device.submissions().get(0).operations())
                        .filteredOn(operation -> operation.contains("feature"))
                        .hasSize(labels ? 1 : 0);
            }
        }
    }

    @Test
    void whatAPassDeclaresAndDoesNotTakeIsAWarning() {
        for (boolean validation : new boolean[] {true, false}) {
            try (FakeRig rig = rig(QueueKind.GRAPHICS)) {
                RenderGraph graph = new RenderGraph("frame");
                RdgBuffer taken = graph.createBuffer("taken", FakeRig.BUFFER);
                RdgBuffer untaken = graph.createBuffer("untaken", FakeRig.BUFFER);
                RdgTexture target = graph.createTexture("target", FakeRig.TARGET);
                graph.addPass("draw", PassKind.RASTER)
                        .color(target, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                        .flag(PassFlag.NEVER_CULL)
                        .record(context -> {});
                graph.addPass("fill", PassKind.COMPUTE)
                        .overwrites(taken, Access.STORAGE_WRITE_COMPUTE)
                        .overwrites(untaken, Access.STORAGE_WRITE_COMPUTE)
                        .flag(PassFlag.NEVER_CULL)
                        .record(context -> context.buffer(taken));
                FrameHandle handle = rig.executor.execute(rig.compile(graph, options(NONE.withValidation(validation))));
                handle.completed().await();
                if (validation) {
                    assertThat(handle.warnings()).singleElement().satisfies(warning -> {
                        assertThat(warning.code()).isEqualTo(PlanWarning.Code.NOT_TAKEN);
                        assertThat(warning.subject()).isEqualTo("untaken");
                        assertThat(warning.message()).contains("pass 'fill' declares 'untaken'");
                        assertThat(warning.sites()).isEmpty();
                    });
                } else {
                    assertThat(handle.warnings()).isEmpty();
                }
            }
        }
    }

    /** What any part takes is taken. */
    @Test
    void whatAPassOfPartsDeclaresAndDoesNotTakeIsAWarning() {
        TestDevice.VIRTUAL.run(NONE.withValidation(true), rig -> {
            RenderGraph graph = new RenderGraph("frame", RdgOptions.defaults().withDebug(true));
            RdgBuffer first = graph.createBuffer("first", FakeRig.BUFFER);
            RdgBuffer second = graph.createBuffer("second", FakeRig.BUFFER);
            RdgBuffer untaken = graph.createBuffer("untaken", FakeRig.BUFFER);
            graph.addPass("fill", PassKind.COMPUTE)
                    .overwrites(first, Access.STORAGE_WRITE_COMPUTE)
                    .overwrites(second, Access.STORAGE_WRITE_COMPUTE)
                    .overwrites(untaken, Access.STORAGE_WRITE_COMPUTE)
                    .flag(PassFlag.NEVER_CULL)
                    .recordParts(2, (context, part) -> context.buffer(part == 0 ? first : second));
            FrameHandle handle = rig.executor.execute(rig.compile(graph));
            handle.completed().await();
            assertThat(handle.warnings()).singleElement().satisfies(warning -> {
                assertThat(warning.subject()).isEqualTo("untaken");
                assertThat(warning.message()).startsWith("pass 'fill' declares 'untaken' and does not take it");
                assertThat(warning.sites())
                        .doesNotHaveDuplicates()
                        .hasSize(3)
                        .allMatch(site -> site.contains("DiagnosticFramesTest.java:"));
            });
        });
    }

    @Test
    void mistakesOfBodiesNameTheLineThatDeclaredThePass() {
        try (FakeRig rig = rig(QueueKind.GRAPHICS)) {
            RenderGraph graph = new RenderGraph("frame", RdgOptions.defaults().withDebug(true));
            RdgBuffer undeclared = graph.createBuffer("undeclared", FakeRig.BUFFER);
            graph.addPass("fill", PassKind.COMPUTE)
                    .flag(PassFlag.NEVER_CULL)
                    .record(context -> context.buffer(undeclared));
            FrameHandle handle = rig.executor.execute(rig.compile(graph, options(NONE)));
            assertThatThrownBy(() -> handle.completed().await())
                    .hasStackTraceContaining("recording pass 'fill' (declared at ")
                    .hasStackTraceContaining("DiagnosticFramesTest.java:")
                    .hasStackTraceContaining("takes resource 'undeclared' that it has not declared");
        }
    }

    /** A plan that is executed again is used by that frame as well. */
    @Test
    void resourcesAreToldInEachFrame() {
        List<String> reached = new CopyOnWriteArrayList<>();
        RdgWatch watch = RdgWatch.none().withListener(collecting(reached)).withBreakpoint(Breakpoint.RESOURCE);
        try (FakeRig rig = rig(QueueKind.GRAPHICS)) {
            RenderGraph graph = new RenderGraph("frame");
            RdgBuffer filled = graph.createBuffer("filled", FakeRig.BUFFER);
            graph.addPass("fill", PassKind.COMPUTE)
                    .overwrites(filled, Access.STORAGE_WRITE_COMPUTE)
                    .flag(PassFlag.NEVER_CULL)
                    .record(context -> {});
            FramePlan plan = rig.compile(graph, options(NONE.withWatch(watch)));
            rig.executor.execute(plan).completed().await();
            rig.executor.execute(plan).completed().await();
        }
        assertThat(reached).containsExactly("RESOURCE frame filled", "RESOURCE frame filled");
    }

    private static RdgListener collecting(List<String> reached) {
        return new RdgListener() {
            @Override
            public void reached(Breakpoint moment, String graph, String subject) {
                reached.add(moment + " " + graph + " " + subject);
            }

            @Override
            public void transition(String graph, String line) {
                reached.add(line);
            }
        };
    }

    @Test
    void breakpointsAreReachedWhereTheFiltersMatch() {
        List<String> reached = new CopyOnWriteArrayList<>();
        RdgWatch watch = RdgWatch.none()
                .withListener(collecting(reached))
                .withPasses(new NameFilter("draw 1"))
                .withResources(new NameFilter("tar*"));
        for (Breakpoint moment : List.of(Breakpoint.EXECUTE, Breakpoint.RESOURCE)) {
            for (String graphs : List.of("frame", "other")) {
                try (FakeRig rig = rig(QueueKind.GRAPHICS)) {
                    RdgWatch asked = watch.withBreakpoint(moment).withGraphs(new NameFilter(graphs));
                    rig.executor
                            .execute(rig.compile(
                                    rasterAndAsync(Collections.synchronizedSet(new HashSet<>())),
                                    options(NONE.withWatch(asked))))
                            .completed()
                            .await();
                }
            }
        }
        assertThat(reached).containsExactly("EXECUTE frame draw 1", "RESOURCE frame target");
    }

    @Test
    void eachFilterLimitsTheBreakpointsOfItsKind() {
        List<String> reached = new CopyOnWriteArrayList<>();
        RdgWatch watch = RdgWatch.none().withListener(collecting(reached));
        NameFilter nothing = new NameFilter("nothing");
        for (RdgWatch asked : List.of(
                watch.withBreakpoint(Breakpoint.EXECUTE).withPasses(nothing),
                watch.withBreakpoint(Breakpoint.RESOURCE).withResources(nothing),
                watch.withBreakpoint(Breakpoint.EXECUTE).withResources(nothing),
                watch.withBreakpoint(Breakpoint.RESOURCE).withPasses(nothing))) {
            try (FakeRig rig = rig(QueueKind.GRAPHICS)) {
                RenderGraph graph = rasterAndAsync(Collections.synchronizedSet(new HashSet<>()));
                rig.executor
                        .execute(rig.compile(graph, options(NONE.withWatch(asked))))
                        .completed()
                        .await();
            }
        }
        assertThat(reached)
                .containsExactlyInAnyOrder(
                        "EXECUTE frame draw 0",
                        "EXECUTE frame draw 1",
                        "EXECUTE frame draw 2",
                        "EXECUTE frame side",
                        "RESOURCE frame target",
                        "RESOURCE frame side");
    }

    @Test
    void whatAListenerThrowsFailsTheFrame() {
        RdgListener throwing = new RdgListener() {
            @Override
            public void reached(Breakpoint moment, String graph, String subject) {
                throw new IllegalStateException("stopped at " + subject);
            }

            @Override
            public void transition(String graph, String line) {}
        };
        try (FakeRig rig = rig(QueueKind.GRAPHICS)) {
            RdgWatch watch = RdgWatch.none().withListener(throwing).withBreakpoint(Breakpoint.EXECUTE);
            FramePlan plan = rig.compile(rasterAndAsync(new HashSet<>()), options(NONE.withWatch(watch)));
            FrameHandle handle = rig.executor.execute(plan);
            assertThatThrownBy(() -> handle.completed().await()).hasStackTraceContaining("stopped at ");
        }
    }
}
