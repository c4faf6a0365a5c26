package io.frameloom.rdg.capture;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which texture of a frame is read back, after which of its writes, and which part of it is shown. Immutable.
 *
 * @param texture name of the texture
 * @param version number of the write after which it is read, counted from 1 in the order of the plan; 0 for the last
 *     one
 * @param channel what is shown
 * @param range which numbers become black and white
 * @param file the form in which it is written
 */
public record Capture(
        String texture, int version, int mip, int layer, CaptureChannel channel, CaptureRange range, CaptureFile file) {
    private static final Set<String> OPERATORS = Set.of("mip", "layer", "channel", "range", "as");
    private static final String FORM = "name[@version][:mip=N][:layer=N][:channel=rgb|rgba|r|g|b|a|stencil]"
            + "[:range=LOW..HIGH|auto][:as=png|pfm]";

    public Capture {
        if (texture.isEmpty() || version < 0 || mip < 0 || layer < 0) {
            throw new IllegalArgumentException("a capture needs the name of a texture, and version, mip and layer of 0"
                    + " or more, got '" + texture + "', " + version + ", " + mip + " and " + layer);
        }
        if (file == CaptureFile.PFM && channel == CaptureChannel.RGBA) {
            throw new IllegalArgumentException(
                    "capture of '" + texture + "': a PFM file has no alpha; write channel=rgb or channel=a, or as=png");
        }
    }

    /** Returns the capture of mip 0, layer 0 of a texture after its last write. */
    public static Capture of(String texture) {
        return new Capture(texture, 0, 0, 0, CaptureChannel.RGB, CaptureRange.DEFAULT, CaptureFile.PNG);
    }

    /** Returns the same capture after another write, counted from 1; 0 for the last. */
    public Capture withVersion(int value) {
        return new Capture(texture, value, mip, layer, channel, range, file);
    }

    /** Returns the same capture of another mip and layer. */
    public Capture withSubresource(int newMip, int newLayer) {
        return new Capture(texture, version, newMip, newLayer, channel, range, file);
    }

    /** Returns the same capture of other channels. */
    public Capture withChannel(CaptureChannel value) {
        return new Capture(texture, version, mip, layer, value, range, file);
    }

    /** Returns the same capture with another range. */
    public Capture withRange(CaptureRange value) {
        return new Capture(texture, version, mip, layer, channel, value, file);
    }

    /** Returns the same capture written in another form. */
    public Capture withFile(CaptureFile value) {
        return new Capture(texture, version, mip, layer, channel, range, value);
    }

    /**
     * Reads an expression. It is the name of a texture, then {@code @} and the number of a write (the last one without
     * it), then any of {@code :mip=N}, {@code :layer=N}, {@code :channel=rgb} ({@code rgba}, {@code r}, {@code g},
     * {@code b}, {@code a}, {@code stencil}), {@code :range=LOW..HIGH} or {@code :range=auto}, and {@code :as=png} or
     * {@code :as=pfm}. For example {@code depth@2:mip=1:range=0.9..1}.
     *
     * @throws IllegalArgumentException saying in one line what is wrong and what would be right
     */
    public static Capture parse(String expression) {
        String rest = expression.strip();
        Map<String, String> operators = new HashMap<>();
        int colon = rest.lastIndexOf(':');
        while (colon >= 0 && rest.indexOf('=', colon) >= 0) {
            int equals = rest.indexOf('=', colon);
            String key = rest.substring(colon + 1, equals).strip();
            if (!OPERATORS.contains(key)) {
                throw bad(expression, "there is no operator '" + key + "', only mip, layer, channel, range and as");
            }
            if (operators.put(key, rest.substring(equals + 1).strip()) != null) {
                throw bad(expression, key + " is given twice");
            }
            rest = rest.substring(0, colon);
            colon = rest.lastIndexOf(':');
        }
        int at = rest.lastIndexOf('@');
        int version = at < 0 ? 0 : number(expression, "the version after @", rest.substring(at + 1), 1);
        String texture = (at < 0 ? rest : rest.substring(0, at)).strip();
        if (texture.isEmpty()) {
            throw bad(expression, "it names no texture");
        }
        return new Capture(
                texture,
                version,
                number(expression, "mip", operators.getOrDefault("mip", "0"), 0),
                number(expression, "layer", operators.getOrDefault("layer", "0"), 0),
                constant(expression, "channel", operators.get("channel"), CaptureChannel.RGB),
                range(expression, operators.get("range")),
                constant(expression, "as", operators.get("as"), CaptureFile.PNG));
    }

    private static int number(String expression, String what, String value, int least) {
        if (!value.matches("[0-9]{1,9}") || Integer.parseInt(value) < least) {
            throw bad(expression, what + " must be a whole number of " + least + " or more, not '" + value + "'");
        }
        return Integer.parseInt(value);
    }

    private static <E extends Enum<E>> E constant(String expression, String key, @Nullable String value, E unless) {
        if (value == null) {
            return unless;
        }
        for (E constant : unless.getDeclaringClass().getEnumConstants()) {
            if (constant.name().toLowerCase(Locale.ROOT).equals(value)) {
                return constant;
            }
        }
        throw bad(expression, key + " cannot be '" + value + "'");
    }

    private static CaptureRange range(String expression, @Nullable String value) {
        try {
            return value == null ? CaptureRange.DEFAULT : CaptureRange.parse(value);
        } catch (IllegalArgumentException e) {
            throw bad(expression, String.valueOf(e.getMessage()));
        }
    }

    private static IllegalArgumentException bad(String expression, String why) {
        return new IllegalArgumentException("capture '" + expression + "': " + why + "; write " + FORM);
    }

    /** Returns the expression that {@link #parse} reads as this capture. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(texture);
        if (version > 0) {
            text.append('@').append(version);
        }
        if (mip > 0) {
            text.append(":mip=").append(mip);
        }
        if (layer > 0) {
            text.append(":layer=").append(layer);
        }
        if (channel != CaptureChannel.RGB) {
            text.append(":channel=").append(channel.name().toLowerCase(Locale.ROOT));
        }
        if (range.kind() != CaptureRange.Kind.DEFAULT) {
            text.append(":range=").append(range);
        }
        if (file != CaptureFile.PNG) {
            text.append(":as=").append(file.name().toLowerCase(Locale.ROOT));
        }
        return text.toString();
    }
}
