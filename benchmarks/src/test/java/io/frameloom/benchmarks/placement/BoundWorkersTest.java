package io.frameloom.benchmarks.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Linux says on which processors a thread may run. */
@EnabledOnOs(OS.LINUX)
@Timeout(30)
class BoundWorkersTest {
    private static String allowed() throws IOException {
        return Files.readString(Path.of("/proc/thread-self/status"))
                .lines()
                .filter(line -> line.startsWith("Cpus_allowed_list:"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElseThrow();
    }

    private static long processors(String list) {
        return List.of(list.split(",")).stream()
                .mapToLong(range -> {
                    String[] ends = range.split("-");
                    return Long.parseLong(ends[ends.length - 1]) - Long.parseLong(ends[0]) + 1;
                })
                .sum();
    }

    private static Map<Integer, String> allowedOfWorkers(TaskGraph graph) {
        Map<Integer, String> allowed = new ConcurrentHashMap<>();
        graph.broadcast("look", () -> allowed.put(graph.currentSlot(), allowed()))
                .await();
        return allowed;
    }

    @Test
    void eachWorkerMayRunOnOneCoreAndNoOtherThreadIsBound() throws IOException {
        String before = allowed();
        // Spare workers are workers; a graph may have more than there are cores.
        int workers = 3;
        try (TaskGraph graph = TaskGraph.builder()
                .name("bound")
                .workers(workers)
                .spareWorkers(1)
                .build()) {
            graph.attach(NamedThread.GAME);
            BoundWorkers.bind(graph);
            Map<Integer, String> allowed = allowedOfWorkers(graph);
            assertThat(allowed.remove(graph.currentSlot())).isEqualTo(before);
            assertThat(allowed).hasSize(workers + 1);
            long cores = allowed.values().stream().distinct().count();
            assertThat(allowed.get(0)).isNotEqualTo(cores == 1 ? "" : allowed.get(1));
            assertThat(allowed.values())
                    .allSatisfy(list -> assertThat(processors(list))
                            .isLessThanOrEqualTo(cores == 1 ? processors(before) : processors(before) - 1));
            graph.detach(NamedThread.GAME);
        }
        assertThat(allowed()).isEqualTo(before);
    }
}
