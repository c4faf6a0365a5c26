package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Filter;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.utility.ClearPasses;
import io.frameloom.rdg.utility.CopyPasses;
import io.frameloom.rdg.utility.GroupCount;
import io.frameloom.rdg.utility.MipPasses;
import io.frameloom.rdg.utility.ReadbackPasses;
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
    private final RdgTexture smooth = graph.createTexture(
            "smooth",
            TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT)
                    .withSamples(4));
    private final RdgTexture smoothDepth = graph.createTexture(
            "smooth depth",
            TextureDescription.of(8, 8, Format.D32_SFLOAT, TextureUsage.DEPTH_ATTACHMENT)
                    .withSamples(4));
    private final RdgBuffer buffer = graph.createBuffer("buffer", BufferDescription.device(18, BufferUsage.STORAGE));

    private static TextureDescription of(Format format) {
        return TextureDescription.of(8, 8, format, TextureUsage.SAMPLED);
    }

    private void refused(ThrowingCallable misuse, String... parts) {
        assertThatThrownBy(misuse).isInstanceOf(RdgException.class).hasMessageContainingAll(parts);
        assertThat(graph.declaration().declared().passes()).isZero();
    }

    @Test
    void clears() {
        ClearColor black = ClearColor.BLACK_TRANSPARENT;
        refused(() -> ClearPasses.texture(graph, depth, black), "'depth'", "D32_SFLOAT", "depthStencil");
        RdgTexture blocks = graph.createTexture("blocks", of(Format.BC7_UNORM));
        refused(() -> ClearPasses.texture(graph, blocks, black), "'blocks'", "BC7_UNORM", "compressed");
        refused(() -> ClearPasses.depthStencil(graph, color, 0, 0), "'color'", "depth or stencil");
        refused(() -> ClearPasses.depth(graph, color, 0), "'color'", "no depth");
        refused(() -> ClearPasses.stencil(graph, depth, 0), "'depth'", "no stencil");
        refused(() -> ClearPasses.buffer(graph, buffer, 0), "'buffer'", "18 bytes", "multiples of 4");
        refused(() -> ClearPasses.buffer(graph, buffer.view(2, 4), 0), "'buffer'", "byte 2");
    }

    @Test
    void copies() {
        RdgTexture small = graph.createTexture("small", SHAPE.withMips(2));
        refused(() -> CopyPasses.texture(graph, color, small), "'color'", "'small'", "8x8x1 texels", "2 mips");
        refused(() -> CopyPasses.resolve(graph, color, small), "'color'", "nothing to resolve");
        RdgTexture narrow =
                graph.createTexture("narrow", TextureDescription.of(4, 8, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED));
        refused(() -> CopyPasses.resolve(graph, smooth, narrow), "'smooth'", "'narrow'", "several samples to one");
        refused(() -> CopyPasses.resolve(graph, smoothDepth, depth), "'smooth depth'", "'depth'", "D32_SFLOAT");
        refused(() -> CopyPasses.buffer(graph, buffer.view(0, 8), buffer.view(4, 8)), "'buffer' bytes 0+8", "overlaps");
        refused(() -> CopyPasses.buffer(graph, buffer.view(0, 4), buffer.view(8, 8)), "another length");
    }

    @Test
    void copiesOfTexels() {
        TextureRegion all = TextureRegion.mip(SHAPE, 0);
        RdgTexture wide = graph.createTexture("wide", of(Format.R16G16B16A16_SFLOAT));
        refused(() -> CopyPasses.texture(graph, color, wide), "'color'", "'wide'", "R8G8B8A8_UNORM", "blit");
        refused(() -> CopyPasses.texture(graph, color, all, wide, all), "'wide'", "R16G16B16A16_SFLOAT");
        refused(() -> CopyPasses.texture(graph, color, all, depth, all), "'depth'", "D32_SFLOAT");
        refused(() -> CopyPasses.texture(graph, color, all, smooth, all), "'smooth'", "1 and 4 samples");
        refused(() -> CopyPasses.texture(graph, smooth, color), "'smooth'", "4 samples");
        TextureRegion corner = all.withRectangle(6, 6, 4, 4);
        refused(() -> CopyPasses.texture(graph, color, corner, color, corner), "'color'", "4x4x1 texels at 6,6,0");
        TextureRegion left = all.withRectangle(0, 0, 4, 8);
        RdgTexture same = graph.createTexture("same", of(Format.R8G8B8A8_UNORM));
        refused(() -> CopyPasses.texture(graph, color, left, same, all), "'color'", "'same'", "differ in extent");
        refused(() -> CopyPasses.texture(graph, color, left, color, left.withRectangle(2, 0, 4, 8)), "overlap");
        refused(() -> CopyPasses.texture(graph, color, color), "'color'", "overlap");
    }

    /** What is advised can be done: blits write no compressed formats, and convert no kinds of numbers. */
    @Test
    void copiesOfBlocks() {
        TextureRegion all = TextureRegion.mip(SHAPE, 0);
        RdgTexture blocks = graph.createTexture("blocks", of(Format.BC1_RGBA_UNORM));
        RdgTexture eight = graph.createTexture("eight", of(Format.R16G16B16A16_UINT));
        RdgTexture other = graph.createTexture("other", of(Format.BC7_UNORM));
        RdgTexture large = graph.createTexture("large", of(Format.ASTC_8X8_UNORM));
        refused(
                () -> CopyPasses.texture(graph, color, all, blocks, all),
                "texels of 4 bytes (R8G8B8A8_UNORM) and blocks of 4x4 texels in 8 bytes (BC1_RGBA_UNORM)",
                "compress the texels before they are uploaded",
                "8 bytes a texel, and copy that");
        refused(() -> CopyPasses.texture(graph, other, all, large, all), "blocks of 8x8", "compress the texels");
        refused(() -> CopyPasses.texture(graph, blocks, all, color, all), "; blit to convert");
        refused(() -> CopyPasses.texture(graph, color, all, eight, all), "; convert in a shader");
        refused(
                () -> CopyPasses.texture(graph, eight, all, blocks, all),
                "differ in extent",
                "texels of 8 bytes (R16G16B16A16_UINT) go to blocks of 4x4 texels in 8 bytes",
                "one to one");
        RdgTexture half =
                graph.createTexture("half", TextureDescription.of(4, 4, Format.BC1_RGBA_UNORM, TextureUsage.SAMPLED));
        assertThatThrownBy(() -> CopyPasses.texture(graph, eight, half)).hasMessageEndingWith("; name regions of both");
    }

    @Test
    void blits() {
        TextureRegion all = TextureRegion.mip(SHAPE, 0);
        RdgTexture whole = graph.createTexture("whole", of(Format.R8G8B8A8_UINT));
        refused(() -> CopyPasses.blit(graph, smooth, all, color, all, Filter.NEAREST), "'smooth'", "4 samples");
        refused(() -> CopyPasses.blit(graph, color, all, smooth, all, Filter.NEAREST), "'smooth'", "4 samples");
        refused(() -> CopyPasses.blit(graph, color, all, depth, all, Filter.NEAREST), "'depth'", "equal format");
        refused(() -> CopyPasses.blit(graph, color, all, whole, all, Filter.NEAREST), "'whole'", "no conversion");
        RdgTexture other = graph.createTexture("other", of(Format.D32_SFLOAT));
        refused(() -> CopyPasses.blit(graph, depth, all, other, all, Filter.LINEAR), "'other'", "NEAREST");
        refused(() -> CopyPasses.blit(graph, color, all.withLayers(0, 2), color, all, Filter.NEAREST), "'color'");
    }

    @Test
    void readbacks() {
        int resources = graph.declaration().declared().resources();
        refused(() -> ReadbackPasses.texture(graph, smooth), "'smooth'", "4 samples", "resolve");
        TextureRegion outside = TextureRegion.mip(SHAPE, 0).withRectangle(0, 0, 9, 8);
        refused(() -> ReadbackPasses.texture(graph, color, outside), "'color'", "9x8x1 texels");
        assertThat(graph.declaration().declared().resources()).isEqualTo(resources);
    }

    @Test
    void uploads() {
        refused(() -> UploadPasses.texture(graph, smooth, ByteBuffer.allocate(256)), "'smooth'", "4 samples");
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
