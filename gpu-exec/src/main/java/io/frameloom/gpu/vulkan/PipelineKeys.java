package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.ComputePipelineDescription;
import io.frameloom.gpu.Format;
import io.frameloom.gpu.GraphicsPipelineDescription;
import io.frameloom.gpu.GraphicsPipelineDescription.DepthState;
import io.frameloom.gpu.GraphicsPipelineDescription.VertexAttribute;
import io.frameloom.gpu.GraphicsPipelineDescription.VertexBuffer;
import io.frameloom.gpu.ShaderBinding;
import io.frameloom.gpu.cache.Compatibility;
import io.frameloom.gpu.cache.ProgramKey;
import io.frameloom.gpu.cache.ProgramKind;
import io.frameloom.gpu.shader.CompiledShader;
import io.frameloom.gpu.shader.ShaderKeys;
import java.util.List;

/**
 * What the binary of a pipeline depends on besides its driver: the code of its shaders, its layout and its fixed state.
 * Names are no part of it. What {@link PipelineFactory} sets the same for every pipeline stands here as the version of the
 * recipe; raise it with any change there. Stateless.
 */
final class PipelineKeys {
    private static final int RECIPE = 2;

    private PipelineKeys() {}

    static ProgramKey compute(
            ComputePipelineDescription description,
            List<CompiledShader> shaders,
            PipelineInterface layout,
            Compatibility device) {
        return begin(description.name(), "compute", shaders, layout, device).build();
    }

    static ProgramKey graphics(
            GraphicsPipelineDescription description,
            List<CompiledShader> shaders,
            PipelineInterface layout,
            Compatibility device) {
        ProgramKey.Builder key = begin(description.name(), "graphics", shaders, layout, device);
        key.number("vertex buffers", description.vertexBuffers().size());
        for (VertexBuffer buffer : description.vertexBuffers()) {
            key.number("stride", buffer.stride())
                    .number("per instance", buffer.perInstance() ? 1 : 0)
                    .number("attributes", buffer.attributes().size());
            for (VertexAttribute attribute : buffer.attributes()) {
                key.number("location", attribute.location())
                        .number("format", VulkanFormats.of(attribute.format()))
                        .number("offset", attribute.offset());
            }
        }
        key.text("cull", description.cull().name())
                .text("blend", description.blend().name());
        DepthState depth = description.depth();
        key.number("depth test", depth == null ? 0 : 1);
        if (depth != null) {
            key.text("depth compare", depth.compare().name())
                    .number("depth write", depth.write() ? 1 : 0)
                    .real("depth bias", depth.biasConstant())
                    .real("depth slope bias", depth.biasSlope());
        }
        key.number("colours", description.colorFormats().size());
        for (Format format : description.colorFormats()) {
            key.number("colour format", VulkanFormats.of(format));
        }
        Format depthFormat = description.depthFormat();
        return key.number("depth format", depthFormat == null ? 0 : VulkanFormats.of(depthFormat))
                .build();
    }

    private static ProgramKey.Builder begin(
            String name,
            String bindPoint,
            List<CompiledShader> shaders,
            PipelineInterface layout,
            Compatibility device) {
        ProgramKey.Builder key = ProgramKey.builder(ProgramKind.PIPELINE, name, device)
                .number("recipe", RECIPE)
                .text("bind point", bindPoint)
                .number("shaders", shaders.size());
        for (CompiledShader shader : shaders) {
            key.text("stage", shader.source().stage().name())
                    .text("entry", ShaderKeys.ENTRY)
                    .number("specialization constants", 0)
                    .source("code", shader.spirv());
            ProgramKey part = shader.key();
            if (part != null) {
                key.part("shader", part);
            }
        }
        key.number("bindings", layout.bindings().size());
        for (ShaderBinding binding : layout.bindings()) {
            key.number("set", binding.set())
                    .number("binding", binding.binding())
                    .text("kind", binding.kind().name());
        }
        return key.number("push constant bytes", layout.pushConstantBytes())
                .number("push constant stages", layout.pushConstantStages());
    }
}
