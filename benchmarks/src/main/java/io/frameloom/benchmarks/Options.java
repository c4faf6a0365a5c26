package io.frameloom.benchmarks;

import io.frameloom.benchmarks.dag.BodyKind;
import io.frameloom.benchmarks.driver.Settings;
import io.frameloom.benchmarks.report.RowsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The command line of {@link Main}.
 *
 * @param settings how thoroughly to measure
 * @param shapes names of the shapes to run
 * @param body kind of work
 * @param json where to write the rows, or null
 * @param plots folder of the pictures, or null for none
 * @param from file of rows to report on instead of measuring, or null
 */
record Options(
        Settings settings,
        List<String> shapes,
        BodyKind body,
        @Nullable Path json,
        @Nullable Path plots,
        @Nullable Path from) {
    static final String USAGE = "usage: bench [--quick] [--shape NAME]... [--workers N[,N]]"
            + " [--body empty|megamorphic|work1us] [--json FILE] [--plots DIR | --no-plots] [--from FILE]";
    static final String FILES =
            "--json FILE holds an array of rows {shape, workers, contender, nsPerTask, bytesPerTask, error, ...};"
                    + " how they compare with the targets stands next to it, in FILE with -targets.json for .json";
    static final String PLOTS = "out/bench";
    private static final int MOST_WORKERS = 1024;

    /** A command line that cannot be obeyed; the message is one line for the user. */
    static final class UsageException extends Exception {
        private static final long serialVersionUID = 1L;

        UsageException(String message) {
            super(message);
        }
    }

    /** Understands the arguments; changes nothing. */
    static Options parse(String[] arguments, Collection<String> knownShapes) throws UsageException {
        boolean quick = false;
        Set<String> shapes = new LinkedHashSet<>();
        Set<Integer> workers = new LinkedHashSet<>();
        BodyKind body = BodyKind.EMPTY;
        Path json = null;
        Path from = null;
        String plots = PLOTS;
        for (int index = 0; index < arguments.length; index++) {
            switch (arguments[index]) {
                case "--quick" -> quick = true;
                case "--shape" -> shapes.add(shape(value(arguments, ++index), knownShapes));
                case "--workers" -> {
                    for (String number : value(arguments, ++index).split(",", -1)) {
                        workers.add(count(number));
                    }
                }
                case "--body" -> body = body(value(arguments, ++index));
                case "--json" -> json = writable(value(arguments, ++index));
                case "--plots" -> plots = value(arguments, ++index);
                case "--no-plots" -> plots = null;
                case "--from" -> from = readable(value(arguments, ++index));
                default -> throw new UsageException("unknown option " + arguments[index] + "; " + USAGE);
            }
        }
        return new Options(
                new Settings(quick, workers.isEmpty() ? List.of(1, 2) : List.copyOf(workers), !workers.isEmpty()),
                shapes.isEmpty() ? List.copyOf(knownShapes) : List.copyOf(shapes),
                body,
                json,
                plots == null ? null : path("--plots", plots),
                from);
    }

    /** Makes the folder of the pictures, once nothing else is wrong. */
    void makePlotsFolder() throws UsageException {
        if (plots == null) {
            return;
        }
        try {
            Files.createDirectories(plots);
        } catch (IOException refused) {
            throw new UsageException("--plots " + plots + " cannot be made; name a folder, or say --no-plots");
        }
        if (!Files.isWritable(plots)) {
            throw new UsageException("--plots " + plots + " cannot be written; name another folder, or say --no-plots");
        }
    }

    private static String value(String[] arguments, int index) throws UsageException {
        if (index >= arguments.length) {
            throw new UsageException(arguments[index - 1] + " needs a value; " + USAGE);
        }
        return arguments[index];
    }

    private static String shape(String name, Collection<String> known) throws UsageException {
        if (!known.contains(name)) {
            throw new UsageException("unknown shape " + name + "; known shapes: " + String.join(", ", known));
        }
        return name;
    }

    private static int count(String text) throws UsageException {
        try {
            int number = Integer.parseInt(text.strip());
            if (number >= 1 && number <= MOST_WORKERS) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            throw new UsageException("--workers " + text + " is not a number; give 1 to " + MOST_WORKERS);
        }
        throw new UsageException("--workers " + text + " is out of range; give 1 to " + MOST_WORKERS);
    }

    private static BodyKind body(String label) throws UsageException {
        for (BodyKind kind : BodyKind.values()) {
            if (kind.label().equals(label.toLowerCase(Locale.ROOT))) {
                return kind;
            }
        }
        throw new UsageException("unknown body " + label + "; known bodies: "
                + String.join(
                        ", ",
                        Arrays.stream(BodyKind.values()).map(BodyKind::label).toList()));
    }

    private static Path path(String option, String name) throws UsageException {
        try {
            return Path.of(name).toAbsolutePath();
        } catch (InvalidPathException wrong) {
            throw new UsageException(option + ": that is no name of a file: " + wrong.getReason());
        }
    }

    private static Path writable(String name) throws UsageException {
        Path file = path("--json", name);
        Path folder = file.getParent();
        if (Files.isDirectory(file) || folder == null || !isWritableFolder(folder)) {
            throw new UsageException("--json " + name + " cannot be written; name a file in a writable folder");
        }
        Path targets = RowsFile.targetsFile(file);
        if (Files.isDirectory(targets)) {
            throw new UsageException("--json " + name + " cannot be written: " + targets
                    + ", which is to hold the comparison with the targets, is a folder; name another file");
        }
        return file;
    }

    private static Path readable(String name) throws UsageException {
        Path file = path("--from", name);
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw new UsageException("--from " + name + " cannot be read; name a file that --json wrote");
        }
        return file;
    }

    private static boolean isWritableFolder(Path folder) {
        return Files.isDirectory(folder) && Files.isWritable(folder);
    }
}
