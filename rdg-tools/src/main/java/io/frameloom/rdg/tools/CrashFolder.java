package io.frameloom.rdg.tools;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.error.CrashReport;
import io.frameloom.rdg.FramePlan;
import io.frameloom.taskgraph.trace.TraceRecorder;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.lang.Thread.UncaughtExceptionHandler;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lwjgl.Version;

/**
 * Writes a folder with what helps to understand why a renderer failed. Call {@link #write} where the failure is caught.
 *
 * <p>The folder has {@code report.txt} (the failure with its causes, versions, the device, its memory, validation
 * messages, the waits of the task graph), {@code threads.txt}, and, if they were given, {@code graph.json} (the plan,
 * as {@link PlanJson} writes it) and {@code trace.json} (as {@link TraceRecorder} does). A lost device adds its {@link
 * CrashReport} as {@code device-lost.txt} and {@code device-lost.json}, and, if its driver has something for the tools of
 * its vendor, {@code device-fault.bin}. The folder has no environment
 * variables, no arguments of the program, and of the system properties those of Frameloom alone.
 *
 * <p>The first failure counts: a renderer that fails in each frame writes one folder. Nothing is thrown: what cannot be
 * written is noted in the report, and if there is no report it is a suppressed exception of the failure.
 *
 * <p>Any thread.
 *
 * <pre>{@code
 * CrashFolder crash = new CrashFolder(Path.of("crashes"));
 * crash.device(device);
 * try {
 *     FramePlan plan = executor.compile(graph);
 *     crash.plan(plan);
 *     executor.execute(plan).completed().await();
 * } catch (RuntimeException failure) {
 *     crash.write(failure).ifPresent(folder -> System.err.println("see " + folder));
 *     throw failure;
 * }
 * }</pre>
 */
public final class CrashFolder {
    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("'crash-'yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

    private static final String REPORT = "report.txt";
    private static final String FAULT = "device-fault.bin";
    private static final int MOST_OF_ONE_SECOND = 100;

    private final Path parent;
    private final Clock clock;
    private final Map<String, String> facts = new LinkedHashMap<>();
    private volatile @Nullable GpuDevice device;
    private volatile @Nullable TraceRecorder trace;
    private volatile @Nullable FramePlan plan;
    private @Nullable Path written;

    /** What writes a file. */
    @FunctionalInterface
    private interface Content {
        void writeTo(Writer out) throws IOException;
    }

    /**
     * A folder that is made when something fails.
     *
     * @param parent where it is made, itself made then; the name has the time, in UTC
     */
    public CrashFolder(Path parent) {
        this(parent, Clock.systemUTC());
    }

    CrashFolder(Path parent, Clock clock) {
        this.parent = parent;
        this.clock = clock;
    }

    /** Takes the device and its task graph into the report; the device may be closed by then. */
    public void device(GpuDevice used) {
        device = used;
    }

    /** Takes what a recorder has then. */
    public void trace(TraceRecorder recorder) {
        trace = recorder;
    }

    /** Takes a plan in place of a former one; may be called in each frame. */
    public void plan(FramePlan newest) {
        plan = newest;
    }

    /** Takes a line into the report, such as the version of the application. */
    public synchronized void fact(String name, String value) {
        facts.put(name, value);
    }

    /**
     * Writes the folder, unless a former failure has.
     *
     * @return the folder, also that of a former failure; empty if it could not be written
     */
    public synchronized Optional<Path> write(Throwable failure) {
        if (written != null) {
            return Optional.of(written);
        }
        // Channels refuse to write on an interrupted thread.
        boolean interrupted = Thread.interrupted();
        try {
            written = writeFolder(failure);
            return Optional.of(written);
        } catch (IOException | RuntimeException | Error e) {
            if (e != failure) {
                failure.addSuppressed(e);
            }
            return Optional.empty();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns a handler that writes the folder and hands the failure on, for threads and as the default one. */
    public UncaughtExceptionHandler before(UncaughtExceptionHandler next) {
        return (thread, failure) -> {
            write(failure);
            next.uncaughtException(thread, failure);
        };
    }

    private Path writeFolder(Throwable failure) throws IOException {
        Path folder = create();
        Path report = folder.resolve(REPORT);
        try {
            Files.writeString(report, report(failure), StandardOpenOption.CREATE_NEW);
        } catch (IOException | RuntimeException | Error e) {
            try {
                Files.deleteIfExists(report);
                Files.delete(folder);
            } catch (IOException left) {
                e.addSuppressed(left);
            }
            throw e;
        }
        List<String> missing = new ArrayList<>();
        CrashReport.of(failure).ifPresent(lost -> {
            write(folder, "device-lost.txt", out -> out.write(lost.text()), missing);
            write(folder, "device-lost.json", out -> CrashReportJson.write(lost, out), missing);
            writeBinary(folder, lost.fault(), missing);
        });
        write(folder, "threads.txt", CrashFolder::threads, missing);
        FramePlan shown = plan;
        if (shown != null) {
            write(folder, "graph.json", out -> PlanJson.write(shown, out), missing);
        }
        TraceRecorder recorder = trace;
        if (recorder != null) {
            write(folder, "trace.json", recorder::writeChromeJson, missing);
        }
        if (!missing.isEmpty()) {
            try {
                Files.write(report, missing, StandardOpenOption.APPEND);
            } catch (IOException e) {
                failure.addSuppressed(e);
            }
        }
        return folder;
    }

    private static void writeBinary(Path folder, CrashReport.@Nullable Fault fault, List<String> missing) {
        if (fault == null || !fault.binary().hasRemaining()) {
            return;
        }
        byte[] bytes = new byte[fault.binary().remaining()];
        fault.binary().get(0, bytes);
        try {
            Files.write(folder.resolve(FAULT), bytes, StandardOpenOption.CREATE_NEW);
        } catch (IOException e) {
            missing.add(FAULT + ": not written: " + e);
        }
    }

    private Path create() throws IOException {
        Files.createDirectories(parent);
        String name = NAME.format(clock.instant());
        for (int i = 1; ; i++) {
            try {
                return Files.createDirectory(parent.resolve(i == 1 ? name : name + "-" + i));
            } catch (FileAlreadyExistsException e) {
                // Another process, or another object of this one, failed in the same second.
                if (i == MOST_OF_ONE_SECOND) {
                    throw e;
                }
            }
        }
    }

    private static void write(Path folder, String name, Content content, List<String> missing) {
        Path file = folder.resolve(name);
        try (Writer out = Files.newBufferedWriter(file, StandardOpenOption.CREATE_NEW)) {
            content.writeTo(out);
            return;
        } catch (IOException | RuntimeException | Error e) {
            missing.add(name + ": not written: " + e);
        }
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            missing.add(name + ": only the beginning is there: " + e);
        }
    }

    private String report(Throwable failure) {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        out.println("time: " + Instant.now(clock).truncatedTo(ChronoUnit.SECONDS));
        failure.printStackTrace(out);
        out.println();
        facts.forEach((name, value) -> line(out, name, () -> value));
        line(out, "Frameloom", CrashFolder::version);
        line(out, "LWJGL", Version::getVersion);
        Properties properties = System.getProperties();
        line(
                out,
                "Java",
                () -> properties.getProperty("java.vm.name") + " " + properties.getProperty("java.runtime.version"));
        line(
                out,
                "system",
                () -> properties.getProperty("os.name") + " " + properties.getProperty("os.version") + ", "
                        + properties.getProperty("os.arch") + ", "
                        + Runtime.getRuntime().availableProcessors() + " processors");
        line(out, "heap", () -> {
            Runtime runtime = Runtime.getRuntime();
            return (runtime.totalMemory() - runtime.freeMemory()) + " bytes used of at most " + runtime.maxMemory();
        });
        properties.stringPropertyNames().stream()
                .filter(name -> name.startsWith("frameloom."))
                .sorted()
                .forEach(name -> line(out, name, () -> properties.getProperty(name)));
        GpuDevice used = device;
        if (used != null) {
            report(out, used);
        }
        return text.toString();
    }

    private static void report(PrintWriter out, GpuDevice device) {
        line(out, "device", () -> device.capabilities().toString());
        line(
                out,
                "queues",
                () -> String.join(
                        ", ",
                        device.queues().stream()
                                .map(queue -> queue.name() + " submitted " + submitted(queue))
                                .toList()));
        lines(out, "memory", () -> device.memoryStatistics().heaps().stream().map(String::valueOf));
        lines(
                out,
                "validation",
                () -> device.validationMessages().stream()
                        .map(message -> message.severity() + " " + message.id() + ": " + message.text()));
        lines(out, "tasks", () -> device.taskGraph().describeWaits().lines());
    }

    private static String submitted(GpuQueue queue) {
        return queue.timeline().submitted() + ", completed " + queue.timeline().completed();
    }

    private static void line(PrintWriter out, String name, Supplier<String> value) {
        lines(out, name, () -> Stream.of(value.get()));
    }

    /** What is lost or closed may refuse to answer. */
    private static void lines(PrintWriter out, String name, Supplier<Stream<String>> values) {
        try {
            // Whole before the first line is printed.
            values.get().toList().forEach(value -> out.println(name + ": " + value));
        } catch (RuntimeException e) {
            out.println(name + ": not known: " + e);
        }
    }

    /** The jar's, as Maven notes it. */
    private static String version() {
        String notes = "/META-INF/maven/io.frameloom/frameloom-rdg-tools/pom.properties";
        try (InputStream in = CrashFolder.class.getResourceAsStream(notes)) {
            Properties maven = new Properties();
            if (in != null) {
                maven.load(in);
            }
            return maven.getProperty("version", "from classes, no version");
        } catch (IOException e) {
            return "not known: " + e;
        }
    }

    private static void threads(Writer out) throws IOException {
        for (Map.Entry<Thread, StackTraceElement[]> entry :
                Thread.getAllStackTraces().entrySet()) {
            out.write("'" + entry.getKey().getName() + "' " + entry.getKey().getState() + "\n");
            for (StackTraceElement element : entry.getValue()) {
                out.write("    at " + element + "\n");
            }
        }
    }
}
