package io.frameloom.gpu.transfer.staging;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.CopyUnit;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pieces of textures are what queues copy, and all of them together the whole. */
class TexturePiecesTest {
    private static TextureDescription shape(int width, int height, Format format) {
        return TextureDescription.of(width, height, format, TextureUsage.COPY_DST);
    }

    private static List<TextureRegion> pieces(TextureDescription shape, CopyUnit unit, long most) {
        return TexturePieces.of(shape.format(), TextureRegion.mip(shape, 0), unit, most);
    }

    /** Checks that every block is in one piece, and that pieces begin and end where the unit allows it. */
    private static void requireCover(TextureDescription shape, CopyUnit unit, long most) {
        int width = shape.width();
        int height = shape.height();
        int[] covered = new int[width * height * shape.depth() * shape.layers()];
        for (TextureRegion piece : pieces(shape, unit, most)) {
            assertThat(TexturePieces.bytes(shape.format(), piece)).isLessThanOrEqualTo(most);
            requireUnit(
                    piece.x(),
                    piece.width(),
                    width,
                    unit.width() * shape.format().blockWidth());
            requireUnit(
                    piece.y(),
                    piece.height(),
                    height,
                    unit.height() * shape.format().blockHeight());
            requireUnit(piece.z(), piece.depth(), shape.depth(), unit.depth());
            for (int slice = 0; slice < piece.depth() * piece.layers(); slice++) {
                for (int i = 0; i < piece.width() * piece.height(); i++) {
                    int row = piece.y() + i / piece.width();
                    int at = piece.z() + piece.baseLayer() + slice;
                    covered[(at * height + row) * width + piece.x() + i % piece.width()]++;
                }
            }
        }
        assertThat(covered).containsOnly(1);
    }

    private static void requireUnit(int offset, int extent, int whole, int unit) {
        assertThat(offset % unit).isZero();
        assertThat(extent % unit == 0 || offset + extent == whole).isTrue();
    }

    @Test
    void piecesCoverTheWholeInTheUnitsOfTheQueue() {
        CopyUnit[] units = {CopyUnit.TEXEL, new CopyUnit(8, 8, 1), new CopyUnit(4, 2, 2), new CopyUnit(16, 16, 8)};
        for (CopyUnit unit : units) {
            for (long most = 8192; most <= 1 << 17; most *= 2) {
                requireCover(shape(45, 61, Format.R8G8B8A8_UNORM).withLayers(3), unit, most);
                requireCover(shape(45, 61, Format.R8G8B8A8_UNORM).withDepth(9), unit, most);
                requireCover(shape(61, 45, Format.BC1_RGBA_UNORM), unit, most);
            }
        }
    }

    @Test
    void aQueueOfWholeMipsGetsLayersAlone() {
        TextureDescription shape = shape(64, 64, Format.R8_UNORM).withLayers(3);
        assertThat(pieces(shape, new CopyUnit(0, 0, 0), 1024))
                .containsExactly(
                        TextureRegion.mip(shape, 0).withLayers(0, 1),
                        TextureRegion.mip(shape, 0).withLayers(1, 1),
                        TextureRegion.mip(shape, 0).withLayers(2, 1));
        assertThat(pieces(shape, new CopyUnit(0, 0, 0), 8192)).hasSize(2);
    }
}
