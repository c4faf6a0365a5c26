package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.ExternalPoint;
import io.frameloom.gpu.command.ExternalSemaphore;
import io.frameloom.gpu.command.ExternalTimeline;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.present.SwapchainImage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FrameSync;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.taskgraph.TaskFailedException;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which submissions of a frame wait for and signal somebody else's semaphores. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FrameSyncTest {
    private record Timeline(String name) implements ExternalTimeline {}

    private record Binary(String name) implements ExternalSemaphore {}

    private static final ExternalPoint DRAWN = ExternalPoint.of(new Timeline("engine"), 5);
    private static final ExternalPoint DONE = ExternalPoint.of(new Timeline("done"), 6);
    private static final ExternalPoint ACQUIRED = ExternalPoint.of(new Binary("acquired"));
    private static final ExternalPoint RENDERED = ExternalPoint.of(new Binary("rendered"));

    private final FakeRig rig = FakeRig.graphicsAndCompute();
    private final Buffer picture = rig.device.createBuffer("picture", FakeRig.BUFFER);
    private final Buffer other = rig.device.createBuffer("other", FakeRig.BUFFER);
    private final RenderGraph graph = new RenderGraph("frame");

    @AfterEach
    void close() {
        picture.close();
        other.close();
        rig.close();
    }

    private PassBuilder pass(String name, boolean compute, Buffer buffer, Access access) {
        RdgBuffer external = graph.registerExternal(buffer);
        PassBuilder pass = graph.addPass(name, PassKind.COMPUTE).flag(PassFlag.NEVER_CULL);
        if (compute) {
            pass.flag(PassFlag.ASYNC_COMPUTE);
        }
        return access.writes() ? pass.writes(external, access) : pass.reads(external, access);
    }

    private void use(String name, boolean compute, Buffer buffer, Access access) {
        pass(name, compute, buffer, access).record(context -> context.commands().dispatch(1, 1, 1));
    }

    /** Each pass is a batch: those of one queue are parted by a pass of the other one that comes in between. */
    private FramePlan compile() {
        return rig.compile(graph, RdgOptions.defaults().withPassLimits(1, 1));
    }

    private FrameHandle execute(FrameSync sync) {
        FrameHandle frame = rig.executor.execute(compile(), sync);
        frame.completed().await();
        return frame;
    }

    private static String point(ExternalPoint point) {
        return point.semaphore().name() + (point.isOfTimeline() ? " " + point.value() : "");
    }

    /** Returns each submission as its queue, what it waits for and what it signals. */
    private List<String> submissions() {
        return rig.device.submissions().stream()
                .map(each -> each.queue() + "@" + each.value() + " "
                        + Stream.concat(
                                        each.waits().stream(),
                                        each.submission().externalWaits().stream()
                                                .map(FrameSyncTest::point))
                                .toList()
                        + " "
                        + each.submission().externalSignals().stream()
                                .map(FrameSyncTest::point)
                                .toList())
                .toList();
    }

    @Test
    void theWholeFrameWaitsOnEachQueueAndIsSignalledByTheBatchThatFollowsAll() {
        use("first", false, other, Access.STORAGE_READ_COMPUTE);
        use("async", true, picture, Access.STORAGE_WRITE_COMPUTE);
        use("last", false, picture, Access.STORAGE_READ_COMPUTE);
        FrameHandle frame = execute(FrameSync.none().waitFor(DRAWN).signal(DONE));
        assertThat(submissions())
                .containsExactlyInAnyOrder(
                        "graphics@1 [engine 5] []", "queue1@1 [engine 5] []", "graphics@2 [queue1@1] [done 6]");
        assertThat(frame.points())
                .containsExactly(new TimelinePoint(rig.device.queue(0), 2), new TimelinePoint(rig.device.queue(1), 1));
    }

    @Test
    void onlyTheUsesOfAResourceWaitForItAndAreWaitedFor() {
        use("first", false, other, Access.STORAGE_WRITE_COMPUTE);
        use("picture", true, picture, Access.STORAGE_WRITE_COMPUTE);
        use("more of it", true, picture, Access.STORAGE_WRITE_COMPUTE);
        use("last", false, other, Access.STORAGE_READ_COMPUTE);
        execute(FrameSync.none().waitFor(DRAWN, picture).signal(DONE, picture).signal(RENDERED, other));
        assertThat(submissions()).containsExactlyInAnyOrder("graphics@1 [] [rendered]", "queue1@1 [engine 5] [done 6]");
    }

    /** It has one wait, for which the other queue waits. */
    @Test
    void oneQueueWaitsForABinarySemaphoreAndTheOthersForThatOne() {
        use("read", true, picture, Access.STORAGE_READ_COMPUTE);
        use("read as well", false, picture, Access.STORAGE_READ_COMPUTE);
        execute(FrameSync.none().waitFor(ACQUIRED, picture).waitFor(DRAWN, picture));
        List<String> first = List.of("graphics@1 [acquired, engine 5] []", "queue1@1 [graphics@1, engine 5] []");
        List<String> second = List.of("queue1@1 [acquired, engine 5] []", "graphics@1 [queue1@1, engine 5] []");
        assertThat(submissions()).isIn(first, second);
    }

    /** None of the two last uses follows the other. */
    @Test
    void usesThatEndOnSeveralQueuesAreSignalledAfterTheFrame() {
        use("read", true, picture, Access.STORAGE_READ_COMPUTE);
        use("read as well", false, picture, Access.STORAGE_READ_COMPUTE);
        execute(FrameSync.none().signal(DONE, picture).signal(RENDERED));
        assertThat(submissions().subList(0, 2)).containsExactlyInAnyOrder("graphics@1 [] []", "queue1@1 [] []");
        assertThat(submissions().subList(2, 4))
                .containsExactly("graphics@2 [queue1@1] [done 6]", "graphics@3 [queue1@1] [rendered]");
    }

    @Test
    void aWaitAndASignalHaveTheirStages() {
        int stages = PipelineStage.COMPUTE_SHADER.bit();
        use("write", false, picture, Access.STORAGE_WRITE_COMPUTE);
        execute(FrameSync.none().waitFor(DRAWN.at(stages)).signal(DONE.at(stages)));
        assertThat(rig.device.submissions()).singleElement().satisfies(each -> {
            assertThat(each.submission().externalWaits()).containsExactly(DRAWN.at(stages));
            assertThat(each.submission().externalSignals()).containsExactly(DONE.at(stages));
        });
    }

    @Test
    void aFrameWithoutWorkWaitsAndSignals() {
        graph.registerExternal(picture);
        execute(FrameSync.none()
                .waitFor(ACQUIRED, picture)
                .waitFor(DRAWN)
                .signal(DONE)
                .signal(RENDERED, picture));
        assertThat(submissions())
                .containsExactly("graphics@1 [acquired, engine 5] [done 6]", "graphics@2 [] [rendered]");
    }

    @Test
    void aFrameThatFailsWaitsAndSignalsAllTheSame() {
        pass("write", false, picture, Access.STORAGE_WRITE_COMPUTE).record(context -> {
            throw new IllegalArgumentException("no picture");
        });
        FramePlan plan = compile();
        FrameHandle frame = rig.executor.execute(
                plan, FrameSync.none().waitFor(ACQUIRED, picture).signal(DONE).signal(RENDERED));
        assertThatThrownBy(() -> frame.completed().await())
                .isInstanceOf(TaskFailedException.class)
                .hasStackTraceContaining("no picture");
        assertThat(submissions())
                .containsExactly("graphics@1 [acquired] []", "graphics@2 [] [done 6]", "graphics@3 [] [rendered]");
        assertThat(frame.points()).containsExactly(new TimelinePoint(rig.device.queue(0), 3));
    }

    /** What was submitted has waited and signalled. */
    @Test
    void aFrameThatFailsHalfWayDoesWhatIsLeft() {
        use("first", true, picture, Access.STORAGE_WRITE_COMPUTE);
        pass("second", false, picture, Access.STORAGE_READ_COMPUTE).record(context -> {
            while (rig.device.submissions().isEmpty()) {
                Thread.onSpinWait();
            }
            throw new IllegalArgumentException("no picture");
        });
        FramePlan plan = compile();
        FrameHandle frame = rig.executor.execute(
                plan, FrameSync.none().waitFor(ACQUIRED).signal(DONE, picture).signal(RENDERED));
        assertThatThrownBy(() -> frame.completed().await()).isInstanceOf(TaskFailedException.class);
        assertThat(submissions())
                .containsExactly(
                        "queue1@1 [acquired] []",
                        "graphics@1 [queue1@1] []",
                        "graphics@2 [queue1@1] [done 6]",
                        "graphics@3 [queue1@1] [rendered]");
    }

    @Test
    void aSignalThatTheDeviceRefusesKeepsNoOther() {
        use("write", false, picture, Access.STORAGE_WRITE_COMPUTE);
        FramePlan plan = compile();
        rig.device.queue(0).refuse(new GpuException("goes backwards"), 0);
        FrameHandle frame = rig.executor.execute(
                plan, FrameSync.none().waitFor(ACQUIRED).signal(DONE).signal(RENDERED));
        assertThatThrownBy(() -> frame.completed().await()).hasStackTraceContaining("goes backwards");
        assertThat(submissions())
                .containsExactly("graphics@1 [acquired] []", "graphics@2 [] [done 6]", "graphics@3 [] [rendered]");
        rig.device.submissions().clear();
        rig.device.queue(0).refuse(new GpuException("goes backwards"), 1);
        graph.reset("next");
        use("read", true, picture, Access.STORAGE_READ_COMPUTE);
        use("read as well", false, picture, Access.STORAGE_READ_COMPUTE);
        FrameHandle next =
                rig.executor.execute(compile(), FrameSync.none().signal(DONE).signal(RENDERED));
        assertThatThrownBy(() -> next.completed().await()).hasStackTraceContaining("goes backwards");
        assertThat(submissions()).last().asString().endsWith("[rendered]");
    }

    @Test
    void whatCannotBeIsRefusedBeforeAnythingIsLaunched() {
        use("write", false, picture, Access.STORAGE_WRITE_COMPUTE);
        FramePlan plan = compile();
        assertThatThrownBy(() -> rig.executor.execute(plan, FrameSync.none().waitFor(DRAWN, other)))
                .isInstanceOf(RdgException.class)
                .hasMessageContaining("plan 'frame'")
                .hasMessageContaining("wait for semaphore 'engine' for 'other'");
        assertThatThrownBy(() -> rig.executor.execute(plan, FrameSync.none().signal(DONE, other)))
                .isInstanceOf(RdgException.class)
                .hasMessageContaining("signal semaphore 'done' for 'other'");
        assertThatThrownBy(() -> FrameSync.none().waitFor(ACQUIRED).waitFor(ACQUIRED, picture))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'acquired' twice");
        assertThatThrownBy(() -> FrameSync.none().signal(DONE).signal(DONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'done' twice");
        assertThat(rig.device.submissions()).isEmpty();
    }

    private static void refused(ThrowableAssert.ThrowingCallable call, String... parts) {
        assertThatThrownBy(call)
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .contains(parts);
    }

    @Test
    void aFrameDoesNotWaitForItsOwnSignal() {
        ExternalTimeline engine = new Timeline("engine");
        FrameSync waits = FrameSync.none().waitFor(ExternalPoint.of(engine, 2));
        refused(() -> waits.signal(ExternalPoint.of(engine, 2)), "waits for value 2 of timeline 'engine'");
        refused(() -> waits.signal(ExternalPoint.of(engine, 1), picture), "to be 1");
        FrameSync gates = FrameSync.none().waitFor(ExternalPoint.of(engine, 2), picture);
        refused(() -> gates.signal(ExternalPoint.of(engine, 2), picture), "lower value");
        assertThat(gates.signal(ExternalPoint.of(engine, 2), other).signals()).hasSize(1);
        assertThat(waits.signal(ExternalPoint.of(engine, 3)).signals()).hasSize(1);
    }

    @Test
    void onePointOfTwoNamesIsOne() {
        record Imported(String name, long nativeHandle) implements ExternalSemaphore {}
        FrameSync once = FrameSync.none().waitFor(ExternalPoint.of(new Imported("first", 7)));
        refused(() -> once.waitFor(ExternalPoint.of(new Imported("second", 7))), "'second' twice", "also as 'first'");
        assertThat(once.waitFor(ExternalPoint.of(new Imported("second", 8))).waits())
                .hasSize(2);
    }

    @Test
    void aPointHasStages() {
        refused(() -> DRAWN.at(PipelineStage.NONE), "semaphore 'engine'", "at least one, got 0");
        refused(() -> DRAWN.at(-1), "got -1");
    }

    @Test
    void aSemaphoreOfAnotherDeviceIsRefused() {
        use("write", false, picture, Access.STORAGE_WRITE_COMPUTE);
        FramePlan plan = compile();
        ExternalPoint foreign = ExternalPoint.of(new Timeline("of another device"), 1);
        for (FrameSync sync :
                List.of(FrameSync.none().waitFor(foreign), FrameSync.none().signal(foreign))) {
            assertThatThrownBy(() -> rig.executor.execute(plan, sync))
                    .isInstanceOf(RdgException.class)
                    .hasMessageContaining("semaphore 'of another device', which is of another device");
        }
        rig.executor.execute(plan).completed().await();
    }

    @Test
    void whatAPassOfTheHostUsesHasNoSemaphore() {
        use("write", false, picture, Access.STORAGE_WRITE_COMPUTE);
        try (Buffer mapped = rig.device.createBuffer("mapped", BufferDescription.upload(64, BufferUsage.COPY_SRC))) {
            graph.addPass("fill", PassKind.HOST)
                    .flag(PassFlag.NEVER_CULL)
                    .writes(graph.registerExternal(mapped), Access.HOST_WRITE)
                    .run(context -> {});
            FramePlan plan = compile();
            for (FrameSync sync : List.of(
                    FrameSync.none().waitFor(DRAWN, mapped), FrameSync.none().signal(DRAWN, mapped))) {
                assertThatThrownBy(() -> rig.executor.execute(plan, sync))
                        .isInstanceOf(RdgException.class)
                        .hasMessageContaining("'engine' for 'mapped', but pass 'fill' of the host uses that");
            }
            rig.executor
                    .execute(plan, FrameSync.none().waitFor(DRAWN, picture))
                    .completed()
                    .await();
        }
    }

    /** It is not known which batches use it, so all of them wait. */
    @Test
    void anImageOfASwapchainStandsForTheWholeFrame() {
        FakeSwapchain chain = new FakeSwapchain(rig.device, "chain", 1);
        SwapchainImage image = chain.next();
        RdgTexture target = graph.registerExternal(image);
        graph.addPass("draw", PassKind.RASTER)
                .color(target, LoadOp.CLEAR, FakeRig.CLEAR)
                .record(context -> {});
        execute(FrameSync.none()
                .presenting(image)
                .waitFor(DRAWN, image.texture())
                .signal(DONE, image.texture()));
        assertThat(submissions()).singleElement().asString().contains("engine 5", "done 6");
    }

    @Test
    void passesOfImmediateModeCannotWait() {
        RenderGraphCompiler compiler = new RenderGraphCompiler(
                RdgOptions.defaults().withDiagnostics(RdgDiagnostics.none().withImmediate(true)));
        RenderGraph immediate = rig.executor.beginGraph("immediate", compiler);
        FramePlan plan = compiler.compile(immediate, QueueTopology.of(rig.device), MemorySizer.of(rig.device));
        assertThatThrownBy(() -> rig.executor.execute(plan, FrameSync.none().waitFor(DRAWN)))
                .isInstanceOf(RdgException.class)
                .hasMessageContaining("'immediate' would wait for semaphore 'engine'")
                .hasMessageContaining("wait on the host");
        rig.executor.execute(plan, FrameSync.none().signal(DONE)).completed().await();
        assertThat(submissions()).containsExactly("graphics@1 [] [done 6]");
    }

    @Test
    void pointsAreThereWhenTheFrameIsSubmitted() {
        pass("write", false, picture, Access.STORAGE_WRITE_COMPUTE).record(context -> {});
        rig.device.setCompletesAtOnce(false);
        FrameHandle frame = rig.executor.execute(compile());
        frame.submitted().await();
        assertThat(frame.points()).containsExactly(new TimelinePoint(rig.device.queue(0), 1));
        rig.device.completeAll();
        rig.device.setCompletesAtOnce(true);
    }
}
