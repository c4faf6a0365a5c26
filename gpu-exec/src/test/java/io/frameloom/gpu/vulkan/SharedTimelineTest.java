package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.ExternalPoint;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.vulkan.driver.DeviceSeams;
import io.frameloom.gpu.vulkan.driver.NativeQueueDriver;
import io.frameloom.gpu.vulkan.driver.QueueDriver;
import io.frameloom.taskgraph.TaskGraph;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lwjgl.system.linux.FCNTL;
import org.lwjgl.system.linux.UNISTD;
import org.lwjgl.vulkan.VK13;

/** Two devices of one process, whose submissions wait for each other without the host. */
@Timeout(60)
class SharedTimelineTest {
    private static final long BYTES = 4096;
    private static final int ROUNDS = 20;
    private static final BufferDescription BOTH =
            BufferDescription.device(BYTES, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);

    private final TaskGraph tasks =
            TaskGraph.builder().name("timelines").workers(1).build();
    private @Nullable PlayedSharing played;

    @AfterEach
    void close() {
        if (played != null) {
            played.close();
        }
        tasks.close();
    }

    /** Opens a device with its own instance; under validation unless the driver is played, which no layer knows. */
    private VulkanDevice open(String name, @Nullable PlayedSharing driver) {
        ValidatedDevice.assumeDriver();
        DeviceOptions options = new DeviceOptions(tasks, name, driver == null, null)
                .prefer(Capability.EXTERNAL_MEMORY_FD, Capability.EXTERNAL_SEMAPHORE_FD);
        QueueDriver calls = driver == null ? new NativeQueueDriver() : driver;
        VulkanDevice device = SeamedDevices.open("", options, new DeviceSeams(calls, Set.of()));
        boolean timelines = driver != null || device.capabilities().has(Capability.EXTERNAL_SEMAPHORE_FD);
        if (!timelines || !device.capabilities().has(Capability.EXTERNAL_MEMORY_FD)) {
            String text = device.capabilities().name() + " has no "
                    + (timelines ? Capability.EXTERNAL_MEMORY_FD : Capability.EXTERNAL_SEMAPHORE_FD);
            device.close();
            assumeTrue(false, text);
        }
        return device;
    }

    private PlayedSharing played() {
        PlayedSharing driver = new PlayedSharing();
        played = driver;
        return driver;
    }

    /** One device sets the word of a round, and the other copies what it finds to the host. */
    private void exchange(VulkanDevice first, VulkanDevice second) {
        try (SharedTimeline ours = first.createSharedTimeline("ours");
                SharedTimeline theirs = second.importSharedTimeline("theirs", ours.share());
                Buffer written = first.createSharedBuffer("written", BOTH);
                Buffer read = second.importBuffer("read", BOTH, first.share(written));
                Buffer readback = second.createBuffer("readback", BufferDescription.readback(ROUNDS * BYTES));
                FrameContext writing = first.createFrameContext("writing");
                FrameContext reading = second.createFrameContext("reading")) {
            long done = 0;
            // The reader comes first, so nothing but the timeline holds it back.
            for (int round = 0; round < ROUNDS; round++) {
                int at = round;
                done = submit(
                        second,
                        reading,
                        "read",
                        ExternalPoint.of(theirs, 2L * round + 1),
                        ExternalPoint.of(theirs, 2L * round + 2),
                        list -> {
                            list.copyBuffer(read, 0, readback, at * BYTES, BYTES);
                            list.barrier(ValidatedDevice.memory(
                                    PipelineStage.COPY,
                                    MemoryAccess.COPY_WRITE,
                                    PipelineStage.HOST,
                                    MemoryAccess.HOST_READ));
                        });
            }
            for (int round = 0; round < ROUNDS; round++) {
                int word = 0x0101_0101 * (round + 1);
                ExternalPoint before = round == 0 ? null : ExternalPoint.of(ours, 2L * round);
                submit(
                        first,
                        writing,
                        "write",
                        before,
                        ExternalPoint.of(ours, 2L * round + 1),
                        list -> list.fillBuffer(written, 0, BYTES, word));
            }
            assertThat(second.queues().get(0).timeline().await(done, ValidatedDevice.LONG))
                    .isTrue();
            int[] words = ValidatedDevice.words(readback);
            for (int i = 0; i < words.length; i++) {
                assertThat(words[i]).as("word %d", i).isEqualTo(0x0101_0101 * (i / (int) (BYTES / 4) + 1));
            }
        }
    }

    private static long submit(
            VulkanDevice device,
            FrameContext context,
            String label,
            @Nullable ExternalPoint wait,
            @Nullable ExternalPoint signal,
            Consumer<CommandList> recorder) {
        GpuQueue queue = device.queues().get(0);
        CommandList list = context.beginCommands(queue, label);
        recorder.accept(list);
        list.end();
        return queue.submit(new Submission(label, List.of(list), List.of())
                        .with(wait == null ? List.of() : List.of(wait), signal == null ? List.of() : List.of(signal)))
                .value();
    }

    @Test
    void submissionsOfTwoDevicesWaitForEachOther() {
        try (VulkanDevice first = open("first", null);
                VulkanDevice second = open("second", null)) {
            exchange(first, second);
            assertThat(first.validationMessages()).isEmpty();
            assertThat(second.validationMessages()).isEmpty();
        }
    }

    @Test
    void submissionsOfTwoDevicesOfAPlayedDriverWaitForEachOther() {
        PlayedSharing driver = played();
        try (VulkanDevice first = open("first", driver);
                VulkanDevice second = open("second", driver)) {
            exchange(first, second);
        }
    }

    @Test
    void anImportTakesTheFileDescriptorOnlyIfItSucceeds() {
        PlayedSharing driver = played();
        try (VulkanDevice first = open("first", driver);
                VulkanDevice second = open("second", driver);
                SharedTimeline ours = first.createSharedTimeline("ours")) {
            int descriptor = ours.share();
            driver.failImports(VK13.VK_ERROR_OUT_OF_HOST_MEMORY);
            assertThatThrownBy(() -> second.importSharedTimeline("theirs", descriptor))
                    .isInstanceOf(GpuException.class)
                    .hasMessageContaining("cannot import timeline 'theirs'");
            driver.failImports(VK13.VK_ERROR_INVALID_EXTERNAL_HANDLE);
            assertThatThrownBy(() -> second.importSharedTimeline("theirs", descriptor))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("timeline 'theirs' is imported from file descriptor " + descriptor)
                    .hasMessageContaining("SharedTimeline.share");
            driver.failImports(VK13.VK_SUCCESS);
            assertThat(isOpen(descriptor)).isTrue();
            second.importSharedTimeline("theirs", descriptor).close();
            assertThat(isOpen(descriptor)).isFalse();
            assertThatThrownBy(() -> second.importSharedTimeline("theirs", descriptor))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("which is no open file descriptor");
        }
    }

    private static boolean isOpen(int descriptor) {
        return FCNTL.fcntl(null, descriptor, FCNTL.F_GETFD) >= 0;
    }

    @Test
    void whatIsImportedOrClosedIsNotSharedAndTheClosedIsNotWaitedFor() {
        PlayedSharing driver = played();
        try (VulkanDevice first = open("first", driver);
                VulkanDevice second = open("second", driver)) {
            SharedTimeline ours = first.createSharedTimeline("ours");
            SharedTimeline theirs = second.importSharedTimeline("theirs", ours.share());
            assertThatThrownBy(theirs::share)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("timeline 'theirs' was imported");
            ours.close();
            assertThatThrownBy(ours::share)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("timeline 'ours' is shared after it was closed");
            Submission late =
                    new Submission("late", List.of(), List.of()).with(List.of(), List.of(ExternalPoint.of(ours, 1)));
            assertThatThrownBy(() -> first.queues().get(0).submit(late))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("timeline 'ours' is named by submission 'late' after it was closed");
            Submission stray =
                    new Submission("stray", List.of(), List.of()).with(List.of(), List.of(ExternalPoint.of(theirs, 1)));
            assertThatThrownBy(() -> first.queues().get(0).submit(stray))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'theirs', which was imported by another device");
            // It works on, and so does the other device's end.
            long done = first.queues()
                    .get(0)
                    .submit(new Submission("next", List.of(), List.of()))
                    .value();
            assertThat(first.queues().get(0).timeline().await(done, Duration.ofSeconds(30)))
                    .isTrue();
            theirs.close();
        }
    }

    @Test
    void aDeviceWithoutSharedTimelinesSaysSo() {
        PlayedSharing driver = played();
        driver.binaryAlone();
        try (VulkanDevice device = open("device", driver);
                VulkanDevice plain = SeamedDevices.open("", DeviceOptions.of(tasks, "plain"), DeviceSeams.none())) {
            assertThatThrownBy(() -> device.createSharedTimeline("ours"))
                    .isInstanceOf(GpuException.class)
                    .hasMessageContaining("timeline 'ours' cannot be shared by a file descriptor")
                    .hasMessageContaining("does not do that with timelines");
            assertThatThrownBy(() -> plain.createSharedTimeline("ours"))
                    .isInstanceOf(GpuException.class)
                    .hasMessageContaining("EXTERNAL_SEMAPHORE_FD; open the device with DeviceOptions.require");
            assertThatThrownBy(() -> plain.importSharedTimeline("theirs", -1))
                    .isInstanceOf(GpuException.class)
                    .hasMessageContaining("EXTERNAL_SEMAPHORE_FD; open the device with DeviceOptions.require");
            int descriptor = PlayedSharing.descriptor();
            assertThatThrownBy(() -> device.importSharedTimeline("theirs", descriptor))
                    .isInstanceOf(GpuException.class)
                    .hasMessageContaining("timeline 'theirs' cannot be imported from a file descriptor");
            assertThat(UNISTD.close(null, descriptor)).isZero();
        }
    }
}
