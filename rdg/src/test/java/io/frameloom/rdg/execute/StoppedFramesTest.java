package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.QueueSharing;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.rdg.BufferHistory;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassContext;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.VirtualDevices;
import io.frameloom.rdg.utility.ReadbackPasses;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Frames that stop between two queue families leave what outlives them with the family of the graphics queue, in the layout
 * that was planned, with what the submitted passes have written. The hazard checker watches those and the frames behind them.
 */
class StoppedFramesTest {
    private static final int GRAPHICS = 0;
    private static final int COMPUTE = 1;
    private static final int COPY = 2;
    private static final int NEVER = Integer.MAX_VALUE;
    private static final int PART = 64;
    private static final int PARTS = 5;
    private static final int OLD = 9;

    private static final BufferDescription WORDS = BufferDescription.device(
                    PARTS * PART, BufferUsage.STORAGE, BufferUsage.COPY_DST, BufferUsage.COPY_SRC)
            .withSharing(QueueSharing.EXCLUSIVE);
    private static final TextureDescription PICTURE = TextureDescription.of(
                    4, 4, Format.R8_UNORM, TextureUsage.SAMPLED, TextureUsage.COPY_DST, TextureUsage.COPY_SRC)
            .withMips(3)
            .withSharing(QueueSharing.EXCLUSIVE);

    private static void run(Consumer<DeviceRig> scenario) {
        try (DeviceRig rig = new DeviceRig(
                2,
                FrameExecutorOptions.defaults(),
                RdgOptions.defaults().withPassLimits(1, 1),
                false,
                options -> VirtualDevices.open(new VirtualGpuOptions(3, 5), options))) {
            scenario.accept(rig);
            rig.assertClean();
        }
    }

    /** A graph, one of whose passes fails when all batches before its own have been submitted. */
    private static final class Chain {
        private final DeviceRig rig;
        private final RenderGraph graph = new RenderGraph("chain");
        private final int stop;
        private int passes;
        private long before;
        private @Nullable FramePlan plan;

        Chain(DeviceRig rig, int stop) {
            this.rig = rig;
            this.stop = stop;
        }

        private PassBuilder pass(int queue) {
            return graph.addPass("pass " + passes++, PassKind.COPY)
                    .onQueue(queue)
                    .flag(PassFlag.NEVER_CULL);
        }

        private PassBody orStop(PassBody body) {
            int pass = passes - 1;
            return pass == stop ? this::stop : body;
        }

        private void stop(PassContext context) {
            int batch = Objects.requireNonNull(plan).batches().stream()
                    .filter(each -> each.passes().contains(stop))
                    .findFirst()
                    .orElseThrow()
                    .index();
            while (submitted() < before + batch) {
                Thread.onSpinWait();
            }
            throw new IllegalStateException("made to fail");
        }

        private long submitted() {
            return rig.device.queues().stream()
                    .mapToLong(queue -> queue.timeline().submitted())
                    .sum();
        }

        /** Writes one part and needs the others. */
        void change(int queue, RdgBuffer target, int part, int value) {
            pass(queue)
                    .writes(target, Access.COPY_DST)
                    .record(orStop(context ->
                            context.commands().fillBuffer(context.buffer(target), (long) part * PART, PART, value)));
        }

        /** Writes some parts and needs nothing of what they were. */
        void overwrite(int queue, RdgBuffer target, int part, int parts, int value) {
            long offset = (long) part * PART;
            long bytes = (long) parts * PART;
            pass(queue)
                    .overwrites(target, offset, bytes, Access.COPY_DST)
                    .record(orStop(
                            context -> context.commands().fillBuffer(context.buffer(target), offset, bytes, value)));
        }

        /** Writes one texel of a mip, and needs the others. */
        void change(int queue, RdgTexture target, int mip, RdgBuffer source, int part) {
            pass(queue)
                    .reads(source, Access.COPY_SRC)
                    .writes(target, SubresourceRange.mip(mip), Access.COPY_DST)
                    .record(orStop(context -> context.commands()
                            .copyBufferToTexture(
                                    context.buffer(source), (long) part * PART, context.texture(target), mip, 0)));
        }

        FrameHandle execute() {
            plan = rig.compile(graph);
            before = submitted();
            return rig.executor.execute(plan);
        }

        FrameHandle executeAndStop() {
            FrameHandle handle = execute();
            assertThatThrownBy(() -> handle.completed().await()).hasRootCauseMessage("made to fail");
            return handle;
        }
    }

    /** Five passes that go from family to family and back. */
    private static Chain changing(DeviceRig rig, Buffer buffer, int stop, int value) {
        Chain chain = new Chain(rig, stop);
        RdgBuffer words = chain.graph.registerExternal(buffer);
        chain.change(GRAPHICS, words, 0, value);
        chain.change(COMPUTE, words, 1, value);
        chain.change(COPY, words, 2, value);
        chain.change(COMPUTE, words, 3, value);
        chain.change(GRAPHICS, words, 4, value);
        return chain;
    }

    private static void fill(DeviceRig rig, Buffer buffer, int value) {
        Chain chain = new Chain(rig, NEVER);
        chain.overwrite(GRAPHICS, chain.graph.registerExternal(buffer), 0, PARTS, value);
        chain.execute().completed().await();
    }

    private static int[] firstWords(DeviceRig rig, Buffer buffer) {
        RenderGraph graph = new RenderGraph("result");
        RdgReadback readback = ReadbackPasses.buffer(graph, graph.registerExternal(buffer));
        rig.executor.execute(rig.compile(graph)).completed().await();
        ByteBuffer bytes = readback.bytes().join();
        int[] words = new int[PARTS];
        for (int part = 0; part < PARTS; part++) {
            words[part] = bytes.getInt(part * PART);
        }
        return words;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4})
    void aBufferComesBackWithWhatWasWritten(int stop) {
        run(rig -> {
            try (Buffer buffer = rig.device.createBuffer("words", WORDS)) {
                fill(rig, buffer, OLD);
                changing(rig, buffer, stop, 1).executeAndStop();
                int[] expected = new int[PARTS];
                for (int part = 0; part < PARTS; part++) {
                    expected[part] = part < stop ? 1 : OLD;
                }
                assertThat(firstWords(rig, buffer)).isEqualTo(expected);
                changing(rig, buffer, NEVER, 2).execute().completed().await();
                assertThat(firstWords(rig, buffer)).containsOnly(2);
                rig.executor.close();
            }
        });
    }

    /** What is launched behind a frame before that fails is recorded for a buffer that the graphics queue has. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void framesInFlightBehindItFindTheBufferWhereTheyExpectIt(int stop) {
        run(rig -> {
            try (Buffer buffer = rig.device.createBuffer("words", WORDS)) {
                fill(rig, buffer, OLD);
                FrameHandle stopped = changing(rig, buffer, stop, 1).execute();
                FrameHandle behind = changing(rig, buffer, NEVER, 2).execute();
                assertThatThrownBy(() -> stopped.completed().await()).hasRootCauseMessage("made to fail");
                behind.completed().await();
                assertThat(firstWords(rig, buffer)).containsOnly(2);
                rig.executor.close();
            }
        });
    }

    /** A family that overwrites takes the bytes without a transfer, and takes them as well where the pass does not run. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4})
    void bytesThatWereTakenWithoutATransferComeBackAsWell(int stop) {
        run(rig -> {
            try (Buffer buffer = rig.device.createBuffer("words", WORDS)) {
                fill(rig, buffer, OLD);
                Chain chain = new Chain(rig, stop);
                RdgBuffer words = chain.graph.registerExternal(buffer);
                chain.overwrite(COMPUTE, words, 0, 3, 1);
                chain.overwrite(COPY, words, 1, 3, 2);
                chain.overwrite(GRAPHICS, words, 2, 1, 3);
                chain.change(COMPUTE, words, 0, 4);
                chain.overwrite(GRAPHICS, words, 0, PARTS, 5);
                chain.executeAndStop();
                // The last pass discards all of it, also where it does not run.
                changing(rig, buffer, NEVER, 6).execute().completed().await();
                assertThat(firstWords(rig, buffer)).containsOnly(6);
                rig.executor.close();
            }
        });
    }

    private static int[] firstTexels(DeviceRig rig, Texture texture) {
        RenderGraph graph = new RenderGraph("result");
        RdgTexture picture = graph.registerExternal(texture, TextureLayout.SHADER_RO);
        graph.finalAccess(picture, Access.SAMPLED_COMPUTE);
        RdgReadback[] readbacks = new RdgReadback[PICTURE.mips()];
        for (int mip = 0; mip < readbacks.length; mip++) {
            readbacks[mip] = ReadbackPasses.texture(graph, picture, TextureRegion.mip(PICTURE, mip));
        }
        rig.executor.execute(rig.compile(graph)).completed().await();
        int[] texels = new int[readbacks.length];
        for (int mip = 0; mip < texels.length; mip++) {
            texels[mip] = readbacks[mip].bytes().join().get(0);
        }
        return texels;
    }

    /** Mips go their own ways, and end in another layout than they began in. */
    private static Chain picturing(DeviceRig rig, Buffer buffer, Texture texture, TextureLayout layout, int stop) {
        Chain chain = new Chain(rig, stop);
        RdgBuffer source = chain.graph.registerExternal(buffer);
        RdgTexture picture = chain.graph.registerExternal(texture, layout);
        chain.graph.finalAccess(picture, Access.SAMPLED_COMPUTE);
        chain.change(COMPUTE, picture, 0, source, 0);
        chain.change(GRAPHICS, picture, 1, source, 1);
        chain.change(COPY, picture, 1, source, 2);
        chain.change(COMPUTE, picture, 1, source, 3);
        chain.change(GRAPHICS, picture, 2, source, 4);
        return chain;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4})
    void mipsComeBackInTheLayoutThatWasPlanned(int stop) {
        run(rig -> {
            try (Buffer buffer = rig.device.createBuffer("source", WORDS.withSharing(QueueSharing.CONCURRENT));
                    Texture texture = rig.device.createTexture("picture", PICTURE)) {
                fill(rig, buffer, OLD);
                picturing(rig, buffer, texture, TextureLayout.UNDEFINED, NEVER)
                        .execute()
                        .completed()
                        .await();
                Chain refill = new Chain(rig, NEVER);
                RdgBuffer source = refill.graph.registerExternal(buffer);
                for (int part = 0; part < PARTS; part++) {
                    refill.change(GRAPHICS, source, part, part + 1);
                }
                refill.execute().completed().await();
                picturing(rig, buffer, texture, TextureLayout.SHADER_RO, stop).executeAndStop();
                int[][] expected = {{OLD, OLD, OLD}, {1, OLD, OLD}, {1, 2, OLD}, {1, 3, OLD}, {1, 4, OLD}};
                assertThat(firstTexels(rig, texture)).isEqualTo(expected[stop]);
                picturing(rig, buffer, texture, TextureLayout.SHADER_RO, NEVER)
                        .execute()
                        .completed()
                        .await();
                assertThat(firstTexels(rig, texture)).containsExactly(1, 4, 5);
                rig.executor.close();
            }
        });
    }

    /** The halves of a history change places all the same. */
    @Test
    void aHistoryIsStillTheGraphicsQueuesBehindAFrameThatStopped() {
        run(rig -> {
            try (BufferHistory history = new BufferHistory(rig.device, "history", Access.COPY_SRC, OLD)) {
                for (int stop : new int[] {NEVER, 1, NEVER, 0, NEVER}) {
                    Chain chain = new Chain(rig, stop);
                    BufferHistory.Frame words = chain.graph.history(history, WORDS);
                    chain.overwrite(COMPUTE, words.current(), 0, PARTS, 1);
                    chain.change(COPY, words.current(), 0, 2);
                    FrameHandle handle = chain.execute();
                    if (stop == NEVER) {
                        handle.completed().await();
                    } else {
                        assertThatThrownBy(() -> handle.completed().await()).hasRootCauseMessage("made to fail");
                    }
                }
                rig.executor.close();
            }
        });
    }

    /**
     * The next frame takes it anew, wherever it is; but a driver's layers would find its next release to be the second one in a
     * row.
     */
    @Test
    void whatEndsWithTheFrameIsAcquiredAndGoesNowhere() {
        try (FakeRig rig = FakeRig.graphicsAndCompute()) {
            RenderGraph graph = new RenderGraph("stopped");
            RdgBuffer data = graph.createBuffer("data", FakeRig.BUFFER.withSharing(QueueSharing.EXCLUSIVE));
            graph.addPass("fill", PassKind.COPY)
                    .overwrites(data, Access.COPY_DST)
                    .record(context -> {});
            graph.addPass("simulate", PassKind.COMPUTE)
                    .onQueue(COMPUTE)
                    .writes(data, Access.STORAGE_READ_WRITE_COMPUTE)
                    .flag(PassFlag.NEVER_CULL)
                    .record(context -> {
                        while (rig.device.submissions().isEmpty()) {
                            Thread.onSpinWait();
                        }
                        throw new IllegalStateException("made to fail");
                    });
            FrameHandle stopped = rig.executor.execute(rig.compile(graph));
            assertThatThrownBy(() -> stopped.completed().await()).hasRootCauseMessage("made to fail");
            assertThat(rig.device.submissions())
                    .extracting(FakeQueue.Submitted::queue)
                    .containsExactly("graphics", "queue1");
            assertThat(rig.device.submissions().get(1).operations()).containsExactly("barrier data");
        }
    }
}
