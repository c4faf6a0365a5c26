package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.CpuKernel;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferSlice;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.resource.TextureViewKind;
import io.frameloom.rdg.BufferHistory;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FrameStatistics.ScopeTime;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RdgUniformBuffer;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.TextureHistory;
import io.frameloom.rdg.utility.ClearPasses;
import io.frameloom.rdg.utility.ReadbackPasses;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What graphs can declare, executed. */
class DeclaringFramesTest {
    private static final BufferDescription DATA = BufferDescription.device(MixKernel.BYTES, BufferUsage.STORAGE);
    private static final TextureDescription PICTURE =
            TextureDescription.of(16, 8, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED);
    private static final TextureDescription HISTORY =
            TextureDescription.of(16, 8, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_SRC);
    private static final ClearColor BLACK = ClearColor.BLACK_TRANSPARENT;
    private static final int RED = 0xFF0000FF;
    private static final int GREEN = 0xFF00FF00;

    private static final String SERIES = """
            #version 450
            layout(local_size_x = 64) in;
            layout(set = 0, binding = 0, std140) uniform Constants { uint base; uint stride; };
            layout(set = 0, binding = 1, std430) writeonly buffer Result { uint r[]; };
            void main() {
                uint i = gl_GlobalInvocationID.x;
                r[i] = base + stride * i;
            }
            """;
    private static final CpuKernel SERIES_KERNEL = invocation -> {
        ByteBuffer constants = invocation.bytes("Constants").order(ByteOrder.nativeOrder());
        ByteBuffer result = invocation.bytes("Result").order(ByteOrder.nativeOrder());
        for (int i = 0; i < MixKernel.WORDS; i++) {
            result.putInt(4 * i, constants.getInt(0) + constants.getInt(4) * i);
        }
    };

    private static int[] words(RdgReadback readback) {
        ByteBuffer bytes = readback.bytes().join();
        int[] words = new int[bytes.remaining() / 4];
        bytes.asIntBuffer().get(words);
        return words;
    }

    private static FrameHandle execute(DeviceRig rig, RenderGraph graph) {
        FrameHandle handle = rig.executor.execute(rig.compile(graph));
        handle.completed().await();
        return handle;
    }

    private static ClearColor grey(int level) {
        return new ClearColor(level / 255.0, level / 255.0, level / 255.0, level / 255.0);
    }

    private static void mix(
            RenderGraph graph, ComputePipeline mix, RdgBuffer a, RdgBuffer b, RdgBuffer result, int salt) {
        graph.addPass("mix " + salt, PassKind.COMPUTE)
                .reads(a, Access.STORAGE_READ_COMPUTE)
                .reads(b, Access.STORAGE_READ_COMPUTE)
                .overwrites(result, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> MixKernel.dispatch(
                        context.commands(), mix, context.buffer(a), context.buffer(b), context.buffer(result), salt));
    }

    @ParameterizedTest
    @EnumSource
    void uniformsAreWrittenOnceForAllPassesOfAFrame(TestDevice device) {
        device.run(rig -> {
            ComputePipelineDescription description = new ComputePipelineDescription(
                    "series", new ShaderSource("series.comp", ShaderStage.COMPUTE, SERIES), SERIES_KERNEL);
            try (ComputePipeline series = rig.device.createComputePipeline(description)) {
                List<RdgReadback> results = new ArrayList<>();
                AtomicInteger written = new AtomicInteger();
                for (int frame = 0; frame < 5; frame++) {
                    int base = 1000 * frame;
                    RenderGraph graph = new RenderGraph("uniforms");
                    RdgUniformBuffer constants = graph.createUniforms("constants", 16, target -> {
                        written.incrementAndGet();
                        target.putInt(base).putInt(3);
                    });
                    ByteBuffer unused = ByteBuffer.allocate(16);
                    RdgUniformBuffer other = graph.createUniforms("other", unused.putInt(8, 1));
                    for (int pass = 0; pass < 4; pass++) {
                        RdgBuffer result = graph.createBuffer("result " + pass, DATA);
                        graph.addPass("series " + pass, PassKind.COMPUTE)
                                .uniforms(constants, other)
                                .overwrites(result, Access.STORAGE_WRITE_COMPUTE)
                                .record(context -> {
                                    CommandList commands = context.commands();
                                    BufferSlice slice = context.uniforms(constants);
                                    assertThat(context.uniforms(other).offset()).isNotEqualTo(slice.offset());
                                    commands.bindPipeline(series);
                                    commands.bindBuffer("Constants", slice.buffer(), slice.offset(), slice.bytes());
                                    commands.bindBuffer("Result", context.buffer(result), 0, MixKernel.BYTES);
                                    commands.dispatch(MixKernel.WORDS / 64, 1, 1);
                                });
                        results.add(ReadbackPasses.buffer(graph, result));
                    }
                    rig.executor.execute(rig.compile(graph));
                }
                rig.executor.close();
                assertThat(written).hasValue(5);
                for (int i = 0; i < results.size(); i++) {
                    int base = 1000 * (i / 4);
                    assertThat(words(results.get(i)))
                            .isEqualTo(IntStream.range(0, MixKernel.WORDS)
                                    .map(word -> base + 3 * word)
                                    .toArray());
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource(names = "VIRTUAL")
    void undeclaredUniformsAreRefused(TestDevice device) {
        device.run(rig -> {
            RenderGraph graph = new RenderGraph("uniforms");
            RdgUniformBuffer constants = graph.createUniforms("constants", 16, target -> {});
            graph.addPass("forgetful", PassKind.COMPUTE, context -> context.uniforms(constants));
            assertThat(catchThrowable(() -> execute(rig, graph)))
                    .hasStackTraceContaining("pass 'forgetful' takes uniform buffer 'constants'");
        });
    }

    /** Each frame mixes the former one's words; a cut, a change of shape, and frames that do not write in between. */
    @ParameterizedTest
    @EnumSource
    void bufferHistory(TestDevice device) {
        device.run(rig -> {
            try (ComputePipeline mix = MixKernel.create(rig.device);
                    BufferHistory history =
                            new BufferHistory(rig.device, "particles", Access.STORAGE_READ_COMPUTE, 7)) {
                List<RdgReadback> results = new ArrayList<>();
                List<int[]> expected = new ArrayList<>();
                int[] initial = new int[MixKernel.WORDS];
                Arrays.fill(initial, 7);
                int[] state = initial;
                for (int frame = 0; frame < 16; frame++) {
                    if (frame == 6) {
                        history.reset();
                        state = initial;
                    }
                    BufferDescription shape = BufferDescription.device(
                            (frame < 10 ? 1 : 2) * MixKernel.BYTES, BufferUsage.STORAGE, BufferUsage.COPY_SRC);
                    if (frame == 10) {
                        state = initial;
                    }
                    RenderGraph graph = new RenderGraph("particles");
                    BufferHistory.Frame buffers = graph.history(history, shape);
                    assertThat(buffers.hasContents()).isEqualTo(frame != 0 && frame != 6 && frame != 10);
                    if (frame == 3) {
                        RdgReadback unchanged =
                                ReadbackPasses.buffer(graph, buffers.previous().view(0, MixKernel.BYTES));
                        results.add(unchanged);
                        expected.add(state);
                    } else {
                        mix(graph, mix, buffers.previous(), buffers.previous(), buffers.current(), frame);
                        state = MixKernel.mix(state, state, frame);
                        results.add(
                                ReadbackPasses.buffer(graph, buffers.current().view(0, MixKernel.BYTES)));
                        expected.add(state);
                    }
                    rig.executor.execute(rig.compile(graph));
                }
                rig.executor.close();
                for (int i = 0; i < results.size(); i++) {
                    assertThat(words(results.get(i))).as("frame %d", i).isEqualTo(expected.get(i));
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void textureHistory(TestDevice device) {
        device.run(rig -> {
            try (TextureHistory history = new TextureHistory(rig.device, "colour", Access.SAMPLED_FRAGMENT, grey(1))) {
                List<RdgReadback> results = new ArrayList<>();
                for (int frame = 0; frame < 8; frame++) {
                    RenderGraph graph = new RenderGraph("temporal");
                    TextureHistory.Frame textures = graph.history(history, HISTORY);
                    results.add(ReadbackPasses.texture(graph, textures.previous()));
                    graph.addPass("draw", PassKind.RASTER)
                            .color(textures.current(), LoadOp.CLEAR, grey(10 + frame))
                            .record(context -> {});
                    rig.executor.execute(rig.compile(graph));
                }
                rig.executor.close();
                for (int frame = 0; frame < results.size(); frame++) {
                    int level = frame == 0 ? 1 : 9 + frame;
                    assertThat(words(results.get(frame))).as("frame %d", frame).containsOnly(0x01010101 * level);
                }
            }
        });
    }

    /** The clear of a history that the frame does not read is left out; the next frame still finds what it has to. */
    @ParameterizedTest
    @EnumSource
    void aHistoryThatIsNotReadIsNotCleared(TestDevice device) {
        device.run(rig -> {
            try (TextureHistory history = new TextureHistory(rig.device, "colour", Access.SAMPLED_FRAGMENT, grey(1))) {
                List<RdgReadback> results = new ArrayList<>();
                List<Boolean> cleared = new ArrayList<>();
                for (int frame = 0; frame < 6; frame++) {
                    if (frame == 4) {
                        history.reset();
                    }
                    RenderGraph graph = new RenderGraph("temporal");
                    TextureHistory.Frame textures = graph.history(history, HISTORY);
                    if (frame == 1 || frame == 3 || frame == 5) {
                        results.add(ReadbackPasses.texture(graph, textures.previous()));
                    }
                    if (frame == 2 || frame == 4) {
                        graph.addPass("draw", PassKind.RASTER)
                                .color(textures.current(), LoadOp.CLEAR, grey(10 + frame))
                                .record(context -> {});
                    }
                    FramePlan plan = rig.compile(graph);
                    cleared.add(
                            plan.passes().stream().anyMatch(pass -> pass.name().startsWith("clear") && !pass.culled()));
                    rig.executor.execute(plan);
                }
                rig.executor.close();
                assertThat(cleared).containsExactly(false, true, false, false, false, false);
                assertThat(words(results.get(0))).containsOnly(0x01010101);
                assertThat(words(results.get(1))).containsOnly(0x0c0c0c0c);
                assertThat(words(results.get(2))).containsOnly(0x0e0e0e0e);
            }
        });
    }

    /** Where the passes are skipped, what was there before is still there. */
    @ParameterizedTest
    @EnumSource
    void conditionalPasses(TestDevice device) {
        device.run(rig -> {
            try (ComputePipeline mix = MixKernel.create(rig.device)) {
                for (boolean runs : new boolean[] {false, true}) {
                    RenderGraph graph = new RenderGraph("conditional");
                    RdgBuffer one = graph.createBuffer("one", DATA);
                    RdgBuffer data = graph.createBuffer("data", DATA);
                    RdgBuffer scratch = graph.createBuffer("scratch", DATA);
                    RdgBuffer result = graph.createBuffer("result", DATA);
                    RdgTexture picture = graph.createTexture("picture", PICTURE);
                    ClearPasses.buffer(graph, one, 1);
                    mix(graph, mix, one, one, data, 5);
                    // Lives between the two writers of the data and must not lie where it is.
                    mix(graph, mix, one, one, scratch, 6);
                    mix(graph, mix, scratch, scratch, result, 7);
                    graph.addPass("maybe", PassKind.COPY)
                            .overwrites(data, Access.COPY_DST)
                            .onlyIf(() -> runs)
                            .record(context ->
                                    context.commands().fillBuffer(context.buffer(data), 0, MixKernel.BYTES, 99));
                    ClearPasses.texture(graph, picture, new ClearColor(0, 1, 0, 1));
                    graph.addPass("maybe draw", PassKind.RASTER)
                            .color(picture, LoadOp.CLEAR, grey(50))
                            .onlyIf(() -> runs)
                            .record(context -> {});
                    RdgReadback read = ReadbackPasses.buffer(graph, data);
                    RdgReadback between = ReadbackPasses.buffer(graph, result);
                    RdgReadback pixels = ReadbackPasses.texture(graph, picture);
                    execute(rig, graph);
                    int[] ones = new int[MixKernel.WORDS];
                    Arrays.fill(ones, 1);
                    int[] nines = new int[MixKernel.WORDS];
                    Arrays.fill(nines, 99);
                    assertThat(words(read)).isEqualTo(runs ? nines : MixKernel.mix(ones, ones, 5));
                    int[] mixed = MixKernel.mix(ones, ones, 6);
                    assertThat(words(between)).isEqualTo(MixKernel.mix(mixed, mixed, 7));
                    assertThat(words(pixels)).containsOnly(runs ? 0x01010101 * 50 : GREEN);
                }
                rig.executor.close();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void passesInParts(TestDevice device) {
        for (boolean serial : new boolean[] {false, true}) {
            device.run(FrameExecutorOptions.defaults().withSerialRecording(serial), rig -> {
                RenderGraph graph = new RenderGraph("parts");
                RdgBuffer data = graph.createBuffer("data", DATA);
                RdgTexture picture = graph.createTexture("picture", PICTURE);
                int parts = 8;
                long bytes = MixKernel.BYTES / parts;
                graph.addPass("fill", PassKind.COPY)
                        .overwrites(data, Access.COPY_DST)
                        .recordParts(
                                parts,
                                (context, part) -> context.commands()
                                        .fillBuffer(context.buffer(data), part * bytes, bytes, 100 + part));
                graph.addPass("paint", PassKind.RASTER)
                        .color(picture, LoadOp.CLEAR, BLACK)
                        .recordParts(parts, (context, part) -> {
                            assertThat(context.height()).isEqualTo(parts);
                            context.commands().clearColorAttachment(0, grey(20 + part), 0, part, 16, 1);
                        });
                RdgReadback read = ReadbackPasses.buffer(graph, data);
                RdgReadback pixels = ReadbackPasses.texture(graph, picture);
                execute(rig, graph);
                assertThat(words(read))
                        .isEqualTo(IntStream.range(0, MixKernel.WORDS)
                                .map(i -> 100 + i / (MixKernel.WORDS / parts))
                                .toArray());
                assertThat(words(pixels))
                        .isEqualTo(IntStream.range(0, 128)
                                .map(i -> 0x01010101 * (20 + i / 16))
                                .toArray());
            });
        }
    }

    @ParameterizedTest
    @EnumSource(names = "VIRTUAL")
    void aFailedPartFailsTheFrameByName(TestDevice device) {
        device.run(rig -> {
            RenderGraph graph = new RenderGraph("parts");
            RdgBuffer data = graph.createBuffer("data", DATA);
            graph.addPass("fill", PassKind.COPY)
                    .flag(PassFlag.NEVER_CULL)
                    .overwrites(data, Access.COPY_DST)
                    .recordParts(4, (context, part) -> {
                        if (part == 2) {
                            throw new IllegalArgumentException("part two is broken");
                        }
                    });
            assertThat(catchThrowable(() -> execute(rig, graph)))
                    .hasRootCauseMessage("part two is broken")
                    .hasStackTraceContaining("recording pass 'fill'");
        });
    }

    /** A pass that begins its own render pass, and one that writes what the graph does not know of. */
    @ParameterizedTest
    @EnumSource
    void ownRenderPassesAndUntrackedAccess(TestDevice device) {
        device.run(rig -> {
            try (Buffer own = rig.device.createBuffer("own", BufferDescription.readback(64))) {
                RenderGraph graph = new RenderGraph("own");
                RdgTexture picture = graph.createTexture("picture", PICTURE);
                graph.addPass("own rendering", PassKind.RASTER)
                        .flag(PassFlag.SKIP_RENDER_PASS)
                        .overwrites(picture, Access.COLOR_WRITE)
                        .record(context -> {
                            CommandList commands = context.commands();
                            commands.beginRendering(new RenderingInfo(
                                    16,
                                    8,
                                    List.of(new RenderingInfo.ColorAttachment(
                                            context.view(picture),
                                            LoadOp.CLEAR,
                                            StoreOp.STORE,
                                            new ClearColor(0, 1, 0, 1))),
                                    null));
                            commands.endRendering();
                        });
                graph.addPass(DeviceRig.UNTRACKED, PassKind.COPY)
                        .flag(PassFlag.UNTRACKED_ACCESS, PassFlag.NEVER_CULL)
                        .record(context -> context.commands().fillBuffer(own, 0, 64, 31));
                RdgReadback pixels = ReadbackPasses.texture(graph, picture);
                execute(rig, graph);
                assertThat(words(pixels)).containsOnly(GREEN);
                assertThat(RandomFrames.words(own)).containsOnly(31);
                rig.executor.close();
            }
        });
    }

    /** Passes cannot declare slices as attachments; they declare the mip, and begin render passes of their own. */
    @ParameterizedTest
    @EnumSource
    void ownRenderPassesRenderToSlices(TestDevice device) {
        device.run(rig -> {
            RenderGraph graph = new RenderGraph("slices");
            RdgTexture volume = graph.createTexture("volume", PICTURE.withDepth(4));
            ClearPasses.texture(graph, volume, new ClearColor(1, 0, 0, 1));
            graph.addPass("slice", PassKind.RASTER)
                    .flag(PassFlag.SKIP_RENDER_PASS)
                    .writes(volume, Access.COLOR_READ_WRITE)
                    .record(context -> {
                        TextureView slice = context.texture(volume)
                                .view(new SubresourceRange(0, 1, 2, 1, 0, 1), TextureViewKind.TWO_D);
                        CommandList commands = context.commands();
                        commands.beginRendering(new RenderingInfo(
                                16,
                                8,
                                List.of(new RenderingInfo.ColorAttachment(
                                        slice, LoadOp.CLEAR, StoreOp.STORE, new ClearColor(0, 1, 0, 1))),
                                null));
                        commands.endRendering();
                    });
            RdgReadback texels = ReadbackPasses.texture(graph, volume);
            execute(rig, graph);
            int[] found = words(texels);
            assertThat(found).hasSize(4 * 16 * 8);
            for (int i = 0; i < found.length; i++) {
                assertThat(found[i]).as("texel %d", i).isEqualTo(i / (16 * 8) == 2 ? GREEN : RED);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void scopesAreTimed(TestDevice device) {
        device.run(rig -> {
            RenderGraph graph = new RenderGraph("scopes");
            RdgBuffer data = graph.createBuffer("data", DATA);
            graph.scope("outer", () -> {
                ClearPasses.buffer(graph, data, 1);
                graph.scope("inner", () -> ClearPasses.buffer(graph, data.view(0, 8), 2));
                graph.scope("empty", () -> {});
            });
            RdgReadback read = ReadbackPasses.buffer(graph, data);
            FrameHandle handle = execute(rig, graph);
            assertThat(words(read)).startsWith(2, 2, 1);
            if (rig.device.capabilities().timestamps()) {
                assertThat(handle.statistics().scopeTimes())
                        .extracting(ScopeTime::path)
                        .containsExactly("outer", "outer/inner");
                ScopeTime outer = handle.statistics().scopeTimes().get(0);
                ScopeTime inner = handle.statistics().scopeTimes().get(1);
                assertThat(outer.passes()).isEqualTo(2);
                assertThat(inner.passes()).isEqualTo(1);
                assertThat(inner.depth()).isEqualTo(1);
                assertThat(outer.nanos()).isGreaterThanOrEqualTo(inner.nanos());
                assertThat(outer.busyNanos()).isGreaterThanOrEqualTo(inner.busyNanos());
                assertThat(inner.startNanos()).isGreaterThanOrEqualTo(outer.startNanos());
            }
        });
    }
}
