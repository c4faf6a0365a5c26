package io.frameloom.benchmarks.gpu.compute;

import io.frameloom.gpu.compute.ScanOptions;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The command line of {@link ComputeBench}.
 *
 * @param device part of a device's name; empty for the best
 * @param sizes exponents of two of the numbers of elements
 * @param works what is measured
 * @param only what figures must contain a match of to be measured; of everything else only copies to compare with
 * @param from files of rows that are drawn, in place of measuring; empty to measure
 * @param tiles tiles of scans that are measured beside what suits the device
 * @param workgroups threads of workgroups of matchings that are measured beside what suits the device
 * @param quick whether few samples do
 * @param json file of the rows, or null
 * @param plots folder of the pictures, or null
 */
record ComputeOptions(
        String device,
        List<Integer> sizes,
        Set<Work> works,
        Pattern only,
        List<Path> from,
        List<Tile> tiles,
        List<Integer> workgroups,
        boolean quick,
        @Nullable Path json,
        @Nullable Path plots) {
    static final String USAGE = "usage: bench --gpu compute [--device NAME] [--sizes N..M|N[,N]...]"
            + " [--work copy|scan|looks|match|clip|compact|cpu[,...]] [--only REGEX] [--tiles TxN[,...]]"
            + " [--workgroups T[,...]] [--quick]"
            + " [--json FILE] [--plots DIR] | --from FILE[,FILE]... --plots DIR";

    private static final int SMALLEST = 10;
    private static final int LARGEST = 29;
    private static final Pattern RANGE = Pattern.compile("(\\d{1,2})\\.\\.(\\d{1,2})");
    private static final Pattern TILE = Pattern.compile("(\\d{1,4})x(\\d{1,2})");
    private static final Pattern LIST = Pattern.compile("\\d{1,2}(,\\d{1,2})*");

    /** What can be measured. */
    enum Work {
        COPY,
        SCAN,
        LOOKS,
        MATCH,
        CLIP,
        COMPACT,
        CPU
    }

    /**
     * A tile of a scan.
     *
     * @param threads of a workgroup
     * @param items elements of a thread
     */
    record Tile(int threads, int items) {
        Tile {
            if (threads == 0 || items == 0) {
                throw new IllegalArgumentException("a tile has threads and elements");
            }
            // Refuses sizes that no scan has.
            ScanOptions.DEFAULT.withTile(threads, items);
        }
    }

    /** A command line that cannot be obeyed; the message is one line for the user. */
    static final class UsageException extends Exception {
        private static final long serialVersionUID = 1L;

        UsageException(String message) {
            super(message + "; " + USAGE);
        }
    }

    static ComputeOptions parse(List<String> arguments) throws UsageException {
        String device = "";
        List<Integer> sizes = IntStream.rangeClosed(20, 28).boxed().toList();
        Set<Work> works = EnumSet.allOf(Work.class);
        Pattern only = Pattern.compile("");
        List<Path> from = List.of();
        List<Tile> tiles = List.of();
        List<Integer> workgroups = List.of();
        boolean quick = false;
        Path json = null;
        Path plots = null;
        for (int i = 0; i < arguments.size(); i++) {
            String option = arguments.get(i);
            switch (option) {
                case "--quick" -> quick = true;
                case "--device" -> device = value(arguments, ++i);
                case "--sizes" -> sizes = sizes(value(arguments, ++i));
                case "--work" -> works = works(value(arguments, ++i));
                case "--only" -> only = pattern(arguments, ++i);
                case "--from" -> from = files(value(arguments, ++i));
                case "--tiles" -> tiles = tiles(value(arguments, ++i));
                case "--workgroups" -> workgroups = workgroups(value(arguments, ++i));
                case "--json" -> json = path(arguments, ++i);
                case "--plots" -> plots = path(arguments, ++i);
                default -> throw new UsageException(option + " is unknown");
            }
        }
        if (!from.isEmpty() && (plots == null || arguments.size() != 4)) {
            throw new UsageException("--from measures nothing: give it --plots DIR, and nothing else");
        }
        return new ComputeOptions(device, sizes, works, only, from, tiles, workgroups, quick, json, plots);
    }

    /** Whether something is to be measured. */
    boolean wants(Subject subject) {
        return only.matcher(subject.toString()).find();
    }

    private static String value(List<String> arguments, int at) throws UsageException {
        if (at >= arguments.size() || arguments.get(at).startsWith("--")) {
            throw new UsageException(arguments.get(at - 1) + " needs a value");
        }
        return arguments.get(at);
    }

    private static List<Integer> sizes(String text) throws UsageException {
        Matcher range = RANGE.matcher(text);
        List<Integer> sizes = new ArrayList<>();
        if (range.matches()) {
            IntStream.rangeClosed(Integer.parseInt(range.group(1)), Integer.parseInt(range.group(2)))
                    .forEach(sizes::add);
        } else if (LIST.matcher(text).matches()) {
            for (String size : text.split(",", -1)) {
                sizes.add(Integer.parseInt(size));
            }
        }
        if (sizes.isEmpty() || sizes.stream().anyMatch(size -> size < SMALLEST || size > LARGEST)) {
            throw new UsageException("--sizes " + text + " names no exponents from " + SMALLEST + " to " + LARGEST
                    + ", such as 20..28 or 20,24");
        }
        return sizes;
    }

    private static Set<Work> works(String text) throws UsageException {
        Set<Work> works = EnumSet.noneOf(Work.class);
        for (String name : text.split(",", -1)) {
            works.add(work(name));
        }
        return works;
    }

    private static Work work(String name) throws UsageException {
        Collection<Work> all = EnumSet.allOf(Work.class);
        for (Work work : all) {
            if (work.name().toLowerCase(Locale.ROOT).equals(name)) {
                return work;
            }
        }
        throw new UsageException(
                "--work " + name + " is none of " + all.toString().toLowerCase(Locale.ROOT));
    }

    private static List<Tile> tiles(String text) throws UsageException {
        List<Tile> tiles = new ArrayList<>();
        for (String name : text.split(",", -1)) {
            Matcher tile = TILE.matcher(name);
            if (!tile.matches()) {
                throw new UsageException("--tiles " + text + " names no tiles such as 256x16,512x8");
            }
            try {
                tiles.add(new Tile(Integer.parseInt(tile.group(1)), Integer.parseInt(tile.group(2))));
            } catch (IllegalArgumentException e) {
                throw new UsageException("--tiles " + name + ": " + e.getMessage());
            }
        }
        return tiles;
    }

    private static Pattern pattern(List<String> arguments, int at) throws UsageException {
        String text = value(arguments, at);
        try {
            return Pattern.compile(text);
        } catch (PatternSyntaxException e) {
            throw new UsageException(
                    arguments.get(at - 1) + " " + text + " is no regular expression: " + e.getDescription());
        }
    }

    private static List<Path> files(String text) throws UsageException {
        List<Path> files = new ArrayList<>();
        for (String name : text.split(",", -1)) {
            files.add(path("--from", name));
        }
        return files;
    }

    /** Powers of two, as the matching of 2021 needs them. */
    private static List<Integer> workgroups(String text) throws UsageException {
        List<Integer> workgroups = new ArrayList<>();
        for (String name : text.split(",", -1)) {
            int threads = name.matches("\\d{2,4}") ? Integer.parseInt(name) : 0;
            if (threads < 32 || threads > 1024 || Integer.bitCount(threads) != 1) {
                throw new UsageException(
                        "--workgroups " + text + " names no powers of two from 32 to 1024, such as 64,128,256");
            }
            workgroups.add(threads);
        }
        return workgroups;
    }

    private static Path path(List<String> arguments, int at) throws UsageException {
        return path(arguments.get(at - 1), value(arguments, at));
    }

    private static Path path(String option, String name) throws UsageException {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw new UsageException(option + " " + name + " is no file name");
        }
    }
}
