package io.frameloom.gpu.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.device.Retired;
import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.MemoryStatistics.Allocation;
import io.frameloom.gpu.resource.MemoryStatistics.Kind;
import io.frameloom.gpu.virtual.memory.VirtualBudget;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How the virtual device finds memory where there is none. */
@Timeout(60)
class VirtualMemoryPressureTest {
    private static final int WORDS = 1 << 16;
    private static final Allocation HALF = new Allocation("half", Kind.BUFFER, 0, WORDS * 2L);

    @Test
    void aKernelThatDoesNotEndIsNotWaitedForWithoutEnd() {
        HeldDispatch held = new HeldDispatch();
        try (VirtualRig rig = new VirtualRig(new VirtualGpuOptions(1, 1), null, 4L * WORDS)) {
            Buffer data = rig.buffer("data", WORDS);
            TimelinePoint point = held.submit(rig, data);
            data.close();
            assertThatThrownBy(() -> rig.buffer("wanted", WORDS))
                    .isInstanceOf(GpuOutOfMemoryException.class)
                    .hasMessageContaining("buffer 'wanted'");
            held.release();
            rig.await(point);
            rig.buffer("wanted", WORDS);
        }
    }

    @Test
    void whatTheOptionsRefuseIsRefusedWhateverIsClosed() {
        HeldDispatch held = new HeldDispatch();
        held.release();
        try (VirtualRig rig = new VirtualRig(new VirtualGpuOptions(1, 1).withOutOfMemoryAt(2), null)) {
            Buffer data = rig.buffer("data", WORDS);
            held.submit(rig, data);
            data.close();
            assertThatThrownBy(() -> rig.buffer("wanted", WORDS))
                    .isInstanceOf(GpuOutOfMemoryException.class)
                    .hasMessageContaining("the options of the virtual device");
        }
    }

    @Test
    void whatTheJvmHasNoMemoryForIsTriedOnceMoreIfAnythingWasDestroyed() {
        Retired retired = new Retired();
        VirtualBudget budget = new VirtualBudget(4L * WORDS, retired);
        List<String> tries = new ArrayList<>();
        Object made = budget.allocate("make it", HALF, () -> {
            tries.add("made");
            if (tries.size() == 1) {
                // As another thread may, for there is nothing to wait for here.
                retired.add(() -> tries.add("destroyed"));
                throw new OutOfMemoryError("none left");
            }
            return tries;
        });
        assertThat(made).isSameAs(tries);
        assertThat(tries).containsExactly("made", "destroyed", "made");
        assertThatThrownBy(() -> budget.allocate("make it", HALF, () -> {
                    tries.add("refused");
                    throw new OutOfMemoryError("none left");
                }))
                .isInstanceOf(GpuOutOfMemoryException.class)
                .hasMessageContaining("the JVM has not enough memory left");
        assertThat(tries).endsWith("made", "refused");
        assertThat(budget.statistics().bytes()).isEqualTo(HALF.bytes());
    }
}
