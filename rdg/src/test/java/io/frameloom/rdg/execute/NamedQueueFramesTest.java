package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.rdg.utility.UploadPasses;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Frames whose passes are on queues that they name, or on the copy queue because they may. */
class NamedQueueFramesTest {
    private static final BufferDescription DATA =
            BufferDescription.device(MixKernel.BYTES, BufferUsage.STORAGE, BufferUsage.COPY_DST, BufferUsage.COPY_SRC);
    private static final int FRAMES = 4;

    /** A queue of a kind, or the graphics queue where the device has none. */
    private static int queue(GpuDevice device, QueueKind kind) {
        List<GpuQueue> queues = device.queues(kind);
        return queues.isEmpty() ? 0 : queues.get(0).index();
    }

    private static PassBuilder fill(RenderGraph graph, RdgBuffer target, int value) {
        PassBuilder pass = graph.addPass("seed", PassKind.COPY).overwrites(target, Access.COPY_DST);
        pass.record(context -> context.commands().fillBuffer(context.buffer(target), 0, MixKernel.BYTES, value));
        return pass;
    }

    private static PassBuilder mix(RenderGraph graph, ComputePipeline mix, RdgBuffer from, RdgBuffer to) {
        PassBuilder pass = graph.addPass("mix", PassKind.COMPUTE)
                .reads(from, Access.STORAGE_READ_COMPUTE)
                .overwrites(to, Access.STORAGE_WRITE_COMPUTE);
        pass.record(context -> MixKernel.dispatch(
                context.commands(), mix, context.buffer(from), context.buffer(from), context.buffer(to), 7));
        return pass;
    }

    private static PassBuilder copy(RenderGraph graph, RdgBuffer from, RdgBuffer to) {
        PassBuilder pass = graph.addPass("copy", PassKind.COPY)
                .reads(from, Access.COPY_SRC)
                .overwrites(to, Access.COPY_DST);
        pass.record(context ->
                context.commands().copyBuffer(context.buffer(from), 0, context.buffer(to), 0, MixKernel.BYTES));
        return pass;
    }

    @ParameterizedTest
    @EnumSource
    void whatGoesThroughThreeQueuesArrives(TestDevice device) {
        device.run(rig -> {
            int copies = queue(rig.device, QueueKind.COPY);
            int computes = queue(rig.device, QueueKind.COMPUTE);
            try (Buffer result = rig.device.createBuffer("result", BufferDescription.readback(MixKernel.BYTES));
                    ComputePipeline pipeline = MixKernel.create(rig.device)) {
                for (int frame = 0; frame < FRAMES; frame++) {
                    RenderGraph graph = new RenderGraph("frame");
                    RdgBuffer seed = graph.createBuffer("seed", DATA);
                    RdgBuffer mixed = graph.createBuffer("mixed", DATA);
                    RdgBuffer again = graph.createBuffer("again", DATA);
                    RdgBuffer out = graph.registerExternal(result);
                    fill(graph, seed, frame).onQueue(copies);
                    mix(graph, pipeline, seed, mixed).onQueue(computes);
                    mix(graph, pipeline, mixed, again).onQueue(0);
                    copy(graph, again, out).flag(PassFlag.ASYNC_COPY);
                    FramePlan plan = rig.compile(graph);
                    assertThat(plan.passes()).extracting(PassPlan::queue).containsExactly(copies, computes, 0, copies);
                    rig.executor.execute(plan).completed().await();
                    int once = MixKernel.mix(frame, frame, 7, 5);
                    assertThat(RandomFrames.words(result)[5]).isEqualTo(MixKernel.mix(once, once, 7, 5));
                }
                rig.executor.close();
            }
        });
    }

    /** Uploads take memory of the frame, here on a queue that copies at multiples of 4 alone. */
    @ParameterizedTest
    @EnumSource
    void texelsGoUpOnTheCopyQueue(TestDevice device) {
        device.run(rig -> {
            RenderGraph graph = new RenderGraph("frame");
            RdgTexture bytes =
                    graph.createTexture("bytes", TextureDescription.of(3, 5, Format.R8_UNORM, TextureUsage.SAMPLED));
            ByteBuffer texels = ByteBuffer.allocate(15);
            for (int i = 0; i < 15; i++) {
                texels.put(i, (byte) (i * 3));
            }
            UploadPasses.texture(graph, bytes, texels).flag(PassFlag.ASYNC_COPY);
            RdgReadback readback = ReadbackPasses.texture(graph, bytes);
            FramePlan plan = rig.compile(graph);
            assertThat(plan.passes()).extracting(PassPlan::queue).containsExactly(queue(rig.device, QueueKind.COPY), 0);
            rig.executor.execute(plan).completed().await();
            assertThat(readback.bytes().join()).isEqualTo(texels);
        });
    }

    @ParameterizedTest
    @EnumSource
    void immediateModeGoesToTheNamedQueue(TestDevice device) {
        device.run(RdgDiagnostics.none().withImmediate(true), rig -> {
            int copies = queue(rig.device, QueueKind.COPY);
            try (Buffer result = rig.device.createBuffer("result", BufferDescription.readback(MixKernel.BYTES))) {
                RenderGraph graph = rig.begin("frame");
                RdgBuffer seed = graph.createBuffer("seed", DATA);
                RdgBuffer out = graph.registerExternal(result);
                PassBuilder fill = fill(graph, seed, 9);
                assertThatThrownBy(() -> fill.onQueue(copies))
                        .isInstanceOf(RdgException.class)
                        .hasMessageContaining("after its declaration has ended");
                QueueKind[] ran = new QueueKind[1];
                graph.addPass("copy", PassKind.COPY)
                        .reads(seed, Access.COPY_SRC)
                        .overwrites(out, Access.COPY_DST)
                        .onQueue(copies)
                        .record(context -> {
                            ran[0] = context.commands().queue().kind();
                            context.commands()
                                    .copyBuffer(context.buffer(seed), 0, context.buffer(out), 0, MixKernel.BYTES);
                        });
                assertThat(ran[0]).isEqualTo(copies == 0 ? QueueKind.GRAPHICS : QueueKind.COPY);
                assertThat(RandomFrames.words(result)[5]).isEqualTo(9);
                rig.executor.execute(rig.compile(graph)).completed().await();
                rig.executor.close();
            }
        });
    }
}
