package io.frameloom.gpu.command;

/**
 * The units in which a queue copies between buffers and parts of textures, in texels, or in blocks of compressed
 * formats. A part begins at multiples of the units, and ends there or at the edge of the mip.
 *
 * @param width unit of columns; 0, with the others, for a queue that copies only whole mips
 * @param height unit of rows
 * @param depth unit of slices
 */
public record CopyUnit(int width, int height, int depth) {
    /** Any part, as on queues for graphics or compute. */
    public static final CopyUnit TEXEL = new CopyUnit(1, 1, 1);
}
