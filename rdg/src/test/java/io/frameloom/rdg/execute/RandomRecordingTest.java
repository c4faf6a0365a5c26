package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.QueueKind;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.RecordedModels;
import io.frameloom.rdg.diagnostics.RecordingMode;
import io.frameloom.testing.TestEffort;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Random graphs submit the same on any number of workers and in whatever order their groups are recorded. */
class RandomRecordingTest {
    private static final List<Integer> WORKERS = List.of(1, 2, 3, 8);
    private static final int GRAPHS = 50;
    private static final int SCHEDULES = TestEffort.of(10, 50);

    /** How the bodies of one frame are held up; the submissions must not tell. */
    private interface Schedule {
        void recorded(int pass) throws InterruptedException;
    }

    /** One graph on one device, executed again and again. */
    private static final class Run {
        private final FakeRig rig;
        private final FramePlan plan;
        private final Map<String, Integer> passes = new HashMap<>();
        private final Set<Integer> called = ConcurrentHashMap.newKeySet();
        private volatile Schedule schedule = called::add;

        Run(FakeRig rig, RecordedModels model) {
            this.rig = rig;
            plan = model.compile(pass -> {
                try {
                    schedule.recorded(Objects.requireNonNull(passes.get(pass)));
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            plan.passes().forEach(pass -> passes.put(pass.name(), pass.index()));
        }

        /** Returns what a frame submits, waits relative to what was submitted before. */
        List<String> submitted(Schedule by) {
            schedule = by;
            Map<String, Long> before = new HashMap<>();
            rig.device
                    .queues()
                    .forEach(queue -> before.put(queue.name(), queue.timeline().submitted()));
            rig.device.submissions().clear();
            rig.executor.execute(plan).completed().await();
            List<String> log = new ArrayList<>();
            for (FakeQueue.Submitted each : rig.device.submissions()) {
                List<String> waits = each.submission().waits().stream()
                        .map(wait -> wait.point().queue().name()
                                + (wait.point().value()
                                        - Objects.requireNonNull(
                                                before.get(wait.point().queue().name())))
                                + " at " + wait.stages())
                        .toList();
                log.add(each.queue() + " " + each.submission().label() + " " + waits + " " + each.operations());
            }
            return log;
        }

        /** Returns the passes with bodies that ran of each group that has some, behind {@link #submitted} by no schedule. */
        List<List<Integer>> groups() {
            List<List<Integer>> groups = new ArrayList<>();
            for (FramePlan.RecordingGroup group : plan.recordingGroups()) {
                groups.add(group.passes().stream().filter(called::contains).toList());
            }
            return groups;
        }
    }

    @Test
    void submissionsDependOnNeitherWorkersNorSchedule() {
        int forced = 0;
        int executed = 0;
        int several = 0;
        List<Long> seeds = new ArrayList<>();
        Map<Long, List<String>> wanted = new HashMap<>();
        for (int workers : WORKERS) {
            for (long seed = 0; workers == WORKERS.get(0) ? seeds.size() < GRAPHS : seed < GRAPHS; seed++) {
                long graph = workers == WORKERS.get(0) ? seed : seeds.get((int) seed);
                // Short groups may share a task, where the order of their ends is not free.
                boolean alone = graph % 2 == 0;
                RecordingMode mode = alone ? RecordingMode.STRESS : RecordingMode.PARALLEL;
                // The fake device takes timestamps outside of render passes alone.
                FrameExecutorOptions oneSlot =
                        FrameExecutorOptions.defaults().withFramesInFlight(1).withCollectTimestamps(false);
                try (FakeRig rig =
                                new FakeRig(workers, oneSlot, QueueKind.GRAPHICS, QueueKind.COMPUTE, QueueKind.COPY);
                        RecordedModels model = new RecordedModels(rig.device, graph, mode)) {
                    if (!model.isSteady()) {
                        continue;
                    }
                    Run run = new Run(rig, model);
                    // The first frames have none before them, or one that had none.
                    run.submitted(run.called::add);
                    run.submitted(run.called::add);
                    List<String> log = run.submitted(run.called::add);
                    List<String> first = wanted.putIfAbsent(graph, log);
                    if (first == null) {
                        seeds.add(graph);
                        several += run.groups().size() > 1 ? 1 : 0;
                    } else {
                        assertThat(log)
                                .as("seed %d, %d workers", graph, workers)
                                .isEqualTo(first);
                    }
                    for (int i = 0; i < SCHEDULES; i++) {
                        Random random = new Random(graph * SCHEDULES + i);
                        Turns turns = alone ? Turns.of(run, workers, random) : null;
                        assertThat(run.submitted(turns == null ? heldBack(random) : turns))
                                .as("seed %d, %d workers, schedule %d", graph, workers, i)
                                .isEqualTo(log);
                        if (turns != null) {
                            assertThat(turns.finished).isEqualTo(turns.order);
                            forced++;
                        }
                        executed++;
                    }
                }
            }
        }
        assertThat(executed).isGreaterThanOrEqualTo(GRAPHS * SCHEDULES * WORKERS.size());
        assertThat(forced).isGreaterThan(executed / 10);
        assertThat(several).isGreaterThan(GRAPHS / 2);
    }

    /** Threads that are held back by different times. */
    private static Schedule heldBack(Random random) {
        long seed = random.nextLong();
        return pass -> {
            for (int i = new Random(seed + pass).nextInt(2_000); i > 0; i--) {
                Thread.onSpinWait();
            }
        };
    }

    /** Lets groups end in one order: each waits in its first body until the one before it has ended its last. */
    private static final class Turns implements Schedule {
        private final List<Integer> order;
        private final List<Integer> finished = Collections.synchronizedList(new ArrayList<>());
        private final Map<Integer, Integer> groupOf = new HashMap<>();
        private final Map<Integer, Integer> lastOf = new HashMap<>();
        private final Map<Integer, CountDownLatch> turns = new HashMap<>();

        private Turns(List<Integer> order, List<List<Integer>> groups) {
            this.order = order;
            for (int group : order) {
                groups.get(group).forEach(pass -> groupOf.put(pass, group));
                lastOf.put(group, groups.get(group).get(groups.get(group).size() - 1));
                turns.put(group, new CountDownLatch(1));
            }
            turn(0).countDown();
        }

        /** A random order; null if a thread might wait for one that has no worker, or nothing is recorded side by side. */
        static @Nullable Turns of(Run run, int workers, Random random) {
            List<List<Integer>> groups = run.groups();
            List<Integer> order = new ArrayList<>();
            List<Integer> onCaller = new ArrayList<>();
            for (FramePlan.RecordingGroup group : run.plan.recordingGroups()) {
                if (!groups.get(group.index()).isEmpty()) {
                    (group.serial() ? onCaller : order).add(group.index());
                }
            }
            if (order.size() > workers || order.size() + onCaller.size() < 2) {
                return null;
            }
            order.addAll(onCaller);
            Collections.shuffle(order, random);
            // The thread that executes the plan records its groups one after the other.
            Iterator<Integer> next = onCaller.iterator();
            order.replaceAll(group -> onCaller.contains(group) ? next.next() : group);
            return new Turns(order, groups);
        }

        private CountDownLatch turn(int position) {
            return Objects.requireNonNull(turns.get(order.get(position)));
        }

        @Override
        public void recorded(int pass) throws InterruptedException {
            int group = Objects.requireNonNull(groupOf.get(pass));
            int position = order.indexOf(group);
            if (!turn(position).await(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the turn of group " + group + " did not come");
            }
            if (Objects.requireNonNull(lastOf.get(group)) == pass) {
                finished.add(group);
                if (position + 1 < order.size()) {
                    turn(position + 1).countDown();
                }
            }
        }
    }
}
