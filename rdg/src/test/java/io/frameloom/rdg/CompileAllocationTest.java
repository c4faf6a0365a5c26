package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.testing.ThreadAllocation;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A compilation that works in the memory of the one before allocates the plan, and nothing for a pass beside it. */
class CompileAllocationTest {
    private static final int FEW = 200;
    private static final int MANY = 1_000;
    /** Many times what the JVM takes to compile the compiler. */
    private static final int MOST_ROUNDS = 1_000;
    /** Phases, lists of a few numbers and the like, whatever the number of passes. */
    private static final int FIXED = 4 << 10;

    private static final int MOST_FOR_A_PASS = 200;

    private static final List<PassKind> KINDS =
            List.of(PassKind.COMPUTE, PassKind.COMPUTE, PassKind.COPY, PassKind.RASTER, PassKind.RASTER);
    private static final MemoryRequirements SMALL = new MemoryRequirements(64 << 10, 4096, 1);
    private static final MemoryRequirements LARGE = new MemoryRequirements(1 << 20, 4096, 1);
    private static final MemorySizer SIZER = new MemorySizer() {
        @Override
        public MemoryRequirements requirements(TextureDescription description) {
            return description.width() > 64 ? LARGE : SMALL;
        }

        @Override
        public MemoryRequirements requirements(BufferDescription description) {
            return SMALL;
        }
    };

    @Test
    void aCompilationAllocatesThePlanAlone() {
        assertThat(besidesThePlan(FEW)).as("bytes of %d passes", FEW).isLessThan(FIXED);
        assertThat(besidesThePlan(MANY)).as("bytes of %d passes", MANY).isLessThan(FIXED);
    }

    /** What a plan keeps for a pass with four accesses: a bound that a new array by touch, epoch or resource is to meet. */
    @Test
    void aPlanKeepsFewBytesForEachPass() {
        long more = bytesOfThePlan(MANY) - bytesOfThePlan(FEW);
        assertThat(more / (MANY - FEW)).as("bytes for each pass").isLessThanOrEqualTo(MOST_FOR_A_PASS);
    }

    @Test
    void whatIsDeclaredIsWrittenIntoTheMemoryOfAPlanThatWasReleased() {
        long saved = leastOf(MANY, false) - leastOf(MANY, true);
        assertThat(saved / MANY).as("bytes for each pass").isGreaterThan(MOST_FOR_A_PASS / 4);
    }

    private static long leastOf(int passes, boolean released) {
        RenderGraph graph = graph(passes);
        RenderGraphCompiler compiler =
                new RenderGraphCompiler(RdgOptions.defaults().withReusePlans(false));
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = ThreadAllocation.bytes();
            FramePlan plan = compiler.compile(graph, QueueTopology.graphicsAndCompute(), SIZER);
            least = Math.min(least, ThreadAllocation.bytes() - before);
            if (released) {
                plan.release();
            }
        }
        return least;
    }

    private static long bytesOfThePlan(int passes) {
        RenderGraph graph = graph(passes);
        RenderGraphCompiler compiler =
                new RenderGraphCompiler(RdgOptions.defaults().withReusePlans(false));
        QueueTopology queues = QueueTopology.graphicsAndCompute();
        // The second compilation works in the memory of the first.
        compiler.compile(graph, queues, SIZER);
        FramePlan plan = compiler.compile(graph, queues, SIZER);
        PlanFootprint footprint = new PlanFootprint();
        footprint.leaveOut(graph);
        footprint.leaveOut(compiler);
        footprint.leaveOut(queues);
        return footprint.bytes(plan);
    }

    private static long besidesThePlan(int passes) {
        RenderGraph graph = graph(passes);
        RenderGraphCompiler compiler =
                new RenderGraphCompiler(RdgOptions.defaults().withReusePlans(false));
        QueueTopology queues = QueueTopology.graphicsAndCompute();
        long least = Long.MAX_VALUE;
        long beside = Long.MAX_VALUE;
        for (int round = 0; round < MOST_ROUNDS && beside >= FIXED; round++) {
            long before = ThreadAllocation.bytes();
            FramePlan plan = compiler.compile(graph, queues, SIZER);
            long allocated = ThreadAllocation.bytes() - before;
            if (allocated < least) {
                least = allocated;
                PlanFootprint footprint = new PlanFootprint();
                footprint.leaveOut(graph);
                footprint.leaveOut(compiler);
                footprint.leaveOut(queues);
                beside = allocated - footprint.bytes(plan);
            }
        }
        return beside;
    }

    /** Passes of all kinds on two queues, which read a few recent ones; one in ten works on mips. */
    private static RenderGraph graph(int passes) {
        SplittableRandom random = new SplittableRandom(1);
        RenderGraph graph = new RenderGraph("allocation");
        List<RdgResource> made = new ArrayList<>();
        for (int p = 0; p < passes; p++) {
            int size = 32 << random.nextInt(3);
            boolean last = p == passes - 1;
            PassKind kind = last ? PassKind.RASTER : KINDS.get(p % KINDS.size());
            PassBuilder pass = graph.addPass("pass " + p, kind);
            if (kind == PassKind.COMPUTE && p % 2 == 0) {
                pass.flag(PassFlag.ASYNC_COMPUTE);
            }
            if (p % 7 == 0 || last) {
                pass.flag(PassFlag.NEVER_CULL);
            }
            for (int back = 1; back <= 1 + random.nextInt(3) && back <= made.size(); back++) {
                read(pass, kind, made.get(made.size() - back * back % made.size() - 1));
            }
            if (kind == PassKind.RASTER) {
                RdgTexture target = graph.createTexture(
                        "target " + p, TextureDescription.of(size, size, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED));
                pass.color(target, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT);
                made.add(target);
            } else if (p % 10 == 1) {
                RdgTexture mips = graph.createTexture(
                        "mips " + p,
                        TextureDescription.of(size, size, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED)
                                .withMips(3));
                pass.overwrites(mips, SubresourceRange.mip(0), Access.STORAGE_WRITE_COMPUTE);
                pass.overwrites(mips, SubresourceRange.mip(2), Access.STORAGE_WRITE_COMPUTE);
            } else {
                RdgBuffer buffer =
                        graph.createBuffer("buffer " + p, BufferDescription.device(1024, BufferUsage.STORAGE));
                pass.overwrites(buffer, kind == PassKind.COPY ? Access.COPY_DST : Access.STORAGE_WRITE_COMPUTE);
                made.add(buffer);
            }
            pass.record(context -> {});
        }
        return graph;
    }

    private static void read(PassBuilder pass, PassKind kind, RdgResource resource) {
        if (resource instanceof RdgTexture texture) {
            pass.reads(
                    texture,
                    kind == PassKind.COPY
                            ? Access.COPY_SRC
                            : kind == PassKind.RASTER ? Access.SAMPLED_FRAGMENT : Access.SAMPLED_COMPUTE);
        } else {
            pass.reads(
                    (RdgBuffer) resource,
                    kind == PassKind.COPY
                            ? Access.COPY_SRC
                            : kind == PassKind.RASTER ? Access.VERTEX : Access.STORAGE_READ_COMPUTE);
        }
    }
}
