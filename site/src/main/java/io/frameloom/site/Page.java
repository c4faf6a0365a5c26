package io.frameloom.site;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TableRow;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.ext.heading.anchor.IdGenerator;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.CustomBlock;
import org.commonmark.node.CustomNode;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.commonmark.renderer.text.TextContentRenderer;

/** One page of Markdown. One thread. */
final class Page {
    private static final List<Extension> EXTENSIONS =
            List.of(TablesExtension.create(), HeadingAnchorExtension.create());
    private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();

    /** Its file below the root of the repository, with slashes. */
    final String source;

    private final Node document;

    /** Parses a page. */
    Page(String source, String markdown) {
        this.source = source;
        document = PARSER.parse(markdown);
    }

    /** Returns its file in the site. The first page of a folder is what a server shows for the folder. */
    static String target(String source) {
        return source.replaceFirst("(^|/)README\\.md$", "$1index.html").replaceFirst("\\.md$", ".html");
    }

    /** Returns the text of its first heading. */
    String title() {
        for (Node node = document.getFirstChild(); node != null; node = node.getNext()) {
            if (node instanceof Heading) {
                return text(node);
            }
        }
        throw new IllegalArgumentException(source + " has no heading; begin it with a line '# Title'");
    }

    private static String text(Node node) {
        return TextContentRenderer.builder().build().render(node).strip();
    }

    /** Returns the anchors of its headings, which links may name after a {@code #}. */
    Set<String> anchors() {
        Set<String> anchors = new HashSet<>();
        IdGenerator ids = IdGenerator.builder().build();
        document.accept(new AbstractVisitor() {
            @Override
            public void visit(Heading heading) {
                anchors.add(ids.generateId(text(heading)));
            }
        });
        return anchors;
    }

    /** Returns the destinations of its links and pictures, as written. */
    List<String> destinations() {
        List<String> found = new ArrayList<>();
        document.accept(new AbstractVisitor() {
            @Override
            public void visit(Link link) {
                found.add(link.getDestination());
                visitChildren(link);
            }

            @Override
            public void visit(Image image) {
                found.add(image.getDestination());
            }
        });
        return found;
    }

    /** Returns its pictures, with their descriptions. */
    List<Map.Entry<String, String>> pictures() {
        List<Map.Entry<String, String>> found = new ArrayList<>();
        document.accept(new AbstractVisitor() {
            @Override
            public void visit(Image image) {
                StringBuilder description = new StringBuilder();
                image.accept(new AbstractVisitor() {
                    @Override
                    public void visit(Text text) {
                        description.append(text.getLiteral());
                    }
                });
                found.add(Map.entry(image.getDestination(), description.toString()));
            }
        });
        return found;
    }

    /** Puts bars before the tables that measure something. */
    Page withCharts() {
        List<TableBlock> tables = new ArrayList<>();
        document.accept(new AbstractVisitor() {
            @Override
            public void visit(CustomBlock block) {
                if (block instanceof TableBlock table) {
                    tables.add(table);
                }
            }
        });
        for (TableBlock table : tables) {
            List<List<String>> rows = rows(table);
            String charts = Charts.of(rows.get(0), rows.subList(1, rows.size()));
            if (!charts.isEmpty()) {
                HtmlBlock html = new HtmlBlock();
                html.setLiteral(charts);
                table.insertBefore(html);
            }
        }
        return this;
    }

    /** The texts of the cells, the headings first. */
    private static List<List<String>> rows(TableBlock table) {
        List<List<String>> rows = new ArrayList<>();
        table.accept(new AbstractVisitor() {
            @Override
            public void visit(CustomNode node) {
                if (node instanceof TableRow) {
                    rows.add(new ArrayList<>());
                }
                if (node instanceof TableCell) {
                    rows.get(rows.size() - 1).add(words(node));
                } else {
                    visitChildren(node);
                }
            }
        });
        return rows;
    }

    /** The text of a cell, which no renderer of text knows. */
    private static String words(Node cell) {
        StringBuilder words = new StringBuilder();
        cell.accept(new AbstractVisitor() {
            @Override
            public void visit(Text text) {
                words.append(text.getLiteral());
            }

            @Override
            public void visit(Code code) {
                words.append(code.getLiteral());
            }
        });
        return words.toString().strip();
    }

    /** Returns it as HTML, its links and pictures led elsewhere. Tables are in boxes that scroll where the window is narrow. */
    String html(UnaryOperator<String> destinations) {
        return HtmlRenderer.builder()
                .extensions(EXTENSIONS)
                .attributeProviderFactory(context -> (node, tag, attributes) -> {
                    if (node instanceof Link) {
                        attributes.computeIfPresent("href", (name, to) -> destinations.apply(to));
                    } else if (node instanceof Image) {
                        attributes.computeIfPresent("src", (name, to) -> destinations.apply(to));
                        attributes.put("loading", "lazy");
                    } else if (node instanceof TableBlock && tag.equals("table")) {
                        attributes.put("class", "wide");
                    }
                })
                .build()
                .render(document)
                .replace("<table class=\"wide\">", "<div class=\"wide\"><table>")
                .replace("</table>", "</table></div>");
    }
}
