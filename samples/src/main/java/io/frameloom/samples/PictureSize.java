package io.frameloom.samples;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.TypeConversionException;

/**
 * Size of a picture.
 *
 * @param width width in texels
 * @param height height in texels
 */
public record PictureSize(int width, int height) {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,9})x([0-9]{1,9})");

    /** Returns the number of texels. */
    public long texels() {
        return (long) width * height;
    }

    @Override
    public String toString() {
        return width + "x" + height;
    }

    /**
     * Reads a size.
     *
     * @throws TypeConversionException if it is none
     */
    public static PictureSize parse(String value) {
        Matcher matcher = FORM.matcher(value);
        if (!matcher.matches()) {
            throw new TypeConversionException("'" + value + "' is no size; write WIDTHxHEIGHT, such as 1280x720");
        }
        return new PictureSize(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
    }
}
