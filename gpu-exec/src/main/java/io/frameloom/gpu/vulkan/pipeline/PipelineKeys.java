package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.cache.disk.CanonicalFields;
import io.frameloom.gpu.cache.program.Compatibility;
import io.frameloom.gpu.cache.program.ProgramKey;
import io.frameloom.gpu.cache.program.ProgramKind;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.DynamicState;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthState;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexAttribute;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexBuffer;
import io.frameloom.gpu.pipeline.MultisampleState;
import io.frameloom.gpu.pipeline.RasterState;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription.Group;
import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.StencilState;
import io.frameloom.gpu.pipeline.TargetBlend;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.shader.CompiledShader;
import io.frameloom.gpu.shader.PipelineShaders;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The inputs of a pipeline's binary besides its driver: the code of its shaders, its layout and its fixed state. Names
 * are no part of it. Settings that {@link PipelineFactory} makes the same for every pipeline are the version of the
 * recipe here; raise it with any change there. Stateless.
 */
final class PipelineKeys {
    private static final int RECIPE = 5;

    private PipelineKeys() {}

    static ProgramKey compute(ComputePipelineDescription description, PipelineShaders shaders, Compatibility device) {
        return key(description.name(), shaders.stages(), device, begin("compute", shaders));
    }

    static ProgramKey rayTracing(
            RayTracingPipelineDescription description, PipelineShaders shaders, Compatibility device) {
        CanonicalFields key = begin("ray tracing", shaders)
                .number("recursion", description.maxRecursion())
                .number("groups", description.groups().size());
        List<ShaderSource> sources = description.shaders();
        for (Group group : description.groups()) {
            key.text("group", group.getClass().getSimpleName())
                    .number("shaders", group.shaders().size());
            group.shaders().forEach(shader -> key.number("shader", sources.indexOf(shader)));
        }
        return key(description.name(), shaders.stages(), device, key);
    }

    /**
     * Returns what the part of a group of rays is made of.
     *
     * @param own shaders of the group
     * @param shaders those of the pipeline, whose layout all parts have
     * @param common further numbers that all parts of the pipeline have in common
     */
    static CanonicalFields group(
            Group group, List<PipelineShaders.Stage> own, PipelineShaders shaders, List<Integer> common) {
        CanonicalFields key = new CanonicalFields()
                .number("recipe", RECIPE)
                .text("part", group.getClass().getSimpleName());
        shaders(key, own);
        layout(key, shaders);
        common.forEach(each -> key.number("common", each));
        return key;
    }

    /** Returns the key of a pipeline that is made whole. */
    static ProgramKey graphics(GraphicsPipelineDescription description, PipelineShaders shaders, Compatibility device) {
        return graphics(description, shaders, device, false);
    }

    /** Returns the key of a pipeline that is linked from parts with optimisation, whose binary may differ. */
    static ProgramKey linked(GraphicsPipelineDescription description, PipelineShaders shaders, Compatibility device) {
        return graphics(description, shaders, device, true);
    }

    private static ProgramKey graphics(
            GraphicsPipelineDescription description, PipelineShaders shaders, Compatibility device, boolean linked) {
        CanonicalFields key = begin("graphics", shaders).number("linked", bit(linked));
        for (PipelinePart part : PipelinePart.of(description)) {
            state(key, part, description);
        }
        return key(description.name(), shaders.stages(), device, key);
    }

    /** Returns what a part of a graphics pipeline is made of; its shader, if it has one, comes with the layout. */
    static CanonicalFields part(PipelinePart part, GraphicsPipelineDescription description, PipelineShaders shaders) {
        CanonicalFields key = new CanonicalFields().number("recipe", RECIPE).text("part", part.name());
        if (!part.stages().isEmpty()) {
            shaders(key, shaders.stages(part.stages()));
            layout(key, shaders);
        }
        state(key, part, description);
        return key;
    }

    /** Returns the key of a part whose fields and shaders are known. */
    static ProgramKey part(
            String name, CanonicalFields fields, List<PipelineShaders.Stage> shaders, Compatibility device) {
        return key(name, shaders, device, fields);
    }

    private static void state(CanonicalFields key, PipelinePart part, GraphicsPipelineDescription description) {
        switch (part) {
            case VERTEX_INPUT -> vertexInput(key, description);
            case PRE_RASTERIZATION -> rasterization(key, description);
            case FRAGMENT_SHADER -> {
                multisample(key, description.multisample());
                depthAndStencil(key, description);
                key.number("views", description.views());
            }
            case FRAGMENT_OUTPUT -> output(key, description);
        }
        List<DynamicState> states = description.dynamicStates().stream()
                .filter(state -> PipelinePart.of(state) == part)
                .sorted()
                .toList();
        key.number("dynamic states", states.size());
        states.forEach(state -> key.text("dynamic state", state.name()));
    }

    private static void vertexInput(CanonicalFields key, GraphicsPipelineDescription description) {
        // What the list sets is no part of the binary.
        boolean dynamic = description.dynamicStates().contains(DynamicState.VERTEX_INPUT);
        List<VertexBuffer> buffers = dynamic ? List.of() : description.vertexBuffers();
        key.number("vertex buffers", buffers.size());
        for (VertexBuffer buffer : buffers) {
            key.number("stride", buffer.stride())
                    .number("per instance", bit(buffer.perInstance()))
                    .number("attributes", buffer.attributes().size());
            for (VertexAttribute attribute : buffer.attributes()) {
                key.number("location", attribute.location())
                        .number("format", attribute.format().vulkan())
                        .number("offset", attribute.offset());
            }
        }
        key.text("topology", description.raster().topology().name())
                .number("primitive restart", bit(description.raster().primitiveRestart()));
    }

    private static void rasterization(CanonicalFields key, GraphicsPipelineDescription description) {
        RasterState raster = description.raster();
        key.text("polygon mode", raster.polygonMode().name())
                .text("front face", raster.frontFace().name())
                .number("depth clamp", bit(raster.depthClamp()))
                .text("cull", description.cull().name());
        DepthState depth = description.depth();
        key.number("depth bias", bit(depth != null));
        if (depth != null) {
            key.real("constant bias", depth.biasConstant())
                    .real("slope bias", depth.biasSlope())
                    .real("bias clamp", depth.biasClamp());
        }
        key.number("viewports", description.viewports()).number("views", description.views());
    }

    private static void multisample(CanonicalFields key, MultisampleState multisample) {
        key.number("samples", multisample.samples())
                .number("sample mask", multisample.sampleMask())
                .number("alpha to coverage", bit(multisample.alphaToCoverage()))
                .real("sample shading", multisample.minSampleShading());
    }

    private static void output(CanonicalFields key, GraphicsPipelineDescription description) {
        multisample(key, description.multisample());
        key.number("colours", description.colorFormats().size());
        for (int i = 0; i < description.colorFormats().size(); i++) {
            key.number("colour format", description.colorFormats().get(i).vulkan());
            blend(key, description.blends().get(i));
        }
        key.number("depth format", format(description.depthFormat()))
                .number("stencil format", format(description.stencilFormat()))
                .number("views", description.views());
    }

    private static void depthAndStencil(CanonicalFields key, GraphicsPipelineDescription description) {
        DepthState depth = description.depth();
        key.number("depth test", bit(depth != null));
        if (depth != null) {
            key.text("depth compare", depth.compare().name()).number("depth write", bit(depth.write()));
        }
        StencilState stencil = description.stencil();
        key.number("stencil test", bit(stencil != null));
        if (stencil != null) {
            for (StencilState.Face face : List.of(stencil.front(), stencil.back())) {
                key.text("stencil compare", face.compare().name())
                        .text("fail", face.fail().name())
                        .text("depth fail", face.depthFail().name())
                        .text("pass", face.pass().name())
                        .number("compare mask", face.compareMask())
                        .number("write mask", face.writeMask())
                        .number("reference", face.reference());
            }
        }
    }

    private static void blend(CanonicalFields key, TargetBlend blend) {
        key.number("blend", bit(blend.enabled()))
                .text("source colour", blend.sourceColor().name())
                .text("destination colour", blend.destinationColor().name())
                .text("colour operation", blend.colorOperation().name())
                .text("source alpha", blend.sourceAlpha().name())
                .text("destination alpha", blend.destinationAlpha().name())
                .text("alpha operation", blend.alphaOperation().name())
                .number("channels", blend.writeMask());
    }

    private static int format(@Nullable Format format) {
        return format == null ? 0 : format.vulkan();
    }

    private static int bit(boolean value) {
        return value ? 1 : 0;
    }

    private static ProgramKey key(
            String name, List<PipelineShaders.Stage> shaders, Compatibility device, CanonicalFields fields) {
        List<ProgramKey> parts = new ArrayList<>();
        for (PipelineShaders.Stage stage : shaders) {
            ProgramKey part = stage.shader().key();
            if (part != null) {
                parts.add(part);
            }
        }
        return new ProgramKey(ProgramKind.PIPELINE, name, device, fields, parts.toArray(new ProgramKey[0]));
    }

    private static CanonicalFields begin(String bindPoint, PipelineShaders shaders) {
        CanonicalFields key = new CanonicalFields().number("recipe", RECIPE).text("bind point", bindPoint);
        shaders(key, shaders.stages());
        layout(key, shaders);
        return key;
    }

    private static void shaders(CanonicalFields key, List<PipelineShaders.Stage> stages) {
        key.number("shaders", stages.size());
        for (PipelineShaders.Stage stage : stages) {
            CompiledShader shader = stage.shader();
            key.text("stage", shader.stage().name())
                    .text("entry", shader.entry())
                    .number("specialization constants", stage.constants().size());
            stage.constants().forEach((id, bits) -> key.number("id", id).number("bits", bits));
            key.source("code", shader.spirv());
            ProgramKey part = shader.key();
            if (part != null) {
                key.bytes("shader", part.digest().bytes());
            }
        }
    }

    private static void layout(CanonicalFields key, PipelineShaders shaders) {
        key.number("bindings", shaders.bindings().size());
        for (ShaderBinding binding : shaders.bindings()) {
            key.number("set", binding.set())
                    .number("binding", binding.binding())
                    .text("kind", binding.kind().name())
                    .number("count", binding.count());
        }
        key.number("table set", shaders.tableSet())
                .number("pushed set", shaders.pushedSet())
                .number("push constant bytes", shaders.pushConstantBytes())
                .number("push constant stages", shaders.pushConstantStages().size());
        shaders.pushConstantStages().forEach(stage -> key.text("push constant stage", stage.name()));
    }
}
