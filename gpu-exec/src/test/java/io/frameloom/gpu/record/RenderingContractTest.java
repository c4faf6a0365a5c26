package io.frameloom.gpu.record;

import static io.frameloom.gpu.record.CommandRig.bytes;
import static io.frameloom.gpu.record.CommandRig.full;
import static io.frameloom.gpu.record.CommandRig.transition;
import static io.frameloom.gpu.record.CommandRig.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.command.RenderingInfo.DepthAttachment;
import io.frameloom.gpu.command.RenderingInfo.StencilAttachment;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureUsage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What attachments, clears inside of render passes, resolves, indirect dispatches and secondary lists do, everywhere. */
@Timeout(60)
class RenderingContractTest {
    private static final int RED = 0xff0000ff;
    private static final int GREEN = 0xff00ff00;

    private static final String ADD = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) buffer Target { int target[]; } targets[2];
            layout(push_constant) uniform Push { int amount; };
            void main() {
                uint i = gl_WorkGroupID.x;
                targets[0].target[i] += amount;
                targets[1].target[i] -= amount;
            }
            """;

    private static ComputePipeline add(CommandRig rig) {
        return rig.compute("add", ADD, invocation -> {
            int amount = invocation.pushConstants().getInt(0);
            ByteBuffer up = invocation.bytes("Target", 0);
            ByteBuffer down = invocation.bytes("Target", 1);
            for (int i = 0; i < invocation.groupsX(); i++) {
                up.putInt(4 * i, up.getInt(4 * i) + amount);
                down.putInt(4 * i, down.getInt(4 * i) - amount);
            }
        });
    }

    private static void bindAdd(CommandList list, ComputePipeline add, Buffer target, int amount) {
        list.bindPipeline(add);
        list.bindBuffer("Target", 0, target, 0, 16);
        list.bindBuffer("Target", 1, target, 256, 16);
        list.pushConstants(ByteBuffer.allocate(4)
                .order(ByteOrder.nativeOrder())
                .putInt(amount)
                .flip());
    }

    private static Texture color(CommandRig rig, int samples) {
        return rig.texture(
                "color of " + samples,
                TextureDescription.of(
                                4,
                                4,
                                Format.R8G8B8A8_UNORM,
                                TextureUsage.COLOR_ATTACHMENT,
                                TextureUsage.COPY_SRC,
                                TextureUsage.COPY_DST)
                        .withSamples(samples));
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void samplesAreResolvedByTheRenderPassAndByACommand(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture many = color(rig, 4);
            Texture one = color(rig, 1);
            Texture other = color(rig, 1);
            Buffer attached = rig.readback(64);
            Buffer resolved = rig.readback(64);
            RenderingInfo info = new RenderingInfo(
                    4,
                    4,
                    List.of(new ColorAttachment(
                            many.view(), LoadOp.CLEAR, StoreOp.STORE, new ClearColor(1, 0, 0, 1), one.view())),
                    null);
            TextureRegion all = TextureRegion.mip(one.description(), 0);
            rig.execute(list -> {
                transition(list, many, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                transition(list, one, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                transition(list, other, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST);
                list.beginRendering(info);
                list.clearColorAttachment(0, new ClearColor(0, 1, 0, 1), 1, 2, 2, 1);
                list.endRendering();
                transition(list, many, TextureLayout.COLOR, TextureLayout.TRANSFER_SRC);
                transition(list, one, TextureLayout.COLOR, TextureLayout.TRANSFER_SRC);
                list.resolveTexture(many, all.withRectangle(1, 1, 2, 2), other, all.withRectangle(0, 0, 2, 2));
                transition(list, other, TextureLayout.TRANSFER_DST, TextureLayout.TRANSFER_SRC);
                list.copyTextureToBuffer(one, 0, 0, attached, 0);
                list.copyTextureToBuffer(other, all.withRectangle(0, 0, 2, 2), resolved, TexelLayout.tight(0));
            });
            int[] expected = new int[16];
            java.util.Arrays.fill(expected, RED);
            expected[9] = GREEN;
            expected[10] = GREEN;
            assertThat(words(attached)).isEqualTo(expected);
            assertThat(java.util.Arrays.copyOf(words(resolved), 4)).containsExactly(RED, RED, GREEN, GREEN);
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void depthAndStencilAreClearedWhenLoadedAndInRectangles(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Format format = rig.device.firstSupported(TextureUsage.DEPTH_ATTACHMENT, Format.DEPTH_STENCIL);
            TextureDescription shape =
                    TextureDescription.of(4, 2, format, TextureUsage.DEPTH_ATTACHMENT, TextureUsage.COPY_SRC);
            Texture texture = rig.texture("depth", shape);
            Buffer depth = rig.readback(32);
            Buffer stencil = rig.readback(8);
            RenderingInfo info = new RenderingInfo(
                            4, 2, List.of(), new DepthAttachment(texture.view(), LoadOp.CLEAR, StoreOp.STORE, 1, false))
                    .withStencil(new StencilAttachment(texture.view(), LoadOp.CLEAR, StoreOp.STORE, 3, false));
            rig.execute(list -> {
                transition(list, texture, TextureLayout.UNDEFINED, TextureLayout.DEPTH);
                list.beginRendering(info);
                list.clearDepthStencilAttachment(false, 0, true, 200, 0, 0, 2, 1);
                list.clearDepthStencilAttachment(true, 0, false, 0, 3, 0, 1, 2);
                list.endRendering();
                transition(list, texture, TextureLayout.DEPTH, TextureLayout.TRANSFER_SRC);
                list.copyTextureToBuffer(texture, 0, 0, depth, 0);
                list.copyTextureToBuffer(
                        texture, TextureRegion.mip(shape, 0).withPlane(1), stencil, TexelLayout.tight(0));
            });
            assertThat(bytes(stencil)).containsExactly((byte) 200, (byte) 200, 3, 3, 3, 3, 3, 3);
            int far = format == Format.D32_SFLOAT_S8_UINT ? Float.floatToIntBits(1) : 0xFFFFFF;
            int mask = format == Format.D32_SFLOAT_S8_UINT ? -1 : 0xFFFFFF;
            int[] words = words(depth);
            for (int i = 0; i < words.length; i++) {
                assertThat(words[i] & mask).as("texel " + i).isEqualTo(i % 4 == 3 ? 0 : far);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void dispatchesTakeTheirSizeFromABufferAndFillArrays(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Buffer target = rig.buffer("target", 512, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);
            Buffer arguments = rig.buffer("arguments", 16, BufferUsage.INDIRECT, BufferUsage.COPY_DST);
            Buffer size = rig.upload(new int[] {3, 1, 1});
            Buffer result = rig.readback(512);
            ComputePipeline add = add(rig);
            rig.execute(list -> {
                list.fillBuffer(target, 0, 512, 0);
                list.copyBuffer(size, 0, arguments, 4, 12);
                full(list);
                bindAdd(list, add, target, 5);
                list.dispatchIndirect(arguments, 4);
                full(list);
                list.copyBuffer(target, 0, result, 0, 512);
            });
            int[] words = words(result);
            assertThat(java.util.Arrays.copyOf(words, 4)).containsExactly(5, 5, 5, 0);
            assertThat(java.util.Arrays.copyOfRange(words, 64, 68)).containsExactly(-5, -5, -5, 0);
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void secondaryListsAreExecutedInTheOrderOfTheirExecution(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Buffer target = rig.buffer("target", 512, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);
            Buffer result = rig.readback(512);
            ComputePipeline add = add(rig);
            CommandList adds = rig.frame.beginSecondary(rig.queue(), "adds", null, List.of());
            bindAdd(adds, add, target, 2);
            adds.dispatch(4, 1, 1);
            full(adds);
            adds.end();
            CommandList fills = rig.frame.beginSecondary(rig.queue(), "fills", null, List.of());
            fills.fillBuffer(target, 0, 512, 10);
            full(fills);
            fills.end();
            rig.execute(list -> {
                list.execute(List.of(fills, adds));
                list.copyBuffer(target, 0, result, 0, 512);
            });
            assertThat(java.util.Arrays.copyOf(words(result), 4)).containsOnly(12);
            assertThat(java.util.Arrays.copyOfRange(words(result), 64, 68)).containsOnly(8);
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void secondaryListsClearAttachmentsOfTheRenderPassThatExecutesThem(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture color = color(rig, 1);
            Buffer pixels = rig.readback(64);
            RenderingInfo info = new RenderingInfo(
                    4,
                    4,
                    List.of(new ColorAttachment(color.view(), LoadOp.CLEAR, StoreOp.STORE, new ClearColor(1, 0, 0, 1))),
                    null);
            CommandList first = rig.frame.beginSecondary(rig.queue(), "first", info.formats(), List.of());
            first.clearColorAttachment(0, new ClearColor(0, 0, 0, 0), 0, 0, 4, 2);
            first.end();
            CommandList second = rig.frame.beginSecondary(rig.queue(), "second", info.formats(), List.of());
            second.clearColorAttachment(0, new ClearColor(0, 1, 0, 1), 0, 1, 4, 1);
            second.end();
            rig.execute(list -> {
                transition(list, color, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                list.beginRendering(info.withSecondaries());
                list.execute(List.of(first, second));
                list.endRendering();
                transition(list, color, TextureLayout.COLOR, TextureLayout.TRANSFER_SRC);
                list.copyTextureToBuffer(color, 0, 0, pixels, 0);
            });
            int[] expected = {0, 0, 0, 0, GREEN, GREEN, GREEN, GREEN, RED, RED, RED, RED, RED, RED, RED, RED};
            assertThat(words(pixels)).isEqualTo(expected);
        }
    }
}
