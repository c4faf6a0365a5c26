package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.command.ResolveMode;
import io.frameloom.gpu.resource.Filter;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.virtual.memory.DepthTexels;
import io.frameloom.gpu.virtual.memory.Mix;
import io.frameloom.gpu.virtual.memory.TexelCodec;
import java.nio.ByteBuffer;

/**
 * Copies, blits and resolves of the virtual device, on real bytes where there are any. Blits sample at texel centres
 * and clamp to the mip's edge ("Image Copies With Scaling" in the Vulkan specification). Confined to the thread of the
 * virtual GPU.
 */
final class TexelCopies {
    private TexelCopies() {}

    static void fromBuffer(VirtualBuffer source, TexelLayout layout, VirtualTexture target, TextureRegion region) {
        rows(
                layout,
                target,
                region,
                (inBuffer, inTexture, bytes) ->
                        target.memory().copyFrom(source.memory(), source.base() + inBuffer, inTexture, bytes));
    }

    static void toBuffer(VirtualTexture source, TextureRegion region, VirtualBuffer target, TexelLayout layout) {
        rows(layout, source, region, (inBuffer, inTexture, bytes) -> {
            if (target.memory().copyFrom(source.memory(), inTexture, target.base() + inBuffer, bytes)) {
                source.device().readBackSimulated(source);
            }
        });
    }

    /** Takes bytes that are contiguous on both sides. */
    @FunctionalInterface
    private interface Piece {
        void accept(long first, long second, long bytes);
    }

    private static void rows(TexelLayout layout, VirtualTexture texture, TextureRegion region, Piece piece) {
        Format format = texture.description().format();
        long rowPitch = layout.rowBytes(format, region);
        long slicePitch = layout.sliceBytes(format, region);
        long rowBytes = rowBytes(texture, region);
        int rows = format.rows(region.height());
        boolean whole = rowPitch == rowBytes && rowBytes == texture.rowBytes(region.mip(), region.plane());
        long slice = layout.offset();
        for (int layer = region.baseLayer(); layer < region.baseLayer() + region.layers(); layer++) {
            for (int z = region.z(); z < region.z() + region.depth(); z++, slice += slicePitch) {
                long at = texture.address(region.mip(), layer, region.plane(), region.x(), region.y(), z);
                if (whole) {
                    piece.accept(slice, at, rows * rowBytes);
                    continue;
                }
                for (int row = 0; row < rows; row++) {
                    long textureRow = at + row * texture.rowBytes(region.mip(), region.plane());
                    piece.accept(slice + row * rowPitch, textureRow, rowBytes);
                }
            }
        }
    }

    private static long rowBytes(VirtualTexture texture, TextureRegion region) {
        return (long) texture.description().format().columns(region.width()) * texture.blockBytes(region.plane());
    }

    static long bytes(VirtualTexture texture, TextureRegion region) {
        long rows = texture.description().format().rows(region.height());
        return rowBytes(texture, region) * rows * region.depth() * region.layers();
    }

    static void copy(VirtualTexture source, TextureRegion from, VirtualTexture target, TextureRegion to) {
        Format read = source.description().format();
        Format written = target.description().format();
        int rows = read.rows(from.height());
        long bytes = rowBytes(source, from);
        for (int layer = 0; layer < from.layers(); layer++) {
            for (int z = 0; z < from.depth(); z++) {
                for (int row = 0; row < rows; row++) {
                    int fromY = from.y() + row * read.blockHeight();
                    int toY = to.y() + row * written.blockHeight();
                    long inSource = source.address(
                            from.mip(), from.baseLayer() + layer, from.plane(), from.x(), fromY, from.z() + z);
                    long inTarget =
                            target.address(to.mip(), to.baseLayer() + layer, to.plane(), to.x(), toY, to.z() + z);
                    target.memory().copyFrom(source.memory(), inSource, inTarget, bytes);
                }
            }
        }
    }

    /** Gives a texel of the target its bytes. */
    @FunctionalInterface
    private interface Texel {
        void write(ByteBuffer source, ByteBuffer target, int at, int x, int y, int z);
    }

    /** Resolves colours that are seen in a format. */
    static void resolve(
            VirtualTexture source, TextureRegion from, VirtualTexture target, TextureRegion to, Format format) {
        int samples = source.description().samples();
        int bytes = format.blockBytes();
        boolean average = format.kind() == Format.NumericKind.FLOAT;
        double[] sum = new double[4];
        double[] one = new double[4];
        texels(source, from, target, to, (read, written, at, x, y, z) -> {
            int first = (int) (source.address(from.mip(), 0, 0, from.x() + x, from.y() + y, 0)
                    - source.address(from.mip(), 0, 0));
            if (!average) {
                copy(read, first, written, at, bytes);
                return;
            }
            java.util.Arrays.fill(sum, 0);
            for (int sample = 0; sample < samples; sample++) {
                TexelCodec.decode(format, read, first + sample * bytes, one);
                for (int i = 0; i < sum.length; i++) {
                    sum[i] += one[i] / samples;
                }
            }
            put(written, at, TexelCodec.encode(format, sum));
        });
    }

    static void resolve(
            VirtualTexture source, TextureRegion from, VirtualTexture target, TextureRegion to, ResolveMode mode) {
        Format format = source.description().format();
        int samples = source.description().samples();
        int bytes = format.planeBytes(from.plane());
        texels(source, from, target, to, (read, written, at, x, y, z) -> {
            int first = (int) (source.address(from.mip(), 0, from.plane(), from.x() + x, from.y() + y, 0)
                    - source.address(from.mip(), 0, from.plane()));
            if (mode == ResolveMode.SAMPLE_ZERO) {
                copy(read, first, written, at, bytes);
                return;
            }
            double result = DepthTexels.get(format, from.plane(), read, first);
            for (int sample = 1; sample < samples; sample++) {
                double value = DepthTexels.get(format, from.plane(), read, first + sample * bytes);
                result = switch (mode) {
                    case MIN -> Math.min(result, value);
                    case MAX -> Math.max(result, value);
                    default -> result + value;
                };
            }
            DepthTexels.put(format, from.plane(), written, at, mode == ResolveMode.AVERAGE ? result / samples : result);
        });
    }

    static void blit(
            VirtualTexture source, TextureRegion from, VirtualTexture target, TextureRegion to, Filter filter) {
        double scaleX = (double) from.width() / to.width();
        double scaleY = (double) from.height() / to.height();
        double scaleZ = (double) from.depth() / to.depth();
        Format readFormat = source.description().format();
        Format writtenFormat = target.description().format();
        Sampler sampler = new Sampler(source, from);
        double[] channels = new double[4];
        texels(source, from, target, to, (read, written, at, x, y, z) -> {
            double u = from.x() + (x + 0.5) * scaleX;
            double v = from.y() + (y + 0.5) * scaleY;
            double w = from.z() + (z + 0.5) * scaleZ;
            if (filter == Filter.LINEAR) {
                sampler.linear(read, u, v, w, channels);
                put(written, at, TexelCodec.encode(writtenFormat, channels));
                return;
            }
            int nearest = sampler.at((int) Math.floor(u), (int) Math.floor(v), (int) Math.floor(w));
            if (readFormat == writtenFormat) {
                copy(read, nearest, written, at, readFormat.planeBytes(from.plane()));
            } else {
                TexelCodec.decode(readFormat, read, nearest, channels);
                put(written, at, TexelCodec.encode(writtenFormat, channels));
            }
        });
    }

    /** Reads a mip of a texture with coordinates clamped to its edges. */
    private static final class Sampler {
        private final VirtualTexture texture;
        private final TextureRegion region;
        private final Format format;
        private final double[] one = new double[4];

        Sampler(VirtualTexture texture, TextureRegion region) {
            this.texture = texture;
            this.region = region;
            this.format = texture.description().format();
        }

        int at(int x, int y, int z) {
            int mip = region.mip();
            var shape = texture.description();
            return (int) (texture.address(
                            mip,
                            0,
                            region.plane(),
                            Math.max(0, Math.min(shape.width(mip) - 1, x)),
                            Math.max(0, Math.min(shape.height(mip) - 1, y)),
                            Math.max(0, Math.min(shape.depth(mip) - 1, z)))
                    - texture.address(mip, 0, region.plane()));
        }

        void linear(ByteBuffer read, double u, double v, double w, double[] result) {
            java.util.Arrays.fill(result, 0);
            int x = (int) Math.floor(u - 0.5);
            int y = (int) Math.floor(v - 0.5);
            int z = (int) Math.floor(w - 0.5);
            double fx = u - 0.5 - x;
            double fy = v - 0.5 - y;
            double fz = w - 0.5 - z;
            for (int corner = 0; corner < 8; corner++) {
                int dx = corner & 1;
                int dy = (corner >> 1) & 1;
                int dz = corner >> 2;
                double weight = (dx == 0 ? 1 - fx : fx) * (dy == 0 ? 1 - fy : fy) * (dz == 0 ? 1 - fz : fz);
                if (weight > 0) {
                    TexelCodec.decode(format, read, at(x + dx, y + dy, z + dz), one);
                    for (int i = 0; i < one.length; i++) {
                        result[i] += weight * one[i];
                    }
                }
            }
        }
    }

    private static void texels(
            VirtualTexture source, TextureRegion from, VirtualTexture target, TextureRegion to, Texel texel) {
        long stamp = 0;
        for (int layer = 0; layer < to.layers(); layer++) {
            long read = source.address(from.mip(), from.baseLayer() + layer, from.plane());
            long readBytes = source.mipBytes(from.mip(), from.plane());
            long written = target.address(to.mip(), to.baseLayer() + layer, to.plane());
            long writtenBytes = target.mipBytes(to.mip(), to.plane());
            stamp = Mix.mix(
                    Mix.mix(stamp, source.memory().hash(read, readBytes)), from.hashCode() * 31L + to.hashCode());
            // Making the bytes of one exist may move those of the other: both first, then the views.
            target.memory().access(written, writtenBytes);
            ByteBuffer in = source.memory().access(read, readBytes);
            ByteBuffer out = target.memory().access(written, writtenBytes);
            for (int z = 0; z < to.depth(); z++) {
                for (int y = 0; y < to.height(); y++) {
                    long row = target.address(
                            to.mip(), to.baseLayer() + layer, to.plane(), to.x(), to.y() + y, to.z() + z);
                    for (int x = 0; x < to.width(); x++) {
                        texel.write(in, out, (int) (row - written) + x * target.blockBytes(to.plane()), x, y, z);
                    }
                    target.memory().rewritten(row, rowBytes(target, to), Mix.mix(stamp, row - target.base()));
                }
            }
        }
    }

    private static void copy(ByteBuffer read, int from, ByteBuffer written, int to, int bytes) {
        for (int i = 0; i < bytes; i++) {
            written.put(to + i, read.get(from + i));
        }
    }

    private static void put(ByteBuffer written, int at, byte[] texel) {
        for (int i = 0; i < texel.length; i++) {
            written.put(at + i, texel[i]);
        }
    }
}
