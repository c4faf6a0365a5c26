package io.frameloom.rdg;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.TextureDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A frame whose heap takes 12 units where its transients are placed one by one, and 11 after a search. */
public final class SearchedFrame {
    public static final int UNIT = 256;
    public static final long UNSEARCHED_BYTES = 12 * UNIT;
    public static final long SEARCHED_BYTES = 11 * UNIT;

    /** Bytes of buffers in whole units, whatever the device. */
    public record Sizer() implements MemorySizer {
        @Override
        public MemoryRequirements requirements(TextureDescription description) {
            throw new IllegalStateException("there are no textures");
        }

        @Override
        public MemoryRequirements requirements(BufferDescription description) {
            return new MemoryRequirements(description.bytes(), UNIT, 1);
        }
    }

    private SearchedFrame() {}

    /** Declares it, under names that begin as said. */
    public static RenderGraph declare(String prefix) {
        RenderGraph graph = new RenderGraph(prefix + "frame");
        RdgBuffer first = buffer(graph, prefix + "first", 5);
        RdgBuffer second = buffer(graph, prefix + "second", 4);
        RdgBuffer third = buffer(graph, prefix + "third", 3);
        RdgBuffer fourth = buffer(graph, prefix + "fourth", 4);
        pass(graph, prefix + "0", List.of(), List.of(first));
        pass(graph, prefix + "1", List.of(first), List.of(second));
        pass(graph, prefix + "2", List.of(second), List.of(third, fourth));
        pass(graph, prefix + "3", List.of(third, fourth), List.of());
        return graph;
    }

    /** Declares random buffers, half of the passes beside the graphics queue; equal seeds give equal frames. */
    static RenderGraph random(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        RenderGraph graph = new RenderGraph("random");
        int passes = 4 + random.nextInt(8);
        List<List<RdgBuffer>> reads = new ArrayList<>();
        for (int p = 0; p <= passes; p++) {
            reads.add(new ArrayList<>());
        }
        for (int p = 0; p <= passes; p++) {
            List<RdgBuffer> writes = new ArrayList<>();
            for (int made = random.nextInt(3); made > 0 && p < passes; made--) {
                RdgBuffer buffer = buffer(graph, "b" + p + "." + made, 1 + random.nextInt(6));
                writes.add(buffer);
                reads.get(p + 1 + random.nextInt(passes - p)).add(buffer);
            }
            pass(graph, "p" + p, reads.get(p), writes, random.nextBoolean());
        }
        return graph;
    }

    private static RdgBuffer buffer(RenderGraph graph, String name, int units) {
        return graph.createBuffer(name, BufferDescription.device((long) units * UNIT, BufferUsage.STORAGE));
    }

    private static void pass(RenderGraph graph, String name, List<RdgBuffer> reads, List<RdgBuffer> writes) {
        pass(graph, name, reads, writes, false);
    }

    private static void pass(
            RenderGraph graph, String name, List<RdgBuffer> reads, List<RdgBuffer> writes, boolean async) {
        PassBuilder pass = graph.addPass(name, PassKind.COMPUTE).flag(PassFlag.NEVER_CULL);
        if (async) {
            pass.flag(PassFlag.ASYNC_COMPUTE);
        }
        writes.forEach(buffer -> pass.overwrites(buffer, Access.STORAGE_WRITE_COMPUTE));
        reads.forEach(buffer -> pass.reads(buffer, Access.STORAGE_READ_COMPUTE));
        pass.record(context -> {});
    }

    /** Returns the default options with another time of the search. */
    public static RdgOptions options(HeapSearch search) {
        return RdgOptions.defaults().withPolicy(PlanPolicy.defaults().withHeapSearch(search));
    }
}
