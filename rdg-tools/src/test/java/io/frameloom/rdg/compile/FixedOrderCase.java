package io.frameloom.rdg.compile;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.rdg.compile.graph.Scratch;
import io.frameloom.rdg.compile.order.Batching;
import io.frameloom.rdg.compile.order.Synchronization;
import io.frameloom.rdg.tools.file.FixedOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Runs the phases of waits and batches on a case whose dependencies and queue orders are given. */
public final class FixedOrderCase {
    private final List<String> nodes = new ArrayList<>();
    private final List<String> queues = new ArrayList<>();
    private final int[] from;
    private final int[] to;
    private final int[] queue;
    private final Synchronization sync;
    private final Batching batching;
    private final JsonNode root;

    /** Runs the phases. */
    public FixedOrderCase(JsonNode root) {
        this.root = root;
        root.get("queues").forEach(q -> queues.add(q.get("id").asText()));
        root.get("passes").forEach(p -> nodes.add(p.get("id").asText()));
        queue = new int[nodes.size()];
        int[] order = new int[nodes.size()];
        for (int n = 0; n < order.length; n++) {
            order[n] = n;
            queue[n] = queues.indexOf(root.get("passes").get(n).get("queue").asText());
        }
        JsonNode edges = root.get("explicitDeps");
        from = new int[edges.size()];
        to = new int[edges.size()];
        for (int e = 0; e < from.length; e++) {
            from[e] = nodes.indexOf(edges.get(e).get(0).asText());
            to[e] = nodes.indexOf(edges.get(e).get(1).asText());
        }
        Scratch scratch = new Scratch();
        sync = new Synchronization(order, order.length, queue, queues.size(), from.length, from, to, scratch);
        batching = new Batching(order, order.length, queue, queues.size(), -1, from, to, sync, scratch);
    }

    /** Compares one key; false if there is no comparator. */
    public boolean check(String key, JsonNode expected) {
        switch (key) {
            case "syncs" -> assertThat(edges(true)).containsExactlyInAnyOrderElementsOf(pairs(expected));
            case "culledSyncs" -> assertThat(edges(false)).containsExactlyInAnyOrderElementsOf(pairs(expected));
            case "syncsNarrow" -> assertThat(narrow()).containsExactlyInAnyOrderElementsOf(pairs(expected));
            case "ssis" -> ssis(expected);
            case "batches" -> batches(expected);
            case "signals" -> assertThat(count(batching.signals)).isEqualTo(expected.asInt());
            case "waits" -> assertThat(batching.waits).hasSize(expected.asInt());
            case "mustNotOrder" ->
                expected.forEach(pair -> {
                    int a = nodes.indexOf(pair.get(0).asText());
                    int b = nodes.indexOf(pair.get(1).asText());
                    assertThat(sync.clocks.known(b, queue[a])).isLessThan(sync.clocks.position(a));
                });
            default -> {
                return false;
            }
        }
        return true;
    }

    private List<String> edges(boolean waited) {
        List<String> result = new ArrayList<>();
        for (int e = 0; e < from.length; e++) {
            if (queue[from[e]] != queue[to[e]] && sync.isWaited(e) == waited) {
                result.add(nodes.get(from[e]) + " " + nodes.get(to[e]));
            }
        }
        return result;
    }

    /** Waits that hold back the stages which the case names for each pass. */
    private List<String> narrow() {
        int[] stages = new int[nodes.size()];
        for (int n = 0; n < stages.length; n++) {
            for (JsonNode name : root.get("passes").get(n).path("stages")) {
                stages[n] |= stage(name.asText()).bit();
            }
        }
        List<int[]> chains = new ArrayList<>();
        for (int q = 0; q < queues.size(); q++) {
            int own = q;
            chains.add(IntStream.range(0, queue.length)
                    .filter(n -> queue[n] == own)
                    .toArray());
        }
        FixedOrder order = new FixedOrder(queue, chains, from, to);
        boolean[] narrow = order.waitedInExactStages(stages);
        List<String> result = new ArrayList<>();
        for (int e = 0; e < from.length; e++) {
            if (narrow[e]) {
                result.add(nodes.get(from[e]) + " " + nodes.get(to[e]));
            }
        }
        return result;
    }

    private static PipelineStage stage(String name) {
        return switch (name) {
            case "COMP" -> PipelineStage.COMPUTE_SHADER;
            case "FRAG" -> PipelineStage.FRAGMENT_SHADER;
            case "VERT" -> PipelineStage.VERTEX_SHADER;
            case "COLOR_OUT" -> PipelineStage.COLOR_OUTPUT;
            default -> PipelineStage.valueOf(name);
        };
    }

    private void ssis(JsonNode expected) {
        expected.properties().forEach(e -> {
            int node = nodes.indexOf(e.getKey());
            Map<String, String> actual = new LinkedHashMap<>();
            for (int q = 0; q < queues.size(); q++) {
                for (int n = 0; n < nodes.size(); n++) {
                    if (queue[n] == q && sync.clocks.position(n) == sync.clocks.known(node, q)) {
                        actual.put(queues.get(q), nodes.get(n));
                    }
                }
            }
            Map<String, String> wanted = new LinkedHashMap<>();
            e.getValue()
                    .properties()
                    .forEach(
                            entry -> wanted.put(entry.getKey(), entry.getValue().asText()));
            assertThat(actual).isEqualTo(wanted);
        });
    }

    private void batches(JsonNode expected) {
        Map<String, List<List<String>>> actual = new LinkedHashMap<>();
        for (int b = 0; b < batching.count(); b++) {
            List<String> names = new ArrayList<>();
            for (int i = batching.start[b]; i < batching.start[b + 1]; i++) {
                names.add(nodes.get(batching.nodes[i]));
            }
            actual.computeIfAbsent(queues.get(queue[batching.nodes[batching.start[b]]]), q -> new ArrayList<>())
                    .add(names);
        }
        Map<String, List<List<String>>> wanted = new LinkedHashMap<>();
        expected.properties().forEach(e -> {
            List<List<String>> lists = new ArrayList<>();
            e.getValue().forEach(batch -> {
                List<String> names = new ArrayList<>();
                batch.forEach(name -> names.add(name.asText()));
                lists.add(names);
            });
            wanted.put(e.getKey(), lists);
        });
        assertThat(actual).isEqualTo(wanted);
    }

    private static List<String> pairs(JsonNode array) {
        List<String> result = new ArrayList<>();
        array.forEach(
                pair -> result.add(pair.get(0).asText() + " " + pair.get(1).asText()));
        return result;
    }

    private static int count(boolean[] flags) {
        int count = 0;
        for (boolean flag : flags) {
            count += flag ? 1 : 0;
        }
        return count;
    }
}
