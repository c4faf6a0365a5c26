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
            row("", "culledUe4", "what another engine removes, not what is right"),
            row("", "witness", "one of many placements"),
            row("", "coverageOf6", "an intermediate value of another algorithm"),
            row("", "linearOptimumWrong", "what an unsound method gives"),
            row("", "forkFences", "fork and join are a vocabulary of reports, not in this version"),
            row("", "joinFencesUe", "fork and join are a vocabulary of reports, not in this version"),
            row("", "extendedLifetime", "lifetimes by happens-before are tighter"),
            row("", "renderPassesIfReordered", "what another order would give; this compiler keeps the order"),
            row("", "physicalPasses", "passes are not merged on tiles in this version"),
            row("", "lazilyAllocated", "passes are not merged on tiles in this version"),
            row("", "transientBytes", "passes are not merged on tiles in this version"),
            row("rp-09", "storeOps", "passes are not merged on tiles in this version"),
            row("frame-01", "barriers", "counts what merged render passes drop"),
            row("frame-01", "barrierCount", "counts what merged render passes drop"),
            row("frame-01", "barrierBatches", "counts what merged render passes drop"),
            row("frame-01", "transitionHosts", "hosts follow another rule; the barriers' order is tested at random"),
            row("", "mustPrecedeWithTransitions", "transitions at the tail of their writer are no nodes"),
            row("", "split", "split barriers are not in this version"),
            row("", "noSplit", "split barriers are not in this version"),
            row("", "planReuse", "not said by a plan; PlanReuseTest compares plans of equal graphs"),
            row("", "crossFrameHazard", "frames are ordered as a whole in this version"),
            row("val-02", "*", "names are for people and may repeat"),
            row("val-03", "*", "registration gives one handle for one external"));

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

    private static void check(JsonNode root, String key, JsonNode expected) {
        String reason = notCovered(root.get("id").asText(), key);
        if (reason == null) {
            assertThat(compare(root, key, expected))
                    .as("a comparator of this key, or a line in NOT_COVERED")
                    .isTrue();
            return;
        }
        boolean holds;
        try {
            holds = compare(root, key, expected);
        } catch (AssertionError | RuntimeException stillMissing) {
            assertThat(stillMissing).as(reason).isNotNull();
            return;
        }
        if (holds) {
            fail("covered now, remove it from NOT_COVERED (" + reason + ")");
        }
    }

    /** Compares one key; false if there is no comparator. */
    private static boolean compare(JsonNode root, String key, JsonNode expected) {
        if (root.get("mode").get("order").asText().equals("fixed")) {
            return new FixedOrderCase(root).check(key, expected);
        }
        if (key.equals("error")) {
            assertThatThrownBy(() -> CaseGraph.compile(root))
                    .isInstanceOfSatisfying(RdgValidationException.class, thrown -> {
                        RdgError error = thrown.errors().get(0);
                        assertThat(error.code().name())
                                .isEqualTo(expected.get("code").asText());
                        expected.properties()
                                .forEach(e -> assertThat(error.toString())
                                        .contains(e.getValue().asText()));
                    });
            return true;
        }
        return new CaseExpectations(CaseGraph.compile(root), root).check(key, expected);
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

    private static List<Path> files() throws IOException, URISyntaxException {
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
