package io.frameloom.samples.clip;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.namespace.QName;
import javax.xml.stream.events.Attribute;
import javax.xml.stream.events.StartElement;
import org.jspecify.annotations.Nullable;

/**
 * Where a {@code use} puts what it refers to. By SVG 1.1 ("5.6 The 'use' element") this is a translation at the end of
 * its transform. So it also moves its clip path and its bounding box, which JSVG leaves where they were. Stateless.
 */
final class ClipUses {
    private static final Pattern LENGTH = Pattern.compile("([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)(|px|pt|pc|mm|cm|in)");
    /** Pixels of each unit, by CSS ("6.2 Absolute lengths"). */
    private static final Map<String, Double> PIXELS =
            Map.of("", 1.0, "px", 1.0, "pt", 96 / 72.0, "pc", 16.0, "mm", 96 / 25.4, "cm", 96 / 2.54, "in", 96.0);

    private static final QName LINK = new QName("http://www.w3.org/1999/xlink", "href");

    private ClipUses() {}

    /** Returns the identifier that a use refers to, or nothing if that is none of this picture. */
    static String target(StartElement use) {
        @Nullable Attribute link = use.getAttributeByName(new QName("href"));
        link = link == null ? use.getAttributeByName(LINK) : link;
        String value = link == null ? "" : link.getValue().strip();
        return value.startsWith("#") ? value.substring(1) : "";
    }

    static boolean hasPlace(StartElement element) {
        return SvgProperties.is(element, "use")
                && (SvgProperties.value(element, "x") != null || SvgProperties.value(element, "y") != null);
    }

    /**
     * Returns the translation that takes the place of the coordinates of a use, or null if they are no absolute
     * lengths.
     */
    static @Nullable String translation(StartElement use) {
        @Nullable Double x = pixels(SvgProperties.value(use, "x"));
        @Nullable Double y = pixels(SvgProperties.value(use, "y"));
        return x == null || y == null ? null : "translate(" + x + " " + y + ")";
    }

    private static @Nullable Double pixels(@Nullable String length) {
        if (length == null) {
            return 0.0;
        }
        Matcher number = LENGTH.matcher(length);
        return number.matches() ? Double.valueOf(number.group(1)) * PIXELS.getOrDefault(number.group(2), 1.0) : null;
    }
}
