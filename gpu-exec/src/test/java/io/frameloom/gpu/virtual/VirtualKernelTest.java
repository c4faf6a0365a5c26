package io.frameloom.gpu.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.ComputePipeline;
import io.frameloom.gpu.CpuKernel;
import io.frameloom.gpu.DeviceLostException;
import io.frameloom.gpu.Format;
import io.frameloom.gpu.RenderingInfo;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.TextureUsage;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the CPU form of a shader sees of what is bound. */
@Timeout(60)
class VirtualKernelTest {
    private static final int LAYERS = 4;

    private static final String PAINT = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0, rgba8) uniform writeonly image2DArray Image;
            void main() { imageStore(Image, ivec3(0, 0, gl_WorkGroupID.z), vec4(1)); }
            """;

    private static final String COPY = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) readonly buffer Source { int source[]; };
            layout(set = 0, binding = 1) buffer Target { int target[]; };
            void main() { target[0] = source[0]; }
            """;

    /** Clears an array of one texel a layer, lets a kernel paint it, and returns its texels. */
    private static int[] painted(VirtualRig rig, CpuKernel kernel) {
        ComputePipeline paint = rig.pipeline("paint", PAINT, kernel);
        TextureDescription shape = TextureDescription.of(
                        1, 1, Format.R8G8B8A8_UNORM, TextureUsage.COPY_SRC, TextureUsage.STORAGE, TextureUsage.COPY_DST)
                .withLayers(LAYERS);
        Texture image = rig.keep(rig.device.createTexture("image", shape));
        Buffer readback = rig.readback("readback", LAYERS * 4L);
        rig.await(rig.submit(rig.queue(0), List.of(), list -> {
            list.clearTexture(image, SubresourceRange.all(shape), new RenderingInfo.ClearColor(0, 0, 0, 0));
            list.barrier(VirtualRig.full());
            list.bindPipeline(paint);
            list.bindStorageTexture("Image", image.view());
            list.dispatch(1, 1, LAYERS);
            list.barrier(VirtualRig.full());
            for (int layer = 0; layer < LAYERS; layer++) {
                list.copyTextureToBuffer(image, 0, layer, readback, layer * 4L);
            }
        }));
        return rig.words(readback);
    }

    @Test
    void reachesEveryLayerOfAView() {
        try (VirtualRig rig = new VirtualRig(1, 1, null)) {
            int[] texels = painted(rig, invocation -> {
                for (int layer = 0; layer < invocation.groupsZ(); layer++) {
                    invocation.bytes("Image", 0, 0, layer).putInt(0, 10 + layer);
                }
            });
            assertThat(texels).containsExactly(10, 11, 12, 13);
        }
    }

    private static void refuses(CpuKernel kernel, String... words) {
        try (VirtualRig rig = new VirtualRig(1, 1, null)) {
            assertThatThrownBy(() -> painted(rig, kernel))
                    .isInstanceOf(DeviceLostException.class)
                    .message()
                    .contains(words);
        }
    }

    @Test
    void asksWhichLayerOfSeveralIsMeant() {
        refuses(
                invocation -> invocation.bytes("Image"),
                "view of 4 layers is bound to 'Image'",
                "bytes(name, index, mip, layer)");
    }

    @Test
    void hasNoSubresourcesOutsideOfTheView() {
        refuses(invocation -> invocation.bytes("Image", 0, 0, 4), "1 mips and 4 layers", "mip 0 of layer 4");
        refuses(invocation -> invocation.bytes("Image", 0, 1, 0), "1 mips and 4 layers", "mip 1 of layer 0");
        refuses(invocation -> invocation.bytes("Image", 1, 0, 0), "'Image' has 1 elements, asked for element 1");
    }

    @Test
    void cannotWriteWhatItsShaderOnlyReads() {
        try (VirtualRig rig = new VirtualRig(1, 1, null)) {
            boolean[] refused = new boolean[1];
            ComputePipeline copy = rig.pipeline("copy", COPY, invocation -> {
                ByteBuffer source = invocation.bytes("Source");
                invocation.bytes("Target").putInt(0, source.getInt(0));
                try {
                    source.putInt(0, 99);
                } catch (ReadOnlyBufferException expected) {
                    refused[0] = true;
                }
            });
            Buffer source = rig.buffer("source", 1);
            Buffer target = rig.buffer("target", 1);
            Buffer readback = rig.readback("readback", 8);
            rig.await(rig.submit(rig.queue(0), List.of(), list -> {
                list.fillBuffer(source, 0, 4, 5);
                list.barrier(VirtualRig.full());
                list.bindPipeline(copy);
                list.bindBuffer("Source", source, 0, 4);
                list.bindBuffer("Target", target, 0, 4);
                list.dispatch(1, 1, 1);
                list.barrier(VirtualRig.full());
                list.copyBuffer(source, 0, readback, 0, 4);
                list.copyBuffer(target, 0, readback, 4, 4);
            }));
            assertThat(refused).containsExactly(true);
            assertThat(rig.words(readback)).containsExactly(5, 5);
        }
    }
}
