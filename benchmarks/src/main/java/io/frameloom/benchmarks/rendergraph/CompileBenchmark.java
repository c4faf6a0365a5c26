package io.frameloom.benchmarks.rendergraph;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Declaring frames of so many passes, and all phases of the compiler on them, for a graphics and a compute queue. Times
 * are of whole frames: divide by the passes. {@code -prof gc} counts the bytes.
 *
 * <p>Frames take turns, all of one size and each of another seed: a processor learns the branches of one frame that is
 * compiled again and again, and no frame of a game is compiled twice. What is compiled has just been declared anew. Of
 * a plan are read the lists that its execution reads, since a plan makes its lists when they are asked for.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms3g", "-Xmx3g", "-XX:+AlwaysPreTouch"})
public class CompileBenchmark {
    static final int FRAMES = 32;

    /** Plans that a compiler keeps. */
    private static final int KEPT = 16;

    /** Passes of each frame. */
    @Param({"24", "100", "1000", "10000"})
    public int passes;

    /** Whether the lists of a plan are read; {@code -p read=false} leaves their cost out. */
    @Param("true")
    public boolean read;

    private final RdgOptions options = RdgOptions.defaults();
    private final RenderGraphCompiler compiler = new RenderGraphCompiler(options.withReusePlans(false));
    private final QueueTopology queues = QueueTopology.graphicsAndCompute();
    private final RandomFrame[] frames = new RandomFrame[FRAMES];
    private final RenderGraph[] declared = new RenderGraph[FRAMES];
    private int frame;

    /** Decides what to declare, and declares it once. */
    @Setup
    public void plan() {
        Arrays.setAll(frames, i -> new RandomFrame(i + 1, passes));
        Arrays.setAll(declared, i -> frames[i].declare(options));
    }

    /** A graph that is declared anew before each compilation, which is not timed. Bytes are counted, mostly none. */
    @State(Scope.Benchmark)
    public static class Declared {
        private RenderGraph graph = new RenderGraph("", RdgOptions.defaults());

        /** Declares the next frame into its former graph. */
        @Setup(Level.Invocation)
        public void declare(CompileBenchmark benchmark) {
            graph = benchmark.declareAgain();
        }
    }

    /** Compilers that keep the plans of all frames. */
    @State(Scope.Benchmark)
    public static class Known {
        private final RenderGraphCompiler[] compilers = new RenderGraphCompiler[FRAMES / KEPT];

        /** Compiles each frame once. */
        @Setup
        public void compile(CompileBenchmark benchmark) {
            Arrays.setAll(compilers, i -> new RenderGraphCompiler(benchmark.options));
            for (int i = 0; i < FRAMES; i++) {
                plan(benchmark, i, benchmark.declared[i]);
            }
        }

        private FramePlan plan(CompileBenchmark benchmark, int index, RenderGraph graph) {
            return benchmark.read(compilers[index / KEPT].compile(graph, benchmark.queues, RandomFrame.SIZER));
        }

        /** Returns how many plans were found and how many were not. */
        long[] reuses() {
            return new long[] {
                Arrays.stream(compilers)
                        .mapToLong(each -> each.planReuse().hits())
                        .sum(),
                Arrays.stream(compilers)
                        .mapToLong(each -> each.planReuse().misses())
                        .sum()
            };
        }
    }

    /** Declares a frame. */
    @Benchmark
    public RenderGraph declare() {
        return frames[next()].declare(options);
    }

    /** Declares a frame into the graph that the same was declared into before. */
    @Benchmark
    public RenderGraph declareAgain() {
        int next = next();
        return frames[next].declare(declared[next].reset());
    }

    /** Declares a frame into the graph of another one. */
    @Benchmark
    public RenderGraph declareChanged() {
        return frames[next()].declare(declared[0].reset());
    }

    /** Compiles a frame that has just been declared, every time from the beginning. */
    @Benchmark
    public FramePlan compile(Declared fresh) {
        return read(compiler.compile(fresh.graph, queues, RandomFrame.SIZER));
    }

    /** Declares a frame into the graph of another one and compiles it: a frame that has changed. */
    @Benchmark
    public FramePlan declareAndCompile() {
        return read(compiler.compile(declareChanged(), queues, RandomFrame.SIZER));
    }

    /** Gets the plan of an equal frame for one that is declared already, the very objects of the first one in it. */
    @Benchmark
    public FramePlan reuse(Known known) {
        int next = next();
        return known.plan(this, next, declared[next]);
    }

    /** Declares an unchanged frame and gets its former plan: less {@link #declare}, what reuse costs in frames. */
    @Benchmark
    public FramePlan declareAndReuse(Known known) {
        int next = next();
        return known.plan(this, next, frames[next].declare(options));
    }

    /** Declares an unchanged frame into its former graph and gets its former plan: a steady frame. */
    @Benchmark
    public FramePlan declareAgainAndReuse(Known known) {
        int next = next();
        return known.plan(this, next, frames[next].declare(declared[next].reset()));
    }

    private int next() {
        frame = (frame + 1) % FRAMES;
        return frame;
    }

    /** Makes the lists that executing a plan makes. It reads uses and barriers as numbers, so it makes none of these. */
    private FramePlan read(FramePlan plan) {
        if (read) {
            boolean empty = plan.passes().isEmpty()
                    || plan.resources().isEmpty()
                    || plan.batches().isEmpty()
                    || plan.recordingGroups().isEmpty()
                    || plan.renderPasses().isEmpty()
                    || plan.heaps().isEmpty();
            if (empty) {
                throw new IllegalStateException("a plan of " + passes + " passes lacks something");
            }
        }
        return plan;
    }
}
