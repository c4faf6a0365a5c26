package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.taskgraph.TaskGraph;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Growth, reuse and retirement of transient memory. */
@Timeout(60)
class TransientHeapsTest {
    private static final int KEEP = 4;
    private static final int MEMORY_TYPES = 1;

    private final TaskGraph tasks = TaskGraph.builder().name("heaps").workers(1).build();
    private final FakeDevice device = new FakeDevice(tasks, QueueKind.GRAPHICS);
    private final RetireQueue retired = new RetireQueue();
    private TransientHeaps heaps = new TransientHeaps(device, retired, KEEP);

    @BeforeEach
    void open() {
        heaps = new TransientHeaps(device, retired, KEEP);
    }

    @AfterEach
    void close() {
        heaps.retireAll();
        retired.release(Long.MAX_VALUE);
        assertThat(device.open()).isEmpty();
        tasks.close();
    }

    private Resource buffer(TransientHeaps.Heap heap, long offset, int occurrence, long frame) {
        return heaps.buffer(heap, offset, "b", FakeRig.BUFFER, occurrence, frame)
                .resource();
    }

    @Test
    void equalPlacementsAreTheSameObject() {
        TransientHeaps.Heap heap = heaps.heap(MEMORY_TYPES, 0, 0, 4096, 0);
        Resource first = buffer(heap, 0, 1, 0);
        assertThat(heaps.heap(MEMORY_TYPES, 0, 0, 4096, 1)).isSameAs(heap);
        assertThat(buffer(heap, 0, 1, 1)).isSameAs(first);
        assertThat(buffer(heap, 0, 2, 1)).isNotSameAs(first);
        assertThat(buffer(heap, 1024, 1, 1)).isNotSameAs(first);
        assertThat(heaps.heapBytes()).isEqualTo(4096);
    }

    @Test
    void aHeapThatIsTooSmallIsFreedBehindItsFrames() {
        TransientHeaps.Heap small = heaps.heap(MEMORY_TYPES, 0, 0, 4096, 0);
        Resource old = buffer(small, 0, 1, 0);
        small.use(4096, 5);
        TransientHeaps.Heap large = heaps.heap(MEMORY_TYPES, 0, 0, 8192, 6);
        assertThat(large).isNotSameAs(small);
        assertThat(small.isRetired()).isTrue();
        retired.release(4);
        assertThat(device.open()).contains(old, small.memory(), large.memory());
        retired.release(5);
        assertThat(device.open()).containsExactly(large.memory());
        assertThat(heaps.heap(MEMORY_TYPES, 0, 0, 4096, 7)).isSameAs(large);
    }

    @Test
    void whatIsNotUsedForAWhileIsRetired() {
        TransientHeaps.Heap heap = heaps.heap(MEMORY_TYPES, 0, 0, 4096, 0);
        Resource unused = buffer(heap, 0, 1, 0);
        Resource used = buffer(heap, 1024, 1, 0);
        buffer(heap, 1024, 1, KEEP);
        heap.use(4096, KEEP);
        heaps.retireUnused(KEEP);
        assertThat(retired.size()).isZero();
        heaps.retireUnused(KEEP + 1);
        retired.release(KEEP);
        assertThat(device.open()).contains(used, heap.memory()).doesNotContain(unused);
        heaps.retireUnused(3 * KEEP);
        retired.release(3 * KEEP);
        assertThat(device.open()).isEmpty();
    }

    @Test
    void aHeapThatIsTooLargeForAWholePeriodIsReplaced() {
        TransientHeaps.Heap large = heaps.heap(MEMORY_TYPES, 0, 0, 8192, 0);
        Resource placed = buffer(large, 0, 1, 0);
        for (long frame = 1; frame < KEEP; frame++) {
            large.use(4096, frame);
        }
        heaps.retireUnused(KEEP);
        assertThat(large.isRetired()).as("used whole in this period").isFalse();
        for (long frame = KEEP; frame < 2 * KEEP; frame++) {
            assertThat(heaps.heap(MEMORY_TYPES, 0, 0, 4096, frame)).isSameAs(large);
            buffer(large, 0, 1, frame);
        }
        heaps.retireUnused(2 * KEEP);
        assertThat(large.isRetired()).isTrue();
        assertThat(heaps.shrunkCount()).isEqualTo(1);
        TransientHeaps.Heap small = heaps.heap(MEMORY_TYPES, 0, 0, 4096, 2 * KEEP);
        assertThat(heaps.heapBytes()).isEqualTo(4096);
        retired.release(2 * KEEP - 2);
        assertThat(device.open()).as("the frame before may run").contains(placed, large.memory());
        retired.release(2 * KEEP - 1);
        assertThat(device.open()).containsExactly(small.memory());
    }

    @Test
    void framesThatNeedMuchNowAndThenKeepTheirHeap() {
        TransientHeaps.Heap heap = heaps.heap(MEMORY_TYPES, 0, 0, 8192, 0);
        for (long frame = 0; frame < 10 * KEEP; frame++) {
            if (frame % KEEP == 0) {
                heaps.retireUnused(frame);
            }
            long bytes = frame % KEEP == 1 ? 8192 : 1024;
            assertThat(heaps.heap(MEMORY_TYPES, 0, 0, bytes, frame)).isSameAs(heap);
        }
        assertThat(heaps.shrunkCount()).isZero();
    }

    @Test
    void aHeapThatIsALittleTooLargeIsKept() {
        TransientHeaps.Heap heap = heaps.heap(MEMORY_TYPES, 0, 0, 8192, 0);
        for (long frame = 0; frame < 10 * KEEP; frame++) {
            if (frame % KEEP == 0) {
                heaps.retireUnused(frame);
            }
            assertThat(heaps.heap(MEMORY_TYPES, 0, 0, 4097, frame)).isSameAs(heap);
        }
    }

    @Test
    void slotsThatShareNothingHaveHeapsOfTheirOwn() {
        TransientHeaps.Heap first = heaps.heap(MEMORY_TYPES, 0, 0, 4096, 0);
        assertThat(heaps.heap(MEMORY_TYPES, 0, 1, 4096, 1)).isNotSameAs(first);
        assertThat(heaps.heap(MEMORY_TYPES, 0, 0, 4096, 2)).isSameAs(first);
        assertThat(heaps.heapBytes()).isEqualTo(8192);
    }
}
