package io.frameloom.samples.match;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.internal.Plural;
import io.frameloom.rdg.options.PrintableText;
import io.frameloom.samples.AskedDevice;
import io.frameloom.samples.DeviceConverter;
import io.frameloom.samples.Processor;
import io.frameloom.samples.Progress;
import io.frameloom.samples.demo.UsageException;
import io.frameloom.taskgraph.TaskGraph;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code frameloom match}: matches the brackets of files on a device. */
@Command(
        name = "match",
        mixinStandardHelpOptions = true,
        version = "frameloom 0.1.0-SNAPSHOT",
        description = {
            "Matches the brackets ( ) [ ] { } of files on the GPU, or on the processor where there is none, byte by"
                    + " byte: strings and comments are not parsed.",
            "A close that closes nothing or a bracket of another kind is a mismatch, and so is an open that is never"
                    + " closed. Of each file the first such close is told, else the first such open, with its line and"
                    + " column (in bytes), both from 1.",
            "Folders are walked; symbolic links in them are passed over. What cannot be read is reported and skipped.",
            "Exit codes: 0 all match that could be read, 1 there are mismatches, 2 bad input, such as a file that is not"
                    + " there, 3 a failure, such as a device that is lost or has too little memory, standard output"
                    + " that cannot be written, or that nothing could be read."
        },
        exitCodeOnExecutionException = MatchCommand.FAILURE)
public final class MatchCommand implements Callable<Integer> {
    private static final double MIB = 1 << 20;
    private static final int MISMATCHES = 1;
    private static final int BAD_INPUT = 2;
    /** Not to be taken for mismatches. */
    static final int FAILURE = 3;

    /** Bytes of a window where files are large. */
    private static final int MOST_WINDOW = 1 << 23;

    private static final int LEAST_WINDOW = 1 << 16;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "files and folders")
    private List<String> named = List.of();

    @Option(
            names = "--device",
            paramLabel = "NAME",
            defaultValue = "auto",
            converter = DeviceConverter.class,
            description =
                    "auto, cpu (the processor), virtual, virtual:queues=N,seed=N or a part of a device's name (default"
                            + " ${DEFAULT-VALUE}: cpu where there is no Vulkan device)")
    private DeviceSelector device = new DeviceSelector.Auto();

    @Option(
            names = "--json",
            description = "print one object on one line, and no progress. A name that is no text in the encoding of the"
                    + " locale has its URI beside it, as fileUri or deepestUri")
    private boolean json;

    @Override
    public Integer call() throws IOException, UsageException {
        PrintWriter out = spec.commandLine().getOut();
        FileList list = list(paths(), out);
        MatchReport report = new MatchReport();
        if (!list.files().isEmpty()) {
            matchFiles(list, report, out);
        } else if (json || list.missing().isEmpty()) {
            print(report, MatchWork.NONE, list, out);
        }
        complain(list);
        if (!list.missing().isEmpty()) {
            return BAD_INPUT;
        }
        if (report.files() == 0 && !list.skipped().isEmpty()) {
            return FAILURE;
        }
        return report.hasMismatches() ? MISMATCHES : 0;
    }

    private FileList list(List<Path> paths, PrintWriter out) {
        try (Progress progress = Progress.counting(out, (files, perSecond) -> Plural.of(files, "file") + " found")) {
            return FileList.of(paths, json ? files -> {} : progress::update);
        }
    }

    private void matchFiles(FileList list, MatchReport report, PrintWriter out) throws IOException, UsageException {
        long largest =
                list.files().stream().mapToLong(FileList.Entry::bytes).max().orElse(0);
        int window = (int) Math.max(LEAST_WINDOW, Math.min(MOST_WINDOW, largest));
        if (Processor.isTaken(device, this::say)) {
            try (TaskGraph tasks = TaskGraph.builder().name("match").build();
                    WindowMatching windows = new CpuWindowMatcher(tasks, window)) {
                match(list, windows, Processor.NAME, report, out);
            }
        } else {
            try (TaskGraph tasks = TaskGraph.builder().name("match").workers(1).build();
                    GpuDevice opened =
                            AskedDevice.open(device, new DeviceOptions(tasks, "Frameloom match", false, null));
                    WindowMatching windows = new WindowMatcher(opened, window)) {
                match(list, windows, opened.capabilities().name(), report, out);
            }
        }
    }

    private void match(FileList list, WindowMatching windows, String name, MatchReport report, PrintWriter out)
            throws IOException {
        long start = System.nanoTime();
        match(list, windows, report, out);
        print(report, new MatchWork(name, System.nanoTime() - start, windows.deviceNanos()), list, out);
    }

    private void print(MatchReport report, MatchWork work, FileList list, PrintWriter out) throws IOException {
        if (json) {
            report.printJson(out, work, list);
        } else {
            report.print(out, work, list.skipped().size());
        }
    }

    private void match(FileList list, WindowMatching windows, MatchReport report, PrintWriter out) {
        FileMatcher matcher = new FileMatcher(windows);
        long total = json ? 0 : list.bytes();
        try (Progress progress = new Progress(
                out,
                total,
                (done, perSecond) -> String.format(
                        Locale.ROOT, "%.1f of %.1f MiB, %.1f MiB/s", done / MIB, total / MIB, perSecond / MIB))) {
            long[] done = new long[1];
            for (FileList.Entry file : list.files()) {
                try {
                    report.add(file.path(), matcher.match(file.path(), bytes -> {
                        done[0] += bytes;
                        if (!json) {
                            progress.update(done[0]);
                        }
                    }));
                } catch (IOException e) {
                    list.skip(file.path(), e);
                }
            }
        }
    }

    private void complain(FileList list) {
        for (FileList.Skipped skipped : list.skipped()) {
            say("skipped " + skipped.path() + ": " + skipped.reason());
        }
        for (Path missing : list.missing()) {
            say("there is no " + missing);
        }
    }

    private List<Path> paths() {
        List<Path> paths = new ArrayList<>();
        for (String name : named) {
            try {
                if (name.isEmpty()) {
                    throw new ParameterException(spec.commandLine(), "FILE needs a path, it is empty");
                }
                paths.add(Path.of(name));
            } catch (InvalidPathException e) {
                throw new ParameterException(spec.commandLine(), "FILE is no path: " + e.getMessage(), e);
            }
        }
        return paths;
    }

    private void say(String line) {
        spec.commandLine().getErr().println(spec.qualifiedName() + ": " + PrintableText.of(line));
    }
}
