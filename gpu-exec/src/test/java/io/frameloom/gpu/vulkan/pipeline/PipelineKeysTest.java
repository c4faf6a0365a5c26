package io.frameloom.gpu.vulkan.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.cache.disk.CanonicalFields;
import io.frameloom.gpu.cache.program.Compatibility;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.DynamicState;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.CullMode;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthCompare;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthState;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexAttribute;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexBuffer;
import io.frameloom.gpu.pipeline.MultisampleState;
import io.frameloom.gpu.pipeline.RasterState;
import io.frameloom.gpu.pipeline.RasterState.FrontFace;
import io.frameloom.gpu.pipeline.RasterState.PolygonMode;
import io.frameloom.gpu.pipeline.RasterState.Topology;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription.General;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription.ProceduralHit;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription.TrianglesHit;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.pipeline.SpecializationValue;
import io.frameloom.gpu.pipeline.StencilState;
import io.frameloom.gpu.pipeline.StencilState.Face;
import io.frameloom.gpu.pipeline.StencilState.Operation;
import io.frameloom.gpu.pipeline.TargetBlend;
import io.frameloom.gpu.pipeline.TargetBlend.Factor;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.shader.PipelineShaders;
import io.frameloom.gpu.shader.ShaderCompiler;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Everything that can change the binary of a pipeline changes its key, and a name does not. */
@Timeout(60)
class PipelineKeysTest {
    private static final Compatibility DEVICE = new Compatibility(new CanonicalFields().text("device", "one"));

    private static final ShaderSource VERTEX = new ShaderSource("v.vert", ShaderStage.VERTEX, """
            #version 450
            layout(location = 0) in vec3 place;
            layout(constant_id = 0) const float SCALE = 1.0;
            layout(constant_id = 1) const float SHIFT = 0.0;
            void main() { gl_Position = vec4(place * SCALE + SHIFT, 1); }
            """);

    private static final ShaderSource FRAGMENT = new ShaderSource("f.frag", ShaderStage.FRAGMENT, """
            #version 450
            layout(location = 0) out vec4 color;
            void main() { color = vec4(1); }
            """);

    private static final VertexBuffer BUFFER =
            new VertexBuffer(16, false, List.of(new VertexAttribute(0, Format.R32G32B32_SFLOAT, 0)));
    private static final Face FACE =
            new Face(DepthCompare.ALWAYS, Operation.KEEP, Operation.KEEP, Operation.KEEP, 1, 1, 1);

    private static final GraphicsPipelineDescription BASE = new GraphicsPipelineDescription(
            "base",
            VERTEX,
            null,
            null,
            FRAGMENT,
            List.of(BUFFER),
            new RasterState(Topology.TRIANGLE_STRIP, false, PolygonMode.FILL, FrontFace.CLOCKWISE, false),
            CullMode.NONE,
            new DepthState(DepthCompare.LESS, true, 0, 0, 0),
            new StencilState(FACE),
            MultisampleState.of(4),
            List.of(TargetBlend.OVER),
            List.of(Format.R8G8B8A8_UNORM),
            Format.D32_SFLOAT_S8_UINT,
            Format.D32_SFLOAT_S8_UINT,
            Set.of(),
            1,
            0,
            -1);

    private final ShaderCompiler compiler = new ShaderCompiler();

    @AfterEach
    void close() {
        compiler.close();
    }

    private String key(GraphicsPipelineDescription description) {
        return PipelineKeys.graphics(description, PipelineShaders.of(compiler, description, 256), DEVICE)
                .digest()
                .hex();
    }

    private String key(ShaderSource shader) {
        ComputePipelineDescription description = new ComputePipelineDescription("compute", shader, null);
        return PipelineKeys.compute(description, PipelineShaders.of(compiler, description, 256), DEVICE)
                .digest()
                .hex();
    }

    /** Returns a copy of a record with one component changed. */
    private static <T extends Record> T with(T record, String component, @Nullable Object value) {
        try {
            List<@Nullable Object> values = new ArrayList<>();
            List<Class<?>> types = new ArrayList<>();
            for (RecordComponent each : record.getClass().getRecordComponents()) {
                types.add(each.getType());
                values.add(
                        each.getName().equals(component)
                                ? value
                                : each.getAccessor().invoke(record));
            }
            @SuppressWarnings("unchecked")
            Constructor<T> constructor =
                    (Constructor<T>) record.getClass().getDeclaredConstructor(types.toArray(new Class<?>[0]));
            return constructor.newInstance(values.toArray());
        } catch (InvocationTargetException e) {
            throw new AssertionError(component, e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(component, e);
        }
    }

    private static GraphicsPipelineDescription raster(String component, Object value) {
        return BASE.withRaster(with(BASE.raster(), component, value));
    }

    private static GraphicsPipelineDescription depth(String component, Object value) {
        return with(BASE, "depth", with(new DepthState(DepthCompare.LESS, true, 0, 0, 0), component, value));
    }

    private static GraphicsPipelineDescription stencil(StencilState state) {
        return BASE.withStencil(state, Format.D32_SFLOAT_S8_UINT);
    }

    private static GraphicsPipelineDescription multisample(String component, Object value) {
        return BASE.withMultisample(with(BASE.multisample(), component, value));
    }

    private static GraphicsPipelineDescription buffer(VertexBuffer... buffers) {
        return with(BASE, "vertexBuffers", List.of(buffers));
    }

    private static GraphicsPipelineDescription unusedAttribute(int location) {
        return buffer(new VertexBuffer(
                16, false, List.of(BUFFER.attributes().get(0), new VertexAttribute(location, Format.R32_SFLOAT, 12))));
    }

    private static VertexBuffer attribute(String component, Object value) {
        return new VertexBuffer(16, false, List.of(with(BUFFER.attributes().get(0), component, value)));
    }

    private static Map<String, GraphicsPipelineDescription> changes() {
        Map<String, GraphicsPipelineDescription> changes = new HashMap<>();
        changes.put("topology", raster("topology", Topology.TRIANGLE_FAN));
        changes.put("restart", raster("primitiveRestart", true));
        changes.put("polygon", raster("polygonMode", PolygonMode.LINE));
        changes.put("front", raster("frontFace", FrontFace.COUNTER_CLOCKWISE));
        changes.put("clamp", raster("depthClamp", true));
        changes.put("cull", with(BASE, "cull", CullMode.BACK));
        changes.put("compare", depth("compare", DepthCompare.GREATER));
        changes.put("write", depth("write", false));
        changes.put("bias", depth("biasConstant", 1f));
        changes.put("slope", depth("biasSlope", 1f));
        changes.put("bias clamp", depth("biasClamp", 1f));
        changes.put("stencil compare", stencil(new StencilState(with(FACE, "compare", DepthCompare.NEVER))));
        changes.put("fail", stencil(new StencilState(with(FACE, "fail", Operation.ZERO))));
        changes.put("depth fail", stencil(new StencilState(with(FACE, "depthFail", Operation.ZERO))));
        changes.put("pass", stencil(new StencilState(with(FACE, "pass", Operation.ZERO))));
        changes.put("compare mask", stencil(new StencilState(with(FACE, "compareMask", 2))));
        changes.put("write mask", stencil(new StencilState(with(FACE, "writeMask", 2))));
        changes.put("reference", stencil(new StencilState(with(FACE, "reference", 2))));
        changes.put("back face", stencil(new StencilState(FACE, with(FACE, "reference", 2))));
        changes.put("samples", multisample("samples", 2));
        changes.put("mask", multisample("sampleMask", 3L));
        changes.put("coverage", multisample("alphaToCoverage", true));
        changes.put("shading", multisample("minSampleShading", 0.5f));
        for (RecordComponent component : TargetBlend.class.getRecordComponents()) {
            Object value = component.getType() == Factor.class
                    ? Factor.CONSTANT_COLOR
                    : component.getType() == TargetBlend.Operation.class
                            ? TargetBlend.Operation.MAX
                            : component.getType() == int.class ? (Object) TargetBlend.RED : (Object) false;
            changes.put(
                    "blend " + component.getName(),
                    BASE.withBlends(List.of(with(TargetBlend.OVER, component.getName(), value))));
        }
        changes.put("colour format", with(BASE, "colorFormats", List.of(Format.R8G8B8A8_SRGB)));
        changes.put("no stencil", with(with(BASE, "stencil", null), "stencilFormat", null));
        changes.put("no depth", with(with(BASE, "depth", null), "depthFormat", null));
        changes.put("stride", buffer(with(BUFFER, "stride", 32)));
        changes.put("instance", buffer(with(BUFFER, "perInstance", true)));
        changes.put("attribute format", buffer(attribute("format", Format.R32G32B32A32_SFLOAT)));
        changes.put("attribute offset", buffer(attribute("offset", 4)));
        changes.put("unused attribute", unusedAttribute(1));
        changes.put("location of an unused attribute", unusedAttribute(2));
        GraphicsPipelineDescription onlyDepth = with(with(BASE, "stencil", null), "stencilFormat", null);
        changes.put("depth format", with(onlyDepth, "depthFormat", Format.D24_UNORM_S8_UINT));
        GraphicsPipelineDescription onlyStencil = with(with(BASE, "depth", null), "depthFormat", null);
        changes.put("stencil format", with(onlyStencil, "stencilFormat", Format.D24_UNORM_S8_UINT));
        changes.put("code", with(BASE, "fragmentShader", new ShaderSource("f.frag", ShaderStage.FRAGMENT, """
                #version 450
                layout(location = 0) out vec4 color;
                void main() { color = vec4(0.5); }
                """)));
        changes.put("second buffer", buffer(BUFFER, new VertexBuffer(16, false, List.of())));
        changes.put("views", BASE.withViews(2));
        changes.put("viewports", BASE.withViewports(2));
        changes.put("stencil reference", BASE.withDynamicStates(Set.of(DynamicState.STENCIL_REFERENCE)));
        changes.put("blend constants", BASE.withDynamicStates(Set.of(DynamicState.BLEND_CONSTANTS)));
        changes.put("constant", vertex(VERTEX.withConstant("SCALE", SpecializationValue.ofFloat(2))));
        changes.put("other constant", vertex(VERTEX.withConstant("SHIFT", SpecializationValue.ofFloat(2))));
        changes.put("value", vertex(VERTEX.withConstant("SCALE", SpecializationValue.ofFloat(3))));
        changes.put("no fragments", with(BASE, "fragmentShader", null));
        return changes;
    }

    private static GraphicsPipelineDescription vertex(ShaderSource shader) {
        return with(BASE, "vertexShader", shader);
    }

    @Test
    void anyDifferenceMakesAnotherKey() {
        Map<String, String> seen = new HashMap<>();
        seen.put(key(BASE), "base");
        changes()
                .forEach((name, description) -> assertThat(seen.put(key(description), name))
                        .as("the key of '%s'", name)
                        .isNull());
    }

    private Set<PipelinePart> changedParts(GraphicsPipelineDescription description) {
        return changedParts(BASE, description);
    }

    private Set<PipelinePart> changedParts(GraphicsPipelineDescription from, GraphicsPipelineDescription description) {
        PipelineShaders base = PipelineShaders.of(compiler, from, 256);
        PipelineShaders other = PipelineShaders.of(compiler, description, 256);
        Set<PipelinePart> changed = EnumSet.noneOf(PipelinePart.class);
        for (PipelinePart part : PipelinePart.values()) {
            if (!Arrays.equals(
                    PipelineKeys.part(part, from, base).encoded(),
                    PipelineKeys.part(part, description, other).encoded())) {
                changed.add(part);
            }
        }
        return changed;
    }

    @Test
    void anyDifferenceMakesAnotherPart() {
        changes()
                .forEach((name, description) ->
                        assertThat(changedParts(description)).as(name).isNotEmpty());
    }

    @Test
    void onlyPartsWithTheDifferenceAreOthers() {
        Map<String, GraphicsPipelineDescription> changes = changes();
        Map.of(
                        "topology", PipelinePart.VERTEX_INPUT,
                        "stride", PipelinePart.VERTEX_INPUT,
                        "cull", PipelinePart.PRE_RASTERIZATION,
                        "bias", PipelinePart.PRE_RASTERIZATION,
                        "constant", PipelinePart.PRE_RASTERIZATION,
                        "code", PipelinePart.FRAGMENT_SHADER,
                        "compare", PipelinePart.FRAGMENT_SHADER,
                        "stencil reference", PipelinePart.FRAGMENT_SHADER,
                        "colour format", PipelinePart.FRAGMENT_OUTPUT,
                        "blend constants", PipelinePart.FRAGMENT_OUTPUT)
                .forEach((name, part) -> assertThat(changedParts(Objects.requireNonNull(changes.get(name))))
                        .as(name)
                        .containsExactly(part));
        assertThat(changedParts(BASE.withViews(2)))
                .containsExactly(
                        PipelinePart.PRE_RASTERIZATION, PipelinePart.FRAGMENT_SHADER, PipelinePart.FRAGMENT_OUTPUT);
    }

    /** A set of a table changes the layout, which parts with shaders are made for. */
    @Test
    void aTableOfOneShaderMakesAnotherPartOfEach() {
        GraphicsPipelineDescription indexing =
                with(BASE, "fragmentShader", new ShaderSource("f.frag", ShaderStage.FRAGMENT, """
                #version 450
                #extension GL_EXT_nonuniform_qualifier : require
                layout(set = 0, binding = 3) buffer Words { uint words[]; } buffers[];
                layout(location = 0) out vec4 color;
                void main() { color = vec4(buffers[int(gl_FragCoord.x)].words[0]); }
                """));
        assertThat(changedParts(indexing))
                .containsExactly(PipelinePart.PRE_RASTERIZATION, PipelinePart.FRAGMENT_SHADER);
    }

    /** A layout that pushes is another one, even though the shaders are the same. */
    @Test
    void aPushedSetMakesAnotherKeyAndAnotherPartOfEachShader() {
        GraphicsPipelineDescription bound =
                with(BASE, "fragmentShader", new ShaderSource("f.frag", ShaderStage.FRAGMENT, """
                #version 450
                layout(set = 0, binding = 0) uniform Tint { vec4 tint; };
                layout(location = 0) out vec4 color;
                void main() { color = tint; }
                """));
        GraphicsPipelineDescription pushed = bound.withPushDescriptorSet(0);
        assertThat(key(pushed)).isNotEqualTo(key(bound));
        assertThat(changedParts(bound, pushed))
                .containsExactly(PipelinePart.PRE_RASTERIZATION, PipelinePart.FRAGMENT_SHADER);
    }

    /** A link with optimisation may make another binary than the whole. */
    @Test
    void linkedPipelinesHaveKeysOfTheirOwn() {
        PipelineShaders shaders = PipelineShaders.of(compiler, BASE, 256);
        assertThat(PipelineKeys.linked(BASE, shaders, DEVICE).digest().hex()).isNotEqualTo(key(BASE));
    }

    @Test
    void verticesThatTheListSetsAreNoPartOfTheKey() {
        GraphicsPipelineDescription loose = BASE.withDynamicStates(Set.of(DynamicState.VERTEX_INPUT));
        GraphicsPipelineDescription wider = with(loose, "vertexBuffers", List.of(attribute("offset", 4)));
        assertThat(key(wider)).isEqualTo(key(loose));
        assertThat(key(loose)).isNotEqualTo(key(BASE));
    }

    @Test
    void aNameIsNoPartOfTheKey() {
        assertThat(key(BASE.withName("other"))).isEqualTo(key(BASE));
    }

    private String key(RayTracingPipelineDescription description) {
        return PipelineKeys.rayTracing(description, PipelineShaders.of(compiler, description, 256), DEVICE)
                .digest()
                .hex();
    }

    private static ShaderSource ofRays(String name, ShaderStage stage) {
        return new ShaderSource(name, stage, """
                #version 460
                #extension GL_EXT_ray_tracing : require
                void main() {}
                """);
    }

    @Test
    void groupsAndRecursionOfRayTracingPipelinesArePart() {
        General go = new General("go", ofRays("go.rgen", ShaderStage.RAY_GENERATION));
        General sky = new General("sky", ofRays("sky.rmiss", ShaderStage.MISS));
        ShaderSource closest = ofRays("hit.rchit", ShaderStage.CLOSEST_HIT);
        ShaderSource any = ofRays("any.rahit", ShaderStage.ANY_HIT);
        ShaderSource box = ofRays("box.rint", ShaderStage.INTERSECTION);
        RayTracingPipelineDescription base = new RayTracingPipelineDescription(
                "base",
                List.of(go, sky, new TrianglesHit("a", closest, any), new TrianglesHit("b", closest)),
                1);
        Map<String, RayTracingPipelineDescription> changes = Map.of(
                "recursion", with(base, "maxRecursion", 2),
                "order", with(base, "groups", List.of(sky, go, base.groups().get(2), base.groups().get(3))),
                "fewer", with(base, "groups", base.groups().subList(0, 3)),
                "other shaders", with(
                        base, "groups", List.of(go, sky, base.groups().get(2), new TrianglesHit("b", closest, any))),
                "boxes", with(
                        base, "groups", List.of(go, sky, base.groups().get(2), new ProceduralHit("b", box, closest))));
        Map<String, String> seen = new HashMap<>();
        seen.put(key(base), "base");
        changes.forEach((name, changed) -> assertThat(seen.put(key(changed), name))
                .as("the key of '%s'", name)
                .isNull());
        assertThat(key(with(
                        with(base, "name", "other"),
                        "groups",
                        List.of(go, sky, new TrianglesHit("c", closest, any), new TrianglesHit("d", closest)))))
                .as("names are no part")
                .isEqualTo(key(base));
    }

    @Test
    void bindingsAndConstantsOfComputeShadersArePart() {
        String head = "#version 450\nlayout(local_size_x_id = 3) in;\n";
        ShaderSource one = new ShaderSource(
                "c.comp",
                ShaderStage.COMPUTE,
                head + "layout(binding = 0) buffer B { uint x; };\nvoid main() { x = gl_WorkGroupSize.x; }\n");
        ShaderSource moved = new ShaderSource(
                "c.comp",
                ShaderStage.COMPUTE,
                head + "layout(binding = 1) buffer B { uint x; };\nvoid main() { x = gl_WorkGroupSize.x; }\n");
        assertThat(Set.of(
                        key(one),
                        key(moved),
                        key(one.withConstant(3, SpecializationValue.ofUint(8))),
                        key(one.withConstant(3, SpecializationValue.ofUint(16)))))
                .hasSize(4);
        assertThat(key(one.withConstant(3, SpecializationValue.ofUint(8))))
                .isEqualTo(key(one.withConstant("local_size_x", SpecializationValue.ofUint(8))));
    }
}
