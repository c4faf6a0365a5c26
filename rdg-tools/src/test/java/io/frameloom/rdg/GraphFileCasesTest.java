package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.frameloom.rdg.tools.GraphFile;
import io.frameloom.rdg.tools.facts.CaseFacts;
import io.frameloom.rdg.tools.file.FileGraph;
import io.frameloom.rdg.tools.file.GraphReader;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * What {@code frameloom plan --json} prints of every case, and what {@link CaseFacts} computes of its plan, compared with
 * its expectations as data: lists of pairs and of names as sets, ordered lists as such, maps entry by entry.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GraphFileCasesTest {
    /** Keys whose order counts. */
    private static final Set<String> ORDERED = Set.of(
            "batches",
            "renderPasses",
            "renderPassesStrict",
            "recordGroups",
            "serialGroups",
            "order",
            "topological",
            "transitionOrder",
            "epochs",
            "epochsPerMip",
            "epochsPerPlane",
            "layoutsOf");

    /** Keys that say something which the printed facts imply, or of other systems: not printed. */
    private static final Set<String> NOT_PRINTED = Set.of(
            "witness",
            "coverageOf6",
            "linearOptimumWrong",
            "planReuse",
            "crossFrameHazard",
            "renderPassesIfReordered",
            "transitionHosts",
            "barriers");

    /**
     * Keys of which a case names some pairs: each of them holds. What is printed is all pairs, and each pair of passes or
     * transients is among those of one key alone: {@link #everyPairIsOfOneKind}.
     */
    private static final Set<String> SOME_PAIRS = Set.of(
            "mustPrecede", "mayReorder", "mustNotOrder", "mustPrecedeWithTransitions", "mustNotAlias", "mayAlias");

    @TestFactory
    Stream<DynamicTest> cases() throws IOException, URISyntaxException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Path file : files()) {
            JsonNode root = new ObjectMapper().readTree(file.toFile());
            root.get("expect").properties().forEach(e -> {
                if (!NOT_PRINTED.contains(e.getKey())) {
                    tests.add(DynamicTest.dynamicTest(
                            root.get("id").asText() + " " + e.getKey(), () -> check(file, root, e.getKey())));
                }
            });
        }
        assertThat(tests).hasSizeGreaterThan(150);
        return tests.stream();
    }

    /** One that prints too many pairs would have all that a case names as well, and one that prints too few may leave out what no case names. */
    @TestFactory
    Stream<DynamicTest> everyPairIsOfOneKind() throws IOException, URISyntaxException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Path file : files()) {
            JsonNode root = new ObjectMapper().readTree(file.toFile());
            if (!root.get("expect").has("error")) {
                tests.add(DynamicTest.dynamicTest(root.get("id").asText(), () -> {
                    JsonNode facts = facts(file);
                    orders(root, facts);
                    if (facts.has("mayAlias")) {
                        memory(root, facts);
                    }
                }));
            }
        }
        assertThat(tests).hasSize(78);
        return tests.stream();
    }

    /** What comes before what is closed and has no circle; all other pairs, and no more, may be exchanged. */
    private static void orders(JsonNode root, JsonNode facts) {
        Set<List<String>> before = pairs(facts.get("mustPrecede"));
        List<String> passes = new ArrayList<>();
        root.get("passes").forEach(pass -> passes.add(pass.get("id").asText()));
        passes.removeAll(names(facts.path("culled")));
        Set<List<String>> free = new HashSet<>();
        for (String a : passes) {
            for (String b : passes) {
                List<String> pair = List.of(a, b);
                if (!a.equals(b) && !before.contains(pair) && !before.contains(List.of(b, a))) {
                    free.add(pair);
                }
                for (String c : passes) {
                    boolean chain = before.contains(pair) && before.contains(List.of(b, c));
                    assertThat(!chain || before.contains(List.of(a, c)))
                            .as("%s before %s before %s", a, b, c)
                            .isTrue();
                }
            }
        }
        assertThat(before)
                .allMatch(pair -> passes.containsAll(pair) && !before.contains(List.of(pair.get(1), pair.get(0))));
        assertThat(pairs(facts.get("mayReorder"))).isEqualTo(free);
        assertThat(free).containsAll(pairs(facts.get("mustNotOrder")));
        if (facts.has("mustPrecedeWithTransitions")) {
            assertThat(pairs(facts.get("mustPrecedeWithTransitions")).stream().filter(passes::containsAll))
                    .containsExactlyInAnyOrderElementsOf(before);
        }
        for (JsonNode hazard : facts.path("hazards")) {
            assertThat(before)
                    .contains(List.of(hazard.get(0).asText(), hazard.get(1).asText()));
        }
    }

    /** Of two resources that are used it is said whether they may share memory; only transients may. */
    private static void memory(JsonNode root, JsonNode facts) {
        Set<List<String>> may = pairs(facts.get("mayAlias"));
        Set<List<String>> must = pairs(facts.get("mustNotAlias"));
        assertThat(may).noneMatch(must::contains);
        Set<String> named = new HashSet<>();
        may.forEach(named::addAll);
        must.forEach(named::addAll);
        Set<List<String>> all = new HashSet<>(may);
        all.addAll(must);
        for (String a : named) {
            for (String b : named) {
                assertThat(all.contains(List.of(a, b))).as("%s and %s", a, b).isEqualTo(!a.equals(b));
                assertThat(may.contains(List.of(a, b))).isEqualTo(may.contains(List.of(b, a)));
            }
        }
        for (JsonNode resource : root.get("resources")) {
            boolean isTransient = resource.path("lifetime").asText("transient").equals("transient");
            String id = resource.get("id").asText();
            assertThat(isTransient || may.stream().noneMatch(pair -> pair.contains(id)))
                    .as("%s outlives the frame", id)
                    .isTrue();
        }
    }

    private static Set<List<String>> pairs(JsonNode array) {
        Set<List<String>> pairs = new HashSet<>();
        array.forEach(pair -> pairs.add(names(pair)));
        return pairs;
    }

    private static List<String> names(JsonNode array) {
        List<String> names = new ArrayList<>();
        array.forEach(name -> names.add(name.asText()));
        return names;
    }

    /** Compares what is printed of one key. */
    static void check(Path file, JsonNode root, String key) throws IOException {
        JsonNode expected = root.get("expect").get(key);
        JsonNode facts = facts(file);
        if (key.equals("transitions")) {
            sameTransitions(root, facts.get(key), expected);
        } else if (key.equals("crossQueueSyncs")) {
            assertThat(writers(facts.get(key), facts.get("transitions")))
                    .isEqualTo(writers(expected, facts.get("transitions")));
        } else if (key.equals("error")) {
            JsonNode error = facts.get("error");
            assertThat(error.get("code")).isEqualTo(expected.get("code"));
            expected.properties().forEach(e -> {
                assertThat(error.has(e.getKey())).as(e.getKey() + " is printed").isTrue();
                same(e.getKey(), error.get(e.getKey()), e.getValue());
            });
        } else {
            assertThat(facts.has(key)).as(key + " is printed").isTrue();
            same(key, facts.get(key), expected);
        }
    }

    /**
     * The same changes of layout, each once; the queue is the one of the case or that of the writer, behind which a change
     * is as good.
     */
    private static void sameTransitions(JsonNode root, JsonNode actual, JsonNode expected) {
        assertThat(actual).hasSameSizeAs(expected);
        for (JsonNode wanted : expected) {
            List<JsonNode> found = new ArrayList<>();
            actual.forEach(row -> {
                if (Stream.of("r", "from", "to").allMatch(key -> row.get(key).equals(wanted.get(key)))
                        && Stream.of("after", "before")
                                .allMatch(key -> elements(row.get(key)).equals(elements(wanted.get(key))))) {
                    found.add(row);
                }
            });
            assertThat(found).as("%s among %s", wanted, actual).hasSize(1);
            JsonNode row = found.get(0);
            assertThat(row.get("count").asInt()).isEqualTo(wanted.path("count").asInt(1));
            if (wanted.has("dstStages")) {
                assertThat(elements(row.get("dstStages"))).isEqualTo(elements(wanted.get("dstStages")));
            }
            Set<String> writing = queues(root, wanted.get("after"));
            String queue = row.get("onQueue").asText();
            if (!writing.equals(Set.of(queue))) {
                assertThat(row.get("onQueue")).isEqualTo(wanted.get("onQueue"));
            }
            assertThat(row.get("rerouted")).as("rerouted to %s", queue).isEqualTo(wanted.get("rerouted"));
        }
    }

    private static Set<String> queues(JsonNode root, JsonNode passes) {
        Set<JsonNode> names = elements(passes);
        Set<String> queues = new HashSet<>();
        root.get("passes").forEach(pass -> {
            if (names.contains(pass.get("id"))) {
                queues.add(pass.get("queue").asText());
            }
        });
        return queues;
    }

    /** Pairs with the node of a change of layout as the writer behind which it is. */
    private static Set<List<String>> writers(JsonNode pairs, JsonNode transitions) {
        Set<List<String>> result = new HashSet<>();
        for (JsonNode pair : pairs) {
            List<String> ends = new ArrayList<>();
            for (JsonNode end : pair) {
                String name = end.asText();
                for (JsonNode row : transitions) {
                    if (name.equals("T:" + row.get("r").asText())
                            && row.get("after").size() == 1) {
                        name = row.get("after").get(0).asText();
                    }
                }
                ends.add(name);
            }
            result.add(ends);
        }
        return result;
    }

    /** What the command prints without a flag, and in its place what no plan holds: {@link CaseFacts}. */
    private static JsonNode facts(Path file) throws IOException {
        StringWriter line = new StringWriter();
        String id = file.toString();
        ObjectMapper mapper = new ObjectMapper();
        try {
            GraphFile graph = GraphFile.read(file);
            id = graph.id();
            GraphFile.Compiled compiled = graph.compile(UnaryOperator.identity());
            compiled.writeJson(line);
            FramePlan plan = compiled.plan();
            ObjectNode facts = (ObjectNode) mapper.readTree(line.toString());
            if (plan != null) {
                FileGraph source = GraphReader.read(id, Files.newBufferedReader(file));
                String others = mapper.writeValueAsString(CaseFacts.of(plan, hoisted(graph), source));
                facts.setAll((ObjectNode) mapper.readTree(others));
                CaseFacts.loadedTargets(plan, source)
                        .forEach(target -> ((ObjectNode) facts.get("loadOps")).put(target, "load"));
                facts.path("waitStages").forEach(row -> ((ObjectNode) row).remove("reason"));
            }
            assertThat(line.toString()).endsWith("}\n").hasLineCount(1);
            return facts;
        } catch (RdgValidationException e) {
            GraphFile.writeErrors(id, e.errors(), line);
            return mapper.readTree(line.toString());
        }
    }

    private static FramePlan hoisted(GraphFile graph) {
        return Objects.requireNonNull(
                graph.compile(options -> options.withPolicy(options.policy().withHoistBarriers(true)))
                        .plan());
    }

    /** The expected must be there; of maps only the entries that the case names. */
    private static void same(String key, JsonNode actual, JsonNode expected) {
        if (expected.isObject()) {
            for (Map.Entry<String, JsonNode> entry : expected.properties()) {
                assertThat(actual.has(entry.getKey()))
                        .as(key + " of " + entry.getKey())
                        .isTrue();
                if (key.equals("overlapsWith")) {
                    assertThat(elements(actual.get(entry.getKey()))).containsAll(elements(entry.getValue()));
                } else {
                    same(key, actual.get(entry.getKey()), entry.getValue());
                }
            }
        } else if (SOME_PAIRS.contains(key)) {
            assertThat(elements(actual)).as(key).containsAll(elements(expected));
        } else if (expected.isArray() && !ORDERED.contains(key)) {
            assertThat(elements(actual)).as(key).isEqualTo(elements(expected));
        } else {
            assertThat(actual).as(key).isEqualTo(expected);
        }
    }

    private static Set<JsonNode> elements(JsonNode array) {
        Set<JsonNode> elements = new HashSet<>();
        array.forEach(elements::add);
        return elements;
    }

    static List<Path> files() throws IOException, URISyntaxException {
        return files("/rdg-cases/cull-01-dead-chain.json");
    }

    /** Returns the cases beside one of them. */
    static List<Path> files(String one) throws IOException, URISyntaxException {
        URL folder = GraphFileCasesTest.class.getResource(one);
        if (folder == null) {
            throw new AssertionError("the cases are not among the test resources");
        }
        Map<String, Path> sorted = new TreeMap<>();
        try (Stream<Path> all = Files.list(Path.of(folder.toURI()).getParent())) {
            all.filter(file -> file.toString().endsWith(".json"))
                    .forEach(file -> sorted.put(file.getFileName().toString(), file));
        }
        return List.copyOf(sorted.values());
    }
}
