package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.SubresourceRange;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a file says is what its graph is. */
class GraphFileMeaningTest {
    @TempDir
    private Path folder;

    private GraphFile file(String text) throws IOException {
        return GraphFile.read(Files.writeString(folder.resolve("graph.json"), text));
    }

    private FramePlan planOf(String text) throws IOException {
        return Objects.requireNonNull(
                file(text).compile(UnaryOperator.identity()).plan());
    }

    /** The plane of a target is said by its aspect, and is no layer. */
    @Test
    void thePlaneOfATargetIsNoLayer() throws IOException {
        FramePlan plan = planOf("{\"resources\":[{\"id\":\"d\",\"kind\":\"texture\",\"planes\":2,\"layers\":4,"
                + "\"lifetime\":\"external\"}],\"passes\":[{\"id\":\"A\",\"kind\":\"raster\",\"rt\":{"
                + "\"depth\":{\"r\":\"d\",\"load\":\"clear\",\"sub\":{\"layer\":[0,2],\"plane\":0}},"
                + "\"stencil\":{\"r\":\"d\",\"load\":\"clear\",\"sub\":{\"layer\":[0,2],\"plane\":[1,2]}}}}]}");
        assertThat(plan.passes().get(0).uses())
                .extracting(FramePlan.UsePlan::range)
                .containsExactly(new SubresourceRange(0, 1, 0, 2, 0, 1), new SubresourceRange(0, 1, 0, 2, 1, 1));
    }

    private static final String CONDITIONAL = "{\"resources\":[{\"id\":\"x\",\"kind\":\"texture\"}],\"passes\":["
            + "{\"id\":\"A\",\"kind\":\"raster\",\"flags\":[\"conditional\"],\"rt\":{\"color\":[{\"r\":\"x\","
            + "\"load\":\"clear\"}]}},"
            + "{\"id\":\"B\",\"kind\":\"compute\",\"flags\":[\"neverCull\"],\"uses\":[{\"r\":\"x\","
            + "\"a\":\"sampledComp\"}]}]}";

    /** A pass that may be left out does not wish for what it keeps; who reads behind it may find nothing. */
    @Test
    void conditionalPassesAreKnownToTheWarnings() throws IOException {
        FramePlan plan = planOf(CONDITIONAL);
        assertThat(plan.warnings())
                .extracting(PlanWarning::code)
                .containsExactly(PlanWarning.Code.CONDITIONAL_CONTENTS);
        StringWriter json = new StringWriter();
        plan.writeJson(json);
        assertThat(planOf(json.toString()).warnings()).isEqualTo(plan.warnings());
        // Two passes of a file may be left out apart from each other.
        FramePlan both = planOf(CONDITIONAL.replace("\"neverCull\"", "\"neverCull\",\"conditional\""));
        assertThat(both.warnings())
                .extracting(PlanWarning::code)
                .containsExactly(PlanWarning.Code.CONDITIONAL_CONTENTS);
    }

    @Test
    void aGivenOrderTakesNoOther() throws IOException {
        GraphFile fixed = file("{\"mode\":{\"order\":\"fixed\"},\"passes\":[{\"id\":\"A\",\"kind\":\"compute\"}]}");
        for (PassSchedule schedule : List.of(PassSchedule.parse("memory"), PassSchedule.parse("random:3"))) {
            assertThatThrownBy(() -> fixed.compile(
                            options -> options.withPolicy(options.policy().withSchedule(schedule))))
                    .isInstanceOf(GraphFileException.class)
                    .hasMessageContaining("gives the order of each queue itself");
        }
        assertThat(fixed.compile(options -> options.withPolicy(options.policy().withSchedule(PassSchedule.PROGRAM)))
                        .facts())
                .containsKey("order");
    }
}
