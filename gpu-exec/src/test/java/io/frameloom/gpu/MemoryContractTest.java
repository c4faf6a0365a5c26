package io.frameloom.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryHeap;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.MemoryStatistics;
import io.frameloom.gpu.resource.MemoryStatistics.Kind;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.taskgraph.TaskGraph;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What devices of every backend say of their memory, and that they keep within its limit. */
@Timeout(60)
class MemoryContractTest {
    private static final long MIB = 1 << 20;

    private TaskGraph tasks;
    private DeviceOptions options;

    @BeforeEach
    void buildTaskGraph() {
        tasks = TaskGraph.builder().name("memory").workers(1).build();
        options = new DeviceOptions(tasks, "memory", false, null);
    }

    @AfterEach
    void closeTaskGraph() {
        tasks.close();
    }

    private static List<String> names(GpuDevice device) {
        return device.memoryStatistics().allocations().stream()
                .map(MemoryStatistics.Allocation::name)
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void memoryIsCountedByNameKindAndHeap(Backend backend) {
        try (GpuDevice device = backend.open(options)) {
            long before = device.memoryStatistics().bytes();
            TextureDescription shape = TextureDescription.of(256, 256, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED);
            MemoryRequirements needs = device.requirements(shape);
            Texture texture = device.createTexture("albedo", shape);
            Buffer buffer = device.createBuffer("vertices", BufferDescription.device(MIB, BufferUsage.VERTEX));
            Buffer upload = device.createBuffer("staging", BufferDescription.upload(2 * MIB, BufferUsage.COPY_SRC));
            Buffer readback = device.createBuffer("picture", BufferDescription.readback(4 * MIB));
            MemoryHeap heap = device.createHeap("transients", needs.bytes(), needs.memoryTypes());
            Texture placed = heap.placeTexture("placed", shape, 0);

            MemoryStatistics used = device.memoryStatistics();
            assertThat(names(device))
                    .contains("albedo", "vertices", "staging", "picture", "transients")
                    .doesNotContain("placed");
            assertThat(names(device).get(0)).isEqualTo("picture");
            assertThat(used.byKind().get(Kind.BUFFER)).isGreaterThanOrEqualTo(MIB);
            assertThat(used.byKind().get(Kind.UPLOAD)).isGreaterThanOrEqualTo(2 * MIB);
            assertThat(used.byKind().get(Kind.READBACK)).isGreaterThanOrEqualTo(4 * MIB);
            assertThat(used.byKind().get(Kind.TEXTURE)).isGreaterThanOrEqualTo(256 * 256 * 4);
            assertThat(used.byKind().get(Kind.HEAP)).isGreaterThanOrEqualTo(needs.bytes());
            assertThat(used.heaps()).isNotEmpty().allSatisfy(one -> {
                assertThat(one.budget()).isBetween(1L, one.bytes());
                assertThat(one.reserved()).isGreaterThanOrEqualTo(one.occupied());
            });
            assertThat(used.heaps().stream()
                            .mapToLong(MemoryStatistics.Heap::occupied)
                            .sum())
                    .isGreaterThanOrEqualTo(used.bytes());
            assertThat(used.allocations())
                    .allSatisfy(allocation -> assertThat(allocation.heap())
                            .isBetween(0, used.heaps().size() - 1));

            placed.close();
            for (AutoCloseable closed : List.of(texture, buffer, upload, readback, heap)) {
                close(closed);
                close(closed);
            }
            assertThat(device.memoryStatistics().bytes()).isEqualTo(before);
        }
    }

    private static void close(AutoCloseable object) {
        try {
            object.close();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatExceedsTheLimitIsRefusedWithEverythingThatHelps(Backend backend) {
        try (GpuDevice device = backend.open(options.withMemoryLimit(16 * MIB))) {
            try (Buffer kept = device.createBuffer("kept", BufferDescription.device(4 * MIB, BufferUsage.STORAGE))) {
                MemoryStatistics before = device.memoryStatistics();
                assertThat(before.heaps())
                        .allSatisfy(heap -> assertThat(heap.bytes()).isLessThanOrEqualTo(16 * MIB));
                assertThatThrownBy(() -> device.createBuffer(
                                "too large", BufferDescription.device(14 * MIB, BufferUsage.STORAGE)))
                        .isInstanceOf(GpuOutOfMemoryException.class)
                        .hasMessageContaining("buffer 'too large'")
                        .hasMessageContaining(Long.toString(14 * MIB))
                        .hasMessageContaining("heap 0")
                        .hasMessageContaining("of " + 16 * MIB + " bytes")
                        .hasMessageContaining("'kept' (BUFFER, " + 4 * MIB + " bytes)")
                        .hasMessageContaining("ask for less");
                assertThatThrownBy(() -> device.createTexture(
                                "large picture",
                                TextureDescription.of(2048, 2048, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED)))
                        .isInstanceOf(GpuOutOfMemoryException.class)
                        .hasMessageContaining("texture 'large picture'");
                assertThatThrownBy(() -> device.createHeap("large heap", 14 * MIB, 1))
                        .isInstanceOf(GpuOutOfMemoryException.class)
                        .hasMessageContaining("heap 'large heap'");
                assertThat(device.memoryStatistics().allocations()).isEqualTo(before.allocations());
                assertThat(kept.isClosed()).isFalse();
            }
            device.createBuffer("fits when that is gone", BufferDescription.device(14 * MIB, BufferUsage.STORAGE))
                    .close();
            assertThat(device.validationMessages()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatWasForgottenIsReportedWithTheLineThatCreatedIt(Backend backend) {
        GpuDevice device = backend.open(options.withCreationSites());
        TextureDescription shape = TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED);
        MemoryRequirements needs = device.requirements(shape);
        device.createBuffer("forgotten", BufferDescription.readback(4));
        MemoryHeap heap = device.createHeap("forgotten heap", needs.bytes(), needs.memoryTypes());
        heap.placeTexture("forgotten resident", shape, 0);
        String here = "whatWasForgottenIsReportedWithTheLineThatCreatedIt(MemoryContractTest.java:";
        assertThatThrownBy(device::close)
                .isInstanceOf(IllegalStateException.class)
                .message()
                .contains("closed before everything on it: ")
                .containsPattern("buffer 'forgotten' created at [^,]*\\Q" + here)
                .containsPattern("heap 'forgotten heap' created at [^,]*\\Q" + here)
                .containsPattern("texture 'forgotten resident' created at [^,]*\\Q" + here);
    }

    @ParameterizedTest
    @EnumSource
    void whatIsTooLargeHasNoRequirements(Backend backend) {
        try (GpuDevice device = backend.open(options)) {
            BufferDescription endless = BufferDescription.device(Long.MAX_VALUE, BufferUsage.STORAGE);
            assertThatThrownBy(() -> device.requirements(endless))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("maxBufferBytes");
        }
    }

    @ParameterizedTest
    @EnumSource
    void samplesAreNotStored(Backend backend) {
        try (GpuDevice device = backend.open(options)) {
            TextureDescription many = TextureDescription.of(
                            8, 8, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT, TextureUsage.STORAGE)
                    .withSamples(4);
            assertThatThrownBy(() -> device.createTexture("many", many))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'many'")
                    .hasMessageContaining("STORAGE");
        }
    }
}
