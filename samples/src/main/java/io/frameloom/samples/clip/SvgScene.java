package io.frameloom.samples.clip;

import com.github.weisj.jsvg.SVGDocument;
import com.github.weisj.jsvg.parser.DocumentLimits;
import com.github.weisj.jsvg.parser.LoaderContext;
import com.github.weisj.jsvg.parser.SVGLoader;
import com.github.weisj.jsvg.parser.XMLInput;
import com.github.weisj.jsvg.parser.resources.ResourcePolicy;
import com.github.weisj.jsvg.renderer.NullPlatformSupport;
import com.github.weisj.jsvg.view.ViewBox;
import io.frameloom.samples.demo.UsageException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import javax.xml.stream.XMLEventReader;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.events.XMLEvent;
import org.jspecify.annotations.Nullable;

/**
 * Reads an SVG file through JSVG. Nothing else is read. Document types are passed over, so they bring no entities.
 * References to other files and to the network are not followed.
 */
final class SvgScene {
    /** What a picture may have: groups in groups, uses of uses, and paths. */
    private static final DocumentLimits LIMITS = new DocumentLimits(200, 15, 1_000_000);

    private static final double LONGEST_SIDE = 1e6;

    private SvgScene() {}

    /**
     * Reads what a file draws and clips.
     *
     * @param told receives a line, from its number on, for what is not looked at
     */
    static ClipScene read(Path file, Consumer<String> told) throws UsageException {
        String text = SvgText.read(file);
        ClipNotes notes = new ClipNotes();
        ClipChains chains = new ClipChains(notes);
        ClipOutlines outlines = new ClipOutlines();
        checkXml(file, text, chains, outlines);
        notes.lines().forEach(told);
        try (JsvgLog log = JsvgLog.open()) {
            Map<String, String> paths = Map.of();
            if (!outlines.isEmpty()) {
                String parts = outlines.picture();
                draw(load(file, () -> reader(parts), log), new ClipRecorder(outlines));
                paths = outlines.paths();
            }
            Map<String, String> known = paths;
            SVGDocument document = load(file, () -> new ClipGroups(reader(text), chains, known), log);
            ClipScene scene =
                    new ClipScene(document.size().getWidth(), document.size().getHeight());
            draw(document, new ClipRecorder(scene));
            return scene;
        } catch (XMLStreamException | IllegalStateException | IllegalArgumentException | ArithmeticException e) {
            // JSVG says so of some pictures that it has loaded.
            throw new UsageException(file + " cannot be drawn: " + e.getMessage(), e);
        }
    }

    private static SVGDocument load(Path file, XMLInput events, JsvgLog log) throws UsageException {
        LoaderContext context = LoaderContext.builder()
                .externalResourcePolicy(ResourcePolicy.DENY_ALL)
                .documentLimits(LIMITS)
                .build();
        @Nullable SVGDocument document = new SVGLoader().load(events, null, context);
        if (document == null) {
            throw new UsageException(file + " cannot be drawn: " + log.reason());
        }
        double width = document.size().getWidth();
        double height = document.size().getHeight();
        if (!(width > 0 && height > 0 && width <= LONGEST_SIDE && height <= LONGEST_SIDE)) {
            throw new UsageException(
                    file + " is " + width + " wide and " + height + " high; both must be above 0, and 1000000 at most");
        }
        return document;
    }

    private static void draw(SVGDocument document, ClipRecorder recorder) {
        document.renderWithPlatform(
                NullPlatformSupport.INSTANCE,
                recorder,
                new ViewBox((float) document.size().getWidth(), (float)
                        document.size().getHeight()));
        recorder.dispose();
    }

    private static XMLEventReader reader(String text) throws XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        // A reference in a style sheet may lie in two pieces of it.
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        // Newer JDKs stop at fewer than the pictures may have.
        factory.setProperty("jdk.xml.maxElementDepth", Integer.toString(2 * LIMITS.maxNestingDepth()));
        return factory.createXMLEventReader(new StringReader(text));
    }

    /** Says where the XML is wrong, and that its outermost element is an SVG picture. */
    private static void checkXml(Path file, String text, ClipChains chains, ClipOutlines outlines)
            throws UsageException {
        String root = "";
        try {
            XMLEventReader events = reader(text);
            while (events.hasNext()) {
                XMLEvent event = events.nextEvent();
                chains.add(event);
                outlines.add(event);
                if (event.isStartElement()) {
                    root = root.isEmpty() ? event.asStartElement().getName().getLocalPart() : root;
                }
            }
            chains.end();
            XMLEventReader wrapped = new ClipGroups(reader(text), chains, Map.of());
            while (wrapped.hasNext()) {
                wrapped.nextEvent();
            }
        } catch (XMLStreamException e) {
            String where = e.getLocation() == null
                    ? ""
                    : ":" + e.getLocation().getLineNumber() + ":"
                            + e.getLocation().getColumnNumber();
            // The JDK's parser repeats the place before this word.
            String reason = String.valueOf(e.getMessage()).replaceFirst("(?s).*Message: ", "");
            throw new UsageException(file + where + ": the XML is wrong: " + reason, e);
        }
        if (!root.equals("svg")) {
            throw new UsageException(file + " is no SVG picture, its outermost element is '" + root + "'");
        }
    }
}
