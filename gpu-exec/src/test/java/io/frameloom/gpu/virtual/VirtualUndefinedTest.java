package io.frameloom.gpu.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What no device promises anything about. */
@Timeout(60)
class VirtualUndefinedTest {
    private static final int EXTENT = 4;
    private static final int RED = 0xFF0000FF;
    private static final int WORDS = EXTENT * EXTENT;

    private static void transition(CommandList list, Texture texture, TextureLayout from, TextureLayout to) {
        list.barrier(new BarrierBatch(
                List.of(new BarrierBatch.TextureBarrier(
                        texture,
                        SubresourceRange.all(texture.description()),
                        BarrierBatch.GlobalBarrier.FULL.scope(),
                        from,
                        to,
                        null)),
                List.of(),
                List.of()));
    }

    private static void clear(CommandList list, Texture texture, int width, ClearColor color, StoreOp store) {
        list.beginRendering(new RenderingInfo(
                width, EXTENT, List.of(new ColorAttachment(texture.view(), LoadOp.CLEAR, store, color)), null));
        list.endRendering();
    }

    /** Clears all to red, and then the left half to blue. */
    private static int[] cleared(StoreOp ofTheLeftHalf) {
        try (VirtualRig rig = new VirtualRig(new VirtualGpuOptions(1, 3), null)) {
            Texture texture = rig.keep(rig.device.createTexture(
                    "picture",
                    TextureDescription.of(
                            EXTENT,
                            EXTENT,
                            Format.R8G8B8A8_UNORM,
                            TextureUsage.COLOR_ATTACHMENT,
                            TextureUsage.COPY_SRC)));
            Buffer read = rig.readback("read", 4L * WORDS);
            SubresourceRange all = SubresourceRange.all(texture.description());
            TimelinePoint point = rig.submit(rig.queue(0), List.of(), list -> {
                transition(list, texture, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                list.beginPass(
                        "clear",
                        List.of(new ResourceUse.OfTexture(
                                texture, all, Access.COLOR_WRITE, true, TextureLayout.COLOR)));
                clear(list, texture, EXTENT, new ClearColor(1, 0, 0, 1), StoreOp.STORE);
                clear(list, texture, EXTENT / 2, new ClearColor(0, 0, 1, 1), ofTheLeftHalf);
                list.endPass();
                transition(list, texture, TextureLayout.COLOR, TextureLayout.TRANSFER_SRC);
                list.copyTextureToBuffer(texture, 0, 0, read, 0);
                list.barrier(VirtualRig.toHost());
            });
            rig.await(point);
            read.mapped().order(ByteOrder.LITTLE_ENDIAN);
            return rig.words(read);
        }
    }

    @ParameterizedTest
    @EnumSource(StoreOp.class)
    void whatARenderPassDoesNotStoreIsUndefinedInItsAreaAlone(StoreOp store) {
        int[] texels = cleared(store);
        for (int i = 0; i < WORDS; i++) {
            boolean left = i % EXTENT < EXTENT / 2;
            if (!left) {
                assertThat(texels[i]).as("texel %d", i).isEqualTo(RED);
            } else if (store == StoreOp.STORE) {
                assertThat(texels[i]).as("texel %d", i).isEqualTo(0xFFFF0000);
            } else {
                assertThat(texels[i]).as("texel %d", i).isNotEqualTo(0xFFFF0000);
            }
        }
    }

    private static final String TOUCH = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) buffer Data { int data[]; };
            void main() { data[0] = 1; }
            """;

    @Test
    void indirectArgumentsThatNobodyHasWrittenLoseTheDeviceByName() {
        try (VirtualRig rig = new VirtualRig(new VirtualGpuOptions(1, 3), null)) {
            ComputePipeline touch = rig.pipeline("touch", TOUCH, invocation -> {
                for (long group = 0; group < (long) invocation.groupsX() * invocation.groupsY(); group++) {
                    invocation.bytes("Data").putInt(0, 1);
                }
            });
            Buffer data = rig.buffer("data", 1);
            Buffer arguments = rig.keep(rig.device.createBuffer(
                    "arguments", BufferDescription.device(12, BufferUsage.INDIRECT, BufferUsage.COPY_DST)));
            TimelinePoint point = rig.submit(rig.queue(0), List.of(), list -> {
                list.beginPass(
                        "scatter",
                        List.of(
                                VirtualRig.use(arguments, Access.INDIRECT, false),
                                VirtualRig.use(data, Access.STORAGE_READ_WRITE_COMPUTE, false)));
                list.bindPipeline(touch);
                list.bindBuffer("Data", data, 0, 4);
                list.dispatchIndirect(arguments, 0);
                list.endPass();
            });
            assertThatThrownBy(() -> rig.await(point))
                    .isInstanceOf(DeviceLostException.class)
                    .hasMessageContaining("pass 'scatter' dispatches indirectly")
                    .hasMessageContaining("buffer 'arguments' at 0");
        }
    }
}
