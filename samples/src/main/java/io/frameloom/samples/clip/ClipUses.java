package io.frameloom.samples.clip;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.namespace.QName;
import javax.xml.stream.events.StartElement;
import org.jspecify.annotations.Nullable;

/**
 * Where a {@code use} puts what it refers to. By SVG 1.1 ("5.6 The 'use' element") this is a translation at the end of its
 * transform, and so moves its clip path, too, which JSVG leaves where it was. Stateless.
 */
final class ClipUses {
    private static final Pattern PLAIN = Pattern.compile("\\s*([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)(?:px)?\\s*");
    private static final String X = "x";
    private static final String Y = "y";

    private ClipUses() {}

    static boolean hasPlace(StartElement use) {
        return ClipChains.attribute(use, X) != null || ClipChains.attribute(use, Y) != null;
    }

    /** Returns whether the place, if there is one, can be told by a transform. */
    static boolean hasPlainPlace(StartElement use) {
        return plain(ClipChains.attribute(use, X)) != null && plain(ClipChains.attribute(use, Y)) != null;
    }

    private static @Nullable String plain(@Nullable String length) {
        if (length == null) {
            return "0";
        }
        Matcher number = PLAIN.matcher(length);
        return number.matches() ? number.group(1) : null;
    }

    /** Returns whether a translation takes the place of these coordinates. */
    static boolean moves(StartElement element) {
        return ClipChains.is(element, "use")
                && ClipChains.clipPath(element) != null
                && hasPlace(element)
                && hasPlainPlace(element);
    }

    static boolean isPlace(QName attribute) {
        return attribute.getNamespaceURI().isEmpty()
                && (attribute.getLocalPart().equals(X)
                        || attribute.getLocalPart().equals(Y));
    }

    /** Returns the transform of a use that moves. */
    static String transform(StartElement use) {
        @Nullable String own = ClipChains.attribute(use, ClipChains.TRANSFORM);
        return (own == null ? "" : own + " ") + "translate(" + plain(ClipChains.attribute(use, X)) + " "
                + plain(ClipChains.attribute(use, Y)) + ")";
    }
}
