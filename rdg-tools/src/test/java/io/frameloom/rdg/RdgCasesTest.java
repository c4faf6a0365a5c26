package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.frameloom.rdg.compile.FixedOrderCase;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * Every key of every case is either compared with the compiled plan or listed as not covered; a listed key that holds
 * fails the test, so that the list cannot go stale.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RdgCasesTest {
    /** What is not covered: the beginning of a case's name, a key or {@code *}, the reason. */
    private static final List<String[]> NOT_COVERED = List.of(
            row("", "coverageOf6", "an intermediate value of another algorithm"),
            row("", "linearOptimumWrong", "what an unsound method gives"),
            row("", "renderPassesIfReordered", "what another order would give; this compiler keeps the order"),
            row(
                    "",
                    "crossFrameHazard",
                    "frames are ordered when they are executed, by what each has used: FrameSequencesTest"),
            row("val-02", "error", "names may repeat but in files: GraphFileCasesTest"),
            row("val-03", "error", "registration gives one handle for one external but in files: GraphFileCasesTest"));

    @TestFactory
    Stream<DynamicTest> cases() throws IOException, URISyntaxException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Path file : files()) {
            JsonNode root = new ObjectMapper().readTree(file.toFile());
            root.get("expect").properties().forEach(e -> {
                String key = e.getKey();
                String name = root.get("id").asText() + " " + key;
                tests.add(DynamicTest.dynamicTest(name, () -> check(root, key, e.getValue())));
            });
        }
        assertThat(tests).hasSizeGreaterThan(150);
        return tests.stream();
    }

    /** No comparator passes whatever a case says. */
    @TestFactory
    Stream<DynamicTest> alteredExpectations() throws IOException, URISyntaxException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Path file : files()) {
            JsonNode root = new ObjectMapper().readTree(file.toFile());
            String id = root.get("id").asText();
            root.get("expect").properties().forEach(e -> {
                if (notCovered(id, e.getKey()) == null) {
                    tests.add(DynamicTest.dynamicTest(
                            id + " " + e.getKey(), () -> everyAlterationFails(root, e.getKey(), e.getValue())));
                }
            });
        }
        assertThat(tests).hasSizeGreaterThan(200);
        return tests.stream();
    }

    private static void everyAlterationFails(JsonNode root, String key, JsonNode expected) {
        BiPredicate<String, JsonNode> comparison = comparison(root);
        for (JsonNode altered : CaseMutations.of(key, expected)) {
            assertThat(passes(comparison, key, altered))
                    .as(altered + " instead of " + expected)
                    .isFalse();
        }
        List<String> names = new ArrayList<>();
        root.get(key.endsWith("Alias") ? "resources" : "passes")
                .forEach(node -> names.add(node.get("id").asText()));
        List<JsonNode> others = CaseMutations.some(key, expected, names);
        assertThat(others.isEmpty() || others.stream().anyMatch(other -> !passes(comparison, key, other)))
                .as("something else fails")
                .isTrue();
    }

    private static boolean passes(BiPredicate<String, JsonNode> comparison, String key, JsonNode altered) {
        try {
            return comparison.test(key, altered);
        } catch (AssertionError noticed) {
            return false;
        }
    }

    private static void check(JsonNode root, String key, JsonNode expected) {
        String reason = notCovered(root.get("id").asText(), key);
        if (reason == null) {
            assertThat(comparison(root).test(key, expected))
                    .as("a comparator of this key, or a line in NOT_COVERED")
                    .isTrue();
            return;
        }
        boolean holds;
        try {
            holds = comparison(root).test(key, expected);
        } catch (AssertionError | RuntimeException stillMissing) {
            assertThat(stillMissing).as(reason).isNotNull();
            return;
        }
        if (holds) {
            fail("covered now, remove it from NOT_COVERED (" + reason + ")");
        }
    }

    /** Returns what compares one key; it is false if there is no comparator. */
    private static BiPredicate<String, JsonNode> comparison(JsonNode root) {
        if (root.get("mode").get("order").asText().equals("fixed")) {
            return new FixedOrderCase(root)::check;
        }
        if (root.get("expect").has("error")) {
            return (key, expected) -> key.equals("error") && isRefused(root, expected);
        }
        return new CaseExpectations(CaseGraph.compile(root), root)::check;
    }

    private static boolean isRefused(JsonNode root, JsonNode expected) {
        assertThatThrownBy(() -> CaseGraph.compile(root))
                .isInstanceOfSatisfying(RdgValidationException.class, thrown -> {
                    RdgError error = thrown.errors().get(0);
                    assertThat(error.code().name())
                            .isEqualTo(expected.get("code").asText());
                    expected.properties().forEach(e -> {
                        for (JsonNode name : e.getValue().isArray() ? e.getValue() : List.of(e.getValue())) {
                            assertThat(error.toString()).contains(name.asText());
                        }
                    });
                });
        return true;
    }

    private static @Nullable String notCovered(String id, String key) {
        for (String[] line : NOT_COVERED) {
            if (id.startsWith(line[0]) && (line[1].equals("*") || line[1].equals(key))) {
                return line[2];
            }
        }
        return null;
    }

    private static String[] row(String... line) {
        return line;
    }

    static List<Path> files() throws IOException, URISyntaxException {
        URL folder = RdgCasesTest.class.getResource("/rdg-cases/cull-01-dead-chain.json");
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
