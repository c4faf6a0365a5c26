package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Filter;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureKind;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassContext;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgParameters;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.parameter.Storage;
import io.frameloom.rdg.utility.ClearPasses;
import io.frameloom.rdg.utility.ComputePasses;
import io.frameloom.rdg.utility.CopyPasses;
import io.frameloom.rdg.utility.GroupCount;
import io.frameloom.rdg.utility.MipPasses;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.rdg.utility.UploadPasses;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every utility pass does on the device what it says. */
class UtilityPassesTest {
    private static final int RED = 0xFF0000FF;
    private static final int GREEN = 0xFF00FF00;
    private static final TextureDescription PICTURE =
            TextureDescription.of(8, 4, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED);

    private final RenderGraph graph = new RenderGraph("utilities");

    private static ClearColor color(double red, double green, double blue) {
        return new ClearColor(red, green, blue, 1);
    }

    private static void execute(DeviceRig rig, RenderGraph graph) {
        rig.executor.execute(rig.compile(graph)).completed().await();
    }

    private static int[] words(RdgReadback readback) {
        ByteBuffer bytes = readback.bytes().join();
        int[] words = new int[bytes.remaining() / 4];
        bytes.asIntBuffer().get(words);
        return words;
    }

    private static byte[] bytes(RdgReadback readback) {
        ByteBuffer bytes = readback.bytes().join();
        byte[] result = new byte[bytes.remaining()];
        bytes.get(result);
        return result;
    }

    private static ByteBuffer data(int... words) {
        ByteBuffer data = ByteBuffer.allocate(words.length * 4).order(ByteOrder.nativeOrder());
        data.asIntBuffer().put(words);
        return data;
    }

    private static int[] picture() {
        return IntStream.range(0, 32).map(i -> 0x01010101 * i).toArray();
    }

    @ParameterizedTest
    @EnumSource
    void clearsColour(TestDevice device) {
        device.run(rig -> {
            RdgTexture picture = graph.createTexture("picture", PICTURE.withMips(2));
            ClearPasses.texture(graph, picture, color(1, 0, 0));
            ClearPasses.texture(graph, picture.mip(1), color(0, 1, 0));
            RdgTexture numbers =
                    graph.createTexture("numbers", TextureDescription.of(4, 4, Format.R32_UINT, TextureUsage.STORAGE));
            ClearPasses.texture(graph, numbers, new ClearColor(70_000, 0, 0, 0));
            RdgReadback large = ReadbackPasses.texture(graph, picture);
            RdgReadback small = ReadbackPasses.texture(graph, picture, TextureRegion.mip(picture.description(), 1));
            RdgReadback counted = ReadbackPasses.texture(graph, numbers);
            execute(rig, graph);
            assertThat(words(large)).containsOnly(RED);
            assertThat(words(small)).hasSize(8).containsOnly(GREEN);
            assertThat(words(counted)).containsOnly(70_000);
        });
    }

    @ParameterizedTest
    @EnumSource
    void clearsDepthAndStencil(TestDevice device) {
        device.run(rig -> {
            Format both = Format.DEPTH_STENCIL.stream()
                    .filter(format -> rig.device.formatSupport(format).depthAttachment())
                    .findFirst()
                    .orElseThrow();
            RdgTexture depth = graph.createTexture(
                    "depth", TextureDescription.of(4, 4, Format.D32_SFLOAT, TextureUsage.DEPTH_ATTACHMENT));
            RdgTexture planes =
                    graph.createTexture("planes", TextureDescription.of(4, 4, both, TextureUsage.DEPTH_ATTACHMENT));
            ClearPasses.depthStencil(graph, depth, 0.25f, 0);
            ClearPasses.depthStencil(graph, planes, 1, 7);
            RdgReadback before = ReadbackPasses.texture(
                    graph, planes, TextureRegion.mip(planes.description(), 0).withPlane(1));
            ClearPasses.depth(graph, planes, 0);
            RdgReadback between = ReadbackPasses.texture(
                    graph, planes, TextureRegion.mip(planes.description(), 0).withPlane(1));
            ClearPasses.stencil(graph, planes, 9);
            RdgReadback after = ReadbackPasses.texture(
                    graph, planes, TextureRegion.mip(planes.description(), 0).withPlane(1));
            RdgReadback depths = ReadbackPasses.texture(graph, depth);
            execute(rig, graph);
            assertThat(bytes(before)).hasSize(16).containsOnly(7);
            assertThat(bytes(between)).containsOnly(7);
            assertThat(bytes(after)).containsOnly(9);
            assertThat(words(depths)).containsOnly(Float.floatToIntBits(0.25f));
        });
    }

    @ParameterizedTest
    @EnumSource
    void clearsAndCopiesBuffers(TestDevice device) {
        device.run(rig -> {
            BufferDescription shape = BufferDescription.device(32, BufferUsage.STORAGE);
            RdgBuffer source = graph.createBuffer("source", shape);
            RdgBuffer target = graph.createBuffer("target", shape);
            ClearPasses.buffer(graph, source, 1);
            ClearPasses.buffer(graph, source.view(8, 12), 2);
            CopyPasses.buffer(graph, source, target);
            CopyPasses.buffer(graph, source.view(8, 4), target.view(28, 4));
            RdgReadback all = ReadbackPasses.buffer(graph, target);
            RdgReadback part = ReadbackPasses.buffer(graph, target.view(4, 8));
            execute(rig, graph);
            assertThat(words(all)).containsExactly(1, 1, 2, 2, 2, 1, 1, 2);
            assertThat(words(part)).containsExactly(1, 2);
        });
    }

    @ParameterizedTest
    @EnumSource
    void uploads(TestDevice device) {
        device.run(rig -> {
            ByteBuffer words = data(5, 6, 7, 8);
            words.position(4);
            RdgBuffer made = UploadPasses.createBuffer(graph, "made", words, BufferUsage.STORAGE);
            words.putInt(4, -1);
            assertThat(words.position()).isEqualTo(4);
            UploadPasses.buffer(graph, made, 4, data(9));
            RdgTexture picture = graph.createTexture("picture", PICTURE);
            UploadPasses.texture(graph, picture, data(picture()));
            UploadPasses.texture(
                    graph, picture, TextureRegion.mip(PICTURE, 0).withRectangle(1, 1, 2, 1), data(RED, GREEN));
            RdgReadback numbers = ReadbackPasses.buffer(graph, made);
            RdgReadback pixels = ReadbackPasses.texture(graph, picture);
            execute(rig, graph);
            assertThat(words(numbers)).containsExactly(6, 9, 8);
            int[] expected = picture();
            expected[9] = RED;
            expected[10] = GREEN;
            assertThat(words(pixels)).isEqualTo(expected);
        });
    }

    @ParameterizedTest
    @EnumSource
    void copiesAndBlitsTextures(TestDevice device) {
        device.run(rig -> {
            RdgTexture source = graph.createTexture("source", PICTURE.withMips(2));
            RdgTexture whole = graph.createTexture("whole", PICTURE.withMips(2));
            RdgTexture scaled = graph.createTexture("scaled", PICTURE);
            UploadPasses.texture(graph, source, data(picture()));
            ClearPasses.texture(graph, source.mip(1), color(0, 1, 0));
            CopyPasses.texture(graph, source, whole);
            TextureRegion first = TextureRegion.mip(PICTURE, 0);
            CopyPasses.texture(graph, source, first.withRectangle(0, 0, 2, 1), whole, first.withRectangle(6, 3, 2, 1));
            CopyPasses.blit(graph, source, first.withRectangle(0, 0, 4, 2), scaled, first, Filter.NEAREST);
            RdgReadback copied = ReadbackPasses.texture(graph, whole);
            RdgReadback mip = ReadbackPasses.texture(graph, whole, TextureRegion.mip(whole.description(), 1));
            RdgReadback blitted = ReadbackPasses.texture(graph, scaled);
            execute(rig, graph);
            int[] expected = picture();
            expected[30] = expected[0];
            expected[31] = expected[1];
            assertThat(words(copied)).isEqualTo(expected);
            assertThat(words(mip)).containsOnly(GREEN);
            int[] large = new int[32];
            Arrays.setAll(large, i -> picture()[(i / 8 / 2) * 8 + i % 8 / 2]);
            assertThat(words(blitted)).isEqualTo(large);
        });
    }

    @ParameterizedTest
    @EnumSource
    void resolves(TestDevice device) {
        device.run(rig -> {
            RdgTexture samples = graph.createTexture(
                    "samples",
                    TextureDescription.of(8, 4, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT)
                            .withSamples(4));
            RdgTexture picture = graph.createTexture("picture", PICTURE);
            graph.addPass("draw", PassKind.RASTER)
                    .color(samples, LoadOp.CLEAR, color(0, 1, 0))
                    .record(context -> {});
            CopyPasses.resolve(graph, samples, picture);
            RdgReadback pixels = ReadbackPasses.texture(graph, picture);
            execute(rig, graph);
            assertThat(words(pixels)).hasSize(32).containsOnly(GREEN);
        });
    }

    @ParameterizedTest
    @EnumSource
    void generatesMips(TestDevice device) {
        device.run(rig -> {
            TextureDescription shape = TextureDescription.of(4, 4, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED)
                    .withMips(3)
                    .withLayers(2);
            RdgTexture texture = graph.createTexture("texture", shape);
            int[] quadrants = {0, 100, 200, 40};
            int[] texels = new int[32];
            Arrays.setAll(texels, i -> 0x01010101 * quadrants[i % 16 / 8 * 2 + i % 4 / 2] + (i < 16 ? 0 : 0x01010101));
            UploadPasses.texture(graph, texture, data(texels));
            MipPasses.generate(graph, texture);
            RdgReadback middle = ReadbackPasses.texture(graph, texture, TextureRegion.mip(shape, 1));
            RdgReadback last = ReadbackPasses.texture(graph, texture, TextureRegion.mip(shape, 2));
            execute(rig, graph);
            for (int i = 0; i < 8; i++) {
                assertThat(bytes(middle)[4 * i] & 0xFF).isCloseTo(quadrants[i % 4] + i / 4, within(1));
            }
            assertThat(bytes(last)[0] & 0xFF).isCloseTo(85, within(1));
            assertThat(bytes(last)[4] & 0xFF).isCloseTo(86, within(1));
        });
    }

    /** What the documentation says of sides of every length, against the processor. */
    @ParameterizedTest
    @EnumSource
    void filtersMipsAtTheirCentres(TestDevice device) {
        device.run(rig -> {
            for (Format format : List.of(Format.R8G8B8A8_UNORM, Format.R8G8B8A8_SRGB)) {
                TextureDescription flat = TextureDescription.of(1, 1, format, TextureUsage.SAMPLED);
                for (TextureDescription shape : List.of(
                        sized(flat, TextureKind.TWO_D, 3, 1, 1),
                        sized(flat, TextureKind.TWO_D, 8, 5, 1),
                        sized(flat, TextureKind.TWO_D, 7, 13, 1),
                        sized(flat, TextureKind.THREE_D, 5, 4, 7))) {
                    filtersMips(rig, shape);
                }
            }
        });
    }

    private static void filtersMips(DeviceRig rig, TextureDescription shape) {
        RenderGraph mipmapped = new RenderGraph("mips");
        RdgTexture texture = mipmapped.createTexture("texture", shape);
        int texels = shape.width() * shape.height() * shape.depth();
        UploadPasses.texture(
                mipmapped,
                texture,
                data(new SplittableRandom(texels).ints(texels).toArray()));
        MipPasses.generate(mipmapped, texture);
        List<RdgReadback> mips = IntStream.range(0, shape.mips())
                .mapToObj(mip -> ReadbackPasses.texture(mipmapped, texture, TextureRegion.mip(shape, mip)))
                .toList();
        execute(rig, mipmapped);
        for (int mip = 1; mip < shape.mips(); mip++) {
            double[] expected = FilteredMip.of(shape, mip, bytes(mips.get(mip - 1)));
            double[] made = FilteredMip.linear(shape, bytes(mips.get(mip)));
            assertThat(made).as("mip %d of %s", mip, shape).containsExactly(expected, within(0.012));
        }
    }

    private static TextureDescription sized(
            TextureDescription like, TextureKind kind, int width, int height, int depth) {
        int mips = 32 - Integer.numberOfLeadingZeros(Math.max(width, Math.max(height, depth)));
        return new TextureDescription(
                kind, width, height, depth, mips, 1, 1, like.format(), Set.of(), like.usage(), like.sharing());
    }

    @ParameterizedTest
    @EnumSource(names = "VIRTUAL")
    void mipsThatNobodyReadsAreNotMade(TestDevice device) {
        device.run(rig -> {
            TextureDescription shape = PICTURE.withMips(4);
            RdgTexture texture = graph.createTexture("texture", shape);
            UploadPasses.texture(graph, texture, data(picture()));
            MipPasses.generate(graph, texture);
            ReadbackPasses.texture(graph, texture, TextureRegion.mip(shape, 1));
            assertThat(rig.compile(graph).passes())
                    .filteredOn(FramePlan.PassPlan::culled)
                    .extracting(FramePlan.PassPlan::name)
                    .containsExactly("mip 2 of texture", "mip 3 of texture");
        });
    }

    private record MixParameters(
            @Storage(value = Storage.Mode.READ, binding = "A")
            RdgBuffer first,

            @Storage(value = Storage.Mode.READ, binding = "B")
            RdgBuffer second,

            @Storage(value = Storage.Mode.OVERWRITE, binding = "Result")
            RdgBuffer result,

            @Storage(value = Storage.Mode.READ, binding = "Debug") @Nullable
            RdgBuffer debug,

            int salt) {
        void bind(PassContext context) {
            context.commands().bindBuffer("A", context.buffer(first), 0, MixKernel.BYTES);
            context.commands().bindBuffer("B", context.buffer(second), 0, MixKernel.BYTES);
            context.commands().bindBuffer("Result", context.buffer(result), 0, MixKernel.BYTES);
            ByteBuffer push = ByteBuffer.allocateDirect(4).order(ByteOrder.nativeOrder());
            context.commands().pushConstants(push.putInt(0, salt));
        }

        static void bind(PassContext context, MixParameters parameters) {
            parameters.bind(context);
        }
    }

    @ParameterizedTest
    @EnumSource
    void dispatchesDirectlyAndByArguments(TestDevice device) {
        device.run(rig -> {
            try (ComputePipeline mix = MixKernel.create(rig.device)) {
                int[] input =
                        IntStream.range(0, MixKernel.WORDS).map(i -> i * i).toArray();
                BufferDescription shape = BufferDescription.device(MixKernel.BYTES, BufferUsage.STORAGE);
                RdgBuffer seed = UploadPasses.createBuffer(graph, "seed", data(input), BufferUsage.STORAGE);
                RdgBuffer middle = graph.createBuffer("middle", shape);
                RdgBuffer result = graph.createBuffer("result", shape);
                RdgBuffer arguments = UploadPasses.createBuffer(
                        graph, "arguments", data(0, MixKernel.WORDS / 64, 1, 1), BufferUsage.INDIRECT);
                ComputePasses.dispatch(
                                graph,
                                "first",
                                mix,
                                new MixParameters(seed, seed, middle, null, 3),
                                MixParameters::bind,
                                GroupCount.of(MixKernel.WORDS, 64))
                        .flag(PassFlag.ASYNC_COMPUTE);
                ComputePasses.dispatchIndirect(
                        graph,
                        "second",
                        mix,
                        new MixParameters(middle, seed, result, null, 4),
                        MixParameters::bind,
                        arguments,
                        4);
                RdgReadback read = ReadbackPasses.buffer(graph, result);
                execute(rig, graph);
                assertThat(words(read)).isEqualTo(MixKernel.mix(MixKernel.mix(input, input, 3), input, 4));
                rig.executor.close();
            }
        });
    }

    @ParameterizedTest
    @EnumSource(names = "VIRTUAL")
    void whatTheShaderDoesNotUseIsDropped(TestDevice device) {
        device.run(rig -> {
            try (ComputePipeline mix = MixKernel.create(rig.device)) {
                BufferDescription shape = BufferDescription.device(MixKernel.BYTES, BufferUsage.STORAGE);
                RdgBuffer seed = graph.createBuffer("seed", shape);
                RdgBuffer debug = graph.createBuffer("debug", shape);
                RdgBuffer result = graph.createBuffer("result", shape);
                ClearPasses.buffer(graph, seed, 1);
                ClearPasses.buffer(graph, debug, 2);
                MixParameters all = new MixParameters(seed, seed, result, debug, 3);
                MixParameters used = RdgParameters.withoutUnused(all, mix);
                assertThat(used).isEqualTo(new MixParameters(seed, seed, result, null, 3));
                ComputePasses.dispatch(graph, "mix", mix, used, MixParameters::bind, GroupCount.of(256, 64));
                ReadbackPasses.buffer(graph, result);
                assertThat(rig.compile(graph).passes())
                        .filteredOn(FramePlan.PassPlan::culled)
                        .extracting(FramePlan.PassPlan::name)
                        .containsExactly("clear debug");
            }
        });
    }

    @ParameterizedTest
    @EnumSource(names = "VIRTUAL")
    void readbackFailsAsItsFrameFails(TestDevice device) {
        device.run(rig -> {
            RdgBuffer data = graph.createBuffer("data", BufferDescription.device(16, BufferUsage.STORAGE));
            ClearPasses.buffer(graph, data, 1);
            graph.addPass("broken", PassKind.COPY).writes(data, Access.COPY_DST).record(context -> {
                throw new IllegalArgumentException("broken on purpose");
            });
            RdgReadback readback = ReadbackPasses.buffer(graph, data);
            FramePlan plan = rig.compile(graph);
            assertThat(readback.bytes()).isNotDone();
            FrameHandle handle = rig.executor.execute(plan);
            assertThatThrownBy(() -> handle.completed().await()).hasRootCauseMessage("broken on purpose");
            assertThat(readback.bytes())
                    .isCompletedExceptionally()
                    .failsWithin(java.time.Duration.ofSeconds(10))
                    .withThrowableThat()
                    .withMessageContaining("broken");
            assertThatThrownBy(() -> rig.executor.execute(plan)).hasMessageContaining("a new graph per frame");
        });
    }

    /** What a device keeps for readbacks does not grow with the number of frames. */
    @ParameterizedTest
    @EnumSource(names = "VIRTUAL")
    void stagingMemoryIsTakenAgain(TestDevice device) {
        device.run(rig -> {
            for (int frame = 0; frame < 20; frame++) {
                RenderGraph next = new RenderGraph("frame " + frame);
                RdgBuffer data = next.createBuffer("data", BufferDescription.device(16, BufferUsage.STORAGE));
                ClearPasses.buffer(next, data, frame);
                RdgReadback readback = ReadbackPasses.buffer(next, data);
                execute(rig, next);
                assertThat(words(readback)).containsOnly(frame);
            }
            assertThat(rig.executor.poolStatistics().idle()).isEqualTo(rig.executor.framesInFlight());
        });
    }
}
