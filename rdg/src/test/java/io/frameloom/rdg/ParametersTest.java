package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.declare.DeclaredGraph;
import io.frameloom.rdg.declare.ParameterLayout;
import io.frameloom.rdg.parameter.ColorAttachment;
import io.frameloom.rdg.parameter.DepthAttachment;
import io.frameloom.rdg.parameter.Nested;
import io.frameloom.rdg.parameter.Overwrites;
import io.frameloom.rdg.parameter.Reads;
import io.frameloom.rdg.parameter.Sampled;
import io.frameloom.rdg.parameter.Storage;
import io.frameloom.rdg.parameter.Uniform;
import io.frameloom.rdg.parameter.Writes;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A record declares what the fluent form declares. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ParametersTest {
    private static final TextureDescription SHAPE =
            TextureDescription.of(64, 64, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED);

    private final RenderGraph graph =
            new RenderGraph("frame", RdgOptions.defaults().withDebug(false));
    private final RdgTexture texture = graph.createTexture("texture", SHAPE.withMips(3));
    private final RdgTexture other = graph.createTexture("other", SHAPE.withMips(3));
    private final RdgTexture depth =
            graph.createTexture("depth", TextureDescription.of(64, 64, Format.D32_SFLOAT, TextureUsage.SAMPLED));
    private final RdgBuffer buffer = graph.createBuffer("buffer", BufferDescription.device(256, BufferUsage.STORAGE));
    private final RdgUniformBuffer constants = graph.createUniforms("constants", 16, target -> {});

    private record Everything(
            @Sampled RdgTexture sampled,
            @Storage(Storage.Mode.OVERWRITE) RdgTextureView target,
            @Storage(Storage.Mode.READ) RdgBuffer table,
            @Uniform RdgUniformBuffer constants,
            @Reads(Access.INDIRECT) @Nullable RdgBufferView arguments,
            int radius) {}

    private record Targets(
            @ColorAttachment(
                    load = LoadOp.CLEAR,
                    clear = {1, 0.5, 0, 1})
            RdgTexture color,

            @ColorAttachment RdgTextureView second,
            @DepthAttachment(readOnly = true) RdgTexture depth) {}

    private record Shared(
            @Sampled(stages = {ShaderStage.VERTEX, ShaderStage.FRAGMENT})
            RdgTexture map) {}

    private record Meshes(
            @Sampled(stages = {ShaderStage.TASK, ShaderStage.MESH})
            RdgTexture map,

            @Storage(value = Storage.Mode.READ, stages = ShaderStage.MESH)
            RdgBuffer table) {}

    private record Rays(
            @Sampled(stages = ShaderStage.MISS) RdgTexture sky,

            @Storage(value = Storage.Mode.OVERWRITE, stages = ShaderStage.RAY_GENERATION)
            RdgTextureView target,

            @Storage(value = Storage.Mode.READ_WRITE, stages = ShaderStage.ANY_HIT)
            RdgBuffer counters,

            @Storage(value = Storage.Mode.READ, stages = ShaderStage.CLOSEST_HIT)
            RdgBuffer materials) {}

    private record ComputeAndRays(
            @Sampled(stages = {ShaderStage.COMPUTE, ShaderStage.CLOSEST_HIT, ShaderStage.MISS})
            RdgTexture sky,

            @Storage(
                    value = Storage.Mode.OVERWRITE,
                    stages = {ShaderStage.RAY_GENERATION, ShaderStage.COMPUTE})
            RdgTextureView target,

            @Storage(
                    value = Storage.Mode.READ,
                    stages = {ShaderStage.COMPUTE, ShaderStage.ANY_HIT})
            RdgBuffer table) {}

    private record SampledByRays(
            @Sampled(stages = {ShaderStage.FRAGMENT, ShaderStage.MISS})
            RdgTexture sky) {}

    private record WrittenByRays(
            @Storage(value = Storage.Mode.WRITE, stages = ShaderStage.RAY_GENERATION)
            RdgBuffer counters) {}

    private record Draw(
            @Nested Shared shared,
            @Nested List<Shared> more,
            @Sampled List<RdgTexture> textures,
            @Nested Targets targets,
            @Writes(Access.STORAGE_READ_WRITE_FRAGMENT) RdgBuffer counters) {}

    private record Unannotated(RdgTexture forgotten) {}

    private record Unfit(@ColorAttachment RdgBuffer buffer) {}

    private record UnfitElements(@Sampled List<Object> elements) {}

    private record WrongClear(@ColorAttachment(clear = 1) RdgTexture color) {}

    private record NoStages(@Sampled(stages = {}) RdgTexture map) {}

    private record NestedPlain(@Nested String text) {}

    private record CopyOf(
            @Reads(Access.COPY_SRC) RdgTexture from,
            @Overwrites(Access.COPY_DST) RdgTexture to) {}

    private int declared(PassKind kind, Record parameters) {
        graph.addPass("by record", kind).parameters(parameters).record(context -> {});
        return graph.declaration().declared().passes() - 1;
    }

    private int expected(PassBuilder pass) {
        pass.record(context -> {});
        return graph.declaration().declared().passes() - 1;
    }

    private List<DeclaredWords.Use> uses(int pass) {
        return DeclaredWords.uses(graph.declaration().declared(), pass);
    }

    @Test
    void computeParameters() {
        int pass = declared(
                PassKind.COMPUTE, new Everything(texture, other.mip(1), buffer, constants, buffer.view(16, 12), 5));
        assertThat(uses(pass))
                .isEqualTo(uses(expected(graph.addPass("fluent", PassKind.COMPUTE)
                        .reads(texture.view(), Access.SAMPLED_COMPUTE)
                        .overwrites(other.mip(1), Access.STORAGE_WRITE_COMPUTE)
                        .reads(buffer.view(), Access.STORAGE_READ_COMPUTE)
                        .reads(buffer, 16, 12, Access.INDIRECT))));
        assertThat(graph.declaration().bound().uniforms(pass)).containsExactly(constants);
    }

    @Test
    void parametersOfRays() {
        RdgBuffer materials = graph.createBuffer("materials", BufferDescription.device(256));
        int pass = declared(PassKind.COMPUTE, new Rays(texture, other.mip(1), buffer, materials));
        assertThat(uses(pass))
                .isEqualTo(uses(expected(graph.addPass("fluent", PassKind.COMPUTE)
                        .reads(texture.view(), Access.SAMPLED_RAYS)
                        .overwrites(other.mip(1), Access.STORAGE_WRITE_RAYS)
                        .writes(buffer.view(), Access.STORAGE_READ_WRITE_RAYS)
                        .reads(materials.view(), Access.STORAGE_READ_RAYS))));
    }

    @Test
    void aComputePassMayTraceRays() {
        assertThat(uses(declared(PassKind.COMPUTE, new ComputeAndRays(texture, other.mip(1), buffer))))
                .isEqualTo(uses(expected(graph.addPass("fluent", PassKind.COMPUTE)
                        .reads(texture.view(), Access.SAMPLED_COMPUTE)
                        .reads(texture.view(), Access.SAMPLED_RAYS)
                        .overwrites(other.mip(1), Access.STORAGE_WRITE_RAYS)
                        .overwrites(other.mip(1), Access.STORAGE_WRITE_COMPUTE)
                        .reads(buffer.view(), Access.STORAGE_READ_COMPUTE)
                        .reads(buffer.view(), Access.STORAGE_READ_RAYS))));
    }

    @Test
    void raysWaitAsComputeShadersDo() {
        graph.addPass("fill", PassKind.COPY)
                .overwrites(texture, Access.COPY_DST)
                .overwrites(buffer, Access.COPY_DST)
                .record(context -> {});
        graph.addPass("trace", PassKind.COMPUTE)
                .parameters(new ComputeAndRays(texture, other.mip(1), buffer))
                .flag(PassFlag.NEVER_CULL)
                .record(context -> {});
        FramePlan plan = new RenderGraphCompiler(RdgOptions.defaults())
                .compile(graph, QueueTopology.graphicsAndCompute(), PlanPropertiesTest.SIZER);
        assertThat(plan.passes().get(1).before())
                .filteredOn(barrier -> barrier.resource() == texture.index())
                .singleElement()
                .extracting(barrier -> barrier.scope().dstStages())
                .isEqualTo(PipelineStage.COMPUTE_SHADER.bit() | PipelineStage.RAY_TRACING_SHADER.bit());
    }

    @Test
    void aRasterPassHasNoStagesOfRays() {
        refused(new SampledByRays(texture), "'sky'", "SampledByRays", "stage MISS in a raster pass");
        refused(new WrittenByRays(buffer), "'counters'", "stage RAY_GENERATION in a raster pass");
    }

    @Test
    void rasterParameters() {
        int pass = declared(
                PassKind.RASTER,
                new Draw(
                        new Shared(texture),
                        List.of(new Shared(other)),
                        List.of(texture, other),
                        new Targets(texture, other.mip(0), depth),
                        buffer));
        int fluent = expected(graph.addPass("fluent", PassKind.RASTER)
                .reads(texture.view(), Access.SAMPLED_VERTEX)
                .reads(texture.view(), Access.SAMPLED_FRAGMENT)
                .reads(other.view(), Access.SAMPLED_VERTEX)
                .reads(other.view(), Access.SAMPLED_FRAGMENT)
                .reads(texture.view(), Access.SAMPLED_FRAGMENT)
                .reads(other.view(), Access.SAMPLED_FRAGMENT)
                .color(texture, LoadOp.CLEAR, new ClearColor(1, 0.5, 0, 1))
                .color(other, LoadOp.LOAD, ClearColor.BLACK_TRANSPARENT)
                .depthReadOnly(depth)
                .writes(buffer.view(), Access.STORAGE_READ_WRITE_FRAGMENT));
        assertThat(uses(pass)).isEqualTo(uses(fluent));
        DeclaredGraph all = graph.declaration().declared();
        assertThat(all.attachments(pass)).isEqualTo(all.attachments(fluent));
    }

    @Test
    void taskAndMeshShadersUseWhatVertexShadersUse() {
        assertThat(uses(declared(PassKind.RASTER, new Meshes(texture, buffer))))
                .isEqualTo(uses(expected(graph.addPass("fluent", PassKind.RASTER)
                        .reads(texture.view(), Access.SAMPLED_VERTEX)
                        .reads(buffer.view(), Access.STORAGE_READ_VERTEX))));
    }

    @Test
    void accessesByName() {
        assertThat(uses(declared(PassKind.COPY, new CopyOf(texture, other))))
                .isEqualTo(uses(expected(graph.addPass("fluent", PassKind.COPY)
                        .reads(texture.view(), Access.COPY_SRC)
                        .overwrites(other.view(), Access.COPY_DST))));
    }

    @Test
    void whatIsNullIsNotUsed() {
        int pass = declared(PassKind.COMPUTE, new Everything(texture, other.mip(1), buffer, constants, null, 5));
        assertThat(uses(pass)).hasSize(3);
    }

    @Test
    void errorsNameRecordAndComponentAsSite() {
        declared(PassKind.COPY, new Everything(texture, other.mip(1), buffer, constants, null, 5));
        assertThatThrownBy(() -> new RenderGraphCompiler(RdgOptions.defaults())
                        .compile(graph, QueueTopology.graphicsAndCompute(), new NoSizes()))
                .isInstanceOfSatisfying(
                        RdgValidationException.class,
                        refusal -> assertThat(refusal.errors()).anySatisfy(error -> {
                            assertThat(error.pass()).isEqualTo("by record");
                            assertThat(error.resource()).isEqualTo("other");
                            assertThat(error.sites())
                                    .anyMatch(site -> site.contains("component 'target' of record")
                                            && site.contains("Everything"));
                        }));
    }

    @Test
    void misuseNamesPassRecordAndComponent() {
        refused(new Unannotated(texture), "Unannotated", "'forgotten'", "without annotation");
        refused(new Unfit(buffer), "Unfit", "'buffer'", "@ColorAttachment", "RdgTextureView");
        refused(new UnfitElements(List.of("text")), "UnfitElements", "'elements'", "java.lang.String");
        refused(new WrongClear(texture), "'color'", "1 channels");
        refused(new NoStages(texture), "'map'", "no stages");
        refused(new NestedPlain("text"), "NestedPlain", "'text'", "java.lang.String");
        refused(new Targets(texture, other.view(), depth), "'second'", "3 mips");
    }

    private void refused(Record parameters, String... parts) {
        PassBuilder pass = graph.addPass("p", PassKind.RASTER);
        assertThatThrownBy(() -> pass.parameters(parameters))
                .isInstanceOf(RdgException.class)
                .hasMessageContainingAll(parts);
    }

    @Test
    void anUnfitClassIsRefusedAgain() {
        refused(new Unannotated(texture), "pass 'p' of graph 'frame'", "Unannotated");
        refused(new Unannotated(texture), "pass 'p' of graph 'frame'", "Unannotated");
    }

    @Test
    void aClassIsLookedAtOnce() {
        ParameterLayout layout = ParameterLayout.of(CopyOf.class, "test");
        declared(PassKind.COPY, new CopyOf(texture, other));
        assertThat(ParameterLayout.of(CopyOf.class, "test")).isSameAs(layout);
    }

    @Test
    void bodyGetsTheParameters() {
        CopyOf parameters = new CopyOf(texture, other);
        graph.addPass(
                "copy",
                PassKind.COPY,
                parameters,
                (context, given) -> assertThat(given).isSameAs(parameters));
        assertThat(uses(0)).hasSize(2);
    }

    private static final class NoSizes implements MemorySizer {
        @Override
        public io.frameloom.gpu.resource.MemoryRequirements requirements(TextureDescription description) {
            throw new AssertionError("a refused graph asks for no memory");
        }

        @Override
        public io.frameloom.gpu.resource.MemoryRequirements requirements(BufferDescription description) {
            throw new AssertionError("a refused graph asks for no memory");
        }
    }
}
