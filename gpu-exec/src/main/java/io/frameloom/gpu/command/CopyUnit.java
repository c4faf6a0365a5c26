package io.frameloom.gpu.command;

/**
 * In what units a queue copies between buffers and parts of textures: of texels, or of blocks of compressed formats. A part
 * begins at multiples of the units, and ends there or at the edge of the mip.
 *
 * @param width unit of columns; 0, with the others, for a queue that copies whole mips alone
 * @param height unit of rows
 * @param depth unit of slices
 */
public record CopyUnit(int width, int height, int depth) {
    /** Any part, as queues for graphics or compute take it. */
    public static final CopyUnit TEXEL = new CopyUnit(1, 1, 1);
}
