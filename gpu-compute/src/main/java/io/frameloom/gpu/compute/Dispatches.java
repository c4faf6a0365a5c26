package io.frameloom.gpu.compute;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.BarrierBatch.BufferBarrier;
import io.frameloom.gpu.command.BarrierBatch.GlobalBarrier;
import io.frameloom.gpu.command.BarrierBatch.Scope;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.resource.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records the dispatches of a primitive: bindings of any offset, push constants, groups in two dimensions, barriers.
 */
final class Dispatches {
    /** Between two dispatches that share memory: written memory is seen, read memory may be written. */
    private static final BarrierBatch BETWEEN = new BarrierBatch(
            List.of(),
            List.<BufferBarrier>of(),
            List.of(new GlobalBarrier(new Scope(
                    PipelineStage.COMPUTE_SHADER.bit(),
                    MemoryAccess.STORAGE_WRITE.bit(),
                    PipelineStage.COMPUTE_SHADER.bit(),
                    MemoryAccess.STORAGE_READ.bit() | MemoryAccess.STORAGE_WRITE.bit()))));

    private final CommandList list;
    private final StorageLimits limits;

    Dispatches(CommandList list, StorageLimits limits) {
        this.list = list;
        this.limits = limits;
    }

    void pipeline(ComputePipeline pipeline) {
        list.bindPipeline(pipeline);
    }

    /** Binds bytes from any multiple of four on. Returns the word of the binding at which they begin. */
    int bind(String name, Buffer buffer, long offset, long bytes) {
        long start = offset & -limits.alignment();
        list.bindBuffer(name, buffer, start, offset - start + bytes);
        return (int) ((offset - start) / Integer.BYTES);
    }

    /** The same for some elements of a range. */
    int bind(String name, BufferRange range, long elementBytes, long first, long count) {
        return bind(name, range.buffer(), range.offset() + first * elementBytes, count * elementBytes);
    }

    /** Binds the flags of some elements, if there are any; returns the bit of the first. */
    int bindHeads(@Nullable BufferRange heads, long first, long count) {
        if (heads == null) {
            return 0;
        }
        long bytes = PrefixScan.headBytes(count);
        return bind("ScanHeads", heads.buffer(), heads.offset() + first / Byte.SIZE, bytes) * Integer.SIZE;
    }

    void dispatch(long groups, int... constants) {
        ByteBuffer push = ByteBuffer.allocate(constants.length * Integer.BYTES).order(ByteOrder.nativeOrder());
        push.asIntBuffer().put(constants);
        list.pushConstants(push);
        int x = (int) Math.min(groups, limits.maxGroupsX());
        list.dispatch(x, (int) ((groups + x - 1) / x), 1);
    }

    void barrier() {
        list.barrier(BETWEEN);
    }

    /** The dispatches for some elements. */
    @FunctionalInterface
    interface Window {
        void record(long first, long count);
    }

    /** Records the dispatches for all elements: data that exceeds a binding goes through windows. */
    static void forWindows(long length, long window, Window body) {
        for (long first = 0; first < length; first += window) {
            body.record(first, Math.min(window, length - first));
        }
    }
}
