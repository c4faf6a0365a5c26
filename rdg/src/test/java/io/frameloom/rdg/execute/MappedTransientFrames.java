package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.taskgraph.GraphEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Graphs of frames in flight that each write a transient upload buffer on the host and read it on the device. */
final class MappedTransientFrames {
    private static final int FRAMES = 9;
    private static final int WORD = Integer.BYTES;

    private MappedTransientFrames() {}

    static void everyFrameUploadsItsOwnValue(DeviceRig rig) {
        run(rig, 1);
    }

    static void everyGraphOfAFrameUploadsItsOwnValue(DeviceRig rig) {
        run(rig, 3);
    }

    private static void run(DeviceRig rig, int graphsPerFrame) {
        try (Buffer result = rig.device.createBuffer("result", BufferDescription.readback(FRAMES * WORD))) {
            AtomicInteger written = new AtomicInteger();
            AtomicInteger copied = new AtomicInteger();
            RenderGraph graph = new RenderGraph("upload");
            RdgBuffer upload = graph.createBuffer("upload", BufferDescription.upload(WORD, BufferUsage.COPY_SRC));
            RdgBuffer staging = graph.createBuffer(
                    "staging", BufferDescription.device(WORD, BufferUsage.COPY_SRC, BufferUsage.COPY_DST));
            RdgBuffer out = graph.registerExternal(result);
            graph.addPass("fill", PassKind.COPY)
                    .overwrites(upload, Access.HOST_WRITE)
                    .flag(PassFlag.NEVER_PARALLEL)
                    .record(context -> context.buffer(upload).mapped().putInt(0, 100 + written.getAndIncrement()));
            graph.addPass("stage", PassKind.COPY)
                    .reads(upload, Access.COPY_SRC)
                    .overwrites(staging, Access.COPY_DST)
                    .record(context ->
                            context.commands().copyBuffer(context.buffer(upload), 0, context.buffer(staging), 0, WORD));
            graph.addPass("read back", PassKind.COPY)
                    .reads(staging, Access.COPY_SRC)
                    .writes(out, Access.COPY_DST)
                    .flag(PassFlag.READBACK)
                    .flag(PassFlag.NEVER_PARALLEL)
                    .record(context -> context.commands()
                            .copyBuffer(
                                    context.buffer(staging),
                                    0,
                                    context.buffer(out),
                                    (long) copied.getAndIncrement() * WORD,
                                    WORD));
            FramePlan plan = rig.compile(graph);
            assertThat(plan.resources().get(upload.index()).heap()).isEqualTo(-1);
            List<GraphEvent> ends = new ArrayList<>();
            for (int frame = 0; frame < FRAMES; frame += graphsPerFrame) {
                rig.executor.beginFrame();
                for (int i = 0; i < graphsPerFrame; i++) {
                    rig.executor.execute(plan);
                }
                ends.add(rig.executor.endFrame());
            }
            ends.forEach(GraphEvent::await);
            assertThat(RandomFrames.words(result))
                    .containsExactly(IntStream.range(100, 100 + FRAMES).toArray());
            rig.executor.close();
        }
    }
}
