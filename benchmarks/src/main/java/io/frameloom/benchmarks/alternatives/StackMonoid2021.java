package io.frameloom.benchmarks.alternatives;

import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.BarrierBatch.GlobalBarrier;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The matching of brackets of Levien's "The stack monoid revisited" (2021): one pass, one element per thread, look-back
 * over partitions of one workgroup. Beside what is described there, the input stays as it is, any length will do, links to
 * nothing are {@link #NONE}, barriers separate the reads of what is broadcast in a workgroup from the next write, and a
 * partition that fills its slice by itself still looks for the entry below, which its first open wants.
 *
 * <p>A workgroup waits for those before it. Their order is that of tickets, so all of them have begun. The post relies on a
 * device to let them get on; here a workgroup that has polled in vain ends, and a second dispatch, which returns at once
 * where there was none, does without: it reduces the partition before it by itself, or walks where a link would have taken
 * it further. So it always ends, with the same links.
 */
public final class StackMonoid2021 implements AutoCloseable {
    /** The link of an element before which the stack is empty. */
    public static final int NONE = -1;

    private static final int STATE_WORDS = 4;
    /** Turns of 64 polls: some milliseconds on a GPU, which none that lets its workgroups get on needs. */
    private static final int PATIENCE = 512;

    private static final BarrierBatch FULL = new BarrierBatch(List.of(), List.of(), List.of(GlobalBarrier.FULL));

    private final GpuDevice device;
    private final int partition;
    private final ComputePipeline pipeline;
    private final ComputePipeline fallback;

    /** @param partition threads of a workgroup, a power of two */
    public StackMonoid2021(GpuDevice device, int partition) {
        this(device, partition, Map.of("PATIENCE", PATIENCE + "u"));
    }

    /** @param waiting {@code PATIENCE}, and {@code STUCK}, GLSL that says whether partition {@code p} publishes nothing */
    StackMonoid2021(GpuDevice device, int partition, Map<String, String> waiting) {
        DeviceLimits.Compute limits = device.capabilities().limits().compute();
        int most = Math.min(limits.maxInvocations(), limits.maxGroupSize().x());
        if (partition > most || Integer.bitCount(partition) != 1) {
            throw new IllegalArgumentException("stack monoid of 2021: partitions are powers of two, on '"
                    + device.capabilities().name() + "' up to " + most + ", got " + partition);
        }
        this.device = device;
        this.partition = partition;
        Map<String, String> defines = new HashMap<>(waiting);
        defines.put("PARTITION", partition + "u");
        pipeline = compile("stack-monoid-2021", defines);
        defines.put("FALLBACK", "");
        boolean whole = false;
        try {
            fallback = compile("stack-monoid-2021-fallback", defines);
            whole = true;
        } finally {
            if (!whole) {
                pipeline.close();
            }
        }
    }

    private ComputePipeline compile(String name, Map<String, String> defines) {
        ShaderSource source = new ShaderSource(name + ".comp", ShaderStage.COMPUTE, shader(), defines);
        return device.createComputePipeline(new ComputePipelineDescription(name, source, null));
    }

    static String shader() {
        try (InputStream in = StackMonoid2021.class.getResourceAsStream("stack_monoid_2021.comp")) {
            if (in == null) {
                throw new IllegalStateException("stack_monoid_2021.comp is missing in the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("stack_monoid_2021.comp cannot be read", e);
        }
    }

    private long partitions(long length) {
        return (length + partition - 1) / partition;
    }

    /** Returns the bytes of the slices of partitions. */
    public long sliceBytes(long length) {
        return partitions(length) * partition * Integer.BYTES;
    }

    /** Returns the bytes of the states of partitions. */
    public long stateBytes(long length) {
        return (2 + STATE_WORDS * partitions(length)) * Integer.BYTES;
    }

    /**
     * Records a matching; what is before and after it is ordered by the caller.
     *
     * @param length number of elements, at least 1
     * @param input words, 0 closes
     * @param links a word for each element
     * @param slices at least {@link #sliceBytes}
     * @param states at least {@link #stateBytes}, also to be filled; afterwards its first word counts waits in vain
     */
    public void record(CommandList list, long length, Buffer input, Buffer links, Buffer slices, Buffer states) {
        list.fillBuffer(states, 0, stateBytes(length), 0);
        list.barrier(FULL);
        for (ComputePipeline each : List.of(pipeline, fallback)) {
            list.bindPipeline(each);
            list.bindBuffer("StackInput", input, 0, length * Integer.BYTES);
            list.bindBuffer("StackLinks", links, 0, length * Integer.BYTES);
            list.bindBuffer("StackSlices", slices, 0, sliceBytes(length));
            list.bindBuffer("StackStates", states, 0, stateBytes(length));
            ByteBuffer push = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder());
            list.pushConstants(push.putInt(0, (int) length));
            DeviceLimits.Groups most = device.capabilities().limits().compute().maxGroups();
            long groups = partitions(length);
            int x = (int) Math.min(groups, most.x());
            list.dispatch(x, (int) ((groups + x - 1) / x), 1);
            if (!each.equals(fallback)) {
                list.barrier(FULL);
            }
        }
    }

    @Override
    public void close() {
        pipeline.close();
        fallback.close();
    }
}
