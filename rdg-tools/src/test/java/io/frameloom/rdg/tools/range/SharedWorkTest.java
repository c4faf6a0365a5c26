package io.frameloom.rdg.tools.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.rdg.tools.range.SharedWork.Device;
import io.frameloom.rdg.tools.range.SharedWork.Outcome;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.deterministic.DeterministicScheduler;
import io.frameloom.taskgraph.deterministic.Exploration;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class SharedWorkTest {
    private static final NamedThread A = NamedThread.of("A");
    private static final NamedThread B = NamedThread.of("B");

    private interface Use {
        void of(TaskGraph tasks) throws Exception;
    }

    private static void withTasks(Use use) throws Exception {
        try (TaskGraph tasks = TaskGraph.builder().name("shared").workers(1).build()) {
            tasks.attach(A);
            tasks.start(B);
            use.of(tasks);
            tasks.detach(A);
        }
    }

    private static <P> Map<NamedThread, Device<P>> devices(Device<P> a, Device<P> b) {
        Map<NamedThread, Device<P>> devices = new LinkedHashMap<>();
        devices.put(A, a);
        devices.put(B, b);
        return devices;
    }

    /** The first device is stuck in its first piece until the other has done the rest. */
    @Test
    void aFasterDeviceTakesMore() throws Exception {
        withTasks(tasks -> {
            List<String> done = Collections.synchronizedList(new ArrayList<>());
            GraphEvent rest = tasks.event("rest");
            Outcome outcome = SharedWork.run(
                    tasks,
                    List.of(0, 1, 2, 3, 4),
                    devices(
                            piece -> {
                                rest.await();
                                return done.add("A" + piece);
                            },
                            piece -> {
                                done.add("B" + piece);
                                if (piece == 4) {
                                    rest.trigger();
                                }
                                return true;
                            }));
            assertThat(outcome).isEqualTo(new Outcome(true, Map.of()));
            assertThat(done).containsExactly("B1", "B2", "B3", "B4", "A0");
        });
    }

    /** The other device has nothing left to do when the first one fails, and is asked again. */
    @Test
    void thePieceOfADeviceThatFailsGoesToAnother() throws Exception {
        withTasks(tasks -> {
            IOException lost = new IOException("lost");
            GraphEvent rest = tasks.event("rest");
            List<Integer> done = new ArrayList<>();
            Outcome outcome = SharedWork.run(
                    tasks,
                    List.of(0, 1),
                    devices(
                            piece -> {
                                rest.await();
                                tasks.task("after the rest", () -> {})
                                        .on(B)
                                        .dispatch()
                                        .await();
                                throw lost;
                            },
                            piece -> {
                                if (piece == 1) {
                                    rest.trigger();
                                }
                                return done.add(piece);
                            }));
            assertThat(outcome).isEqualTo(new Outcome(true, Map.of(A, lost)));
            assertThat(done).containsExactly(1, 0);
        });
    }

    @Test
    void ifAllDevicesFailTheFirstFailureIsThrown() throws Exception {
        withTasks(tasks -> {
            GraphEvent first = tasks.event("first");
            assertThatThrownBy(() -> SharedWork.run(
                            tasks,
                            List.of(0, 1, 2),
                            devices(
                                    piece -> {
                                        first.trigger();
                                        throw new IOException("first");
                                    },
                                    piece -> {
                                        first.await();
                                        tasks.task("after the first", () -> {})
                                                .on(A)
                                                .dispatch()
                                                .await();
                                        throw new IllegalStateException("second");
                                    })))
                    .isInstanceOf(IOException.class)
                    .hasMessage("first")
                    .satisfies(failure -> assertThat(failure.getSuppressed())
                            .singleElement()
                            .asString()
                            .contains("second"));
        });
    }

    @Test
    void aDeviceThatStopsStopsAll() throws Exception {
        withTasks(tasks -> {
            GraphEvent begun = tasks.event("begun");
            GraphEvent stopped = tasks.event("stopped");
            List<Integer> done = new ArrayList<>();
            Outcome outcome = SharedWork.run(
                    tasks,
                    List.of(0, 1, 2, 3),
                    devices(
                            piece -> {
                                begun.await();
                                stopped.trigger();
                                return false;
                            },
                            piece -> {
                                begun.trigger();
                                stopped.await();
                                tasks.task("after the stop", () -> {})
                                        .on(A)
                                        .dispatch()
                                        .await();
                                return done.add(piece);
                            }));
            assertThat(outcome).isEqualTo(new Outcome(false, Map.of()));
            assertThat(done).containsExactly(1);
        });
    }

    /** The other device is at work when the error comes; it ends its piece and gets no other one. */
    @Test
    void anErrorStopsAllAndIsThrown() throws Exception {
        withTasks(tasks -> {
            AssertionError wrong = new AssertionError("wrong");
            GraphEvent begun = tasks.event("begun");
            GraphEvent failing = tasks.event("failing");
            List<Integer> done = new ArrayList<>();
            assertThatThrownBy(() -> SharedWork.run(
                            tasks,
                            List.of(0, 1, 2, 3),
                            devices(
                                    piece -> {
                                        begun.await();
                                        failing.trigger();
                                        throw wrong;
                                    },
                                    piece -> {
                                        if (piece == 1) {
                                            begun.trigger();
                                            failing.await();
                                            tasks.task("after the error", () -> {})
                                                    .on(A)
                                                    .dispatch()
                                                    .await();
                                        }
                                        return done.add(piece);
                                    })))
                    .isSameAs(wrong);
            assertThat(done).containsExactly(1);
        });
    }

    @Test
    void whatCannotWorkIsRefused() throws Exception {
        withTasks(tasks -> {
            assertThatThrownBy(() -> SharedWork.run(tasks, List.of(1), Map.of(B, piece -> true)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the caller is attached to none of the threads [B] of the devices; attach it to one,"
                            + " which it then works for");
            assertThat(SharedWork.run(tasks, List.of(), devices(piece -> false, piece -> false)))
                    .isEqualTo(new Outcome(true, Map.of()));
        });
    }

    /** Three devices take turns and fail at random, under random schedules: each piece is done, and by one device. */
    @Test
    void piecesAreDoneOnceWhoeverFails() {
        for (int seed = 0; seed < 12; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int[] failing = random.ints(3, 0, 4).toArray();
            int pieces = random.nextInt(6);
            int own = random.nextInt(3);
            DeterministicScheduler.explore(Exploration.mixed(seed, 6), scheduler -> {
                List<Integer> done = new ArrayList<>();
                try (TaskGraph tasks = TaskGraph.builder()
                        .name("shared")
                        .workers(1)
                        .scheduler(scheduler)
                        .build()) {
                    Map<NamedThread, Device<Integer>> devices = new LinkedHashMap<>();
                    for (int i = 0; i < failing.length; i++) {
                        // The last one never fails.
                        int left = i == 2 ? Integer.MAX_VALUE : failing[i];
                        NamedThread thread = NamedThread.of("device " + i);
                        if (i == own) {
                            tasks.attach(thread);
                        } else {
                            tasks.start(thread);
                        }
                        int[] taken = new int[1];
                        devices.put(thread, piece -> {
                            assertThat(taken[0]).as("calls after a failure").isLessThanOrEqualTo(left);
                            scheduler.point("piece " + piece);
                            if (taken[0]++ == left) {
                                throw new IOException("lost");
                            }
                            return done.add(piece);
                        });
                    }
                    Outcome outcome = SharedWork.run(
                            tasks, IntStream.range(0, pieces).boxed().toList(), devices);
                    assertThat(outcome.complete()).isTrue();
                    assertThat(outcome.failures().size()).isLessThanOrEqualTo(2);
                    assertThat(done).hasSize(pieces).doesNotHaveDuplicates();
                    tasks.detach(NamedThread.of("device " + own));
                }
            });
        }
    }

    /** A device is lost in the middle of a block; the folder is the one that a single device leaves. */
    @Test
    void aFolderOfFramesIsTheSameWhoeverRendersIt(@TempDir Path root) throws Exception {
        FrameRange range = FrameRange.parse("2..13", 4, 2);
        Map<String, String> settings = Map.of("scene", "ramp");
        FrameFolder alone = FrameFolder.open(root.resolve("alone"), range, "txt", settings);
        assertThat(block(alone.steps(), alone, -1)).isTrue();
        FrameFolder shared = FrameFolder.open(root.resolve("shared"), range, "txt", settings);
        withTasks(tasks -> {
            Outcome outcome = SharedWork.run(
                    tasks,
                    shared.blocks(),
                    devices(steps -> block(steps, shared, 3), steps -> block(steps, shared, -1)));
            assertThat(outcome.complete()).isTrue();
            assertThat(outcome.failures()).containsOnlyKeys(A);
        });
        assertThat(shared.missing()).isEmpty();
        for (int frame = range.first(); frame <= range.last(); frame++) {
            String name = shared.nameOf(frame);
            assertThat(root.resolve("shared").resolve(name))
                    .hasSameBinaryContentAs(root.resolve("alone").resolve(name));
        }
        try (Stream<Path> files = Files.list(root.resolve("shared"))) {
            assertThat(files.filter(file -> file.toString().endsWith(".json")))
                    .hasSize(range.parts().size());
        }
        assertThat(FrameFolder.open(root.resolve("shared"), range, "txt", settings)
                        .missing())
                .isEmpty();
    }

    private static boolean block(List<FrameRange.Step> steps, FrameFolder folder, int lostAt) throws Exception {
        List<Integer> history = new ArrayList<>();
        for (FrameRange.Step step : steps) {
            if (step.reset()) {
                history.clear();
            }
            history.add(step.frame());
            if (step.frame() == lostAt) {
                throw new IOException("lost");
            }
            if (step.written()) {
                folder.write(
                        step.frame(), out -> out.write(Objects.toString(history).getBytes(StandardCharsets.UTF_8)));
            }
        }
        return true;
    }
}
