package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.BufferUsage;
import io.frameloom.gpu.Format;
import io.frameloom.gpu.RenderingInfo.ClearColor;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.TextureRegion;
import io.frameloom.gpu.TextureUsage;
import io.frameloom.rdg.utility.ClearPasses;
import io.frameloom.rdg.utility.CopyPasses;
import io.frameloom.rdg.utility.GroupCount;
import io.frameloom.rdg.utility.MipPasses;
import io.frameloom.rdg.utility.UploadPasses;
import java.nio.ByteBuffer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Utility passes refuse what cannot be recorded when they are declared, by name, and add no pass. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UtilityMisuseTest {
    private static final TextureDescription SHAPE =
            TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED);

    private final RenderGraph graph =
            new RenderGraph("frame", RdgOptions.defaults().withDebug(true));
    private final RdgTexture color = graph.createTexture("color", SHAPE);
    private final RdgTexture depth =
            graph.createTexture("depth", TextureDescription.of(8, 8, Format.D32_SFLOAT, TextureUsage.SAMPLED));
    private final RdgBuffer buffer = graph.createBuffer("buffer", BufferDescription.device(18, BufferUsage.STORAGE));

    private void refused(ThrowingCallable misuse, String... parts) {
        assertThatThrownBy(misuse).isInstanceOf(RdgException.class).hasMessageContainingAll(parts);
        assertThat(graph.declared().passes()).isEmpty();
    }

    @Test
    void clears() {
        ClearColor black = ClearColor.BLACK_TRANSPARENT;
        refused(() -> ClearPasses.texture(graph, depth, black), "'depth'", "D32_SFLOAT", "depthStencil");
        refused(() -> ClearPasses.rectangle(graph, depth, black, 0, 0, 1, 1), "'depth'");
        refused(() -> ClearPasses.rectangle(graph, color, black, 7, 0, 2, 1), "'color'", "2x1 at 7,0", "8x8");
        RdgTexture mips = graph.createTexture("mips", SHAPE.withMips(3));
        refused(() -> ClearPasses.rectangle(graph, mips.view(), black, 0, 0, 1, 1), "3 mips of 'mips'", "one mip");
        refused(() -> ClearPasses.rectangle(graph, mips.mip(1), black, 3, 0, 2, 1), "'mips'", "2x1 at 3,0", "4x4");
        refused(() -> ClearPasses.depthStencil(graph, color, 0, 0), "'color'", "depth or stencil");
        refused(() -> ClearPasses.depth(graph, color, 0), "'color'", "no depth");
        refused(() -> ClearPasses.stencil(graph, depth, 0), "'depth'", "no stencil");
        refused(() -> ClearPasses.buffer(graph, buffer, 0), "'buffer'", "18 bytes", "multiples of 4");
        refused(() -> ClearPasses.buffer(graph, buffer.view(2, 4), 0), "'buffer'", "byte 2");
    }

    @Test
    void copies() {
        RdgTexture small = graph.createTexture("small", SHAPE.withMips(2));
        refused(() -> CopyPasses.texture(graph, color, small), "'color'", "'small'", "mips=2");
        refused(() -> CopyPasses.resolve(graph, color, small), "'color'", "'small'", "several samples to one");
        refused(() -> CopyPasses.buffer(graph, buffer.view(0, 8), buffer.view(4, 8)), "'buffer' bytes 0+8", "overlaps");
        refused(() -> CopyPasses.buffer(graph, buffer.view(0, 4), buffer.view(8, 8)), "another length");
    }

    @Test
    void uploads() {
        refused(() -> UploadPasses.createBuffer(graph, "none", ByteBuffer.allocate(0), BufferUsage.STORAGE), "'none'");
        refused(() -> UploadPasses.texture(graph, color, ByteBuffer.allocate(8)), "'color'", "256 bytes", "8 are");
        TextureRegion outside = new TextureRegion(-1, 0, 1, 0, 0, 0, 0, 1, 1, 1);
        refused(() -> UploadPasses.texture(graph, color, outside, ByteBuffer.allocate(4)), "'color'");
    }

    @Test
    void mips() {
        RdgTexture blocks = graph.createTexture(
                "blocks",
                TextureDescription.of(8, 8, Format.BC7_UNORM, TextureUsage.SAMPLED)
                        .withMips(2));
        refused(() -> MipPasses.generate(graph, blocks), "'blocks'", "BC7_UNORM", "not compressed");
        refused(() -> MipPasses.generate(graph, depth), "'depth'");
    }

    @Test
    void groupCountsCoverTheThreads() {
        assertThat(GroupCount.of(1, 64)).isEqualTo(new GroupCount(1, 1, 1));
        assertThat(GroupCount.of(64, 64)).isEqualTo(new GroupCount(1, 1, 1));
        assertThat(GroupCount.of(65, 64)).isEqualTo(new GroupCount(2, 1, 1));
        assertThat(GroupCount.of(Integer.MAX_VALUE, 1)).isEqualTo(new GroupCount(Integer.MAX_VALUE, 1, 1));
        assertThat(GroupCount.of(1920, 1081, 8, 8)).isEqualTo(new GroupCount(240, 136, 1));
        assertThat(GroupCount.of(9, 8, 7, 8, 8, 8)).isEqualTo(new GroupCount(2, 1, 1));
        assertThat(GroupCount.wrapped(1_000_000, 1, 65_535)).isEqualTo(new GroupCount(62_500, 16, 1));
        assertThat(GroupCount.wrapped(100, 64, 65_535)).isEqualTo(new GroupCount(2, 1, 1));
        assertThatThrownBy(() -> GroupCount.of(0, 64))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0 threads in groups of 64");
        assertThatThrownBy(() -> new GroupCount(1, 0, 1)).hasMessageContaining("1, 0, 1");
    }
}
