package io.frameloom.gpu.transfer.staging;

import io.frameloom.gpu.command.CopyUnit;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.TextureRegion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a region of a texture into pieces of at most so many bytes, along layers, slices, rows and columns, in the units
 * that a queue copies; a piece of one unit may have more. Immutable.
 */
public final class TexturePieces {
    private static final TexelLayout TIGHT = TexelLayout.tight(0);
    /** No texture has more rows, columns, slices or layers. */
    private static final long LARGEST_EXTENT = 1 << 24;

    private final Format format;
    private final TextureRegion whole;
    private final CopyUnit unit;
    private final long most;
    private final List<TextureRegion> pieces = new ArrayList<>();

    private TexturePieces(Format format, TextureRegion whole, CopyUnit unit, long most) {
        this.format = format;
        this.whole = whole;
        this.unit = unit;
        this.most = most;
    }

    /** Returns the pieces of a region that is within the texture, in the order of their texels. */
    public static List<TextureRegion> of(Format format, TextureRegion region, CopyUnit unit, long most) {
        TexturePieces cut = new TexturePieces(format, region, unit, most);
        cut.layers();
        return cut.pieces;
    }

    /** Returns the bytes of a region in tightly packed rows of blocks. */
    public static long bytes(Format format, TextureRegion region) {
        return TIGHT.totalBytes(format, region);
    }

    private void layers() {
        int step = fitting(whole.withLayers(whole.baseLayer(), 1), 1);
        for (int i = 0; i < whole.layers(); i += step) {
            slices(whole.withLayers(whole.baseLayer() + i, Math.min(step, whole.layers() - i)));
        }
    }

    private void slices(TextureRegion part) {
        int step = fits(part) || unit.depth() == 0 ? part.depth() : fitting(part.withSlices(part.z(), 1), unit.depth());
        for (int i = 0; i < part.depth(); i += step) {
            rows(part.withSlices(part.z() + i, Math.min(step, part.depth() - i)));
        }
    }

    private void rows(TextureRegion part) {
        int block = format.blockHeight();
        int step = part.height();
        if (!fits(part) && unit.height() != 0) {
            TextureRegion row = part.withRectangle(part.x(), part.y(), part.width(), Math.min(block, part.height()));
            step = fitting(row, unit.height()) * block;
        }
        for (int i = 0; i < part.height(); i += step) {
            columns(part.withRectangle(part.x(), part.y() + i, part.width(), Math.min(step, part.height() - i)));
        }
    }

    private void columns(TextureRegion part) {
        int block = format.blockWidth();
        int step = part.width();
        if (!fits(part) && unit.width() != 0) {
            TextureRegion column = part.withRectangle(part.x(), part.y(), Math.min(block, part.width()), part.height());
            step = fitting(column, unit.width()) * block;
        }
        for (int i = 0; i < part.width(); i += step) {
            pieces.add(part.withRectangle(part.x() + i, part.y(), Math.min(step, part.width() - i), part.height()));
        }
    }

    private boolean fits(TextureRegion part) {
        return bytes(format, part) <= most;
    }

    /** Returns how many of a part fit, as a multiple of the unit and at least that. */
    private int fitting(TextureRegion one, int multiple) {
        long count = Math.min(most / bytes(format, one), LARGEST_EXTENT) / multiple * multiple;
        return (int) Math.max(multiple, count);
    }

    /** Writes the bytes of a piece, which become tightly packed, wherever they are among those of the region. */
    public static void write(
            Format format, TextureRegion whole, TextureRegion piece, StagingRing ring, int at, ByteBuffer data) {
        int block = format.planeBytes(whole.plane());
        long wholeRow = (long) format.columns(whole.width()) * block;
        long wholeSlice = wholeRow * format.rows(whole.height());
        int row = format.columns(piece.width()) * block;
        int rows = format.rows(piece.height());
        int slices = piece.depth() * piece.layers();
        long first = (piece.z() - whole.z() + piece.baseLayer() - whole.baseLayer()) * wholeSlice
                + (long) ((piece.y() - whole.y()) / format.blockHeight()) * wholeRow
                + (long) ((piece.x() - whole.x()) / format.blockWidth()) * block
                + data.position();
        boolean wide = row == wholeRow;
        boolean dense = wide && (slices == 1 || rows * wholeRow == wholeSlice);
        // One copy takes all of it, the rows of a slice, or a row.
        int length = dense ? row * rows * slices : wide ? row * rows : row;
        int to = at;
        for (int slice = 0; slice < (dense ? 1 : slices); slice++) {
            for (int i = 0; i < (wide ? 1 : rows); i++) {
                ring.write(to, data, (int) (first + slice * wholeSlice + i * wholeRow), length);
                to += length;
            }
        }
    }
}
