package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Filter;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.utility.CopyPasses;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.rdg.utility.UploadPasses;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Texels of every format go up, across and down again, as bytes. */
class TexelTransfersTest {
    private final RenderGraph graph = new RenderGraph("texels");

    private static TextureDescription shape(int width, int height, Format format) {
        return TextureDescription.of(
                width, height, format, TextureUsage.SAMPLED, TextureUsage.COPY_SRC, TextureUsage.COPY_DST);
    }

    private RdgTexture texture(String name, int width, int height, Format format) {
        return graph.createTexture(name, shape(width, height, format));
    }

    private static TextureRegion region(RdgTexture texture, int x, int y, int width, int height) {
        return TextureRegion.mip(texture.description(), 0).withRectangle(x, y, width, height);
    }

    private static ByteBuffer counted(int bytes, int first) {
        ByteBuffer data = ByteBuffer.allocate(bytes);
        for (int i = 0; i < bytes; i++) {
            data.put(i, (byte) (7 * i + first));
        }
        return data;
    }

    private static void execute(DeviceRig rig, RenderGraph graph) {
        rig.executor.execute(rig.compile(graph)).completed().await();
    }

    /** Where an upload lies in the memory of its frame is nothing that the application can see to. */
    @ParameterizedTest
    @EnumSource(names = {"VIRTUAL", "VULKAN"})
    void uploadsOfEveryFormatAfterOthersInOneFrame(TestDevice device) {
        device.run(rig -> {
            Map<RdgReadback, ByteBuffer> expected = new LinkedHashMap<>();
            for (Format format : Format.values()) {
                if (format.isDepth() || !rig.device.formatSupport(format).sampled()) {
                    continue;
                }
                UploadPasses.createBuffer(graph, "odd", counted(1 + format.ordinal() % 7, 3), BufferUsage.COPY_SRC);
                RdgTexture texture = texture(format.name(), 5, 3, format);
                TextureRegion all = TextureRegion.mip(texture.description(), 0);
                ByteBuffer data = counted((int) TexelLayout.tight(0).totalBytes(format, all), format.ordinal());
                UploadPasses.texture(graph, texture, data);
                expected.put(ReadbackPasses.texture(graph, texture), data);
            }
            execute(rig, graph);
            assertThat(expected).hasSizeGreaterThan(40);
            expected.forEach(
                    (readback, data) -> assertThat(readback.bytes().join().equals(data))
                            .as("%s", readback)
                            .isTrue());
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"VIRTUAL", "VULKAN"})
    void texelsBecomeBlocksOfTheirSizeAndBlocksTexels(TestDevice device) {
        device.run(rig -> {
            Map<RdgReadback, ByteBuffer> expected = new LinkedHashMap<>();
            Map<Format, Format> pairs = Map.of(
                    Format.R16G16B16A16_UINT, Format.BC1_RGBA_UNORM,
                    Format.R32G32_UINT, Format.BC4_UNORM,
                    Format.R32G32B32A32_UINT, Format.BC7_UNORM);
            pairs.forEach((plain, blocks) -> {
                RdgTexture texels = texture(plain.name(), 3, 3, plain);
                RdgTexture compressed = texture(blocks.name(), 12, 12, blocks);
                RdgTexture back = texture(plain.name() + " back", 4, 4, plain);
                ByteBuffer data = counted(9 * plain.blockBytes(), 11);
                UploadPasses.texture(graph, texels, data);
                CopyPasses.texture(
                        graph, texels, region(texels, 0, 0, 3, 3), compressed, region(compressed, 0, 0, 12, 12));
                UploadPasses.texture(graph, back, counted(16 * plain.blockBytes(), 1));
                CopyPasses.texture(graph, compressed, region(compressed, 4, 0, 8, 12), back, region(back, 1, 1, 2, 3));
                expected.put(ReadbackPasses.texture(graph, compressed), data);
                expected.put(
                        ReadbackPasses.texture(graph, back, region(back, 1, 2, 1, 1)),
                        data.slice(4 * plain.blockBytes(), plain.blockBytes()));
            });
            RdgTexture one = texture("one", 12, 8, Format.BC1_RGBA_UNORM);
            RdgTexture other = texture("other", 12, 8, Format.BC4_UNORM);
            ByteBuffer blocks = counted(48, 5);
            UploadPasses.texture(graph, one, blocks);
            CopyPasses.texture(graph, one, other);
            expected.put(ReadbackPasses.texture(graph, other), blocks);
            execute(rig, graph);
            expected.forEach(
                    (readback, data) -> assertThat(readback.bytes().join().equals(data))
                            .as("%s", readback)
                            .isTrue());
        });
    }

    /** Vulkan reads the blocks that an edge cuts as texels, and writes them from buffers alone. */
    @ParameterizedTest
    @EnumSource(names = {"VIRTUAL", "VULKAN"})
    void blocksThatAnEdgeCutsAreWholeTexels(TestDevice device) {
        device.run(rig -> {
            RdgTexture compressed = texture("compressed", 10, 6, Format.BC1_RGBA_UNORM);
            RdgTexture texels = texture("texels", 3, 2, Format.R16G16B16A16_UINT);
            TextureRegion blocks = region(compressed, 0, 0, 10, 6);
            TextureRegion all = region(texels, 0, 0, 3, 2);
            ByteBuffer data = counted(48, 9);
            UploadPasses.texture(graph, compressed, data);
            CopyPasses.texture(graph, compressed, blocks, texels, all);
            RdgReadback seen = ReadbackPasses.texture(graph, texels);
            execute(rig, graph);
            assertThat(seen.bytes().join().equals(data)).isTrue();
            assertThatThrownBy(() -> CopyPasses.texture(graph, texels, all, compressed, blocks))
                    .isInstanceOf(RdgException.class)
                    .hasMessageContainingAll("'compressed' ends within blocks of 4x4", "from a buffer");
        });
    }

    /** Both are refused when they are declared, with a way that can be gone: it is, here. */
    @ParameterizedTest
    @EnumSource(names = {"VIRTUAL", "VULKAN"})
    void regionsOfOneMipAreCopiedThroughAnotherTexture(TestDevice device) {
        device.run(rig -> {
            RdgTexture texture = texture("texture", 8, 4, Format.R32_UINT);
            RdgTexture between = texture("between", 4, 4, Format.R32_UINT);
            TextureRegion left = region(texture, 0, 0, 4, 4);
            TextureRegion right = region(texture, 4, 0, 4, 4);
            TextureRegion all = region(between, 0, 0, 4, 4);
            assertThatThrownBy(() -> CopyPasses.texture(graph, texture, left, texture, right))
                    .isInstanceOf(RdgException.class)
                    .hasMessageContainingAll("'texture' share a mip", "through another texture with two calls");
            assertThatThrownBy(() -> CopyPasses.blit(graph, texture, left, texture, right, Filter.NEAREST))
                    .isInstanceOf(RdgException.class)
                    .hasMessageContaining("through another texture with two calls");
            UploadPasses.texture(graph, texture, counted(128, 2));
            CopyPasses.texture(graph, texture, left, between, all);
            CopyPasses.texture(graph, between, all, texture, right);
            RdgReadback one = ReadbackPasses.texture(graph, texture, left);
            RdgReadback other = ReadbackPasses.texture(graph, texture, right);
            execute(rig, graph);
            assertThat(other.bytes().join().equals(one.bytes().join())).isTrue();
        });
    }
}
