package io.frameloom.rdg.capture;

import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Format.Aspect;
import io.frameloom.gpu.resource.Format.Encoding;
import io.frameloom.gpu.virtual.Texels;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * One mip of one layer of a texture as a frame left it at some moment. Immutable; any thread.
 *
 * <p>Colour is linear: texels of sRGB formats are decoded, and encoded again in {@link #writePng}. Depth and stencil
 * are as they are. On a device that {@linkplain io.frameloom.gpu.DeviceCapabilities#renders renders} nothing, the
 * virtual GPU, draws leave noise; the log says so.
 */
public final class CapturedTexture {
    private static final int MAX_BYTE = 255;
    private static final int RGBA = 4;

    private final Capture capture;
    private final int version;
    private final int width;
    private final int height;
    private final Format format;
    private final int plane;
    private final ByteBuffer texels;

    /**
     * Takes a copy of texels.
     *
     * @param capture what was asked for
     * @param version number of the write that it was read after, 0 if the frame does not write it
     * @param plane plane that was read
     * @param texels rows from the top, tightly packed, from position 0
     */
    public CapturedTexture(
            Capture capture, int version, int width, int height, Format format, int plane, ByteBuffer texels) {
        this.capture = capture;
        this.version = version;
        this.width = width;
        this.height = height;
        this.format = format;
        this.plane = plane;
        this.texels = ByteBuffer.allocate(texels.limit())
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(0, texels, 0, texels.limit());
    }

    /** Returns what was asked for. */
    public Capture capture() {
        return capture;
    }

    /** Returns the number of the write that it was read after, 0 if the frame does not write it. */
    public int version() {
        return version;
    }

    /** Returns the width in texels. */
    public int width() {
        return width;
    }

    /** Returns the height in texels. */
    public int height() {
        return height;
    }

    /** Returns the format of the texture. */
    public Format format() {
        return format;
    }

    /** Returns one number of a texel. */
    public float number(int x, int y, int channel) {
        double[] numbers = new double[RGBA];
        decode(y * width + x, numbers);
        return (float) numbers[channel];
    }

    /**
     * Returns the picture as four bytes a texel, rows from the top, with the range and channels that were asked for.
     */
    public ByteBuffer rgba() {
        CaptureRange range = range();
        ByteBuffer result = ByteBuffer.allocate(RGBA * width * height);
        double[] texel = new double[RGBA];
        for (int at = 0; at < width * height; at++) {
            shown(at, texel);
            for (int channel = 0; channel < RGBA; channel++) {
                boolean opaque = channel == 3 && capture.channel() != CaptureChannel.RGBA;
                result.put(opaque ? (byte) MAX_BYTE : level(texel[channel], range, channel));
            }
        }
        return result.flip();
    }

    /** Writes the picture in the form that was asked for. */
    public void write(OutputStream out) throws IOException {
        if (capture.file() == CaptureFile.PFM) {
            writePfm(out);
        } else {
            writePng(out);
        }
    }

    /** Writes a PNG file of eight bits a channel. */
    public void writePng(OutputStream out) throws IOException {
        Png.write(out, width, height, rgba(), capture.channel() == CaptureChannel.RGBA);
    }

    /** Writes a Portable Float Map: the numbers as they are, whatever the range, without alpha. */
    public void writePfm(OutputStream out) throws IOException {
        int channels = capture.channel().count() == 1 ? 1 : 3;
        String header = (channels == 1 ? "Pf" : "PF") + "\n" + width + " " + height + "\n-1.0\n";
        OutputStream buffered = new BufferedOutputStream(out);
        buffered.write(header.getBytes(StandardCharsets.US_ASCII));
        ByteBuffer row = ByteBuffer.allocate(width * channels * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        double[] texel = new double[RGBA];
        for (int y = height - 1; y >= 0; y--) {
            row.clear();
            for (int x = 0; x < width; x++) {
                shown(y * width + x, texel);
                for (int channel = 0; channel < channels; channel++) {
                    row.putFloat((float) texel[channel]);
                }
            }
            buffered.write(row.array());
        }
        buffered.flush();
    }

    /** Returns a name for a file, such as {@code depth@2.mip1.png}; what file systems refuse becomes a dash. */
    public String fileName() {
        StringBuilder name = new StringBuilder(
                capture.texture().replaceAll("[^\\p{L}\\p{N} ._+-]", "-").replaceAll("^\\.", "-"));
        if (version > 0) {
            name.append('@').append(version);
        }
        if (capture.mip() > 0) {
            name.append(".mip").append(capture.mip());
        }
        if (capture.layer() > 0) {
            name.append(".layer").append(capture.layer());
        }
        if (capture.channel() != CaptureChannel.RGB) {
            name.append('.').append(capture.channel().name().toLowerCase(Locale.ROOT));
        }
        return name.append(capture.file() == CaptureFile.PFM ? ".pfm" : ".png").toString();
    }

    /** Puts the numbers of the texel at {@code at} that are shown into {@code texel}. */
    private void shown(int at, double[] texel) {
        decode(at, texel);
        int only = switch (capture.channel()) {
            case RGB, RGBA -> format.channels() == 1 ? 0 : -1;
            case R, STENCIL -> 0;
            case G -> 1;
            case B -> 2;
            case A -> 3;
        };
        if (only >= 0) {
            double alpha = texel[3];
            Arrays.fill(texel, texel[only]);
            texel[3] = capture.channel() == CaptureChannel.RGBA ? alpha : texel[only];
        }
    }

    private byte level(double number, CaptureRange range, int channel) {
        double scaled = (number - range.low()) / (range.high() - range.low());
        double clamped = Double.isNaN(scaled) ? 0 : Math.max(0, Math.min(1, scaled));
        boolean curve = format.isSrgb() && channel < 3 && capture.channel() != CaptureChannel.A;
        return (byte) Math.round(MAX_BYTE * (curve ? Texels.toSrgb(clamped) : clamped));
    }

    private CaptureRange range() {
        CaptureRange asked = capture.range();
        boolean fromPicture = asked.kind() == CaptureRange.Kind.AUTO
                || (asked.kind() == CaptureRange.Kind.DEFAULT
                        && (format.isDepth()
                                || format.encoding() == Encoding.UINT
                                || format.encoding() == Encoding.SINT));
        return fromPicture ? found() : asked;
    }

    private CaptureRange found() {
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        double[] texel = new double[RGBA];
        for (int at = 0; at < width * height; at++) {
            shown(at, texel);
            for (int channel = 0; channel < Math.min(3, capture.channel().count()); channel++) {
                if (Double.isFinite(texel[channel])) {
                    low = Math.min(low, texel[channel]);
                    high = Math.max(high, texel[channel]);
                }
            }
        }
        return (float) low < (float) high ? CaptureRange.of((float) low, (float) high) : CaptureRange.DEFAULT;
    }

    private void decode(int index, double[] channels) {
        int at = index * format.planeBytes(plane);
        if (format.aspect(plane) == Aspect.COLOR) {
            Texels.decode(format, texels, at, channels);
            return;
        }
        Arrays.fill(channels, format.aspect(plane) == Aspect.STENCIL ? texels.get(at) & MAX_BYTE : depth(at));
        channels[3] = 1;
    }

    private float depth(int at) {
        return switch (format) {
            case D16_UNORM -> (texels.getShort(at) & 0xFFFF) / 65535f;
            case D24_UNORM_S8_UINT -> (texels.getInt(at) & 0xFFFFFF) / 16777215f;
            default -> texels.getFloat(at);
        };
    }

    @Override
    public String toString() {
        return capture + " of " + width + "x" + height + " " + format;
    }
}
