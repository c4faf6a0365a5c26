package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.diagnostics.CompilePhase;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.tools.PlanJson;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the executor relies on, on graphs small enough to know the plan by heart. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FramePlanTest {
    private static final ClearColor BLACK = ClearColor.BLACK_TRANSPARENT;
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
    private final Texture back = FakeResources.texture("back", 1, 1, Format.R8G8B8A8_UNORM);

    private FramePlan compile() {
        return new RenderGraphCompiler(RdgOptions.defaults()).compile(graph, QueueTopology.graphicsAndCompute(), SIZER);
    }

    private RdgTexture color(String name) {
        return graph.createTexture(
                name, TextureDescription.of(1024, 1024, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED));
    }

    @Test
    void depthThatIsOnlyTestedIsLoadedWhateverIsKnownOfIt() {
        RdgTexture depth = graph.registerExternal(
                FakeResources.texture("depth", 1, 1, Format.D32_SFLOAT), TextureLayout.UNDEFINED);
        RdgTexture target = graph.registerExternal(back, TextureLayout.UNDEFINED);
        graph.finalAccess(target, Access.PRESENT);
        graph.addPass("draw", PassKind.RASTER)
                .color(target, LoadOp.CLEAR, BLACK)
                .depthReadOnly(depth)
                .record(context -> {});
        RenderTargets targets = Objects.requireNonNull(compile().passes().get(0).targets());
        RenderTargets.Depth tested = Objects.requireNonNull(targets.depth());
        assertThat(tested.load()).isEqualTo(LoadOp.LOAD);
    }

    @Test
    void targetsStoreOnlyWhatIsNeededLater() {
        RdgTexture scene = color("scene");
        RdgTexture depth = graph.createTexture(
                "depth", TextureDescription.of(1024, 1024, Format.D32_SFLOAT, TextureUsage.SAMPLED));
        RdgTexture target = graph.registerExternal(back, TextureLayout.PRESENT);
        graph.finalAccess(target, Access.PRESENT);
        graph.addPass("draw", PassKind.RASTER)
                .color(scene, LoadOp.LOAD, BLACK)
                .depth(depth, LoadOp.CLEAR, 1)
                .record(context -> {});
        graph.addPass("show", PassKind.RASTER)
                .reads(scene, Access.SAMPLED_FRAGMENT)
                .color(target, LoadOp.DONT_CARE, BLACK)
                .record(context -> {});
        FramePlan plan = compile();
        RenderTargets targets = Objects.requireNonNull(plan.passes().get(0).targets());
        assertThat(targets.colors().get(0).load()).isEqualTo(LoadOp.DONT_CARE);
        assertThat(targets.colors().get(0).store()).isEqualTo(StoreOp.STORE);
        assertThat(targets.depth()).satisfies(d -> assertThat(d.store()).isEqualTo(StoreOp.DONT_CARE));
        assertThat(plan.finalLayout(target)).isEqualTo(TextureLayout.PRESENT);
        assertThat(plan.passes().get(1).after())
                .singleElement()
                .satisfies(barrier -> assertThat(barrier.newLayout()).isEqualTo(TextureLayout.PRESENT));
        TextureDescription completed =
                Objects.requireNonNull(plan.resources().get(0).textureDescription());
        assertThat(completed.usage()).containsExactlyInAnyOrder(TextureUsage.SAMPLED, TextureUsage.COLOR_ATTACHMENT);
    }

    @Test
    void aReadbackIsVisibleToTheHost() {
        RdgTexture source = graph.registerExternal(back, TextureLayout.SHADER_RO);
        RdgBuffer target = graph.registerExternal(FakeResources.readback("pixels", 4096));
        graph.addPass("read", PassKind.COPY)
                .flag(PassFlag.READBACK)
                .reads(source, Access.COPY_SRC)
                .overwrites(target, Access.COPY_DST)
                .record(context -> {});
        FramePlan.PlanBarrier barrier = compile().passes().get(0).after().get(0);
        assertThat(barrier.resource()).isEqualTo(target.index());
        assertThat(barrier.scope().srcAccess()).isEqualTo(MemoryAccess.COPY_WRITE.bit());
        assertThat(barrier.scope().dstStages()).isEqualTo(PipelineStage.HOST.bit());
    }

    @Test
    void aReadbackThatTheDeviceReadsLastIsVisibleToTheHost() {
        RdgBuffer target = graph.createBuffer(
                "pixels", new BufferDescription(4096, Set.of(BufferUsage.COPY_DST), MemoryUsage.READBACK));
        graph.extract(target);
        RdgBuffer copy = graph.registerExternal(FakeResources.readback("copy", 4096));
        graph.addPass("write", PassKind.COPY)
                .overwrites(target, Access.COPY_DST)
                .record(context -> {});
        graph.addPass("read", PassKind.COPY)
                .reads(target, Access.COPY_SRC)
                .overwrites(copy, Access.COPY_DST)
                .record(context -> {});
        FramePlan.PassPlan write = compile().passes().get(0);
        assertThat(write.after()).singleElement().satisfies(barrier -> {
            assertThat(barrier.resource()).isEqualTo(target.index());
            assertThat(barrier.scope().srcAccess()).isEqualTo(MemoryAccess.COPY_WRITE.bit());
            assertThat(barrier.scope().dstAccess()).isEqualTo(MemoryAccess.HOST_READ.bit());
        });
    }

    @Test
    void aReadbackThatTheHostReadsInThePassBehindNeedsNoSecondBarrier() {
        RdgBuffer target = graph.registerExternal(FakeResources.readback("pixels", 4096));
        graph.addPass("write", PassKind.COPY)
                .overwrites(target, Access.COPY_DST)
                .record(context -> {});
        graph.addPass("hand over", PassKind.COPY)
                .flag(PassFlag.NEVER_CULL)
                .reads(target, Access.HOST_READ)
                .record(context -> {});
        FramePlan plan = compile();
        assertThat(plan.passes().get(1).before())
                .singleElement()
                .satisfies(barrier -> assertThat(barrier.scope().dstAccess()).isEqualTo(MemoryAccess.HOST_READ.bit()));
        assertThat(plan.passes().get(0).after()).isEmpty();
        assertThat(plan.passes().get(1).after()).isEmpty();
    }

    @Test
    void mappedTransientsArePlacedInNoHeap() {
        RdgBuffer upload = graph.createBuffer("upload", BufferDescription.upload(1024, BufferUsage.COPY_SRC));
        RdgBuffer data = graph.createBuffer("data", BufferDescription.device(1024, BufferUsage.COPY_SRC));
        RdgBuffer readback = graph.createBuffer("readback", BufferDescription.readback(1024));
        graph.addPass("fill", PassKind.COPY)
                .overwrites(upload, Access.HOST_WRITE)
                .record(context -> {});
        graph.addPass("copy", PassKind.COPY)
                .reads(upload, Access.COPY_SRC)
                .overwrites(data, Access.COPY_DST)
                .record(context -> {});
        graph.addPass("read", PassKind.COPY)
                .flag(PassFlag.NEVER_CULL)
                .reads(data, Access.COPY_SRC)
                .overwrites(readback, Access.COPY_DST)
                .record(context -> {});
        FramePlan plan = compile();
        assertThat(plan.resources().get(upload.index()).heap()).isEqualTo(-1);
        assertThat(plan.resources().get(data.index()).heap()).isZero();
        assertThat(plan.resources().get(readback.index()).heap()).isEqualTo(-1);
        assertThat(plan.heapBytes()).isEqualTo(1024);
        assertThat(plan.transientBytesWithoutAliasing()).isEqualTo(1024);
    }

    @Test
    void theSameExternalIsOneResource() {
        assertThat(graph.registerExternal(back, TextureLayout.SHADER_RO))
                .isSameAs(graph.registerExternal(back, TextureLayout.SHADER_RO));
    }

    @Test
    void everyDecisionHasAReason() {
        RdgTexture shadow = color("shadow");
        RdgTexture ambient = color("ambient");
        RdgTexture target = graph.registerExternal(back, TextureLayout.UNDEFINED);
        graph.addPass("draw", PassKind.RASTER)
                .color(shadow, LoadOp.CLEAR, BLACK)
                .record(context -> {});
        graph.addPass("occlude", PassKind.COMPUTE)
                .flag(PassFlag.ASYNC_COMPUTE)
                .reads(shadow, Access.SAMPLED_COMPUTE)
                .overwrites(ambient, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        graph.addPass("unused", PassKind.COMPUTE)
                .overwrites(color("debug"), Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        graph.addPass("light", PassKind.RASTER)
                .reads(ambient, Access.SAMPLED_FRAGMENT)
                .color(target, LoadOp.CLEAR, BLACK)
                .record(context -> {});
        FramePlan plan = compile();
        assertThat(plan.passes().get(2).cullReason()).contains("debug");
        assertThat(plan.batches()).hasSize(3);
        assertThat(plan.waitCount()).isEqualTo(2);
        assertThat(plan.batches().get(1).waits().get(0).reason()).contains("occlude", "draw", "shadow");
        assertThat(plan.passes().get(0).after())
                .as("the change of layout for the other queue is at the tail of the writer")
                .singleElement()
                .satisfies(barrier -> assertThat(barrier.scope().dstStages()).isZero());
        assertThat(plan.passes())
                .flatExtracting(FramePlan.PassPlan::before)
                .allSatisfy(barrier -> assertThat(barrier.reason()).isNotBlank());
    }

    @Test
    void theDumpIsACaseThatCompilesToTheSamePlan() throws IOException {
        RdgTexture a = color("a");
        RdgTexture target = graph.registerExternal(back, TextureLayout.PRESENT);
        graph.addPass("draw", PassKind.RASTER).color(a, LoadOp.CLEAR, BLACK).record(context -> {});
        graph.addPass("lost", PassKind.RASTER)
                .color(color("b"), LoadOp.CLEAR, BLACK)
                .record(context -> {});
        graph.addPass("blur", PassKind.COMPUTE)
                .flag(PassFlag.ASYNC_COMPUTE)
                .writes(a, Access.STORAGE_READ_WRITE_COMPUTE)
                .record(context -> {});
        graph.addPass("show", PassKind.RASTER)
                .reads(a, Access.SAMPLED_FRAGMENT)
                .color(target, LoadOp.DONT_CARE, BLACK)
                .record(context -> {});
        FramePlan plan = compile();
        StringWriter text = new StringWriter();
        PlanJson.write(plan, text);
        JsonNode root = new ObjectMapper().readTree(text.toString());
        ((ObjectNode) root).putObject("expect").putArray("culled").add("lost");
        FramePlan again = CaseGraph.compile(root);
        assertThat(root.get("plan").get("culled").get(0).asText()).isEqualTo("lost");
        assertThat(again.batches().stream().map(FramePlan.Batch::passes).toList())
                .isEqualTo(plan.batches().stream().map(FramePlan.Batch::passes).toList());
        assertThat(barriers(again)).isEqualTo(barriers(plan));
    }

    private static List<String> barriers(FramePlan plan) {
        return plan.passes().stream()
                .flatMap(pass -> pass.before().stream())
                .map(barrier -> barrier.resource() + " " + barrier.oldLayout() + " " + barrier.newLayout())
                .toList();
    }

    @Test
    void phasesAreTimedOnlyIfSomebodyAsks() {
        RdgOptions options =
                RdgOptions.defaults().withDiagnostics(RdgDiagnostics.none().withCompileTimes(true));
        GraphModel model = RandomGraphs.graph(1);

        assertThat(timed(model, options).compileTimes().keySet()).containsExactly(CompilePhase.values());
        assertThat(timed(model, RdgOptions.defaults()).compileTimes()).isEmpty();
    }

    private static FramePlan timed(GraphModel model, RdgOptions options) {
        return new RenderGraphCompiler(options)
                .compile(model.declare(), QueueTopology.graphicsAndCompute(), PlanPropertiesTest.SIZER);
    }
}
