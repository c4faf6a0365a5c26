package io.frameloom.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.GpuTimeline;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.transfer.Readback;
import io.frameloom.gpu.transfer.Readbacks;
import io.frameloom.gpu.transfer.UploadBatch;
import io.frameloom.gpu.transfer.Uploader;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An interrupt ends no wait of the host, and is found in the thread's status afterwards. */
@Timeout(60)
class InterruptedWaitContractTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int BYTES = 1024;

    private static void interrupted(Runnable wait) {
        Thread.currentThread().interrupt();
        wait.run();
        assertThat(Thread.interrupted()).as("the thread stays interrupted").isTrue();
    }

    private static TimelinePoint submit(GpuDevice device) {
        return device.queues().get(0).submit(new Submission("nothing", List.of(), List.of()));
    }

    @ParameterizedTest
    @EnumSource
    void waitsForTimelinesEventsAndTheDevice(Backend backend) {
        try (TaskGraph tasks =
                TaskGraph.builder().name("interrupted").workers(1).build()) {
            GpuDevice device = backend.open(new DeviceOptions(tasks, "interrupted", false, null));
            GpuTimeline timeline = device.queues().get(0).timeline();
            interrupted(() ->
                    assertThat(timeline.await(submit(device).value(), LONG)).isTrue());
            assertThat(timeline.completed()).isEqualTo(1);
            interrupted(
                    () -> assertThat(timeline.reached(submit(device).value()).await(LONG))
                            .isTrue());
            submit(device);
            interrupted(device::waitIdle);
            assertThat(timeline.completed()).isEqualTo(3);
            submit(device);
            interrupted(device::close);
            assertThat(timeline.completed()).isEqualTo(4);
        }
    }

    @ParameterizedTest
    @EnumSource
    void waitsForRoomForUploadsAndForReadbacks(Backend backend) {
        try (TaskGraph tasks =
                        TaskGraph.builder().name("interrupted").workers(1).build();
                GpuDevice device = backend.open(new DeviceOptions(tasks, "interrupted", false, null))) {
            GpuQueue queue = device.queues().get(0);
            try (Buffer buffer = device.createBuffer(
                            "words", BufferDescription.device(BYTES, BufferUsage.COPY_SRC, BufferUsage.COPY_DST));
                    Uploader uploader = new Uploader(device, queue, "uploads", BYTES);
                    Readbacks readbacks = new Readbacks(device, queue, "readbacks", 1 << 20)) {
                byte[] words = new byte[BYTES];
                for (int i = 0; i < BYTES; i++) {
                    words[i] = (byte) i;
                }
                // The ring is full from the first one on.
                UploadBatch last = uploader.upload(buffer, 0, ByteBuffer.wrap(words));
                for (int i = 0; i < 4; i++) {
                    Thread.currentThread().interrupt();
                    last = uploader.upload(buffer, 0, ByteBuffer.wrap(words));
                    assertThat(Thread.interrupted()).isTrue();
                }
                uploader.flush();
                TimelinePoint uploaded = Objects.requireNonNull(last.point());
                interrupted(() -> assertThat(queue.timeline().await(uploaded.value(), LONG))
                        .isTrue());
                try (Readback readback = readbacks.read(buffer, 0, BYTES)) {
                    interrupted(() -> assertThat(readback.event().await(LONG)).isTrue());
                    assertThat(readback.bytes().get(BYTES - 1)).isEqualTo((byte) (BYTES - 1));
                }
            }
            assertThat(device.validationMessages()).isEmpty();
        }
    }
}
