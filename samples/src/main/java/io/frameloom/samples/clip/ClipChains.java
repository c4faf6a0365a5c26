package io.frameloom.samples.clip;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLEventReader;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.events.Attribute;
import javax.xml.stream.events.StartElement;
import org.jspecify.annotations.Nullable;

/**
 * The clip paths of a picture that are clipped themselves, which JSVG does not look at. What they clip is given groups around
 * it, one for each further path of the chain, in the same coordinates. One thread.
 *
 * <p>A property is looked for in the attribute and the style of an element. A clip path with a transform of its own is left
 * alone, for what clips it lies in other coordinates.
 */
final class ClipChains {
    static final String CLIP_PATH = "clip-path";
    static final String TRANSFORM = "transform";
    static final String ID = "id";

    private static final Pattern REFERENCE = Pattern.compile("\\s*url\\(\\s*[\"']?#([^\"')]+)[\"']?\\s*\\)\\s*");
    private static final Pattern STYLE = Pattern.compile("(?:^|;)\\s*clip-path\\s*:\\s*([^;]*)");

    /** By identifier of a clip path, the one that clips it. */
    private final Map<String, String> clippedBy = new HashMap<>();

    /** Looks at an element of the picture. */
    void add(StartElement element) {
        @Nullable String id = attribute(element, ID);
        @Nullable String by = clipPath(element);
        if (isClipPath(element) && id != null && by != null && attribute(element, TRANSFORM) == null) {
            clippedBy.put(id, by);
        }
    }

    /** Returns whether a picture can be read as it is. */
    boolean isEmpty() {
        return clippedBy.isEmpty();
    }

    static boolean isClipPath(StartElement element) {
        return element.getName().getLocalPart().equals("clipPath");
    }

    /** Returns the clip paths that clip the one of an element, the outermost first. */
    List<String> around(StartElement element) throws XMLStreamException {
        List<String> chain = new ArrayList<>();
        Set<String> seen = new LinkedHashSet<>();
        @Nullable String path = clipPath(element);
        while (path != null) {
            if (!seen.add(path)) {
                throw new XMLStreamException("clip path '" + path + "' clips itself", element.getLocation());
            }
            path = clippedBy.get(path);
            if (path != null) {
                chain.add(0, path);
            }
        }
        return chain;
    }

    private static @Nullable String clipPath(StartElement element) {
        @Nullable String style = attribute(element, "style");
        if (style != null) {
            Matcher own = STYLE.matcher(style);
            if (own.find()) {
                return reference(own.group(1));
            }
        }
        @Nullable String value = attribute(element, CLIP_PATH);
        return value == null ? null : reference(value);
    }

    private static @Nullable String reference(String value) {
        Matcher reference = REFERENCE.matcher(value);
        return reference.matches() ? reference.group(1) : null;
    }

    static @Nullable String attribute(StartElement element, String name) {
        @Nullable Attribute attribute = element.getAttributeByName(new QName(name));
        return attribute == null ? null : attribute.getValue();
    }

    /** Returns the events of a picture with the groups in it. */
    XMLEventReader wrap(XMLEventReader events) {
        return isEmpty() ? events : new ClipGroups(events, this);
    }
}
