package io.frameloom.gpu.record;

import static io.frameloom.gpu.record.CommandRig.bytes;
import static io.frameloom.gpu.record.CommandRig.full;
import static io.frameloom.gpu.record.CommandRig.transition;
import static io.frameloom.gpu.record.CommandRig.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Filter;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureUsage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What copies, blits and clears do to bytes, equal on every backend. */
@Timeout(60)
class TransferContractTest {
    private static TextureDescription copies(int width, int height, Format format) {
        return TextureDescription.of(width, height, format, TextureUsage.COPY_SRC, TextureUsage.COPY_DST);
    }

    private static int[] count(int words) {
        return IntStream.range(1, words + 1).toArray();
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void regionsWithPitchesGoToLayersOfAMip(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            TextureDescription shape =
                    copies(8, 8, Format.R8G8B8A8_UNORM).withMips(2).withLayers(3);
            Texture texture = rig.texture("array", shape);
            int[] source = count(64);
            Buffer upload = rig.upload(source);
            Buffer result = rig.readback(4 * 4 * 3 * 4);
            // 2x3 texels in layers 1 and 2 of mip 1, rows of 8 texels, slices of 4 rows.
            TextureRegion region = new TextureRegion(1, 1, 2, 0, 1, 0, 0, 2, 3, 1);
            rig.execute(list -> {
                transition(list, texture, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST);
                list.clearTexture(texture, SubresourceRange.all(shape), ClearColor.BLACK_TRANSPARENT);
                full(list);
                list.copyBufferToTexture(upload, new TexelLayout(4, 32, 128), texture, region);
                transition(list, texture, TextureLayout.TRANSFER_DST, TextureLayout.TRANSFER_SRC);
                list.copyTextureToBuffer(texture, TextureRegion.mip(shape, 1), result, TexelLayout.tight(0));
            });
            int[] expected = new int[48];
            for (int layer = 0; layer < 2; layer++) {
                for (int y = 0; y < 3; y++) {
                    for (int x = 0; x < 2; x++) {
                        expected[(layer + 1) * 16 + y * 4 + x + 1] = source[1 + layer * 32 + y * 8 + x];
                    }
                }
            }
            assertThat(words(result)).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void slicesWhoseSumIsBeyondALongAreRefused(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            TextureDescription shape = copies(1, 1, Format.R8G8B8A8_UNORM).withLayers(17);
            Texture texture = rig.texture("array", shape);
            Buffer upload = rig.upload(count(64));
            rig.execute(list -> {
                transition(list, texture, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST);
                // 16 slices of 2^60 bytes are 2^64, which is 0 in a long.
                assertThatThrownBy(() -> list.copyBufferToTexture(
                                upload, new TexelLayout(0, 1L << 30, 1L << 60), texture, TextureRegion.mip(shape, 0)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("not within buffer");
            });
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void boxesOfThreeDimensionsAreCopied(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            TextureDescription shape = copies(4, 4, Format.R32_UINT).withDepth(4);
            Texture volume = rig.texture("volume", shape);
            Texture other = rig.texture("other", shape);
            int[] source = count(64);
            Buffer upload = rig.upload(source);
            Buffer result = rig.readback(2 * 2 * 2 * 4);
            TextureRegion box = new TextureRegion(0, 0, 1, 0, 1, 2, 1, 2, 2, 2);
            TextureRegion corner = new TextureRegion(0, 0, 1, 0, 2, 0, 2, 2, 2, 2);
            rig.execute(list -> {
                transition(list, volume, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST);
                transition(list, other, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST);
                list.copyBufferToTexture(upload, 0, volume, 0, 0);
                transition(list, volume, TextureLayout.TRANSFER_DST, TextureLayout.TRANSFER_SRC);
                list.copyTexture(volume, box, other, corner);
                transition(list, other, TextureLayout.TRANSFER_DST, TextureLayout.TRANSFER_SRC);
                list.copyTextureToBuffer(other, corner, result, TexelLayout.tight(0));
            });
            int[] expected = new int[8];
            for (int i = 0; i < 8; i++) {
                expected[i] = source[(1 + i / 4) * 16 + (2 + i / 2 % 2) * 4 + 1 + i % 2];
            }
            assertThat(words(result)).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void planesOfDepthAndStencilAreClearedAndCopiedByThemselves(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Format format = rig.device.firstSupported(TextureUsage.DEPTH_ATTACHMENT, Format.DEPTH_STENCIL);
            TextureDescription shape = copies(4, 2, format);
            Texture texture = rig.texture("depth and stencil", shape);
            Buffer stencilSource = rig.upload(new byte[] {1, 2, 3, 4});
            Buffer depth = rig.readback(32);
            Buffer stencil = rig.readback(8);
            TextureRegion all = TextureRegion.mip(shape, 0);
            SubresourceRange both = SubresourceRange.all(shape);
            rig.execute(list -> {
                transition(list, texture, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST);
                list.clearDepthStencil(texture, both, 0.5f, 9);
                full(list);
                list.copyBufferToTexture(
                        stencilSource,
                        TexelLayout.tight(0),
                        texture,
                        all.withPlane(1).withRectangle(2, 0, 2, 2));
                transition(list, texture, both.plane(1), TextureLayout.TRANSFER_DST, TextureLayout.TRANSFER_SRC);
                list.copyTextureToBuffer(texture, all.withPlane(1), stencil, TexelLayout.tight(0));
                list.clearDepthStencil(texture, both.plane(0), 0.25f, 0);
                transition(list, texture, both.plane(0), TextureLayout.TRANSFER_DST, TextureLayout.TRANSFER_SRC);
                list.copyTextureToBuffer(texture, 0, 0, depth, 0);
            });
            assertThat(bytes(stencil)).containsExactly(9, 9, 1, 2, 9, 9, 3, 4);
            int quarter = format == Format.D32_SFLOAT_S8_UINT ? Float.floatToIntBits(0.25f) : 0x400000;
            int mask = format == Format.D32_SFLOAT_S8_UINT ? -1 : 0xFFFFFF;
            assertThat(Arrays.stream(words(depth)).map(word -> word & mask)).containsOnly(quarter);
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void facesOfCubesAndMipsAreCopiedBetweenTextures(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            TextureDescription shape = TextureDescription.cube(
                            4, Format.R32_UINT, TextureUsage.COPY_SRC, TextureUsage.COPY_DST)
                    .withMips(2);
            Texture cube = rig.texture("cube", shape);
            Texture flat = rig.texture("flat", copies(2, 2, Format.R32_SFLOAT).withLayers(2));
            Buffer upload = rig.upload(count(24));
            Buffer result = rig.readback(32);
            TextureRegion faces = TextureRegion.mip(shape, 1);
            rig.execute(list -> {
                transition(list, cube, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST);
                transition(list, flat, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST);
                list.copyBufferToTexture(upload, TexelLayout.tight(0), cube, faces);
                transition(list, cube, TextureLayout.TRANSFER_DST, TextureLayout.TRANSFER_SRC);
                list.copyTexture(cube, faces.withLayers(4, 2), flat, TextureRegion.mip(flat.description(), 0));
                transition(list, flat, TextureLayout.TRANSFER_DST, TextureLayout.TRANSFER_SRC);
                list.copyTextureToBuffer(flat, TextureRegion.mip(flat.description(), 0), result, TexelLayout.tight(0));
            });
            assertThat(words(result)).containsExactly(17, 18, 19, 20, 21, 22, 23, 24);
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void blocksOfCompressedTexturesAreCopied(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            org.junit.jupiter.api.Assumptions.assumeTrue(
                    rig.device.formatSupport(Format.BC1_RGBA_UNORM).copies(), "the device has no BC1");
            TextureDescription shape = copies(10, 6, Format.BC1_RGBA_UNORM);
            Texture texture = rig.texture("blocks", shape);
            Buffer all = rig.upload(count(12));
            Buffer one = rig.upload(new int[] {77, 78});
            Buffer result = rig.readback(48);
            rig.execute(list -> {
                transition(list, texture, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST);
                list.copyBufferToTexture(all, 0, texture, 0, 0);
                full(list);
                list.copyBufferToTexture(
                        one,
                        TexelLayout.tight(0),
                        texture,
                        TextureRegion.mip(shape, 0).withRectangle(8, 4, 2, 2));
                transition(list, texture, TextureLayout.TRANSFER_DST, TextureLayout.TRANSFER_SRC);
                list.copyTextureToBuffer(texture, 0, 0, result, 0);
            });
            assertThat(words(result)).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 77, 78);
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void blitsScaleConvertAndFilter(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture small = rig.texture("small", copies(2, 2, Format.R8G8B8A8_UNORM));
            Texture large = rig.texture("large", copies(4, 4, Format.B8G8R8A8_UNORM));
            Texture half = rig.texture("half", copies(1, 2, Format.R8G8B8A8_UNORM));
            Buffer upload = rig.upload(new int[] {0x01000080, 0x02004000, 0x03200080, 0xff000040});
            Buffer scaled = rig.readback(64);
            Buffer filtered = rig.readback(8);
            TextureRegion two = TextureRegion.mip(small.description(), 0);
            rig.execute(list -> {
                transition(list, small, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST);
                transition(list, large, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST);
                transition(list, half, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST);
                list.copyBufferToTexture(upload, 0, small, 0, 0);
                transition(list, small, TextureLayout.TRANSFER_DST, TextureLayout.TRANSFER_SRC);
                list.blitTexture(small, two, large, TextureRegion.mip(large.description(), 0), Filter.NEAREST);
                list.blitTexture(small, two, half, TextureRegion.mip(half.description(), 0), Filter.LINEAR);
                transition(list, large, TextureLayout.TRANSFER_DST, TextureLayout.TRANSFER_SRC);
                transition(list, half, TextureLayout.TRANSFER_DST, TextureLayout.TRANSFER_SRC);
                list.copyTextureToBuffer(large, 0, 0, scaled, 0);
                list.copyTextureToBuffer(half, 0, 0, filtered, 0);
            });
            int a = 0x01800000;
            int b = 0x02004000;
            int c = 0x03800020;
            int d = 0xff400000;
            assertThat(words(scaled)).containsExactly(a, a, b, b, a, a, b, b, c, c, d, d, c, c, d, d);
            byte[] channels = bytes(filtered);
            int[] expected = {0x40, 0x20, 0x00, 0x02, 0x60, 0x00, 0x10, 0x81};
            for (int i = 0; i < expected.length; i++) {
                assertThat(channels[i] & 0xFF).as("channel " + i).isCloseTo(expected[i], within(1));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void mipsOfOneTextureAreBlittedFromEachOther(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            TextureDescription shape = copies(8, 8, Format.R8_UNORM).withMips(4);
            Texture texture = rig.texture("chain", shape);
            byte[] source = new byte[64];
            Arrays.fill(source, (byte) 100);
            Buffer upload = rig.upload(source);
            Buffer result = rig.readback(4);
            rig.execute(list -> {
                transition(list, texture, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST);
                list.copyBufferToTexture(upload, 0, texture, 0, 0);
                for (int mip = 1; mip < 4; mip++) {
                    transition(
                            list,
                            texture,
                            SubresourceRange.mip(mip - 1),
                            TextureLayout.TRANSFER_DST,
                            TextureLayout.TRANSFER_SRC);
                    list.blitTexture(
                            texture,
                            TextureRegion.mip(shape, mip - 1),
                            texture,
                            TextureRegion.mip(shape, mip),
                            Filter.LINEAR);
                }
                transition(
                        list, texture, SubresourceRange.mip(3), TextureLayout.TRANSFER_DST, TextureLayout.TRANSFER_SRC);
                list.copyTextureToBuffer(texture, 3, 0, result, 0);
            });
            assertThat(bytes(result)[0]).isEqualTo((byte) 100);
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void smallDataIsWrittenFromHeapAndDirectMemory(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Buffer target = rig.buffer("target", 32, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);
            Buffer result = rig.readback(32);
            ByteBuffer heap = ByteBuffer.allocate(12).order(ByteOrder.nativeOrder());
            heap.putInt(1).putInt(2).putInt(3).flip().position(4);
            ByteBuffer direct = ByteBuffer.allocateDirect(8).order(ByteOrder.nativeOrder());
            direct.putInt(4).putInt(5).flip();
            rig.execute(list -> {
                list.fillBuffer(target, 0, 32, 7);
                full(list);
                list.updateBuffer(target, 4, heap);
                list.updateBuffer(target, 20, direct);
                full(list);
                list.copyBuffer(target, 0, result, 0, 32);
            });
            assertThat(heap.position()).isEqualTo(4);
            assertThat(words(result)).containsExactly(7, 2, 3, 7, 7, 4, 5, 7);
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void clearsGiveEachFormatItsBits(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            ClearColor color = new ClearColor(1, 0.5, 0, 1);
            assertThat(cleared(rig, Format.R8G8B8A8_SNORM, color) & 0xFF00FFFF).isEqualTo(0x7F00407F);
            assertThat(cleared(rig, Format.R16G16_SFLOAT, color)).isEqualTo(0x38003C00);
            assertThat(cleared(rig, Format.R32_SINT, new ClearColor(-2_000_000_001, 0, 0, 0)))
                    .isEqualTo(-2_000_000_001);
            assertThat(cleared(rig, Format.R32_UINT, new ClearColor(4_000_000_001L, 0, 0, 0)))
                    .isEqualTo((int) 4_000_000_001L);
            assertThat(cleared(rig, Format.R16G16_UINT, new ClearColor(65_535, 258, 0, 0)))
                    .isEqualTo(0x0102FFFF);
            assertThat(cleared(rig, Format.A2B10G10R10_UNORM, new ClearColor(1, 0, 1, 1)))
                    .isEqualTo(0xFFF003FF);
        }
    }

    private static int cleared(CommandRig rig, Format format, ClearColor color) {
        Texture texture = rig.texture("cleared " + format, copies(1, 1, format));
        Buffer result = rig.readback(4);
        rig.execute(list -> {
            transition(list, texture, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST);
            list.clearTexture(texture, SubresourceRange.mip(0), color);
            transition(list, texture, TextureLayout.TRANSFER_DST, TextureLayout.TRANSFER_SRC);
            list.copyTextureToBuffer(texture, 0, 0, result, 0);
        });
        return words(result)[0];
    }
}
