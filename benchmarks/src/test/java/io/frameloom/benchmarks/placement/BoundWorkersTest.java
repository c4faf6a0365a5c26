package io.frameloom.benchmarks.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.benchmarks.Main;
import io.frameloom.benchmarks.dag.Caller;
import io.frameloom.benchmarks.dag.Contender;
import io.frameloom.benchmarks.dag.Dag;
import io.frameloom.benchmarks.dag.NodeBody;
import io.frameloom.benchmarks.dag.Workload;
import io.frameloom.benchmarks.driver.Session;
import io.frameloom.benchmarks.fan.FanOutFanIn;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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

    private static IntStream processors(String list) {
        return Arrays.stream(list.split(",")).flatMapToInt(range -> {
            String[] ends = range.split("-");
            return IntStream.rangeClosed(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]));
        });
    }

    /** The kernel's count of the cores that these processors belong to. */
    private static long cores(String allowed) throws IOException {
        Set<String> cores = new HashSet<>();
        for (int processor : processors(allowed).toArray()) {
            Path core = Path.of("/sys/devices/system/cpu/cpu" + processor + "/topology/core_cpus_list");
            assumeTrue(Files.exists(core), core + " is not there");
            cores.add(Files.readString(core));
        }
        return cores.size();
    }

    private static Map<Integer, String> allowedOfWorkers(TaskGraph graph) {
        Map<Integer, String> allowed = new ConcurrentHashMap<>();
        graph.broadcast("look", () -> allowed.put(graph.currentSlot(), allowed()))
                .await();
        return allowed;
    }

    static Stream<Contender> ours() {
        return Main.contenders().stream()
                .filter(contender -> contender.name().startsWith("frameloom-") && contender.supports(Caller.INSIDE));
    }

    /** Their rows are named as bound. */
    @ParameterizedTest
    @MethodSource("ours")
    void eachOfOurContendersBindsItsWorkers(Contender contender) throws IOException {
        Set<String> seen = ConcurrentHashMap.newKeySet();
        Dag dag = new FanOutFanIn(64).dag();
        NodeBody[] bodies = new NodeBody[dag.nodes()];
        Arrays.fill(bodies, (NodeBody) () -> {
            try {
                seen.add(allowed());
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        });
        System.setProperty(BoundWorkers.PROPERTY, "true");
        try (Session session = contender.open(new Workload(dag, bodies), 2, Caller.INSIDE)) {
            session.run(1);
        } finally {
            System.clearProperty(BoundWorkers.PROPERTY);
        }
        for (String list : seen) {
            assertThat(cores(list)).isEqualTo(1);
        }
    }

    @Test
    void eachWorkerMayRunOnOneCoreAndNoOtherThreadIsBound() throws IOException {
        String before = allowed();
        long cores = cores(before);
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
            assertThat(new HashSet<>(allowed.values())).hasSize((int) Math.min(workers + 1, cores));
            assertThat(allowed.values())
                    .allSatisfy(list -> assertThat(cores(list)).isEqualTo(1));
            graph.detach(NamedThread.GAME);
        }
        assertThat(allowed()).isEqualTo(before);
    }
}
