package io.frameloom.gpu.record;

import static io.frameloom.gpu.record.CommandRig.transition;
import static io.frameloom.gpu.record.CommandRig.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.DepthAttachment;
import io.frameloom.gpu.command.RenderingInfo.StencilAttachment;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Depth and stencil that a render pass only tests against are only read. */
@Timeout(60)
class ReadOnlyDepthContractTest {
    private static RenderingInfo depth(Texture texture, LoadOp load, StoreOp store, boolean readOnly) {
        return new RenderingInfo(4, 4, List.of(), new DepthAttachment(texture.view(), load, store, 0.75f, readOnly));
    }

    private static ResourceUse use(Texture texture, Access access) {
        return new ResourceUse.OfTexture(texture, SubresourceRange.mip(0), access, false, TextureLayout.DEPTH_RO);
    }

    private static void renders(CommandList list, RenderingInfo info) {
        list.beginRendering(info);
        list.endRendering();
    }

    private static Texture depth(CommandRig rig) {
        return rig.texture(
                "depth",
                TextureDescription.of(
                        4,
                        4,
                        Format.D32_SFLOAT,
                        TextureUsage.DEPTH_ATTACHMENT,
                        TextureUsage.SAMPLED,
                        TextureUsage.COPY_SRC));
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void contentsAreKeptWhateverTheStoreOperationSays(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture depth = depth(rig);
            Buffer texels = rig.readback(64);
            rig.execute(list -> {
                transition(list, depth, TextureLayout.UNDEFINED, TextureLayout.DEPTH);
                renders(list, depth(depth, LoadOp.CLEAR, StoreOp.STORE, false));
                transition(list, depth, TextureLayout.DEPTH, TextureLayout.DEPTH_RO);
                list.beginPass("test", List.of(use(depth, Access.DEPTH_READ)));
                renders(list, depth(depth, LoadOp.LOAD, StoreOp.DONT_CARE, true));
                list.endPass();
                transition(list, depth, TextureLayout.DEPTH_RO, TextureLayout.TRANSFER_SRC);
                list.copyTextureToBuffer(depth, 0, 0, texels, 0);
            });
            assertThat(words(texels)).containsOnly(Float.floatToIntBits(0.75f));
        }
    }

    /** Depth that is tested beside readers of another kind is in the one layout that serves all. */
    @ParameterizedTest
    @EnumSource(Backend.class)
    void isTestedInTheLayoutThatThePassDeclares(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture depth = depth(rig);
            Buffer texels = rig.readback(64);
            rig.execute(list -> {
                transition(list, depth, TextureLayout.UNDEFINED, TextureLayout.DEPTH);
                renders(list, depth(depth, LoadOp.CLEAR, StoreOp.STORE, false));
                transition(list, depth, TextureLayout.DEPTH, TextureLayout.GENERAL);
                list.beginPass(
                        "test",
                        List.of(new ResourceUse.OfTexture(
                                depth, SubresourceRange.mip(0), Access.DEPTH_READ, false, TextureLayout.GENERAL)));
                renders(list, depth(depth, LoadOp.LOAD, StoreOp.STORE, true));
                list.endPass();
                transition(list, depth, TextureLayout.GENERAL, TextureLayout.TRANSFER_SRC);
                list.copyTextureToBuffer(depth, 0, 0, texels, 0);
            });
            assertThat(words(texels)).containsOnly(Float.floatToIntBits(0.75f));
        }
    }

    /** The validation layer takes whatever is stored for a write, which no barrier orders behind the read. */
    @ParameterizedTest
    @EnumSource(Backend.class)
    void aRenderPassThatTestsNeedsNoBarrierBehindAnotherReader(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture depth = depth(rig);
            Buffer out = rig.buffer("out", 16, BufferUsage.STORAGE);
            ComputePipeline sample = rig.compute("sample", """
                    #version 450
                    layout(local_size_x = 1) in;
                    layout(set = 0, binding = 0) uniform sampler2D depths;
                    layout(set = 0, binding = 1) buffer Out { vec4 texel; };
                    void main() { texel = texelFetch(depths, ivec2(0), 0); }
                    """, invocation -> {});
            rig.execute(list -> {
                transition(list, depth, TextureLayout.UNDEFINED, TextureLayout.DEPTH);
                renders(list, depth(depth, LoadOp.CLEAR, StoreOp.STORE, false));
                transition(list, depth, TextureLayout.DEPTH, TextureLayout.DEPTH_RO);
                list.beginPass(
                        "sample",
                        List.of(
                                use(depth, Access.SAMPLED_COMPUTE),
                                new ResourceUse.OfBuffer(out, 0, 16, Access.STORAGE_WRITE_COMPUTE, true)));
                list.bindPipeline(sample);
                list.bindTexture("depths", depth.view(), rig.device.sampler(SamplerDescription.NEAREST_CLAMP));
                list.bindBuffer("Out", out, 0, 16);
                list.dispatch(1, 1, 1);
                list.endPass();
                list.beginPass("test", List.of(use(depth, Access.DEPTH_READ)));
                renders(list, depth(depth, LoadOp.LOAD, StoreOp.STORE, true));
                list.endPass();
            });
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void whatIsOnlyReadIsLoaded(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Format format = rig.device.firstSupported(TextureUsage.DEPTH_ATTACHMENT, Format.DEPTH_STENCIL);
            Texture both = rig.texture("both", TextureDescription.of(4, 4, format, TextureUsage.DEPTH_ATTACHMENT));
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            assertThatThrownBy(() -> list.beginRendering(depth(both, LoadOp.DONT_CARE, StoreOp.STORE, true)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("depth 'both' is read only but not loaded");
            StencilAttachment stencil = new StencilAttachment(both.view(), LoadOp.DONT_CARE, StoreOp.STORE, 0, true);
            assertThatThrownBy(() -> list.beginRendering(new RenderingInfo(4, 4, List.of(), null).withStencil(stencil)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("stencil 'both' is read only but not loaded");
            list.end();
        }
    }
}
