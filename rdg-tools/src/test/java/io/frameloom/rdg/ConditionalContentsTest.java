package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.diagnostics.PlanWarning;
import io.frameloom.rdg.tools.GraphFile;
import io.frameloom.rdg.tools.GraphFileException;
import io.frameloom.rdg.tools.PlanJson;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A transient that only conditional passes write has no contents where they are left out: the plan warns of readers. */
@Timeout(60)
class ConditionalContentsTest {
    private static final TextureDescription SHAPE = TextureDescription.of(
                    8, 8, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED)
            .withMips(2);
    private static final MemorySizer SIZER = new MemorySizer() {
        @Override
        public MemoryRequirements requirements(TextureDescription description) {
            return new MemoryRequirements(1024, 256, 1);
        }

        @Override
        public MemoryRequirements requirements(BufferDescription description) {
            return new MemoryRequirements(description.bytes(), 256, 1);
        }
    };

    private final RenderGraph graph = new RenderGraph("frame");
    private final RdgTexture fog = graph.createTexture("fog", SHAPE);
    private final BooleanSupplier foggy = new AtomicBoolean()::get;

    private PassBuilder write(String name, int mip) {
        return graph.addPass(name, PassKind.COMPUTE)
                .overwrites(fog, SubresourceRange.mip(mip), Access.STORAGE_WRITE_COMPUTE);
    }

    private PassBuilder read(String name, int mip) {
        return graph.addPass(name, PassKind.COMPUTE)
                .reads(fog, SubresourceRange.mip(mip), Access.SAMPLED_COMPUTE)
                .flag(PassFlag.NEVER_CULL);
    }

    private List<PlanWarning> warnings() {
        return new RenderGraphCompiler(RdgOptions.defaults())
                .compile(graph, QueueTopology.graphicsAndCompute(), SIZER).warnings().stream()
                        .filter(warning -> warning.code() == PlanWarning.Code.CONDITIONAL_CONTENTS)
                        .toList();
    }

    @Test
    void aReaderWithoutTheConditionIsAWarning() {
        write("fog", 0).onlyIf(foggy).record(context -> {});
        read("light", 0).record(context -> {});
        assertThat(warnings()).singleElement().satisfies(warning -> {
            assertThat(warning.subject()).isEqualTo("fog");
            assertThat(warning.message())
                    .contains("pass 'light' reads 'fog'", "where 'fog' is left out", "same condition object");
        });
    }

    @Test
    void aReaderWithAnotherConditionIsAWarning() {
        write("fog", 0).onlyIf(foggy).record(context -> {});
        read("light", 0).onlyIf(() -> true).record(context -> {});
        assertThat(warnings()).hasSize(1);
    }

    /** Each pass of the file had a condition of its own, and so a reader with its writer's was a warning. */
    @Test
    void aDumpTellsWhichPassesShareACondition(@TempDir Path folder) throws IOException {
        BooleanSupplier other = new AtomicBoolean()::get;
        write("fog", 0).onlyIf(foggy).record(context -> {});
        read("light", 0).onlyIf(foggy).record(context -> {});
        write("haze", 1).onlyIf(other).record(context -> {});
        read("lamp", 1).onlyIf(foggy).record(context -> {});
        FramePlan plan = new RenderGraphCompiler(RdgOptions.defaults())
                .compile(graph, QueueTopology.graphicsAndCompute(), SIZER);
        StringWriter dump = new StringWriter();
        PlanJson.write(plan, dump);
        Path file = Files.writeString(folder.resolve("graph.json"), dump.toString());

        FramePlan again = Objects.requireNonNull(
                GraphFile.read(file).compile(options -> options).plan());

        assertThat(again.warnings()).isEqualTo(plan.warnings());
        assertThat(again.warnings())
                .singleElement()
                .satisfies(warning -> assertThat(warning.message()).contains("pass 'lamp' reads 'fog'"));
        StringWriter second = new StringWriter();
        PlanJson.write(again, second);
        assertThat(second.toString()).isEqualTo(dump.toString());
    }

    @Test
    void aConditionOfAFileNeedsTheFlag(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(
                folder.resolve("graph.json"),
                "{\"queues\":[{\"id\":\"g\",\"caps\":[\"graphics\"]}],\"resources\":[],\"passes\":["
                        + "{\"id\":\"p\",\"kind\":\"copy\",\"uses\":[],\"condition\":3}]}");
        assertThatThrownBy(() -> GraphFile.read(file))
                .isInstanceOf(GraphFileException.class)
                .hasMessageContainingAll("'p'", "condition", "flag conditional");
    }

    @Test
    void aReaderWithTheSameConditionIsNone() {
        write("fog", 0).onlyIf(foggy).record(context -> {});
        read("light", 0).onlyIf(foggy).record(context -> {});
        assertThat(warnings()).isEmpty();
    }

    @Test
    void aClearBeforeMakesItDefined() {
        write("clear", 0).record(context -> {});
        write("fog", 0).onlyIf(foggy).record(context -> {});
        read("light", 0).record(context -> {});
        assertThat(warnings()).isEmpty();
    }

    @Test
    void whatTheFrameWritesOfAHistoryHasNoContentsEither() {
        try (TextureHistory history = new TextureHistory(
                FakeSurroundings.device(), "trail", Access.SAMPLED_COMPUTE, ClearColor.BLACK_TRANSPARENT)) {
            TextureHistory.Frame halves = graph.history(history, SHAPE);
            graph.addPass("write", PassKind.COMPUTE)
                    .overwrites(halves.current(), Access.STORAGE_WRITE_COMPUTE)
                    .onlyIf(foggy)
                    .record(context -> {});
            for (RdgTexture half : List.of(halves.current(), halves.previous())) {
                graph.addPass("read " + half.name(), PassKind.COMPUTE)
                        .reads(half, Access.SAMPLED_COMPUTE)
                        .flag(PassFlag.NEVER_CULL)
                        .record(context -> {});
            }
            assertThat(warnings()).extracting(PlanWarning::subject).containsExactly("trail");
        }
    }

    @Test
    void aClearOfAnotherRangeDoesNot() {
        write("clear", 1).flag(PassFlag.NEVER_CULL).record(context -> {});
        write("fog", 0).onlyIf(foggy).record(context -> {});
        read("light", 0).record(context -> {});
        assertThat(warnings()).hasSize(1);
    }

    @Test
    void aConditionalTargetIsNoReaderOfItself() {
        RdgTexture target = graph.createTexture("target", SHAPE);
        for (int i = 0; i < 2; i++) {
            graph.addPass("draw " + i, PassKind.RASTER)
                    .color(target, i == 0 ? LoadOp.CLEAR : LoadOp.LOAD, ClearColor.BLACK_TRANSPARENT)
                    .flag(PassFlag.NEVER_CULL)
                    .onlyIf(foggy)
                    .record(context -> {});
        }
        assertThat(warnings()).isEmpty();
    }

    @Test
    void passesOfAnyOrderKeepTheOrderThatIsAskedFor() {
        PassBuilder second = write("second", 1).flag(PassFlag.NEVER_CULL);
        second.record(context -> {});
        PassBuilder first = write("first", 0).flag(PassFlag.NEVER_CULL);
        first.record(context -> {});
        second.after(first);
        FramePlan plan = new RenderGraphCompiler(RdgOptions.defaults().withOrder(PassOrder.UNORDERED))
                .compile(graph, QueueTopology.graphicsAndCompute(), SIZER);
        assertThat(plan.passes()).extracting(FramePlan.PassPlan::name).containsExactly("first", "second");
        assertThat(plan.dependencies()).singleElement().satisfies(edge -> {
            assertThat(edge.from()).isZero();
            assertThat(edge.kinds()).contains(PlanDerivation.DependencyKind.DECLARED);
        });
    }
}
