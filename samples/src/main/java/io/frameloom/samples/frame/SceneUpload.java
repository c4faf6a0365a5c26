package io.frameloom.samples.frame;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.transfer.Uploader;
import io.frameloom.samples.scene.Deformable;
import io.frameloom.samples.scene.Mesh;
import io.frameloom.samples.scene.Scene;
import io.frameloom.samples.scene.TextureImage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Fills {@link SceneBuffers}. Any thread; waits for the device. */
public final class SceneUpload {
    private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

    private SceneUpload() {}

    /** Uploads the scene; everything is on the device when this returns. */
    public static void upload(GpuDevice device, Scene scene, SceneBuffers buffers) {
        try (Uploader uploader = new Uploader(device, "scene upload")) {
            uploader.upload(buffers.vertices(), 0, vertices(scene));
            uploader.upload(buffers.indices(), 0, indices(scene));
            for (int i = 0; i < scene.meshes().size(); i++) {
                Mesh mesh = scene.meshes().get(i);
                Deformable deformable = mesh.deformable();
                if (deformable != null) {
                    uploader.upload(
                            buffers.deformables(), buffers.mesh(i).dataOffset(), SceneBuffers.data(mesh, deformable));
                }
            }
            ByteBuffer factors = allocate(buffers.factors().description().bytes());
            buffers.writeFactors(factors);
            uploader.upload(buffers.factors(), 0, factors.clear());
            for (Map.Entry<Texture, TextureImage> each : buffers.uploads().entrySet()) {
                TextureImage image = each.getValue();
                for (int mip = 0; mip < image.mips().size(); mip++) {
                    uploader.upload(
                            each.getKey(), mip, 0, ByteBuffer.wrap(image.mips().get(mip)), TextureLayout.SHADER_RO);
                }
            }
            TimelinePoint last = uploader.flush();
            last.queue().timeline().await(last.value(), FOREVER);
        }
    }

    private static ByteBuffer vertices(Scene scene) {
        List<Mesh> still = scene.meshes().stream()
                .filter(mesh -> mesh.deformable() == null)
                .toList();
        ByteBuffer data = allocate(still.stream()
                .mapToLong(mesh -> (long) mesh.vertices().length * Float.BYTES)
                .sum());
        for (Mesh mesh : still) {
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
