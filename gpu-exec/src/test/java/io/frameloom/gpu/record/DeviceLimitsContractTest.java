package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.RenderingFormats;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.MultisampleState;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What exceeds a limit of the device is refused with name, value and limit, and what reaches it is taken. */
@Timeout(60)
class DeviceLimitsContractTest {
    private static final Format COLOR = Format.R8G8B8A8_UNORM;

    @ParameterizedTest
    @EnumSource(Backend.class)
    void levelsOfDetailAreBiasedAsFarAsTheDeviceCan(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            float most = rig.device.capabilities().limits().samplers().maxLodBias();
            assertThat(most).isGreaterThanOrEqualTo(2);
            for (float bias : new float[] {most, -most}) {
                assertThat(rig.device
                                .sampler(SamplerDescription.LINEAR_CLAMP.withLod(0, 4, bias))
                                .description()
                                .lodBias())
                        .isEqualTo(bias);
            }
            for (float bias : new float[] {Math.nextUp(most), -1000}) {
                assertThatThrownBy(() -> rig.device.sampler(SamplerDescription.LINEAR_CLAMP.withLod(0, 4, bias)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("lodBias " + bias)
                        .hasMessageContaining("the device allows -" + most + " to " + most + " (maxLodBias)");
            }
        }
    }

    /** As {@link SamplerDescription} says: what a device has less of is cut down, not refused. */
    @ParameterizedTest
    @EnumSource(Backend.class)
    void moreAnisotropyThanThereIsIsTaken(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            int most = rig.device.capabilities().maxAnisotropy();
            assertThat(rig.device
                            .sampler(SamplerDescription.LINEAR_CLAMP.withAnisotropy(2 * most))
                            .description()
                            .anisotropy())
                    .isEqualTo(2 * most);
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void viewportsAreWithinTheBoundsOfTheDevice(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            DeviceLimits.Rendering limits = rig.device.capabilities().limits().rendering();
            float width = limits.maxViewportWidth();
            float height = limits.maxViewportHeight();
            float low = limits.minViewportBound();
            float high = limits.maxViewportBound();
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            list.setViewport(0, 0, width, height);
            list.setViewport(low, low, 16, 16);
            list.setViewport(high - 16, high - 16, 16, 16);
            list.setViewport(high - 16, high, 16, -16);
            list.setViewport(0, low + 16, 16, -16);
            viewportRefused(
                    list,
                    new float[] {0, 0, width + 1, 1},
                    (width + 1) + "x1.0",
                    width + "x" + height + " (maxViewportWidth, maxViewportHeight)");
            viewportRefused(
                    list,
                    new float[] {0, 0, 1, 2 * height},
                    "1.0x" + 2 * height,
                    "maxViewportWidth, maxViewportHeight");
            String bounds = low + " to " + high + " (minViewportBound, maxViewportBound)";
            viewportRefused(list, new float[] {low - 1, 0, 16, 16}, (low - 1) + ",0.0", bounds);
            viewportRefused(list, new float[] {0, 2 * low, 16, 16}, "0.0," + 2 * low, bounds);
            viewportRefused(list, new float[] {high - 8, 0, 16, 16}, (high - 8) + ",0.0", bounds);
            viewportRefused(list, new float[] {0, high, 16, 16}, "0.0," + high, bounds);
            viewportRefused(list, new float[] {0, low + 8, 16, -16}, "0.0," + (low + 8), bounds);
            viewportRefused(list, new float[] {0, high + 8, 16, -16}, "0.0," + (high + 8), bounds);
            viewportRefused(list, new float[] {0, 0, 1, -2 * height}, "1.0x" + -2 * height, "maxViewportHeight");
            list.end();
            rig.frame.reset();
        }
    }

    private static void viewportRefused(CommandList list, float[] viewport, String... words) {
        assertThatThrownBy(() -> list.setViewport(viewport[0], viewport[1], viewport[2], viewport[3]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("setViewport in command list 'list'")
                .hasMessageContainingAll(words);
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void renderPassesAreAsLargeAsTheDeviceAllows(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            DeviceLimits.Rendering limits = rig.device.capabilities().limits().rendering();
            int width = limits.maxWidth();
            int height = limits.maxHeight();
            int layers = limits.maxLayers();
            assertThat(Math.min(width, height)).isGreaterThanOrEqualTo(4096);
            assertThat(layers).isGreaterThanOrEqualTo(256);
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            list.beginRendering(new RenderingInfo(width, height, List.of(), null).withLayers(layers));
            list.endRendering();
            passRefused(
                    list,
                    new RenderingInfo(width + 1, 1, List.of(), null),
                    "1x1 to " + width + "x" + height + " (maxWidth, maxHeight), got " + (width + 1) + "x1");
            passRefused(
                    list,
                    new RenderingInfo(1, height + 1, List.of(), null),
                    "(maxWidth, maxHeight), got 1x" + (height + 1));
            passRefused(
                    list,
                    new RenderingInfo(1, 1, List.of(), null).withLayers(layers + 1),
                    "1 to " + layers + " layers, got " + (layers + 1) + " (maxLayers)");
            list.end();
            rig.frame.reset();
        }
    }

    private static void passRefused(CommandList list, RenderingInfo info, String words) {
        assertThatThrownBy(() -> list.beginRendering(info))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("beginRendering in command list 'list'")
                .hasMessageContaining(words);
    }

    private static void secondaryRefused(CommandRig rig, RenderingFormats formats, String... words) {
        assertThatThrownBy(() -> rig.frame.beginSecondary(rig.queue(), "part", formats, List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("beginSecondary in command list 'part'")
                .hasMessageContainingAll(words);
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void secondaryListsAreForRenderPassesThatThereCanBe(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Format depth = rig.device.firstSupported(TextureUsage.DEPTH_ATTACHMENT, Format.DEPTH_STENCIL);
            int colors = rig.device.capabilities().limits().drawing().maxColorAttachments();
            int layers = rig.device.capabilities().limits().rendering().maxLayers();
            secondaryRefused(
                    rig, new RenderingFormats(List.of(depth), null, null, 1), depth.name(), "colour attachment 0");
            secondaryRefused(
                    rig,
                    new RenderingFormats(List.of(COLOR, Format.BC1_RGB_UNORM), null, null, 1),
                    "BC1_RGB_UNORM",
                    "colour attachment 1");
            secondaryRefused(rig, new RenderingFormats(List.of(), COLOR, null, 1), "depth attachment", COLOR.name());
            secondaryRefused(
                    rig,
                    new RenderingFormats(List.of(), null, Format.D32_SFLOAT, 1),
                    "stencil attachment",
                    "D32_SFLOAT");
            secondaryRefused(
                    rig, new RenderingFormats(List.of(), Format.D32_SFLOAT, depth, 1), "D32_SFLOAT", depth.name());
            secondaryRefused(rig, new RenderingFormats(List.of(COLOR), null, null, 3), "3 samples");
            secondaryRefused(rig, new RenderingFormats(List.of(COLOR), null, null, 0), "0 samples");
            secondaryRefused(rig, new RenderingFormats(List.of(COLOR), null, null, 64), "64 samples", COLOR.name());
            secondaryRefused(rig, new RenderingFormats(List.of(), null, null, 4), "4 samples", "no attachments");
            secondaryRefused(
                    rig,
                    new RenderingFormats(Collections.nCopies(colors + 1, COLOR), null, null, 1),
                    (colors + 1) + " colour attachments, the device allows " + colors);
            secondaryRefused(
                    rig,
                    new RenderingFormats(List.of(COLOR), null, null, 1, layers + 1, false),
                    "1 to " + layers + " layers, got " + (layers + 1) + " (maxLayers)");
            rig.frame
                    .beginSecondary(
                            rig.queue(), "good", new RenderingFormats(List.of(COLOR), depth, depth, 4), List.of())
                    .end();
            rig.frame
                    .beginSecondary(rig.queue(), "empty", new RenderingFormats(List.of(), null, null, 1), List.of())
                    .end();
            rig.frame.reset();
        }
    }

    /** A list object that is handed out again is refused the same things, and is good for the next. */
    @ParameterizedTest
    @EnumSource(Backend.class)
    void recycledSecondaryListsAreHeldAgainstTheSame(Backend backend) {
        try (CommandRig rig = new CommandRig(backend, false)) {
            RenderingFormats good = new RenderingFormats(List.of(COLOR), null, null, 1);
            for (int round = 0; round < 4; round++) {
                rig.frame.beginSecondary(rig.queue(), "good", good, List.of()).end();
                secondaryRefused(rig, new RenderingFormats(List.of(COLOR), null, null, 3), "3 samples");
                rig.frame.beginSecondary(rig.queue(), "good", good, List.of()).end();
                rig.frame.reset();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void texturesOfAttachmentsAreAsLargeAsRenderPasses(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            DeviceLimits.Rendering limits = rig.device.capabilities().limits().rendering();
            TextureDescription wide =
                    TextureDescription.of(limits.maxWidth() + 1, 1, COLOR, TextureUsage.COLOR_ATTACHMENT);
            assertThatThrownBy(() -> rig.device.createTexture("wide", wide))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'wide'")
                    .hasMessageContaining("too large");
            assertThatThrownBy(() -> rig.device.requirements(wide)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** A render pass without attachments has one sample. */
    @ParameterizedTest
    @EnumSource(Backend.class)
    void pipelinesWithoutAttachmentsHaveOneSample(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            GraphicsPipelineDescription nothing = new GraphicsPipelineDescription(
                    "nothing",
                    new ShaderSource("nothing.vert", ShaderStage.VERTEX, """
                            #version 450
                            void main() { gl_Position = vec4(0); }
                            """),
                    null,
                    List.of(),
                    GraphicsPipelineDescription.CullMode.NONE,
                    null,
                    GraphicsPipelineDescription.Blend.NONE,
                    List.of(),
                    null);
            rig.own(rig.device.createGraphicsPipeline(nothing));
            assertThatThrownBy(() ->
                            rig.own(rig.device.createGraphicsPipeline(nothing.withMultisample(MultisampleState.of(4)))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("graphics pipeline 'nothing' has 4 samples")
                    .hasMessageContaining("no attachments");
        }
    }
}
