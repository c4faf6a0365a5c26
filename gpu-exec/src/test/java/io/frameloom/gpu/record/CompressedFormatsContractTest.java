package io.frameloom.gpu.record;

import static io.frameloom.gpu.record.CommandRig.bytes;
import static io.frameloom.gpu.record.CommandRig.full;
import static io.frameloom.gpu.record.CommandRig.transition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every compressed format that a device has is copied block by block; one that it does not have is refused by name. */
@Timeout(60)
class CompressedFormatsContractTest {
    /** Neither a multiple of the blocks of any format, but 1. */
    private static final int WIDTH = 37;

    private static final int HEIGHT = 29;

    private static List<Format> compressed() {
        return Arrays.stream(Format.values()).filter(Format::isCompressed).toList();
    }

    private static TextureDescription shape(Format format) {
        return TextureDescription.of(
                WIDTH, HEIGHT, format, TextureUsage.SAMPLED, TextureUsage.COPY_DST, TextureUsage.COPY_SRC);
    }

    @Test
    void blocksAreWhatTheirFormatsSay() {
        assertThat(compressed()).hasSize(16 + 10 + 28);
        for (Format format : compressed()) {
            String name = format.name();
            if (name.startsWith("ASTC")) {
                String extent = format.blockWidth() + "X" + format.blockHeight();
                assertThat(name).startsWith("ASTC_" + extent + "_");
                assertThat(format.blockBytes()).as(name).isEqualTo(16);
            } else {
                assertThat(format.blockWidth()).as(name).isEqualTo(4);
                assertThat(format.blockHeight()).as(name).isEqualTo(4);
                assertThat(format.blockBytes()).as(name).isIn(8, 16);
            }
        }
        assertThat(Format.ASTC_10X5_UNORM.columns(11)).isEqualTo(2);
        assertThat(Format.ASTC_10X5_UNORM.rows(11)).isEqualTo(3);
        assertThat(Format.ASTC_10X5_UNORM.rows(Integer.MAX_VALUE)).isEqualTo(429_496_730);
        assertThat(Format.ASTC_10X5_UNORM.isViewCompatible(Format.ASTC_10X5_SRGB))
                .isTrue();
        assertThat(Format.ASTC_10X5_UNORM.isViewCompatible(Format.ASTC_10X6_SRGB))
                .isFalse();
        assertThat(Format.ETC2_R8G8B8_UNORM.isViewCompatible(Format.ETC2_R8G8B8_SRGB))
                .isTrue();
        assertThat(Format.ETC2_R8G8B8_UNORM.isViewCompatible(Format.EAC_R11_UNORM))
                .isFalse();
        assertThatThrownBy(Format.ASTC_10X5_UNORM::bytesPerTexel)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("16 bytes a block of 10x5 texels");
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void blocksArriveWhereTheyBelong(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            int copied = 0;
            for (Format format : compressed()) {
                if (rig.device.formatSupport(format).copies()) {
                    thereAndBack(rig, format);
                    copied++;
                }
            }
            assertThat(copied)
                    .isGreaterThanOrEqualTo(
                            backend == Backend.VIRTUAL ? compressed().size() : 0);
        }
    }

    private static void thereAndBack(CommandRig rig, Format format) {
        TextureDescription shape = shape(format);
        int block = format.blockBytes();
        int columns = (WIDTH + format.blockWidth() - 1) / format.blockWidth();
        int rows = (HEIGHT + format.blockHeight() - 1) / format.blockHeight();
        byte[] data = new byte[columns * rows * block];
        byte[] last = new byte[block];
        Random random = new Random(format.ordinal());
        random.nextBytes(data);
        random.nextBytes(last);
        Texture texture = rig.texture(format.name(), shape);
        Buffer all = rig.upload(data);
        Buffer one = rig.upload(last);
        Buffer result = rig.readback(data.length);
        int x = (columns - 1) * format.blockWidth();
        int y = (rows - 1) * format.blockHeight();
        rig.execute(list -> {
            transition(list, texture, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST);
            list.copyBufferToTexture(all, 0, texture, 0, 0);
            full(list);
            list.copyBufferToTexture(
                    one,
                    TexelLayout.tight(0),
                    texture,
                    TextureRegion.mip(shape, 0).withRectangle(x, y, WIDTH - x, HEIGHT - y));
            transition(list, texture, TextureLayout.TRANSFER_DST, TextureLayout.TRANSFER_SRC);
            list.copyTextureToBuffer(texture, 0, 0, result, 0);
        });
        System.arraycopy(last, 0, data, data.length - block, block);
        assertThat(bytes(result)).as(format.name()).isEqualTo(data);
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void whatCutsBlocksOrComesShortIsRefused(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            for (Format format : List.of(Format.BC1_RGBA_UNORM, Format.ETC2_R8G8B8_UNORM, Format.ASTC_10X6_UNORM)) {
                if (!rig.device.formatSupport(format).copies()) {
                    continue;
                }
                TextureDescription shape = shape(format);
                Texture texture = rig.texture("blocks", shape);
                int bytes = format.columns(WIDTH) * format.rows(HEIGHT) * format.blockBytes();
                Buffer full = rig.upload(new byte[bytes]);
                Buffer less = rig.upload(new byte[bytes - format.blockBytes()]);
                int width = format.blockWidth();
                int height = format.blockHeight();
                TextureRegion mip = TextureRegion.mip(shape, 0);
                String extent = width + "x" + height + " texels";
                CommandList list = rig.frame.beginCommands(rig.queue(), "list");
                transition(list, texture, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST);
                refused(() -> list.copyBufferToTexture(less, 0, texture, 0, 0), "'upload'");
                refused(() -> copy(list, full, texture, mip.withRectangle(1, 0, width, height)), extent);
                refused(() -> copy(list, full, texture, mip.withRectangle(0, 1, width, height)), extent);
                refused(() -> copy(list, full, texture, mip.withRectangle(0, 0, width - 1, height)), extent);
                refused(() -> copy(list, full, texture, mip.withRectangle(0, 0, width, height - 1)), extent);
                refused(
                        () -> list.copyBufferToTexture(full, new TexelLayout(0, format.blockBytes(), 0), texture, mip),
                        "row pitch");
                copy(list, full, texture, mip.withRectangle(width, height, width, height));
                list.end();
                rig.frame.reset();
            }
        }
    }

    private static void copy(CommandList list, Buffer source, Texture texture, TextureRegion region) {
        list.copyBufferToTexture(source, TexelLayout.tight(0), texture, region);
    }

    private static void refused(ThrowingCallable command, String words) {
        assertThatThrownBy(command)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("in command list 'list'")
                .hasMessageContaining(words);
    }

    /** The virtual device has every format. */
    @Test
    void aFormatThatADriverDoesNotHaveIsRefused() {
        try (CommandRig rig = new CommandRig(Backend.VULKAN)) {
            for (Format format : compressed()) {
                boolean sampled = rig.device.formatSupport(format).sampled();
                TextureDescription refused = sampled
                        ? TextureDescription.of(WIDTH, HEIGHT, format, TextureUsage.COLOR_ATTACHMENT)
                        : shape(format);
                assertThatThrownBy(() -> rig.device.createTexture("blocks", refused))
                        .as(format.name())
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("texture 'blocks' (" + format)
                        .hasMessageContaining("take another format or usage");
            }
        }
    }
}
