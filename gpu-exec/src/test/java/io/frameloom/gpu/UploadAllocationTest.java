package io.frameloom.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.transfer.Uploader;
import io.frameloom.gpu.vulkan.ValidatedDevice;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.testing.ThreadAllocation;
import java.nio.ByteBuffer;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Batches that repeat allocate the same however many pieces they have, by the JVM's per-thread counter. As in {@code
 * RecordingAllocationTest}, the JVM may have to compile it first.
 */
@Timeout(120)
class UploadAllocationTest {
    private static final int FEW = 8;
    private static final int MANY = 136;
    private static final int MOST_BATCHES = 20_000;
    private static final int BYTES = 256;

    /** The place of texels in the ring, which moves on: a {@link io.frameloom.gpu.resource.TexelLayout}. */
    private static final int BYTES_OF_A_LAYOUT = 40;

    private TaskGraph tasks;
    private GpuDevice device;
    private Uploader uploader;
    private Buffer words;
    private final ByteBuffer data = ByteBuffer.allocateDirect(BYTES);

    @BeforeEach
    void open() {
        ValidatedDevice.assumeDriver();
        tasks = TaskGraph.builder().name("allocation").workers(1).build();
        device = VulkanDevices.open("", new DeviceOptions(tasks, "allocation", false, null));
        uploader = new Uploader(device, "uploads", 1 << 20);
        words = TransferRig.buffer(device, "words", 2 * MANY * BYTES);
    }

    @AfterEach
    void close() {
        if (tasks != null) {
            words.close();
            uploader.close();
            device.close();
            tasks.close();
        }
    }

    private long batch(int pieces, IntConsumer upload) {
        long before = ThreadAllocation.bytes();
        for (int i = 0; i < pieces; i++) {
            upload.accept(i);
        }
        TimelinePoint point = uploader.flush();
        long bytes = ThreadAllocation.bytes() - before;
        assertThat(point.queue().timeline().await(point.value(), TransferRig.LONG))
                .isTrue();
        return bytes;
    }

    /** Returns the bytes of each further piece of a batch, once they are as few as they get. */
    private double perPiece(double enough, IntConsumer upload) {
        long few = Long.MAX_VALUE;
        long many = Long.MAX_VALUE;
        double each = Double.MAX_VALUE;
        for (int i = 0; i < MOST_BATCHES && each > enough; i++) {
            few = Math.min(few, batch(FEW, upload));
            many = Math.min(many, batch(MANY, upload));
            each = (double) (many - few) / (MANY - FEW);
        }
        return each;
    }

    @Test
    void partsOfABufferAllocateNothing() {
        assertThat(perPiece(0, i -> uploader.upload(words, 2L * i * BYTES, data)))
                .as("apart")
                .isLessThanOrEqualTo(0);
        assertThat(perPiece(0, i -> uploader.upload(words, (long) i * BYTES, data)))
                .as("adjacent")
                .isLessThanOrEqualTo(0);
        assertThat(perPiece(0, i -> uploader.upload(words, 0, data)))
                .as("the same bytes again, each after a barrier")
                .isLessThanOrEqualTo(0);
    }

    @Test
    void partsOfATextureAllocateTheirPlaceInTheRing() {
        TextureDescription shape =
                TextureDescription.of(128, 128, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED, TextureUsage.COPY_DST);
        TextureRegion[] regions = new TextureRegion[MANY];
        for (int i = 0; i < MANY; i++) {
            regions[i] = TextureRegion.mip(shape, 0).withRectangle(i % 16 * 8, i / 16 * 8, 8, 8);
        }
        try (Texture picture = device.createTexture("picture", shape)) {
            assertThat(perPiece(BYTES_OF_A_LAYOUT, i -> {
                        TextureLayout before = i == 0 ? TextureLayout.UNDEFINED : TextureLayout.SHADER_RO;
                        uploader.upload(picture, regions[i], data, before, TextureLayout.SHADER_RO);
                    }))
                    .isLessThanOrEqualTo(BYTES_OF_A_LAYOUT);
        }
    }
}
