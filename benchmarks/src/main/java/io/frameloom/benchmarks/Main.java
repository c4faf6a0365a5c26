package io.frameloom.benchmarks;

import io.frameloom.benchmarks.chain.LinearChain;
import io.frameloom.benchmarks.contender.CompletableFutures;
import io.frameloom.benchmarks.contender.FixedPool;
import io.frameloom.benchmarks.contender.ForkJoinHandMapped;
import io.frameloom.benchmarks.contender.FrameloomCompiled;
import io.frameloom.benchmarks.contender.FrameloomDynamic;
import io.frameloom.benchmarks.contender.SequentialLoop;
import io.frameloom.benchmarks.dag.Caller;
import io.frameloom.benchmarks.dag.Contender;
import io.frameloom.benchmarks.dag.Shape;
import io.frameloom.benchmarks.fan.FanOutFanIn;
import io.frameloom.benchmarks.frame.FrameOfHundred;
import io.frameloom.benchmarks.hop.Hops;
import io.frameloom.benchmarks.randomdag.RandomDag;
import io.frameloom.benchmarks.tree.BinaryTree;
import io.frameloom.benchmarks.wavefront.Wavefront;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Runs the shapes with all contenders and prints nanoseconds and bytes per task, and the ratio of ours
 * to the best rival. Exit code 0, or 2 with one line on standard error when the command line is wrong.
 */
public final class Main {
    private static final long MILLI = 1_000_000L;
    private static final int BAD_INPUT = 2;

    private Main() {}

    /** The shapes that are graphs, at their published sizes. */
    public static List<Shape> shapes() {
        return List.of(
                new LinearChain(),
                new FanOutFanIn(),
                new BinaryTree(),
                new Wavefront(),
                new RandomDag(),
                new FrameOfHundred(Caller.OUTSIDE),
                new FrameOfHundred(Caller.INSIDE));
    }

    /** All contenders on graphs, ours first. */
    public static List<Contender> contenders() {
        return List.of(
                new FrameloomCompiled(true),
                new FrameloomCompiled(false),
                new FrameloomDynamic(),
                new ForkJoinHandMapped(false),
                new CompletableFutures(),
                new FixedPool(),
                new ForkJoinHandMapped(true),
                new SequentialLoop());
    }

    /**
     * The program.
     *
     * @param arguments see {@code Options.USAGE}
     * @throws IOException when the JSON file cannot be written after all
     */
    public static void main(String[] arguments) throws IOException {
        Set<String> names = new LinkedHashSet<>();
        for (Shape shape : shapes()) {
            names.add(shape.name());
        }
        names.addAll(Hops.SHAPES);
        Options options;
        try {
            options = Options.parse(arguments, names);
        } catch (Options.UsageException wrong) {
            System.err.println(wrong.getMessage());
            System.exit(BAD_INPUT);
            return;
        }
        List<Row> rows = measure(options);
        if (options.json() != null) {
            Report.writeJson(options.json(), rows);
        }
    }

    private static List<Row> measure(Options options) {
        long begin = System.nanoTime();
        Sampler sampler =
                options.quick() ? new Sampler(300 * MILLI, 10 * MILLI, 7) : new Sampler(2_000 * MILLI, 40 * MILLI, 25);
        System.out.println(machine());
        Report.header(System.out);
        List<Row> rows = new ArrayList<>();
        for (Shape shape : shapes()) {
            if (options.shapes().contains(shape.name())) {
                for (int workers : options.workers()) {
                    List<Row> measured = sampler.measure(shape, options.body(), workers, contenders());
                    Report.print(System.out, measured);
                    rows.addAll(measured);
                }
            }
        }
        for (String hop : Hops.SHAPES) {
            if (options.shapes().contains(hop)) {
                List<Row> measured = Hops.measure(hop, options.quick());
                Report.print(System.out, measured);
                rows.addAll(measured);
            }
        }
        System.out.println("took " + Report.duration(System.nanoTime() - begin));
        return rows;
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
