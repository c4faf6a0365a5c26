package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.rdg.BufferHistory;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.utility.ClearPasses;
import io.frameloom.rdg.utility.ReadbackPasses;
import java.lang.ref.WeakReference;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order in which frames with a history are declared and executed. */
class HistoryFramesTest {
    /** Halves are taken when a frame is declared: one that was declared too early would read those of a former frame. */
    @Test
    void aFrameDeclaredBeforeTheFormerOneWasExecutedIsRefused() {
        TestDevice.VIRTUAL.run(rig -> {
            try (BufferHistory history = new BufferHistory(rig.device, "particles", Access.STORAGE_READ_COMPUTE, 7)) {
                FramePlan abandoned = rig.compile(stepping(history, 64, true));
                FramePlan first = rig.compile(stepping(history, 64, true));
                FramePlan early = rig.compile(stepping(history, 64, true));
                FramePlan idle = rig.compile(stepping(history, 64, false));
                // Nobody has written it yet.
                rig.executor.execute(idle).completed().await();
                rig.executor.execute(first).completed().await();
                for (FramePlan stale : List.of(abandoned, early)) {
                    assertThatThrownBy(() -> rig.executor.execute(stale))
                            .isInstanceOf(RdgException.class)
                            .hasMessageContainingAll(
                                    "history 'particles'", "HistoryFramesTest.java", "after the former");
                }
                FramePlan narrow = rig.compile(stepping(history, 64, true));
                FramePlan wide = rig.compile(stepping(history, 128, true));
                assertThatThrownBy(() -> rig.executor.execute(narrow))
                        .isInstanceOf(RdgException.class)
                        .hasMessageContaining("in another shape");
                rig.executor.execute(wide).completed().await();
                assertThat(history.hasContents()).isTrue();
                rig.executor.close();
            }
        });
    }

    /** So that a program which stops using a history is not left with all that the last frame has recorded with. */
    @Test
    void aHistoryKeepsNothingOfTheLastFrameThatUsedIt() {
        TestDevice.VIRTUAL.run(rig -> {
            try (BufferHistory history = new BufferHistory(rig.device, "particles", Access.STORAGE_READ_COMPUTE, 7)) {
                WeakReference<PassBody> body = executeOnce(rig, history);
                for (int i = 0; i < 4; i++) {
                    rig.executor.execute(rig.compile(filling(i))).completed().await();
                }
                collect(body);
                assertThat(body.get()).isNull();
                WeakReference<PassBody> last = executeOnce(rig, history);
                rig.executor.close();
                collect(last);
                assertThat(last.get()).isNull();
            }
        });
    }

    private static void collect(WeakReference<PassBody> body) {
        for (int i = 0; i < 100 && body.get() != null; i++) {
            System.gc();
        }
    }

    private static WeakReference<PassBody> executeOnce(DeviceRig rig, BufferHistory history) {
        int[] runs = new int[1];
        PassBody body = context -> runs[0]++;
        RenderGraph graph = stepping(history, 64, true);
        RdgBuffer buffer = graph.createBuffer("buffer", BufferDescription.device(64, BufferUsage.STORAGE));
        graph.addPass("body", PassKind.COMPUTE)
                .overwrites(buffer, Access.STORAGE_WRITE_COMPUTE)
                .flag(PassFlag.NEVER_CULL)
                .record(body);
        rig.executor.execute(rig.compile(graph)).completed().await();
        return new WeakReference<>(body);
    }

    private static RenderGraph filling(int value) {
        RenderGraph graph = new RenderGraph("frame without", RdgOptions.defaults());
        RdgBuffer buffer = graph.createBuffer("buffer", BufferDescription.device(64, BufferUsage.STORAGE));
        ClearPasses.buffer(graph, buffer, value);
        ReadbackPasses.buffer(graph, buffer);
        return graph;
    }

    /** Replaced halves are freed when the frames that use them are over, and no sooner. */
    @Test
    void replacedHalvesOutliveTheFramesThatUseThem() {
        TestDevice.VIRTUAL.run(rig -> {
            try (BufferHistory history = new BufferHistory(rig.device, "particles", Access.STORAGE_READ_COMPUTE, 7)) {
                for (int frame = 1; frame < 10; frame++) {
                    rig.executor.execute(rig.compile(stepping(history, 64 * frame, true)));
                }
                rig.executor
                        .execute(rig.compile(stepping(history, 64, true)))
                        .completed()
                        .await();
                rig.executor
                        .execute(rig.compile(stepping(history, 128, true)))
                        .completed()
                        .await();
                // Those of the last shape wait for the next one, all others are gone.
                assertThat(rig.device.memoryStatistics().allocations())
                        .filteredOn(each -> each.name().startsWith("particles "))
                        .hasSize(4);
                rig.executor.close();
            }
        });
    }

    /** A history outlives its graph, which completes the usage of transients alone. */
    @Test
    void usageThatTheShapeLacksIsRefused() {
        TestDevice.VIRTUAL.run(rig -> {
            try (BufferHistory history = new BufferHistory(rig.device, "particles", Access.STORAGE_READ_COMPUTE, 7)) {
                RenderGraph graph = new RenderGraph("frame");
                BufferHistory.Frame halves = graph.history(history, BufferDescription.device(64));
                graph.addPass("draw", PassKind.COMPUTE)
                        .reads(halves.previous(), Access.INDIRECT)
                        .record(context -> {});
                assertThatThrownBy(() -> rig.compile(graph))
                        .isInstanceOf(RdgException.class)
                        .hasMessageContainingAll(
                                "'draw'", "INDIRECT", "'particles (previous)'", "describe the history");
            }
        });
    }

    private static RenderGraph stepping(BufferHistory history, int bytes, boolean writes) {
        RenderGraph graph = new RenderGraph("frame", RdgOptions.defaults().withDebug(true));
        BufferHistory.Frame halves =
                graph.history(history, BufferDescription.device(bytes, BufferUsage.STORAGE, BufferUsage.COPY_SRC));
        if (writes) {
            ClearPasses.buffer(graph, halves.current(), 1);
        } else {
            ReadbackPasses.buffer(graph, halves.previous());
        }
        return graph;
    }
}
