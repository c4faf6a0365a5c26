package io.frameloom.site;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A static site of the repository's pages of Markdown. It has the pages, the files that they show, a page of all
 * pictures, and a link to the Javadoc. A link that leads nowhere is an error. One thread.
 */
public final class Site {
    /** Where site/build puts the Javadoc. */
    private static final String API = "api/index.html";

    private static final String TOOLS_API = "api/tools/index.html";

    /** The page whose tables get bars. */
    private static final String RESULTS = "benchmarks/RESULTS.md";

    /** Names what was written, so that the next site removes what it no longer has. */
    private static final String WRITTEN = "site-files.txt";

    private static final String PICTURES = "pictures.html";

    /** Links to files that are no pages lead to the repository. */
    private static final String FILES = "https://github.com/frameloom/frameloom/blob/main/";

    /** Of the pages, in the order of the list at the side. */
    private static final List<String> FOLDERS = List.of("docs/tutorial", "docs", "benchmarks", "");

    private final Path root;
    private final Map<String, Page> pages = new LinkedHashMap<>();

    /** Reads the pages of a repository. */
    public Site(Path root) throws IOException {
        this.root = root;
        read("README.md");
        for (String folder : FOLDERS) {
            Path from = root.resolve(folder);
            if (!Files.isDirectory(from)) {
                continue;
            }
            try (Stream<Path> files = Files.list(from)) {
                List<String> sources = files.map(
                                file -> root.relativize(file).toString().replace('\\', '/'))
                        .filter(source -> source.endsWith(".md"))
                        .sorted(Comparator.comparing((String source) -> !source.endsWith("README.md"))
                                .thenComparing(Comparator.naturalOrder()))
                        .toList();
                for (String source : sources) {
                    read(source);
                }
            }
        }
    }

    private void read(String source) throws IOException {
        if (!pages.containsKey(source)) {
            Page page = new Page(source, Files.readString(root.resolve(source)));
            pages.put(source, source.equals(RESULTS) ? page.withCharts() : page);
        }
    }

    /** Returns what is wrong with links and pictures, a line each. */
    public List<String> mistakes() {
        List<String> mistakes = new ArrayList<>();
        for (Page page : pages.values()) {
            for (String destination : page.destinations()) {
                String wrong = wrong(page, destination);
                if (!wrong.isEmpty()) {
                    mistakes.add(page.source + ": '" + destination + "' " + wrong);
                }
            }
        }
        return mistakes;
    }

    private String wrong(Page page, String destination) {
        if (isElsewhere(destination)) {
            return "";
        }
        String file = file(page, destination);
        String anchor = URI.create(destination).getFragment();
        Page to = pages.get(file);
        if (to == null) {
            return Files.exists(root.resolve(file)) ? "" : "leads to no file";
        }
        return anchor == null || to.anchors().contains(anchor) ? "" : "leads to no heading of " + file;
    }

    private static boolean isElsewhere(String destination) {
        return URI.create(destination).isAbsolute();
    }

    /** Returns the file below the root that a link of a page leads to, without the anchor. */
    private static String file(Page page, String destination) {
        String path = URI.create(destination).getPath();
        return path.isEmpty()
                ? page.source
                : URI.create("/" + page.source)
                        .resolve(path)
                        .normalize()
                        .getPath()
                        .substring(1);
    }

    /**
     * Writes the site into a folder, over what is there. Files of an earlier site that this one lacks are removed.
     *
     * @throws IllegalStateException if a link leads nowhere
     */
    public void write(Path folder) throws IOException {
        List<String> mistakes = mistakes();
        if (!mistakes.isEmpty()) {
            throw new IllegalStateException("links lead nowhere:\n" + String.join("\n", mistakes));
        }
        String template = resource("page.html");
        Set<String> written = new TreeSet<>();
        for (Page page : pages.values()) {
            String body = page.html(destination -> led(page, destination));
            put(folder, Page.target(page.source), filled(template, page.source, page.title(), body), written);
        }
        for (String picture : pictures()) {
            Path copy = folder.resolve(picture);
            Files.createDirectories(Objects.requireNonNull(copy.getParent()));
            Files.copy(root.resolve(picture), copy, StandardCopyOption.REPLACE_EXISTING);
            written.add(picture);
        }
        put(folder, PICTURES, filled(template, PICTURES, "Pictures", gallery()), written);
        put(folder, "site.css", resource("site.css"), written);
        removeFormer(folder, written);
        Files.write(folder.resolve(WRITTEN), written);
    }

    /** Only what an earlier site has written, since the folder may have more. */
    private static void removeFormer(Path folder, Set<String> written) throws IOException {
        Path list = folder.resolve(WRITTEN);
        if (!Files.exists(list)) {
            return;
        }
        for (String former : Files.readAllLines(list)) {
            Path file = folder.resolve(former).normalize();
            if (!written.contains(former) && file.startsWith(folder.normalize())) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static void put(Path folder, String target, String text, Set<String> written) throws IOException {
        written.add(target);
        Path file = folder.resolve(target);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, text);
    }

    /** Where a link leads in the site. */
    private String led(Page page, String destination) {
        if (isElsewhere(destination)) {
            return destination;
        }
        String file = file(page, destination);
        String anchor = URI.create(destination).getFragment();
        if (pages.containsKey(file)) {
            return up(page.source) + Page.target(file) + (anchor == null ? "" : '#' + anchor);
        }
        return pictures().contains(file) ? up(page.source) + file : FILES + file;
    }

    private Set<String> pictures() {
        Set<String> pictures = new TreeSet<>();
        for (Page page : pages.values()) {
            page.pictures().stream()
                    .map(Map.Entry::getKey)
                    .filter(destination -> !isElsewhere(destination))
                    .forEach(destination -> pictures.add(file(page, destination)));
        }
        return pictures;
    }

    /** The way from a page to the folder of the site. */
    private static String up(String source) {
        return "../".repeat((int) source.chars().filter(c -> c == '/').count());
    }

    private String filled(String template, String source, String title, String body) {
        return template.replace("{up}", up(source))
                .replace("{title}", escaped(title))
                .replace("{pages}", list(source))
                .replace("{body}", body);
    }

    /** The list of all pages, the present one marked. */
    private String list(String source) {
        StringBuilder list = new StringBuilder();
        for (Page page : pages.values()) {
            list.append(item(source, page.source, Page.target(page.source), page.title()));
        }
        return list.append(item(source, PICTURES, PICTURES, "Pictures"))
                .append(item(source, API, API, "API"))
                .append(item(source, TOOLS_API, TOOLS_API, "API of the tools"))
                .toString();
    }

    private static String item(String source, String other, String target, String title) {
        return "<li><a href=\"" + up(source) + target + '"' + (source.equals(other) ? " aria-current=\"page\"" : "")
                + '>' + escaped(title) + "</a></li>\n";
    }

    private String gallery() {
        StringBuilder body = new StringBuilder("<h1>Pictures</h1>\n");
        for (Page page : pages.values()) {
            for (Map.Entry<String, String> picture : page.pictures()) {
                body.append("<figure><a href=\"")
                        .append(Page.target(page.source))
                        .append("\"><img loading=\"lazy\" src=\"")
                        .append(file(page, picture.getKey()))
                        .append("\" alt=\"")
                        .append(escaped(picture.getValue()))
                        .append("\"></a><figcaption>")
                        .append(escaped(picture.getValue()))
                        .append("</figcaption></figure>\n");
            }
        }
        return body.toString();
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private static String resource(String name) throws IOException {
        try (InputStream stream = Objects.requireNonNull(Site.class.getResourceAsStream(name), name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /**
     * Writes the site of the repository in the first folder into the second.
     *
     * @param arguments both
     */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 2) {
            System.err.println(
                    "site: the folders of the repository and of the site are needed, but got " + List.of(arguments));
            System.exit(2);
        }
        try {
            new Site(Path.of(arguments[0])).write(Path.of(arguments[1]));
        } catch (IllegalStateException e) {
            System.err.println("site: " + e.getMessage());
            System.exit(2);
        }
    }
}
