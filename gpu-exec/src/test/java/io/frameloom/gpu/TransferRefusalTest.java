package io.frameloom.gpu;

import static io.frameloom.gpu.TransferRig.LONG;
import static io.frameloom.gpu.TransferRig.RING;
import static io.frameloom.gpu.TransferRig.buffer;
import static io.frameloom.gpu.TransferRig.bytes;
import static io.frameloom.gpu.TransferRig.random;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.transfer.Readbacks;
import io.frameloom.gpu.transfer.UploadBatch;
import io.frameloom.gpu.transfer.Uploader;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A transfer that cannot be is refused where it is asked for, and those beside it go on. */
@Timeout(60)
class TransferRefusalTest {
    private TaskGraph tasks;

    @BeforeEach
    void buildTaskGraph() {
        tasks = TaskGraph.builder().name("transfer").workers(1).build();
    }

    @AfterEach
    void closeTaskGraph() {
        tasks.close();
    }

    @FunctionalInterface
    private interface Refused {
        void run(GpuDevice device, Uploader uploader, GpuDevice other) throws Exception;
    }

    /** A refused upload between two good ones. */
    private void goesOnWithout(Backend backend, Refused refused) throws Exception {
        TransferRig.with(backend, tasks, (device, uploader, readbacks) -> {
            try (GpuDevice other = backend.open(new DeviceOptions(tasks, "other", false, null));
                    Buffer target = buffer(device, "target", 64)) {
                UploadBatch batch = uploader.upload(target, 0, ByteBuffer.wrap(random(1, 32)));
                try {
                    refused.run(device, uploader, other);
                } catch (Throwable e) {
                    // The target outlives what was recorded for it, whatever the test finds.
                    TimelinePoint recorded = uploader.flush();
                    recorded.queue().timeline().await(recorded.value(), LONG);
                    throw e;
                }
                assertThat(uploader.upload(target, 32, ByteBuffer.wrap(random(2, 32))))
                        .isSameAs(batch);
                TimelinePoint uploaded = uploader.flush();
                assertThat(batch.point()).isEqualTo(uploaded);
                assertThat(bytes(readbacks.read(target, 0, 32, uploaded))).isEqualTo(random(1, 32));
                assertThat(bytes(readbacks.read(target, 32, 32, uploaded))).isEqualTo(random(2, 32));
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aBufferOfAnotherDeviceIsRefused(Backend backend) throws Exception {
        goesOnWithout(backend, (device, uploader, other) -> {
            try (Buffer foreign = buffer(other, "foreign", 64)) {
                assertThatThrownBy(() -> uploader.upload(foreign, 0, ByteBuffer.allocate(4)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("foreign");
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void bytesThatDoNotFitABufferAreRefused(Backend backend) throws Exception {
        goesOnWithout(backend, (device, uploader, other) -> {
            try (Buffer small = buffer(device, "small", 64)) {
                for (long offset : new long[] {-1, 61, 64, Long.MAX_VALUE, Long.MIN_VALUE}) {
                    assertThatThrownBy(() -> uploader.upload(small, offset, ByteBuffer.allocate(4)))
                            .as("offset %d", offset)
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("'small' of 64 bytes: 4 bytes at offset " + offset);
                }
                assertThatThrownBy(() -> uploader.upload(small, 0, ByteBuffer.allocate(0)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("'small' of 64 bytes: 0 bytes");
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aTextureOfAnotherDeviceIsRefused(Backend backend) throws Exception {
        goesOnWithout(backend, (device, uploader, other) -> {
            TextureDescription shape =
                    TextureDescription.of(1, 1, Format.R32_UINT, TextureUsage.COPY_DST, TextureUsage.COPY_SRC);
            try (Texture foreign = other.createTexture("foreign", shape)) {
                assertThatThrownBy(() -> uploader.upload(foreign, 0, 0, ByteBuffer.allocate(4), TextureLayout.GENERAL))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("foreign");
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aTextureOfManySamplesIsRefused(Backend backend) throws Exception {
        goesOnWithout(backend, (device, uploader, other) -> {
            TextureDescription shape = TextureDescription.of(
                            4, 4, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_DST)
                    .withSamples(4);
            try (Texture samples = device.createTexture("samples", shape)) {
                assertThatThrownBy(() -> uploader.upload(samples, 0, 0, ByteBuffer.allocate(64), TextureLayout.GENERAL))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("'samples'")
                        .hasMessageContaining("4 samples");
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aLayoutWithoutContentsIsRefused(Backend backend) throws Exception {
        goesOnWithout(backend, (device, uploader, other) -> {
            TextureDescription shape =
                    TextureDescription.of(1, 1, Format.R32_UINT, TextureUsage.COPY_DST, TextureUsage.COPY_SRC);
            try (Texture texture = device.createTexture("texture", shape)) {
                assertThatThrownBy(
                                () -> uploader.upload(texture, 0, 0, ByteBuffer.allocate(4), TextureLayout.UNDEFINED))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("'texture'")
                        .hasMessageContaining("UNDEFINED");
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aLayoutInWhichTheTextureCannotBeIsRefused(Backend backend) throws Exception {
        TextureLayout[][] wrong = {
            {TextureLayout.SHADER_RO, TextureLayout.TRANSFER_SRC},
            {TextureLayout.COLOR, TextureLayout.TRANSFER_SRC},
            {TextureLayout.PRESENT, TextureLayout.TRANSFER_SRC},
            {TextureLayout.UNDEFINED, TextureLayout.PRESENT},
        };
        goesOnWithout(backend, (device, uploader, other) -> {
            TextureDescription shape =
                    TextureDescription.of(1, 1, Format.R32_UINT, TextureUsage.COPY_DST, TextureUsage.COPY_SRC);
            try (Texture texture = device.createTexture("texture", shape)) {
                for (TextureLayout[] layouts : wrong) {
                    assertThatThrownBy(() -> uploader.upload(
                                    texture,
                                    TextureRegion.mip(shape, 0),
                                    ByteBuffer.allocate(4),
                                    layouts[0],
                                    layouts[1]))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("'texture'")
                            .hasMessageContaining(
                                    (layouts[0] == TextureLayout.UNDEFINED ? layouts[1] : layouts[0]).name());
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void depthIsRefusedWhereTheQueueCannotWriteIt(Backend backend) throws Exception {
        goesOnWithout(backend, (device, uploader, other) -> {
            TextureDescription shape = TextureDescription.of(2, 2, Format.D32_SFLOAT, TextureUsage.COPY_DST);
            try (Texture shadow = device.createTexture("shadow", shape)) {
                assumeTrue(uploader.queue().kind() == QueueKind.COPY, "the device has no copy queue");
                ByteBuffer data = ByteBuffer.allocate(16);
                assertThatThrownBy(() -> uploader.upload(shadow, 0, 0, data, TextureLayout.GENERAL))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("'shadow' of D32_SFLOAT")
                        .hasMessageContaining("GRAPHICS queue")
                        .hasMessageContaining("'copy'");
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aPointOfAnotherDeviceOrOfTheFutureIsRefused(Backend backend) throws Exception {
        goesOnWithout(backend, (device, uploader, other) -> {
            GpuQueue foreign = other.queues().get(0);
            TimelinePoint elsewhere = foreign.submit(new Submission("elsewhere", List.of(), List.of()));
            assertThatThrownBy(() -> uploader.after(elsewhere))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("uploader 'uploads'")
                    .hasMessageContaining("another device");
            GpuQueue queue = device.queues().get(0);
            long future = queue.timeline().submitted() + 1;
            assertThatThrownBy(() -> uploader.after(new TimelinePoint(queue, future)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("value " + future)
                    .hasMessageContaining("submit");
            assertThatThrownBy(() -> uploader.after(new TimelinePoint(queue, -1)))
                    .isInstanceOf(IllegalArgumentException.class);
            uploader.after(new TimelinePoint(queue, queue.timeline().submitted()));
            foreign.timeline().await(elsewhere.value(), LONG);
        });
    }

    @ParameterizedTest
    @EnumSource
    void aQueueOfAnotherDeviceIsRefused(Backend backend) throws Exception {
        TransferRig.with(backend, tasks, (device, uploader, readbacks) -> {
            try (GpuDevice other = backend.open(new DeviceOptions(tasks, "other", false, null))) {
                GpuQueue foreign = other.queues().get(0);
                assertThatThrownBy(() -> new Uploader(device, foreign, "astray", RING))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("uploader 'astray'");
                assertThatThrownBy(() -> new Readbacks(device, foreign, "astray", RING))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("readbacks 'astray'");
            }
        });
    }
}
