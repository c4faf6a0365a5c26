package io.frameloom.samples.clip;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.namespace.QName;
import javax.xml.stream.events.Attribute;
import javax.xml.stream.events.StartElement;
import org.jspecify.annotations.Nullable;

/** What an element of an SVG picture says of itself. Style sheets are not looked at here. Stateless. */
final class SvgProperties {
    static final String CLIP_PATH = "clip-path";
    /** Lengths in em are of it; JSVG takes another initial size than browsers. */
    static final String FONT_SIZE = "font-size";

    static final String INITIAL_FONT_SIZE = "16px";
    static final String ID = "id";
    static final String STYLE = "style";
    static final String TRANSFORM = "transform";

    private static final Pattern URL = Pattern.compile("url\\(\\s*[\"']?\\s*#([^\"')\\s]+)\\s*[\"']?\\s*\\)");
    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/");
    private static final Pattern IMPORTANT = Pattern.compile("\\s*!\\s*important\\b");

    private SvgProperties() {}

    static boolean is(StartElement element, String name) {
        return element.getName().getLocalPart().equals(name);
    }

    static boolean isClipPath(StartElement element) {
        return is(element, "clipPath");
    }

    static boolean isDisplayed(StartElement element) {
        return !"none".equals(value(element, "display"));
    }

    static boolean isOfBoundingBox(StartElement clipPath) {
        return "objectBoundingBox".equals(attribute(clipPath, "clipPathUnits"));
    }

    static @Nullable String attribute(StartElement element, String name) {
        @Nullable Attribute attribute = element.getAttributeByName(new QName(name));
        return attribute == null ? null : attribute.getValue();
    }

    /** Returns the value of a property: the last one of the style, or that of the attribute. */
    static @Nullable String value(StartElement element, String property) {
        @Nullable String value = attribute(element, property);
        @Nullable String style = attribute(element, STYLE);
        for (String declaration :
                style == null ? new String[0] : withoutComments(style).split(";")) {
            if (isOf(property, declaration)) {
                value = IMPORTANT
                        .matcher(declaration.substring(declaration.indexOf(':') + 1))
                        .replaceAll("");
            }
        }
        return value == null ? null : withoutComments(value).strip();
    }

    private static boolean isOf(String property, String declaration) {
        int colon = declaration.indexOf(':');
        return colon >= 0 && declaration.substring(0, colon).strip().equalsIgnoreCase(property);
    }

    /** Returns a style without a property. */
    static String without(String property, String style) {
        StringBuilder others = new StringBuilder();
        for (String declaration : style.split(";", 0)) {
            if (!isOf(property, declaration)) {
                others.append(declaration).append(';');
            }
        }
        return others.toString();
    }

    /** Returns the identifier that the clip path of an element refers to. */
    static @Nullable String clipPath(StartElement element) {
        @Nullable String value = value(element, CLIP_PATH);
        return value == null ? null : reference(value);
    }

    static @Nullable String reference(String value) {
        Matcher url = URL.matcher(value);
        return url.matches() ? url.group(1) : null;
    }

    private static String withoutComments(String properties) {
        return COMMENT.matcher(properties).replaceAll(" ");
    }

    /** Returns properties as JSVG reads them: without comments, and references without quotes and spaces. */
    static String plain(String properties) {
        String references = URL.matcher(withoutComments(properties)).replaceAll("url(#$1)");
        return IMPORTANT.matcher(references).replaceAll("");
    }
}
