package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.rdg.diagnostics.PlanWarning;
import io.frameloom.rdg.tools.GraphFile;
import io.frameloom.rdg.tools.GraphFileException;
import io.frameloom.rdg.tools.PlanJson;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
        PlanJson.write(plan, json);
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

    /** Queue orders and dependencies that wait for each other name the passes, in their order; what waits behind them is not one. */
    @Test
    void aCircleOfGivenOrdersNamesItsPasses() throws IOException {
        GraphFile circle = file("{\"mode\":{\"order\":\"fixed\"},\"queues\":["
                + "{\"id\":\"G\",\"caps\":[\"graphics\",\"compute\"]},{\"id\":\"C\",\"caps\":[\"compute\"]}],\"passes\":["
                + "{\"id\":\"before\",\"kind\":\"compute\",\"queue\":\"G\"},"
                + "{\"id\":\"behind\",\"kind\":\"compute\",\"queue\":\"C\"},"
                + "{\"id\":\"A\",\"kind\":\"compute\",\"queue\":\"G\"},"
                + "{\"id\":\"B\",\"kind\":\"compute\",\"queue\":\"G\"},"
                + "{\"id\":\"C\",\"kind\":\"compute\",\"queue\":\"C\"}],"
                + "\"queueOrder\":{\"C\":[\"C\",\"behind\"]},"
                + "\"explicitDeps\":[[\"C\",\"A\"],[\"B\",\"C\"],[\"before\",\"C\"]]}");
        assertThatThrownBy(() -> circle.compile(UnaryOperator.identity()))
                .isInstanceOfSatisfying(RdgValidationException.class, refused -> {
                    RdgError error = refused.errors().get(0);
                    assertThat(error.code()).isEqualTo(RdgError.Code.CYCLE);
                    assertThat(error.passes()).containsExactly("A", "B", "C");
                    assertThat(error.message()).endsWith(": A, B, C");
                });
    }

    private static final String DEAD = "{\"resources\":[{\"id\":\"x\",\"kind\":\"buffer\",\"bytes\":16}],"
            + "\"passes\":[{\"id\":\"A\",\"kind\":\"compute\",\"uses\":[{\"r\":\"x\",\"a\":\"storageWriteComp\"}]}],"
            + "\"mode\":{\"cull\":\"data\"}EXPECT}";

    /** What is expected of a graph changes nothing of its plan. */
    @Test
    void expectationsDoNotSteerTheCompiler() throws IOException {
        assertThat(planOf(DEAD.replace("EXPECT", "")).culledCount()).isEqualTo(1);
        assertThat(planOf(DEAD.replace("EXPECT", ",\"expect\":{\"levels\":{\"A\":0}}"))
                        .culledCount())
                .isEqualTo(1);
        assertThat(planOf(DEAD.replace("EXPECT", ",\"expect\":{\"levels\":{},\"culled\":[\"A\"]}"))
                        .culledCount())
                .isEqualTo(1);
    }

    /** A device may show dozens of queues, of which a frame uses few; what it dumps is read again. */
    @Test
    void aDumpOfADeviceWithManyQueuesIsReadAgain() throws IOException {
        List<QueueTopology.Queue> queues = new ArrayList<>();
        for (int i = 0; i < 26; i++) {
            QueueKind kind = i < 16 ? QueueKind.GRAPHICS : i < 24 ? QueueKind.COMPUTE : QueueKind.COPY;
            queues.add(new QueueTopology.Queue("queue " + i, kind, i / 8));
        }
        RenderGraph graph = new RenderGraph("many");
        RdgBuffer buffer = graph.createBuffer("buffer", BufferDescription.device(64, BufferUsage.STORAGE));
        graph.addPass("write", PassKind.COMPUTE)
                .flag(PassFlag.ASYNC_COMPUTE)
                .overwrites(buffer, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        graph.addPass("read", PassKind.COMPUTE)
                .flag(PassFlag.NEVER_CULL)
                .reads(buffer, Access.STORAGE_READ_COMPUTE)
                .record(context -> {});
        FramePlan plan = new RenderGraphCompiler(RdgOptions.defaults())
                .compile(graph, new QueueTopology(queues), PlanCase.SIZER);
        StringWriter json = new StringWriter();
        PlanJson.write(plan, json);
        FramePlan again = planOf(json.toString());
        assertThat(again.queues()).isEqualTo(plan.queues());
        assertThat(again.batches()).isEqualTo(plan.batches());
        assertThat(again.waitCount()).isEqualTo(1);
    }
}
