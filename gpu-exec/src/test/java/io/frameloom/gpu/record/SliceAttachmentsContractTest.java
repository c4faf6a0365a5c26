package io.frameloom.gpu.record;

import static io.frameloom.gpu.record.CommandRig.transition;
import static io.frameloom.gpu.record.CommandRig.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.resource.TextureViewKind;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Slices of three-dimensional textures that are rendered to. */
@Timeout(60)
class SliceAttachmentsContractTest {
    private static final int EXTENT = 4;
    private static final int DEPTH = 8;
    private static final int SLICE = EXTENT * EXTENT;
    private static final int OLD = 0x11223344;
    private static final int GREEN = 0xff00ff00;
    private static final ClearColor CLEAR_GREEN = new ClearColor(0, 1, 0, 1);

    private static Texture volume(CommandRig rig, TextureUsage... more) {
        return rig.texture(
                "volume",
                TextureDescription.of(
                                EXTENT,
                                EXTENT,
                                Format.R8G8B8A8_UNORM,
                                TextureUsage.COLOR_ATTACHMENT,
                                with(more, TextureUsage.COPY_SRC, TextureUsage.COPY_DST))
                        .withDepth(DEPTH)
                        .withMips(2));
    }

    private static TextureUsage[] with(TextureUsage[] more, TextureUsage... others) {
        TextureUsage[] all = Arrays.copyOf(more, more.length + others.length);
        System.arraycopy(others, 0, all, more.length, others.length);
        return all;
    }

    private static SubresourceRange slices(int mip, int first, int count) {
        return new SubresourceRange(mip, 1, first, count, 0, 1);
    }

    private static TextureView slice(Texture texture, int mip, int slice) {
        return texture.view(slices(mip, slice, 1), TextureViewKind.TWO_D);
    }

    private static ColorAttachment attachment(TextureView view, LoadOp load, @Nullable TextureView resolve) {
        return new ColorAttachment(view, load, StoreOp.STORE, CLEAR_GREEN, resolve);
    }

    private static RenderingInfo rendering(int extent, ColorAttachment... colors) {
        return new RenderingInfo(extent, extent, List.of(colors), null);
    }

    private static void rendered(CommandList list, RenderingInfo info) {
        list.beginRendering(info);
        list.endRendering();
        CommandRig.full(list);
    }

    /** Fills a mip with {@link #OLD}, records, and returns the texels of all slices. */
    private static int[] read(CommandRig rig, Texture volume, int mip, Consumer<CommandList> recorder) {
        TextureRegion all = TextureRegion.mip(volume.description(), mip);
        int[] old = new int[all.width() * all.height() * all.depth()];
        Arrays.fill(old, OLD);
        Buffer upload = rig.upload(old);
        Buffer pixels = rig.readback(4L * old.length);
        SubresourceRange range = SubresourceRange.mip(mip);
        rig.execute(list -> {
            transition(list, volume, range, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST);
            list.copyBufferToTexture(upload, TexelLayout.tight(0), volume, all);
            transition(list, volume, range, TextureLayout.TRANSFER_DST, TextureLayout.COLOR);
            recorder.accept(list);
            transition(list, volume, range, TextureLayout.COLOR, TextureLayout.TRANSFER_SRC);
            list.copyTextureToBuffer(volume, all, pixels, TexelLayout.tight(0));
        });
        return words(pixels);
    }

    private static void assertSlices(int[] texels, int perSlice, int first, int count) {
        for (int i = 0; i < texels.length; i++) {
            int slice = i / perSlice;
            boolean written = first <= slice && slice < first + count;
            assertThat(texels[i])
                    .as("texel %d of slice %d", i % perSlice, slice)
                    .isEqualTo(written ? GREEN : OLD);
        }
    }

    private static void refused(ThrowingCallable call, String... words) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessageContainingAll(words);
    }

    private static GraphicsPipeline green(CommandRig rig) {
        return rig.own(rig.device.createGraphicsPipeline(new GraphicsPipelineDescription(
                "green",
                new ShaderSource("everything.vert", ShaderStage.VERTEX, """
                        #version 450
                        const vec2 corners[3] = vec2[](vec2(-1, -1), vec2(-1, 3), vec2(3, -1));
                        void main() { gl_Position = vec4(corners[gl_VertexIndex], 0.5, 1); }
                        """),
                new ShaderSource("green.frag", ShaderStage.FRAGMENT, """
                        #version 450
                        layout(location = 0) out vec4 color;
                        void main() { color = vec4(0, 1, 0, 1); }
                        """),
                List.of(),
                GraphicsPipelineDescription.CullMode.NONE,
                null,
                GraphicsPipelineDescription.Blend.NONE,
                List.of(Format.R8G8B8A8_UNORM),
                null)));
    }

    @ParameterizedTest
    @EnumSource
    void aSliceIsClearedAlone(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture volume = volume(rig);
            int[] texels = read(
                    rig,
                    volume,
                    0,
                    list -> rendered(list, rendering(EXTENT, attachment(slice(volume, 0, 3), LoadOp.CLEAR, null))));
            assertSlices(texels, SLICE, 3, 1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void slicesAreClearedAsLayersOfOneRenderPass(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture volume = volume(rig);
            TextureView view = volume.view(slices(0, 2, 4), TextureViewKind.TWO_D_ARRAY);
            int[] texels = read(rig, volume, 0, list -> {
                list.beginRendering(
                        rendering(EXTENT, attachment(view, LoadOp.LOAD, null)).withLayers(3));
                list.clearColorAttachment(0, CLEAR_GREEN, 0, 0, EXTENT, EXTENT);
                list.endRendering();
            });
            assertSlices(texels, SLICE, 2, 3);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSliceOfAnotherMipIsClearedInTheAreaAlone(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture volume = volume(rig);
            RenderingInfo info = rendering(2, attachment(slice(volume, 1, 2), LoadOp.CLEAR, null))
                    .withRenderArea(1, 0, 1, 2);
            int[] texels = read(rig, volume, 1, list -> rendered(list, info));
            int[] expected = new int[16];
            Arrays.fill(expected, OLD);
            expected[2 * 4 + 1] = GREEN;
            expected[2 * 4 + 3] = GREEN;
            assertThat(texels).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSliceIsDrawnToAlone(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture volume = volume(rig);
            GraphicsPipeline green = green(rig);
            ResourceUse drawn = new ResourceUse.OfTexture(
                    volume, SubresourceRange.mip(0), Access.COLOR_READ_WRITE, false, TextureLayout.COLOR);
            int[] texels = read(rig, volume, 0, list -> {
                list.beginPass("draw", List.of(drawn));
                list.beginRendering(rendering(EXTENT, attachment(slice(volume, 0, 3), LoadOp.LOAD, null)));
                list.bindPipeline(green);
                list.draw(3, 1, 0, 0);
                list.endRendering();
                list.endPass();
            });
            if (backend == Backend.VULKAN) {
                assertSlices(texels, SLICE, 3, 1);
                return;
            }
            for (int i = 0; i < texels.length; i++) {
                assertThat(texels[i] == OLD).as("texel %d", i).isEqualTo(i / SLICE != 3);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void samplesAreResolvedToASlice(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture volume = volume(rig);
            // lavapipe 22.3 resolves to the first layer or slice, whatever the view is of.
            int target = backend == Backend.VULKAN ? 0 : 5;
            Texture many = rig.texture(
                    "many",
                    TextureDescription.of(EXTENT, EXTENT, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT)
                            .withSamples(4));
            int[] texels = read(rig, volume, 0, list -> {
                transition(list, many, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                rendered(list, rendering(EXTENT, attachment(many.view(), LoadOp.CLEAR, slice(volume, 0, target))));
            });
            assertSlices(texels, SLICE, target, 1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachSliceIsOneAttachment(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture volume = volume(rig);
            ColorAttachment third = attachment(slice(volume, 0, 3), LoadOp.CLEAR, null);
            ColorAttachment fourth = attachment(slice(volume, 0, 4), LoadOp.CLEAR, null);
            int[] texels = read(rig, volume, 0, list -> {
                refused(
                        () -> list.beginRendering(rendering(EXTENT, third, third)),
                        "mip 0, slice 3 of texture 'volume' is two attachments");
                rendered(list, rendering(EXTENT, third, fourth));
            });
            assertSlices(texels, SLICE, 3, 2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void slicesAreWithinOneMip(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture volume = volume(rig);
            TextureView last = volume.view(slices(1, 2, 2), TextureViewKind.TWO_D_ARRAY);
            assertThat(last.range()).isEqualTo(SubresourceRange.mip(1));
            assertThat(last.baseLayer()).isEqualTo(2);
            assertThat(last.layerCount()).isEqualTo(2);
            assertThat(volume.view(slices(1, 2, 2), TextureViewKind.TWO_D_ARRAY))
                    .isSameAs(last);
            refused(
                    () -> volume.view(slices(0, 8, 1), TextureViewKind.TWO_D),
                    "slices 8+1 are not within mip 0 of texture 'volume', which has 8");
            refused(
                    () -> volume.view(slices(1, 3, 2), TextureViewKind.TWO_D_ARRAY),
                    "slices 3+2 are not within mip 1 of texture 'volume', which has 4");
            refused(
                    () -> volume.view(new SubresourceRange(0, 2, 0, 1, 0, 1), TextureViewKind.TWO_D),
                    "'volume'",
                    "one mip of its 2");
            refused(() -> volume.view(slices(2, 0, 1), TextureViewKind.TWO_D), "'volume'", "one mip of its 2");
            refused(() -> volume.view(slices(0, 0, 2), TextureViewKind.TWO_D), "TWO_D takes one layer");
            refused(() -> volume.view(slices(0, 0, 6), TextureViewKind.CUBE), "'volume' is THREE_D");
            rig.execute(list -> {
                refused(
                        () -> list.beginRendering(rendering(2, attachment(last, LoadOp.CLEAR, null))
                                .withLayers(3)),
                        "attachment 'volume' needs a view of one mip and 3 layers",
                        "2 slices");
                refused(
                        () -> list.beginRendering(
                                rendering(2, attachment(volume.view(SubresourceRange.mip(0)), LoadOp.CLEAR, null))),
                        "'volume' is seen as THREE_D",
                        "see slices of one mip as TWO_D");
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void slicesAreAttachmentsAlone(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture sampled = rig.texture(
                    "sampled",
                    TextureDescription.of(EXTENT, EXTENT, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED)
                            .withDepth(DEPTH));
            refused(
                    () -> slice(sampled, 0, 0),
                    "texture 'sampled' is THREE_D and seen as TWO_D",
                    "attachments alone",
                    "COLOR_ATTACHMENT");
            Texture volume = volume(rig, TextureUsage.SAMPLED);
            ComputePipeline reads = rig.compute("reads", """
                    #version 450
                    layout(local_size_x = 1) in;
                    layout(set = 0, binding = 0) uniform sampler2D image;
                    layout(set = 0, binding = 1) buffer Target { float target[]; };
                    void main() { target[0] = texelFetch(image, ivec2(0), 0).x; }
                    """, invocation -> {});
            rig.execute(list -> {
                list.bindPipeline(reads);
                refused(
                        () -> list.bindTexture(
                                "image", slice(volume, 0, 0), rig.device.sampler(SamplerDescription.NEAREST_CLAMP)),
                        "texture 'volume' bound to 'image' of pipeline 'reads' is seen as slices",
                        "THREE_D");
            });
        }
    }
}
