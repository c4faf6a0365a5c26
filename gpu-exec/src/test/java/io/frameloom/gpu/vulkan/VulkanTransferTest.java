package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.ValidatedDevice.memory;
import static io.frameloom.gpu.vulkan.ValidatedDevice.transition;
import static io.frameloom.gpu.vulkan.ValidatedDevice.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(60)
class VulkanTransferTest {
    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice();

    private Buffer readback(long bytes) {
        return gpu.own(gpu.device().createBuffer("readback", BufferDescription.readback(bytes)));
    }

    private Buffer upload(int... words) {
        Buffer buffer = gpu.own(
                gpu.device().createBuffer("upload", BufferDescription.upload(words.length * 4L, BufferUsage.COPY_SRC)));
        buffer.mapped().asIntBuffer().put(words);
        return buffer;
    }

    @Test
    void bytesGoThroughADeviceBuffer() {
        Buffer upload = upload(IntStream.range(100, 200).toArray());
        Buffer middle = gpu.own(gpu.device()
                .createBuffer("middle", BufferDescription.device(400, BufferUsage.COPY_SRC, BufferUsage.COPY_DST)));
        Buffer readback = readback(400);

        gpu.execute("copies", list -> {
            list.fillBuffer(middle, 0, 200, 0xabcd);
            list.copyBuffer(upload, 200, middle, 200, 200);
            list.barrier(
                    memory(PipelineStage.COPY, MemoryAccess.COPY_WRITE, PipelineStage.COPY, MemoryAccess.COPY_READ));
            list.copyBuffer(middle, 0, readback, 0, 400);
        });

        int[] words = words(readback);
        assertThat(Arrays.copyOf(words, 50)).containsOnly(0xabcd);
        assertThat(Arrays.copyOfRange(words, 50, 100))
                .isEqualTo(IntStream.range(150, 200).toArray());
    }

    @Test
    void texelsGoThroughMipsAndLayersOfATexture() {
        TextureDescription shape = TextureDescription.of(
                        16, 8, Format.R8G8B8A8_UNORM, TextureUsage.COPY_SRC, TextureUsage.COPY_DST)
                .withMips(3)
                .withLayers(2);
        Texture texture = gpu.own(gpu.device().createTexture("array", shape));
        Buffer upload = upload(IntStream.range(0, 8 * 4).toArray());
        Buffer readback = readback(8 * 4 * 4);

        gpu.execute("mips", list -> {
            list.barrier(transition(texture, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST));
            list.copyBufferToTexture(upload, 0, texture, 1, 1);
            list.barrier(transition(
                    texture,
                    new SubresourceRange(1, 1, 1, 1, 0, 1),
                    TextureLayout.TRANSFER_DST,
                    TextureLayout.TRANSFER_SRC));
            list.copyTextureToBuffer(texture, 1, 1, readback, 0);
        });

        assertThat(words(readback)).isEqualTo(IntStream.range(0, 8 * 4).toArray());
    }

    @Test
    void clearedTextureIsCopied() {
        TextureDescription shape =
                TextureDescription.of(4, 4, Format.R8G8B8A8_UNORM, TextureUsage.COPY_SRC, TextureUsage.COPY_DST);
        Texture source = gpu.own(gpu.device().createTexture("source", shape));
        Texture copy = gpu.own(gpu.device().createTexture("copy", shape));
        Buffer readback = readback(64);

        gpu.execute("clear", list -> {
            list.barrier(transition(source, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST));
            list.barrier(transition(copy, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST));
            list.clearTexture(source, SubresourceRange.all(shape), new ClearColor(1, 0, 0, 1));
            list.barrier(transition(source, TextureLayout.TRANSFER_DST, TextureLayout.TRANSFER_SRC));
            list.copyTexture(source, copy);
            list.barrier(transition(copy, TextureLayout.TRANSFER_DST, TextureLayout.TRANSFER_SRC));
            list.copyTextureToBuffer(copy, 0, 0, readback, 0);
        });

        assertThat(words(readback)).containsOnly(0xff0000ff);
    }

    @Test
    void integerTexturesAreClearedToIntegers() {
        TextureDescription shape =
                TextureDescription.of(2, 2, Format.R32_UINT, TextureUsage.COPY_SRC, TextureUsage.COPY_DST);
        Texture texture = gpu.own(gpu.device().createTexture("ids", shape));
        Buffer readback = readback(16);

        gpu.execute("clear", list -> {
            list.barrier(transition(texture, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST));
            list.clearTexture(texture, SubresourceRange.all(shape), new ClearColor(77, 0, 0, 0));
            list.barrier(transition(texture, TextureLayout.TRANSFER_DST, TextureLayout.TRANSFER_SRC));
            list.copyTextureToBuffer(texture, 0, 0, readback, 0);
        });

        assertThat(words(readback)).containsOnly(77);
    }

    @Test
    void uploadsReachTheDeviceFromTheRing() {
        Buffer readback = readback(300 * 4);
        try (var context = gpu.device().createFrameContext("ring")) {
            var first = context.allocateUpload(100 * 4, 4);
            var second = context.allocateUpload(200 * 4, 256);
            assertThat(second.offset() % 256).isZero();
            first.data().asIntBuffer().put(IntStream.range(0, 100).toArray());
            second.data().asIntBuffer().put(IntStream.range(100, 300).toArray());
            long value = gpu.submit(context, "ring", list -> {
                        list.copyBuffer(first.buffer(), first.offset(), readback, 0, first.bytes());
                        list.copyBuffer(second.buffer(), second.offset(), readback, 400, second.bytes());
                    })
                    .value();
            assertThat(gpu.graphics().timeline().await(value, ValidatedDevice.LONG))
                    .isTrue();
        }
        assertThat(words(readback)).isEqualTo(IntStream.range(0, 300).toArray());
    }

    @Test
    void rangesOutsideOfABufferAreRefused() {
        Buffer upload = upload(1, 2);
        Buffer readback = readback(4);
        gpu.execute(
                "refused",
                list -> assertThatThrownBy(() -> list.copyBuffer(upload, 0, readback, 0, 8))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("0+8")
                        .hasMessageContaining("'readback' of 4 bytes"));
    }

    @Test
    void deviceBuffersAreNotMapped() {
        Buffer buffer = gpu.own(gpu.device().createBuffer("hidden", BufferDescription.device(16, BufferUsage.STORAGE)));
        assertThatThrownBy(buffer::mapped)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'hidden'")
                .hasMessageContaining("READBACK");
    }

    @Test
    void unsupportedFormatsAreRefusedByName() {
        TextureDescription shape = TextureDescription.of(4, 4, Format.D32_SFLOAT, TextureUsage.COLOR_ATTACHMENT);
        assertThatThrownBy(() -> gpu.device().createTexture("odd", shape))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'odd'")
                .hasMessageContaining("D32_SFLOAT");
    }
}
