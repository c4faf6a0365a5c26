package io.frameloom.gpu;

import static io.frameloom.gpu.TransferRig.bytes;
import static io.frameloom.gpu.TransferRig.random;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.transfer.Readbacks;
import io.frameloom.gpu.transfer.Uploader;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Textures of every kind and format arrive whole, byte for byte, on every backend. */
@Timeout(60)
class TransferFormatsTest {
    private TaskGraph tasks;

    @BeforeEach
    void buildTaskGraph() {
        tasks = TaskGraph.builder().name("transfer").workers(1).build();
    }

    @AfterEach
    void closeTaskGraph() {
        tasks.close();
    }

    /** Uploads random bytes to all mips, then reads all of them back. */
    private static void thereAndBack(GpuDevice device, Uploader uploader, Readbacks readbacks, Texture texture) {
        TextureDescription shape = texture.description();
        for (int layer = 0; layer < shape.layers(); layer++) {
            for (int mip = 0; mip < shape.mips(); mip++) {
                byte[] data = random(layer * 100L + mip, mipBytes(shape, mip));
                uploader.upload(texture, mip, layer, ByteBuffer.wrap(data), TextureLayout.GENERAL);
            }
        }
        TimelinePoint uploaded = uploader.flush();
        for (int layer = 0; layer < shape.layers(); layer++) {
            for (int mip = 0; mip < shape.mips(); mip++) {
                assertThat(bytes(readbacks.read(texture, mip, layer, TextureLayout.GENERAL, uploaded)))
                        .as("mip %d of layer %d of %s", mip, layer, shape)
                        .isEqualTo(random(layer * 100L + mip, mipBytes(shape, mip)));
            }
        }
        assertThat(device.validationMessages()).isEmpty();
    }

    private static int mipBytes(TextureDescription shape, int mip) {
        int columns = shape.format().columns(shape.width(mip));
        int rows = shape.format().rows(shape.height(mip));
        return columns * rows * shape.depth(mip) * shape.format().planeBytes(0);
    }

    private static TextureDescription shape(int width, int height, Format format) {
        return TextureDescription.of(
                width, height, format, TextureUsage.SAMPLED, TextureUsage.COPY_DST, TextureUsage.COPY_SRC);
    }

    @ParameterizedTest
    @EnumSource
    void threeDimensionsArriveWithAllTheirSlices(Backend backend) throws Exception {
        TransferRig.with(backend, tasks, (device, uploader, readbacks) -> {
            TextureDescription volume =
                    shape(12, 10, Format.R8G8B8A8_UNORM).withDepth(9).withMips(4);
            try (Texture texture = device.createTexture("volume", volume)) {
                thereAndBack(device, uploader, readbacks, texture);
                assertThatThrownBy(() ->
                                uploader.upload(texture, 0, 0, ByteBuffer.allocate(12 * 10 * 4), TextureLayout.GENERAL))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("'volume'")
                        .hasMessageContaining("mip 0 has " + 12 * 10 * 9 * 4 + " bytes");
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void colourOfEveryFormatThatTheDeviceCopiesArrives(Backend backend) throws Exception {
        TransferRig.with(backend, tasks, (device, uploader, readbacks) -> {
            int copied = 0;
            int compressed = 0;
            for (Format format : Format.values()) {
                FormatSupport support = device.formatSupport(format);
                if (format.isDepth() || !support.sampled() || !support.copies()) {
                    continue;
                }
                // Mips of 13x7 are no multiples of a block, the last ones are smaller than one.
                TextureDescription shape = shape(13, 7, format).withMips(4).withLayers(2);
                try (Texture texture = device.createTexture(format.name(), shape)) {
                    thereAndBack(device, uploader, readbacks, texture);
                }
                copied++;
                compressed += format.isCompressed() ? 1 : 0;
            }
            assertThat(copied).isGreaterThan(40);
            assertThat(compressed).isGreaterThanOrEqualTo(16);
        });
    }

    @ParameterizedTest
    @EnumSource
    void depthArrivesThroughAQueueThatDoesGraphics(Backend backend) throws Exception {
        TransferRig.with(backend, tasks, (device, uploader, readbacks) -> {
            try (Uploader graphics = new Uploader(device, device.queues().get(0), "depth uploads", TransferRig.RING);
                    Texture depth = device.createTexture("shadow", shape(16, 8, Format.D16_UNORM))) {
                thereAndBack(device, graphics, readbacks, depth);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aMipMayTakeTheWholeRing(Backend backend) throws Exception {
        TransferRig.with(backend, tasks, (device, uploader, readbacks) -> {
            TextureDescription shape = shape(128, TransferRig.RING / 512, Format.R8G8B8A8_UNORM);
            try (Texture whole = device.createTexture("whole", shape);
                    Texture small = device.createTexture("small", shape(3, 3, Format.R8_UNORM))) {
                thereAndBack(device, uploader, readbacks, small);
                thereAndBack(device, uploader, readbacks, whole);
                thereAndBack(device, uploader, readbacks, whole);
            }
        });
    }

    @Test
    void whatIsLargerThanABufferOfBytesIsRefusedWithItsSize() throws Exception {
        TransferRig.with(Backend.VIRTUAL, tasks, (device, uploader, readbacks) -> {
            TextureDescription shape = shape(16_384, 16_384, Format.R32G32B32A32_SFLOAT);
            try (Texture huge = device.createTexture("huge", shape);
                    Readbacks large = new Readbacks(device, device.queues().get(0), "large", 1L << 40)) {
                assertThatThrownBy(() -> large.read(huge, 0, 0, TextureLayout.GENERAL))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("'huge': mip 0 has 4294967296 bytes")
                        .hasMessageContaining("at most 2147483647");
                assertThatThrownBy(() -> uploader.upload(huge, 0, 0, ByteBuffer.allocate(0), TextureLayout.GENERAL))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("'huge': mip 0 has 4294967296 bytes");
            }
        });
    }
}
