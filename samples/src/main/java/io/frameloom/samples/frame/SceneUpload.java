package io.frameloom.samples.frame;

import io.frameloom.gpu.Access;
import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.BufferUsage;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassContext;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.samples.scene.Mesh;
import io.frameloom.samples.scene.Scene;
import io.frameloom.samples.scene.TextureImage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Fills {@link SceneBuffers} through render graphs of copy passes, a bounded amount of staging memory at a time. Called on
 * the RENDER thread; waits for the device.
 */
public final class SceneUpload {
    /** Most bytes of staging memory of one graph, unless a single item is larger. */
    private static final long BATCH_BYTES = 64L << 20;

    private final GpuDevice device;
    private final RenderGraphCompiler compiler;
    private final FrameExecutor executor;

    /** One copy: bytes into a resource. */
    private sealed interface Item {
        long bytes();
    }

    private record BufferItem(Buffer target, ByteBuffer data) implements Item {
        @Override
        public long bytes() {
            return data.remaining();
        }
    }

    private record TextureItem(Texture target, TextureImage image) implements Item {
        @Override
        public long bytes() {
            return image.mips().stream().mapToLong(mip -> mip.length).sum();
        }
    }

    /** An upload through {@code executor}. */
    public SceneUpload(GpuDevice device, RenderGraphCompiler compiler, FrameExecutor executor) {
        this.device = device;
        this.compiler = compiler;
        this.executor = executor;
    }

    /** Uploads the scene; everything is on the device when this returns. */
    public void upload(Scene scene, SceneBuffers buffers) {
        List<Item> items = new ArrayList<>();
        items.add(new BufferItem(buffers.vertices(), vertices(scene)));
        items.add(new BufferItem(buffers.indices(), indices(scene)));
        ByteBuffer factors = allocate(buffers.factors().description().bytes());
        buffers.writeFactors(factors);
        items.add(new BufferItem(buffers.factors(), factors.clear()));
        for (Map.Entry<Texture, TextureImage> texture : buffers.uploads().entrySet()) {
            items.add(new TextureItem(texture.getKey(), texture.getValue()));
        }
        List<Item> batch = new ArrayList<>();
        long bytes = 0;
        for (Item item : items) {
            if (!batch.isEmpty() && bytes + item.bytes() > BATCH_BYTES) {
                execute(batch, bytes);
                batch.clear();
                bytes = 0;
            }
            batch.add(item);
            bytes += item.bytes();
        }
        execute(batch, bytes);
    }

    private void execute(List<Item> batch, long bytes) {
        try (Buffer staging =
                device.createBuffer("scene staging", BufferDescription.upload(bytes, BufferUsage.COPY_SRC))) {
            RenderGraph graph = executor.beginGraph("scene upload", compiler);
            RdgBuffer source = graph.registerExternal(staging);
            ByteBuffer mapped = staging.mapped();
            for (Item item : batch) {
                int offset = mapped.position();
                if (item instanceof BufferItem buffer) {
                    mapped.put(buffer.data().duplicate());
                    declare(graph, source, offset, buffer);
                } else if (item instanceof TextureItem texture) {
                    texture.image().mips().forEach(mapped::put);
                    declare(graph, source, offset, texture);
                }
            }
            executor.execute(compiler.compile(graph, QueueTopology.of(device), MemorySizer.of(device)))
                    .completed()
                    .await();
        }
    }

    private static PassBuilder copyPass(RenderGraph graph, RdgBuffer source, String target) {
        return graph.addPass("upload " + target, PassKind.COPY).reads(source, Access.COPY_SRC);
    }

    private static void declare(RenderGraph graph, RdgBuffer source, int offset, BufferItem item) {
        RdgBuffer target = graph.registerExternal(item.target());
        copyPass(graph, source, item.target().name())
                .overwrites(target, Access.COPY_DST)
                .record(context -> context.commands()
                        .copyBuffer(
                                context.buffer(source),
                                offset,
                                context.buffer(target),
                                0,
                                item.target().description().bytes()));
    }

    private static void declare(RenderGraph graph, RdgBuffer source, int offset, TextureItem item) {
        RdgTexture target = graph.registerExternal(item.target(), TextureLayout.UNDEFINED);
        graph.finalAccess(target, Access.SAMPLED_FRAGMENT);
        copyPass(graph, source, item.target().name())
                .overwrites(target, Access.COPY_DST)
                .record(context -> copyMips(context, source, offset, target, item.image()));
    }

    private static void copyMips(
            PassContext context, RdgBuffer source, int offset, RdgTexture target, TextureImage image) {
        long at = offset;
        for (int mip = 0; mip < image.mips().size(); mip++) {
            context.commands().copyBufferToTexture(context.buffer(source), at, context.texture(target), mip, 0);
            at += image.mips().get(mip).length;
        }
    }

    private static ByteBuffer vertices(Scene scene) {
        ByteBuffer data = allocate(scene.meshes().stream()
                .mapToLong(mesh -> (long) mesh.vertices().length * Float.BYTES)
                .sum());
        for (Mesh mesh : scene.meshes()) {
            data.asFloatBuffer().put(mesh.vertices());
            data.position(data.position() + mesh.vertices().length * Float.BYTES);
        }
        return data.flip();
    }

    private static ByteBuffer indices(Scene scene) {
        ByteBuffer data = allocate(scene.meshes().stream()
                .mapToLong(mesh -> (long) mesh.indices().length * Integer.BYTES)
                .sum());
        for (Mesh mesh : scene.meshes()) {
            data.asIntBuffer().put(mesh.indices());
            data.position(data.position() + mesh.indices().length * Integer.BYTES);
        }
        return data.flip();
    }

    private static ByteBuffer allocate(long bytes) {
        return ByteBuffer.allocate(Math.toIntExact(bytes)).order(ByteOrder.nativeOrder());
    }
}
