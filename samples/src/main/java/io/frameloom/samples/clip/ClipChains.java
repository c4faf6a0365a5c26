package io.frameloom.samples.clip;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.Location;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.events.Attribute;
import javax.xml.stream.events.StartElement;
import javax.xml.stream.events.XMLEvent;
import org.jspecify.annotations.Nullable;

/**
 * The clip paths of a picture that are clipped themselves, which JSVG does not look at. By SVG 1.1 ("14.3.5
 * Establishing a new clipping path") such a path leaves what both leave. So what it clips gets groups around it, one
 * for each further path of the chain, in the same coordinates. What of clips is not looked at is noted. One thread.
 */
final class ClipChains {
    /** Clip paths around one: groups in groups, of which a picture may have twice as many. */
    static final int LONGEST = 100;

    private static final Pattern IN_SHEET =
            Pattern.compile("(?<![\\w-])(clip-path|clip-rule|display|visibility|transform)\\s*:");
    private static final List<String> CONDITIONS = List.of("systemLanguage", "requiredExtensions", "requiredFeatures");
    private static final Set<String> NO_REFERENCE = Set.of("", "none", "initial", "unset", "revert", "revert-layer");

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

    /** Uses that a bounding box may be of, and whose place no translation takes. */
    private final List<Location> unplaced = new ArrayList<>();

    /** What each style sheet says that clip paths do not take from it. */
    private final Map<Location, String> sheets = new LinkedHashMap<>();

    private boolean hasBoxes;
    private boolean inStyle;
    private int views;
    private int patterns;

    ClipChains(ClipNotes notes) {
        this.notes = notes;
    }

    /** Looks at an event of the picture. */
    void add(XMLEvent event) {
        if (event.isStartElement()) {
            views += SvgProperties.is(event.asStartElement(), "svg") ? 1 : 0;
            patterns += SvgProperties.is(event.asStartElement(), "pattern") ? 1 : 0;
            begin(event.asStartElement());
        } else if (event.isEndElement()) {
            String name = event.asEndElement().getName().getLocalPart();
            views -= name.equals("svg") ? 1 : 0;
            patterns -= name.equals("pattern") ? 1 : 0;
            inClipPath.poll();
            inStyle = false;
        } else if (inStyle && event.isCharacters()) {
            noteSheet(event);
        }
    }

    private void noteSheet(XMLEvent sheet) {
        Set<String> properties = new TreeSet<>();
        Matcher all = IN_SHEET.matcher(sheet.asCharacters().getData());
        while (all.find()) {
            properties.add(all.group(1));
        }
        if (!properties.isEmpty()) {
            sheets.put(sheet.getLocation(), String.join(", ", properties));
        }
    }

    private void begin(StartElement element) {
        @Nullable String id = SvgProperties.attribute(element, SvgProperties.ID);
        @Nullable String path = SvgProperties.clipPath(element);
        Location where = element.getLocation();
        if (id != null) {
            ids.add(id);
        }
        if (path != null) {
            asked.putIfAbsent(path, where);
        }
        if (SvgProperties.isClipPath(element)) {
            beginClipPath(element, id == null ? "" : id, path);
        } else if (!inClipPath.isEmpty()) {
            notePart(element, path != null);
            inClipPath.push("");
        } else if (id != null && path != null) {
            clipped.put(id, path);
        }
        noteOthers(element, path != null);
        inStyle = SvgProperties.is(element, SvgProperties.STYLE);
    }

    private void beginClipPath(StartElement element, String id, @Nullable String by) {
        inClipPath.push(id);
        if (!clipPaths.add(id)) {
            return;
        }
        boolean ofBox = SvgProperties.isOfBoundingBox(element);
        hasBoxes |= ofBox;
        if (ofBox && SvgProperties.value(element, SvgProperties.TRANSFORM) != null) {
            notes.add(
                    element.getLocation(),
                    "clip path '" + id + "' has a transform, which is not looked at, since its units are those of a"
                            + " bounding box");
        }
        if (!SvgProperties.isDisplayed(element)) {
            notes.add(element.getLocation(), "clip path '" + id + "' is not displayed, but clips all the same");
        }
        if (by != null) {
            clippedBy.put(id, by);
        }
    }

    private void notePart(StartElement element, boolean isClipped) {
        String part = "this part of clip path '" + inClipPath.getLast() + "' ";
        if (isClipped) {
            notes.add(element.getLocation(), part + "is clipped: it is taken whole");
        }
        if (SvgProperties.is(element, "textPath")) {
            notes.add(element.getLocation(), part + "is text on a path, which is not looked at");
        }
        for (String condition : CONDITIONS) {
            if (SvgProperties.attribute(element, condition) != null) {
                notes.add(element.getLocation(), part + "has " + condition + ", which is not looked at: it is taken");
            }
        }
        boolean ofView = false;
        for (Iterator<Attribute> all = element.getAttributes(); all.hasNext(); ) {
            ofView |= all.next().getValue().endsWith("%");
        }
        if (ofView && views > 1) {
            notes.add(element.getLocation(), part + "has percentages, which are taken of the whole picture");
        }
    }

    private void noteOthers(StartElement element, boolean isClipped) {
        Location where = element.getLocation();
        if (inClipPath.isEmpty() && (SvgProperties.is(element, "switch") || SvgProperties.is(element, "image"))) {
            notes.add(where, "nothing of this '" + element.getName().getLocalPart() + "' is drawn");
        }
        if (isClipped && patterns > 0) {
            notes.add(where, "the clips of a 'pattern' are not looked at");
        }
        if (isClipped && views > 1 && SvgProperties.is(element, "svg")) {
            notes.add(where, "this 'svg' is clipped in the coordinates around it, unlike in browsers");
        }
        if (inClipPath.isEmpty() && ClipUses.hasPlace(element) && ClipUses.translation(element) == null) {
            if (isClipped) {
                notes.add(where, "this 'use' is clipped, and its place is no length: its clip stays where it was");
            } else {
                unplaced.add(where);
            }
        }
        @Nullable String value = SvgProperties.value(element, SvgProperties.CLIP_PATH);
        if (value != null && SvgProperties.reference(value) == null && !NO_REFERENCE.contains(value)) {
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
        if (!clipPaths.isEmpty()) {
            sheets.forEach((where, properties) -> notes.add(
                    where,
                    "clip paths, their parts and clipped uses do not look at this style sheet for " + properties));
        }
        if (hasBoxes) {
            unplaced.forEach(where ->
                    notes.add(where, "the place of this 'use' is no length: bounding boxes take it from where it was"));
        }
    }

    /**
     * Returns the clip paths that clip the one of an element, the outermost first.
     *
     * @throws XMLStreamException if one of them clips itself, or there are too many
     */
    List<String> around(StartElement element) throws XMLStreamException {
        Deque<String> chain = new ArrayDeque<>();
        Set<String> seen = new LinkedHashSet<>();
        @Nullable String first = SvgProperties.clipPath(element);
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
}
