package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.OverlapGroup;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RenderGraph;
import java.util.Arrays;

/** Frames whose passes write halves of one buffer without an order among each other. */
final class OverlapFrames {
    private static final int WORD = 7;

    private OverlapFrames() {}

    static void twoPassesFillOneBuffer(DeviceRig rig) {
        try (Buffer result = rig.device.createBuffer("result", BufferDescription.readback(2 * MixKernel.BYTES));
                ComputePipeline mix = MixKernel.create(rig.device)) {
            RenderGraph graph = new RenderGraph("halves");
            RdgBuffer seed = graph.createBuffer(
                    "seed",
                    BufferDescription.device(
                            MixKernel.BYTES, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST));
            RdgBuffer both = graph.createBuffer(
                    "both", BufferDescription.device(2 * MixKernel.BYTES, BufferUsage.STORAGE, BufferUsage.COPY_SRC));
            RdgBuffer out = graph.registerExternal(result);
            OverlapGroup group = graph.overlapGroup("halves");
            graph.addPass("seed", PassKind.COPY)
                    .overwrites(seed, Access.COPY_DST)
                    .record(context -> context.commands().fillBuffer(context.buffer(seed), 0, MixKernel.BYTES, WORD));
            for (int half = 0; half < 2; half++) {
                int salt = half;
                graph.addPass("half " + half, PassKind.COMPUTE)
                        .reads(seed, Access.STORAGE_READ_COMPUTE)
                        .writes(both, Access.STORAGE_WRITE_COMPUTE, group)
                        .record(context -> MixKernel.dispatch(
                                context.commands(),
                                mix,
                                context.buffer(seed),
                                context.buffer(seed),
                                context.buffer(both),
                                salt * MixKernel.BYTES,
                                salt));
            }
            graph.addPass("read back", PassKind.COPY)
                    .reads(both, Access.COPY_SRC)
                    .overwrites(out, Access.COPY_DST)
                    .flag(PassFlag.READBACK)
                    .record(context -> context.commands()
                            .copyBuffer(context.buffer(both), 0, context.buffer(out), 0, 2 * MixKernel.BYTES));
            FramePlan plan = rig.compile(graph);
            assertThat(plan.epochs())
                    .anyMatch(epoch -> epoch.write() && epoch.passes().size() == 2);
            for (int frame = 0; frame < 3; frame++) {
                rig.executor.execute(plan).completed().await();
            }
            int[] seeds = new int[MixKernel.WORDS];
            Arrays.fill(seeds, WORD);
            int[] words = RandomFrames.words(result);
            assertThat(Arrays.copyOf(words, MixKernel.WORDS)).isEqualTo(MixKernel.mix(seeds, seeds, 0));
            assertThat(Arrays.copyOfRange(words, MixKernel.WORDS, 2 * MixKernel.WORDS))
                    .isEqualTo(MixKernel.mix(seeds, seeds, 1));
            rig.executor.close();
        }
    }
}
