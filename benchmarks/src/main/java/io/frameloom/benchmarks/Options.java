package io.frameloom.benchmarks;

import io.frameloom.benchmarks.dag.BodyKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The command line of {@link Main}.
 *
 * @param quick few and short samples
 * @param shapes names of the shapes to run
 * @param workers numbers of workers to run with
 * @param body kind of work
 * @param json where to write the rows, or null
 */
record Options(
        boolean quick,
        List<String> shapes,
        List<Integer> workers,
        BodyKind body,
        @Nullable Path json) {
    static final String USAGE =
            "usage: bench [--quick] [--shape NAME]... [--workers N[,N]] [--body empty|megamorphic|work1us] [--json FILE]";
    private static final int MOST_WORKERS = 1024;

    /** A command line that cannot be obeyed; the message is one line for the user. */
    static final class UsageException extends Exception {
        private static final long serialVersionUID = 1L;

        UsageException(String message) {
            super(message);
        }
    }

    static Options parse(String[] arguments, Collection<String> knownShapes) throws UsageException {
        boolean quick = false;
        List<String> shapes = new ArrayList<>();
        List<Integer> workers = new ArrayList<>();
        BodyKind body = BodyKind.EMPTY;
        Path json = null;
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
                default -> throw new UsageException("unknown option " + arguments[index] + "; " + USAGE);
            }
        }
        return new Options(
                quick,
                shapes.isEmpty() ? List.copyOf(knownShapes) : List.copyOf(shapes),
                workers.isEmpty() ? List.of(1, 2) : List.copyOf(workers),
                body,
                json);
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

    private static Path writable(String name) throws UsageException {
        Path file = Path.of(name).toAbsolutePath();
        Path folder = file.getParent();
        if (Files.isDirectory(file) || folder == null || !Files.isWritable(folder)) {
            throw new UsageException("--json " + name + " cannot be written; name a file in a writable folder");
        }
        return file;
    }
}
