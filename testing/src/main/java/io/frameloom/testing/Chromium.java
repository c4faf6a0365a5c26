package io.frameloom.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Opens pages in a headless browser, without a network. Any thread may call it, and waits for the browser. */
public final class Chromium {
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final int MINUTES = 3;

    private final Path program;
    private final Path folder;

    /**
     * What a page became.
     *
     * @param dom the page after its scripts
     * @param complaints what the console said
     */
    public record Result(String dom, List<String> complaints) {}

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

    /** Loads a page, runs its scripts, and returns what it is then. */
    public Result open(String html) throws IOException, InterruptedException {
        return open(html, List.of("--dump-dom"));
    }

    /** As {@link #open(String)}, in a window of a width in pixels. */
    public Result open(String html, int width) throws IOException, InterruptedException {
        return open(html, List.of("--dump-dom", "--window-size=" + width + ",900"));
    }

    private Result open(String html, List<String> options) throws IOException, InterruptedException {
        Path page = Files.writeString(Files.createTempFile(folder, "page", ".html"), html);
        Path log = run(options, page);
        Path errors = Path.of(log + ".err");
        List<String> complaints = Files.readAllLines(errors).stream()
                .filter(line -> line.contains("CONSOLE"))
                .toList();
        return new Result(Files.readString(log), complaints);
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
        List<String> command = new ArrayList<>(List.of(
                program.toString(),
                "--headless=new",
                // The browser refuses its sandbox to root, and the pages are ours.
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--host-resolver-rules=MAP * ~NOTFOUND",
                "--enable-logging=stderr",
                "--user-data-dir=" + Files.createTempDirectory(folder, "profile")));
        command.addAll(options);
        command.add(page.toUri().toString());
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(Path.of(out + ".err").toFile())
                .start();
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
}
