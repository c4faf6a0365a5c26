package io.frameloom.benchmarks;

import io.frameloom.benchmarks.dag.BodyKind;
import io.frameloom.benchmarks.driver.Row;
import io.frameloom.benchmarks.driver.Settings;
import io.frameloom.benchmarks.report.RowsFile;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The command line of {@link Main}.
 *
 * @param settings how thoroughly to measure
 * @param shapes names of the chosen shapes; all when empty
 * @param body kind of work
 * @param json where to write the rows, or null
 * @param plots folder of the pictures, or null for none
 * @param from files of rows to report on instead of measuring; none to measure
 */
record Options(
        Settings settings,
        List<String> shapes,
        BodyKind body,
        @Nullable Path json,
        @Nullable Path plots,
        List<Path> from) {
    static final String USAGE = "usage: bench [--quick] [--shape NAME]... [--workers N[,N]]"
            + " [--body empty|megamorphic|work1us] [--pinned] [--json FILE] [--plots DIR | --no-plots] [--from FILE]...";
    static final String PLOTS = "out/bench";
    static final int MOST_WORKERS = 1024;

    private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]+");
    private static final Set<String> REPEATABLE = Set.of("--shape", "--workers", "--from");

    /** Options that one of the keys contradicts: neither is obeyed silently. */
    private static final Map<String, List<String>> CONTRADICTIONS =
            Map.of("--no-plots", List.of("--plots"), "--from", List.of("--quick", "--body", "--pinned"));

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
        boolean pinned = false;
        Set<Path> from = new LinkedHashSet<>();
        String plots = PLOTS;
        Set<String> given = new HashSet<>();
        for (int index = 0; index < arguments.length; index++) {
            String option = arguments[index];
            if (!given.add(option) && !REPEATABLE.contains(option)) {
                throw new UsageException(option + " is given twice; give it once");
            }
            switch (option) {
                case "--quick" -> quick = true;
                case "--shape" -> shapes.add(shape(value(arguments, ++index), knownShapes));
                case "--workers" -> {
                    String list = value(arguments, ++index);
                    for (String number : list.split(",", -1)) {
                        workers.add(count(number, list));
                    }
                }
                case "--body" -> body = body(value(arguments, ++index));
                case "--json" -> json = writable(value(arguments, ++index));
                case "--plots" -> plots = value(arguments, ++index);
                case "--no-plots" -> plots = null;
                case "--pinned" -> pinned = true;
                case "--from" -> from.add(readable(value(arguments, ++index)));
                default -> throw new UsageException("unknown option " + arguments[index] + "; " + USAGE);
            }
        }
        refuseContradictions(given);
        if (json != null && (from.contains(json) || from.contains(RowsFile.targetsFile(json)))) {
            throw new UsageException("--json " + json + " would overwrite what --from reads; name another file");
        }
        return new Options(
                new Settings(
                        quick, workers.isEmpty() ? List.of(1, 2) : List.copyOf(workers), !workers.isEmpty(), pinned),
                List.copyOf(shapes),
                body,
                json,
                plots == null ? null : path("--plots", plots),
                List.copyOf(from));
    }

    /** Whether the shape was chosen: all are where none was named. */
    boolean wants(String shape) {
        return shapes.isEmpty() || shapes.contains(shape);
    }

    /** Those of the rows whose shape and workers were chosen. */
    List<Row> chosen(List<Row> rows) {
        return rows.stream()
                .filter(row -> wants(row.shape())
                        && (!settings.workersGiven() || settings.workers().contains(row.workers())))
                .toList();
    }

    /** Makes the folders of the pictures and of the rows, once nothing else is wrong. */
    void makeFolders() throws UsageException {
        if (json != null && json.getParent() != null) {
            makeFolder("--json " + json, json.getParent(), "name a file in a folder that can be written");
        }
        if (plots != null) {
            makeFolder("--plots " + plots, plots, "name another folder, or say --no-plots");
        }
    }

    private static void makeFolder(String option, Path folder, String wayOut) throws UsageException {
        try {
            Files.createDirectories(folder);
        } catch (IOException refused) {
            throw new UsageException(option + ": the folder " + folder + " cannot be made; " + wayOut);
        }
        if (!Files.isWritable(folder)) {
            throw new UsageException(option + ": the folder " + folder + " cannot be written; " + wayOut);
        }
    }

    private static void refuseContradictions(Set<String> given) throws UsageException {
        for (Map.Entry<String, List<String>> contradiction : CONTRADICTIONS.entrySet()) {
            for (String other : contradiction.getValue()) {
                if (given.contains(contradiction.getKey()) && given.contains(other)) {
                    throw new UsageException(
                            contradiction.getKey() + " and " + other + " contradict each other; leave one out");
                }
            }
        }
    }

    private static String value(String[] arguments, int index) throws UsageException {
        if (index >= arguments.length || arguments[index].startsWith("--")) {
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

    private static int count(String text, String list) throws UsageException {
        String number = text.strip();
        String range = "; give 1 to " + MOST_WORKERS + ", several with a comma between each two";
        if (number.isEmpty()) {
            throw new UsageException("--workers '" + list + "' lacks a number" + range);
        }
        if (!INTEGER.matcher(number).matches()) {
            throw new UsageException("--workers " + number + " is not a whole number" + range);
        }
        BigInteger count = new BigInteger(number);
        if (count.signum() <= 0 || count.compareTo(BigInteger.valueOf(MOST_WORKERS)) > 0) {
            throw new UsageException("--workers " + number + " is out of range" + range);
        }
        return count.intValue();
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
        if (Files.isDirectory(file)) {
            throw new UsageException("--json " + name + " cannot be written: it is a folder; name a file");
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
            String why = Files.notExists(file) ? "there is no such file" : "it is no file that can be read";
            throw new UsageException("--from " + name + ": " + why + "; name a file that --json wrote");
        }
        return file;
    }
}
