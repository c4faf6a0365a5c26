package io.frameloom.rdg.tools.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.Batch;
import io.frameloom.rdg.FramePlan.BatchWait;
import io.frameloom.rdg.FrameStatistics;
import io.frameloom.rdg.FrameStatistics.PassTime;
import io.frameloom.rdg.tools.GraphFile;
import io.frameloom.rdg.tools.report.Schedule.Span;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When passes run, by the model and by timestamps. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ScheduleTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void queuesRunOnePassAtATimeAndWaitForWhatTheyMust(long seed) throws IOException {
        FramePlan plan = Plans.random(folder, 80, seed);
        Schedule schedule = Schedule.predicted(plan, new PassCosts(plan));
        Map<Integer, Span> spans = new HashMap<>();
        double[] free = new double[plan.queues().queues().size()];
        for (Span span : schedule.spans()) {
            assertThat(span.start()).isGreaterThanOrEqualTo(free[span.queue()]);
            assertThat(span.end()).isGreaterThanOrEqualTo(span.start());
            free[span.queue()] = span.end();
            spans.put(span.pass(), span);
        }
        assertThat(spans).hasSize(plan.passes().size() - plan.culledCount());
        int waits = 0;
        for (Batch batch : plan.batches()) {
            for (BatchWait wait : batch.waits()) {
                waits++;
                Span first = Objects.requireNonNull(spans.get(batch.passes().get(0)));
                for (int pass : plan.batches().get(wait.batch()).passes()) {
                    assertThat(Objects.requireNonNull(spans.get(pass)).end()).isLessThanOrEqualTo(first.start());
                }
            }
        }
        assertThat(schedule.waits()).hasSize(waits);
        assertThat(schedule.nanos())
                .isEqualTo(
                        schedule.spans().stream().mapToDouble(Span::end).max().orElseThrow());
    }

    @Test
    void measuredPassesAreFoundByQueueAndName() throws IOException {
        FramePlan plan = Plans.small(folder);
        Schedule schedule = Objects.requireNonNull(Schedule.measured(
                plan,
                statistics(List.of(
                        new PassTime("Depth", "G", 5_000, 100),
                        new PassTime("SSAO", "C", 5_400, 200),
                        new PassTime("SSAO", "G", 9_000, 1)))));

        assertThat(schedule.spans()).containsExactly(new Span(0, 0, 0, 100), new Span(1, 1, 400, 600));
        assertThat(schedule.nanos()).isEqualTo(600);
        assertThat(schedule.waits()).hasSize(1);
        assertThat(schedule.waits().get(0).at()).isEqualTo(100);
        assertThat(schedule.waits().get(0).until()).isEqualTo(400);
    }

    /** Passes of the host have times on any device; a timeline of them alone would tell nothing of it. */
    @Test
    void timesOfTheHostAloneAreNoMeasurement() throws IOException {
        Path file = Files.writeString(folder.resolve("host.json"), """
                {"schema": "rdg-case/1", "id": "host", "queues": [{"id": "G", "caps": ["graphics"]}],
                 "resources": [{"id": "data", "kind": "buffer", "bytes": 64}],
                 "passes": [{"id": "fill", "kind": "host", "uses": [{"r": "data", "a": "hostWrite", "discard": true}]},
                            {"id": "use", "kind": "copy", "queue": "G", "flags": ["neverCull"],
                             "uses": [{"r": "data", "a": "copySrc"}]}]}
                """);
        FramePlan plan = Objects.requireNonNull(
                GraphFile.read(file).compile(options -> options).plan());
        PassTime fill = new PassTime("fill", "host", 5_000, 100);
        assertThat(Schedule.measured(plan, statistics(List.of(fill)))).isNull();
        assertThat(Schedule.measured(plan, statistics(List.of(fill, new PassTime("use", "G", 5_400, 100)))))
                .isNotNull();
    }

    private static FrameStatistics statistics(List<PassTime> times) {
        return new FrameStatistics(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, times, List.of(), List.of());
    }
}
