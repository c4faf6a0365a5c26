package io.frameloom.gpu.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.GpuTimeline;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.transfer.Readbacks;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** One thread, one seed: the same order, whatever the program asks and however long the virtual GPU takes. */
class VirtualDeterminismTest {
    private static final int BYTES = 1 << 16;

    private static VirtualGpuOptions options() {
        return new VirtualGpuOptions(2, 7).withCostPercent(0);
    }

    @Test
    void whatAProgramIsToldOfProgressDependsOnTheSeedAlone() {
        Set<List<String>> orders = new HashSet<>();
        for (int run = 0; run < 10; run++) {
            List<String> order = new CopyOnWriteArrayList<>();
            List<String> answers = new ArrayList<>();
            try (VirtualRig rig = new VirtualRig(options(), null)) {
                rig.device.onExecuted(order::add);
                GpuTimeline timeline = rig.queue(0).timeline();
                Buffer data = rig.buffer("data", BYTES / 4);
                for (int i = 0; i < 40; i++) {
                    int word = i;
                    rig.submit(rig.queue(0), List.of(), list -> rig.fillPass(list, "fill", data, word));
                    if (i % 3 == 0) {
                        answers.add("completed " + timeline.completed());
                    }
                }
                rig.device.waitIdle();
            }
            answers.addAll(order);
            orders.add(answers);
        }
        assertThat(orders).hasSize(1);
    }

    @Test
    void readbacksUseTheSameMemoryInEveryRun() {
        Set<Long> staging = new HashSet<>();
        for (int run = 0; run < 10; run++) {
            try (VirtualRig rig = new VirtualRig(options(), null)) {
                Buffer data = rig.keep(
                        rig.device.createBuffer("data", BufferDescription.device(BYTES, BufferUsage.COPY_SRC)));
                try (Readbacks readbacks = new Readbacks(rig.device, rig.queue(0), "reads", 16L << 20)) {
                    for (int i = 0; i < 60; i++) {
                        readbacks.read(data, 0, BYTES).close();
                    }
                    rig.device.waitIdle();
                    staging.add(rig.device.memoryStatistics().allocations().stream()
                            .filter(allocation -> allocation.name().startsWith("reads"))
                            .count());
                }
            }
        }
        assertThat(staging).hasSize(1);
    }

    @Test
    void aKernelThatWaitsForWhoAsksDoesNotHangIt() {
        HeldDispatch held = new HeldDispatch();
        List<String> told = new CopyOnWriteArrayList<>();
        try (VirtualRig rig = new VirtualRig(1, 1, null)) {
            GpuTimeline timeline = rig.queue(0).timeline();
            long value = held.submit(rig, rig.buffer("data", 1)).value();
            CompletableFuture<@Nullable Void> whenDone = timeline.reached(value)
                    .toCompletableFuture()
                    .thenRun(() -> told.add(Thread.currentThread().getName()));
            assertThat(timeline.completed()).isZero();
            held.release();
            whenDone.join();
        }
        // Not the thread that answers: what is done here may wait for who asks.
        assertThat(told).containsExactly("virtual-gpu-events");
    }
}
