package io.frameloom.benchmarks.gpu.streaming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.benchmarks.gpu.plain.PlainValidation;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.vulkan.VulkanDeviceInfo;
import io.frameloom.gpu.vulkan.VulkanDevices;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Both ways move what they say they move. */
final class StreamingBenchmarkTest {
    private static final int EXTENT = 16;

    @BeforeEach
    void assumeVulkan() {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
    }

    @ParameterizedTest
    @EnumSource
    void turnsEndWithAllLevelsAndBeginWithNone(StreamingBenchmark.Stored stored) throws Exception {
        StreamingBenchmark benchmark = new StreamingBenchmark();
        benchmark.stored = stored;
        benchmark.extent = 4 * EXTENT;
        benchmark.textures = 2;
        benchmark.loadBytes = 1 << 16;
        StreamingBenchmark.Turns turns = new StreamingBenchmark.Turns();
        turns.begin();
        try {
            benchmark.open();
            benchmark.streamThenCopy(turns);
            double once = turns.megabytes();
            assertThat(once).isPositive();
            benchmark.streamThenCopy(turns);
            assertThat(turns.megabytes()).isEqualTo(2 * once);
        } finally {
            benchmark.close();
        }
        assertThat(turns.streamedMillis()).isPositive();
        assertThat(turns.bareMillis()).isPositive();
        turns.begin();
        assertThat(turns.megabytes()).isZero();
    }

    @Test
    void moreThanAStagingBufferHoldsIsRefused() {
        TextureDescription shape = TextureDescription.of(2, 2, Format.R8G8B8A8_UNORM);
        List<ByteBuffer> levels = List.of(ByteBuffer.allocateDirect(16));
        assertThatThrownBy(() -> new BareCopy("", 0, shape, levels, 1 << 27, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("134217728 textures of 16 bytes exceed a staging buffer of 2147483647 bytes");
    }

    @Test
    void theBareCopyCopiesAndIsSynchronised() {
        List<ByteBuffer> levels = IntStream.rangeClosed(0, 4)
                .mapToObj(level -> ByteBuffer.allocateDirect(4 * (EXTENT >> level) * (EXTENT >> level)))
                .toList();
        levels.forEach(each -> {
            while (each.hasRemaining()) {
                each.put((byte) (7 * each.position() + each.capacity()));
            }
            each.flip();
        });
        TextureDescription shape = new TextureDescription(
                EXTENT,
                EXTENT,
                levels.size(),
                1,
                Format.R8G8B8A8_UNORM,
                EnumSet.of(TextureUsage.SAMPLED, TextureUsage.COPY_DST));
        String uuid = VulkanDevices.list().stream()
                .filter(VulkanDeviceInfo::usable)
                .findFirst()
                .orElseThrow()
                .uuid();
        try (PlainValidation validation = new PlainValidation()) {
            try (BareCopy copy = new BareCopy(uuid, 0, shape, levels, 3, validation)) {
                copy.copy();
                copy.requireCopied();
                copy.copy();
                copy.requireCopied();
            }
            assertThat(validation.messages()).isEmpty();
        }
    }
}
