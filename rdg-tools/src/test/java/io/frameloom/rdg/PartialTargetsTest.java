package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.tools.GraphFile;
import io.frameloom.rdg.tools.PlanDiff;
import io.frameloom.rdg.tools.PlanJson;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Render areas and slices: what a pass renders to a part of keeps the rest; transients that share no memory. */
@Timeout(60)
class PartialTargetsTest {
    private static final ClearColor BLACK = ClearColor.BLACK_TRANSPARENT;
    private static final TextureDescription SHAPE =
            TextureDescription.of(64, 64, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED);

    private final RenderGraph graph =
            new RenderGraph("frame", RdgOptions.defaults().withDebug(true));
    private final RdgTexture picture = graph.createTexture("picture", SHAPE);
    private final RdgTexture volume =
            graph.createTexture("volume", SHAPE.withDepth(8).withMips(2));

    @TempDir
    private Path folder;

    private FramePlan compile() {
        return new RenderGraphCompiler(RdgOptions.defaults())
                .compile(graph, QueueTopology.graphicsAndCompute(), PlanPropertiesTest.SIZER);
    }

    private List<RdgError> errors() {
        return catchThrowableOfType(RdgValidationException.class, this::compile).errors();
    }

    private PassBuilder draw(String name, LoadOp load) {
        return graph.addPass(name, PassKind.RASTER).color(picture, load, BLACK);
    }

    private void read(RdgTexture texture) {
        graph.addPass("read", PassKind.COMPUTE)
                .reads(texture, Access.SAMPLED_COMPUTE)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> {});
    }

    private static RenderTargets targets(FramePlan plan, int pass) {
        return Objects.requireNonNull(plan.passes().get(pass).targets());
    }

    private FramePlan again(FramePlan plan) throws IOException {
        StringWriter text = new StringWriter();
        PlanJson.write(plan, text);
        Path file = Files.writeString(folder.resolve("graph.json"), text.toString());
        FramePlan again = Objects.requireNonNull(
                GraphFile.read(file).compile(UnaryOperator.identity()).plan());
        assertThat(PlanDiff.between(plan, again).changes()).isEmpty();
        return again;
    }

    @Test
    void aClearOfAnAreaKeepsWhatIsOutsideAndWhoWroteIt() throws IOException {
        draw("all", LoadOp.CLEAR).record(context -> {});
        draw("part", LoadOp.CLEAR).renderArea(8, 4, 16, 32).record(context -> {});
        read(picture);
        FramePlan plan = compile();
        assertThat(plan.culledCount()).isZero();
        assertThat(plan.passes().get(1).uses().get(0).discard()).isFalse();
        RenderTargets part = targets(plan, 1);
        assertThat(List.of(part.x(), part.y(), part.width(), part.height())).containsExactly(8, 4, 16, 32);
        assertThat(part.colors().get(0).load()).isEqualTo(LoadOp.CLEAR);
        assertThat(targets(plan, 0).colors().get(0).store()).isEqualTo(StoreOp.STORE);
        assertThat(targets(again(plan), 1)).isEqualTo(part);
    }

    @Test
    void anAreaOfAllOverwritesAll() {
        draw("all", LoadOp.CLEAR).record(context -> {});
        draw("again", LoadOp.CLEAR).renderArea(0, 0, 64, 64).record(context -> {});
        read(picture);
        FramePlan plan = compile();
        assertThat(plan.passes().get(0).culled()).isTrue();
        assertThat(plan.passes().get(1).uses().get(0).discard()).isTrue();
    }

    @Test
    void passesOfOneAreaShareARenderPassAndOfOthersDoNot() {
        draw("one", LoadOp.CLEAR).renderArea(0, 0, 32, 32).record(context -> {});
        draw("two", LoadOp.LOAD).renderArea(0, 0, 32, 32).record(context -> {});
        draw("three", LoadOp.LOAD).renderArea(32, 0, 32, 32).record(context -> {});
        draw("four", LoadOp.LOAD).record(context -> {});
        read(picture);
        FramePlan plan = compile();
        assertThat(plan.renderPasses())
                .extracting(FramePlan.RenderPassPlan::passes)
                .containsExactly(List.of(0, 1), List.of(2), List.of(3));
        assertThat(plan.renderPasses().get(1).refusal()).isEqualTo("their render areas differ");
    }

    @Test
    void areasOutsideOfTheTargetsAreRefused() {
        draw("part", LoadOp.CLEAR).renderArea(60, 0, 8, 8).record(context -> {});
        read(picture);
        assertThat(errors()).singleElement().satisfies(error -> {
            assertThat(error.code()).isEqualTo(RdgError.Code.RANGE);
            assertThat(error.pass()).isEqualTo("part");
            assertThat(error.message()).contains("8x8 texels at 60,0", "'picture' is 64x64");
            assertThat(error.sites()).isNotEmpty().allMatch(site -> site.contains("PartialTargetsTest"));
        });
    }

    @Test
    void areasOfNoTargetsAreRefused() {
        assertThatThrownBy(() -> draw("empty", LoadOp.CLEAR).renderArea(0, 0, 0, 1))
                .isInstanceOf(RdgException.class)
                .hasMessageContaining("'empty'")
                .hasMessageContaining("PartialTargetsTest");
        assertThatThrownBy(
                        () -> draw("twice", LoadOp.CLEAR).renderArea(0, 0, 1, 1).renderArea(0, 0, 1, 1))
                .hasMessageContaining("has a render area already");
        assertThatThrownBy(() -> graph.addPass("compute", PassKind.COMPUTE).renderArea(0, 0, 1, 1))
                .hasMessageContaining("a COMPUTE pass");
    }

    @Test
    void aPassThatBeginsItsRenderPassesItselfHasNoArea() {
        draw("own", LoadOp.CLEAR)
                .renderArea(0, 0, 1, 1)
                .flag(PassFlag.SKIP_RENDER_PASS)
                .record(context -> {});
        assertThat(errors()).extracting(RdgError::code).containsExactly(RdgError.Code.FLAG_INVALID);
    }

    private PassBuilder slices(String name, int first, int count) {
        return graph.addPass(name, PassKind.RASTER).colorSlices(volume, 0, first, count, LoadOp.CLEAR, BLACK);
    }

    @Test
    void slicesKeepTheOthers() throws IOException {
        slices("one", 0, 1).record(context -> {});
        slices("three", 1, 3).record(context -> {});
        read(volume);
        FramePlan plan = compile();
        assertThat(plan.culledCount()).isZero();
        assertThat(plan.renderPasses()).hasSize(2);
        assertThat(targets(plan, 1).layers()).isEqualTo(3);
        assertThat(targets(plan, 1).colors().get(0).slices()).isEqualTo(new RenderTargets.Slices(1, 3));
        assertThat(plan.passes().get(1).uses().get(0).discard()).isFalse();
        assertThat(targets(again(plan), 1)).isEqualTo(targets(plan, 1));
    }

    @Test
    void allSlicesOverwriteTheMip() {
        slices("one", 0, 1).record(context -> {});
        slices("all", 0, 8).record(context -> {});
        read(volume);
        assertThat(compile().passes().get(0).culled()).isTrue();
    }

    @Test
    void slicesBeyondTheMipAreRefused() {
        graph.addPass("p", PassKind.RASTER)
                .colorSlices(volume, 1, 3, 2, LoadOp.CLEAR, BLACK)
                .record(context -> {});
        assertThat(errors()).singleElement().satisfies(error -> {
            assertThat(error.code()).isEqualTo(RdgError.Code.RANGE);
            assertThat(error.message()).contains("2 slices from 3 on of mip 1 of 'volume', which has 4");
        });
        assertThatThrownBy(
                        () -> graph.addPass("flat", PassKind.RASTER).colorSlices(picture, 0, 0, 1, LoadOp.CLEAR, BLACK))
                .isInstanceOf(RdgException.class)
                .hasMessageContaining("'picture'")
                .hasMessageContaining("TWO_D");
    }

    private int sharing(boolean apart) throws IOException {
        RenderGraph frame = new RenderGraph("chain");
        RdgTexture last = null;
        for (int i = 0; i < 4; i++) {
            RdgTexture next = frame.createTexture("t" + i, SHAPE);
            PassBuilder pass = frame.addPass("p" + i, PassKind.COMPUTE)
                    .overwrites(next, Access.STORAGE_WRITE_COMPUTE)
                    .flag(PassFlag.NEVER_CULL);
            if (last != null) {
                pass.reads(last, Access.SAMPLED_COMPUTE);
            }
            if (i == 2 && apart) {
                frame.neverAlias(next);
            }
            pass.record(context -> {});
            last = next;
        }
        FramePlan plan = new RenderGraphCompiler(RdgOptions.defaults())
                .compile(frame, QueueTopology.graphicsAndCompute(), PlanPropertiesTest.SIZER);
        assertThat(again(plan).resources().get(2).heap())
                .isEqualTo(plan.resources().get(2).heap());
        return plan.resources().get(2).heap();
    }

    @Test
    void whatNeverAliasesIsInNoHeap() throws IOException {
        assertThat(sharing(false)).isZero();
        assertThat(sharing(true)).isEqualTo(-1);
    }

    @Test
    void externalsHaveNothingToShare() {
        RdgTexture external = graph.registerExternal(
                FakeResources.texture("engine's", 1, 1, Format.R8G8B8A8_UNORM), TextureLayout.GENERAL);
        assertThatThrownBy(() -> graph.neverAlias(external))
                .isInstanceOf(RdgException.class)
                .hasMessageContaining("'engine's'")
                .hasMessageContaining("name a transient");
    }
}
