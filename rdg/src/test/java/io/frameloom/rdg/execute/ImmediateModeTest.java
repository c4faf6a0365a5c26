package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.PassOrder;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgError;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RdgValidationException;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.TextureExtraction;
import io.frameloom.rdg.TextureHistory;
import io.frameloom.rdg.capture.Capture;
import io.frameloom.rdg.diagnostics.Clobber;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.utility.ClearPasses;
import io.frameloom.rdg.utility.CopyPasses;
import io.frameloom.rdg.utility.ReadbackPasses;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** In immediate mode passes run while they are declared; what a frame leaves is what it leaves otherwise. */
class ImmediateModeTest {
    private static final RdgDiagnostics IMMEDIATE = RdgDiagnostics.none().withImmediate(true);
    private static final BufferDescription DATA =
            BufferDescription.device(MixKernel.BYTES, BufferUsage.STORAGE, BufferUsage.COPY_DST, BufferUsage.COPY_SRC);
    private static final TextureDescription PICTURE =
            TextureDescription.of(8, 4, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED, TextureUsage.COPY_SRC);
    private static final int GREEN = 0xFF00FF00;

    private static ClearColor color(double red, double green, double blue) {
        return new ClearColor(red, green, blue, 1);
    }

    private static int word(RdgReadback readback) {
        return readback.bytes().join().getInt(0);
    }

    private static void finish(DeviceRig rig, RenderGraph graph) {
        rig.executor.execute(rig.compile(graph)).completed().await();
    }

    @ParameterizedTest
    @EnumSource
    void everyPassHasRunToItsEndWhenItIsDeclared(TestDevice device) {
        device.run(IMMEDIATE, rig -> {
            try (Buffer result = rig.device.createBuffer("result", BufferDescription.readback(MixKernel.BYTES));
                    ComputePipeline mix = MixKernel.create(rig.device)) {
                RenderGraph graph = rig.begin("frame");
                List<String> ran = new ArrayList<>();
                RdgBuffer seed = graph.createBuffer("seed", DATA);
                RdgBuffer mixed = graph.createBuffer("mixed", DATA);
                RdgBuffer out = graph.registerExternal(result);
                graph.addPass("seed", PassKind.COPY)
                        .overwrites(seed, Access.COPY_DST)
                        .record(context -> {
                            ran.add("seed");
                            context.commands().fillBuffer(context.buffer(seed), 0, MixKernel.BYTES, 3);
                        });
                assertThat(ran).containsExactly("seed");
                graph.addPass("mix", PassKind.COMPUTE)
                        .reads(seed, Access.STORAGE_READ_COMPUTE)
                        .overwrites(mixed, Access.STORAGE_WRITE_COMPUTE)
                        .record(context -> {
                            ran.add("mix");
                            MixKernel.dispatch(
                                    context.commands(),
                                    mix,
                                    context.buffer(seed),
                                    context.buffer(seed),
                                    context.buffer(mixed),
                                    7);
                        });
                assertThat(ran).containsExactly("seed", "mix");
                CopyPasses.buffer(graph, mixed, out);
                int[] words = RandomFrames.words(result);
                assertThat(words[5]).isEqualTo(MixKernel.mix(3, 3, 7, 5));
                finish(rig, graph);
                assertThat(ran).as("nothing runs twice").containsExactly("seed", "mix");
                rig.executor.close();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void targetsExtractionsReadbacksAndFinalAccessesAreServed(TestDevice device) {
        device.run(IMMEDIATE, rig -> {
            TextureDescription shape = TextureDescription.of(
                    8, 4, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED, TextureUsage.COPY_SRC, TextureUsage.COPY_DST);
            List<Texture> extracted = new ArrayList<>();
            try (Texture external = rig.device.createTexture("external", shape)) {
                for (int frame = 0; frame < 3; frame++) {
                    RenderGraph graph = rig.begin("frame " + frame);
                    RdgTexture kept = graph.registerExternal(
                            external, frame == 0 ? TextureLayout.UNDEFINED : TextureLayout.SHADER_RO);
                    graph.finalAccess(kept, Access.SAMPLED_COMPUTE);
                    RdgTexture target = graph.createTexture("target", PICTURE);
                    TextureExtraction extraction = graph.extract(target, Access.SAMPLED_FRAGMENT);
                    graph.addPass("draw", PassKind.RASTER)
                            .color(target, LoadOp.CLEAR, color(0, 1, 0))
                            .record(context -> {});
                    graph.addPass("draw more", PassKind.RASTER)
                            .color(target, LoadOp.LOAD, color(0, 0, 0))
                            .record(context -> {});
                    CopyPasses.texture(graph, target, kept);
                    RdgReadback pixels = ReadbackPasses.texture(graph, kept);
                    FramePlan plan = rig.compile(graph);
                    rig.executor.execute(plan).completed().await();
                    if (rig.device.capabilities().renders()) {
                        assertThat(word(pixels)).isEqualTo(GREEN);
                    }
                    assertThat(plan.finalLayout(kept)).isEqualTo(TextureLayout.SHADER_RO);
                    extracted.add(extraction.texture());
                    assertThatThrownBy(() -> rig.executor.execute(plan))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("begin a new graph per frame");
                }
                rig.executor.close();
                assertThat(extracted).as("the application's").noneMatch(Texture::isClosed);
                extracted.forEach(Texture::close);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void historiesChangePlaces(TestDevice device) {
        device.run(IMMEDIATE, rig -> {
            try (TextureHistory history =
                    new TextureHistory(rig.device, "history", Access.SAMPLED_COMPUTE, color(0, 0, 1))) {
                int[] expected = {0xFFFF0000, 0xFF000000, 0xFF000001, 0xFF000002};
                for (int frame = 0; frame < expected.length; frame++) {
                    RenderGraph graph = rig.begin("frame " + frame);
                    TextureHistory.Frame halves = graph.history(history, PICTURE);
                    RdgReadback before = ReadbackPasses.texture(graph, halves.previous());
                    ClearPasses.texture(graph, halves.current(), color(frame / 255.0, 0, 0));
                    finish(rig, graph);
                    assertThat(word(before)).as("frame %d", frame).isEqualTo(expected[frame]);
                }
                rig.executor.close();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void whatIsWrongIsThrownByTheDeclaration(TestDevice device) {
        device.run(IMMEDIATE, rig -> {
            RenderGraph graph = rig.begin("frame");
            RdgBuffer never = graph.createBuffer("never", DATA);
            RdgBuffer copy = graph.createBuffer("copy", DATA);
            assertThatThrownBy(() -> CopyPasses.buffer(graph, never, copy))
                    .isInstanceOfSatisfying(
                            RdgValidationException.class,
                            refused -> assertThat(refused.errors())
                                    .extracting(RdgError::code)
                                    .containsExactly(RdgError.Code.READ_UNWRITTEN))
                    .hasStackTraceContaining("whatIsWrongIsThrownByTheDeclaration");
            assertThatThrownBy(() -> ClearPasses.buffer(graph, copy, 1))
                    .isInstanceOf(RdgException.class)
                    .hasMessageContaining("begin a new graph");

            RenderGraph second = rig.begin("second");
            RdgBuffer buffer = second.createBuffer("buffer", DATA);
            ClearPasses.buffer(second, buffer, 1);
            assertThatThrownBy(() -> second.addPass("broken", PassKind.COMPUTE)
                            .reads(buffer, Access.STORAGE_READ_COMPUTE)
                            .record(context -> {
                                throw new IllegalStateException("out of paint");
                            }))
                    .isInstanceOf(RdgException.class)
                    .hasMessageContaining("pass 'broken' of graph 'second'")
                    .hasRootCauseMessage("out of paint")
                    .hasStackTraceContaining("whatIsWrongIsThrownByTheDeclaration");
        });
    }

    /** Also when the executor has forgotten the graph. */
    @Test
    void whatIsLeftOfAGraphIsExecutedOnce() {
        TestDevice.VIRTUAL.run(IMMEDIATE, rig -> {
            RenderGraph graph = rig.begin("frame");
            ClearPasses.buffer(graph, graph.createBuffer("buffer", DATA), 1);
            FramePlan rest = rig.compile(graph);
            FramePlan again = rig.compile(graph);
            rig.executor.execute(rest).completed().await();
            for (FramePlan plan : List.of(rest, again)) {
                assertThatThrownBy(() -> rig.executor.execute(plan))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("graph 'frame' of immediate mode is over");
            }
            rig.begin("next");
            for (FramePlan plan : List.of(rest, again)) {
                assertThatThrownBy(() -> rig.executor.execute(plan))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("begin a new graph per frame");
            }
        });
    }

    /** Whether something is extracted that a later pass is to write, or not. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void undefinedContentsAreThrownByTheDeclarationWithValidation(boolean extracts) {
        TestDevice.VIRTUAL.run(IMMEDIATE.withValidation(true), rig -> {
            RenderGraph graph = rig.begin("frame");
            RdgTexture extracted = graph.createTexture("later", PICTURE);
            if (extracts) {
                graph.extract(extracted, Access.SAMPLED_FRAGMENT);
            }
            RdgTexture picture = graph.createTexture("picture", PICTURE);
            List<String> ran = new ArrayList<>();
            assertThatThrownBy(() -> graph.addPass("blend", PassKind.RASTER)
                            .color(picture, LoadOp.LOAD, color(0, 0, 0))
                            .record(context -> ran.add("blend")))
                    .isInstanceOfSatisfying(
                            RdgValidationException.class,
                            refused -> assertThat(refused.errors())
                                    .singleElement()
                                    .satisfies(error -> {
                                        assertThat(error.code()).isEqualTo(RdgError.Code.UNDEFINED_CONTENTS);
                                        assertThat(error.pass()).isEqualTo("blend");
                                        assertThat(error.resource()).isEqualTo("picture");
                                    }))
                    .hasStackTraceContaining("undefinedContentsAreThrownByTheDeclaration");
            assertThat(ran).isEmpty();
        });
    }

    @Test
    void abandonedGraphsLeaveNothingOpen() {
        // Closing the device of the rig fails over anything that is still open.
        TestDevice.VIRTUAL.run(IMMEDIATE, rig -> {
            RenderGraph graph = rig.begin("abandoned");
            ClearPasses.buffer(graph, graph.createBuffer("buffer", DATA), 1);
            rig.compile(graph);
        });
    }

    @Test
    void resourcesGoBackToThePool() {
        TestDevice.VIRTUAL.run(IMMEDIATE, rig -> {
            for (int frame = 0; frame < 8; frame++) {
                RenderGraph graph = rig.begin("frame " + frame);
                RdgBuffer buffer = graph.createBuffer("buffer", DATA);
                ClearPasses.buffer(graph, buffer, 1);
                ReadbackPasses.buffer(graph, buffer);
                finish(rig, graph);
            }
            // Each graph is several frames, and what goes back with one is for the first that has waited for it.
            assertThat(rig.executor.poolStatistics().created()).isEqualTo(4);
            assertThat(rig.executor.poolStatistics().reused()).isEqualTo(12);
        });
    }

    @Test
    void passesThatNothingNeedsRunAsWell() {
        TestDevice.VIRTUAL.run(IMMEDIATE, rig -> {
            List<String> ran = new ArrayList<>();
            RenderGraph graph = rig.begin("frame");
            RdgTexture unread = graph.createTexture("unread", PICTURE);
            graph.addPass("unread", PassKind.RASTER)
                    .color(unread, LoadOp.CLEAR, color(0, 0, 0))
                    .record(context -> ran.add("unread"));
            assertThat(ran).hasSize(1);
            finish(rig, graph);
        });
    }

    @Test
    void saysWhatItCannotDo() {
        TestDevice.VIRTUAL.run(RdgDiagnostics.none(), rig -> {
            RdgOptions options = RdgOptions.defaults().withDiagnostics(IMMEDIATE);
            assertThatThrownBy(() -> rig.executor.beginGraph(
                            "frame", new RenderGraphCompiler(options.withOrder(PassOrder.UNORDERED))))
                    .isInstanceOf(RdgException.class)
                    .hasMessageContaining("declare them in order");
            assertThatThrownBy(() -> rig.executor.beginGraph(
                            "frame",
                            new RenderGraphCompiler(options.withDiagnostics(IMMEDIATE.withClobber(Clobber.NAN)))))
                    .isInstanceOf(RdgException.class)
                    .hasMessageContaining("captures or clobber");
            assertThatThrownBy(() -> rig.executor.beginGraph(
                            "frame",
                            new RenderGraphCompiler(
                                    options.withDiagnostics(IMMEDIATE.withCaptures(List.of(Capture.of("x")))))))
                    .isInstanceOf(RdgException.class)
                    .hasMessageContaining("captures or clobber");
            RenderGraph graph = rig.executor.beginGraph("frame", new RenderGraphCompiler(options));
            var first = graph.addPass("first", PassKind.COPY).flag(PassFlag.NEVER_CULL);
            graph.addPass("second", PassKind.COPY);
            assertThatThrownBy(() -> first.record(context -> {}))
                    .isInstanceOf(RdgException.class)
                    .hasMessageContaining("end the declaration of pass 'first' before that of 'second' begins");
        });
    }

    /** The pass has run, without them. */
    @Test
    void flagsBehindTheBodyAreRefused() {
        TestDevice.VIRTUAL.run(IMMEDIATE, rig -> {
            RenderGraph graph = rig.begin("frame");
            PassBuilder ran = graph.addPass("ran", PassKind.COMPUTE);
            ran.record(context -> {});
            assertThatThrownBy(() -> ran.flag(PassFlag.NEVER_CULL))
                    .isInstanceOf(RdgException.class)
                    .hasMessageContaining("pass 'ran' of graph 'frame' (declared at ")
                    .hasMessageEndingWith(
                            "gets a flag after its declaration has ended: declare everything before record");
            assertThatThrownBy(() -> ran.flag(PassFlag.NEVER_CULL, PassFlag.ASYNC_COMPUTE))
                    .hasMessageContaining("gets a flag after its declaration has ended");
            assertThatThrownBy(() -> ran.recordParts(2, (context, part) -> {}))
                    .hasMessageContaining("has a body already");
            List<Integer> parts = Collections.synchronizedList(new ArrayList<>());
            graph.addPass("parts", PassKind.COMPUTE)
                    .flag(PassFlag.NEVER_CULL)
                    .recordParts(2, (context, part) -> parts.add(part));
            assertThat(parts).containsExactlyInAnyOrder(0, 1);
            finish(rig, graph);
        });
    }

    @Test
    void withoutImmediateModePassesWaitForTheirExecution() {
        TestDevice.VIRTUAL.run(RdgDiagnostics.none(), rig -> {
            List<ByteBuffer> ran = new ArrayList<>();
            RenderGraph graph = rig.begin("frame");
            graph.addPass("pass", PassKind.COMPUTE, context -> ran.add(ByteBuffer.allocate(1)));
            FramePlan plan = rig.compile(graph);
            assertThat(ran).isEmpty();
            rig.executor.execute(plan).completed().await();
            assertThat(ran).hasSize(1);
        });
    }
}
