package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.rdg.BufferHistory;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.utility.ClearPasses;
import io.frameloom.rdg.utility.ReadbackPasses;
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
