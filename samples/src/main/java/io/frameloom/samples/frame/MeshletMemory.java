package io.frameloom.samples.frame;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/** Makes what meshlets need on the device beyond a frame, and closes it, also if making the rest fails. */
final class MeshletMemory implements AutoCloseable {
    private final GpuDevice device;
    private final Deque<Runnable> owned = new ArrayDeque<>();

    MeshletMemory(GpuDevice device) {
        this.device = device;
    }

    <T> T own(T object, Consumer<T> close) {
        owned.push(() -> close.accept(object));
        return object;
    }

    /** Returns a buffer of the device with two usages. */
    Buffer buffer(String name, long bytes, BufferUsage one, BufferUsage other) {
        return own(device.createBuffer(name, BufferDescription.device(bytes, one, other)), Buffer::close);
    }

    ComputePipeline pipeline(String name, ShaderSource shader) {
        return own(
                device.createComputePipeline(new ComputePipelineDescription(name, shader, null)),
                ComputePipeline::close);
    }

    /** Returns memory of the host for the contents of a buffer. */
    static ByteBuffer contents(Buffer target) {
        return ByteBuffer.allocate(Math.toIntExact(target.description().bytes()))
                .order(ByteOrder.nativeOrder());
    }

    @Override
    public void close() {
        while (!owned.isEmpty()) {
            owned.pop().run();
        }
    }
}
