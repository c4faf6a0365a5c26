package io.frameloom.gpu.record;

import static io.frameloom.gpu.record.CommandRig.transition;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BoundResource;
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
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a secondary list takes textures to be in is what they are in where it is executed. */
@Timeout(60)
class SecondaryLayoutsContractTest {
    /** A texture in layout GENERAL, and what reads it. */
    private static final class Scene implements AutoCloseable {
        private final CommandRig rig;
        private final Texture texture;
        private final Buffer out;
        private final ComputePipeline sample;

        Scene(Backend backend) {
            rig = new CommandRig(backend);
            texture = rig.texture(
                    "texture",
                    TextureDescription.of(
                                    4,
                                    4,
                                    Format.R8G8B8A8_UNORM,
                                    TextureUsage.SAMPLED,
                                    TextureUsage.STORAGE,
                                    TextureUsage.COLOR_ATTACHMENT,
                                    TextureUsage.COPY_SRC,
                                    TextureUsage.COPY_DST)
                            .withMips(2));
            out = rig.buffer("out", 64, BufferUsage.STORAGE, BufferUsage.COPY_DST);
            sample = rig.compute("sample", """
                    #version 450
                    layout(local_size_x = 1) in;
                    layout(set = 0, binding = 0) uniform sampler2D colors;
                    layout(set = 0, binding = 1) buffer Out { vec4 texel; };
                    void main() { texel = texelFetch(colors, ivec2(0), 0); }
                    """, invocation -> {});
            rig.execute(list -> transition(list, texture, TextureLayout.UNDEFINED, TextureLayout.GENERAL));
        }

        ResourceUse use(int mip, Access access, TextureLayout layout) {
            return new ResourceUse.OfTexture(texture, SubresourceRange.mip(mip), access, false, layout);
        }

        List<ResourceUse> uses(ResourceUse... ofTexture) {
            List<ResourceUse> all = new java.util.ArrayList<>(List.of(ofTexture));
            all.add(new ResourceUse.OfBuffer(out, 0, 64, Access.STORAGE_WRITE_COMPUTE, true));
            all.add(new ResourceUse.OfBuffer(out, 0, 64, Access.COPY_DST, true));
            return all;
        }

        CommandList secondary(List<ResourceUse> uses, Consumer<CommandList> recorder) {
            CommandList list = rig.frame.beginSecondary(rig.queue(), "secondary", null, uses);
            recorder.accept(list);
            list.end();
            return list;
        }

        void sampled(CommandList list) {
            list.bindPipeline(sample);
            list.bindTexture(
                    "colors",
                    texture.view(SubresourceRange.mip(0)),
                    rig.device.sampler(SamplerDescription.NEAREST_CLAMP));
            list.bindBuffer("Out", out, 0, 16);
            list.dispatch(1, 1, 1);
        }

        /** The list is refused for a pass that declares {@code uses}, and for one that does not concern it is not. */
        void refused(CommandList secondary, List<ResourceUse> uses, String assumed, String declared) {
            rig.execute(list -> {
                list.beginPass("pass", uses);
                assertThatThrownBy(() -> list.execute(List.of(secondary)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage(
                                "execute in command list 'list': list 'secondary' takes texture 'texture' in layout "
                                        + assumed + ", but the pass has it in " + declared
                                        + "; begin it with the uses of the pass");
                list.endPass();
            });
        }

        void executes(CommandList secondary, List<ResourceUse> uses) {
            rig.execute(list -> {
                list.beginPass("pass", uses);
                list.execute(List.of(secondary));
                list.endPass();
            });
        }

        @Override
        public void close() {
            rig.close();
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void whatIsSampledIsInTheLayoutOfThePass(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            List<ResourceUse> general = scene.uses(scene.use(0, Access.SAMPLED_COMPUTE, TextureLayout.GENERAL));
            scene.refused(scene.secondary(List.of(), scene::sampled), general, "SHADER_RO", "GENERAL");
            scene.executes(scene.secondary(general, scene::sampled), general);
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void whatThePassDeclaresOfOtherMipsDoesNotMatter(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            List<ResourceUse> other =
                    scene.uses(scene.use(1, Access.STORAGE_READ_WRITE_COMPUTE, TextureLayout.GENERAL));
            List<ResourceUse> both = scene.uses(
                    scene.use(0, Access.SAMPLED_COMPUTE, TextureLayout.SHADER_RO),
                    scene.use(1, Access.STORAGE_READ_WRITE_COMPUTE, TextureLayout.GENERAL));
            scene.rig.execute(list -> transition(
                    list, scene.texture, SubresourceRange.mip(0), TextureLayout.GENERAL, TextureLayout.SHADER_RO));
            scene.executes(scene.secondary(List.of(), scene::sampled), other);
            scene.executes(scene.secondary(List.of(), scene::sampled), both);
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void whatIsInABindingSetIsInTheLayoutOfThePass(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            BindingSet set = scene.rig.own(scene.rig.device.createBindingSet(
                    "set",
                    scene.sample,
                    0,
                    Map.of(
                            "colors",
                            new BoundResource.SampledTexture(
                                    scene.texture.view(SubresourceRange.mip(0)),
                                    scene.rig.device.sampler(SamplerDescription.NEAREST_CLAMP)),
                            "Out",
                            new BoundResource.BufferRange(scene.out, 0, 16))));
            Consumer<CommandList> recorder = list -> {
                list.bindPipeline(scene.sample);
                list.bindSet(set);
                list.dispatch(1, 1, 1);
            };
            List<ResourceUse> general = scene.uses(scene.use(0, Access.SAMPLED_COMPUTE, TextureLayout.GENERAL));
            scene.refused(scene.secondary(List.of(), recorder), general, "SHADER_RO", "GENERAL");
            scene.executes(scene.secondary(general, recorder), general);
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void whatIsCopiedClearedOrAttachedIsInTheLayoutOfThePass(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            List<ResourceUse> general = scene.uses(
                    scene.use(0, Access.COPY_SRC, TextureLayout.GENERAL),
                    scene.use(0, Access.COPY_DST, TextureLayout.GENERAL));
            Consumer<CommandList> copies = list -> list.copyTextureToBuffer(scene.texture, 0, 0, scene.out, 0);
            scene.refused(scene.secondary(List.of(), copies), general, "TRANSFER_SRC", "GENERAL");
            Consumer<CommandList> clears =
                    list -> list.clearTexture(scene.texture, SubresourceRange.mip(0), ClearColor.BLACK_TRANSPARENT);
            scene.refused(scene.secondary(List.of(), clears), general, "TRANSFER_DST", "GENERAL");
            scene.executes(scene.secondary(general, clears), general);
            Consumer<CommandList> renders = list -> {
                list.beginRendering(new RenderingInfo(
                        4,
                        4,
                        List.of(new ColorAttachment(
                                scene.texture.view(SubresourceRange.mip(0)),
                                LoadOp.CLEAR,
                                StoreOp.STORE,
                                ClearColor.BLACK_TRANSPARENT)),
                        null));
                list.endRendering();
            };
            scene.refused(scene.secondary(List.of(), renders), general, "COLOR", "GENERAL");
        }
    }
}
