package io.frameloom.stress.gpu;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Filter;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.utility.CopyPasses;
import io.frameloom.samples.city.CityGenerator;
import io.frameloom.samples.frame.DeferredFrame;
import io.frameloom.samples.frame.SceneBuffers;
import io.frameloom.samples.frame.SceneUpload;
import io.frameloom.samples.scene.FrameSnapshot;
import io.frameloom.samples.scene.Scene;
import io.frameloom.samples.scene.Simulation;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.IntBuffer;
import org.jspecify.annotations.Nullable;

/** The demo's city, drawn into the graphs of {@link SoakFrames}. One thread beside those of the task graph. */
final class SoakCity implements AutoCloseable {
    private static final long SEED = 2026;
    /** So fast that the camera comes around within minutes, and other draws are seen in each frame. */
    private static final double SECONDS_PER_FRAME = 0.25;

    private final GpuDevice device;
    private final Scene scene;
    private final SceneBuffers buffers;
    private final Simulation simulation;
    private DeferredFrame frame;
    private int width;
    private int height;
    private long frames;
    private long pictures;
    private long renewed;

    /** What a frame in flight has of the city. */
    static final class Slot {
        private final FrameSnapshot snapshot;
        private @Nullable Buffer picture;

        private Slot(FrameSnapshot snapshot) {
            this.snapshot = snapshot;
        }
    }

    SoakCity(GpuDevice device, TaskGraph tasks, int width, int height) {
        this.device = device;
        this.width = width;
        this.height = height;
        scene = CityGenerator.generate(SEED);
        buffers = new SceneBuffers(device, scene);
        simulation = new Simulation(scene, tasks, width, height, DeferredFrame.SHADOW_EXTENT);
        SceneUpload.upload(device, scene, buffers);
        frame = new DeferredFrame(device, scene, buffers, width, height);
    }

    Slot slot() {
        return new Slot(new FrameSnapshot(scene));
    }

    /** Makes later pictures of another size, without what former frames have left. All frames have completed. */
    void resize(int newWidth, int newHeight) {
        width = newWidth;
        height = newHeight;
        simulation.resize(width, height);
        frame.resize(width, height);
    }

    /** Forgets what former frames have left, of which one has failed. All frames have completed. */
    void forget() {
        frame.resize(width, height);
    }

    /** Compiles all pipelines anew. All frames have completed. */
    void renew() {
        frame.close();
        frame = new DeferredFrame(device, scene, buffers, width, height);
        renewed++;
    }

    /** Declares the next frame of the city, which ends in a texture as large as the city's pictures. */
    void declare(RenderGraph graph, Slot slot, RdgTexture shown, boolean readBack) {
        double seconds = frames * SECONDS_PER_FRAME;
        slot.snapshot.reset = false;
        simulation.simulate(slot.snapshot, frames, seconds, Math.max(0, seconds - SECONDS_PER_FRAME));
        frames++;
        if (readBack) {
            slot.picture = device.createBuffer("city", BufferDescription.readback(4L * width * height));
        }
        RdgTexture picture = frame.declare(graph, slot.snapshot, slot.picture);
        CopyPasses.blit(
                graph,
                picture,
                TextureRegion.mip(picture.description(), 0),
                shown,
                TextureRegion.mip(shown.description(), 0),
                Filter.NEAREST);
    }

    /** Returns whether the picture of a frame that has completed is wrong; {@code whole} if the frame has not failed. */
    boolean isBlank(Slot slot, boolean whole) {
        Buffer picture = slot.picture;
        if (picture == null) {
            return false;
        }
        slot.picture = null;
        IntBuffer texels = picture.mapped().asIntBuffer();
        boolean blank = whole && device.capabilities().renders();
        for (int i = 1; blank && i < texels.limit(); i++) {
            blank = texels.get(i) == texels.get(0);
        }
        picture.close();
        pictures++;
        return blank;
    }

    String summary() {
        return frames + " frames of the city, " + pictures + " read back, its pipelines compiled " + (1 + renewed)
                + " times";
    }

    @Override
    public void close() {
        frame.close();
        buffers.close();
    }
}
