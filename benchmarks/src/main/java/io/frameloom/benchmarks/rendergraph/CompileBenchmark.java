package io.frameloom.benchmarks.rendergraph;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Declaring a frame of so many passes, and all phases of the compiler on it, for a graphics and a compute queue. Times are
 * of whole frames: divide by the passes. {@code -prof gc} tells the bytes.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class CompileBenchmark {
    private static final long SEED = 1;

    /** Passes of the frame. */
    @Param({"100", "1000", "10000"})
    public int passes;

    private final RdgOptions options = RdgOptions.defaults();
    private final RenderGraphCompiler compiler = new RenderGraphCompiler(options.withReusePlans(false));
    private final RenderGraphCompiler reusing = new RenderGraphCompiler(options);
    private final QueueTopology queues = QueueTopology.graphicsAndCompute();
    private RandomFrame frame = new RandomFrame(SEED, 1);
    private RenderGraph declared = frame.declare(options);
    private RenderGraph again = frame.declare(options);

    /** Decides what to declare. */
    @Setup
    public void plan() {
        frame = new RandomFrame(SEED, passes);
        declared = frame.declare(options);
        again = frame.declare(options);
    }

    /** Declares the frame. */
    @Benchmark
    public RenderGraph declare() {
        return frame.declare(options);
    }

    /** Declares the frame into the graph of the one before. */
    @Benchmark
    public RenderGraph declareAgain() {
        return frame.declare(again.reset());
    }

    /** Compiles a declared frame, every time from the beginning. */
    @Benchmark
    public FramePlan compile() {
        return compiler.compile(declared, queues, RandomFrame.SIZER);
    }

    /** Gets the plan of an equal frame for one that is declared already, the very objects of the first one in it. */
    @Benchmark
    public FramePlan reuse() {
        return reusing.compile(declared, queues, RandomFrame.SIZER);
    }

    /** Declares an unchanged frame and gets the plan of the one before: less {@link #declare}, what reuse costs in frames. */
    @Benchmark
    public FramePlan declareAndReuse() {
        return reusing.compile(frame.declare(options), queues, RandomFrame.SIZER);
    }

    /** Declares an unchanged frame into the graph of the one before and gets its plan: a steady frame. */
    @Benchmark
    public FramePlan declareAgainAndReuse() {
        return reusing.compile(frame.declare(again.reset()), queues, RandomFrame.SIZER);
    }
}
