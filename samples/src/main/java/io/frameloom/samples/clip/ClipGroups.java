package io.frameloom.samples.clip;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
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

/** The events of a picture, with groups around what a clip path clips that is clipped itself. One thread. */
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
            "switch",
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
        if (may) {
            for (String path : chains.around(element)) {
                groups.add(new QName(
                        element.getName().getNamespaceURI(),
                        "g",
                        element.getName().getPrefix()));
                List<Attribute> attributes = new ArrayList<>();
                attributes.add(factory.createAttribute(ClipChains.CLIP_PATH, "url(#" + path + ")"));
                if (groups.size() == 1) {
                    attributesOf(element, true).forEachRemaining(attributes::add);
                }
                ready.add(factory.createStartElement(groups.get(0), attributes.iterator(), null));
            }
        }
        open.push(groups);
        ready.add(
                groups.isEmpty()
                        ? element
                        : factory.createStartElement(
                                element.getName(), attributesOf(element, false), element.getNamespaces()));
    }

    private static Iterator<Attribute> attributesOf(StartElement element, boolean outermost) {
        List<Attribute> chosen = new ArrayList<>();
        element.getAttributes().forEachRemaining(attribute -> {
            QName name = attribute.getName();
            boolean moves = name.getNamespaceURI().isEmpty() && OUTERMOST.contains(name.getLocalPart());
            if (moves == outermost) {
                chosen.add(attribute);
            }
        });
        return chosen.iterator();
    }
}
