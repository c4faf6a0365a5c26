package io.frameloom.benchmarks.gpu;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.AccelerationStructureBuild;
import io.frameloom.gpu.command.AccelerationStructureBuild.Input;
import io.frameloom.gpu.command.AccelerationStructureDescription;
import io.frameloom.gpu.command.AccelerationStructureDescription.Flag;
import io.frameloom.gpu.command.AccelerationStructureDescription.Triangles;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.IndexType;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.resource.AccelerationStructure;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** A wavy ground of triangles with indices, in the memory of a device, and what builds of it take. */
final class BuiltMesh implements AutoCloseable {
    /** Cells of a row, of two triangles each. */
    static final int ROW = 100;

    private static final Duration LONG = Duration.ofSeconds(60);

    final GpuDevice device;
    final AccelerationStructureDescription description;
    final AccelerationStructure.Sizes sizes;
    final Buffer vertices;
    final Buffer indices;
    /** Of work that nobody else does at the same time. */
    final Buffer scratch;

    /**
     * @param triangles a multiple of those of a row
     */
    BuiltMesh(GpuDevice device, int triangles, Flag... flags) {
        this.device = device;
        int rows = triangles / (2 * ROW);
        int corners = (rows + 1) * (ROW + 1);
        description = AccelerationStructureDescription.of(
                new Triangles(Format.R32G32B32_SFLOAT, 3 * Float.BYTES, corners, IndexType.UINT32, triangles, true),
                flags);
        sizes = device.sizes(description);
        vertices = buffer("vertices", 3L * Float.BYTES * corners);
        indices = buffer("indices", 3L * Integer.BYTES * triangles);
        scratch = buffer("scratch", Math.max(sizes.buildScratchBytes(), sizes.updateScratchBytes()));
        try (Buffer ofVertices = device.createBuffer(
                        "vertices to copy",
                        BufferDescription.upload(vertices.description().bytes(), BufferUsage.COPY_SRC));
                Buffer ofIndices = device.createBuffer(
                        "indices to copy",
                        BufferDescription.upload(indices.description().bytes(), BufferUsage.COPY_SRC));
                FrameContext context = device.createFrameContext("copies")) {
            write(rows, ofVertices.mapped(), ofIndices.mapped());
            run(context, list -> {
                list.copyBuffer(
                        ofVertices, 0, vertices, 0, vertices.description().bytes());
                list.copyBuffer(ofIndices, 0, indices, 0, indices.description().bytes());
            });
        }
    }

    private Buffer buffer(String name, long bytes) {
        return device.createBuffer(name, BufferDescription.device(bytes, BufferUsage.STORAGE, BufferUsage.COPY_DST));
    }

    private static void write(int rows, ByteBuffer vertices, ByteBuffer indices) {
        for (int y = 0; y <= rows; y++) {
            for (int x = 0; x <= ROW; x++) {
                float height = (float) (Math.sin(x * 0.7) * Math.cos(y * 0.3));
                vertices.putFloat(x).putFloat(height).putFloat(y);
            }
        }
        for (int y = 0; y < rows; y++) {
            for (int x = 0; x < ROW; x++) {
                int first = y * (ROW + 1) + x;
                int below = first + ROW + 1;
                indices.putInt(first).putInt(first + 1).putInt(below);
                indices.putInt(below).putInt(first + 1).putInt(below + 1);
            }
        }
    }

    /** Records a list, submits it, and waits until the device is done. */
    void run(FrameContext context, Consumer<CommandList> commands) {
        GpuQueue queue = device.queues().get(0);
        CommandList list = context.beginCommands(queue, "list");
        commands.accept(list);
        list.end();
        long point =
                queue.submit(new Submission("builds", List.of(list), List.of())).value();
        if (!queue.timeline().await(point, LONG)) {
            throw new GpuException("the device did not answer within " + LONG);
        }
        context.reset();
    }

    AccelerationStructure structure(String name) {
        return device.createAccelerationStructure(name, AccelerationStructure.Level.BOTTOM, sizes.structureBytes());
    }

    /** Returns the build of a structure, with some memory of its size for work. */
    AccelerationStructureBuild build(AccelerationStructure structure, Buffer work) {
        return new AccelerationStructureBuild(structure, description, Input.indexed(vertices, 0, indices, 0), work);
    }

    @Override
    public void close() {
        scratch.close();
        indices.close();
        vertices.close();
    }
}
