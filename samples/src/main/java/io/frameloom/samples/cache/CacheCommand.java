package io.frameloom.samples.cache;

import io.frameloom.gpu.cache.CacheFolder;
import io.frameloom.gpu.cache.CacheFolder.Cleared;
import io.frameloom.gpu.cache.CacheFolder.Contents;
import io.frameloom.gpu.cache.CacheFolder.Exported;
import io.frameloom.gpu.cache.CacheFolder.Field;
import io.frameloom.gpu.cache.CacheFolder.Imported;
import io.frameloom.gpu.cache.CacheFolder.Program;
import io.frameloom.gpu.cache.CacheFolder.Store;
import io.frameloom.gpu.internal.Plural;
import io.frameloom.rdg.options.PrintableText;
import io.frameloom.samples.PathArgument;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code frameloom cache}: lists, checks, empties and moves the folder of a program cache. */
@Command(
        name = "cache",
        mixinStandardHelpOptions = true,
        version = "frameloom 0.1.0-SNAPSHOT",
        subcommands = MeasureCommand.class,
        description = {
            "Looks after the folder of a program cache; programs that use it may go on meanwhile.",
            "Exit codes: 0 done, 1 verify found damage, or standard output cannot be written, 2 bad input."
        })
public final class CacheCommand implements Runnable {
    private static final int DAMAGED = 1;
    private static final int SHOWN_DIGITS = 12;
    private static final String FOLDER = "folder of the cache";
    private static final String DISK_BYTES =
            "most bytes that all programs of the cache may have afterwards (default: 512 MiB, or system property"
                    + " frameloom.cache.diskBytes)";
    private static final String BUNDLE = "one file with all programs (default: DIR.zip)";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "no command given; there are: list, verify, clear, export, import, measure");
    }

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Lists the compilers and devices that there are programs for; with --all each program.")
    int list(
            @Parameters(paramLabel = "DIR", description = FOLDER) String dir,
            @Option(
                            names = {"-a", "--all", "--verbose"},
                            description = "list each program with everything that it was made from")
                    boolean all) {
        Contents contents = CacheFolder.of(folder(dir)).contents();
        PrintWriter out = spec.commandLine().getOut();
        for (Store store : contents.stores()) {
            out.printf(
                    Locale.ROOT,
                    "%s: %s, %s, %.2f ms to make%n",
                    PrintableText.of(store.name()),
                    Plural.of(store.programs().size(), "program"),
                    Plural.of(
                            store.programs().stream().mapToLong(Program::bytes).sum(), "byte"),
                    store.programs().stream().mapToLong(Program::buildNanos).sum() * 1e-6);
            out.println("  for " + words(all ? store.compatibility() : readable(store.compatibility())));
            if (all) {
                store.programs().forEach(program -> print(out, program));
            }
        }
        out.println(summary(contents));
        return 0;
    }

    private static void print(PrintWriter out, Program program) {
        out.printf(
                Locale.ROOT,
                "  %s %9d bytes %9.2f ms  %s%n",
                program.id().substring(0, SHOWN_DIGITS),
                program.bytes(),
                program.buildNanos() * 1e-6,
                words(program.key()));
    }

    /** Returns what says something to people: neither numbers nor long rows of digits, unless there is nothing else. */
    private static List<Field> readable(List<Field> fields) {
        List<Field> readable = fields.stream()
                .filter(field -> !field.value().matches("[0-9]+|[0-9a-f]{32,}"))
                .toList();
        return readable.isEmpty() ? fields : readable;
    }

    @Command(
            name = "verify",
            mixinStandardHelpOptions = true,
            description = "Checks every program; exit code 1 if one is damaged.")
    int verify(@Parameters(paramLabel = "DIR", description = FOLDER) String dir) {
        Contents contents = CacheFolder.of(folder(dir)).contents();
        PrintWriter out = spec.commandLine().getOut();
        contents.problems().forEach(problem -> out.println(PrintableText.of(problem.file() + " " + problem.words())));
        out.println(summary(contents));
        return contents.problems().isEmpty() ? 0 : DAMAGED;
    }

    @Command(
            name = "clear",
            mixinStandardHelpOptions = true,
            description = "Deletes all programs, and what is remembered of crashes.")
    int clear(@Parameters(paramLabel = "DIR", description = FOLDER) String dir) {
        Cleared cleared = CacheFolder.of(folder(dir)).clear();
        spec.commandLine()
                .getOut()
                .println(Plural.of(cleared.programs(), "program") + " deleted, " + Plural.of(cleared.bytes(), "byte"));
        return 0;
    }

    @Command(
            name = "export",
            mixinStandardHelpOptions = true,
            description = {
                "Writes all whole programs into one file; equal caches give equal files.",
                "Refuses to write into DIR, or over a file that was not exported."
            })
    int export(
            @Parameters(index = "0", paramLabel = "DIR", description = FOLDER) String dir,
            @Parameters(index = "1", arity = "0..1", paramLabel = "BUNDLE", description = BUNDLE) @Nullable
                    String bundle) {
        Path file = bundle(dir, bundle);
        Exported exported = CacheFolder.of(folder(dir)).exportTo(file);
        String left = exported.damaged() == 0 ? "" : ", " + exported.damaged() + " damaged left out";
        spec.commandLine()
                .getOut()
                .println(PrintableText.of(Plural.of(exported.programs(), "program") + " exported to " + file + left));
        return 0;
    }

    @Command(
            name = "import",
            mixinStandardHelpOptions = true,
            description = "Adds the programs of an exported file; creates the cache if it is not there.")
    int importBundle(
            @Parameters(index = "0", paramLabel = "DIR", description = FOLDER) String dir,
            @Parameters(index = "1", arity = "0..1", paramLabel = "BUNDLE", description = BUNDLE) @Nullable
                    String bundle,
            @Option(names = "--disk-bytes", paramLabel = "N", description = DISK_BYTES) @Nullable Long diskBytes) {
        Path file = bundle(dir, bundle);
        if (diskBytes != null && diskBytes < 1) {
            throw new ParameterException(spec.commandLine(), "--disk-bytes must be at least 1, not " + diskBytes);
        }
        CacheFolder cache = CacheFolder.of(folder(dir));
        Imported imported = diskBytes == null ? cache.importFrom(file) : cache.importFrom(file, diskBytes);
        spec.commandLine()
                .getOut()
                .println(PrintableText.of(Plural.of(imported.added(), "program") + " imported from " + file + ", "
                        + imported.present() + (imported.present() == 1 ? " was" : " were") + " there already"));
        return 0;
    }

    private Path bundle(String dir, @Nullable String bundle) {
        if (bundle != null) {
            if (Files.isRegularFile(folder(dir)) && !Files.isRegularFile(PathArgument.of(spec, "BUNDLE", bundle))) {
                throw new ParameterException(
                        spec.commandLine(), dir + " is a file; the folder of the cache comes first, then the bundle");
            }
            return PathArgument.of(spec, "BUNDLE", bundle);
        }
        Path folder = folder(dir).toAbsolutePath().normalize();
        return folder.resolveSibling(folder.getFileName() + ".zip");
    }

    private Path folder(String dir) {
        return PathArgument.of(spec, "DIR", dir);
    }

    /** What a damaged or foreign cache says must not steer a terminal. */
    private static String words(List<Field> fields) {
        return fields.stream()
                .filter(field -> !field.name().equals("compatibility"))
                .map(field -> field.name() + "=" + field.value())
                .collect(Collectors.collectingAndThen(Collectors.joining(", "), PrintableText::of));
    }

    private static String summary(Contents contents) {
        int damaged = contents.problems().size();
        int crashes = contents.crashes();
        return Plural.of(contents.programs(), "program") + ", " + Plural.of(contents.bytes(), "byte") + ", " + damaged
                + " damaged" + (crashes == 0 ? "" : ", " + Plural.of(crashes, "crash") + " remembered");
    }
}
