package io.frameloom.samples.clip;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
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
 * The events of a picture, with groups around what a clip path clips that is clipped itself, and the places of clipped uses
 * in their transforms. One thread.
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
    /** They move to the outermost group: it lies in the coordinates of what is in it, and is what others refer to. */
    private static final Set<String> OUTERMOST = Set.of(ClipChains.TRANSFORM, ClipChains.ID);

    private final ClipChains chains;
    private final XMLEventFactory factory = XMLEventFactory.newDefaultFactory();
    private final Deque<XMLEvent> ready = new ArrayDeque<>();
    /** Groups around each element that is open. */
    private final Deque<List<QName>> open = new ArrayDeque<>();

    private int clipPaths;

    ClipGroups(XMLEventReader events, ClipChains chains) {
        super(events);
        this.chains = chains;
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
            List<QName> groups = open.pop();
            groups.forEach(group -> ready.add(factory.createEndElement(group, null)));
            String name = event.asEndElement().getName().getLocalPart();
            clipPaths -= name.equals("clipPath") ? 1 : 0;
        } else {
            ready.add(event);
        }
    }

    private void begin(StartElement element) throws XMLStreamException {
        clipPaths += ClipChains.isClipPath(element) ? 1 : 0;
        List<QName> groups = new ArrayList<>();
        // The picture itself has nothing around it, and in a clip path there are no groups.
        boolean may = !open.isEmpty()
                && clipPaths == 0
                && CLIPPED.contains(element.getName().getLocalPart());
        List<Attribute> outer = new ArrayList<>();
        List<Attribute> inner = new ArrayList<>();
        List<String> around = may ? chains.around(element) : List.of();
        divide(element, !around.isEmpty(), outer, inner);
        for (String path : around) {
            groups.add(new QName(
                    element.getName().getNamespaceURI(), "g", element.getName().getPrefix()));
            List<Attribute> attributes = new ArrayList<>();
            attributes.add(factory.createAttribute(ClipChains.CLIP_PATH, "url(#" + path + ")"));
            if (groups.size() == 1) {
                attributes.addAll(outer);
            }
            ready.add(factory.createStartElement(groups.get(0), attributes.iterator(), null));
        }
        open.push(groups);
        ready.add(factory.createStartElement(element.getName(), inner.iterator(), element.getNamespaces()));
    }

    private void divide(StartElement element, boolean wrapped, List<Attribute> outer, List<Attribute> inner) {
        boolean moves = ClipUses.moves(element);
        element.getAttributes().forEachRemaining(attribute -> {
            QName name = attribute.getName();
            boolean own = name.getNamespaceURI().isEmpty();
            boolean transform = own && name.getLocalPart().equals(ClipChains.TRANSFORM);
            if (moves && (transform || ClipUses.isPlace(name))) {
                return;
            }
            List<Attribute> where = wrapped && own && OUTERMOST.contains(name.getLocalPart()) ? outer : inner;
            where.add(directed(element, attribute));
        });
        if (moves) {
            (wrapped ? outer : inner).add(factory.createAttribute(ClipChains.TRANSFORM, ClipUses.transform(element)));
        }
        @Nullable String id = ClipChains.attribute(element, ClipChains.ID);
        if (wrapped && id != null) {
            inner.add(factory.createAttribute(ClipChains.ID, chains.inside(id)));
        }
    }

    /** Lets what takes a shape, and no groups, refer to the one in the groups. */
    private Attribute directed(StartElement element, Attribute attribute) {
        boolean shape = (clipPaths > 0 && ClipChains.is(element, "use")) || ClipChains.is(element, "textPath");
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
