package io.frameloom.samples.clip;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLEventFactory;
import javax.xml.stream.XMLEventReader;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.events.Attribute;
import javax.xml.stream.events.StartElement;
import javax.xml.stream.events.XMLEvent;
import javax.xml.stream.util.EventReaderDelegate;
import org.jspecify.annotations.Nullable;

/**
 * The events of a picture in a form that JSVG draws rightly. What a clipped clip path clips has groups around it. Each
 * clip path has an outline in place of its parts. Uses have their places in their transforms. What is not displayed
 * stands where it has no bounds. One thread.
 */
final class ClipGroups extends EventReaderDelegate {
    private static final Set<String> CLIPPED = Set.of(
            "a",
            "circle",
            "ellipse",
            "g",
            "image",
            "line",
            "path",
            "polygon",
            "polyline",
            "rect",
            "svg",
            "text",
            "use");
    /** They move to the outermost group, which lies in the coordinates of what is in it. */
    private static final List<String> COORDINATES =
            List.of(SvgProperties.TRANSFORM, "transform-origin", "transform-box");

    /** Where a use is, unless its transform says so. */
    private static final List<String> PLACE = List.of("x", "y");

    private final ClipChains chains;
    /** By identifier of a clip path, the data of its one path. */
    private final Map<String, String> outlines;

    private final XMLEventFactory factory = XMLEventFactory.newDefaultFactory();
    private final Deque<XMLEvent> ready = new ArrayDeque<>();
    /** Groups around each element that is open. */
    private final Deque<List<QName>> open = new ArrayDeque<>();

    private boolean inStyle;

    ClipGroups(XMLEventReader events, ClipChains chains, Map<String, String> outlines) {
        super(events);
        this.chains = chains;
        this.outlines = outlines;
    }

    @Override
    public boolean hasNext() {
        return !ready.isEmpty() || super.hasNext();
    }

    @Override
    public @Nullable XMLEvent peek() throws XMLStreamException {
        if (ready.isEmpty() && super.hasNext()) {
            take(super.nextEvent());
        }
        return ready.peek();
    }

    @Override
    public XMLEvent nextEvent() throws XMLStreamException {
        if (ready.isEmpty()) {
            take(super.nextEvent());
        }
        return ready.remove();
    }

    private void take(XMLEvent event) throws XMLStreamException {
        if (event.isStartElement()) {
            begin(event.asStartElement());
        } else if (event.isEndElement()) {
            ready.add(event);
            open.pop().forEach(group -> ready.add(factory.createEndElement(group, null)));
        } else if (inStyle && event.isCharacters()) {
            ready.add(factory.createCharacters(
                    SvgProperties.plain(event.asCharacters().getData())));
        } else {
            ready.add(event);
        }
        inStyle = event.isStartElement() && SvgProperties.is(event.asStartElement(), SvgProperties.STYLE);
    }

    private void begin(StartElement element) throws XMLStreamException {
        @Nullable
        String outline = SvgProperties.isClipPath(element)
                ? outlines.get(SvgProperties.attribute(element, SvgProperties.ID))
                : null;
        if (outline != null) {
            addClipPath(element, outline);
            return;
        }
        List<QName> groups = new ArrayList<>();
        // The picture itself has nothing around it.
        boolean may = !open.isEmpty() && CLIPPED.contains(element.getName().getLocalPart());
        List<String> around = may ? chains.around(element) : List.of();
        if (may && !SvgProperties.isDisplayed(element)) {
            beginGroup(element, "defs", List.of(), groups);
            around = List.of();
        }
        List<Attribute> inner = new ArrayList<>();
        List<Attribute> outer = new ArrayList<>();
        divide(element, !around.isEmpty(), outer, inner);
        if (open.isEmpty() && SvgProperties.attribute(element, SvgProperties.FONT_SIZE) == null) {
            inner.add(factory.createAttribute(SvgProperties.FONT_SIZE, SvgProperties.INITIAL_FONT_SIZE));
        }
        for (String path : around) {
            List<Attribute> attributes = new ArrayList<>();
            attributes.add(factory.createAttribute(SvgProperties.CLIP_PATH, "url(#" + path + ")"));
            if (groups.isEmpty()) {
                attributes.addAll(outer);
            }
            beginGroup(element, "g", attributes, groups);
        }
        open.push(groups);
        ready.add(factory.createStartElement(element.getName(), inner.iterator(), element.getNamespaces()));
    }

    /** Adds a clip path of one path, and passes over its parts. */
    private void addClipPath(StartElement element, String outline) throws XMLStreamException {
        List<QName> names = new ArrayList<>();
        List<Attribute> kept = new ArrayList<>();
        for (String name : List.of(SvgProperties.ID, "clipPathUnits")) {
            @Nullable String value = SvgProperties.attribute(element, name);
            if (value != null) {
                kept.add(factory.createAttribute(name, value));
            }
        }
        beginGroup(element, element.getName().getLocalPart(), kept, names);
        List<Attribute> data = List.of(
                factory.createAttribute("d", outline), factory.createAttribute(SvgProperties.STYLE, "transform:none"));
        beginGroup(element, "path", data, names);
        names.forEach(name -> ready.add(factory.createEndElement(name, null)));
        for (int depth = 1; depth > 0; ) {
            XMLEvent part = super.nextEvent();
            depth += part.isStartElement() ? 1 : part.isEndElement() ? -1 : 0;
        }
    }

    private void beginGroup(StartElement element, String name, List<Attribute> attributes, List<QName> groups) {
        QName group = new QName(
                element.getName().getNamespaceURI(), name, element.getName().getPrefix());
        groups.add(0, group);
        ready.add(factory.createStartElement(group, attributes.iterator(), null));
    }

    private void divide(StartElement element, boolean wrapped, List<Attribute> outer, List<Attribute> inner) {
        @Nullable String translation = ClipUses.hasPlace(element) ? ClipUses.translation(element) : null;
        boolean moves = translation != null;
        element.getAttributes().forEachRemaining(attribute -> {
            QName name = attribute.getName();
            String local = name.getNamespaceURI().isEmpty() ? name.getLocalPart() : "";
            boolean elsewhere = ((wrapped || moves) && COORDINATES.contains(local))
                    || (moves && PLACE.contains(local))
                    || (wrapped && local.equals(SvgProperties.ID));
            if (local.equals(SvgProperties.STYLE)) {
                inner.add(factory.createAttribute(name, style(attribute.getValue(), wrapped || moves, moves)));
            } else if (local.equals(SvgProperties.CLIP_PATH)) {
                inner.add(factory.createAttribute(name, SvgProperties.plain(attribute.getValue())));
            } else if (!elsewhere) {
                inner.add(directed(element, attribute));
            }
        });
        List<Attribute> where = wrapped ? outer : inner;
        for (String name : wrapped || moves ? COORDINATES : List.<String>of()) {
            @Nullable String value = SvgProperties.value(element, name);
            if (moves && name.equals(SvgProperties.TRANSFORM)) {
                value = (value == null || value.equals("none") ? "" : value + " ") + translation;
            }
            if (value != null) {
                where.add(factory.createAttribute(name, value));
            }
        }
        @Nullable String id = SvgProperties.attribute(element, SvgProperties.ID);
        if (wrapped && id != null) {
            // Others refer to the outermost group.
            outer.add(factory.createAttribute(SvgProperties.ID, id));
            inner.add(factory.createAttribute(SvgProperties.ID, chains.inside(id)));
        }
    }

    private static String style(String own, boolean withoutCoordinates, boolean withoutPlace) {
        String style = SvgProperties.plain(own);
        for (String name : withoutCoordinates ? COORDINATES : List.<String>of()) {
            style = SvgProperties.without(name, style);
        }
        for (String name : withoutPlace ? PLACE : List.<String>of()) {
            style = SvgProperties.without(name, style);
        }
        return style;
    }

    /** Lets what takes a shape, and no groups, refer to the one in the groups. */
    private Attribute directed(StartElement element, Attribute attribute) {
        boolean shape = SvgProperties.is(element, "textPath");
        String value = attribute.getValue().strip();
        if (!shape
                || !attribute.getName().getLocalPart().equals("href")
                || !value.startsWith("#")
                || !chains.isWrapped(value.substring(1))) {
            return attribute;
        }
        return factory.createAttribute(attribute.getName(), "#" + chains.inside(value.substring(1)));
    }
}
