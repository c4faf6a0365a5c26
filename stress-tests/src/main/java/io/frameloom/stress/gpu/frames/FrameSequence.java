package io.frameloom.stress.gpu.frames;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;

/** Executes the frames of a case, several in flight, and compares what each of them reads back. One thread. */
final class FrameSequence {
    private static final int PATIENCE_SECONDS = 120;

    private final GpuDevice device;
    private final FrameKernels kernels;
    private final DeviceTraits traits;
    private final BiConsumer<RenderGraph, KeptResources> more;
    private final Map<String, FramePlan> plans = new LinkedHashMap<>();
    private long passes;
    private long reused;
    private long words;

    /**
     * A sequence to come.
     *
     * @param more what frames declare beside the case
     */
    FrameSequence(
            GpuDevice device, FrameKernels kernels, DeviceTraits traits, BiConsumer<RenderGraph, KeptResources> more) {
        this.device = device;
        this.kernels = kernels;
        this.traits = traits;
        this.more = more;
    }

    /** A frame under way. */
    private record Pending(int frame, GraphShape shape, List<RdgReadback> actual, List<ByteBuffer> expected) {}

    /**
     * Runs a case.
     *
     * @param expected predicts the frames
     * @return the first difference, nothing if there is none
     */
    List<String> run(RandomCase random, HostModel expected) {
        RenderGraphCompiler compiler = new RenderGraphCompiler(random.compile());
        List<Pending> pending = new ArrayList<>();
        try (KeptResources kept = new KeptResources(device, random.kept());
                FrameExecutor executor = new FrameExecutor(device, device.taskGraph(), random.execute())) {
            for (int frame = 0; frame < random.frames().size(); frame++) {
                GraphShape shape = random.frames().get(frame);
                RenderGraph graph = new RenderGraph(shape.name());
                GraphOnDevice declared = new GraphOnDevice(graph, shape, frame, kept, kernels, traits.texturesApart());
                declared.declare();
                more.accept(graph, kept);
                FramePlan plan = compiler.compile(graph, QueueTopology.of(device), MemorySizer.of(device));
                plans.putIfAbsent(shape.name(), plan);
                declared.compiled(plan);
                executor.execute(plan);
                passes += plan.passes().size() - plan.culledCount();
                pending.add(new Pending(frame, shape, declared.readbacks(), expected.run(shape, frame)));
            }
            reused = compiler.planReuse().hits();
            for (Pending each : pending) {
                List<String> wrong = compare(each);
                if (!wrong.isEmpty()) {
                    return wrong;
                }
            }
            return List.of();
        }
    }

    private List<String> compare(Pending frame) {
        for (int i = 0; i < frame.actual().size(); i++) {
            RdgReadback readback = frame.actual().get(i);
            String what = "frame %d of '%s', %s"
                    .formatted(frame.frame(), frame.shape().name(), readback.name());
            try {
                ByteBuffer actual = readback.bytes().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
                ByteBuffer expected = frame.expected().get(i);
                for (int at = 0; at < expected.capacity(); at += 4) {
                    if (actual.getInt(at) != expected.getInt(at)) {
                        return List.of("%s: word %d is 0x%08x instead of 0x%08x"
                                .formatted(what, at / 4, actual.getInt(at), expected.getInt(at)));
                    }
                }
                words += expected.capacity() / 4;
            } catch (ExecutionException failure) {
                return List.of(what + ": the frame has failed, " + failure.getCause());
            } catch (TimeoutException late) {
                return List.of(what + ": the frame has not completed in " + PATIENCE_SECONDS + " seconds");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("the comparison of frames was interrupted", e);
            }
        }
        return List.of();
    }

    /** Returns the plans by the names of their graphs. */
    Map<String, FramePlan> plans() {
        return plans;
    }

    /** Returns how many passes were executed. */
    long passes() {
        return passes;
    }

    /** Returns how many frames got the plan of one before. */
    long reused() {
        return reused;
    }

    /** Returns how many words were compared and right. */
    long words() {
        return words;
    }

    /** Returns how many bytes of transients lie in memory that others have as well. */
    long sharedBytes() {
        return plans.values().stream()
                .mapToLong(plan -> Math.max(0, plan.transientBytesWithoutAliasing() - plan.heapBytes()))
                .sum();
    }
}
