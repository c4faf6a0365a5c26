package io.frameloom.benchmarks.gpu.compute;

import io.frameloom.benchmarks.driver.Complaints;
import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.DeviceKind;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.cache.ProgramCache;
import io.frameloom.gpu.cache.ProgramCacheOptions;
import io.frameloom.gpu.compute.BracketInput;
import io.frameloom.gpu.compute.ElementType;
import io.frameloom.gpu.compute.LookBackProfile;
import io.frameloom.gpu.compute.ScanOptions;
import io.frameloom.gpu.compute.ScanVariant;
import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.gpu.error.NoSuchDeviceException;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.taskgraph.TaskGraph;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/**
 * {@code bench --gpu compute}: scans, bracket matching, clip boxes and compaction by size, beside copies of as many bytes and the
 * processor's versions. Every result is compared with a sequential one, element by element, before it is timed.
 */
public final class ComputeBench {
    private static final int WRONG = 1;
    private static final int SAMPLES = 11;
    private static final int QUICK_SAMPLES = 3;
    private static final List<Integer> BASELINE_WORKGROUPS = List.of(256, 1024);

    private static final String HELP = ComputeOptions.USAGE + """


            Measures, on a Vulkan device and by its own timestamps, exclusive scans of several types, matching of brackets
            that lie in memory as words, bytes or bits, in random and in worst rows, also by the algorithm of 2021, clip
            boxes, and compaction; beside them copies of as many bytes, and the processor's versions on one core and on
            all. Every result is first compared with a sequential one. Figures are medians. At the end figures of a GPU
            are held against the project's targets.

              --device NAME  part of the name of a device (default: the best)
              --sizes N..M   exponents of two of the numbers of elements, 10 to 29 (default: 20..28); or a list: 20,24
              --work LIST    only some of copy, scan, looks, match, clip, compact, cpu; looks tells how the
                             tiles of scans look back
              --only REGEX   only the figures of which "WORK VARIANT, HOW, INPUT" contains a match, and copies to compare
                             with: "scan u64 sum, (look|reduce)", "match u32, "
              --tiles LIST   more tiles of scans: THREADSxELEMENTS of a thread, such as 256x16,512x8
              --workgroups LIST
                             more sizes of workgroups of matchings, and the only ones of that of 2021 (default there:
                             256,1024), such as 64,128,256,512; on devices without subgroups of 32 only what links is
                             done in workgroups of these sizes, and its rows say so
              --quick        few samples: a first look, no figures to publish
              --json FILE    write a line of JSON for the machine, then one for each figure as soon as it is there
              --plots DIR    draw elements per second by size, an SVG file for each kind of work; what was measured is
                             drawn even if the rest fails
              --from LIST    measure nothing: draw the rows of earlier --json files, and of what cub-scan printed, in the
                             same pictures, and hold them against the targets, those beside CUB among them; of figures
                             that stand in several files the last
              -h, --help     print this text

            Status 0, 1 when a result was wrong (nothing is timed then), or 2 with one line on standard error when the
            command line is wrong or there is no such device.""";

    private static final List<ScanVariant> BOTH = List.of(ScanVariant.REDUCE_THEN_SCAN, ScanVariant.LOOK_BACK);

    private final GpuDevice device;
    private final ComputeOptions options;
    private final Report report;
    private final Workbench bench;
    /** Gigabytes per second of the faster copy dispatch, by bytes moved; 0 where there is none. */
    private final Map<Long, Double> copies = new HashMap<>();

    private ComputeBench(GpuDevice device, ComputeOptions options, Report report, Workbench bench) {
        this.device = device;
        this.options = options;
        this.report = report;
        this.bench = bench;
    }

    /**
     * Runs the benchmark and returns the exit code.
     *
     * @param arguments what follows {@code compute}
     * @throws IOException when the rows cannot be written
     */
    public static int run(List<String> arguments, PrintStream out, PrintStream complaints) throws IOException {
        if (arguments.contains("-h") || arguments.contains("--help")) {
            out.println(HELP);
            return 0;
        }
        ComputeOptions options;
        try {
            options = ComputeOptions.parse(arguments);
        } catch (ComputeOptions.UsageException wrong) {
            return Complaints.refuse(complaints, String.valueOf(wrong.getMessage()));
        }
        if (!options.from().isEmpty()) {
            return draw(options, out, complaints);
        }
        int workers = Runtime.getRuntime().availableProcessors();
        int samples = options.quick() ? QUICK_SAMPLES : SAMPLES;
        try (TaskGraph tasks =
                        TaskGraph.builder().name("compute").workers(workers).build();
                ProgramCache programs = ProgramCache.open(ProgramCacheOptions.inMemory(), tasks);
                GpuDevice device = VulkanDevices.open(
                        options.device(), new DeviceOptions(tasks, "Frameloom bench", false, null, programs));
                Report report = new Report(out, options.json());
                Pictures pictures = new Pictures(options.plots(), report.rows(), out);
                Workbench bench = new Workbench(device, samples, options.quick(), usualBytes(options))) {
            DeviceCapabilities capabilities = device.capabilities();
            if (!capabilities.timestamps()) {
                return Complaints.refuse(
                        complaints,
                        "device '" + capabilities.name()
                                + "' has no timestamps to measure with; name another by --device");
            }
            pictures.announce();
            report.machine(capabilities.name(), capabilities.driver(), workers);
            new ComputeBench(device, options, report, bench).measureDevice();
            if (options.works().contains(ComputeOptions.Work.CPU)) {
                CpuCases cpu = new CpuCases(tasks, workers, samples, options::wants, report::row);
                cpu.warmUp();
                options.sizes().forEach(size -> cpu.measure(1 << size));
                report.comparison();
            }
            if (capabilities.kind() != DeviceKind.CPU) {
                ComputeTargets.load().print(out, report.rows());
            }
            return 0;
        } catch (NoSuchDeviceException e) {
            return Complaints.refuse(complaints, String.valueOf(e.getMessage()));
        } catch (WrongResultException e) {
            Complaints.say(complaints, String.valueOf(e.getMessage()));
            return WRONG;
        }
    }

    private static int draw(ComputeOptions options, PrintStream out, PrintStream complaints) throws IOException {
        List<Row> rows = new ArrayList<>();
        for (Path file : options.from()) {
            try {
                rows.addAll(Report.read(file));
            } catch (IOException e) {
                return Complaints.refuse(complaints, "--from " + file + ": " + e.getMessage());
            }
        }
        try (Pictures pictures = new Pictures(options.plots(), rows, out)) {
            pictures.announce();
        }
        ComputeTargets.load().print(out, rows);
        return 0;
    }

    /** Two words for each element of the largest size. */
    private static long usualBytes(ComputeOptions options) {
        return (2L * Integer.BYTES)
                << options.sizes().stream().mapToInt(Integer::intValue).max().orElseThrow();
    }

    private void measureDevice() {
        for (int size : options.sizes()) {
            long length = 1L << size;
            if (options.works().contains(ComputeOptions.Work.COPY)) {
                copyByCommand(length);
                copyRate(2 * length * Integer.BYTES);
            }
            if (options.works().contains(ComputeOptions.Work.SCAN)) {
                for (ScanCase.Kind kind : ScanCase.kinds()) {
                    scan(kind, length);
                }
                for (ScanCase.Kind kind : ScanCase.extremeSegments()) {
                    BOTH.forEach(variant -> scan(kind, ScanOptions.of(variant), length));
                }
            }
            if (options.works().contains(ComputeOptions.Work.LOOKS)) {
                looks(length);
            }
            if (options.works().contains(ComputeOptions.Work.MATCH)) {
                match(length);
                baselineMatch(length);
            }
            if (options.works().contains(ComputeOptions.Work.CLIP)) {
                clip(length);
            }
            if (options.works().contains(ComputeOptions.Work.COMPACT)) {
                measure(CompactCase.SUBJECT, length, () -> new CompactCase(bench, length));
            }
        }
    }

    /** In each variant, with tiles of each size and in shared memory. Sums of floats do not look back. */
    private void scan(ScanCase.Kind kind, long length) {
        boolean floats = kind.operator().type() == ElementType.F32;
        for (ScanVariant variant : floats ? List.of(ScanVariant.REDUCE_THEN_SCAN) : BOTH) {
            scan(kind, ScanOptions.of(variant), length);
            for (ComputeOptions.Tile tile : options.tiles()) {
                scan(kind, ScanOptions.of(variant).withTile(tile.threads(), tile.items()), length);
            }
            scan(kind, ScanOptions.of(variant).withoutSubgroups(), length);
        }
    }

    private void scan(ScanCase.Kind kind, ScanOptions scan, long length) {
        measure(ScanCase.subject(kind, scan), length, () -> new ScanCase(bench, kind, scan, length));
    }

    /** What waits or walks in scans with look-back, on a GPU after work that brings its clock up. */
    private void looks(long length) {
        boolean software = device.capabilities().kind() == DeviceKind.CPU;
        int runs = software ? 3 : (int) Math.max(20, Math.min(400, (1L << 32) / length));
        for (ElementType type : List.of(ElementType.U32, ElementType.U64)) {
            for (boolean segmented : new boolean[] {false, true}) {
                String scan = type.name().toLowerCase(Locale.ROOT) + " sum" + (segmented ? ", segmented" : "");
                try {
                    report.looks(scan, length, LookBackProfile.of(device, type, segmented, length, runs));
                } catch (GpuOutOfMemoryException | IllegalArgumentException refused) {
                    report.say("looks of " + scan + ", " + length + " elements: " + refused.getMessage());
                }
            }
        }
    }

    private void match(long length) {
        for (BracketInput width : BracketInput.values()) {
            for (Inputs.Brackets brackets : Inputs.Brackets.values()) {
                match(width, MatchCase.USUAL, brackets, length);
                for (int threads : options.workgroups()) {
                    match(width, threads, brackets, length);
                }
            }
        }
    }

    private void match(BracketInput width, int threads, Inputs.Brackets brackets, long length) {
        measure(
                MatchCase.subject(device, width, threads, brackets),
                length,
                () -> new MatchCase(bench, width, threads, brackets, length));
    }

    private void clip(long length) {
        for (Inputs.Brackets brackets : Inputs.Brackets.values()) {
            measure(ClipCase.subject(brackets), length, () -> new ClipCase(bench, brackets, length));
        }
    }

    private void baselineMatch(long length) {
        for (int partition : options.workgroups().isEmpty() ? BASELINE_WORKGROUPS : options.workgroups()) {
            for (Inputs.Brackets brackets : Inputs.Brackets.values()) {
                measure(
                        BaselineMatchCase.subject(partition, brackets),
                        length,
                        () -> new BaselineMatchCase(bench, partition, brackets, length));
            }
        }
    }

    private void copyByCommand(long length) {
        CopyCase.Way way = CopyCase.Way.COMMAND;
        if (options.wants(CopyCase.subject(way))) {
            report(CopyCase.subject(way), length, () -> new CopyCase(bench, way, length), 0);
        }
    }

    /** Returns how many gigabytes per second a copy moves that moves so many bytes, to the nearest larger that it can. */
    private double copyRate(long bytes) {
        long words = (bytes / 2 + 15) / 16 * 4;
        Double known = copies.get(words);
        if (known != null) {
            return known;
        }
        double best = 0;
        for (CopyCase.Way way : List.of(CopyCase.Way.STRIDING, CopyCase.Way.ONCE)) {
            best = Math.max(best, report(CopyCase.subject(way), words, () -> new CopyCase(bench, way, words), 0));
        }
        copies.put(words, best);
        return best;
    }

    /** Measures something beside the copy of as many bytes. */
    private void measure(Subject subject, long length, Supplier<DeviceCase> maker) {
        if (options.wants(subject)) {
            report(subject, length, maker, -1);
        }
    }

    /**
     * Checks, times and reports something. Returns its gigabytes per second, 0 if it was skipped.
     *
     * @param copy gigabytes per second of the copy to compare with, 0 for none, negative for that of as many bytes
     */
    private double report(Subject subject, long length, Supplier<DeviceCase> maker, double copy) {
        Timing timing;
        long bytes;
        try {
            DeviceCase subjectCase = maker.get();
            bytes = subjectCase.bytes();
            String wrong = subjectCase.check();
            if (!wrong.isEmpty()) {
                throw new WrongResultException(subject + " of " + length + " elements on '"
                        + device.capabilities().name() + "': " + wrong);
            }
            timing = bench.time(subjectCase::record);
        } catch (GpuOutOfMemoryException | IllegalArgumentException refused) {
            report.row(Row.skipped(subject, length, String.valueOf(refused.getMessage())));
            return 0;
        } finally {
            bench.release();
        }
        Row row = Row.of(subject, length, bytes, timing, copy < 0 ? copyRate(bytes) : copy);
        report.row(row);
        return row.gigabytesPerSecond();
    }
}
