package io.frameloom.rdg.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.FakeResources;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgError;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RdgValidationException;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.diagnostics.PlanWarning;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who takes over contents that nobody wrote is told, by subresource; with validation it is refused. */
@Timeout(60)
class UndefinedContentsTest {
    private static final ClearColor BLACK = ClearColor.BLACK_TRANSPARENT;
    private static final TextureDescription SHAPE = TextureDescription.of(
                    8, 8, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED)
            .withMips(3);
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

    private final RenderGraph graph =
            new RenderGraph("frame", RdgOptions.defaults().withDebug(true));

    private FramePlan compile(boolean validation) {
        RdgOptions options = RdgOptions.defaults().withDebug(true);
        return new RenderGraphCompiler(
                        options.withDiagnostics(options.diagnostics().withValidation(validation)))
                .compile(graph, QueueTopology.graphicsAndCompute(), SIZER);
    }

    private List<PlanWarning> warnings() {
        return compile(false).warnings().stream()
                .filter(warning -> warning.code() == PlanWarning.Code.UNDEFINED_CONTENTS
                        || warning.code() == PlanWarning.Code.ALIASED_CONTENTS)
                .toList();
    }

    private void assertWarning(PlanWarning.Code code, String subject, String... parts) {
        assertThat(warnings()).singleElement().satisfies(warning -> {
            assertThat(warning.code()).isEqualTo(code);
            assertThat(warning.subject()).isEqualTo(subject);
            assertThat(warning.message()).contains(parts);
            assertThat(warning.sites()).hasSize(2).allMatch(site -> site.contains("UndefinedContentsTest.java:"));
        });
    }

    private RdgTexture imported(TextureLayout layout) {
        return graph.registerExternal(FakeResources.texture("engine's", 3, 1, Format.R8G8B8A8_UNORM), layout);
    }

    private PassBuilder read(RdgTexture texture, SubresourceRange range) {
        return graph.addPass("light", PassKind.COMPUTE)
                .reads(texture, range, Access.SAMPLED_COMPUTE)
                .flag(PassFlag.NEVER_CULL);
    }

    private void write(String name, RdgTexture texture, int mip) {
        graph.addPass(name, PassKind.COMPUTE)
                .overwrites(texture, SubresourceRange.mip(mip), Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
    }

    @Test
    void aReadOfATextureThatComesWithoutContentsIsAWarning() {
        read(imported(TextureLayout.UNDEFINED), SubresourceRange.mip(0)).record(context -> {});
        assertWarning(
                PlanWarning.Code.UNDEFINED_CONTENTS, "engine's", "pass 'light'", "layout UNDEFINED", "register it in");
    }

    @Test
    void aLoadOfATextureThatComesWithoutContentsIsAWarning() {
        graph.addPass("blend", PassKind.RASTER)
                .color(imported(TextureLayout.UNDEFINED), LoadOp.LOAD, BLACK)
                .record(context -> {});
        assertWarning(PlanWarning.Code.UNDEFINED_CONTENTS, "engine's", "pass 'blend' loads or reads");
    }

    @Test
    void withValidationItIsRefusedWithPassAndSite() {
        read(imported(TextureLayout.UNDEFINED), SubresourceRange.mip(0)).record(context -> {});
        RdgValidationException refused = catchThrowableOfType(RdgValidationException.class, () -> compile(true));
        assertThat(refused.errors()).singleElement().satisfies(error -> {
            assertThat(error.code()).isEqualTo(RdgError.Code.UNDEFINED_CONTENTS);
            assertThat(error.pass()).isEqualTo("light");
            assertThat(error.resource()).isEqualTo("engine's");
            assertThat(error.sites()).hasSize(2).allMatch(site -> site.contains("UndefinedContentsTest"));
        });
    }

    /** What is refused is not kept for the next frame. */
    @Test
    void validationRefusesTheSameGraphAgain() {
        RdgOptions options = RdgOptions.defaults();
        RenderGraphCompiler compiler = new RenderGraphCompiler(
                options.withDiagnostics(options.diagnostics().withValidation(true)));
        for (int frame = 0; frame < 2; frame++) {
            RenderGraph same = new RenderGraph("frame");
            same.addPass("blend", PassKind.RASTER)
                    .color(same.createTexture("picture", SHAPE), LoadOp.LOAD, BLACK)
                    .flag(PassFlag.NEVER_CULL)
                    .record(context -> {});
            assertThatThrownBy(() -> compiler.compile(same, QueueTopology.graphicsAndCompute(), SIZER))
                    .isInstanceOf(RdgValidationException.class)
                    .hasMessageContaining("picture");
        }
    }

    @Test
    void whatComesInALayoutHasContents() {
        read(imported(TextureLayout.SHADER_RO), SubresourceRange.mip(0)).record(context -> {});
        assertThat(warnings()).isEmpty();
        assertThat(compile(true).warnings()).isEmpty();
    }

    @Test
    void aMipThatNobodyWroteIsTold() {
        RdgTexture fog = graph.createTexture("fog", SHAPE);
        write("fog 0", fog, 0);
        write("fog 2", fog, 2);
        read(fog, SubresourceRange.all(SHAPE)).record(context -> {});
        assertWarning(PlanWarning.Code.UNDEFINED_CONTENTS, "fog", "of mip 1 of layer 0", "clear or write it");
    }

    @Test
    void whoReadsOnlyWhatIsWrittenIsNotTold() {
        RdgTexture fog = graph.createTexture("fog", SHAPE);
        write("fog 0", fog, 0);
        read(fog, SubresourceRange.mip(0)).record(context -> {});
        assertThat(warnings()).isEmpty();
    }

    /** Shaders see one plane: who writes depth alone reads it through a declaration of both. */
    @Test
    void aPlaneThatNobodyWroteIsNoMistakeOfWhoDeclaresBoth() {
        RdgTexture depth = graph.createTexture(
                "depth", TextureDescription.of(8, 8, Format.D32_SFLOAT_S8_UINT, TextureUsage.SAMPLED));
        graph.addPass("depth", PassKind.RASTER).depth(depth, LoadOp.CLEAR, 1).record(context -> {});
        graph.addPass("fog", PassKind.COMPUTE)
                .reads(depth, Access.SAMPLED_COMPUTE)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> {});
        assertThat(warnings()).isEmpty();
    }

    @Test
    void aCounterThatNobodyClearedIsTold() {
        RdgBuffer counter = graph.createBuffer("counter", BufferDescription.device(64, BufferUsage.STORAGE));
        for (String pass : List.of("count", "count on")) {
            graph.addPass(pass, PassKind.COMPUTE)
                    .writes(counter, Access.STORAGE_READ_WRITE_COMPUTE)
                    .flag(PassFlag.NEVER_CULL)
                    .record(context -> {});
        }
        assertWarning(PlanWarning.Code.UNDEFINED_CONTENTS, "counter", "pass 'count' loads or reads");
    }

    private void aliased(boolean clears) {
        RdgTexture first = graph.createTexture("first", SHAPE.withMips(1));
        RdgTexture second = graph.createTexture("second", SHAPE.withMips(1));
        write("one", first, 0);
        PassBuilder between = graph.addPass("between", PassKind.COMPUTE)
                .reads(first, Access.SAMPLED_COMPUTE)
                .flag(PassFlag.NEVER_CULL);
        between.record(context -> {});
        PassBuilder two = graph.addPass("two", PassKind.COMPUTE);
        (clears
                        ? two.overwrites(second, Access.STORAGE_WRITE_COMPUTE)
                        : two.writes(second, Access.STORAGE_WRITE_COMPUTE))
                .after(between)
                .record(context -> {});
        read(second, SubresourceRange.mip(0)).record(context -> {});
        FramePlan plan = compile(false);
        assertThat(plan.resources().get(1).offset())
                .isEqualTo(plan.resources().get(0).offset());
    }

    @Test
    void whoKeepsWhatAnotherLeftInTheMemoryIsTold() {
        aliased(false);
        assertWarning(
                PlanWarning.Code.ALIASED_CONTENTS,
                "second",
                "pass 'two' keeps what is in 'second'",
                "whose memory 'first' had before",
                "overwrites");
    }

    @Test
    void whoOverwritesMemoryOfAnotherIsNot() {
        aliased(true);
        assertThat(warnings()).isEmpty();
    }

    /** A plan of another frame names the lines of its own declaration. */
    @Test
    void aReusedPlanNamesItsOwnSites() {
        RenderGraphCompiler compiler =
                new RenderGraphCompiler(RdgOptions.defaults().withDebug(true));
        List<List<String>> told = new ArrayList<>();
        for (int frame = 0; frame < 2; frame++) {
            RenderGraph same = new RenderGraph("frame", RdgOptions.defaults().withDebug(true));
            PassBuilder pass = same.addPass("blend", PassKind.RASTER).flag(PassFlag.NEVER_CULL);
            RdgTexture picture = same.createTexture("picture", SHAPE);
            if (frame == 0) {
                pass.color(picture, LoadOp.LOAD, BLACK);
            } else {
                pass.color(picture, 0, 0, LoadOp.LOAD, BLACK);
            }
            pass.record(context -> {});
            told.add(compiler.compile(same, QueueTopology.graphicsAndCompute(), SIZER).warnings().stream()
                    .filter(warning -> warning.code() == PlanWarning.Code.UNDEFINED_CONTENTS)
                    .findFirst()
                    .orElseThrow()
                    .sites());
        }
        assertThat(compiler.planReuse().hits()).isEqualTo(1);
        assertThat(told.get(0)).isNotEqualTo(told.get(1));
    }
}
