package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.rdg.tools.GraphFile;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a file means for the plan of its graph, and what is told of it. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GraphFileFactsTest {
    private static final String QUEUES = "\"queues\":[{\"id\":\"G\",\"family\":0,\"caps\":[\"graphics\",\"compute\","
            + "\"copy\"]},{\"id\":\"C\",\"family\":1,\"caps\":[\"compute\",\"copy\"]}],";

    @TempDir
    private Path folder;

    @Test
    void thePolicyOfAFileDecidesAboutItsQueues() throws IOException {
        String text =
                "{\"mode\":{\"asyncPolicy\":POLICY}," + QUEUES + "\"resources\":[{\"id\":\"b\",\"kind\":\"buffer\","
                        + "\"bytes\":16,\"lifetime\":\"external\"}],\"passes\":[{\"id\":\"A\",\"kind\":\"copy\",\"queue\":\"C\","
                        + "\"uses\":[{\"r\":\"b\",\"a\":\"copyDst\"}]},{\"id\":\"B\",\"kind\":\"compute\",\"queue\":\"G\",\"uses\":["
                        + "{\"r\":\"b\",\"a\":\"storageRWComp\"}]}]}";

        assertThat(queues(planOf(text.replace("POLICY", "0")))).containsExactly(0, 0);
        assertThat(queues(planOf(text.replace("POLICY", "1")))).containsExactly(1, 0);
        assertThat(queues(planOf(text.replace("POLICY", "2")))).containsExactly(1, 1);
    }

    private static List<Integer> queues(FramePlan plan) {
        return plan.passes().stream().map(FramePlan.PassPlan::queue).toList();
    }

    @Test
    void aConditionalPassLoadsTheTargetsThatItClears() throws IOException {
        for (String uses : List.of("", "{\"r\":\"x\",\"a\":\"colorWrite\",\"discard\":true}")) {
            FramePlan plan = planOf("{\"resources\":[{\"id\":\"x\",\"kind\":\"texture\",\"lifetime\":\"external\"}],"
                    + "\"passes\":[{\"id\":\"A\",\"kind\":\"raster\",\"uses\":[{\"r\":\"x\",\"a\":\"colorWrite\","
                    + "\"discard\":true}]},{\"id\":\"B\",\"kind\":\"raster\",\"flags\":[\"conditional\"],\"uses\":["
                    + uses
                    + "],\"rt\":{\"color\":[{\"r\":\"x\",\"load\":\"clear\"}]}}]}");

            assertThat(plan.culledCount()).isZero();
            assertThat(Objects.requireNonNull(plan.passes().get(1).targets())
                            .colors()
                            .get(0)
                            .load())
                    .isEqualTo(LoadOp.LOAD);
            assertThat(plan.passes().get(1).uses().get(0).access()).isEqualTo(Access.COLOR_READ_WRITE);
        }
    }

    @Test
    void versionsOrderTheWritersOfASet() throws IOException {
        String text =
                "{\"mode\":{\"order\":\"unordered\",\"cull\":\"off\"},\"resources\":[{\"id\":\"x\",\"kind\":\"buffer\","
                        + "\"bytes\":4}],\"passes\":[{\"id\":\"W2\",\"kind\":\"compute\",\"uses\":[{\"r\":\"x\",\"a\":\"storageRWComp\"}],"
                        + "\"versions\":{\"x\":2}},{\"id\":\"R1\",\"kind\":\"compute\",\"uses\":[{\"r\":\"x\",\"a\":\"storageReadComp\"}],"
                        + "\"versions\":{\"x\":1}},{\"id\":\"R\",\"kind\":\"compute\",\"uses\":[{\"r\":\"x\",\"a\":\"storageReadComp\"}]},"
                        + "{\"id\":\"W1\",\"kind\":\"compute\",\"uses\":[{\"r\":\"x\",\"a\":\"storageWriteComp\",\"discard\":true}],"
                        + "\"versions\":{\"x\":1}}]}";

        assertThat(planOf(text).passes().stream().map(FramePlan.PassPlan::name)).containsExactly("W1", "R1", "W2", "R");
        assertThatThrownBy(() -> planOf(text.replace("{\"x\":2}", "{\"x\":1}")))
                .isInstanceOf(RdgValidationException.class)
                .hasMessageContaining("MULTI_WRITER");
    }

    @Test
    void manyPassesSideBySideAreNotListed() throws IOException {
        StringBuilder passes = new StringBuilder();
        for (int i = 0; i < 2000; i++) {
            passes.append(i == 0 ? "" : ",")
                    .append("{\"id\":\"p" + i + "\",\"kind\":\"compute\",\"queue\":\"" + (i % 2 == 0 ? "G" : "C")
                            + "\",\"flags\":[\"neverCull\"]}");
        }
        Path file = Files.writeString(folder.resolve("graph.json"), "{" + QUEUES + "\"passes\":[" + passes + "]}");

        assertThat(GraphFile.read(file).compile(UnaryOperator.identity()).facts())
                .doesNotContainKey("overlapsWith")
                .extractingByKey("leftOut")
                .asString()
                .contains("overlapsWith", "more than 100000 pairs");
    }

    @Test
    void moreDependenciesThanAreReportedAreRefused() throws IOException {
        StringBuilder passes = new StringBuilder();
        for (int i = 0; i < 1600; i++) {
            passes.append(i == 0 ? "" : ",")
                    .append("{\"id\":\"p" + i + "\",\"kind\":\"compute\",\"uses\":[{\"r\":\"b\",\"a\":"
                            + (i < 800 ? "\"storageWriteComp\",\"uavGroup\":1" : "\"storageReadComp\"") + "}]}");
        }
        String text =
                "{\"mode\":{\"cull\":\"off\"},\"resources\":[{\"id\":\"b\",\"kind\":\"buffer\",\"bytes\":4}],\"passes\":["
                        + passes + "]}";

        assertThatThrownBy(() -> planOf(text)).isInstanceOfSatisfying(RdgValidationException.class, thrown -> {
            assertThat(thrown.errors()).extracting(RdgError::code).containsExactly(RdgError.Code.LIMIT);
            assertThat(thrown.errors().get(0).toString())
                    .contains("depends on 800 passes")
                    .hasLineCount(1);
        });
    }

    @Test
    void whatIsDeclaredAndNotTakenIsAWarning() throws IOException {
        Path file = Files.writeString(
                folder.resolve("graph.json"),
                "{\"mode\":{\"actuallyUsed\":[\"b\"]},\"resources\":["
                        + "{\"id\":\"a\",\"kind\":\"buffer\",\"bytes\":4,\"lifetime\":\"external\"},{\"id\":\"b\",\"kind\":\"buffer\","
                        + "\"bytes\":4,\"lifetime\":\"external\"}],\"passes\":[{\"id\":\"A\",\"kind\":\"compute\",\"uses\":["
                        + "{\"r\":\"a\",\"a\":\"storageReadComp\"},{\"r\":\"b\",\"a\":\"storageWriteComp\"}]}]}");

        assertThat(GraphFile.read(file)
                        .compile(UnaryOperator.identity())
                        .facts()
                        .get("warnings"))
                .asString()
                .contains("NOT_TAKEN", "pass 'A' declares 'a' and does not take it")
                .doesNotContain("'b'");
    }

    /** 150 passes have 22,350 pairs, 2,100 too many to look for them. */
    @Test
    void pairsThatAreTooManyAreNamedAndLeftOut() throws IOException {
        for (int count : new int[] {100, 150, 2_100}) {
            StringBuilder resources = new StringBuilder();
            StringBuilder passes = new StringBuilder();
            for (int p = 0; p < count; p++) {
                resources
                        .append(p == 0 ? "" : ",")
                        .append("{\"id\":\"b" + p + "\",\"kind\":\"buffer\",\"bytes\":4,\"lifetime\":\"external\"}");
                passes.append(p == 0 ? "" : ",")
                        .append("{\"id\":\"P" + p + "\",\"kind\":\"compute\",\"uses\":[{\"r\":\"b" + p
                                + "\",\"a\":\"storageWriteComp\"}]}");
            }
            Path file = Files.writeString(
                    folder.resolve("graph.json"), "{\"resources\":[" + resources + "],\"passes\":[" + passes + "]}");

            Map<String, Object> facts =
                    GraphFile.read(file).compile(UnaryOperator.identity()).facts();

            if (count == 100) {
                assertThat((List<?>) facts.get("mayReorder")).hasSize(100 * 99);
                assertThat((List<?>) facts.get("mustPrecede")).isEmpty();
                assertThat(facts).doesNotContainKey("leftOut");
            } else {
                assertThat(facts).doesNotContainKeys("mayReorder", "mustNotAlias");
                assertThat(facts.get("leftOut")).asString().contains("mayReorder", "mustNotAlias");
                assertThat(facts.containsKey("mustPrecede")).isEqualTo(count == 150);
            }
        }
    }

    @Test
    void whatIsTakenCanBeSaidPassByPass() throws IOException {
        String uses = "\"kind\":\"compute\",\"uses\":[{\"r\":\"a\",\"a\":\"storageReadComp\"},"
                + "{\"r\":\"b\",\"a\":\"storageRWComp\"}]}";
        Path file = Files.writeString(
                folder.resolve("graph.json"),
                "{\"mode\":{\"actuallyUsed\":{\"A\":[\"b\"],\"B\":[\"a\",\"b\"]}},\"resources\":["
                        + "{\"id\":\"a\",\"kind\":\"buffer\",\"bytes\":4,\"lifetime\":\"external\"},{\"id\":\"b\",\"kind\":\"buffer\","
                        + "\"bytes\":4,\"lifetime\":\"external\"}],\"passes\":[{\"id\":\"A\"," + uses
                        + ",{\"id\":\"B\"," + uses
                        + ",{\"id\":\"C\"," + uses + "]}");

        Object warnings =
                GraphFile.read(file).compile(UnaryOperator.identity()).facts().get("warnings");

        assertThat((List<?>) warnings)
                .singleElement()
                .asString()
                .contains("pass 'A' declares 'a' and does not take it");
    }

    @Test
    void errorsOfAnyNumberAreWritten() throws IOException {
        StringWriter line = new StringWriter();
        GraphFile.writeErrors("g", List.of(), line);

        assertThat(line.toString())
                .contains("\"error\":{\"code\":\"INPUT\"", "\"errors\":[]")
                .hasLineCount(1);
    }

    private FramePlan planOf(String text) throws IOException {
        return planOf(Files.writeString(folder.resolve("graph.json"), text));
    }

    private static FramePlan planOf(Path file) {
        FramePlan plan = GraphFile.read(file).compile(UnaryOperator.identity()).plan();
        return Objects.requireNonNull(plan);
    }
}
