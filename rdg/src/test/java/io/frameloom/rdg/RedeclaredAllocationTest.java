package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.ResolveMode;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.testing.ThreadAllocation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A steady frame allocates nothing for what it declares again, and its plan takes a reference for each pass. */
class RedeclaredAllocationTest {
    private static final int PASSES = 200;
    /** Many times what the JVM takes to compile what is measured. */
    private static final int MOST_ROUNDS = 2_000;
    /** A reference to its body. */
    private static final int FOR_A_PASS = 4;
    /** The plan, and what it knows of the external resources. */
    private static final int FIXED = 400;

    private static final PassBody BODY = context -> {};
    private static final TextureDescription TARGET = TextureDescription.of(
                    64, 64, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED, TextureUsage.COLOR_ATTACHMENT)
            .withMips(3);
    private static final TextureDescription DEPTH =
            TextureDescription.of(64, 64, Format.D32_SFLOAT, TextureUsage.DEPTH_ATTACHMENT);
    private static final TextureDescription SAMPLES = TARGET.withMips(1).withSamples(4);
    private static final TextureDescription DEPTH_SAMPLES = DEPTH.withSamples(4);
    private static final BufferDescription DATA = BufferDescription.device(1024, BufferUsage.STORAGE);

    private final RenderGraph graph = new RenderGraph("steady");
    private final Buffer external = FakeResources.buffer("external", 64);
    private final List<String> names = new ArrayList<>();
    private final ClearColor color = new ClearColor(1, 0, 0, 0);

    @Test
    void declaringAgainAllocatesNothing() {
        declare();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < MOST_ROUNDS && least > 0; round++) {
            long before = ThreadAllocation.bytes();
            graph.reset();
            declare();
            least = Math.min(least, ThreadAllocation.bytes() - before);
        }
        assertThat(least).as("bytes of %d passes", PASSES).isZero();
    }

    @Test
    void aSteadyFrameAllocatesItsPlanAlone() {
        RenderGraphCompiler compiler = new RenderGraphCompiler(RdgOptions.defaults());
        QueueTopology queues = QueueTopology.graphicsAndCompute();
        declare();
        compiler.compile(graph, queues, PlanCase.SIZER);
        int most = FIXED + FOR_A_PASS * PASSES;
        long least = Long.MAX_VALUE;
        for (int round = 0; round < MOST_ROUNDS && least > most; round++) {
            long before = ThreadAllocation.bytes();
            graph.reset();
            declare();
            compiler.compile(graph, queues, PlanCase.SIZER);
            least = Math.min(least, ThreadAllocation.bytes() - before);
        }
        assertThat(least).as("bytes of %d passes", PASSES).isLessThanOrEqualTo(most);
    }

    private String name(int pass) {
        while (names.size() <= pass) {
            names.add("pass " + names.size());
        }
        return names.get(pass);
    }

    /** Declares a frame that has of everything that most frames have. */
    private void declare() {
        RdgBuffer outside = graph.registerExternal(external);
        RdgBuffer data = graph.createBuffer("data", DATA);
        OverlapGroup group = graph.overlapGroup("group");
        PassBuilder first = graph.addPass("first", PassKind.COMPUTE)
                .overwrites(data, Access.STORAGE_WRITE_COMPUTE)
                .flag(PassFlag.NEVER_CULL);
        first.record(BODY);
        RdgTexture samples = graph.createTexture("samples", SAMPLES);
        RdgTexture resolved = graph.createTexture("resolved", TARGET);
        graph.mayStayUnused(data);
        graph.mayStayUnused(resolved);
        graph.addPass("resolve", PassKind.RASTER)
                .color(samples, LoadOp.CLEAR, color)
                .depth(graph.createTexture("depth samples", DEPTH_SAMPLES), LoadOp.CLEAR, 1)
                .resolve(resolved)
                .resolve(graph.createTexture("depth resolved", DEPTH), ResolveMode.SAMPLE_ZERO)
                .flag(PassFlag.NEVER_CULL)
                .record(BODY);
        RdgTexture before = null;
        for (int pass = 0; pass < PASSES - 1; pass += 3) {
            PassScope scope = graph.scope("scope");
            RdgTexture target = graph.createTexture("target", TARGET);
            RdgTexture depth = graph.createTexture("depth", DEPTH);
            PassBuilder draw = graph.addPass(name(pass), PassKind.RASTER)
                    .color(target, LoadOp.CLEAR, color)
                    .depth(depth, LoadOp.CLEAR, 1)
                    .renderArea(0, 0, 32, 64)
                    .reads(data, 0, 64, Access.VERTEX);
            if (before != null) {
                draw.reads(before, SubresourceRange.mip(1), Access.SAMPLED_FRAGMENT);
            }
            draw.record(BODY);
            graph.addPass(name(pass + 1), PassKind.COMPUTE)
                    .flag(PassFlag.ASYNC_COMPUTE)
                    .reads(target, SubresourceRange.mip(0), Access.SAMPLED_COMPUTE)
                    .overwrites(target, SubresourceRange.mip(1), Access.STORAGE_WRITE_COMPUTE)
                    .after(first)
                    .record(BODY);
            graph.addPass(name(pass + 2), PassKind.COMPUTE)
                    .reads(target, SubresourceRange.mip(1), Access.SAMPLED_COMPUTE)
                    .writes(outside, Access.STORAGE_WRITE_COMPUTE, group)
                    .after(draw)
                    .record(BODY);
            scope.close();
            before = target;
        }
    }
}
