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
import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** What was written is remembered byte by byte, no more and no less. */
class WrittenRangesTest {
    private static final BufferDescription SHAPE = BufferDescription.device(64, BufferUsage.COPY_DST);

    private static void withBuffers(BiConsumer<Buffer, Buffer> body) {
        try (TaskGraph tasks = TaskGraph.builder().name("ranges").workers(1).build();
                GpuDevice device = VirtualDevice.open(
                        new VirtualGpuOptions(1, 1), new DeviceOptions(tasks, "ranges", false, null));
                Buffer first = device.createBuffer("first", SHAPE);
                Buffer second = device.createBuffer("second", SHAPE)) {
            body.accept(first, second);
        }
    }

    @Test
    void writesApartDoNotOverlapInWhateverOrder() {
        withBuffers((first, second) -> {
            WrittenRanges written = new WrittenRanges();
            written.add(first, 0, 8);
            written.add(first, 32, 40);
            assertThat(written.overlap(first, 8, 32)).isFalse();
            written.add(first, 16, 24);
            assertThat(written.overlap(first, 8, 16)).isFalse();
            assertThat(written.overlap(first, 24, 32)).isFalse();
            assertThat(written.overlap(first, 23, 24)).isTrue();
            assertThat(written.overlap(first, 16, 17)).isTrue();
            assertThat(written.overlap(second, 0, 64)).isFalse();
            written.clear();
            assertThat(written.overlap(first, 0, 64)).isFalse();
        });
    }

    /** The next one overlaps, so that a barrier comes and all are forgotten: each costs a move of the others. */
    @Test
    void notesAsManyRangesOfABufferAsCostLittle() {
        withBuffers((first, second) -> {
            WrittenRanges written = new WrittenRanges();
            for (int i = WrittenRanges.MOST; i > 0; i--) {
                assertThat(written.overlap(first, 2L * i, 2L * i + 1)).isFalse();
                written.add(first, 2L * i, 2L * i + 1);
            }
            assertThat(written.overlap(first, 0, 1)).isTrue();
            assertThat(written.overlap(second, 0, 1)).isFalse();
            written.clear();
            assertThat(written.overlap(first, 0, 1)).isFalse();
        });
    }

    @Test
    void agreesWithAMapOfAllBytes() {
        withBuffers((first, second) -> {
            for (long seed = 0; seed < 200; seed++) {
                SplittableRandom random = new SplittableRandom(seed);
                WrittenRanges written = new WrittenRanges();
                BitSet bytes = new BitSet();
                for (int i = 0; i < 60; i++) {
                    int from = random.nextInt(64);
                    int to = random.nextInt(from + 1, 65);
                    int next = bytes.nextSetBit(from);
                    boolean expected = next >= 0 && next < to;
                    assertThat(written.overlap(first, from, to))
                            .as("seed %d, %d to %d of %s", seed, from, to, bytes)
                            .isEqualTo(expected);
                    if (!expected) {
                        written.add(first, from, to);
                        bytes.set(from, to);
                    }
                }
            }
        });
    }
}
