package io.frameloom.gpu.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.gpu.pipeline.MultisampleState;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.resource.TextureViewKind;
import io.frameloom.testing.TestEffort;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What render passes of the virtual GPU leave in their attachments, and how long their draws take. */
class VirtualRasterTest {
    private static final int WORDS = 64;
    private static final int SEEDS = TestEffort.of(50, 200);

    @Test
    void rasterResultsDependOnWhatThePassReads() {
        int[] correct = raster(1, true);
        boolean different = false;
        for (long seed = 0; seed < SEEDS; seed++) {
            assertThat(raster(seed, true)).as("seed %d", seed).isEqualTo(correct);
            different = different || !Arrays.equals(raster(seed, false), correct);
        }
        assertThat(different)
                .as("without the barrier some seed renders something else")
                .isTrue();
    }

    private static int[] raster(long seed, boolean ordered) {
        try (VirtualRig rig = new VirtualRig(1, seed, null)) {
            Texture input = rig.keep(rig.device.createTexture(
                    "input",
                    TextureDescription.of(16, 16, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED, TextureUsage.COPY_DST)));
            Texture output = rig.keep(rig.device.createTexture(
                    "output",
                    TextureDescription.of(
                            16, 16, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_SRC)));
            var pipeline = rig.keep(rig.device.createGraphicsPipeline(VirtualValidationTest.triangle()));
            Buffer result = rig.readback("result", 16 * 16 * 4);
            rig.await(rig.submit(rig.queue(0), List.of(), list -> {
                list.clearTexture(
                        input, SubresourceRange.all(input.description()), RenderingInfo.ClearColor.BLACK_TRANSPARENT);
                if (ordered) {
                    list.barrier(VirtualRig.full());
                }
                list.beginPass(
                        "draw",
                        List.of(
                                VirtualValidationTest.use(input, Access.SAMPLED_FRAGMENT, TextureLayout.SHADER_RO),
                                VirtualValidationTest.use(output, Access.COLOR_WRITE, TextureLayout.COLOR)));
                list.beginRendering(VirtualValidationTest.target(output));
                list.bindPipeline(pipeline);
                list.draw(3, 1, 0, 0);
                list.endRendering();
                list.endPass();
                list.barrier(VirtualRig.full());
                list.copyTextureToBuffer(output, 0, 0, result, 0);
            }));
            return rig.words(result);
        }
    }

    @Test
    void drawsOfMoreVerticesThanThereAreNumbersTakeTime() {
        try (VirtualRig rig = new VirtualRig(1, 5, null)) {
            Texture output = output(rig);
            var pipeline = rig.keep(rig.device.createGraphicsPipeline(VirtualValidationTest.triangle()));
            TimestampSet stamps = rig.keep(rig.device.createTimestampSet("stamps", 2));
            rig.await(rig.submit(rig.queue(0), List.of(), list -> {
                list.writeTimestamp(stamps, 0);
                list.beginPass(
                        "draw", List.of(VirtualValidationTest.use(output, Access.COLOR_WRITE, TextureLayout.COLOR)));
                list.beginRendering(VirtualValidationTest.target(output));
                list.bindPipeline(pipeline);
                for (int i = 0; i < 3; i++) {
                    list.draw(Integer.MAX_VALUE, Integer.MAX_VALUE, 0, 0);
                }
                list.endRendering();
                list.endPass();
                list.writeTimestamp(stamps, 1);
            }));
            long[] nanos = stamps.readNanos();
            assertThat(nanos[1]).isGreaterThan(nanos[0]);
        }
    }

    /** A timestamp inside of a pass comes behind the draws before it, and they take the same time with it. */
    @Test
    void aTimestampInsideOfAPassTellsOfItsDraws() {
        for (long seed = 0; seed < 20; seed++) {
            try (VirtualRig rig = new VirtualRig(1, seed, null)) {
                Texture output = output(rig);
                var pipeline = rig.keep(rig.device.createGraphicsPipeline(VirtualValidationTest.triangle()));
                TimestampSet stamps = rig.keep(rig.device.createTimestampSet("stamps", 4));
                rig.await(rig.submit(rig.queue(0), List.of(), list -> {
                    list.beginPass(
                            "draw",
                            List.of(VirtualValidationTest.use(output, Access.COLOR_WRITE, TextureLayout.COLOR)));
                    list.writeTimestamp(stamps, 0);
                    list.beginRendering(VirtualValidationTest.target(output));
                    list.bindPipeline(pipeline);
                    list.draw(1_000_000, 1, 0, 0);
                    list.endRendering();
                    list.writeTimestamp(stamps, 1);
                    list.writeTimestamp(stamps, 2);
                    list.endPass();
                    list.writeTimestamp(stamps, 3);
                }));
                long[] nanos = stamps.readNanos();
                assertThat(nanos[1] - nanos[0]).as("seed %d", seed).isBetween(1_000_000L, 1_100_000L);
                assertThat(nanos[2]).isEqualTo(nanos[1]);
                assertThat(nanos[3]).isEqualTo(nanos[1]);
            }
        }
    }

    @Test
    void aBarrierInsideOfAPassComesBehindItsDraws() {
        for (long seed = 0; seed < SEEDS; seed++) {
            try (VirtualRig rig = new VirtualRig(1, seed, null)) {
                Texture output = output(rig);
                Buffer drawn = rig.buffer("drawn", WORDS);
                Buffer between = rig.readback("between", WORDS * 4);
                Buffer after = rig.readback("after", WORDS * 4);
                var pipeline = rig.keep(rig.device.createGraphicsPipeline(VirtualValidationTest.triangle()));
                rig.await(rig.submit(rig.queue(0), List.of(), list -> {
                    rig.fillPass(list, "fill", drawn, 5);
                    list.barrier(VirtualRig.full());
                    list.beginPass(
                            "draw",
                            List.of(
                                    VirtualValidationTest.use(output, Access.COLOR_WRITE, TextureLayout.COLOR),
                                    VirtualRig.use(drawn, Access.STORAGE_READ_WRITE_FRAGMENT, false),
                                    VirtualRig.use(drawn, Access.COPY_SRC, false),
                                    VirtualRig.use(between, Access.COPY_DST, true)));
                    list.beginRendering(VirtualValidationTest.target(output));
                    list.bindPipeline(pipeline);
                    list.draw(3, 1, 0, 0);
                    list.endRendering();
                    list.barrier(VirtualRig.full());
                    list.copyBuffer(drawn, 0, between, 0, WORDS * 4);
                    list.endPass();
                    list.barrier(VirtualRig.full());
                    rig.copyPass(list, "read", drawn, after);
                    list.barrier(VirtualRig.toHost());
                }));
                assertThat(rig.words(between)).as("seed %d", seed).isEqualTo(rig.words(after));
            }
        }
    }

    /** Both parts of the pass render to their own attachment, and each attachment is that of one part alone. */
    @Test
    void drawsBehindABarrierLeaveWhatThoseBeforeItHaveDrawn() {
        try (VirtualRig rig = new VirtualRig(1, 5, null)) {
            Texture first = output(rig);
            Texture second = output(rig);
            Buffer alone = rig.readback("alone", 16 * 16 * 4);
            Buffer divided = rig.readback("divided", 16 * 16 * 4);
            var pipeline = rig.keep(rig.device.createGraphicsPipeline(VirtualValidationTest.triangle()));
            for (Buffer result : List.of(alone, divided)) {
                rig.await(rig.submit(rig.queue(0), List.of(), list -> {
                    list.beginPass(
                            "draw",
                            List.of(
                                    new ResourceUse.OfTexture(
                                            first,
                                            SubresourceRange.mip(0),
                                            Access.COLOR_WRITE,
                                            true,
                                            TextureLayout.COLOR),
                                    new ResourceUse.OfTexture(
                                            second,
                                            SubresourceRange.mip(0),
                                            Access.COLOR_WRITE,
                                            true,
                                            TextureLayout.COLOR)));
                    list.bindPipeline(pipeline);
                    list.beginRendering(VirtualValidationTest.target(first));
                    list.draw(3, 1, 0, 0);
                    list.endRendering();
                    list.barrier(VirtualRig.full());
                    if (result == divided) {
                        list.beginRendering(VirtualValidationTest.target(second));
                        list.draw(3, 1, 0, 0);
                        list.endRendering();
                    }
                    list.endPass();
                    list.barrier(VirtualRig.full());
                    list.copyTextureToBuffer(first, 0, 0, result, 0);
                }));
            }
            assertThat(rig.words(divided)).isEqualTo(rig.words(alone));
        }
    }

    @Test
    void samplesThatDifferAreAveragedAsTheyAreSeen() {
        try (VirtualRig rig = new VirtualRig(1, 5, null)) {
            TextureDescription shape = TextureDescription.of(
                            16, 16, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_SRC)
                    .withViewFormats(Format.R8G8B8A8_SRGB);
            Texture many = rig.keep(rig.device.createTexture("many", shape.withSamples(4)));
            Texture one = rig.keep(rig.device.createTexture("one", shape));
            Buffer linear = rig.readback("linear", 16 * 16 * 4);
            Buffer encoded = rig.readback("encoded", 16 * 16 * 4);
            var pipeline = rig.keep(rig.device.createGraphicsPipeline(
                    VirtualValidationTest.triangle().withMultisample(MultisampleState.of(4))));
            rig.await(rig.submit(rig.queue(0), List.of(), list -> {
                list.beginRendering(VirtualValidationTest.target(many));
                list.bindPipeline(pipeline);
                list.draw(3, 1, 0, 0);
                list.endRendering();
                resolve(list, many, one, Format.R8G8B8A8_UNORM, linear);
                resolve(list, many, one, Format.R8G8B8A8_SRGB, encoded);
            }));
            assertThat(rig.words(encoded)).isNotEqualTo(rig.words(linear));
        }
    }

    private static void resolve(CommandList list, Texture many, Texture one, Format format, Buffer result) {
        list.barrier(VirtualRig.full());
        list.beginRendering(new RenderingInfo(
                16,
                16,
                List.of(new RenderingInfo.ColorAttachment(
                        many.view(SubresourceRange.mip(0), TextureViewKind.TWO_D, format),
                        LoadOp.LOAD,
                        StoreOp.STORE,
                        RenderingInfo.ClearColor.BLACK_TRANSPARENT,
                        one.view(SubresourceRange.mip(0), TextureViewKind.TWO_D, format))),
                null));
        list.endRendering();
        list.barrier(VirtualRig.full());
        list.copyTextureToBuffer(one, 0, 0, result, 0);
    }

    /** Returns a texture to render to and to copy from. */
    static Texture output(VirtualRig rig) {
        return rig.keep(rig.device.createTexture(
                "output",
                TextureDescription.of(
                        16, 16, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_SRC)));
    }
}
