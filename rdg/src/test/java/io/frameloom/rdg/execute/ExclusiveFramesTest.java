package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.QueueSharing;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.BufferExtraction;
import io.frameloom.rdg.BufferHistory;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.rdg.utility.UploadPasses;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Frames with what was made for one queue family at a time: handed over between queues where these are of several. */
class ExclusiveFramesTest {
    private static final BufferDescription DATA = BufferDescription.device(
                    MixKernel.BYTES, BufferUsage.STORAGE, BufferUsage.COPY_DST, BufferUsage.COPY_SRC)
            .withSharing(QueueSharing.EXCLUSIVE);
    private static final int FRAMES = 4;

    /** A queue of a kind, or the graphics queue where the device has none. */
    private static int queue(GpuDevice device, QueueKind kind) {
        List<GpuQueue> queues = device.queues(kind);
        return queues.isEmpty() ? 0 : queues.get(0).index();
    }

    private static boolean hasFamilies(GpuDevice device) {
        return device.queues().stream().mapToInt(GpuQueue::family).distinct().count() > 1;
    }

    private static void fill(RenderGraph graph, int queue, RdgBuffer target, long offset, long bytes, int value) {
        graph.addPass("fill", PassKind.COPY)
                .onQueue(queue)
                .writes(target, offset, bytes, Access.COPY_DST)
                .record(context -> context.commands().fillBuffer(context.buffer(target), offset, bytes, value));
    }

    private static void mix(RenderGraph graph, int queue, ComputePipeline mix, RdgBuffer from, RdgBuffer to) {
        graph.addPass("mix", PassKind.COMPUTE)
                .onQueue(queue)
                .reads(from, Access.STORAGE_READ_COMPUTE)
                .overwrites(to, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> MixKernel.dispatch(
                        context.commands(), mix, context.buffer(from), context.buffer(from), context.buffer(to), 7));
    }

    private static void copy(RenderGraph graph, int queue, RdgBuffer from, RdgBuffer to) {
        graph.addPass("copy", PassKind.COPY)
                .onQueue(queue)
                .reads(from, Access.COPY_SRC)
                .overwrites(to, Access.COPY_DST)
                .record(context ->
                        context.commands().copyBuffer(context.buffer(from), 0, context.buffer(to), 0, MixKernel.BYTES));
    }

    private static long halves(FramePlan plan) {
        return plan.passes().stream()
                .flatMap(pass -> Stream.concat(pass.before().stream(), pass.after().stream()))
                .filter(barrier -> barrier.ownership() != null)
                .count();
    }

    private static int mixed(int value, int word) {
        return MixKernel.mix(value, value, 7, word);
    }

    @ParameterizedTest
    @EnumSource
    void transientsGoFromQueueToQueue(TestDevice device) {
        device.run(rig -> {
            try (Buffer result = rig.device.createBuffer(
                            "result",
                            BufferDescription.readback(MixKernel.BYTES).withSharing(QueueSharing.EXCLUSIVE));
                    ComputePipeline pipeline = MixKernel.create(rig.device)) {
                for (int frame = 0; frame < FRAMES; frame++) {
                    RenderGraph graph = new RenderGraph("frame");
                    RdgBuffer seed = graph.createBuffer("seed", DATA);
                    RdgBuffer mixed = graph.createBuffer("mixed", DATA);
                    fill(graph, queue(rig.device, QueueKind.COPY), seed, 0, MixKernel.BYTES, frame);
                    mix(graph, queue(rig.device, QueueKind.COMPUTE), pipeline, seed, mixed);
                    mix(graph, 0, pipeline, mixed, seed);
                    copy(graph, queue(rig.device, QueueKind.COPY), seed, graph.registerExternal(result));
                    FramePlan plan = rig.compile(graph);
                    // Nothing is handed over to writes that need no contents; the result comes back.
                    assertThat(halves(plan)).isEqualTo(hasFamilies(rig.device) ? 8 : 0);
                    rig.executor.execute(plan).completed().await();
                    assertThat(RandomFrames.words(result)[5]).isEqualTo(mixed(mixed(frame, 5), 5));
                }
                rig.executor.close();
            }
        });
    }

    /** Though it discards nothing itself, and though the frame before has left the buffer to another family. */
    @ParameterizedTest
    @EnumSource
    void aWriteOfPartsTakesWhatTheFrameBeforeHasLeft(TestDevice device) {
        device.run(rig -> {
            try (Buffer result = rig.device.createBuffer("result", BufferDescription.readback(MixKernel.BYTES))) {
                long part = MixKernel.BYTES / 4;
                for (int frame = 0; frame < FRAMES; frame++) {
                    RenderGraph graph = new RenderGraph("frame");
                    RdgBuffer words = graph.createBuffer("words", DATA);
                    fill(graph, 0, words, part, part, frame);
                    fill(graph, 0, words, 0, 4 * part, 10 + frame);
                    fill(graph, queue(rig.device, QueueKind.COMPUTE), words, 2 * part, part, 20 + frame);
                    copy(graph, queue(rig.device, QueueKind.COPY), words, graph.registerExternal(result));
                    rig.executor.execute(rig.compile(graph)).completed().await();
                    int[] found = RandomFrames.words(result);
                    assertThat(found[0]).isEqualTo(10 + frame);
                    assertThat(found[found.length / 2]).isEqualTo(20 + frame);
                    assertThat(found[found.length - 1]).isEqualTo(10 + frame);
                }
                rig.executor.close();
            }
        });
    }

    /** The plan's barriers and transfers are those of its family, whether it runs or not. */
    @ParameterizedTest
    @EnumSource
    void aFirstWriteThatIsLeftOutTakesWhatTheFrameBeforeHasLeft(TestDevice device) {
        device.run(rig -> {
            try (Buffer result = rig.device.createBuffer("result", BufferDescription.readback(MixKernel.BYTES))) {
                for (int frame = 0; frame < 2 * FRAMES; frame++) {
                    boolean runs = frame == FRAMES - 1;
                    boolean discards = frame < FRAMES;
                    RenderGraph graph = new RenderGraph("frame");
                    RdgBuffer words = graph.createBuffer("words", DATA);
                    PassBuilder maybe = graph.addPass("maybe", PassKind.COPY).onQueue(0);
                    (discards ? maybe.overwrites(words, Access.COPY_DST) : maybe.writes(words, Access.COPY_DST))
                            .onlyIf(() -> runs)
                            .record(context ->
                                    context.commands().fillBuffer(context.buffer(words), 0, MixKernel.BYTES, 5));
                    fill(graph, discards ? 0 : queue(rig.device, QueueKind.COMPUTE), words, 0, MixKernel.BYTES, frame);
                    copy(graph, queue(rig.device, QueueKind.COPY), words, graph.registerExternal(result));
                    rig.executor.execute(rig.compile(graph)).completed().await();
                    assertThat(RandomFrames.words(result)).containsOnly(frame);
                }
                rig.executor.close();
            }
        });
    }

    /** Behind its last write, which is where it is released for being read on the graphics queue. */
    @ParameterizedTest
    @EnumSource
    void whatTheHostReadsIsShownToItAllTheSame(TestDevice device) {
        BufferDescription mapped = new BufferDescription(
                MixKernel.BYTES,
                EnumSet.of(BufferUsage.COPY_DST, BufferUsage.COPY_SRC),
                MemoryUsage.READBACK,
                QueueSharing.EXCLUSIVE);
        device.run(rig -> {
            try (Buffer first = rig.device.createBuffer("first", mapped);
                    Buffer second = rig.device.createBuffer("second", mapped)) {
                for (int frame = 0; frame < FRAMES; frame++) {
                    RenderGraph graph = new RenderGraph("frame");
                    RdgBuffer read = graph.registerExternal(first);
                    fill(graph, queue(rig.device, QueueKind.COMPUTE), read, 0, MixKernel.BYTES, frame);
                    copy(graph, 0, read, graph.registerExternal(second));
                    rig.executor.execute(rig.compile(graph)).completed().await();
                    assertThat(RandomFrames.words(first)[5]).isEqualTo(frame);
                    assertThat(RandomFrames.words(second)[5]).isEqualTo(frame);
                }
                rig.executor.close();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aTextureIsHandedOverWithItsLayout(TestDevice device) {
        device.run(rig -> {
            ByteBuffer texels = ByteBuffer.allocate(16);
            for (int frame = 0; frame < FRAMES; frame++) {
                texels.put(5, (byte) frame);
                RenderGraph graph = new RenderGraph("frame");
                RdgTexture picture = graph.createTexture(
                        "picture",
                        TextureDescription.of(4, 4, Format.R8_UNORM, TextureUsage.SAMPLED)
                                .withSharing(QueueSharing.EXCLUSIVE));
                UploadPasses.texture(graph, picture, texels).onQueue(queue(rig.device, QueueKind.COPY));
                RdgReadback readback = ReadbackPasses.texture(graph, picture);
                FramePlan plan = rig.compile(graph);
                assertThat(halves(plan)).isEqualTo(hasFamilies(rig.device) ? 2 : 0);
                rig.executor.execute(plan).completed().await();
                assertThat(readback.bytes().join()).isEqualTo(texels);
            }
        });
    }

    /** Fresh halves belong to nobody; the graphics queue hands them over all the same. */
    @ParameterizedTest
    @EnumSource
    void historiesAreWithTheGraphicsQueueBetweenFrames(TestDevice device) {
        device.run(rig -> {
            try (BufferHistory history = new BufferHistory(rig.device, "history", Access.STORAGE_READ_COMPUTE, 3);
                    ComputePipeline pipeline = MixKernel.create(rig.device)) {
                int expected = 3;
                for (int frame = 0; frame < FRAMES; frame++) {
                    RenderGraph graph = new RenderGraph("frame");
                    BufferHistory.Frame words = graph.history(history, DATA);
                    mix(graph, queue(rig.device, QueueKind.COMPUTE), pipeline, words.previous(), words.current());
                    RdgReadback readback = ReadbackPasses.buffer(graph, words.current());
                    rig.executor.execute(rig.compile(graph)).completed().await();
                    expected = mixed(expected, 5);
                    assertThat(readback.bytes().join().getInt(5 * 4)).isEqualTo(expected);
                }
                rig.executor.close();
            }
        });
    }

    /** What a frame gives away is with the graphics queue, where the next frame looks for it, whoever wrote it last. */
    @ParameterizedTest
    @EnumSource
    void whatIsExtractedComesBackToTheGraphicsQueue(TestDevice device) {
        device.run(rig -> {
            for (int frame = 0; frame < FRAMES; frame++) {
                RenderGraph making = new RenderGraph("making");
                RdgBuffer made = making.createBuffer("made", DATA);
                fill(making, queue(rig.device, QueueKind.COMPUTE), made, 0, MixKernel.BYTES, frame);
                BufferExtraction extraction = making.extract(made);
                rig.executor.execute(rig.compile(making)).completed().await();
                try (Buffer kept = extraction.buffer()) {
                    RenderGraph using = new RenderGraph("using");
                    RdgBuffer external = using.registerExternal(kept);
                    fill(using, queue(rig.device, QueueKind.COPY), external, 0, 4, frame + 1);
                    RdgReadback readback = ReadbackPasses.buffer(using, external);
                    rig.executor.execute(rig.compile(using)).completed().await();
                    assertThat(readback.bytes().join().getInt(0)).isEqualTo(frame + 1);
                    assertThat(readback.bytes().join().getInt(4)).isEqualTo(frame);
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void immediatePassesHandOverToo(TestDevice device) {
        device.run(RdgDiagnostics.none().withImmediate(true), rig -> {
            try (ComputePipeline pipeline = MixKernel.create(rig.device)) {
                for (int frame = 0; frame < FRAMES; frame++) {
                    RenderGraph graph = rig.begin("frame");
                    RdgBuffer seed = graph.createBuffer("seed", DATA);
                    RdgBuffer mixed = graph.createBuffer("mixed", DATA);
                    fill(graph, queue(rig.device, QueueKind.COPY), seed, 0, MixKernel.BYTES, frame);
                    mix(graph, queue(rig.device, QueueKind.COMPUTE), pipeline, seed, mixed);
                    RdgReadback readback = ReadbackPasses.buffer(graph, mixed);
                    rig.executor.execute(rig.compile(graph)).completed().await();
                    assertThat(readback.bytes().join().getInt(5 * 4)).isEqualTo(mixed(frame, 5));
                }
                rig.executor.close();
            }
        });
    }

    /** Between the passes of a render pass there is no barrier, in what a failed frame submits either. */
    @ParameterizedTest
    @EnumSource
    void aFailedFrameTakesTheTargetsOfARenderPassOnce(TestDevice device) {
        TextureDescription target = TextureDescription.of(4, 4, Format.R8_UNORM, TextureUsage.COLOR_ATTACHMENT)
                .withSharing(QueueSharing.EXCLUSIVE);
        device.run(rig -> {
            RenderGraph graph = new RenderGraph("frame");
            RdgTexture picture = graph.createTexture("picture", target);
            for (String name : List.of("first", "second")) {
                graph.addPass(name, PassKind.RASTER)
                        .color(picture, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                        .flag(PassFlag.NEVER_CULL)
                        .onlyIf(() -> true)
                        .record(context -> {});
            }
            graph.addPass("failing", PassKind.COMPUTE).flag(PassFlag.NEVER_CULL).record(context -> {
                throw new IllegalStateException("made to fail");
            });
            FramePlan plan = rig.compile(graph);
            assertThat(plan.renderPasses())
                    .singleElement()
                    .satisfies(pass -> assertThat(pass.passes()).hasSize(2));
            assertThatThrownBy(() -> rig.executor.execute(plan).completed().await())
                    .hasRootCauseMessage("made to fail");
        });
    }
}
