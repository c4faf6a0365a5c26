package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueuedGraphs;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.execute.touch.FrameBoundary;
import io.frameloom.testing.ThreadAllocation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Frames are compared by the parts of textures that they use, and comparing them allocates nothing. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FrameOrderPiecesTest {
    private static final TextureDescription ARRAY = TextureDescription.of(
                    64, 64, Format.R8G8B8A8_UNORM, TextureUsage.STORAGE, TextureUsage.SAMPLED)
            .withMips(4)
            .withLayers(3);
    private static final int SLOTS = 3;

    private final FakeRig rig = new FakeRig(
            2,
            FrameExecutorOptions.defaults().withFramesInFlight(8),
            QueueKind.GRAPHICS,
            QueueKind.COMPUTE,
            QueueKind.COMPUTE);
    private final Texture texture = rig.device.createTexture("array", ARRAY);

    @AfterEach
    void close() {
        rig.device.setCompletesAtOnce(true);
        rig.device.completeAll();
        rig.executor.close();
        texture.close();
        rig.close();
    }

    /** Compiles a graph whose passes stand on the queue that their name begins with. */
    private FramePlan plan(Consumer<RenderGraph> declare) {
        RenderGraph graph = new RenderGraph("order");
        declare.accept(graph);
        return QueuedGraphs.compile(
                graph, name -> name.charAt(0) - '0', RdgOptions.defaults().withPassLimits(1, 1), rig.device);
    }

    private FramePlan storing(int queue, SubresourceRange... ranges) {
        return plan(graph -> {
            RdgTexture array = graph.registerExternal(texture, TextureLayout.GENERAL);
            graph.finalAccess(array, Access.STORAGE_READ_COMPUTE);
            for (SubresourceRange range : ranges) {
                graph.addPass(queue + " store " + range, PassKind.COMPUTE)
                        .writes(array, range, Access.STORAGE_WRITE_COMPUTE)
                        .flag(PassFlag.NEVER_CULL)
                        .record(context -> {});
            }
        });
    }

    private List<String> submissions(FramePlan... plans) {
        rig.device.setCompletesAtOnce(false);
        for (FramePlan plan : plans) {
            rig.executor.execute(plan).submitted().await();
        }
        return rig.device.submissions().stream()
                .map(each -> each.queue() + "@" + each.value() + each.waits())
                .toList();
    }

    private static SubresourceRange box(int mip, int mips, int layer, int layers) {
        return new SubresourceRange(mip, mips, layer, layers, 0, 1);
    }

    @Test
    void framesThatUseDifferentMipsOrLayersDoNotWaitForEachOther() {
        assertThat(submissions(storing(1, box(0, 1, 0, 3)), storing(2, box(1, 3, 0, 2)), storing(0, box(1, 3, 2, 1))))
                .containsExactly("queue1@1[]", "queue2@1[]", "graphics@1[]");
    }

    @Test
    void framesThatShareASubresourceWait() {
        assertThat(submissions(
                        storing(1, box(0, 1, 0, 3), box(2, 1, 1, 1)),
                        storing(2, box(1, 2, 0, 2)),
                        storing(0, box(0, 1, 2, 1))))
                .as("mip 2 of layer 1, then mip 0 of layer 2")
                .containsExactly("queue1@1[]", "queue2@1[queue1@1]", "graphics@1[queue1@1]");
    }

    /** What one frame has cut otherwise than the next one, and what is whole, is found, too. */
    @Test
    void piecesOfOtherCutsAreCompared() {
        assertThat(submissions(
                        storing(1, box(0, 2, 0, 3)),
                        storing(2, box(2, 2, 0, 3)),
                        storing(0, box(1, 2, 1, 1)),
                        storing(1, box(0, 4, 0, 3))))
                .containsExactly("queue1@1[]", "queue2@1[]", "graphics@1[queue1@1, queue2@1]", "queue1@2[graphics@1]");
    }

    /** Beyond so many pieces a texture is one. */
    @Test
    void aTextureInTooManyPiecesIsOne() {
        Texture many = rig.device.createTexture("many", ARRAY.withLayers(128));
        List<FramePlan> plans = new ArrayList<>();
        for (int queue = 1; queue < 3; queue++) {
            int on = queue;
            plans.add(plan(graph -> {
                RdgTexture array = graph.registerExternal(many, TextureLayout.GENERAL);
                for (int layer = 0; layer < 65; layer++) {
                    graph.addPass(on + " store " + layer, PassKind.COMPUTE)
                            .writes(array, box(on, 1, layer, 1), Access.STORAGE_WRITE_COMPUTE)
                            .flag(PassFlag.NEVER_CULL)
                            .record(context -> {});
                }
            }));
        }
        assertThat(submissions(plans.toArray(FramePlan[]::new))).last().isEqualTo("queue2@1[queue1@1]");
        rig.device.setCompletesAtOnce(true);
        rig.device.completeAll();
        rig.executor.close();
        many.close();
    }

    /** A hundred passes on three queues, with waits, barriers, mips and shared memory. */
    private FramePlan frame(List<Buffer> outside, int shift) {
        return plan(graph -> {
            List<RdgBuffer> external =
                    outside.stream().map(graph::registerExternal).toList();
            RdgTexture array = graph.registerExternal(texture, TextureLayout.GENERAL);
            for (int p = 0; p < 100; p++) {
                RdgBuffer own = graph.createBuffer("own " + p, FakeRig.BUFFER);
                graph.addPass((p + shift) % 3 + " pass " + p, PassKind.COMPUTE)
                        .overwrites(own, Access.STORAGE_WRITE_COMPUTE)
                        .reads(external.get((p + 3 * shift) % 10), Access.STORAGE_READ_COMPUTE)
                        .writes(external.get(10 + p % 10), Access.STORAGE_WRITE_COMPUTE)
                        .writes(array, box(p % 4, 1, p % 3, 1), Access.STORAGE_WRITE_COMPUTE)
                        .flag(PassFlag.NEVER_CULL)
                        .record(context -> {});
            }
        });
    }

    @Test
    void framesAreOrderedWithoutAllocations() {
        List<Buffer> outside = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            outside.add(rig.device.createBuffer("outside " + i, FakeRig.BUFFER));
        }
        RetireQueue retired = new RetireQueue();
        TransientHeaps heaps = new TransientHeaps(rig.device, retired, 100);
        PlanRealiser realiser = new PlanRealiser(
                rig.device, heaps, new ResourcePool(rig.device, 100), FrameExecutorOptions.defaults(), 100);
        FramePlan[] plans = {frame(outside, 0), frame(outside, 1)};
        PlanRealisation[] realised = {
            realiser.realise(CompiledPlan.of(plans[0]), 0, 0), realiser.realise(CompiledPlan.of(plans[1]), 0, 0)
        };
        FrameBoundary[] boundaries = new FrameBoundary[SLOTS];
        for (int slot = 0; slot < SLOTS; slot++) {
            boundaries[slot] = new FrameBoundary();
        }
        FrameOrder order = new FrameOrder(3);
        long frame = 0;
        long waits = 0;
        for (; frame < 1_000; frame++) {
            FrameBoundary boundary = boundaries[(int) (frame % SLOTS)];
            order.enter(plans[(int) (frame % 2)], realised[(int) (frame % 2)], frame, frame - SLOTS, boundary);
            for (int group = 0; group < realised[0].groupCount(); group++) {
                waits += boundary.waits(group) == null ? 0 : 1;
            }
        }
        assertThat(waits).as("the frames do wait for each other").isGreaterThan(1_000);
        long before = ThreadAllocation.bytes();
        for (; frame < 2_000; frame++) {
            order.enter(
                    plans[(int) (frame % 2)],
                    realised[(int) (frame % 2)],
                    frame,
                    frame - SLOTS,
                    boundaries[(int) (frame % SLOTS)]);
        }
        // Now and then it is looked for memory that no frame uses any more.
        assertThat((ThreadAllocation.bytes() - before) / 1_000).isLessThan(16);
        heaps.retireAll();
        retired.release(Long.MAX_VALUE);
        outside.forEach(Buffer::close);
    }
}
