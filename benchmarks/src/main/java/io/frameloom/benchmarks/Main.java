package io.frameloom.benchmarks;

import io.frameloom.benchmarks.buildcost.BuildCost;
import io.frameloom.benchmarks.chain.LinearChain;
import io.frameloom.benchmarks.contender.CompletableFutures;
import io.frameloom.benchmarks.contender.FixedPool;
import io.frameloom.benchmarks.contender.ForkJoinHandMapped;
import io.frameloom.benchmarks.contender.ForkJoinPlain;
import io.frameloom.benchmarks.contender.FrameloomCompiled;
import io.frameloom.benchmarks.contender.FrameloomDynamic;
import io.frameloom.benchmarks.contender.FrameloomOnce;
import io.frameloom.benchmarks.contender.SequentialLoop;
import io.frameloom.benchmarks.contender.StructuredScopes;
import io.frameloom.benchmarks.contender.VirtualThreads;
import io.frameloom.benchmarks.dag.BodyKind;
import io.frameloom.benchmarks.dag.Caller;
import io.frameloom.benchmarks.dag.Contender;
import io.frameloom.benchmarks.dag.DagBenchmark;
import io.frameloom.benchmarks.dag.Shape;
import io.frameloom.benchmarks.driver.Benchmark;
import io.frameloom.benchmarks.driver.Complaints;
import io.frameloom.benchmarks.driver.Family;
import io.frameloom.benchmarks.driver.MachineLoad;
import io.frameloom.benchmarks.driver.Row;
import io.frameloom.benchmarks.driver.StructuredScope;
import io.frameloom.benchmarks.driver.VirtualThreadFactory;
import io.frameloom.benchmarks.efficiency.Efficiency;
import io.frameloom.benchmarks.fan.FanOutFanIn;
import io.frameloom.benchmarks.fib.Fib;
import io.frameloom.benchmarks.flood.Flood;
import io.frameloom.benchmarks.forkjointree.Tree;
import io.frameloom.benchmarks.frame.FrameOfHundred;
import io.frameloom.benchmarks.gpu.GpuBench;
import io.frameloom.benchmarks.hop.Hops;
import io.frameloom.benchmarks.idle.IdleCpu;
import io.frameloom.benchmarks.parallelfor.ParallelFor;
import io.frameloom.benchmarks.placement.BoundWorkers;
import io.frameloom.benchmarks.priority.MixedPriorities;
import io.frameloom.benchmarks.ramp.Ramp;
import io.frameloom.benchmarks.randomdag.RandomDag;
import io.frameloom.benchmarks.rendergraph.HeapBench;
import io.frameloom.benchmarks.report.Plots;
import io.frameloom.benchmarks.report.RowsFile;
import io.frameloom.benchmarks.report.Table;
import io.frameloom.benchmarks.report.Targets;
import io.frameloom.benchmarks.report.Verdict;
import io.frameloom.benchmarks.skynet.Skynet;
import io.frameloom.benchmarks.tree.BinaryTree;
import io.frameloom.benchmarks.wakeup.WakeUp;
import io.frameloom.benchmarks.wavefront.Wavefront;
import io.frameloom.taskgraph.SystemPropertyException;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;

/**
 * Runs the shapes with all contenders, prints nanoseconds and bytes per task and the ratio of ours to the best
 * rival, draws a picture per family and holds the result against the targets. Exit code 0, or 2 with one
 * line on standard error when the command line is wrong.
 */
public final class Main {
    private static final double SECOND = 1e9;

    private Main() {}

    /** The shapes that are graphs, at their published sizes. */
    public static List<Shape> shapes() {
        return List.of(
                new LinearChain(),
                new FanOutFanIn(),
                new FanOutFanIn(1_024),
                new FanOutFanIn(64),
                new Flood(),
                new BinaryTree(),
                new Wavefront(),
                new RandomDag(),
                new FrameOfHundred(Caller.OUTSIDE),
                new FrameOfHundred(Caller.INSIDE));
    }

    /** The contenders on graphs whose threads are their own, ours first; a JVM can have any number of them. */
    static List<Contender> onOwnThreads() {
        return List.of(
                new FrameloomCompiled(true),
                new FrameloomCompiled(false),
                new FrameloomOnce(),
                new FrameloomDynamic(false),
                new FrameloomDynamic(true),
                new ForkJoinHandMapped(false),
                new ForkJoinPlain(),
                new CompletableFutures(),
                new FixedPool(),
                new ForkJoinHandMapped(true),
                new SequentialLoop());
    }

    /** All contenders on graphs that this JDK has, ours first. */
    public static List<Contender> contenders() {
        List<Contender> contenders = new ArrayList<>(onOwnThreads());
        if (VirtualThreadFactory.isThere()) {
            contenders.add(new VirtualThreads());
        }
        if (StructuredScope.isThere()) {
            contenders.add(new StructuredScopes());
        }
        return contenders;
    }

    /** The names of everything that can be measured. */
    public static List<String> names() {
        return benchmarks(BodyKind.EMPTY).stream().map(Benchmark::name).toList();
    }

    /** Everything that can be measured, in the order of the report. */
    static List<Benchmark> benchmarks(BodyKind body) {
        List<Contender> contenders = contenders();
        List<Benchmark> all = new ArrayList<>();
        for (Shape shape : shapes()) {
            String name = shape.name();
            String family = name.contains("-") ? name.substring(0, name.indexOf('-')) : name;
            all.add(new DagBenchmark(name, Family.bars(family), shape, body, contenders));
        }
        for (Caller caller : List.of(Caller.OUTSIDE, Caller.INSIDE)) {
            Shape frame = new FrameOfHundred(caller);
            all.add(new DagBenchmark(
                    frame.name() + "-1us", Family.bars("frame-1us"), frame, BodyKind.WORK1US, contenders));
        }
        all.add(Efficiency.of(new Wavefront(), contenders));
        all.add(Efficiency.of(new RandomDag(), contenders));
        all.add(new Tree(Tree.PUBLISHED));
        all.add(new Fib(Fib.PUBLISHED));
        all.add(new Skynet(Skynet.PUBLISHED));
        all.add(new ParallelFor(ParallelFor.PUBLISHED));
        all.add(new BuildCost(1, onOwnThreads()));
        all.add(new BuildCost(9, onOwnThreads()));
        all.add(new Hops(true));
        all.add(new Hops(false));
        all.add(new WakeUp(20, 10_000));
        all.add(new WakeUp(2_500, 200));
        all.add(new Ramp());
        all.add(new MixedPriorities());
        all.add(new IdleCpu());
        return all;
    }

    /**
     * The program.
     *
     * @param arguments see {@code Options.USAGE}
     * @throws IOException when a result cannot be written after all
     */
    public static void main(String[] arguments) throws IOException {
        System.setProperty("java.awt.headless", "true");
        int status = run(arguments, System.out, System.err);
        if (status != 0) {
            System.exit(status);
        }
    }

    /** The program without the end of its process: returns the exit code. */
    static int run(String[] arguments, PrintStream out, PrintStream complaints) throws IOException {
        if (Complaints.refuses(System.getProperties(), complaints)) {
            return Complaints.BAD_INPUT;
        }
        try {
            return obey(arguments, out, complaints);
        } catch (SystemPropertyException wrong) {
            return Complaints.refuse(complaints, String.valueOf(wrong.getMessage()));
        }
    }

    private static int obey(String[] arguments, PrintStream out, PrintStream complaints) throws IOException {
        List<String> words = List.of(arguments);
        if (!words.isEmpty() && words.get(0).equals("--gpu")) {
            return GpuBench.run(words.subList(1, words.size()), out, complaints);
        }
        if (!words.isEmpty() && words.get(0).equals("--jmh")) {
            return jmh(words.subList(1, words.size()).toArray(String[]::new), complaints);
        }
        if (!words.isEmpty() && words.get(0).equals("--heaps")) {
            return HeapBench.run(words.subList(1, words.size()), out, complaints);
        }
        if (words.contains("--help") || words.contains("-h")) {
            out.println(Help.text(names()));
            return 0;
        }
        Options options;
        List<Row> rows;
        try {
            options = Options.parse(arguments, names());
            if (options.settings().pinned() && !BoundWorkers.possible()) {
                throw new Options.UsageException(
                        "--pinned: hwloc, which binds threads, cannot be loaded here; leave the option out");
            }
            rows = new ArrayList<>();
            for (Path from : options.from()) {
                rows.addAll(read(from, options));
            }
            options.makeFolders();
        } catch (Options.UsageException wrong) {
            return Complaints.refuse(complaints, String.valueOf(wrong.getMessage()));
        }
        if (options.from().isEmpty()) {
            measure(options, rows, out);
        } else {
            new Table(out).printAll(rows);
        }
        report(options, rows, out);
        return 0;
    }

    /** Runs the JMH benchmarks of single operations; ends the process itself where one fails. */
    private static int jmh(String[] arguments, PrintStream complaints) throws IOException {
        try {
            new CommandLineOptions(arguments);
        } catch (CommandLineOptionException wrong) {
            return Complaints.refuse(complaints, "--jmh: " + wrong.getMessage() + "; --jmh -h lists the options");
        }
        org.openjdk.jmh.Main.main(arguments);
        return 0;
    }

    /** The rows of an earlier run that the options choose. */
    static List<Row> read(Path file, Options options) throws Options.UsageException {
        List<Row> rows;
        try {
            rows = RowsFile.read(file);
        } catch (IOException wrong) {
            throw new Options.UsageException("--from " + file + ": "
                    + String.valueOf(wrong.getMessage()).lines().findFirst().orElse("it cannot be read"));
        }
        List<Row> chosen = options.chosen(rows);
        if (chosen.isEmpty()) {
            throw new Options.UsageException("--from " + file + ": "
                    + (rows.isEmpty()
                            ? "it holds no rows; name a file that --json wrote"
                            : "none of its rows is of the given --shape and --workers; leave them out to see all"));
        }
        return chosen;
    }

    private static void measure(Options options, List<Row> rows, PrintStream out) {
        out.println(machine());
        MachineLoad load = MachineLoad.now();
        if (options.settings().quick() || load.busy()) {
            out.println(load.words(options.settings().quick()));
        }
        if (!VirtualThreadFactory.isThere()) {
            out.println("virtual threads are left out: they need JDK " + VirtualThreadFactory.SINCE);
        }
        if (!StructuredScope.isThere()) {
            out.println("structured task scopes are left out: they need the form of JDK " + StructuredScope.SINCE);
        }
        long begin = System.nanoTime();
        Table table = new Table(out);
        for (Benchmark benchmark : benchmarks(options.body())) {
            if (options.wants(benchmark.name())) {
                benchmark.measure(options.settings(), group -> {
                    table.print(group);
                    rows.addAll(group);
                });
            }
        }
        out.printf(Locale.ROOT, "took %.1f s%n", (System.nanoTime() - begin) / SECOND);
    }

    /** The files first: whatever goes wrong with the pictures, the measurement is not lost. */
    private static void report(Options options, List<Row> rows, PrintStream out) throws IOException {
        Targets targets = Targets.load();
        List<Verdict> verdicts = targets.judge(rows);
        if (options.json() != null) {
            RowsFile.write(options.json(), rows);
            RowsFile.write(RowsFile.targetsFile(options.json()), verdicts);
        }
        if (options.plots() != null) {
            Optional<String> impediment = Plots.impediment();
            if (impediment.isPresent()) {
                out.println("no pictures: " + impediment.get() + "; draw them elsewhere with --from FILE");
            } else {
                for (Path file : Plots.write(options.plots(), benchmarks(options.body()), rows)) {
                    out.println("drawn: " + file);
                }
            }
        }
        targets.print(out, verdicts);
    }

    private static String machine() {
        StringBuilder collectors = new StringBuilder();
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            collectors.append(collectors.isEmpty() ? "" : ", ").append(collector.getName());
        }
        return System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version") + ", "
                + System.getProperty("os.arch") + ", "
                + Runtime.getRuntime().availableProcessors() + " processors, " + collectors;
    }
}
