package io.frameloom.samples.clip;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.namespace.QName;
import javax.xml.stream.Location;
import javax.xml.stream.XMLEventReader;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.events.Attribute;
import javax.xml.stream.events.StartElement;
import javax.xml.stream.events.XMLEvent;
import org.jspecify.annotations.Nullable;

/**
 * The clip paths of a picture that are clipped themselves, which JSVG does not look at. By SVG 1.1 ("14.3.5 Establishing a
 * new clipping path") what is left of such a path is what both leave, so what it clips is given groups around it, one for
 * each further path of the chain, in the same coordinates. One thread.
 *
 * <p>A property is looked for in the attribute and the style of an element. A clip path with a transform of its own is left
 * alone, for what clips it lies in other coordinates. This, and what else of clips is not looked at, is noted.
 */
final class ClipChains {
    static final String CLIP_PATH = "clip-path";
    static final String TRANSFORM = "transform";
    static final String ID = "id";

    /** Clip paths around one: groups in groups, of which a picture may have twice as many. */
    static final int LONGEST = 100;

    private static final Pattern REFERENCE = Pattern.compile("url\\(\\s*[\"']?#([^\"')]+)[\"']?\\s*\\)");
    private static final Pattern STYLE = Pattern.compile("(?:^|;)\\s*clip-path\\s*:\\s*([^;]*)");
    private static final Set<String> NO_REFERENCE = Set.of("", "none", "inherit");

    private final ClipNotes notes;
    private final Set<String> ids = new HashSet<>();
    private final Set<String> clipPaths = new HashSet<>();
    /** By identifier of a clip path, the one that clips it. */
    private final Map<String, String> clippedBy = new HashMap<>();
    /** By identifier of what is no clip path and no part of one, its clip path. */
    private final Map<String, String> clipped = new HashMap<>();
    /** Where each clip path is asked for first. */
    private final Map<String, Location> asked = new LinkedHashMap<>();

    /** The clip path that is open, then what is open in it. */
    private final Deque<String> inClipPath = new ArrayDeque<>();

    private boolean inStyle;
    private boolean movesUses;

    ClipChains(ClipNotes notes) {
        this.notes = notes;
    }

    /** Looks at an event of the picture. */
    void add(XMLEvent event) {
        if (event.isStartElement()) {
            begin(event.asStartElement());
        } else if (event.isEndElement()) {
            inClipPath.poll();
            inStyle = false;
        } else if (inStyle
                && event.isCharacters()
                && event.asCharacters().getData().contains(CLIP_PATH)) {
            notes.add(event.getLocation(), "clip paths that this style sheet gives to clip paths are not looked at");
        }
    }

    private void begin(StartElement element) {
        @Nullable String id = attribute(element, ID);
        @Nullable String path = clipPath(element);
        Location where = element.getLocation();
        if (id != null) {
            ids.add(id);
        }
        if (path != null) {
            asked.putIfAbsent(path, where);
        }
        if (isClipPath(element)) {
            beginClipPath(element, id == null ? "" : id, path);
        } else if (!inClipPath.isEmpty()) {
            if (path != null) {
                notes.add(where, "this part of clip path '" + inClipPath.getLast() + "' is clipped: it is taken whole");
            }
            inClipPath.push("");
        } else if (id != null && path != null) {
            clipped.put(id, path);
        }
        noteOthers(element, path != null);
        inStyle = is(element, "style");
    }

    private void beginClipPath(StartElement element, String id, @Nullable String by) {
        inClipPath.push(id);
        clipPaths.add(id);
        if (attribute(element, TRANSFORM) != null) {
            notes.add(
                    element.getLocation(),
                    "clip path '" + id + "' has a transform, which is not looked at"
                            + (by == null ? "" : ", and so neither is '" + by + "', which clips it"));
        } else if (by != null) {
            clippedBy.put(id, by);
        }
    }

    private void noteOthers(StartElement element, boolean isClipped) {
        Location where = element.getLocation();
        if (is(element, "switch")) {
            notes.add(where, "nothing of a 'switch' is drawn");
        }
        if (is(element, "use")) {
            movesUses |= isClipped && ClipUses.hasPlace(element);
            if (isClipped && !ClipUses.hasPlainPlace(element)) {
                notes.add(where, "this 'use' is clipped, and its place is no number: its clip stays where it was");
            }
        }
        @Nullable String value = value(element);
        if (value != null && reference(value) == null && !NO_REFERENCE.contains(value)) {
            notes.add(where, "the clip path " + value + " is not looked at: it is none of this picture");
        }
    }

    /** Notes what is asked for and is not there; when all events were added. */
    void end() {
        asked.forEach((path, where) -> {
            if (!clipPaths.contains(path)) {
                notes.add(where, "there is no clip path '" + path + "': it clips nothing");
            }
        });
    }

    static boolean is(StartElement element, String name) {
        return element.getName().getLocalPart().equals(name);
    }

    static boolean isClipPath(StartElement element) {
        return is(element, "clipPath");
    }

    /**
     * Returns the clip paths that clip the one of an element, the outermost first.
     *
     * @throws XMLStreamException if one of them clips itself, or there are too many
     */
    List<String> around(StartElement element) throws XMLStreamException {
        Deque<String> chain = new ArrayDeque<>();
        Set<String> seen = new LinkedHashSet<>();
        @Nullable String first = clipPath(element);
        @Nullable String path = first;
        while (path != null) {
            if (!seen.add(path)) {
                throw new XMLStreamException("clip path '" + path + "' clips itself", element.getLocation());
            }
            path = clippedBy.get(path);
            if (path != null) {
                chain.addFirst(path);
            }
            if (chain.size() > LONGEST) {
                throw new XMLStreamException(
                        "around clip path '" + first + "' there are more than " + LONGEST
                                + " others, each clipped by the next",
                        element.getLocation());
            }
        }
        return List.copyOf(chain);
    }

    /** Returns whether the element of an identifier stands in groups. */
    boolean isWrapped(String id) {
        @Nullable String path = clipped.get(id);
        return path != null && clippedBy.containsKey(path);
    }

    /** Returns another identifier for what stands in the groups that have its own. */
    String inside(String id) {
        String other = id + "-inside";
        while (ids.contains(other)) {
            other += "-";
        }
        return other;
    }

    static @Nullable String clipPath(StartElement element) {
        @Nullable String value = value(element);
        return value == null ? null : reference(value);
    }

    /** Returns the value of the property: the last one of the style, or that of the attribute. */
    private static @Nullable String value(StartElement element) {
        @Nullable String value = attribute(element, CLIP_PATH);
        @Nullable String style = attribute(element, "style");
        if (style != null) {
            Matcher own = STYLE.matcher(style);
            while (own.find()) {
                value = own.group(1).replaceFirst("!\\s*important\\s*$", "");
            }
        }
        return value == null ? null : value.strip();
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
        return clippedBy.isEmpty() && !movesUses ? events : new ClipGroups(events, this);
    }
}
