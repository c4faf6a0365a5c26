package io.frameloom.gpu.record;

import static io.frameloom.gpu.record.CommandRig.transition;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.command.RenderingInfo.DepthAttachment;
import io.frameloom.gpu.command.RenderingInfo.StencilAttachment;
import io.frameloom.gpu.command.ResolveMode;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.vulkan.VulkanDevice;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Attachments of one render pass against each other, and against the layouts that the pass declares. */
@Timeout(60)
class AttachmentRulesContractTest {
    private static final TextureDescription COLOR = TextureDescription.of(
            4, 4, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT, TextureUsage.SAMPLED, TextureUsage.COPY_SRC);
    private static final SubresourceRange DEPTH = SubresourceRange.mip(0);
    private static final SubresourceRange STENCIL = DEPTH.plane(1);

    private static ColorAttachment color(TextureView view, @Nullable TextureView resolve) {
        return new ColorAttachment(view, LoadOp.CLEAR, StoreOp.STORE, ClearColor.BLACK_TRANSPARENT, resolve);
    }

    private static RenderingInfo colors(TextureView... views) {
        return new RenderingInfo(
                2, 2, Arrays.stream(views).map(view -> color(view, null)).toList(), null);
    }

    private static ResourceUse use(Texture texture, SubresourceRange range, Access access, TextureLayout layout) {
        return new ResourceUse.OfTexture(texture, range, access, false, layout);
    }

    private static ResourceUse use(Texture texture, Access access, TextureLayout layout) {
        return use(texture, SubresourceRange.all(texture.description()), access, layout);
    }

    private static Texture depth(CommandRig rig, String name, int samples) {
        Format format = rig.device.firstSupported(TextureUsage.DEPTH_ATTACHMENT, Format.DEPTH_STENCIL);
        return rig.texture(
                name,
                TextureDescription.of(4, 4, format, TextureUsage.DEPTH_ATTACHMENT, TextureUsage.SAMPLED)
                        .withSamples(samples));
    }

    private static RenderingInfo both(Texture texture, boolean depthKept, boolean stencilKept) {
        return new RenderingInfo(
                        4, 4, List.of(), new DepthAttachment(texture.view(), LoadOp.LOAD, StoreOp.STORE, 1, depthKept))
                .withStencil(new StencilAttachment(texture.view(), LoadOp.LOAD, StoreOp.STORE, 0, stencilKept));
    }

    private static void renders(CommandList list, List<ResourceUse> uses, RenderingInfo info) {
        list.beginPass("pass", uses);
        list.beginRendering(info);
        list.endRendering();
        list.endPass();
    }

    private static void refused(
            CommandList list, List<ResourceUse> uses, RenderingInfo info, String texture, String has, String needs) {
        list.beginPass("pass", uses);
        assertThatThrownBy(() -> list.beginRendering(info))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("beginRendering in command list 'list'")
                .hasMessageContaining("the pass has texture '" + texture + "' in layout " + has)
                .hasMessageContaining("attached in " + needs);
        list.endPass();
    }

    private static void twice(CommandList list, RenderingInfo info, String where) {
        assertThatThrownBy(() -> list.beginRendering(info))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("beginRendering in command list 'list'")
                .hasMessageContaining(where)
                .hasMessageContaining("two attachments");
    }

    @ParameterizedTest
    @EnumSource
    void coloursAreAttachedInTheLayoutThatThePassDeclares(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture color = rig.texture("color", COLOR);
            Texture many = rig.texture("many", COLOR.withSamples(4));
            RenderingInfo one = colors(color.view());
            RenderingInfo resolved = new RenderingInfo(4, 4, List.of(color(many.view(), color.view())), null);
            ResourceUse drawn = use(many, Access.COLOR_WRITE, TextureLayout.COLOR);
            rig.execute(list -> {
                transition(list, color, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                transition(list, many, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                refused(
                        list,
                        List.of(use(color, Access.SAMPLED_FRAGMENT, TextureLayout.SHADER_RO)),
                        one,
                        "color",
                        "SHADER_RO",
                        "COLOR");
                refused(
                        list,
                        List.of(drawn, use(color, Access.COPY_SRC, TextureLayout.TRANSFER_SRC)),
                        resolved,
                        "color",
                        "TRANSFER_SRC",
                        "COLOR");
                renders(list, List.of(use(color, Access.COLOR_WRITE, TextureLayout.COLOR)), one);
                CommandRig.full(list);
                renders(list, List.of(drawn, use(color, Access.RESOLVE_DST, TextureLayout.COLOR)), resolved);
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatThePassDeclaresOfOtherMipsAndLayersDoesNotMatter(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture color = rig.texture("color", COLOR.withMips(2).withLayers(2));
            SubresourceRange target = SubresourceRange.of(1, 1);
            SubresourceRange sameLayer = SubresourceRange.of(0, 1);
            SubresourceRange sameMip = SubresourceRange.of(1, 0);
            rig.execute(list -> {
                transition(list, color, TextureLayout.UNDEFINED, TextureLayout.SHADER_RO);
                transition(list, color, target, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                ResourceUse sampled = use(color, sameLayer, Access.SAMPLED_FRAGMENT, TextureLayout.SHADER_RO);
                ResourceUse alsoSampled = use(color, sameMip, Access.SAMPLED_FRAGMENT, TextureLayout.SHADER_RO);
                renders(
                        list,
                        List.of(sampled, alsoSampled, use(color, target, Access.COLOR_WRITE, TextureLayout.COLOR)),
                        colors(color.view(target)));
                refused(
                        list,
                        List.of(sampled, alsoSampled),
                        colors(color.view(sameMip)),
                        "color",
                        "SHADER_RO",
                        "COLOR");
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void depthAndStencilAreEachInTheLayoutOfTheirPlane(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture texture = depth(rig, "depth", 1);
            List<ResourceUse> written = List.of(
                    use(texture, DEPTH, Access.DEPTH_READ_WRITE, TextureLayout.DEPTH),
                    use(texture, STENCIL, Access.STENCIL_READ_WRITE, TextureLayout.DEPTH));
            List<ResourceUse> depthKept = List.of(
                    use(texture, DEPTH, Access.DEPTH_READ, TextureLayout.DEPTH_RO),
                    use(texture, DEPTH, Access.SAMPLED_FRAGMENT, TextureLayout.DEPTH_RO),
                    use(texture, STENCIL, Access.STENCIL_READ_WRITE, TextureLayout.DEPTH));
            rig.execute(list -> {
                transition(list, texture, TextureLayout.UNDEFINED, TextureLayout.DEPTH);
                renders(list, written, both(texture, false, false));
                refused(list, written, both(texture, true, false), "depth", "DEPTH", "DEPTH_RO");
                refused(list, written, both(texture, false, true), "depth", "DEPTH", "DEPTH_RO");
                refused(list, depthKept, both(texture, false, false), "depth", "DEPTH_RO", "DEPTH");
                refused(list, depthKept, both(texture, true, true), "depth", "DEPTH", "DEPTH_RO");
                transition(list, texture, DEPTH, TextureLayout.DEPTH, TextureLayout.DEPTH_RO);
                renders(list, depthKept, both(texture, true, false));
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void depthIsResolvedInTheLayoutOfAnAttachment(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture many = depth(rig, "many", 4);
            Texture one = depth(rig, "one", 1);
            RenderingInfo info = new RenderingInfo(
                            4,
                            4,
                            List.of(),
                            new DepthAttachment(many.view(), LoadOp.CLEAR, StoreOp.STORE, 1, false)
                                    .resolvedTo(one.view(), ResolveMode.SAMPLE_ZERO))
                    .withStencil(new StencilAttachment(many.view(), LoadOp.CLEAR, StoreOp.STORE, 0, false)
                            .resolvedTo(one.view(), ResolveMode.SAMPLE_ZERO));
            ResourceUse drawn = use(many, Access.DEPTH_RESOLVE_SRC, TextureLayout.DEPTH);
            ResourceUse depth = use(one, DEPTH, Access.DEPTH_RESOLVE_DST, TextureLayout.DEPTH);
            ResourceUse stencil = use(one, STENCIL, Access.DEPTH_RESOLVE_DST, TextureLayout.DEPTH);
            rig.execute(list -> {
                transition(list, many, TextureLayout.UNDEFINED, TextureLayout.DEPTH);
                transition(list, one, TextureLayout.UNDEFINED, TextureLayout.DEPTH);
                refused(
                        list,
                        List.of(drawn, use(one, DEPTH, Access.SAMPLED_FRAGMENT, TextureLayout.SHADER_RO), stencil),
                        info,
                        "one",
                        "SHADER_RO",
                        "DEPTH");
                refused(
                        list,
                        List.of(drawn, depth, use(one, STENCIL, Access.STENCIL_READ, TextureLayout.DEPTH_RO)),
                        info,
                        "one",
                        "DEPTH_RO",
                        "DEPTH");
                renders(list, List.of(drawn, depth, stencil), info);
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void noTexelIsTwoAttachments(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture array = rig.texture("array", COLOR.withLayers(3).withMips(2));
            TextureView firstTwo = array.view(new SubresourceRange(0, 1, 0, 2, 0, 1));
            TextureView lastTwo = array.view(new SubresourceRange(0, 1, 1, 2, 0, 1));
            TextureView small = array.view(SubresourceRange.of(1, 0));
            rig.execute(list -> {
                transition(list, array, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                twice(list, colors(firstTwo, firstTwo), "mip 0, layer 0 of texture 'array'");

                twice(list, colors(firstTwo, lastTwo).withLayers(2), "mip 0, layer 1 of texture 'array'");
                // One layer of each is rendered to, and these are two.
                list.beginRendering(colors(firstTwo, lastTwo, small));
                list.endRendering();
            });
        }
    }

    @Test
    void aTextureThatWasImportedTwiceIsOne() {
        try (CommandRig rig = new CommandRig(Backend.VULKAN)) {
            VulkanDevice device = (VulkanDevice) rig.device;
            Texture color = rig.texture("color", COLOR);
            Texture alias = rig.own(device.importTexture("alias", color.nativeHandle(), COLOR, TextureLayout.COLOR));
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            twice(list, colors(color.view(), alias.view()), "mip 0, layer 0 of texture 'alias'");
            list.end();
        }
    }

    @ParameterizedTest
    @EnumSource
    void noTexelIsResolvedToTwice(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture many = rig.texture("many", COLOR.withSamples(4));
            Texture others = rig.texture("others", COLOR.withSamples(4));
            Texture color = rig.texture("color", COLOR.withLayers(2));
            TextureView first = color.view(SubresourceRange.of(0, 0));
            TextureView second = color.view(SubresourceRange.of(0, 1));
            rig.execute(list -> {
                transition(list, many, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                transition(list, others, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                transition(list, color, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                twice(
                        list,
                        new RenderingInfo(4, 4, List.of(color(many.view(), first), color(others.view(), first)), null),
                        "mip 0, layer 0 of texture 'color'");
                twice(
                        list,
                        new RenderingInfo(4, 4, List.of(color(many.view(), first), color(many.view(), second)), null),
                        "texture 'many'");
                list.beginRendering(new RenderingInfo(
                        4, 4, List.of(color(many.view(), first), color(others.view(), second)), null));
                list.endRendering();
            });
        }
    }
}
