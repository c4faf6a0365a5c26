package io.frameloom.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Opens pages in a headless browser, without a network. Any thread may call it, and waits for the browser. */
public final class Chromium {
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final int MINUTES = 3;
    private static final int USUAL_WIDTH = 800;
    private static final int HEIGHT = 900;
    private static final Pattern DOM = Pattern.compile("<pre>([^<]*)</pre>");

    private final Path program;
    private final Path folder;

    /**
     * A page to open.
     *
     * @param html its text
     * @param width of its window, in pixels
     */
    public record Page(String html, int width) {
        /** A page in a window of usual width. */
        public Page(String html) {
            this(html, USUAL_WIDTH);
        }
    }

    /**
     * What pages became.
     *
     * @param doms the pages after their scripts, in the order in which they were asked for
     * @param complaints what the console said
     */
    public record Result(List<String> doms, List<String> complaints) {}

    private Chromium(Path program, Path folder) {
        this.program = program;
        this.folder = folder;
    }

    /** Returns whether there is such a browser on the path. */
    public static boolean isInstalled() {
        return programs().findFirst().isPresent();
    }

    private static Stream<Path> programs() {
        return NAMES.stream()
                .flatMap(name -> Stream.of(System.getenv("PATH").split(":", -1))
                        .map(part -> Path.of(part).resolve(name)))
                .filter(Files::isExecutable);
    }

    /**
     * Returns the browser of the path.
     *
     * @param folder where it may leave files
     */
    public static Chromium in(Path folder) {
        return new Chromium(programs().findFirst().orElseThrow(), folder);
    }

    /**
     * Loads pages, runs their scripts, and returns what they are then. They are frames of one page, since the browser
     * takes seconds to start.
     */
    public Result open(List<Page> pages) throws IOException, InterruptedException {
        StringBuilder frames = new StringBuilder("<!DOCTYPE html><meta charset=\"utf-8\"><body>");
        for (Page page : pages) {
            frames.append("<iframe style='position:absolute;border:0' width=" + page.width + " height=" + HEIGHT
                    + " srcdoc=\"" + page.html.replace("&", "&amp;").replace("\"", "&quot;") + "\"></iframe>");
        }
        // Base64 of UTF-8 stands in the dumped page as it is.
        frames.append("<script>addEventListener('load', () => {"
                + "for (const frame of document.querySelectorAll('iframe')) {"
                + "const dom = document.createElement('pre');"
                + "dom.textContent = btoa(unescape(encodeURIComponent("
                + "frame.contentDocument.documentElement.outerHTML)));"
                + "frame.replaceWith(dom); } });</script></body>");
        Path page = Files.writeString(Files.createTempFile(folder, "page", ".html"), frames);
        Path log = run(List.of("--dump-dom"), page);
        List<String> complaints = Files.readAllLines(Path.of(log + ".err")).stream()
                .filter(line -> line.contains("CONSOLE"))
                .toList();
        List<String> doms = DOM.matcher(Files.readString(log))
                .results()
                .map(found -> new String(Base64.getDecoder().decode(found.group(1)), StandardCharsets.UTF_8))
                .toList();
        return new Result(doms, complaints);
    }

    /** Writes a picture of a page as PNG. */
    public Path picture(String html, int width, int height) throws IOException, InterruptedException {
        Path page = Files.writeString(Files.createTempFile(folder, "page", ".html"), html);
        Path png = folder.resolve(page.getFileName() + ".png");
        run(List.of("--screenshot=" + png, "--window-size=" + width + "," + height, "--hide-scrollbars"), page);
        return png;
    }

    private Path run(List<String> options, Path page) throws IOException, InterruptedException {
        Path out = Files.createTempFile(folder, "chromium", ".out");
        List<String> arguments = new ArrayList<>(options);
        arguments.add("--host-resolver-rules=MAP * ~NOTFOUND");
        arguments.add(page.toUri().toString());
        Process process = start(out, Files.createTempDirectory(folder, "profile"), arguments);
        try {
            if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
                throw new IOException(program + " has not ended after " + MINUTES + " minutes: "
                        + Files.readString(Path.of(out + ".err"), StandardCharsets.ISO_8859_1));
            }
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        return out;
    }

    /** Starts it with a profile, for what is at addresses of this machine. */
    Process start(Path profile, List<String> options) throws IOException {
        List<String> arguments = new ArrayList<>(options);
        arguments.add(0, "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1");
        return start(Files.createTempFile(folder, "chromium", ".out"), profile, arguments);
    }

    private Process start(Path out, Path profile, List<String> options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                program.toString(),
                "--headless=new",
                // The browser refuses its sandbox to root, and the pages are ours.
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--enable-logging=stderr",
                "--user-data-dir=" + profile));
        command.addAll(options);
        return new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(Path.of(out + ".err").toFile())
                .start();
    }
}
