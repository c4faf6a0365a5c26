package io.frameloom.samples.clip;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.compute.ClipBox;
import io.frameloom.gpu.compute.ClipBoxes;
import io.frameloom.gpu.compute.ClipEnd;
import io.frameloom.gpu.compute.CpuClipBoxes;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.utility.PrimitivePasses;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.rdg.utility.UploadPasses;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Cuts the boxes of a scene: one frame on a device, or on the processor with the same results. */
final class ClipFrame {
    private ClipFrame() {}

    /**
     * The results.
     *
     * @param boxes four floats for each element: left, top, right, bottom
     * @param links the BEGIN around each element, or -1
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Result(float[] boxes, int[] links) {}

    static Result compute(GpuDevice device, TaskGraph tasks, ClipScene scene) {
        int count = scene.length();
        float[] boxes = new float[4 * count];
        int[] links = new int[count];
        if (count > 0) {
            ByteBuffer operations = ByteBuffer.allocate(4 * count).order(ByteOrder.nativeOrder());
            ByteBuffer given = ByteBuffer.allocate(16 * count).order(ByteOrder.nativeOrder());
            for (int e = 0; e < count; e++) {
                operations.putInt(scene.operation(e));
                given.asFloatBuffer().put(scene.box(e));
                given.position(given.position() + 16);
            }
            try (ClipBoxes clips = ClipBoxes.create(device);
                    FrameExecutor executor = new FrameExecutor(device, tasks)) {
                RenderGraph graph = new RenderGraph("clips");
                RdgBuffer effective = storage(graph, "effective boxes", 16L * count);
                RdgBuffer around = storage(graph, "clips around", 4L * count);
                PrimitivePasses.clipBoxes(
                        graph,
                        "cut boxes",
                        clips,
                        ClipEnd.BEFORE_POP,
                        viewport(scene),
                        count,
                        UploadPasses.createBuffer(graph, "operations", operations.flip())
                                .view(),
                        UploadPasses.createBuffer(graph, "boxes", given.flip()).view(),
                        effective.view(),
                        around.view());
                RdgReadback boxBytes = ReadbackPasses.buffer(graph, effective);
                RdgReadback linkBytes = ReadbackPasses.buffer(graph, around);
                executor.run(graph).completed().await();
                boxBytes.bytes().join().asFloatBuffer().get(boxes);
                linkBytes.bytes().join().asIntBuffer().get(links);
            }
        }
        return new Result(boxes, links);
    }

    static Result computeOnProcessor(TaskGraph tasks, ClipScene scene) {
        int count = scene.length();
        int[] operations = new int[count];
        float[] given = new float[4 * count];
        for (int e = 0; e < count; e++) {
            operations[e] = scene.operation(e);
            System.arraycopy(scene.box(e), 0, given, 4 * e, 4);
        }
        CpuClipBoxes.Result cut = CpuClipBoxes.compute(tasks, ClipEnd.BEFORE_POP, viewport(scene), operations, given);
        return new Result(cut.effective(), cut.links());
    }

    private static ClipBox viewport(ClipScene scene) {
        return new ClipBox(0, 0, (float) scene.width(), (float) scene.height());
    }

    private static RdgBuffer storage(RenderGraph graph, String name, long bytes) {
        return graph.createBuffer(name, BufferDescription.device(bytes));
    }
}
