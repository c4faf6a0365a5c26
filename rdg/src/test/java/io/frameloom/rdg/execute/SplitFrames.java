package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;

/** Frames that change by a split barrier what former frames only read. */
final class SplitFrames {
    private static final int SIDE = 16;
    private static final int BYTES = SIDE * SIDE * 4;
    private static final int ROUNDS = 4;
    private static final TextureDescription PICTURE =
            TextureDescription.of(SIDE, SIDE, Format.R8G8B8A8_UNORM, TextureUsage.COPY_SRC, TextureUsage.COPY_DST);

    private final DeviceRig rig;
    private final Texture picture;
    private final Buffer early;
    private final Buffer late;
    private final boolean beside;

    private SplitFrames(DeviceRig rig, Texture picture, Buffer early, Buffer late, boolean beside) {
        this.rig = rig;
        this.picture = picture;
        this.early = early;
        this.late = late;
        this.beside = beside;
    }

    /**
     * A frame reads a picture, and the next reads it too, does something else, and clears it: the change of layout begins
     * behind its own reading, and has to come behind the reading of the former frame as well.
     *
     * @param beside whether the former frame reads on another queue if there is one
     */
    static void changesWhatFormerFramesRead(DeviceRig rig, boolean beside) {
        try (Texture picture = rig.device.createTexture("picture", PICTURE);
                Buffer early = rig.device.createBuffer("early", BufferDescription.readback(BYTES));
                Buffer late = rig.device.createBuffer("late", BufferDescription.readback(BYTES))) {
            SplitFrames frames = new SplitFrames(rig, picture, early, late, beside);
            rig.executor.execute(frames.clears(0, TextureLayout.UNDEFINED));
            for (int round = 1; round <= ROUNDS; round++) {
                rig.executor.execute(frames.reads());
                FramePlan plan = frames.clears(round, TextureLayout.TRANSFER_SRC);
                assertThat(plan.passes())
                        .filteredOn(pass -> pass.name().equals("clear"))
                        .flatExtracting(FramePlan.PassPlan::before)
                        .filteredOn(FramePlan.PlanBarrier::isSplit)
                        .extracting(barrier ->
                                plan.resources().get(barrier.resource()).name())
                        .containsExactly("picture");
                rig.executor.execute(plan).completed().await();
                assertThat(RandomFrames.words(early)).containsOnly(texel(round - 1));
                assertThat(RandomFrames.words(late)).containsOnly(texel(round - 1));
            }
            rig.executor.close();
        }
    }

    /** Declares a pass that has nothing to do with any other, to lie between the halves of a barrier. */
    static void passBeside(RenderGraph graph, String name) {
        RdgBuffer other = graph.createBuffer(name, BufferDescription.device(BYTES, BufferUsage.COPY_DST));
        // Layers do not follow what nobody reads through an image that has had the same bytes in between.
        graph.neverAlias(other);
        graph.addPass(name, PassKind.COPY)
                .overwrites(other, Access.COPY_DST)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> context.commands().fillBuffer(context.buffer(other), 0, BYTES, 1));
    }

    /** Returns how many barriers of a plan are split. */
    static int splits(FramePlan plan) {
        return (int) plan.passes().stream()
                .flatMap(pass -> pass.before().stream())
                .filter(FramePlan.PlanBarrier::isSplit)
                .count();
    }

    private static ClearColor color(int round) {
        return new ClearColor(round % 2, 1, round / 2 % 2, 1);
    }

    private static int texel(int round) {
        return 0xFF00FF00 | (round % 2 == 1 ? 0xFF : 0) | (round / 2 % 2 == 1 ? 0xFF0000 : 0);
    }

    private FramePlan reads() {
        RenderGraph graph = new RenderGraph("reads");
        RdgTexture shared = graph.registerExternal(picture, TextureLayout.TRANSFER_SRC);
        read(graph, shared, graph.registerExternal(early), beside);
        return rig.compile(graph);
    }

    private FramePlan clears(int round, TextureLayout current) {
        RenderGraph graph = new RenderGraph("clears");
        RdgTexture shared = graph.registerExternal(picture, current);
        graph.finalAccess(shared, Access.COPY_SRC);
        if (round > 0) {
            read(graph, shared, graph.registerExternal(late), false);
        }
        passBeside(graph, "other");
        graph.addPass("clear", PassKind.COPY)
                .overwrites(shared, Access.COPY_DST)
                .record(context -> context.commands()
                        .clearTexture(context.texture(shared), SubresourceRange.all(PICTURE), color(round)));
        return rig.compile(graph);
    }

    private static void read(RenderGraph graph, RdgTexture from, RdgBuffer to, boolean beside) {
        PassBuilder pass = graph.addPass("read", beside ? PassKind.COMPUTE : PassKind.COPY)
                .reads(from, Access.COPY_SRC)
                .overwrites(to, Access.COPY_DST)
                .flag(PassFlag.NEVER_CULL);
        (beside ? pass.flag(PassFlag.ASYNC_COMPUTE) : pass)
                .record(context ->
                        context.commands().copyTextureToBuffer(context.texture(from), 0, 0, context.buffer(to), 0));
    }
}
