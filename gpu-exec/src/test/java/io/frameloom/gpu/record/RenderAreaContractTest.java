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
import io.frameloom.gpu.command.RenderingInfo.DepthAttachment;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.resource.TextureView;
import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Render areas that are not the whole of their attachments, or do not begin in the corner. */
@Timeout(60)
class RenderAreaContractTest {
    private static final int EXTENT = 6;
    private static final int LEFT = 2;
    private static final int TOP = 1;
    private static final int WIDTH = 3;
    private static final int HEIGHT = 4;
    private static final int RED = 0xff0000ff;
    private static final int GREEN = 0xff00ff00;
    private static final ClearColor CLEAR_RED = new ClearColor(1, 0, 0, 1);
    private static final ClearColor CLEAR_GREEN = new ClearColor(0, 1, 0, 1);

    private static boolean isInside(int texel) {
        int x = texel % EXTENT;
        int y = texel / EXTENT;
        return LEFT <= x && x < LEFT + WIDTH && TOP <= y && y < TOP + HEIGHT;
    }

    private static Texture color(CommandRig rig, int samples) {
        return rig.texture(
                "color of " + samples,
                TextureDescription.of(
                                EXTENT,
                                EXTENT,
                                Format.R8G8B8A8_UNORM,
                                TextureUsage.COLOR_ATTACHMENT,
                                TextureUsage.COPY_SRC)
                        .withSamples(samples));
    }

    private static RenderingInfo whole(TextureView view, LoadOp load, ClearColor clear, @Nullable TextureView resolve) {
        return new RenderingInfo(
                EXTENT, EXTENT, List.of(new ColorAttachment(view, load, StoreOp.STORE, clear, resolve)), null);
    }

    private static RenderingInfo part(RenderingInfo whole) {
        return whole.withRenderArea(LEFT, TOP, WIDTH, HEIGHT);
    }

    private static void clear(CommandList list, RenderingInfo info) {
        list.beginRendering(info);
        list.endRendering();
        CommandRig.full(list);
    }

    private static int[] read(CommandRig rig, Texture texture, Consumer<CommandList> recorder) {
        Buffer pixels = rig.readback(4L * EXTENT * EXTENT);
        TextureLayout layout = texture.description().format().isDepth() ? TextureLayout.DEPTH : TextureLayout.COLOR;
        rig.execute(list -> {
            transition(list, texture, TextureLayout.UNDEFINED, layout);
            recorder.accept(list);
            transition(list, texture, layout, TextureLayout.TRANSFER_SRC);
            list.copyTextureToBuffer(texture, 0, 0, pixels, 0);
        });
        return words(pixels);
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

    private static void refused(ThrowingCallable call, String... words) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessageContainingAll(words);
    }

    @ParameterizedTest
    @EnumSource
    void coloursAreClearedWhenLoadedInTheAreaAlone(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture color = color(rig, 1);
            int[] pixels = read(rig, color, list -> {
                clear(list, whole(color.view(), LoadOp.CLEAR, CLEAR_RED, null));
                clear(list, part(whole(color.view(), LoadOp.CLEAR, CLEAR_GREEN, null)));
            });
            for (int i = 0; i < pixels.length; i++) {
                assertThat(pixels[i]).as("texel %d", i).isEqualTo(isInside(i) ? GREEN : RED);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void depthIsClearedWhenLoadedInTheAreaAlone(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture depth = rig.texture(
                    "depth",
                    TextureDescription.of(
                            EXTENT, EXTENT, Format.D32_SFLOAT, TextureUsage.DEPTH_ATTACHMENT, TextureUsage.COPY_SRC));
            RenderingInfo far = new RenderingInfo(
                    EXTENT,
                    EXTENT,
                    List.of(),
                    new DepthAttachment(depth.view(), LoadOp.CLEAR, StoreOp.STORE, 1, false));
            RenderingInfo near = new RenderingInfo(
                    EXTENT,
                    EXTENT,
                    List.of(),
                    new DepthAttachment(depth.view(), LoadOp.CLEAR, StoreOp.STORE, 0.25f, false));
            int[] texels = read(rig, depth, list -> {
                clear(list, far);
                clear(list, part(near));
            });
            for (int i = 0; i < texels.length; i++) {
                assertThat(Float.intBitsToFloat(texels[i])).as("texel %d", i).isEqualTo(isInside(i) ? 0.25f : 1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void samplesAreResolvedInTheAreaAlone(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture many = color(rig, 4);
            Texture one = color(rig, 1);
            int[] pixels = read(rig, one, list -> {
                transition(list, many, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                clear(list, whole(one.view(), LoadOp.CLEAR, CLEAR_RED, null));
                clear(list, whole(many.view(), LoadOp.CLEAR, CLEAR_GREEN, null));
                clear(list, part(whole(many.view(), LoadOp.LOAD, CLEAR_GREEN, one.view())));
            });
            for (int i = 0; i < pixels.length; i++) {
                assertThat(pixels[i]).as("texel %d", i).isEqualTo(isInside(i) ? GREEN : RED);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void drawsLeaveWhatIsOutsideOfTheArea(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture color = color(rig, 1);
            GraphicsPipeline green = green(rig);
            ResourceUse drawn = new ResourceUse.OfTexture(
                    color,
                    SubresourceRange.all(color.description()),
                    Access.COLOR_READ_WRITE,
                    false,
                    TextureLayout.COLOR);
            int[] pixels = read(rig, color, list -> {
                clear(list, whole(color.view(), LoadOp.CLEAR, CLEAR_RED, null));
                list.beginPass("draw", List.of(drawn));
                list.beginRendering(part(whole(color.view(), LoadOp.LOAD, CLEAR_RED, null)));
                list.bindPipeline(green);
                list.draw(3, 1, 0, 0);
                list.endRendering();
                list.endPass();
            });
            for (int i = 0; i < pixels.length; i++) {
                if (!isInside(i)) {
                    assertThat(pixels[i]).as("texel %d", i).isEqualTo(RED);
                } else if (backend == Backend.VULKAN) {
                    assertThat(pixels[i]).as("texel %d", i).isEqualTo(GREEN);
                } else {
                    assertThat(pixels[i]).as("texel %d", i).isNotEqualTo(RED);
                }
            }
        }
    }

    @Test
    void aClearOfPartOfAnAttachmentDoesNotDefineTheRest() {
        try (CommandRig rig = new CommandRig(Backend.VIRTUAL)) {
            Texture color = color(rig, 1);
            ResourceUse cleared = new ResourceUse.OfTexture(
                    color, SubresourceRange.all(color.description()), Access.COLOR_WRITE, true, TextureLayout.COLOR);
            int[] pixels = read(rig, color, list -> {
                clear(list, whole(color.view(), LoadOp.CLEAR, CLEAR_RED, null));
                list.beginPass("clear", List.of(cleared));
                list.beginRendering(part(whole(color.view(), LoadOp.CLEAR, CLEAR_GREEN, null)));
                list.endRendering();
                list.endPass();
            });
            for (int i = 0; i < pixels.length; i++) {
                if (isInside(i)) {
                    assertThat(pixels[i]).as("texel %d", i).isEqualTo(GREEN);
                } else {
                    assertThat(pixels[i]).as("texel %d", i).isNotEqualTo(RED);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void clearsOfAttachmentsAreWithinTheArea(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture color = color(rig, 1);
            RenderingInfo info = part(whole(color.view(), LoadOp.CLEAR, CLEAR_RED, null));
            int[] pixels = read(rig, color, list -> {
                clear(list, whole(color.view(), LoadOp.CLEAR, CLEAR_RED, null));
                list.beginRendering(info);
                refused(
                        () -> list.clearColorAttachment(0, CLEAR_GREEN, LEFT - 1, TOP, 2, 2),
                        "clearColorAttachment",
                        "2x2 at 1,1",
                        "render area of 3x4 at 2,1");
                refused(
                        () -> list.clearColorAttachment(0, CLEAR_GREEN, LEFT, TOP - 1, 2, 2),
                        "2x2 at 2,0",
                        "render area of 3x4 at 2,1");
                refused(() -> list.clearColorAttachment(0, CLEAR_GREEN, LEFT, TOP, WIDTH + 1, 1), "4x1 at 2,1");
                refused(() -> list.clearColorAttachment(0, CLEAR_GREEN, LEFT, TOP, 1, HEIGHT + 1), "1x5 at 2,1");
                list.clearColorAttachment(0, CLEAR_GREEN, LEFT, TOP, WIDTH, HEIGHT);
                list.endRendering();
            });
            for (int i = 0; i < pixels.length; i++) {
                assertThat(pixels[i]).as("texel %d", i).isEqualTo(isInside(i) ? GREEN : RED);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void secondaryListsClearWithinTheArea(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture color = color(rig, 1);
            RenderingInfo info =
                    part(whole(color.view(), LoadOp.LOAD, CLEAR_RED, null)).withSecondaries();
            CommandList fits = clearing(rig, info, "fits", LEFT, TOP, WIDTH, HEIGHT);
            CommandList left = clearing(rig, info, "left", LEFT - 1, TOP, 1, 1);
            CommandList above = clearing(rig, info, "above", LEFT, TOP - 1, 1, 1);
            int[] pixels = read(rig, color, list -> {
                clear(list, whole(color.view(), LoadOp.CLEAR, CLEAR_RED, null));
                list.beginRendering(info);
                refused(() -> list.execute(List.of(left)), "'left'", "from 1,1", "render area of 3x4 at 2,1");
                refused(() -> list.execute(List.of(above)), "'above'", "from 2,0", "render area of 3x4 at 2,1");
                list.execute(List.of(fits));
                list.endRendering();
            });
            for (int i = 0; i < pixels.length; i++) {
                assertThat(pixels[i]).as("texel %d", i).isEqualTo(isInside(i) ? GREEN : RED);
            }
        }
    }

    private static CommandList clearing(
            CommandRig rig, RenderingInfo info, String name, int x, int y, int width, int height) {
        CommandList list = rig.frame.beginSecondary(rig.queue(), name, info.formats(), List.of());
        list.clearColorAttachment(0, CLEAR_GREEN, x, y, width, height);
        list.end();
        return list;
    }

    @ParameterizedTest
    @EnumSource
    void areasAreWithinTheirAttachments(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture color = color(rig, 1);
            RenderingInfo info = whole(color.view(), LoadOp.CLEAR, CLEAR_RED, null);
            int most = rig.device.capabilities().limits().rendering().maxWidth();
            rig.execute(list -> {
                transition(list, color, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                refused(() -> list.beginRendering(info.withRenderArea(-1, 0, 2, 2)), "maxWidth", "2x2 at -1,0");
                refused(() -> list.beginRendering(info.withRenderArea(0, -1, 2, 2)), "maxWidth", "2x2 at 0,-1");
                refused(
                        () -> list.beginRendering(info.withRenderArea(1, 0, EXTENT, 1)),
                        "6x1 at 1,0",
                        "attachment 'color of 1' of 6x6");
                refused(
                        () -> list.beginRendering(info.withRenderArea(0, 1, 1, EXTENT)),
                        "1x6 at 0,1",
                        "attachment 'color of 1' of 6x6");
                refused(
                        () -> list.beginRendering(
                                new RenderingInfo(1, 1, List.of(), null).withRenderArea(most, 0, 1, 1)),
                        "maxWidth",
                        "1x1 at " + most + ",0");
                refused(
                        () -> list.beginRendering(info.withRenderArea(Integer.MAX_VALUE, Integer.MAX_VALUE, 2, 2)),
                        "maxWidth");
                clear(list, info.withRenderArea(EXTENT - 1, EXTENT - 1, 1, 1));
            });
        }
    }
}
