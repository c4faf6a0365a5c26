package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.tools.GraphFile;
import io.frameloom.rdg.tools.PlanJson;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Targets that no render pass leaves behind take no place in a heap where there is lazily allocated memory. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LazyTargetsTest {
    private static final ClearColor BLACK = ClearColor.BLACK_TRANSPARENT;
    private static final TextureDescription COLOR =
            TextureDescription.of(64, 64, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED, TextureUsage.COLOR_ATTACHMENT);
    private static final TextureDescription DEPTH =
            TextureDescription.of(64, 64, Format.D32_SFLOAT, TextureUsage.SAMPLED, TextureUsage.DEPTH_ATTACHMENT);

    /** Memory of a device that has lazily allocated memory or not. */
    private record Sizes(boolean lazyMemory) implements MemorySizer {
        @Override
        public MemoryRequirements requirements(TextureDescription description) {
            return new MemoryRequirements(1024, 256, 1);
        }

        @Override
        public MemoryRequirements requirements(BufferDescription description) {
            return new MemoryRequirements(description.bytes(), 256, 1);
        }
    }

    private final RenderGraph graph = new RenderGraph("lazy");
    private final RdgTexture picture = graph.createTexture("picture", COLOR);

    @BeforeEach
    void extract() {
        graph.extract(picture, Access.COPY_SRC);
    }

    private FramePlan compile(boolean lazyMemory) {
        return new RenderGraphCompiler(RdgOptions.defaults())
                .compile(graph, QueueTopology.graphicsAndCompute(), new Sizes(lazyMemory));
    }

    private static List<String> lazy(FramePlan plan) {
        return plan.resources().stream()
                .filter(ResourcePlan::lazy)
                .map(ResourcePlan::name)
                .toList();
    }

    private static ResourcePlan resource(FramePlan plan, String name) {
        return plan.resources().stream()
                .filter(resource -> resource.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private void drawTwice(RdgTexture depth, PassFlag... flags) {
        graph.addPass("first", PassKind.RASTER)
                .color(picture, LoadOp.CLEAR, BLACK)
                .depth(depth, LoadOp.CLEAR, 0)
                .flag(flags)
                .record(context -> {});
        graph.addPass("second", PassKind.RASTER)
                .color(picture, LoadOp.LOAD, BLACK)
                .depth(depth, LoadOp.LOAD, 0)
                .record(context -> {});
    }

    @Test
    void depthThatIsClearedAndNeverStoredTakesNoPlace() {
        drawTwice(graph.createTexture("depth", DEPTH));
        FramePlan plan = compile(true);
        assertThat(lazy(plan)).containsExactly("depth");
        assertThat(plan.heapBytes()).isZero();
        assertThat(plan.transientBytesWithoutAliasing()).isZero();
        ResourcePlan depth = resource(plan, "depth");
        assertThat(depth.heap()).isEqualTo(-1);
        assertThat(depth.bytes()).isEqualTo(1024);
        assertThat(Objects.requireNonNull(depth.textureDescription()).usage())
                .containsExactlyInAnyOrder(TextureUsage.DEPTH_ATTACHMENT, TextureUsage.TRANSIENT_ATTACHMENT);
        assertThat(Objects.requireNonNull(
                                Objects.requireNonNull(plan.passes().get(0).targets())
                                        .depth())
                        .store())
                .isEqualTo(StoreOp.DONT_CARE);
        assertThat(plan.explain("depth")).anyMatch(line -> line.contains("lazily allocated"));
    }

    @Test
    void itIsPlacedWhereThereIsNoSuchMemory() {
        drawTwice(graph.createTexture("depth", DEPTH));
        FramePlan plan = compile(false);
        assertThat(lazy(plan)).isEmpty();
        assertThat(plan.heapBytes()).isEqualTo(1024);
        assertThat(Objects.requireNonNull(resource(plan, "depth").textureDescription())
                        .usage())
                .doesNotContain(TextureUsage.TRANSIENT_ATTACHMENT);
    }

    @Test
    void whatTwoRenderPassesUseIsPlaced() {
        drawTwice(graph.createTexture("depth", DEPTH), PassFlag.NEVER_MERGE);
        assertThat(lazy(compile(true))).isEmpty();
    }

    @Test
    void whatAnotherPassReadsIsPlaced() {
        RdgTexture depth = graph.createTexture("depth", DEPTH);
        drawTwice(depth);
        graph.addPass("read", PassKind.RASTER)
                .reads(depth, Access.SAMPLED_FRAGMENT)
                .color(picture, LoadOp.LOAD, BLACK)
                .record(context -> {});
        assertThat(lazy(compile(true))).isEmpty();
    }

    @Test
    void whatAPassThatBeginsItsRenderPassesItselfUsesIsPlaced() {
        drawTwice(graph.createTexture("depth", DEPTH));
        RdgTexture own = graph.createTexture("own", DEPTH);
        graph.addPass("own", PassKind.RASTER)
                .color(picture, LoadOp.LOAD, BLACK)
                .depth(own, LoadOp.CLEAR, 0)
                .flag(PassFlag.SKIP_RENDER_PASS)
                .record(context -> {});
        assertThat(lazy(compile(true))).containsExactly("depth");
    }

    @Test
    void samplesThatAreResolvedAreLazyAndWhatTheyBecomeIsNot() {
        RdgTexture many = graph.createTexture("many", COLOR.withSamples(4));
        RdgTexture one = graph.createTexture("one", COLOR);
        graph.addPass("draw", PassKind.RASTER)
                .color(many, LoadOp.CLEAR, BLACK)
                .resolve(one)
                .record(context -> {});
        graph.addPass("read", PassKind.RASTER)
                .reads(one, Access.SAMPLED_FRAGMENT)
                .color(picture, LoadOp.CLEAR, BLACK)
                .record(context -> {});
        assertThat(lazy(compile(true))).containsExactly("many");
    }

    @Test
    void aDumpSaysSo(@TempDir Path folder) throws IOException {
        drawTwice(graph.createTexture("depth", DEPTH));
        StringWriter dump = new StringWriter();
        PlanJson.write(compile(true), dump);
        Path file = folder.resolve("graph.json");
        Files.writeString(file, dump.toString());
        GraphFile.Compiled again = GraphFile.read(file).compile(options -> options);
        assertThat(lazy(Objects.requireNonNull(again.plan()))).containsExactly("depth");
        StringWriter facts = new StringWriter();
        again.writeJson(facts);
        assertThat(facts.toString()).contains("\"lazilyAllocated\":[\"depth\"]", "\"transientBytes\":0");
    }

    /** The report says what is done: without such memory, nothing is saved. */
    @Test
    void factsAreThoseOfThePlan(@TempDir Path folder) throws IOException {
        drawTwice(graph.createTexture("depth", DEPTH));
        StringWriter dump = new StringWriter();
        PlanJson.write(compile(false), dump);
        Path file = folder.resolve("graph.json");
        Files.writeString(file, dump.toString());
        StringWriter facts = new StringWriter();
        GraphFile.read(file).compile(options -> options).writeJson(facts);
        assertThat(facts.toString()).contains("\"lazilyAllocated\":[]", "\"transientBytes\":1024");
    }
}
