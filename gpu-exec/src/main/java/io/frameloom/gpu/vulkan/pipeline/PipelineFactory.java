package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.cache.ProgramCache;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.record.BindingRules;
import io.frameloom.gpu.record.PipelineLimits;
import io.frameloom.gpu.shader.CompiledShader;
import io.frameloom.gpu.shader.PipelineShaders;
import io.frameloom.gpu.shader.ShaderCompiler;
import io.frameloom.gpu.shader.ShaderTarget;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkComputePipelineCreateInfo;
import org.lwjgl.vulkan.VkGraphicsPipelineCreateInfo;
import org.lwjgl.vulkan.VkPipelineRenderingCreateInfo;
import org.lwjgl.vulkan.VkPipelineShaderStageCreateInfo;
import org.lwjgl.vulkan.VkRenderingInputAttachmentIndexInfoKHR;
import org.lwjgl.vulkan.VkShaderModuleCreateInfo;
import org.lwjgl.vulkan.VkSpecializationInfo;
import org.lwjgl.vulkan.VkSpecializationMapEntry;

/**
 * Makes pipelines; shaders, set layouts and the driver's pipeline cache live as long as the device. With a program
 * cache shaders and pipelines come from there, and go there. Any thread.
 */
public final class PipelineFactory implements AutoCloseable {
    private final DeviceCore core;
    private final ShaderCompiler compiler;
    private final SetLayoutCache setLayouts;
    private final PipelineSource source;
    private final PipelineLimits limits;
    private final ShaderCapabilities capabilities;
    private final FullSubgroups fullSubgroups;

    public PipelineFactory(DeviceCore core, @Nullable ProgramCache programs) {
        this.core = core;
        this.setLayouts = new SetLayoutCache(core);
        this.limits = new PipelineLimits(core.capabilities().limits(), core::support);
        this.capabilities = new ShaderCapabilities(core);
        this.fullSubgroups = new FullSubgroups(core.capabilities().limits().compute());
        this.compiler = new ShaderCompiler(
                programs, core.adapter().core13() ? ShaderTarget.VULKAN_1_3 : ShaderTarget.VULKAN_1_2);
        try {
            this.source = programs == null ? new DriverPipelines(core) : new CachedPipelines(core, programs);
        } catch (RuntimeException | Error e) {
            compiler.close();
            throw e;
        }
    }

    public VulkanPipeline.Compute create(ComputePipelineDescription description) {
        PipelineShaders shaders =
                PipelineShaders.of(compiler, description, core.capabilities().maxPushConstantBytes());
        limits.check(description, shaders);
        requireCapabilities("compute pipeline '" + description.name() + "'", shaders);
        PipelineInterface layout = new PipelineInterface(
                core, setLayouts, description.name(), VK13.VK_PIPELINE_BIND_POINT_COMPUTE, shaders);
        try (MemoryStack stack = MemoryStack.stackPush();
                Stages stages = new Stages(shaders.stages(), stack)) {
            VkComputePipelineCreateInfo.Buffer info = VkComputePipelineCreateInfo.calloc(1, stack);
            info.get(0).sType$Default().stage(stages.infos.get(0)).layout(layout.layout());
            long pipeline = source.obtain(
                    "compute pipeline '" + description.name() + "'",
                    device -> PipelineKeys.compute(description, shaders, device),
                    (cache, extension, out) -> {
                        info.get(0).pNext(extension);
                        return VK13.vkCreateComputePipelines(core.handle(), cache, info, null, out);
                    });
            return new VulkanPipeline.Compute(core, layout, pipeline, description);
        } catch (RuntimeException | Error e) {
            layout.close();
            throw e;
        }
    }

    public VulkanPipeline.Graphics create(GraphicsPipelineDescription description) {
        limits.check(description);
        PipelineShaders shaders =
                PipelineShaders.of(compiler, description, core.capabilities().maxPushConstantBytes());
        limits.check(description, shaders);
        BindingRules.requireAttachments(description, shaders, core.capabilities());
        requireCapabilities("graphics pipeline '" + description.name() + "'", shaders);
        PipelineInterface layout = new PipelineInterface(
                core, setLayouts, description.name(), VK13.VK_PIPELINE_BIND_POINT_GRAPHICS, shaders);
        try (MemoryStack stack = MemoryStack.stackPush();
                Stages stages = new Stages(shaders.stages(), stack)) {
            FixedFunctionState fixed = new FixedFunctionState(description, stack);
            VkPipelineRenderingCreateInfo rendering = fixed.rendering();
            VkRenderingInputAttachmentIndexInfoKHR indices = layout.readsAttachments() ? fixed.inputIndices() : null;
            VkGraphicsPipelineCreateInfo.Buffer info = VkGraphicsPipelineCreateInfo.calloc(1, stack);
            info.get(0).sType$Default().pNext(rendering).pStages(stages.infos).layout(layout.layout());
            fixed.fill(info.get(0));
            long pipeline = source.obtain(
                    "graphics pipeline '" + description.name() + "'",
                    device -> PipelineKeys.graphics(description, shaders, device),
                    (cache, extension, out) -> {
                        if (indices != null) {
                            indices.pNext(extension);
                        }
                        rendering.pNext(indices == null ? extension : indices.address());
                        return VK13.vkCreateGraphicsPipelines(core.handle(), cache, info, null, out);
                    });
            return new VulkanPipeline.Graphics(core, layout, pipeline, description);
        } catch (RuntimeException | Error e) {
            layout.close();
            throw e;
        }
    }

    /**
     * Makes a bindless table.
     *
     * @throws IllegalStateException if the device was opened without descriptor indexing
     */
    public VulkanBindlessTable createTable(String name) {
        if (!core.capabilities().has(Capability.DESCRIPTOR_INDEXING)) {
            throw new IllegalStateException("bindless table '" + name + "' needs " + Capability.DESCRIPTOR_INDEXING
                    + ", which is off in device '" + core.capabilities().name()
                    + "'; open the device with DeviceOptions.require or prefer");
        }
        SetLayout layout = setLayouts.table();
        try {
            return new VulkanBindlessTable(core, layout, setLayouts.tableSizes(), name);
        } catch (RuntimeException | Error e) {
            layout.release();
            throw e;
        }
    }

    /** Returns the number of descriptor set layouts that the open pipelines and binding sets share. */
    public int setLayouts() {
        return setLayouts.size();
    }

    private void requireCapabilities(String pipeline, PipelineShaders shaders) {
        for (PipelineShaders.Stage stage : shaders.stages()) {
            capabilities.check(pipeline, stage.shader());
        }
        if (shaders.tableSet() >= 0 && !core.capabilities().has(Capability.DESCRIPTOR_INDEXING)) {
            throw new IllegalArgumentException(pipeline + " takes a bindless table as set " + shaders.tableSet()
                    + ", which needs " + Capability.DESCRIPTOR_INDEXING + ", which is off in device '"
                    + core.capabilities().name() + "'; open the device with DeviceOptions.require or prefer");
        }
    }

    /**
     * Shader modules of one creation: the driver needs them no longer afterwards. Names and constants, of which there
     * may be more than a thread's memory stack holds, are on the heap.
     */
    private final class Stages implements AutoCloseable {
        private final List<Long> modules = new ArrayList<>();
        private final List<ByteBuffer> memory = new ArrayList<>();
        private final List<VkSpecializationMapEntry.Buffer> entries = new ArrayList<>();
        private final VkPipelineShaderStageCreateInfo.Buffer infos;

        Stages(List<PipelineShaders.Stage> shaders, MemoryStack stack) {
            infos = VkPipelineShaderStageCreateInfo.calloc(shaders.size(), stack);
            try {
                for (int i = 0; i < shaders.size(); i++) {
                    add(shaders.get(i), infos.get(i), stack);
                }
            } catch (RuntimeException | Error e) {
                close();
                throw e;
            }
        }

        private void add(PipelineShaders.Stage stage, VkPipelineShaderStageCreateInfo info, MemoryStack stack) {
            CompiledShader shader = stage.shader();
            ByteBuffer code = shader.spirv();
            long module = core.create(
                    VK13.VK_OBJECT_TYPE_SHADER_MODULE,
                    shader.name(),
                    "the module of shader '" + shader.name() + "'",
                    (temporary, out) -> VK13.vkCreateShaderModule(
                            core.handle(),
                            VkShaderModuleCreateInfo.calloc(temporary)
                                    .sType$Default()
                                    .pCode(code),
                            null,
                            out));
            modules.add(module);
            info.sType$Default()
                    .stage(PipelineInterface.stage(shader.stage()))
                    .module(module)
                    .pName(kept(MemoryUtil.memUTF8(shader.entry())));
            if (shader.stage() == ShaderStage.COMPUTE && fullSubgroups.areWantedBy(stage)) {
                info.flags(VK13.VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT);
            }
            if (!stage.constants().isEmpty()) {
                info.pSpecializationInfo(specialization(stage.constants(), stack));
            }
        }

        private VkSpecializationInfo specialization(Map<Integer, Integer> constants, MemoryStack stack) {
            VkSpecializationMapEntry.Buffer map = VkSpecializationMapEntry.calloc(constants.size());
            entries.add(map);
            ByteBuffer data = kept(MemoryUtil.memAlloc(constants.size() * Integer.BYTES));
            constants.forEach((id, bits) -> {
                map.get().constantID(id).offset(data.position()).size(Integer.BYTES);
                data.putInt(bits);
            });
            return VkSpecializationInfo.calloc(stack).pMapEntries(map.flip()).pData(data.flip());
        }

        private ByteBuffer kept(ByteBuffer buffer) {
            memory.add(buffer);
            return buffer;
        }

        @Override
        public void close() {
            modules.forEach(module -> VK13.vkDestroyShaderModule(core.handle(), module, null));
            memory.forEach(MemoryUtil::memFree);
            entries.forEach(VkSpecializationMapEntry.Buffer::free);
        }
    }

    @Override
    public void close() {
        source.close();
        setLayouts.close();
        compiler.close();
    }
}
