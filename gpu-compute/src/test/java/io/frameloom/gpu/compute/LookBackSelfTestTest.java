package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuTimeline;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.testing.TestEffort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which kinds of scans the self-test judges, and that neither others nor the clock make its verdict. */
class LookBackSelfTestTest {
    private static final Duration LONG = Duration.ofSeconds(100);
    private static final LookBackProbe.Waiting PATIENT = (timeline, value) -> timeline.await(value, LONG);
    private static final ScanOperator SUM = ScanOperator.sum(ElementType.U32);
    /** Small tiles, which are tested in no time. */
    private static final ScanOptions SMALL =
            ScanOptions.of(ScanVariant.LOOK_BACK).withTile(32, 4);

    private static void withDevice(VirtualGpuOptions options, int spareWorkers, Consumer<GpuDevice> body) {
        try (TaskGraph tasks = TaskGraph.builder()
                        .name("self-test")
                        .workers(1)
                        .spareWorkers(spareWorkers)
                        .build();
                GpuDevice device = GpuDevices.open(
                        new DeviceSelector.Virtual(options),
                        new DeviceOptions(tasks, "self-test", false, null, SharedPrograms.CACHE))) {
            body.accept(device);
        }
    }

    private static void withDevice(Consumer<GpuDevice> body) {
        withDevice(new VirtualGpuOptions(1, 3), 0, body);
    }

    @ParameterizedTest
    @EnumSource
    void devicesPass(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            for (int words : TestEffort.share(List.of(1, 4, 2, 3), 0, 2)) {
                for (boolean segmented : TestEffort.share(List.of(false, true), words % 2 == 1 ? 0 : 1, 2)) {
                    List<ScanOptions> forms = words == 1 && !segmented
                            ? List.of(SMALL, ScanOptions.DEFAULT, ScanOptions.DEFAULT.withoutSubgroups())
                            : List.of(SMALL);
                    for (ScanOptions options : forms) {
                        ScanOperator operator = ProbeOperators.of(words);
                        assertThat(LookBackSelfTest.passes(rig.device, operator, segmented, options, PATIENT))
                                .as("%d words, segmented: %s, %s", words, segmented, options)
                                .isTrue();
                    }
                }
            }
        }
    }

    /** What one kind has shown says nothing of others. In the usual run tiles of other sizes are of one type alone. */
    @Test
    void everyKindIsJudgedByItself() {
        withDevice(device -> {
            Set<ScanShape> kinds = new HashSet<>();
            List<Long> submissions = new ArrayList<>();
            GpuTimeline timeline = device.queues().get(0).timeline();
            for (ElementType type : List.of(ElementType.U32, ElementType.U64, ElementType.U32X3, ElementType.U32X4)) {
                ScanOperator operator = ProbeOperators.of(type.words());
                for (boolean segmented : new boolean[] {false, true}) {
                    boolean allTiles = TestEffort.isThorough() || type == ElementType.U32;
                    for (ScanOptions options :
                            allTiles ? List.of(SMALL, SMALL.withTile(64, 4), SMALL.withTile(32, 8)) : List.of(SMALL)) {
                        kinds.add(LookBackSelfTest.kind(device, operator, segmented, options));
                        assertThat(LookBackSelfTest.passes(device, operator, segmented, options, PATIENT))
                                .isTrue();
                        submissions.add(timeline.submitted());
                    }
                }
            }
            assertThat(kinds).hasSize(submissions.size()).hasSize(TestEffort.of(12, 24));
            assertThat(submissions).doesNotHaveDuplicates();
            // The operator is not part of a kind, and a kind is tested once.
            long before = timeline.submitted();
            assertThat(LookBackSelfTest.passes(device, ScanOperator.max(ElementType.F32), false, SMALL, PATIENT))
                    .isTrue();
            assertThat(LookBackSelfTest.passes(device, ScanOperator.max(ElementType.U64), true, SMALL, PATIENT))
                    .isTrue();
            assertThat(timeline.submitted()).isEqualTo(before);
        });
    }

    @Test
    void aKindThatFailsLeavesOthersAlone() {
        withDevice(device -> {
            LookBackSelfTest.decide(device, LookBackSelfTest.kind(device, SUM, true, SMALL), false);
            assertThat(LookBackSelfTest.passes(device, SUM, true, SMALL, PATIENT))
                    .isFalse();
            assertThat(LookBackSelfTest.passes(device, SUM, false, SMALL, PATIENT))
                    .isTrue();
        });
    }

    /** Any tile that is missing, there twice or in another place shows in everything behind it. */
    @Test
    void operatorsTellWhatATileDid() {
        for (int words = 1; words <= 4; words++) {
            ScanOperator operator = ProbeOperators.of(words);
            CpuOperator cpu = operator.cpu();
            int n = 200;
            int[][] elements = new int[n][words];
            for (int i = 0; i < n; i++) {
                for (int w = 0; w < words; w++) {
                    elements[i][w] = ProbeOperators.word(i, w);
                }
            }
            List<Integer> order = new ArrayList<>();
            for (int i = 0; i < n; i++) {
                order.add(i);
            }
            int[] right = fold(operator, elements, order);
            for (int i = 0; i + 1 < n; i++) {
                List<Integer> missing = new ArrayList<>(order);
                missing.remove(i);
                List<Integer> twice = new ArrayList<>(order);
                twice.add(i, i);
                List<Integer> swapped = new ArrayList<>(order);
                swapped.set(i, i + 1);
                swapped.set(i + 1, i);
                assertThat(List.of(
                                fold(operator, elements, missing),
                                fold(operator, elements, twice),
                                fold(operator, elements, swapped)))
                        .as("%d words, element %d", words, i)
                        .doesNotContain(right);
                int[] left = elements[i].clone();
                cpu.combine(left, 0, operator.identity(), 0, left, 0);
                assertThat(left).isEqualTo(elements[i]);
                int[] identity = operator.identity();
                cpu.combine(identity, 0, elements[i], 0, identity, 0);
                assertThat(identity).isEqualTo(elements[i]);
            }
        }
    }

    private static int[] fold(ScanOperator operator, int[][] elements, List<Integer> order) {
        int[] sum = operator.identity();
        for (int i : order) {
            operator.cpu().combine(sum, 0, elements[i], 0, sum, 0);
        }
        return sum;
    }

    /** A device that was busy is asked again. */
    @Test
    void lateIsNoVerdict() {
        withDevice(device -> {
            LookBackProbe.Waiting late = (timeline, value) -> {
                timeline.await(value, LONG);
                return false;
            };
            for (int i = 1; i < LookBackSelfTest.MOST_ATTEMPTS; i++) {
                assertThat(LookBackSelfTest.passes(device, SUM, false, SMALL, late))
                        .isFalse();
            }
            assertThat(LookBackSelfTest.passes(device, SUM, false, SMALL, PATIENT))
                    .isTrue();
            assertThat(LookBackSelfTest.passes(device, SUM, false, SMALL, late)).isTrue();
        });
    }

    @Test
    void whatIsLateAgainAndAgainIsGivenUp() {
        withDevice(device -> {
            List<Long> waits = new ArrayList<>();
            LookBackProbe.Waiting lateAtTheEnd = (timeline, value) -> {
                waits.add(value);
                return timeline.await(value, LONG) && waits.size() % 3 != 0;
            };
            for (int i = 0; i < 2 * LookBackSelfTest.MOST_ATTEMPTS; i++) {
                assertThat(LookBackSelfTest.passes(device, SUM, false, SMALL, lateAtTheEnd))
                        .isFalse();
            }
            assertThat(waits).hasSize(3 * LookBackSelfTest.MOST_ATTEMPTS);
            assertThat(LookBackSelfTest.passes(device, SUM, false, SMALL, PATIENT))
                    .isFalse();
        });
    }

    /** Nothing is submitted behind work that does not end. */
    @Test
    void behindWorkThatDoesNotEndNothingIsSubmitted() {
        withDevice(device -> {
            GpuTimeline timeline = device.queues().get(0).timeline();
            for (int i = 0; i < LookBackSelfTest.MOST_ATTEMPTS; i++) {
                assertThat(LookBackSelfTest.passes(device, SUM, false, SMALL, (any, value) -> false))
                        .isFalse();
            }
            assertThat(timeline.submitted()).isZero();
        });
    }

    /** The wait for the test's own submission begins when everything before it is done. */
    @Test
    void theTimeOfOthersDoesNotCount() {
        withDevice(device -> {
            GpuTimeline timeline = device.queues().get(0).timeline();
            List<FrameContext> frames = new ArrayList<>();
            List<Long> own = new ArrayList<>();
            // Others submit while the test waits for what was there before it.
            LookBackProbe.Waiting others = (any, value) -> {
                if (frames.isEmpty()) {
                    frames.add(submitNothing(device));
                    return any.await(value, LONG);
                }
                boolean last = value == any.submitted();
                if (last) {
                    own.add(value);
                    assertThat(any.completed()).isGreaterThanOrEqualTo(value - 1);
                }
                return any.await(value, LONG);
            };
            assertThat(LookBackSelfTest.passes(device, SUM, false, SMALL, others))
                    .isTrue();
            assertThat(own).containsExactly(timeline.submitted());
            frames.forEach(FrameContext::close);
        });
    }

    private static FrameContext submitNothing(GpuDevice device) {
        FrameContext frame = device.createFrameContext("others");
        CommandList list = frame.beginCommands(device.queues().get(0), "others");
        list.end();
        device.queues().get(0).submit(new Submission("others", List.of(list), List.of()));
        return frame;
    }

    /** While the only worker waits for the test, a spare one runs its tasks. */
    @Test
    void aWorkerThatWaitsIsReplaced() {
        withDevice(new VirtualGpuOptions(1, 3), 1, device -> {
            TaskGraph tasks = device.taskGraph();
            CountDownLatch ran = new CountDownLatch(1);
            LookBackProbe.Waiting untilAnotherTaskRan = (timeline, value) -> {
                tasks.task("other", ran::countDown).dispatch();
                try {
                    return ran.await(60, TimeUnit.SECONDS) && timeline.await(value, LONG);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return false;
                }
            };
            boolean[] passed = new boolean[1];
            GraphEvent asking = tasks.task(
                            "asking",
                            () -> passed[0] = LookBackSelfTest.passes(device, SUM, false, SMALL, untilAnotherTaskRan))
                    .dispatch();
            asking.await();
            assertThat(passed[0]).isTrue();
        });
    }

    /** The loss is the caller's to hear of, and everything is closed then, or the device could not be. */
    @Test
    void aLossLeavesNothingOpen() {
        withDevice(
                new VirtualGpuOptions(1, 3).withLossAt(1),
                0,
                device -> assertThatThrownBy(() -> LookBackSelfTest.passes(device, SUM, false, SMALL, PATIENT))
                        .isInstanceOf(DeviceLostException.class));
    }
}
