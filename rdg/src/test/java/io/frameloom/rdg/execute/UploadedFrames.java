package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.transfer.Uploader;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FrameSync;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RenderGraph;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** Frames that read what the application uploads, and name the upload or do not, while it uploads for later frames. */
final class UploadedFrames {
    private static final int FRAMES = 6;
    private static final int WORD = Integer.BYTES;
    private static final int RING = 1 << 12;

    private UploadedFrames() {}

    static void everyFrameReadsTheUploadThatItNames(DeviceRig rig) {
        run(rig, true);
    }

    static void framesReadUploadsThatTheyDoNotName(DeviceRig rig) {
        run(rig, false);
    }

    private static void run(DeviceRig rig, boolean named) {
        BufferDescription device = BufferDescription.device(WORD, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);
        try (Buffer result = rig.device.createBuffer("result", BufferDescription.readback(WORD));
                Buffer source = rig.device.createBuffer("source", device);
                Buffer later = rig.device.createBuffer("later", device);
                Uploader uploader = new Uploader(rig.device, "uploads", RING)) {
            RenderGraph graph = new RenderGraph("uploaded");
            RdgBuffer from = graph.registerExternal(source);
            RdgBuffer to = graph.registerExternal(result);
            graph.addPass("read back", PassKind.COPY)
                    .reads(from, Access.COPY_SRC)
                    .overwrites(to, Access.COPY_DST)
                    .flag(PassFlag.READBACK)
                    .record(context ->
                            context.commands().copyBuffer(context.buffer(from), 0, context.buffer(to), 0, WORD));
            FramePlan plan = rig.compile(graph);
            for (int frame = 0; frame < FRAMES; frame++) {
                TimelinePoint uploaded = uploader.upload(source, 0, word(frame)).point();
                uploader.upload(later, 0, word(frame)).point();
                rig.executor
                        .execute(plan, FrameSync.none().after(named ? List.of(uploaded) : List.of()))
                        .completed()
                        .await();
                if (named) {
                    assertThat(RandomFrames.words(result)).containsExactly(frame);
                }
            }
            rig.executor.close();
        }
    }

    private static ByteBuffer word(int value) {
        return ByteBuffer.allocate(WORD).order(ByteOrder.nativeOrder()).putInt(0, value);
    }
}
