package io.frameloom.gpu.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.MemoryHeap;
import io.frameloom.gpu.virtual.VirtualGpuOptions.Order;
import io.frameloom.testing.TestEffort;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * How well wrong programs show: random correct programs on three queues with aliasing buffers are run as they are, and
 * without each barrier and wait that is needed, as the hazard checker says. A wrong one has to give wrong bytes.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class VirtualAdversityTest {
    private static final int PROGRAMS = TestEffort.of(4, 8);
    private static final int SEEDS = TestEffort.of(8, 20);
    private static final int WORDS = 64;
    private static final long BYTES = WORDS * 4L;

    /** One pass: a fill, or an addition of a buffer to another. */
    private record Step(int queue, @Nullable Integer source, int target, int factor) {}

    private static List<Step> steps(SplittableRandom random) {
        List<Step> steps = new ArrayList<>();
        boolean[] filled = new boolean[4];
        for (int i = 0; i < 10; i++) {
            int target = random.nextInt(4);
            int source = random.nextInt(4);
            for (int tries = 0; tries < 8 && !(addable(target, source) && filled[target] && filled[source]); tries++) {
                target = random.nextInt(4);
                source = random.nextInt(4);
            }
            // A fill hides whatever went wrong before, so there are as few as can be.
            boolean add = addable(target, source) && filled[target] && filled[source];
            int queue = random.nextInt(add ? 2 : 3);
            steps.add(new Step(queue, add ? source : null, target, 1 + random.nextInt(9)));
            if (!add) {
                filled[target] = true;
                if (target >= 2) {
                    filled[5 - target] = false;
                }
            }
        }
        return steps;
    }

    /** Buffers 2 and 3 share their memory: a fill of one takes it from the other. */
    private static boolean addable(int target, int source) {
        return target != source && target + source != 5;
    }

    /** What came out, how much can be left out, and whether the hazard checker has something to say. */
    private record Result(List<Integer> words, int removable, boolean hazards) {}

    /** Runs the steps with everything between them but the barrier or wait of a number. */
    private static Result run(List<Step> steps, int without, VirtualGpuOptions options) {
        HazardChecker checker = new HazardChecker();
        try (VirtualRig rig = new VirtualRig(options, checker)) {
            BufferDescription shape =
                    BufferDescription.device(BYTES, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);
            MemoryHeap heap = rig.keep(rig.device.createHeap("heap", 1024, 1));
            List<Buffer> buffers = List.of(
                    rig.buffer("a", WORDS),
                    rig.buffer("b", WORDS),
                    rig.keep(heap.placeBuffer("c", shape, 0)),
                    rig.keep(heap.placeBuffer("d", shape, 0)));
            Buffer result = rig.readback("result", 4 * BYTES);
            TimelinePoint[] last = new TimelinePoint[3];
            int[] stages = new int[3];
            int number = 0;
            for (Step step : steps) {
                int access = step.source == null ? PipelineStage.COPY.bit() : PipelineStage.COMPUTE_SHADER.bit();
                List<Submission.Wait> waits = new ArrayList<>();
                boolean ordered = false;
                for (int q = 0; q < 3; q++) {
                    if (q == step.queue && last[q] != null) {
                        ordered = number++ != without;
                    } else if (last[q] != null && number++ != without) {
                        waits.add(new Submission.Wait(last[q], access));
                    }
                }
                boolean barrier = ordered;
                int before = stages[step.queue];
                last[step.queue] = rig.submit(rig.queue(step.queue), waits, list -> {
                    if (barrier) {
                        list.barrier(barrier(before, access));
                    }
                    record(rig, list, buffers, step);
                });
                stages[step.queue] |= access;
            }
            GpuQueue reader = rig.queue(0);
            List<Submission.Wait> all = new ArrayList<>();
            for (TimelinePoint point : last) {
                if (point != null) {
                    all.add(VirtualRig.wait(point));
                }
            }
            rig.await(rig.submit(reader, all, list -> {
                for (int i = 0; i < 4; i++) {
                    list.copyBuffer(buffers.get(i), 0, result, i * BYTES, BYTES);
                }
                list.barrier(VirtualRig.toHost());
            }));
            rig.device.waitIdle();
            return new Result(
                    Arrays.stream(rig.words(result)).boxed().toList(),
                    number,
                    !checker.hazards().isEmpty());
        }
    }

    private static void record(VirtualRig rig, CommandList list, List<Buffer> buffers, Step step) {
        Buffer target = buffers.get(step.target);
        Integer source = step.source;
        if (source == null) {
            rig.fillPass(list, "fill", target, step.factor);
        } else {
            rig.scalePass(list, "add", buffers.get(source), target, WORDS, step.factor);
        }
    }

    private static BarrierBatch barrier(int from, int to) {
        int writes = (from & PipelineStage.COPY.bit()) != 0 ? MemoryAccess.COPY_WRITE.bit() : 0;
        writes |= (from & PipelineStage.COMPUTE_SHADER.bit()) != 0 ? MemoryAccess.STORAGE_WRITE.bit() : 0;
        return new BarrierBatch(
                List.of(),
                List.of(),
                List.of(new BarrierBatch.GlobalBarrier(new BarrierBatch.Scope(
                        from, writes, to, MemoryAccess.MEMORY_READ.bit() | MemoryAccess.MEMORY_WRITE.bit()))));
    }

    @Test
    void whatIsMissingShows() {
        int needed = 0;
        int shownInReverse = 0;
        int shownBySomeSeed = 0;
        int runsThatShow = 0;
        for (int program = 0; program < PROGRAMS; program++) {
            List<Step> steps = steps(new SplittableRandom(program));
            VirtualGpuOptions options = new VirtualGpuOptions(3, 1);
            Result right = run(steps, -1, options.withOrder(Order.IN_ORDER));
            assertThat(right.hazards).as("program %d", program).isFalse();
            assertThat(run(steps, -1, options.withOrder(Order.REVERSE)).words).isEqualTo(right.words);
            for (int n = 0; n < right.removable; n++) {
                Result reverse = run(steps, n, options.withOrder(Order.REVERSE));
                if (!reverse.hazards) {
                    assertThat(reverse.words)
                            .as("program %d without %d", program, n)
                            .isEqualTo(right.words);
                    continue;
                }
                needed++;
                shownInReverse += reverse.words.equals(right.words) ? 0 : 1;
                int shown = 0;
                for (int seed = 0; seed < SEEDS; seed++) {
                    Result random = run(steps, n, options.withSeed(seed));
                    shown += random.words.equals(right.words) ? 0 : 1;
                }
                shownBySomeSeed += shown > 0 ? 1 : 0;
                runsThatShow += shown;
            }
        }
        assertThat(shownInReverse)
                .as("of %d that are needed, %d show by some seed", needed, shownBySomeSeed)
                .isGreaterThanOrEqualTo(shownBySomeSeed);
        // The others are overwritten by a fill before anybody looks.
        assertThat(shownInReverse).as("of %d that are needed", needed).isGreaterThan(needed * 3 / 4);
        assertThat(runsThatShow)
                .as("runs of %d seeds each of %d programs that are wrong and can show it", SEEDS, shownBySomeSeed)
                .isGreaterThan(shownBySomeSeed * SEEDS / 2);
        assertThat(needed).isGreaterThan(20);
    }
}
