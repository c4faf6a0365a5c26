package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.cache.ProgramCache;
import io.frameloom.gpu.cache.disk.Digest;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.record.BindingRules;
import io.frameloom.gpu.record.PipelineLimits;
import io.frameloom.gpu.record.TableRules;
import io.frameloom.gpu.shader.CompiledShader;
import io.frameloom.gpu.shader.PipelineShaders;
import io.frameloom.gpu.shader.ShaderCompiler;
import io.frameloom.gpu.shader.ShaderTarget;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.EXTGraphicsPipelineLibrary;
import org.lwjgl.vulkan.KHRPipelineLibrary;
import org.lwjgl.vulkan.KHRRayTracingPipeline;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkComputePipelineCreateInfo;
import org.lwjgl.vulkan.VkGraphicsPipelineCreateInfo;
import org.lwjgl.vulkan.VkGraphicsPipelineLibraryCreateInfoEXT;
import org.lwjgl.vulkan.VkPhysicalDeviceGraphicsPipelineLibraryPropertiesEXT;
import org.lwjgl.vulkan.VkPhysicalDeviceProperties2;
import org.lwjgl.vulkan.VkPipelineLibraryCreateInfoKHR;
import org.lwjgl.vulkan.VkPipelineRenderingCreateInfo;
import org.lwjgl.vulkan.VkPipelineShaderStageCreateInfo;
import org.lwjgl.vulkan.VkRayTracingPipelineCreateInfoKHR;
import org.lwjgl.vulkan.VkRayTracingShaderGroupCreateInfoKHR;
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
    /** Null where pipelines are made whole. */
    private final @Nullable PipelineLinker linker;

    /**
     * A factory for a device.
     *
     * @param tasks optimises pipelines in the background that were linked fast
     */
    public PipelineFactory(DeviceCore core, @Nullable ProgramCache programs, TaskGraph tasks) {
        this.core = core;
        this.setLayouts = new SetLayoutCache(core);
        this.limits = new PipelineLimits(core.capabilities(), core::support);
        this.capabilities = new ShaderCapabilities(core);
        this.fullSubgroups = new FullSubgroups(core.capabilities().limits().compute());
        this.linker = linksFast(core)
                ? new PipelineLinker(
                        tasks, core.gate(), pipeline -> VK13.vkDestroyPipeline(core.handle(), pipeline, null))
                : null;
        this.compiler = new ShaderCompiler(
                programs, core.adapter().core13() ? ShaderTarget.VULKAN_1_3 : ShaderTarget.VULKAN_1_2);
        try {
            this.source = programs == null ? new DriverPipelines(core) : new CachedPipelines(core, programs);
        } catch (RuntimeException | Error e) {
            compiler.close();
            throw e;
        }
    }

    /**
     * Returns whether pipelines are linked from parts: that is on, and a gain. A driver for which linking is as slow as
     * compiling says so. Some need interpolation declared in both shaders, which GLSL does not ask for.
     */
    private static boolean linksFast(DeviceCore core) {
        if (!core.capabilities().has(Capability.GRAPHICS_PIPELINE_LIBRARY)) {
            return false;
        }
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var linking = VkPhysicalDeviceGraphicsPipelineLibraryPropertiesEXT.calloc(stack)
                    .sType$Default();
            VK13.vkGetPhysicalDeviceProperties2(
                    core.adapter().handle(),
                    VkPhysicalDeviceProperties2.calloc(stack).sType$Default().pNext(linking));
            return linking.graphicsPipelineLibraryFastLinking()
                    && linking.graphicsPipelineLibraryIndependentInterpolationDecoration();
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

    public VulkanPipeline.RayTracing create(RayTracingPipelineDescription description) {
        limits.check(description);
        PipelineShaders shaders =
                PipelineShaders.of(compiler, description, core.capabilities().maxPushConstantBytes());
        limits.check(description, shaders);
        String what = "ray-tracing pipeline '" + description.name() + "'";
        requireCapabilities(what, shaders);
        PipelineInterface layout = new PipelineInterface(
                core,
                setLayouts,
                description.name(),
                KHRRayTracingPipeline.VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR,
                shaders);
        long pipeline = VK13.VK_NULL_HANDLE;
        try (MemoryStack stack = MemoryStack.stackPush();
                Stages stages = new Stages(shaders.stages(), stack);
                VkRayTracingShaderGroupCreateInfoKHR.Buffer groups = RayGroups.infos(description)) {
            VkRayTracingPipelineCreateInfoKHR.Buffer info = VkRayTracingPipelineCreateInfoKHR.calloc(1, stack);
            info.get(0)
                    .sType$Default()
                    .pStages(stages.infos)
                    .pGroups(groups)
                    .maxPipelineRayRecursionDepth(description.maxRecursion())
                    .layout(layout.layout());
            pipeline = source.obtain(
                    what, device -> PipelineKeys.rayTracing(description, shaders, device), (cache, extension, out) -> {
                        info.get(0).pNext(extension);
                        return KHRRayTracingPipeline.vkCreateRayTracingPipelinesKHR(
                                core.handle(), VK13.VK_NULL_HANDLE, cache, info, null, out);
                    });
            return new VulkanPipeline.RayTracing(
                    core,
                    layout,
                    pipeline,
                    description,
                    shaders.recordBytes(description),
                    RayGroups.handles(core, description, pipeline));
        } catch (RuntimeException | Error e) {
            VK13.vkDestroyPipeline(core.handle(), pipeline, null);
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
        try {
            GraphicsCalls calls = new GraphicsCalls(description, shaders, layout);
            // What a fragment shader reads of attachments depends on their number, which parts do not know.
            if (linker == null || layout.readsAttachments()) {
                return new VulkanPipeline.Graphics(core, layout, calls.whole(), description);
            }
            // A link in progress needs the layout, also of a pipeline that is closed.
            layout.retain();
            return new VulkanPipeline.Graphics(
                    core, layout, linker.link(description.name(), calls, layout::close), description);
        } catch (RuntimeException | Error e) {
            layout.close();
            throw e;
        }
    }

    /** Makes one graphics pipeline, whole or from parts. */
    private final class GraphicsCalls implements PipelineLinker.Calls {
        private final GraphicsPipelineDescription description;
        private final PipelineShaders shaders;
        private final PipelineInterface layout;
        private final Set<PipelinePart> parts;
        private final String what;

        GraphicsCalls(GraphicsPipelineDescription description, PipelineShaders shaders, PipelineInterface layout) {
            this.description = description;
            this.shaders = shaders;
            this.layout = layout;
            this.parts = PipelinePart.of(description);
            this.what = "graphics pipeline '" + description.name() + "'";
        }

        long whole() {
            try (MemoryStack stack = MemoryStack.stackPush();
                    Stages stages = new Stages(shaders.stages(), stack)) {
                FixedFunctionState fixed = new FixedFunctionState(description, stack);
                VkPipelineRenderingCreateInfo rendering = fixed.rendering(parts);
                VkRenderingInputAttachmentIndexInfoKHR indices =
                        layout.readsAttachments() ? fixed.inputIndices() : null;
                VkGraphicsPipelineCreateInfo.Buffer info = VkGraphicsPipelineCreateInfo.calloc(1, stack);
                info.get(0)
                        .sType$Default()
                        .pNext(rendering)
                        .pStages(stages.infos)
                        .layout(layout.layout());
                fixed.fill(info.get(0), parts);
                return source.obtain(
                        what,
                        device -> PipelineKeys.graphics(description, shaders, device),
                        (cache, extension, out) -> {
                            if (indices != null) {
                                indices.pNext(extension);
                            }
                            rendering.pNext(indices == null ? extension : indices.address());
                            return create(cache, info, out);
                        });
            }
        }

        @Override
        public Set<PipelinePart> parts() {
            return parts;
        }

        @Override
        public Digest content(PipelinePart part) {
            return Digest.of(PipelineKeys.part(part, description, shaders).encoded());
        }

        @Override
        public PipelineLinker.MadePart make(PipelinePart part) {
            String of = "the " + part.words() + " of " + what;
            try (MemoryStack stack = MemoryStack.stackPush();
                    Stages stages = new Stages(shaders.stages(part.stages()), stack)) {
                FixedFunctionState fixed = new FixedFunctionState(description, stack);
                VkPipelineRenderingCreateInfo rendering = fixed.rendering(EnumSet.of(part));
                var library = VkGraphicsPipelineLibraryCreateInfoEXT.calloc(stack)
                        .sType$Default()
                        .pNext(rendering.address())
                        .flags(part.bit());
                VkGraphicsPipelineCreateInfo.Buffer info = VkGraphicsPipelineCreateInfo.calloc(1, stack);
                info.get(0)
                        .sType$Default()
                        .pNext(library.address())
                        .flags(KHRPipelineLibrary.VK_PIPELINE_CREATE_LIBRARY_BIT_KHR
                                | EXTGraphicsPipelineLibrary
                                        .VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT);
                fixed.fill(info.get(0), EnumSet.of(part));
                if (part.stages().isEmpty()) {
                    return new PipelineLinker.MadePart(named(of, direct(of, info)), () -> {});
                }
                info.get(0).pStages(stages.infos).layout(layout.layout());
                long made = source.obtain(
                        of,
                        device -> PipelineKeys.part(
                                part,
                                description.name(),
                                PipelineKeys.part(part, description, shaders),
                                shaders,
                                device),
                        (cache, extension, out) -> {
                            rendering.pNext(extension);
                            return create(cache, info, out);
                        });
                // The layout of this pipeline lives as long as the part, which other pipelines may have.
                layout.retain();
                return new PipelineLinker.MadePart(named(of, made), layout::close);
            }
        }

        @Override
        public long link(long[] made, boolean optimised) {
            try (MemoryStack stack = MemoryStack.stackPush()) {
                VkPipelineLibraryCreateInfoKHR libraries = VkPipelineLibraryCreateInfoKHR.calloc(stack)
                        .sType$Default()
                        .pLibraries(stack.longs(made));
                VkGraphicsPipelineCreateInfo.Buffer info = VkGraphicsPipelineCreateInfo.calloc(1, stack);
                info.get(0).sType$Default().pNext(libraries.address()).layout(layout.layout());
                if (!optimised) {
                    return direct(what, info);
                }
                info.get(0).flags(EXTGraphicsPipelineLibrary.VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT);
                long better = source.obtain(
                        what, device -> PipelineKeys.linked(description, shaders, device), (cache, extension, out) -> {
                            libraries.pNext(extension);
                            return create(cache, info, out);
                        });
                return named(description.name(), better);
            }
        }

        private int create(long cache, VkGraphicsPipelineCreateInfo.Buffer info, LongBuffer out) {
            return VK13.vkCreateGraphicsPipelines(core.handle(), cache, info, null, out);
        }

        /** Creates what takes no compiling, and so is not kept. */
        private long direct(String of, VkGraphicsPipelineCreateInfo.Buffer info) {
            try (MemoryStack stack = MemoryStack.stackPush()) {
                LongBuffer out = stack.mallocLong(1);
                core.check(create(VK13.VK_NULL_HANDLE, info, out), "create " + of);
                return out.get(0);
            }
        }

        private long named(String name, long pipeline) {
            core.names().name(VK13.VK_OBJECT_TYPE_PIPELINE, pipeline, name);
            return pipeline;
        }
    }

    /**
     * Makes a bindless table.
     *
     * @throws IllegalStateException if the device was opened without descriptor indexing
     */
    public VulkanBindlessTable createTable(String name) {
        TableRules.requireTables(core.capabilities(), name);
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

    /** Returns the number of parts that the open pipelines share; 0 where they are made whole. */
    public int parts() {
        return linker == null ? 0 : linker.parts();
    }

    private void requireCapabilities(String pipeline, PipelineShaders shaders) {
        for (PipelineShaders.Stage stage : shaders.stages()) {
            capabilities.check(pipeline, stage);
        }
        TableRules.requireTables(core.capabilities(), pipeline, shaders);
    }

    /**
     * Shader modules of one creation: the driver needs them no longer afterwards. They, their names and constants, of
     * which there may be more than a thread's memory stack holds, are on the heap.
     */
    private final class Stages implements AutoCloseable {
        private final List<Long> modules = new ArrayList<>();
        private final List<ByteBuffer> memory = new ArrayList<>();
        private final List<VkSpecializationMapEntry.Buffer> entries = new ArrayList<>();
        private final VkPipelineShaderStageCreateInfo.Buffer infos;

        Stages(List<PipelineShaders.Stage> shaders, MemoryStack stack) {
            infos = VkPipelineShaderStageCreateInfo.calloc(shaders.size());
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
            infos.free();
        }
    }

    @Override
    public void close() {
        source.close();
        setLayouts.close();
        compiler.close();
    }
}
