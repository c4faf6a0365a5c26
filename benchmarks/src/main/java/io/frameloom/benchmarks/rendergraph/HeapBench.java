package io.frameloom.benchmarks.rendergraph;

import io.frameloom.benchmarks.driver.Complaints;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.HeapSearch;
import io.frameloom.rdg.PlanPolicy;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RenderGraphCompiler;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/**
 * {@code bench --heaps}: how close the heaps of random frames come to the bytes that no placement can go below. What is
 * printed depends on nothing but the number of frames.
 */
public final class HeapBench {
    private static final String USAGE = "usage: bench --heaps [FRAMES]";
    private static final String HELP = USAGE + """


        Compiles FRAMES random frames (1,000 unless given) of 20, 50 and 100 passes, a tenth as many of 1,000 and a
        hundredth of 10,000, for one queue and for two, without and with the search for lower heaps. Prints the bytes of
        their heaps by the bytes that no placement can go below: the mean, the worst, and the shares of frames that need
        at most a hundredth more, and no byte more.\
        """;

    private static final int FRAMES = 1_000;
    private static final int MOST_FRAMES = 1_000_000;
    private static final List<Integer> PASSES = List.of(20, 50, 100, 1_000, 10_000);
    /** Frames have so many passes together, at most, for each one that is asked for. */
    private static final int PASSES_A_FRAME = 100;

    private static final double TARGET = 1.01;

    private HeapBench() {}

    /**
     * Runs and returns the exit code: 0, or 2 with one line on standard error when the command line is wrong.
     *
     * @param arguments what follows {@code --heaps}
     */
    public static int run(List<String> arguments, PrintStream out, PrintStream complaints) {
        if (arguments.contains("--help") || arguments.contains("-h")) {
            out.println(HELP);
            return 0;
        }
        int frames = arguments.isEmpty() ? FRAMES : number(arguments.get(0));
        if (arguments.size() > 1 || frames < 1 || frames > MOST_FRAMES) {
            return Complaints.refuse(complaints, "--heaps takes a number of 1 to " + MOST_FRAMES + "; " + USAGE);
        }
        out.printf(
                "%6s  %6s  %6s  %8s  %8s  %8s  %9s  %8s%n",
                "passes", "queues", "search", "frames", "mean", "worst", "within 1%", "at bound");
        for (QueueTopology queues : List.of(
                new QueueTopology(List.of(new QueueTopology.Queue("graphics", QueueKind.GRAPHICS, 0))),
                QueueTopology.graphicsAndCompute())) {
            for (int passes : PASSES) {
                int measured = Math.max(1, (int) Math.min(frames, (long) frames * PASSES_A_FRAME / passes));
                print(out, passes, queues, HeapSearch.OFF, measured);
                print(out, passes, queues, HeapSearch.ALWAYS, measured);
            }
        }
        return 0;
    }

    private static void print(PrintStream out, int passes, QueueTopology queues, HeapSearch search, int frames) {
        Ratios ratios = measure(passes, queues, search, frames);
        out.printf(
                Locale.ROOT,
                "%6d  %6d  %6s  %8d  %8.5f  %8.5f  %8.2f%%  %7.2f%%%n",
                passes,
                queues.queues().size(),
                search.name().toLowerCase(Locale.ROOT),
                frames,
                ratios.mean,
                ratios.worst,
                100 * ratios.within,
                100 * ratios.share);
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException wrong) {
            return -1;
        }
    }

    /**
     * Bytes of heaps by their bounds.
     *
     * @param mean mean over the frames
     * @param worst greatest of the frames
     * @param within share of the frames whose heaps reach the target, 1.01 times the bound
     * @param share share of the frames whose heaps are as small as the bound
     */
    record Ratios(double mean, double worst, double within, double share) {}

    static Ratios measure(int passes, QueueTopology queues, HeapSearch search, int frames) {
        RdgOptions options = RdgOptions.defaults()
                .withReusePlans(false)
                .withPolicy(PlanPolicy.defaults().withHeapSearch(search));
        RenderGraphCompiler compiler = new RenderGraphCompiler(options);
        double sum = 0;
        double worst = 0;
        int within = 0;
        int atBound = 0;
        for (int seed = 1; seed <= frames; seed++) {
            FramePlan plan =
                    compiler.compile(new RandomFrame(seed, passes).declare(options), queues, RandomFrame.SIZER);
            long bound = plan.heaps().stream()
                    .mapToLong(FramePlan.HeapPlan::lowerBound)
                    .sum();
            double ratio = (double) plan.heapBytes() / bound;
            sum += ratio;
            worst = Math.max(worst, ratio);
            within += ratio <= TARGET ? 1 : 0;
            atBound += plan.heapBytes() == bound ? 1 : 0;
        }
        return new Ratios(sum / frames, worst, (double) within / frames, (double) atBound / frames);
    }
}
