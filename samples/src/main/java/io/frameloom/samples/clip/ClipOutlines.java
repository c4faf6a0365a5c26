package io.frameloom.samples.clip;

import java.awt.Color;
import java.awt.Paint;
import java.awt.Shape;
import java.awt.geom.AffineTransform;
import java.awt.geom.Area;
import java.awt.geom.Line2D;
import java.awt.geom.PathIterator;
import java.awt.geom.Point2D;
import java.awt.geom.Rectangle2D;
import java.io.StringWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import javax.xml.stream.events.Attribute;
import javax.xml.stream.events.StartElement;
import javax.xml.stream.events.XMLEvent;
import org.jspecify.annotations.Nullable;

/**
 * The outlines of the clip paths of a picture, each as one path. JSVG draws as browsers do. But it clips by all parts
 * of a clip path, displayed or not, without their clip rules and the places of uses. So it draws the parts here, in a
 * picture of their own and in one colour for each clip path. What it fills are the outlines. One thread.
 *
 * <p>By SVG 1.1 ("14.3.5 Establishing a new clipping path") the parts are shapes, texts, and uses that refer to these
 * directly.
 */
final class ClipOutlines implements ClipRecorder.Target {
    private static final Set<String> SHAPES =
            Set.of("circle", "ellipse", "line", "path", "polygon", "polyline", "rect", "text");
    private static final String VISIBLE =
            "display:inline;visibility:visible;opacity:1;mask:none;filter:none;" + "clip-path:none;overflow:visible";
    private static final String FILLED =
            ";stroke:none;fill-opacity:1;marker:none;marker-start:none;marker-mid:none;" + "marker-end:none;" + VISIBLE;
    private static final int MOST_LINES = 10_000;

    private static final int MOST_CROSSINGS = 20_000;

    private static final String INHERIT = "inherit";

    /** The letters of what {@link PathIterator} has, and how many numbers each takes. */
    private static final String SEGMENTS = "MLQCZ";

    private static final int[] NUMBERS = {2, 2, 4, 6, 0};

    /**
     * A clip path.
     *
     * @param around it and what it stands in, the innermost first
     */
    private record Clip(List<StartElement> around, List<List<XMLEvent>> parts) {}

    private final Map<String, Clip> clips = new LinkedHashMap<>();
    /** By identifier what a use can refer to; nothing for what is no shape. */
    private final Map<String, List<XMLEvent>> shapes = new HashMap<>();

    private final StringBuilder sheets = new StringBuilder();

    /** The elements that are open, the innermost first. */
    private final Deque<StartElement> open = new ArrayDeque<>();

    private @Nullable List<XMLEvent> shape;
    private int aroundShape;

    /** What each clip path fills, in the units of the drawn picture. */
    private final List<StringBuilder> outlines = new ArrayList<>();
    /** From these units to those that the parts are in. */
    private @Nullable AffineTransform units;

    /** Looks at an event of the picture. */
    void add(XMLEvent event) {
        if (shape != null) {
            shape.add(event);
        }
        if (event.isStartElement()) {
            begin(event.asStartElement());
        } else if (event.isEndElement()) {
            open.pop();
            if (open.size() == aroundShape) {
                shape = null;
            }
        } else if (event.isCharacters() && !open.isEmpty() && SvgProperties.is(open.element(), SvgProperties.STYLE)) {
            sheets.append(SvgProperties.plain(event.asCharacters().getData())).append('\n');
        }
    }

    private void begin(StartElement element) {
        @Nullable String id = SvgProperties.attribute(element, SvgProperties.ID);
        boolean drawn = SHAPES.contains(element.getName().getLocalPart());
        if (shape == null && (drawn || SvgProperties.is(element, "use"))) {
            shape = new ArrayList<>(List.of(element));
            aroundShape = open.size();
            @Nullable Clip clip = open.isEmpty() ? null : clipOf(open.element());
            if (clip != null) {
                clip.parts.add(shape);
            }
        }
        if (id != null) {
            shapes.putIfAbsent(id, drawn && shape != null && shape.get(0) == element ? shape : List.of());
        }
        open.push(element);
        if (id != null && SvgProperties.isClipPath(element)) {
            clips.putIfAbsent(id, new Clip(List.copyOf(open), new ArrayList<>()));
        }
    }

    /** Returns what is known by the identifier of an element, if it is the first that has it. */
    private @Nullable Clip clipOf(StartElement element) {
        @Nullable String id = SvgProperties.attribute(element, SvgProperties.ID);
        @Nullable Clip clip = id == null ? null : clips.get(id);
        return clip != null && clip.around.get(0) == element ? clip : null;
    }

    boolean isEmpty() {
        return clips.isEmpty();
    }

    /** Returns the picture to draw, when all events were added. */
    String picture() throws XMLStreamException {
        StringWriter text = new StringWriter();
        XMLStreamWriter out = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(text);
        StartElement root = clips.values().iterator().next().around.stream()
                .reduce((inner, outer) -> outer)
                .orElseThrow();
        write(out, "svg", root, VISIBLE);
        if (SvgProperties.attribute(root, SvgProperties.FONT_SIZE) == null) {
            out.writeAttribute(SvgProperties.FONT_SIZE, SvgProperties.INITIAL_FONT_SIZE);
        }
        out.writeStartElement(SvgProperties.STYLE);
        out.writeCharacters(sheets.toString());
        out.writeEndElement();
        // The unit square says what one unit is.
        out.writeEmptyElement("rect");
        out.writeAttribute("width", "1");
        out.writeAttribute("height", "1");
        out.writeAttribute(SvgProperties.STYLE, "fill:#000000" + FILLED + ";transform:none");
        int number = 0;
        for (Clip clip : clips.values()) {
            write(out, clip, String.format("fill:#%06x", ++number));
        }
        out.writeEndDocument();
        return text.toString();
    }

    private void write(XMLStreamWriter out, Clip clip, String fill) throws XMLStreamException {
        for (int i = clip.around.size() - 2; i > 0; i--) {
            write(out, "g", clip.around.get(i), VISIBLE + ";transform:none");
        }
        StartElement element = clip.around.get(0);
        boolean ofBox = SvgProperties.isOfBoundingBox(element);
        @Nullable String transform = ofBox ? null : SvgProperties.value(element, SvgProperties.TRANSFORM);
        write(out, "g", element, VISIBLE + ";transform:" + (transform == null ? "none" : transform));
        if (ofBox) {
            // Percentages are of the box.
            writeView(out, "0", "0");
            out.writeAttribute("width", "1");
            out.writeAttribute("height", "1");
            out.writeAttribute("viewBox", "0 0 1 1");
        }
        for (List<XMLEvent> part : clip.parts) {
            StartElement first = part.get(0).asStartElement();
            List<StartElement> around = new ArrayList<>(clip.around);
            around.add(0, first);
            if (!SvgProperties.isDisplayed(first)) {
                continue;
            }
            if (SvgProperties.is(first, "use")) {
                writeUse(out, first, around, fill);
            } else {
                writeShape(out, part, around, fill);
            }
        }
        for (int i = clip.around.size() - (ofBox ? 0 : 1); i > 0; i--) {
            out.writeEndElement();
        }
    }

    private void writeUse(XMLStreamWriter out, StartElement use, List<StartElement> around, String fill)
            throws XMLStreamException {
        List<XMLEvent> target = shapes.getOrDefault(ClipUses.target(use), List.of());
        if (target.isEmpty() || !SvgProperties.isDisplayed(target.get(0).asStartElement())) {
            return;
        }
        write(out, "g", use, VISIBLE);
        writeView(out, SvgProperties.value(use, "x"), SvgProperties.value(use, "y"));
        List<StartElement> all = new ArrayList<>(around);
        all.add(0, target.get(0).asStartElement());
        writeShape(out, target, all, fill);
        out.writeEndElement();
        out.writeEndElement();
    }

    private static void writeView(XMLStreamWriter out, @Nullable String x, @Nullable String y)
            throws XMLStreamException {
        out.writeStartElement("svg");
        out.writeAttribute("x", x == null ? "0" : x);
        out.writeAttribute("y", y == null ? "0" : y);
        out.writeAttribute(SvgProperties.STYLE, VISIBLE);
    }

    /** Writes a shape as far as it fills something; of a text with all that is in it. */
    private static void writeShape(XMLStreamWriter out, List<XMLEvent> shape, List<StartElement> around, String fill)
            throws XMLStreamException {
        @Nullable String visibility = inherited(around, "visibility");
        if (visibility != null && !visibility.equals("visible")) {
            return;
        }
        StartElement first = shape.get(0).asStartElement();
        boolean ruled = "evenodd".equals(inherited(around, "clip-rule"));
        write(out, name(first), first, fill + FILLED + ";fill-rule:" + (ruled ? "evenodd" : "nonzero"));
        if (SvgProperties.is(first, "text")) {
            for (XMLEvent event : shape.subList(1, shape.size() - 1)) {
                if (event.isStartElement()) {
                    // Without its reference, text on a path is on none and so not drawn.
                    write(
                            out,
                            name(event.asStartElement()),
                            event.asStartElement(),
                            fill + ";fill-opacity:1;stroke:none");
                } else if (event.isEndElement()) {
                    out.writeEndElement();
                } else if (event.isCharacters()) {
                    out.writeCharacters(event.asCharacters().getData());
                }
            }
        }
        out.writeEndElement();
    }

    private static String name(StartElement element) {
        return element.getName().getLocalPart();
    }

    private static @Nullable String inherited(List<StartElement> around, String property) {
        for (StartElement element : around) {
            @Nullable String value = SvgProperties.value(element, property);
            if (value != null && !value.equals(INHERIT)) {
                return value;
            }
        }
        return null;
    }

    /** Begins an element of a name with the attributes of one of the picture, and with more of a style. */
    private static void write(XMLStreamWriter out, String name, StartElement element, String style)
            throws XMLStreamException {
        out.writeStartElement(name);
        for (Iterator<Attribute> all = element.getAttributes(); all.hasNext(); ) {
            Attribute attribute = all.next();
            String local = attribute.getName().getLocalPart();
            if (attribute.getName().getNamespaceURI().isEmpty() && !local.equals(SvgProperties.STYLE)) {
                out.writeAttribute(local, attribute.getValue());
            }
        }
        @Nullable String own = SvgProperties.attribute(element, SvgProperties.STYLE);
        out.writeAttribute(SvgProperties.STYLE, (own == null ? "" : SvgProperties.plain(own) + ";") + style);
    }

    @Override
    public void fill(Shape drawn, Paint paint) {
        if (units == null) {
            Rectangle2D unit = drawn.getBounds2D();
            clips.keySet().forEach(id -> outlines.add(new StringBuilder()));
            units = AffineTransform.getScaleInstance(1 / unit.getWidth(), 1 / unit.getHeight());
            units.translate(-unit.getX(), -unit.getY());
        } else if (paint instanceof Color color) {
            // The outer borders of areas all turn in one direction, so together they are the union of what is in them.
            int clip = (color.getRGB() & 0xFFFFFF) - 1;
            checkCrossings(drawn, clip);
            append(outlines.get(clip), new Area(drawn).getPathIterator(units));
        }
    }

    /** The time of an area grows with the crossings of its path: this number takes a second. */
    private void checkCrossings(Shape part, int clip) {
        List<Line2D> lines = new ArrayList<>();
        double[] numbers = new double[6];
        Point2D last = new Point2D.Double();
        for (PathIterator path = part.getPathIterator(null); !path.isDone(); path.next()) {
            int segment = path.currentSegment(numbers);
            for (int i = 0; i < NUMBERS[segment]; i += 2) {
                Point2D next = new Point2D.Double(numbers[i], numbers[i + 1]);
                if (segment != PathIterator.SEG_MOVETO) {
                    lines.add(new Line2D.Double(last, next));
                }
                last = next;
            }
        }
        boolean many = lines.size() > MOST_LINES;
        int crossings = 0;
        for (int i = 0; i < lines.size() && !many && crossings <= MOST_CROSSINGS; i++) {
            for (int j = i + 2; j < lines.size(); j++) {
                crossings += lines.get(i).intersectsLine(lines.get(j)) ? 1 : 0;
            }
        }
        if (many || crossings > MOST_CROSSINGS) {
            throw new IllegalArgumentException("a part of clip path '"
                    + List.copyOf(clips.keySet()).get(clip) + "' has more than " + MOST_LINES
                    + " segments, or crosses itself more than " + MOST_CROSSINGS + " times");
        }
    }

    private static void append(StringBuilder outline, PathIterator path) {
        double[] numbers = new double[6];
        for (; !path.isDone(); path.next()) {
            int segment = path.currentSegment(numbers);
            outline.append(SEGMENTS.charAt(segment));
            for (int i = 0; i < NUMBERS[segment]; i++) {
                outline.append(' ').append((float) numbers[i]);
            }
        }
    }

    @Override
    public void begin(Rectangle2D bounds) {}

    @Override
    public void end() {}

    /** Returns by identifier the data of one path for each clip path, when the picture was drawn. */
    Map<String, String> paths() {
        Map<String, String> paths = new HashMap<>();
        int number = 0;
        for (String id : clips.keySet()) {
            paths.put(id, outlines.get(number++).toString());
        }
        return paths;
    }
}
