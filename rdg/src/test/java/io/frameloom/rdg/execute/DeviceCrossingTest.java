package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgSetupTask;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.VirtualDevices;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.utility.DeviceCrossing;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.rdg.utility.UploadPasses;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.testing.TestEffort;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Textures and buffers go from frames of one device to frames of another one, byte for byte. */
@Timeout(value = 100, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DeviceCrossingTest {
    private static final int WIDTH = 16;
    private static final int HEIGHT = 8;
    private static final TextureDescription PICTURE = TextureDescription.of(WIDTH, HEIGHT, Format.R8G8B8A8_UNORM);
    private static final TextureDescription HALF = TextureDescription.of(WIDTH / 2, HEIGHT, Format.R8G8B8A8_UNORM);

    private static ByteBuffer bytes(int count, long seed) {
        byte[] bytes = new byte[count];
        new Random(seed).nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    private static ByteBuffer texels(long frame) {
        return bytes(WIDTH * HEIGHT * 4, frame);
    }

    private static FrameHandle send(TwoDevices two, long frame) {
        RenderGraph graph = two.first.beginGraph("sends");
        RdgTexture picture = graph.createTexture("picture", PICTURE);
        UploadPasses.texture(graph, picture, texels(frame));
        two.crossing.send(graph, picture);
        return two.first.execute(two.compileFirst(graph));
    }

    private static RdgReadback receive(TwoDevices two) {
        RenderGraph graph = two.second.beginGraph("receives");
        RdgTexture target = graph.createTexture("target", PICTURE);
        two.crossing.receive(graph, target);
        RdgReadback seen = ReadbackPasses.texture(graph, target);
        two.second.execute(two.compileSecond(graph));
        return seen;
    }

    private static void assertSeen(RdgReadback seen, long frame) {
        assertThat(seen.bytes().join()).as("frame %d", frame).isEqualTo(texels(frame));
    }

    /** One thread declares the frames of both and never waits for a crossing. */
    @ParameterizedTest
    @EnumSource(TwoDevices.Pair.class)
    void theOtherDeviceGetsWhatWasDrawn(TwoDevices.Pair pair) {
        try (TwoDevices two = pair.open()) {
            assertThat(two.crossing.way())
                    .isEqualTo(
                            pair == TwoDevices.Pair.VULKAN
                                    ? DeviceCrossing.Way.SHARED_MEMORY
                                    : DeviceCrossing.Way.HOST);
            List<RdgReadback> seen = new ArrayList<>();
            for (int frame = 0; frame < 12; frame++) {
                send(two, frame);
                seen.add(receive(two));
            }
            for (int frame = 0; frame < seen.size(); frame++) {
                assertSeen(seen.get(frame), frame);
            }
            // One plan for each piece of shared memory at most.
            assertThat(two.compiler.planReuse().hits()).isGreaterThanOrEqualTo(2 * 12 - 2);
            // So far ahead as is allowed: shared memory is waited for where none is free.
            for (int round = 0; round < 2; round++) {
                for (int frame = 0; frame < 8; frame++) {
                    send(two, 8 * round + frame);
                }
                List<RdgReadback> late = new ArrayList<>();
                for (int frame = 0; frame < 8; frame++) {
                    late.add(receive(two));
                }
                for (int frame = 0; frame < 8; frame++) {
                    assertSeen(late.get(frame), 8 * round + frame);
                }
            }
            half(two);
            buffers(two);
            two.assertClean();
        }
    }

    /** The right half of what was sent arrives in the left half of another picture; in memory of another size. */
    private static void half(TwoDevices two) {
        RenderGraph sends = two.first.beginGraph("half");
        RdgTexture whole = sends.createTexture("whole", PICTURE);
        UploadPasses.texture(sends, whole, texels(3));
        TextureRegion all = TextureRegion.mip(PICTURE, 0);
        two.crossing.send(sends, whole, all.withRectangle(WIDTH / 2, 0, WIDTH / 2, HEIGHT));
        two.first.run(sends);
        RenderGraph receives = two.second.beginGraph("half");
        RdgTexture target = receives.createTexture("target", PICTURE);
        UploadPasses.texture(receives, target, ByteBuffer.allocate(WIDTH * HEIGHT * 4));
        two.crossing.receive(receives, target, all.withRectangle(0, 0, WIDTH / 2, HEIGHT));
        RdgTexture again = receives.createTexture("again", HALF);
        two.crossing.receive(receives, again);
        RdgReadback seen = ReadbackPasses.texture(receives, target);
        RdgReadback seenAgain = ReadbackPasses.texture(receives, again);
        two.second.run(receives);
        ByteBuffer expected = ByteBuffer.allocate(WIDTH * HEIGHT * 4);
        ByteBuffer compact = ByteBuffer.allocate(WIDTH * HEIGHT * 2);
        for (int y = 0; y < HEIGHT; y++) {
            expected.put(y * WIDTH * 4, texels(3), y * WIDTH * 4 + WIDTH * 2, WIDTH * 2);
            compact.put(y * WIDTH * 2, texels(3), y * WIDTH * 4 + WIDTH * 2, WIDTH * 2);
        }
        assertThat(seen.bytes().join()).isEqualTo(expected);
        assertThat(seenAgain.bytes().join()).isEqualTo(compact);
    }

    private static void buffers(TwoDevices two) {
        for (int bytes : new int[] {4096, 64}) {
            RenderGraph sends = two.first.beginGraph("sends words");
            two.crossing.send(sends, UploadPasses.createBuffer(sends, "words", bytes(bytes, bytes)));
            two.first.run(sends);
            RenderGraph receives = two.second.beginGraph("receives words");
            RdgBuffer target = receives.createBuffer("target", BufferDescription.device(bytes));
            two.crossing.receive(receives, target);
            RdgReadback seen = ReadbackPasses.buffer(receives, target);
            two.second.run(receives);
            assertThat(seen.bytes().join()).isEqualTo(bytes(bytes, bytes));
        }
    }

    /** Neither the thread that declares nor the rest of the frame waits for the sending one. */
    @Test
    void nothingElseWaitsForWhatCrosses() {
        try (TwoDevices two = TwoDevices.Pair.VIRTUAL.open()) {
            GraphEvent held = two.tasks.event("held");
            RenderGraph sends = two.first.beginGraph("sends");
            RdgTexture picture = sends.createTexture("picture", PICTURE);
            UploadPasses.texture(sends, picture, texels(1));
            RdgSetupTask hold = sends.setupTask(two.tasks, "hold", () -> {}, held);
            sends.addPass("held", PassKind.COMPUTE)
                    .flag(PassFlag.NEVER_CULL)
                    .after(hold)
                    .record(context -> {});
            two.crossing.send(sends, picture);
            FrameHandle sending = two.first.run(sends);
            RenderGraph receives = two.second.beginGraph("receives");
            GraphEvent recorded = two.tasks.event("recorded");
            receives.addPass("other", PassKind.COMPUTE)
                    .flag(PassFlag.NEVER_CULL)
                    .record(context -> recorded.trigger());
            RdgTexture target = receives.createTexture("target", PICTURE);
            two.crossing.receive(receives, target);
            RdgReadback seen = ReadbackPasses.texture(receives, target);
            FrameHandle receiving = two.second.execute(two.compileSecond(receives));
            recorded.await();
            assertThat(receiving.recorded().isComplete()).isFalse();
            assertThat(sending.completed().isComplete()).isFalse();
            held.trigger();
            assertSeen(seen, 1);
            two.assertClean();
        }
    }

    @Test
    void aFrameThatFailsFailsTheOneThatReceivesAndNoOther() {
        try (TwoDevices two = TwoDevices.Pair.VIRTUAL.open()) {
            RenderGraph sends = two.first.beginGraph("sends");
            RdgTexture picture = sends.createTexture("picture", PICTURE);
            UploadPasses.texture(sends, picture, texels(1));
            sends.addPass("fails", PassKind.COMPUTE).flag(PassFlag.NEVER_CULL).record(context -> {
                throw new IllegalStateException("no camera");
            });
            two.crossing.send(sends, picture);
            FrameHandle failing = two.first.run(sends);
            RdgReadback seen = receive(two);
            assertThatThrownBy(() -> seen.bytes().join())
                    .hasRootCauseMessage("no camera")
                    .hasStackTraceContaining("arrival by crossing picture")
                    .hasStackTraceContaining("'receive target'");
            assertThatThrownBy(() -> failing.completed().await()).hasRootCauseMessage("no camera");
            send(two, 2);
            assertSeen(receive(two), 2);
        }
    }

    @Test
    void theOtherDeviceGoesOnWhenOneIsLost() {
        try (TwoDevices two = TwoDevices.of(
                options -> VirtualDevices.open(new VirtualGpuOptions(1, 5).withLossAt(2), options),
                TwoDevices.virtual(1, 6))) {
            send(two, 0).completed().await();
            FrameHandle lost = send(two, 1);
            assertSeen(receive(two), 0);
            RdgReadback missing = receive(two);
            assertThatThrownBy(() -> missing.bytes().join())
                    .hasStackTraceContaining("arrival by crossing picture")
                    .hasStackTraceContaining("DeviceLostException");
            assertThatThrownBy(() -> lost.completed().await()).hasStackTraceContaining("DeviceLostException");
            RenderGraph alone = two.second.beginGraph("alone");
            RdgReadback words = ReadbackPasses.buffer(alone, UploadPasses.createBuffer(alone, "words", bytes(64, 1)));
            two.second.run(alone);
            assertThat(words.bytes().join()).isEqualTo(bytes(64, 1));
        }
    }

    @Test
    void aPassThatIsRunWhileItIsDeclaredReceivesToo() {
        try (TwoDevices two = TwoDevices.Pair.VIRTUAL.open()) {
            RenderGraphCompiler immediate = new RenderGraphCompiler(
                    RdgOptions.defaults().withDiagnostics(RdgDiagnostics.none().withImmediate(true)));
            for (int frame = 0; frame < 2; frame++) {
                RenderGraph sends = two.first.beginGraph("sends", immediate);
                RdgTexture picture = sends.createTexture("picture", PICTURE);
                UploadPasses.texture(sends, picture, texels(frame));
                two.crossing.send(sends, picture);
                two.first.run(sends);
                RenderGraph receives = two.second.beginGraph("receives", immediate);
                RdgTexture target = receives.createTexture("target", PICTURE);
                two.crossing.receive(receives, target);
                RdgReadback seen = ReadbackPasses.texture(receives, target);
                two.second.run(receives);
                assertSeen(seen, frame);
            }
        }
    }

    @Test
    void whatCannotCrossIsRefusedByName() {
        try (TwoDevices two = TwoDevices.Pair.VIRTUAL.open()) {
            refused(() -> receive(two), IllegalStateException.class, "'picture'", "has nothing for graph 'receives'");
            send(two, 0);
            RenderGraph graph = two.second.beginGraph("wrong");
            RdgTexture half = graph.createTexture("half", HALF);
            refused(
                    () -> two.crossing.receive(graph, half),
                    RdgException.class,
                    "brings 16x8x1 texels of R8G8B8A8_UNORM",
                    "texture 'half' of graph 'wrong' takes 8x8x1");
            RdgTexture other = graph.createTexture("other", TextureDescription.of(WIDTH, HEIGHT, Format.R32_UINT));
            refused(() -> two.crossing.receive(graph, other), RdgException.class, "R32_UINT", "'other'");
            RdgBuffer words = graph.createBuffer("words", BufferDescription.device(64));
            refused(() -> two.crossing.receive(graph, words), RdgException.class, "buffer 'words'", "64 bytes");
            for (int frame = 1; frame < 8; frame++) {
                send(two, frame);
            }
            refused(() -> send(two, 8), IllegalStateException.class, "graph 'sends'", "8 frames have sent");
            assertSeen(receive(two), 0);
            refused(
                    () -> new DeviceCrossing("loop", two.firstDevice, two.firstDevice),
                    IllegalArgumentException.class,
                    "crossing 'loop'",
                    "leads to the device");
            try (TaskGraph tasks = TaskGraph.builder().name("other").workers(1).build();
                    var stranger = TwoDevices.virtual(1, 1).apply(DeviceOptions.of(tasks, "stranger"))) {
                refused(
                        () -> new DeviceCrossing("far", two.firstDevice, stranger),
                        IllegalArgumentException.class,
                        "crossing 'far'",
                        "two task graphs");
            }
            two.crossing.close();
            refused(() -> receive(two), IllegalStateException.class, "graph 'receives' after it was closed");
            refused(() -> send(two, 9), IllegalStateException.class, "graph 'sends' after it was closed");
        }
    }

    private static FramePlan sending(TwoDevices two, FrameExecutor executor) {
        RenderGraph graph = executor.beginGraph("sends");
        RdgTexture picture = graph.createTexture("picture", PICTURE);
        UploadPasses.texture(graph, picture, texels(1));
        two.crossing.send(graph, picture);
        return executor.compile(graph);
    }

    private static FramePlan receiving(TwoDevices two) {
        RenderGraph graph = two.second.beginGraph("receives");
        RdgTexture target = graph.createTexture("target", PICTURE);
        two.crossing.receive(graph, target).flag(PassFlag.NEVER_CULL);
        return two.second.compile(graph);
    }

    @Test
    void aGraphSendsOnceByACrossing() {
        try (TwoDevices two = TwoDevices.Pair.VIRTUAL.open()) {
            RenderGraph graph = two.first.beginGraph("sends");
            RdgTexture picture = graph.createTexture("picture", PICTURE);
            UploadPasses.texture(graph, picture, texels(1));
            two.crossing.send(graph, picture);
            refused(
                    () -> two.crossing.send(graph, picture),
                    IllegalStateException.class,
                    "graph 'sends' would send 'picture' by crossing 'picture'",
                    "a crossing for each");
            two.first.run(graph);
            assertSeen(receive(two), 1);
            // A graph that is declared anew sends anew.
            two.crossing.send(graph.reset("dropped"), graph.createTexture("picture", PICTURE));
            RdgTexture again = graph.reset("sends").createTexture("picture", PICTURE);
            UploadPasses.texture(graph, again, texels(2));
            two.crossing.send(graph, again);
            two.first.run(graph);
            assertSeen(receive(two), 2);
        }
    }

    /** The receiving frame may be over before the sending one, whose memory is then still in use. */
    @Test
    void memoryOfAFrameThatNobodyWaitsForIsKept() {
        try (TwoDevices two = TwoDevices.Pair.VULKAN.open()) {
            GraphEvent held = two.tasks.event("held");
            RenderGraph sends = two.first.beginGraph("sends");
            RdgTexture picture = sends.createTexture("picture", PICTURE);
            UploadPasses.texture(sends, picture, texels(1));
            RdgSetupTask hold = sends.setupTask(two.tasks, "hold", () -> {}, held);
            sends.addPass("held", PassKind.COMPUTE)
                    .flag(PassFlag.NEVER_CULL)
                    .after(hold)
                    .record(context -> {});
            two.crossing.send(sends, picture);
            FrameHandle sending = two.first.execute(two.compileFirst(sends));
            RenderGraph culled = two.second.beginGraph("culled");
            two.crossing.receive(culled, culled.createTexture("unread", PICTURE));
            two.second.run(culled).completed().await();
            RenderGraph words = two.first.beginGraph("words");
            two.crossing.send(words, UploadPasses.createBuffer(words, "words", bytes(64, 2)));
            held.trigger();
            sending.completed().await();
            two.first.run(words).completed().await();
            two.assertClean();
        }
    }

    @Test
    void plansThatCrossInAnotherWayThanDeclaredAreRefused() {
        try (TwoDevices two = TwoDevices.Pair.VIRTUAL.open()) {
            FramePlan astray = sending(two, two.second);
            refused(() -> two.second.execute(astray), RdgException.class, "plan 'sends' sends", "on the other device");
            FramePlan dropped = sending(two, two.first);
            FramePlan sent = sending(two, two.first);
            refused(() -> two.first.execute(dropped), IllegalStateException.class, "another graph was declared since");
            two.first.execute(sent);
            FramePlan received = receiving(two);
            FramePlan late = receiving(two);
            two.second.execute(received).completed().await();
            refused(() -> two.second.execute(late), IllegalStateException.class, "what was received before");
            send(two, 2);
            assertSeen(receive(two), 2);
        }
    }

    private static void refused(Runnable action, Class<? extends Throwable> type, String... words) {
        assertThatThrownBy(action::run).isInstanceOf(type).hasMessageContainingAll(words);
    }

    @Test
    void twoThreadsRunFramesSideBySide() throws InterruptedException {
        sideBySide(TwoDevices.Pair.VIRTUAL, TestEffort.of(40, 1000));
    }

    @Test
    @Tag("thorough")
    void twoThreadsRunManyFramesInSharedMemory() throws InterruptedException {
        sideBySide(TwoDevices.Pair.VULKAN, 1000);
    }

    /** Each device has a thread that declares its frames; the sending one is ahead as far as it may be. */
    private static void sideBySide(TwoDevices.Pair pair, int frames) throws InterruptedException {
        try (TwoDevices two = pair.open()) {
            Semaphore sent = new Semaphore(0);
            Semaphore room = new Semaphore(8);
            AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
            Thread sender = new Thread(
                    () -> {
                        try {
                            for (int frame = 0; frame < frames; frame++) {
                                room.acquire();
                                send(two, frame);
                                sent.release();
                            }
                        } catch (Throwable thrown) {
                            failure.set(thrown);
                            sent.release(frames);
                        }
                    },
                    "first RENDER");
            sender.start();
            List<RdgReadback> seen = new ArrayList<>();
            for (int frame = 0; frame < frames; frame++) {
                sent.acquire();
                assertThat(failure.get()).isNull();
                seen.add(receive(two));
                room.release();
            }
            sender.join();
            for (int frame = 0; frame < frames; frame++) {
                assertSeen(seen.get(frame), frame);
            }
            two.assertClean();
        }
    }
}
