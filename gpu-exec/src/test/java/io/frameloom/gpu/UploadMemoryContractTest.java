package io.frameloom.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferSlice;
import io.frameloom.gpu.resource.MemoryStatistics;
import io.frameloom.gpu.resource.UploadSlice;
import io.frameloom.taskgraph.TaskGraph;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How much upload memory a frame context holds when loads grow, jump and fall; on both backends. */
class UploadMemoryContractTest {
    private static final long KIB = 1 << 10;
    private static final long MIB = 1 << 20;
    /** Much more than a context has at first. */
    private static final long SPIKE = 16 * MIB;
    /** Rounds after which memory that is no longer needed must be gone. */
    private static final int SOME_ROUNDS = 64;

    private TaskGraph tasks;

    @BeforeEach
    void buildTaskGraph() {
        tasks = TaskGraph.builder().name("upload memory").workers(1).build();
    }

    @AfterEach
    void closeTaskGraph() {
        tasks.close();
    }

    private GpuDevice open(Backend backend) {
        return backend.open(new DeviceOptions(tasks, "upload memory", false, null));
    }

    private static long reserved(GpuDevice device) {
        return device.memoryStatistics().allocations().stream()
                .filter(allocation -> allocation.name().startsWith("frame upload"))
                .mapToLong(MemoryStatistics.Allocation::bytes)
                .sum();
    }

    @ParameterizedTest
    @EnumSource
    void aLoadThatGrowsLittleByLittleHoldsAFewTimesItsBytesInFewBuffers(Backend backend) {
        Set<Buffer> buffers = Collections.newSetFromMap(new IdentityHashMap<>());
        try (GpuDevice device = open(backend);
                FrameContext frame = device.createFrameContext("frame")) {
            for (int round = 0; round < 150; round++) {
                long bytes = MIB + round * 64L * KIB;
                buffers.add(frame.allocateUpload(bytes, 16).buffer());
                assertThat(reserved(device)).as("round %d", round).isLessThanOrEqualTo(3 * bytes);
                frame.reset();
            }
        }
        assertThat(buffers).hasSizeLessThanOrEqualTo(20);
    }

    @ParameterizedTest
    @EnumSource
    void manyPiecesInOneRoundAreInFewBuffers(Backend backend) {
        Set<Buffer> buffers = Collections.newSetFromMap(new IdentityHashMap<>());
        try (GpuDevice device = open(backend);
                FrameContext frame = device.createFrameContext("frame")) {
            for (int i = 0; i < 512; i++) {
                buffers.add(frame.allocateUpload(100 * KIB, 16).buffer());
            }
            assertThat(buffers).hasSizeLessThanOrEqualTo(8);
            assertThat(reserved(device)).isLessThanOrEqualTo(3 * 512 * 100 * KIB);
            frame.reset();
            buffers.clear();
            for (int i = 0; i < 512; i++) {
                buffers.add(frame.allocateUpload(100 * KIB, 16).buffer());
            }
            assertThat(buffers).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSpikeIsGivenBackSomeRoundsLater(Backend backend) {
        try (GpuDevice device = open(backend);
                FrameContext frame = device.createFrameContext("frame")) {
            frame.allocateUpload(KIB, 16);
            frame.reset();
            frame.allocateUpload(SPIKE, 16);
            frame.reset();
            for (int round = 0; round < 4; round++) {
                frame.allocateUpload(SPIKE, 16);
                frame.reset();
                frame.allocateUpload(KIB, 16);
                assertThat(reserved(device)).isBetween(SPIKE, 3 * SPIKE);
                frame.reset();
            }
            for (int round = 0; round < SOME_ROUNDS; round++) {
                frame.allocateUpload(KIB, 16);
                frame.reset();
            }
            frame.allocateUpload(KIB, 16);
            assertThat(reserved(device)).isLessThanOrEqualTo(2 * MIB);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aLoadThatJumpsEveryFewRoundsKeepsItsBuffer(Backend backend) {
        Set<Buffer> buffers = Collections.newSetFromMap(new IdentityHashMap<>());
        try (GpuDevice device = open(backend);
                FrameContext frame = device.createFrameContext("frame")) {
            for (int round = 0; round < 200; round++) {
                Buffer buffer = frame.allocateUpload(round % 8 == 0 ? 20 * MIB : KIB, 16)
                        .buffer();
                frame.reset();
                if (round > 20) {
                    buffers.add(buffer);
                }
            }
        }
        assertThat(buffers).hasSize(1);
    }

    /** Texels of 3 x 32 bits begin at multiples of 12, and so on. */
    @ParameterizedTest
    @EnumSource
    void offsetsAreMultiplesOfWhateverIsAskedFor(Backend backend) {
        try (GpuDevice device = open(backend);
                FrameContext frame = device.createFrameContext("frame")) {
            long end = 0;
            for (int alignment = 1; alignment < 100; alignment++) {
                BufferSlice slice = frame.allocateUpload(alignment, alignment);
                assertThat(slice.offset()).isGreaterThanOrEqualTo(end);
                assertThat(slice.offset() % alignment)
                        .as("aligned to %d", alignment)
                        .isZero();
                assertThat(slice.offset() % 16).isZero();
                end = slice.offset() + slice.bytes();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aKeptSliceIsFilledAgainAndAgain(Backend backend) {
        try (GpuDevice device = open(backend);
                FrameContext frame = device.createFrameContext("frame")) {
            UploadSlice slice = new UploadSlice();
            frame.allocateUpload(64, 16, slice);
            Buffer first = slice.buffer();
            var data = slice.data();
            assertThat(slice.offset()).isZero();
            assertThat(data.remaining()).isEqualTo(64);
            slice.data().putInt(7);
            frame.allocateUpload(32, 256, slice);
            assertThat(slice.buffer()).isSameAs(first);
            assertThat(slice.data()).isSameAs(data);
            assertThat(slice.offset()).isGreaterThanOrEqualTo(64);
            assertThat(slice.offset() % 256).isZero();
            assertThat(slice.bytes()).isEqualTo(32);
            assertThat(data.position()).isEqualTo((int) slice.offset());
            slice.data().putInt(9);
            assertThat(first.mapped().getInt(0)).isEqualTo(7);
            assertThat(first.mapped().getInt((int) slice.offset())).isEqualTo(9);
            frame.allocateUpload(8 * MIB, 16, slice);
            assertThat(slice.buffer()).isNotSameAs(first);
            assertThat(slice.data().remaining()).isEqualTo((int) (8 * MIB));
        }
    }
}
