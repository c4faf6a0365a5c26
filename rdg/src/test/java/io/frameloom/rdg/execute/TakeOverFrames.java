package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import java.util.Arrays;
import java.util.List;

/** A frame whose transients share memory although nobody reads what the former ones hold. */
final class TakeOverFrames {
    private static final int SIDE = 16;
    private static final int BYTES = SIDE * SIDE * 4;
    private static final int WORD = 0x01020304;
    private static final ClearColor WHITE = new ClearColor(1, 1, 1, 1);
    private static final TextureDescription PICTURE =
            TextureDescription.of(SIDE, SIDE, Format.R8G8B8A8_UNORM, TextureUsage.COPY_SRC, TextureUsage.COPY_DST);

    private TakeOverFrames() {}

    static void transientsThatNobodyReads(DeviceRig rig) {
        try (Buffer result = rig.device.createBuffer("result", BufferDescription.readback(2 * BYTES))) {
            RenderGraph graph = new RenderGraph("take over");
            RdgBuffer out = graph.registerExternal(result);
            fill(graph, "first data");
            fill(graph, "second data");
            clear(graph, "first picture");
            RdgTexture picture = clear(graph, "second picture");
            readBack(graph, out, picture);
            RdgBuffer data = fill(graph, "third data");
            graph.addPass("read data", PassKind.COPY)
                    .reads(data, Access.COPY_SRC)
                    .writes(out, Access.COPY_DST)
                    .flag(PassFlag.READBACK)
                    .record(context ->
                            context.commands().copyBuffer(context.buffer(data), 0, context.buffer(out), BYTES, BYTES));
            FramePlan plan = rig.compile(graph);
            assertThat(plan.heapBytes()).isLessThan(plan.transientBytesWithoutAliasing());
            List<FramePlan.PlanBarrier> takeOvers = plan.passes().stream()
                    .flatMap(pass -> pass.before().stream())
                    .filter(FramePlan.PlanBarrier::allMemory)
                    .toList();
            assertThat(takeOvers)
                    .extracting(
                            barrier -> plan.resources().get(barrier.resource()).name())
                    .contains("second data", "first picture", "second picture");
            assertThat(takeOvers)
                    .allSatisfy(barrier -> assertThat(barrier.reason()).contains("takes over memory of", "all memory"));
            rig.executor.execute(plan).completed().await();
            int[] words = RandomFrames.words(result);
            assertThat(Arrays.copyOf(words, words.length / 2)).containsOnly(-1);
            assertThat(Arrays.copyOfRange(words, words.length / 2, words.length))
                    .containsOnly(WORD);
            rig.executor.close();
        }
    }

    /** Bytes go from a buffer to a picture that is drawn and on to a buffer, each of which may be read or not. */
    static void aPictureBetweenTwoBuffers(DeviceRig rig, boolean readsFirst, boolean readsPicture) {
        try (Buffer result = rig.device.createBuffer("result", BufferDescription.readback(3 * BYTES))) {
            RenderGraph graph = new RenderGraph("in between");
            RdgBuffer out = graph.registerExternal(result);
            RdgBuffer first = fill(graph, "first data");
            if (readsFirst) {
                readBack(graph, first, out, 0);
            }
            RdgTexture picture = graph.createTexture(
                    "picture",
                    TextureDescription.of(
                            SIDE, SIDE, Format.R8G8B8A8_UNORM, TextureUsage.COPY_SRC, TextureUsage.COLOR_ATTACHMENT));
            graph.addPass("draw", PassKind.RASTER)
                    .color(picture, LoadOp.CLEAR, WHITE)
                    .flag(PassFlag.NEVER_CULL)
                    .record(context -> {});
            if (readsPicture) {
                graph.addPass("read picture", PassKind.COPY)
                        .reads(picture, Access.COPY_SRC)
                        .writes(out, BYTES, BYTES, Access.COPY_DST)
                        .flag(PassFlag.READBACK)
                        .record(context -> context.commands()
                                .copyTextureToBuffer(context.texture(picture), 0, 0, context.buffer(out), BYTES));
            }
            readBack(graph, fill(graph, "second data"), out, 2 * BYTES);
            FramePlan plan = rig.compile(graph);
            assertThat(plan.heapBytes()).isEqualTo(plan.transientBytesWithoutAliasing() / 3);
            for (int frame = 0; frame < 2; frame++) {
                rig.executor.execute(plan).completed().await();
            }
            int[] words = RandomFrames.words(result);
            int part = words.length / 3;
            if (readsFirst) {
                assertThat(Arrays.copyOf(words, part)).containsOnly(WORD);
            }
            if (readsPicture) {
                assertThat(Arrays.copyOfRange(words, part, 2 * part)).containsOnly(-1);
            }
            assertThat(Arrays.copyOfRange(words, 2 * part, words.length)).containsOnly(WORD);
            rig.executor.close();
        }
    }

    private static void readBack(RenderGraph graph, RdgBuffer data, RdgBuffer out, int offset) {
        graph.addPass("read " + data.name(), PassKind.COPY)
                .reads(data, Access.COPY_SRC)
                .writes(out, offset, BYTES, Access.COPY_DST)
                .flag(PassFlag.READBACK)
                .record(context ->
                        context.commands().copyBuffer(context.buffer(data), 0, context.buffer(out), offset, BYTES));
    }

    private static RdgBuffer fill(RenderGraph graph, String name) {
        RdgBuffer data =
                graph.createBuffer(name, BufferDescription.device(BYTES, BufferUsage.COPY_SRC, BufferUsage.COPY_DST));
        graph.addPass("fill " + name, PassKind.COPY)
                .overwrites(data, Access.COPY_DST)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> context.commands().fillBuffer(context.buffer(data), 0, BYTES, WORD));
        return data;
    }

    private static RdgTexture clear(RenderGraph graph, String name) {
        RdgTexture picture = graph.createTexture(name, PICTURE);
        graph.addPass("clear " + name, PassKind.COPY)
                .overwrites(picture, Access.COPY_DST)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> context.commands()
                        .clearTexture(context.texture(picture), SubresourceRange.all(PICTURE), WHITE));
        return picture;
    }

    private static void readBack(RenderGraph graph, RdgBuffer out, RdgTexture picture) {
        graph.addPass("read picture", PassKind.COPY)
                .reads(picture, Access.COPY_SRC)
                .writes(out, Access.COPY_DST)
                .flag(PassFlag.READBACK)
                .record(context ->
                        context.commands().copyTextureToBuffer(context.texture(picture), 0, 0, context.buffer(out), 0));
    }
}
