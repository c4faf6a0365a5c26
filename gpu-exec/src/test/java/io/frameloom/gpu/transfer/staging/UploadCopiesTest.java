package io.frameloom.gpu.transfer.staging;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.testing.ThreadAllocation;
import org.junit.jupiter.api.Test;

/** Copies of a batch are used again for the next one, up to a number. */
class UploadCopiesTest {
    private static final int HUGE = 4 * UploadCopies.KEPT;

    private static void add(UploadCopies copies, Buffer buffer, int from, int to) {
        for (int i = from; i < to; i++) {
            copies.add(4 * i, buffer, 4L * i, 4, false);
        }
    }

    private static long bytes(UploadCopies copies, Buffer buffer, int from, int to) {
        long before = ThreadAllocation.bytes();
        add(copies, buffer, from, to);
        return ThreadAllocation.bytes() - before;
    }

    @Test
    void aHugeBatchLeavesNoMoreThanIsKept() {
        try (TaskGraph tasks = TaskGraph.builder().name("copies").workers(1).build();
                GpuDevice device = VirtualDevice.open(
                        new VirtualGpuOptions(1, 1), new DeviceOptions(tasks, "copies", false, null));
                Buffer buffer =
                        device.createBuffer("words", BufferDescription.device(4 * HUGE, BufferUsage.COPY_DST))) {
            UploadCopies copies = new UploadCopies();
            // What is called for the first time allocates, too.
            bytes(copies, buffer, 0, UploadCopies.KEPT);
            assertThat(copies.clear()).isFalse();
            assertThat(bytes(copies, buffer, 0, UploadCopies.KEPT)).isZero();
            long made = bytes(copies, buffer, UploadCopies.KEPT, HUGE);
            assertThat(made).isPositive();
            assertThat(copies.clear()).as("the last one was huge").isTrue();
            assertThat(bytes(copies, buffer, 0, UploadCopies.KEPT)).isZero();
            assertThat(bytes(copies, buffer, UploadCopies.KEPT, HUGE)).isGreaterThanOrEqualTo(made / 2);
            copies.clear();
            assertThat(copies.clear()).isFalse();
        }
    }
}
