package io.frameloom.gpu;

import static io.frameloom.gpu.TransferRig.bytes;
import static io.frameloom.gpu.TransferRig.random;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.FormatSupport;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.transfer.Readbacks;
import io.frameloom.gpu.transfer.Uploader;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.testing.TestEffort;
import java.nio.ByteBuffer;
import java.util.List;
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

    /**
     * A row of 45 texels of 16 bytes is more than half of the ring, which also splits blocks of rows. In the usual run each
     * format on one device.
     */
    @ParameterizedTest
    @EnumSource
    void whatIsLargerThanTheRingArrivesInPieces(Backend backend) throws Exception {
        TransferRig.with(backend, tasks, (device, uploader, readbacks) -> {
            int compressed = 0;
            try (Uploader small = new Uploader(device, "small uploads", 1024)) {
                for (Format format : TestEffort.share(List.of(Format.values()), backend.ordinal(), 2)) {
                    FormatSupport support = device.formatSupport(format);
                    if (format.isDepth() || !support.sampled() || !support.copies()) {
                        continue;
                    }
                    try (Texture flat = device.createTexture(
                            format.name(), shape(45, 61, format).withMips(3).withLayers(2))) {
                        thereAndBack(device, small, readbacks, flat);
                    }
                    compressed += format.isCompressed() ? 1 : 0;
                }
                TextureDescription volume = shape(12, 10, Format.R8G8B8A8_UNORM);
                try (Texture slices = device.createTexture("slices", volume.withDepth(9));
                        Texture cubes = device.createTexture(
                                "cubes", shape(16, 16, Format.R8_UNORM).withCubes(2))) {
                    thereAndBack(device, small, readbacks, slices);
                    thereAndBack(device, small, readbacks, cubes);
                }
            }
            assertThat(compressed).isGreaterThanOrEqualTo(TestEffort.of(6, 16));
        });
    }

    @ParameterizedTest
    @EnumSource
    void aTextureOfFourThousandSquaredGoesThroughTheDefaultRing(Backend backend) throws Exception {
        TransferRig.with(backend, tasks, (device, uploader, readbacks) -> {
            TextureDescription shape = shape(4096, 4096, Format.R8G8B8A8_SRGB);
            byte[] data = random(7, 4096 * 4096 * 4);
            try (Uploader standard = new Uploader(device, "standard");
                    Readbacks large = new Readbacks(device, device.queues().get(0), "large", data.length);
                    Texture albedo = device.createTexture("albedo", shape)) {
                TimelinePoint point = standard.upload(albedo, 0, 0, ByteBuffer.wrap(data), TextureLayout.GENERAL)
                        .point();
                assertThat(bytes(large.read(albedo, 0, 0, TextureLayout.GENERAL, point)))
                        .isEqualTo(data);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void partsOfATextureAreReplacedAndTheRestStays(Backend backend) throws Exception {
        TransferRig.with(backend, tasks, (device, uploader, readbacks) -> {
            TextureDescription shape = shape(64, 48, Format.R8_UNORM).withLayers(3);
            try (Uploader small = new Uploader(device, "small uploads", 1024);
                    Texture atlas = device.createTexture("atlas", shape)) {
                byte[][] layers = new byte[3][];
                for (int layer = 0; layer < 3; layer++) {
                    layers[layer] = random(layer, 64 * 48);
                    small.upload(atlas, 0, layer, ByteBuffer.wrap(layers[layer]), TextureLayout.GENERAL);
                }
                TextureRegion part =
                        TextureRegion.mip(shape, 0).withLayers(1, 2).withRectangle(5, 7, 50, 31);
                byte[] glyphs = random(9, 2 * 50 * 31);
                small.upload(atlas, part, ByteBuffer.wrap(glyphs), TextureLayout.GENERAL, TextureLayout.GENERAL);
                for (int i = 0; i < glyphs.length; i++) {
                    int row = i / 50 % 31;
                    layers[1 + i / (50 * 31)][(7 + row) * 64 + 5 + i % 50] = glyphs[i];
                }
                TimelinePoint uploaded = small.flush();
                for (int layer = 0; layer < 3; layer++) {
                    assertThat(bytes(readbacks.read(atlas, 0, layer, TextureLayout.GENERAL, uploaded)))
                            .isEqualTo(layers[layer]);
                }
                assertThatThrownBy(() -> small.upload(
                                atlas,
                                part.withRectangle(20, 0, 50, 1),
                                ByteBuffer.allocate(100),
                                TextureLayout.GENERAL,
                                TextureLayout.GENERAL))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContainingAll(
                                "uploads to", "is not within texture 'atlas', which has 64x48x1 texels of R8_UNORM");
                assertThatThrownBy(() -> small.upload(
                                atlas, part, ByteBuffer.allocate(100), TextureLayout.GENERAL, TextureLayout.GENERAL))
                        .hasMessageContainingAll("'atlas'", "has 3100 bytes, got 100");
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void depthAndStencilArriveInPieces(Backend backend) throws Exception {
        TransferRig.with(backend, tasks, (device, uploader, readbacks) -> {
            Format format = device.firstSupported(TextureUsage.DEPTH_ATTACHMENT, Format.DEPTH_STENCIL);
            try (Uploader small = new Uploader(device, device.queues().get(0), "small uploads", 1024);
                    Texture shadow = device.createTexture("shadow", shape(300, 9, Format.D16_UNORM));
                    Texture both = device.createTexture("both", shape(33, 40, format))) {
                thereAndBack(device, small, readbacks, shadow);
                TextureRegion stencil = TextureRegion.mip(both.description(), 0).withPlane(1);
                TimelinePoint point = small.upload(
                                both,
                                stencil,
                                ByteBuffer.wrap(random(3, 33 * 40)),
                                TextureLayout.UNDEFINED,
                                TextureLayout.GENERAL)
                        .point();
                assertThat(stencil(device, both, point)).isEqualTo(random(3, 33 * 40));
            }
        });
    }

    private static byte[] stencil(GpuDevice device, Texture texture, TimelinePoint uploaded) {
        TextureRegion region = TextureRegion.mip(texture.description(), 0).withPlane(1);
        SubresourceRange range = new SubresourceRange(0, 1, 0, 1, 1, 1);
        int bytes = region.width() * region.height();
        GpuQueue queue = device.queues().get(0);
        try (FrameContext frame = device.createFrameContext("stencil");
                Buffer back = device.createBuffer("back", BufferDescription.readback(bytes))) {
            CommandList list = frame.beginCommands(queue, "stencil");
            list.barrier(new BarrierBatch(
                    List.of(new BarrierBatch.TextureBarrier(
                            texture,
                            range,
                            BarrierBatch.GlobalBarrier.FULL.scope(),
                            TextureLayout.GENERAL,
                            TextureLayout.TRANSFER_SRC,
                            null)),
                    List.of(),
                    List.of()));
            list.beginPass(
                    "stencil",
                    List.of(
                            new ResourceUse.OfTexture(
                                    texture, range, Access.COPY_SRC, false, TextureLayout.TRANSFER_SRC),
                            new ResourceUse.OfBuffer(back, 0, bytes, Access.COPY_DST, true)));
            list.copyTextureToBuffer(texture, region, back, TexelLayout.tight(0));
            list.endPass();
            list.barrier(new BarrierBatch(
                    List.of(),
                    List.of(),
                    List.of(new BarrierBatch.GlobalBarrier(new BarrierBatch.Scope(
                            PipelineStage.COPY.bit(),
                            MemoryAccess.COPY_WRITE.bit(),
                            PipelineStage.HOST.bit(),
                            MemoryAccess.HOST_READ.bit())))));
            list.beginPass("host", List.of(new ResourceUse.OfBuffer(back, 0, bytes, Access.HOST_READ, false)));
            list.endPass();
            list.end();
            TimelinePoint point = queue.submit(new Submission(
                    "stencil",
                    List.of(list),
                    List.of(new Submission.Wait(uploaded, PipelineStage.ALL_COMMANDS.bit()))));
            assertThat(queue.timeline().await(point.value(), TransferRig.LONG)).isTrue();
            byte[] data = new byte[bytes];
            back.mapped().get(data);
            return data;
        }
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
