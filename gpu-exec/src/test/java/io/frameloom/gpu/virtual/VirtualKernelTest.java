package io.frameloom.gpu.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.CpuKernel;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.SamplerDescription.Address;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
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
        refuses(invocation -> invocation.bytes("Image", 0, 0, 4), "1 mip and 4 layers", "mip 0 of layer 4");
        refuses(invocation -> invocation.bytes("Image", 0, 1, 0), "1 mip and 4 layers", "mip 1 of layer 0");
        refuses(invocation -> invocation.bytes("Image", 1, 0, 0), "'Image' has 1 element, asked for element 1");
    }

    /** Whatever the device is asked for: what a kernel does out of range is no result, but an error with a name. */
    @Test
    void cannotLeaveTheRangeThatIsBound() {
        try (VirtualRig rig = new VirtualRig(1, 1, null)) {
            assertThat(rig.device.capabilities().robustBufferAccess()).isTrue();
            ComputePipeline copy = rig.pipeline(
                    "copy",
                    COPY,
                    invocation -> invocation
                            .bytes("Target")
                            .putInt(4, invocation.bytes("Source").getInt(0)));
            Buffer source = rig.buffer("source", 1);
            Buffer target = rig.buffer("target", 2);
            assertThatThrownBy(() -> rig.await(rig.submit(rig.queue(0), List.of(), list -> {
                        list.bindPipeline(copy);
                        list.bindBuffer("Source", source, 0, 4);
                        list.bindBuffer("Target", target, 0, 4);
                        list.dispatch(1, 1, 1);
                    })))
                    .isInstanceOf(DeviceLostException.class)
                    .hasMessageContaining("the CPU kernel of pipeline 'copy' failed")
                    .hasRootCauseInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    /** As generated code and code of other languages does; the thread of the virtual GPU must not end by it. */
    @Test
    void mayThrowACheckedException() {
        IOException failure = new IOException("no data");
        try (VirtualRig rig = new VirtualRig(1, 1, null)) {
            ComputePipeline copy = rig.pipeline("copy", COPY, invocation -> throwAny(failure));
            Buffer source = rig.buffer("source", 1);
            Buffer target = rig.buffer("target", 1);
            assertThatThrownBy(() -> rig.await(rig.submit(rig.queue(0), List.of(), list -> {
                        list.bindPipeline(copy);
                        list.bindBuffer("Source", source, 0, 4);
                        list.bindBuffer("Target", target, 0, 4);
                        list.dispatch(1, 1, 1);
                    })))
                    .isInstanceOf(DeviceLostException.class)
                    .hasMessageContaining("the CPU kernel of pipeline 'copy' failed")
                    .hasRootCause(failure);
        }
    }

    /** A listener runs on the same thread. */
    @Test
    void aListenerMayThrowACheckedException() {
        IOException failure = new IOException("no space");
        try (VirtualRig rig = new VirtualRig(1, 1, null)) {
            rig.device.onExecuted(command -> throwAny(failure));
            Buffer target = rig.buffer("target", 1);
            assertThatThrownBy(() ->
                            rig.await(rig.submit(rig.queue(0), List.of(), list -> list.fillBuffer(target, 0, 4, 5))))
                    .isInstanceOf(DeviceLostException.class)
                    .hasRootCause(failure);
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void throwAny(Throwable failure) throws T {
        throw (T) failure;
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

    /** A kernel samples by itself: it gets the texels of the image, and how its sampler samples. */
    @Test
    void seesImagesAndSamplersThatAreBoundSeparately() {
        String sample = """
                #version 450
                layout(local_size_x = 1) in;
                layout(set = 0, binding = 0) uniform utexture3D words;
                layout(set = 0, binding = 1) uniform sampler several[2];
                layout(set = 0, binding = 2) uniform usampler2D pair;
                layout(set = 0, binding = 3) buffer Target { uint target[4]; };
                void main() {
                    target[0] = texture(usampler3D(words, several[0]), vec3(0)).x + texture(pair, vec2(0)).x;
                    target[1] = texture(usampler3D(words, several[1]), vec3(0)).x;
                }
                """;
        try (VirtualRig rig = new VirtualRig(1, 1, null)) {
            List<Object> seen = new ArrayList<>();
            ComputePipeline pipeline = rig.pipeline("sample", sample, invocation -> {
                seen.add(invocation.sampler("several", 0));
                seen.add(invocation.sampler("several", 1));
                seen.add(invocation.sampler("pair", 0));
                seen.add(invocation.extent("words"));
                seen.add(invocation.extent("pair"));
                for (ThrowingCallable wrong : List.<ThrowingCallable>of(
                        () -> invocation.bytes("several", 0),
                        () -> invocation.bytes("several", 0, 0, 0),
                        () -> invocation.extent("several"),
                        () -> invocation.sampler("words", 0),
                        () -> invocation.sampler("several", 2))) {
                    assertThatThrownBy(wrong)
                            .isInstanceOf(IllegalArgumentException.class)
                            .message()
                            .containsAnyOf("a sampler is bound to 'several'", "no sampler", "2 elements");
                }
                invocation.bytes("Target").putInt(0, invocation.bytes("words").getInt(4 * 4 * 2 * 4));
            });
            TextureDescription flat =
                    TextureDescription.of(4, 2, Format.R32_UINT, TextureUsage.SAMPLED, TextureUsage.COPY_DST);
            Texture words = rig.keep(rig.device.createTexture("words", flat.withDepth(8)));
            Texture pair = rig.keep(rig.device.createTexture("pair", flat));
            Sampler nearest = rig.device.sampler(SamplerDescription.NEAREST_CLAMP);
            Sampler repeating = rig.device.sampler(SamplerDescription.NEAREST_CLAMP.withAddress(Address.REPEAT));
            Buffer target = rig.buffer("target", 4);
            Buffer readback = rig.readback("readback", 4);
            rig.await(rig.submit(rig.queue(0), List.of(), list -> {
                list.clearTexture(
                        words, SubresourceRange.all(words.description()), new RenderingInfo.ClearColor(7, 0, 0, 0));
                list.barrier(VirtualRig.full());
                list.bindPipeline(pipeline);
                list.bindTexture("words", words.view());
                list.bindSampler("several", 0, nearest);
                list.bindSampler("several", 1, repeating);
                list.bindTexture("pair", pair.view(), nearest);
                list.bindBuffer("Target", target, 0, 16);
                list.dispatch(1, 1, 1);
                list.barrier(VirtualRig.full());
                list.copyBuffer(target, 0, readback, 0, 4);
            }));
            assertThat(seen)
                    .containsExactly(
                            nearest.description(),
                            repeating.description(),
                            nearest.description(),
                            new int[] {4, 2, 8},
                            new int[] {4, 2});
            assertThat(rig.words(readback)).containsExactly(7);
        }
    }
}
