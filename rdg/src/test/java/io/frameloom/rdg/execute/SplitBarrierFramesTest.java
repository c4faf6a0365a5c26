package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.PlanPolicy;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What frames with split barriers record and create, on a device that executes nothing. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SplitBarrierFramesTest {
    private static final RdgOptions SPLIT = RdgOptions.defaults()
            .withPassLimits(1, 1)
            .withAliasing(false)
            .withPolicy(PlanPolicy.defaults().withSplitBarriers(true));

    /** So many buffers are filled, and then read in the same order. */
    private static FramePlan plan(FakeRig rig, Buffer result, int buffers, @Nullable BooleanSupplier condition) {
        RenderGraph graph = new RenderGraph("split");
        RdgBuffer out = graph.registerExternal(result);
        RdgBuffer[] made = new RdgBuffer[buffers];
        for (int i = 0; i < buffers; i++) {
            made[i] = graph.createBuffer("b" + i, FakeRig.BUFFER);
            PassBuilder pass = graph.addPass("fill " + i, PassKind.COPY).overwrites(made[i], Access.COPY_DST);
            (condition == null ? pass : pass.onlyIf(condition)).record(context -> {});
        }
        for (int i = 0; i < buffers; i++) {
            PassBuilder pass = graph.addPass("read " + i, PassKind.COPY)
                    .reads(made[i], Access.COPY_SRC)
                    .writes(out, Access.COPY_DST);
            (condition == null ? pass : pass.onlyIf(condition)).record(context -> {});
        }
        return rig.compile(graph, SPLIT);
    }

    private static List<String> halves(FakeRig rig) {
        return rig.device.submissions().get(rig.device.submissions().size() - 1).operations().stream()
                .filter(operation ->
                        operation.startsWith("set ") || operation.startsWith("wait ") || operation.startsWith("pass "))
                .toList();
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            if (!latch.await(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("latch was not released");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static Buffer result(FakeRig rig) {
        return rig.device.createBuffer("result", BufferDescription.readback(1024));
    }

    @Test
    void theHalvesAreBehindTheProducerAndBeforeTheConsumer() {
        try (FakeRig rig = FakeRig.graphics();
                Buffer result = result(rig)) {
            rig.executor.execute(plan(rig, result, 2, null)).completed().await();
            assertThat(halves(rig))
                    .containsExactly(
                            "pass fill 0",
                            "set 0 b0",
                            "pass fill 1",
                            "set 1 b1",
                            "wait 0 b0",
                            "pass read 0",
                            "wait 1 b1",
                            "pass read 1");
        }
    }

    /** A pass that its condition leaves out keeps its barriers, and so their halves. */
    @Test
    void passesThatAreLeftOutKeepTheirHalves() {
        try (FakeRig rig = FakeRig.graphics();
                Buffer result = result(rig)) {
            boolean[] runs = {false};
            FramePlan plan = plan(rig, result, 2, () -> runs[0]);
            rig.executor.execute(plan).completed().await();
            List<String> without = halves(rig);
            runs[0] = true;
            rig.executor.execute(plan).completed().await();
            assertThat(without).contains("set 0 b0", "wait 0 b0");
            assertThat(halves(rig)).filteredOn(line -> !line.startsWith("pass")).isEqualTo(without);
        }
    }

    /** Whether the layout has changed nobody knows when the event was set and nobody waits for it. */
    @Test
    void whatIsBetweenItsHalvesWhenAFrameStopsStillGetsTheSecond() {
        try (FakeRig rig = FakeRig.graphicsAndCompute();
                Texture picture = rig.device.createTexture("picture", FakeRig.TARGET);
                Buffer result = rig.readback()) {
            RenderGraph graph = new RenderGraph("stopped");
            RdgTexture target = graph.registerExternal(picture, TextureLayout.UNDEFINED);
            graph.finalAccess(target, Access.SAMPLED_FRAGMENT);
            RdgBuffer data = graph.createBuffer("data", FakeRig.BUFFER);
            RdgBuffer made = graph.createBuffer("made", FakeRig.BUFFER);
            RdgBuffer out = graph.registerExternal(result);
            graph.addPass("draw", PassKind.RASTER)
                    .color(target, LoadOp.CLEAR, FakeRig.CLEAR)
                    .record(context -> {});
            graph.addPass("fill", PassKind.COPY)
                    .overwrites(data, Access.COPY_DST)
                    .record(context -> {});
            graph.addPass("simulate", PassKind.COMPUTE)
                    .reads(data, Access.STORAGE_READ_COMPUTE)
                    .overwrites(made, Access.STORAGE_WRITE_COMPUTE)
                    .flag(PassFlag.ASYNC_COMPUTE)
                    .record(context -> {});
            graph.addPass("take", PassKind.COPY)
                    .reads(made, Access.COPY_SRC)
                    .reads(target, Access.COPY_SRC)
                    .overwrites(out, Access.COPY_DST)
                    .record(context -> {
                        awaitLatch(rig.device.firstSubmission());
                        throw new IllegalArgumentException("no space");
                    });
            FrameHandle stopped = rig.executor.execute(rig.compile(graph, SPLIT));
            assertThatThrownBy(() -> stopped.completed().await()).hasRootCauseMessage("no space");
            List<FakeQueue.Submitted> submissions = rig.device.submissions();
            assertThat(submissions.get(0).operations())
                    .containsSubsequence("pass draw", "set 0 picture COLOR->TRANSFER_SRC", "pass fill")
                    .noneMatch(operation -> operation.startsWith("wait"));
            assertThat(submissions.get(submissions.size() - 1).operations())
                    .contains("wait 0 picture COLOR->TRANSFER_SRC", "barrier picture TRANSFER_SRC->SHADER_RO")
                    .noneMatch(operation -> operation.startsWith("pass"));
        }
    }

    @Test
    void aRepeatedPlanTakesItsEventsBackAndMakesNone() {
        try (FakeRig rig = FakeRig.graphics();
                Buffer result = result(rig)) {
            FramePlan plan = plan(rig, result, 5, null);
            for (int frame = 0; frame < 3; frame++) {
                rig.executor.execute(plan).completed().await();
            }
            int created = rig.device.created();
            for (int frame = 0; frame < 50; frame++) {
                rig.executor.execute(plan);
            }
            assertThat(rig.device.created()).isEqualTo(created);
        }
    }

    /** Each slot has a set of its own, and one that is too small goes. */
    @Test
    void aLargerFrameTakesALargerSet() {
        FrameExecutorOptions one = FrameExecutorOptions.defaults().withFramesInFlight(1);
        try (FakeRig rig = new FakeRig(2, one, QueueKind.GRAPHICS);
                Buffer result = result(rig)) {
            rig.executor.execute(plan(rig, result, 2, null)).completed().await();
            rig.device.refuseEvents();
            FramePlan larger = plan(rig, result, 6, null);
            assertThatThrownBy(() -> rig.executor.execute(larger)).hasMessageContaining("no events");
            rig.executor.execute(larger).completed().await();
            rig.executor.execute(plan(rig, result, 2, null)).completed().await();
            assertThat(rig.device.open())
                    .filteredOn(FakeDevice.FakeEvents.class::isInstance)
                    .singleElement()
                    .satisfies(events ->
                            assertThat(((FakeDevice.FakeEvents) events).count()).isEqualTo(6));
        }
    }

    @Test
    void closingFreesTheEvents() {
        FakeRig rig = FakeRig.graphics();
        try (rig;
                Buffer result = result(rig)) {
            rig.executor.execute(plan(rig, result, 3, null));
            rig.executor.close();
            assertThat(rig.device.open()).containsExactly(result);
        }
        rig.device.close();
    }
}
