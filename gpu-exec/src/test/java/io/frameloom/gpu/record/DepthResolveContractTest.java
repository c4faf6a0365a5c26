package io.frameloom.gpu.record;

import static io.frameloom.gpu.record.CommandRig.bytes;
import static io.frameloom.gpu.record.CommandRig.transition;
import static io.frameloom.gpu.record.CommandRig.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.DepthAttachment;
import io.frameloom.gpu.command.RenderingInfo.StencilAttachment;
import io.frameloom.gpu.command.ResolveMode;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Depth and stencil of many samples become one at the end of a render pass, by modes that the device has. */
@Timeout(60)
class DepthResolveContractTest {
    private static final int SAMPLES = 4;

    /** Textures of depth and stencil. */
    private static final class Scene implements AutoCloseable {
        private final CommandRig rig;
        private final Format format;
        private final TextureDescription shape;
        private final Texture many;
        private final Texture one;

        Scene(Backend backend) {
            rig = new CommandRig(backend);
            format = rig.device.firstSupported(TextureUsage.DEPTH_ATTACHMENT, Format.DEPTH_STENCIL);
            boolean samples = rig.device.formatSupport(format).supportsSamples(SAMPLES);
            if (!samples) {
                rig.close();
            }
            assumeTrue(samples, format + " has no " + SAMPLES + " samples");
            shape = TextureDescription.of(4, 2, format, TextureUsage.DEPTH_ATTACHMENT, TextureUsage.COPY_SRC);
            many = rig.texture(
                    "many",
                    TextureDescription.of(4, 2, format, TextureUsage.DEPTH_ATTACHMENT)
                            .withSamples(SAMPLES));
            one = rig.texture("one", shape);
        }

        DeviceLimits.DepthResolve limits() {
            return rig.device.capabilities().limits().depthResolve();
        }

        DepthAttachment depth() {
            return new DepthAttachment(many.view(), LoadOp.CLEAR, StoreOp.DONT_CARE, 0.25f, false);
        }

        StencilAttachment stencil() {
            return new StencilAttachment(many.view(), LoadOp.CLEAR, StoreOp.DONT_CARE, 7, false);
        }

        void refused(@Nullable DepthAttachment depth, @Nullable StencilAttachment stencil, String... words) {
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            assertThatThrownBy(
                            () -> list.beginRendering(new RenderingInfo(4, 2, List.of(), depth).withStencil(stencil)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("beginRendering in command list 'list'")
                    .hasMessageContainingAll(words);
            list.end();
            rig.frame.reset();
        }

        float depthOf(int word) {
            return format == Format.D32_SFLOAT_S8_UINT
                    ? Float.intBitsToFloat(word)
                    : (word & 0xFFFFFF) / (float) 0xFFFFFF;
        }

        @Override
        public void close() {
            rig.close();
        }
    }

    /** All modes agree on samples that are equal, so each can be held against the values cleared to. */
    @ParameterizedTest
    @EnumSource(Backend.class)
    void equalSamplesAreResolvedToThemselvesByEveryMode(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            assertThat(scene.limits().depthModes()).contains(ResolveMode.SAMPLE_ZERO);
            assertThat(scene.limits().stencilModes()).doesNotContain(ResolveMode.AVERAGE);
            for (ResolveMode mode : ResolveMode.values()) {
                boolean both = scene.limits().stencilModes().contains(mode);
                if (scene.limits().depthModes().contains(mode)
                        && (both || scene.limits().independentNone())) {
                    resolve(scene, mode, both);
                }
            }
        }
    }

    private static void resolve(Scene scene, ResolveMode mode, boolean both) {
        CommandRig rig = scene.rig;
        Buffer depth = rig.readback(32);
        Buffer stencil = rig.readback(8);
        RenderingInfo info = new RenderingInfo(4, 2, List.of(), scene.depth().resolvedTo(scene.one.view(), mode))
                .withStencil(both ? scene.stencil().resolvedTo(scene.one.view(), mode) : scene.stencil());
        rig.execute(list -> {
            transition(list, scene.many, TextureLayout.UNDEFINED, TextureLayout.DEPTH);
            transition(list, scene.one, TextureLayout.UNDEFINED, TextureLayout.DEPTH);
            list.beginRendering(info);
            list.clearDepthStencilAttachment(true, 0.75f, true, 200, 1, 0, 2, 1);
            list.endRendering();
            transition(list, scene.one, TextureLayout.DEPTH, TextureLayout.TRANSFER_SRC);
            list.copyTextureToBuffer(scene.one, 0, 0, depth, 0);
            list.copyTextureToBuffer(
                    scene.one, TextureRegion.mip(scene.shape, 0).withPlane(1), stencil, TexelLayout.tight(0));
        });
        int[] depths = words(depth);
        for (int i = 0; i < depths.length; i++) {
            assertThat(scene.depthOf(depths[i]))
                    .as(mode + " of texel " + i)
                    .isCloseTo(i == 1 || i == 2 ? 0.75f : 0.25f, org.assertj.core.data.Offset.offset(1e-6f));
        }
        if (both) {
            assertThat(bytes(stencil)).as(mode.name()).containsExactly(7, (byte) 200, (byte) 200, 7, 7, 7, 7, 7);
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void whatCannotBeResolvedIsRefusedByName(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            CommandRig rig = scene.rig;
            ResolveMode zero = ResolveMode.SAMPLE_ZERO;
            Texture other = rig.texture("other", scene.shape);
            Texture small =
                    rig.texture("small", TextureDescription.of(2, 2, scene.format, TextureUsage.DEPTH_ATTACHMENT));
            Texture plain =
                    rig.texture("plain", TextureDescription.of(4, 2, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED));
            Texture shallow = rig.texture(
                    "shallow", TextureDescription.of(4, 2, Format.D16_UNORM, TextureUsage.DEPTH_ATTACHMENT));
            DepthAttachment single = new DepthAttachment(other.view(), LoadOp.CLEAR, StoreOp.STORE, 1, false);
            scene.refused(single.resolvedTo(scene.one.view(), zero), null, "'other'", "nothing to resolve to 'one'");
            scene.refused(scene.depth().resolvedTo(plain.view(), zero), null, "'plain'", "DEPTH_ATTACHMENT");
            scene.refused(scene.depth().resolvedTo(small.view(), zero), null, "'small'", "2x2");
            scene.refused(
                    scene.depth().resolvedTo(scene.many.view(), zero), null, "'many' has 4 samples", "resolve targets");
            scene.refused(
                    scene.depth().resolvedTo(shallow.view(), zero), null, "'shallow' of D16_UNORM", "the same format");
            scene.refused(
                    scene.depth()
                            .resolvedTo(scene.one.view(SubresourceRange.mip(0).plane(1)), zero),
                    null,
                    "'one'",
                    "has no depth");
            scene.refused(
                    null,
                    scene.stencil().resolvedTo(scene.one.view(SubresourceRange.mip(0)), zero),
                    "'one'",
                    "has no stencil");
            scene.refused(
                    null,
                    scene.stencil().resolvedTo(scene.one.view(), ResolveMode.AVERAGE),
                    "cannot resolve stencil by AVERAGE",
                    "SAMPLE_ZERO");
            scene.refused(
                    scene.depth().resolvedTo(scene.one.view(), zero),
                    scene.stencil().resolvedTo(other.view(), zero),
                    "depth to 'one' and stencil to 'other'");
        }
    }

    /** What one device can and another cannot: modes of depth and stencil that differ. */
    @ParameterizedTest
    @EnumSource(Backend.class)
    void modesDifferOnlyWhereTheDeviceSaysSo(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            DepthAttachment depth = scene.depth().resolvedTo(scene.one.view(), ResolveMode.SAMPLE_ZERO);
            if (scene.limits().independentNone()) {
                resolve(scene, ResolveMode.SAMPLE_ZERO, false);
            } else {
                scene.refused(depth, scene.stencil(), "depth by SAMPLE_ZERO and stencil by nothing");
            }
            if (!scene.limits().independent() && scene.limits().stencilModes().contains(ResolveMode.MAX)) {
                scene.refused(
                        depth,
                        scene.stencil().resolvedTo(scene.one.view(), ResolveMode.MAX),
                        "depth by SAMPLE_ZERO and stencil by MAX");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void closedAndForeignTargetsAreRefused(Backend backend) {
        try (Scene scene = new Scene(backend);
                CommandRig other = new CommandRig(Backend.VIRTUAL)) {
            Texture foreign = other.texture("foreign", scene.shape);
            Texture gone = scene.rig.texture("gone", scene.shape);
            DepthAttachment toForeign = scene.depth().resolvedTo(foreign.view(), ResolveMode.SAMPLE_ZERO);
            DepthAttachment toGone = scene.depth().resolvedTo(gone.view(), ResolveMode.SAMPLE_ZERO);
            gone.close();
            CommandList list = scene.rig.frame.beginCommands(scene.rig.queue(), "list");
            assertThatThrownBy(() -> list.beginRendering(new RenderingInfo(4, 2, List.of(), toForeign)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'foreign'")
                    .hasMessageContaining("another device");
            assertThatThrownBy(() -> list.beginRendering(new RenderingInfo(4, 2, List.of(), toGone)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'gone'")
                    .hasMessageContaining("closed");
            list.end();
            scene.rig.frame.reset();
        }
    }
}
