package io.frameloom.samples.plan;

import io.frameloom.rdg.tools.report.PlanReport;
import io.frameloom.samples.IoReasons;
import io.frameloom.samples.demo.UsageException;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/** The file that {@code --html} names. It appears as a whole or not at all. One thread. */
final class ReportFile {
    private final String name;
    private final Path target;

    private ReportFile(String name, Path target) {
        this.name = name;
        this.target = target;
    }

    /**
     * Looks at where the report is to go, before anything is compiled.
     *
     * @param name what {@code --html} was given
     * @param graph the file that is read
     * @throws UsageException in one line: nothing can be written there, or it is the graph itself
     */
    static ReportFile at(String name, String graph) throws UsageException {
        if (name.isBlank()) {
            throw new UsageException("--html needs a file, its name is empty");
        }
        try {
            Path target = Path.of(name);
            Path folder = target.toAbsolutePath().getParent();
            if (Files.isDirectory(target)) {
                throw new UsageException("--html " + name + " is a folder; name a file in it");
            }
            if (folder == null || !Files.isDirectory(folder)) {
                throw new UsageException("--html " + name + ": there is no folder " + folder);
            }
            if (Files.exists(target) && isSame(target, graph)) {
                throw new UsageException("--html " + name + " is the graph itself; name another file");
            }
            return new ReportFile(name, target);
        } catch (InvalidPathException e) {
            throw new UsageException("--html " + name + " is no path: " + e.getReason(), e);
        } catch (IOException e) {
            throw refused(name, e);
        }
    }

    private static boolean isSame(Path target, String graph) throws IOException {
        Path source = Path.of(graph);
        return Files.exists(source) && Files.isSameFile(target, source);
    }

    /**
     * Writes the report.
     *
     * @throws UsageException if it cannot be written, naming the file and the reason
     */
    void write(PlanReport report) throws UsageException {
        try {
            if (Files.exists(target) && !Files.isRegularFile(target)) {
                // A device or a pipe, which cannot be replaced.
                writeTo(target, report);
            } else {
                replace(Files.exists(target) ? target.toRealPath() : target.toAbsolutePath(), report);
            }
        } catch (IOException e) {
            throw refused(name, e);
        }
    }

    private static void replace(Path file, PlanReport report) throws IOException {
        if (Files.exists(file) && !Files.isWritable(file)) {
            throw new IOException("it may not be written");
        }
        Path aside = file.resolveSibling(
                ".frameloom-" + Long.toHexString(ThreadLocalRandom.current().nextLong()));
        try {
            writeTo(aside, report);
            Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(aside);
        }
    }

    private static void writeTo(Path file, PlanReport report) throws IOException {
        try (Writer writer = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            report.writeHtml(writer);
        }
    }

    /** Says why nothing can be written, without the name of the temporary file, which means nothing to the user. */
    static UsageException refused(String name, IOException failure) {
        @Nullable Path folder = Path.of(name).toAbsolutePath().getParent();
        String reason = failure instanceof NoSuchFileException
                ? "no file can be created in " + folder
                : IoReasons.of(failure)
                        .replaceAll("\\S*\\.frameloom-[0-9a-f]+", Matcher.quoteReplacement(String.valueOf(folder)));
        return new UsageException("--html " + name + " cannot be written: " + reason, failure);
    }
}
