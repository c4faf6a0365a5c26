package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.cache.ProgramCache;
import io.frameloom.gpu.cache.disk.Digest;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription;
import io.frameloom.gpu.record.BindingRules;
import io.frameloom.gpu.record.PipelineLimits;
import io.frameloom.gpu.record.TableRules;
import io.frameloom.gpu.shader.PipelineShaders;
import io.frameloom.gpu.shader.ShaderCompiler;
import io.frameloom.gpu.shader.ShaderTarget;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.LongBuffer;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
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
import org.lwjgl.vulkan.VkRenderingInputAttachmentIndexInfoKHR;

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
    private final PipelineParts parts;
    private final RayPipelines rays;
    /** Null where graphics pipelines are made whole. */
    private final @Nullable PipelineLinker linker;

    /**
     * A factory for a device.
     *
     * @param tasks makes groups of rays side by side, and optimises pipelines in the background that were linked fast
     */
    public PipelineFactory(DeviceCore core, @Nullable ProgramCache programs, TaskGraph tasks) {
        this.core = core;
        this.setLayouts = new SetLayoutCache(core);
        this.limits = new PipelineLimits(core.capabilities(), core::support);
        this.capabilities = new ShaderCapabilities(core);
        LongConsumer destruction = pipeline -> VK13.vkDestroyPipeline(core.handle(), pipeline, null);
        this.parts = new PipelineParts(tasks, destruction);
        this.linker = linksFast(core) ? new PipelineLinker(tasks, core.gate(), parts, destruction) : null;
        this.compiler = new ShaderCompiler(
                programs, core.adapter().core13() ? ShaderTarget.VULKAN_1_3 : ShaderTarget.VULKAN_1_2);
        try {
            this.source = programs == null ? new DriverPipelines(core) : new CachedPipelines(core, programs);
        } catch (RuntimeException | Error e) {
            compiler.close();
            throw e;
        }
        this.rays = new RayPipelines(core, source, parts, tasks);
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
                StageInfos stages = new StageInfos(core, shaders.stages())) {
            VkComputePipelineCreateInfo.Buffer info = VkComputePipelineCreateInfo.calloc(1, stack);
            info.get(0).sType$Default().stage(stages.infos().get(0)).layout(layout.layout());
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
        requireCapabilities("ray-tracing pipeline '" + description.name() + "'", shaders);
        PipelineInterface layout = new PipelineInterface(
                core,
                setLayouts,
                description.name(),
                KHRRayTracingPipeline.VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR,
                shaders);
        try {
            return rays.create(description, shaders, layout);
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
                    StageInfos stages = new StageInfos(core, shaders.stages())) {
                FixedFunctionState fixed = new FixedFunctionState(description, stack);
                VkPipelineRenderingCreateInfo rendering = fixed.rendering(parts);
                VkRenderingInputAttachmentIndexInfoKHR indices =
                        layout.readsAttachments() ? fixed.inputIndices() : null;
                VkGraphicsPipelineCreateInfo.Buffer info = VkGraphicsPipelineCreateInfo.calloc(1, stack);
                info.get(0)
                        .sType$Default()
                        .pNext(rendering)
                        .pStages(stages.infos())
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
        public PipelineParts.MadePart make(PipelinePart part) {
            String of = "the " + part.words() + " of " + what;
            try (MemoryStack stack = MemoryStack.stackPush();
                    StageInfos stages = new StageInfos(core, shaders.stages(part.stages()))) {
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
                    return new PipelineParts.MadePart(named(of, direct(of, info)), () -> {});
                }
                info.get(0).pStages(stages.infos()).layout(layout.layout());
                long made = source.obtain(
                        of,
                        device -> PipelineKeys.part(
                                description.name() + " (" + part.words() + ")",
                                PipelineKeys.part(part, description, shaders),
                                shaders.stages(part.stages()),
                                device),
                        (cache, extension, out) -> {
                            rendering.pNext(extension);
                            return create(cache, info, out);
                        });
                // The layout of this pipeline lives as long as the part, which other pipelines may have.
                layout.retain();
                return new PipelineParts.MadePart(named(of, made), layout::close);
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
        return parts.size();
    }

    private void requireCapabilities(String pipeline, PipelineShaders shaders) {
        for (PipelineShaders.Stage stage : shaders.stages()) {
            capabilities.check(pipeline, stage);
        }
        TableRules.requireTables(core.capabilities(), pipeline, shaders);
    }

    @Override
    public void close() {
        source.close();
        setLayouts.close();
        compiler.close();
    }
}
