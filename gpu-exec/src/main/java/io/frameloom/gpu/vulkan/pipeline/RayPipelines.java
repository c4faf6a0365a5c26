package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.cache.disk.CanonicalFields;
import io.frameloom.gpu.cache.disk.Digest;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription.Group;
import io.frameloom.gpu.shader.PipelineShaders;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.taskgraph.TaskFailedException;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.KHRPipelineLibrary;
import org.lwjgl.vulkan.KHRRayTracingPipeline;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkPipelineLibraryCreateInfoKHR;
import org.lwjgl.vulkan.VkRayTracingPipelineCreateInfoKHR;
import org.lwjgl.vulkan.VkRayTracingPipelineInterfaceCreateInfoKHR;
import org.lwjgl.vulkan.VkRayTracingShaderGroupCreateInfoKHR;

/**
 * Makes ray-tracing pipelines: whole, or linked from a part for each group. Pipelines share equal parts: those with the
 * same shaders, layout, recursion, and sizes of payloads and hit attributes. Any thread.
 */
final class RayPipelines {
    /** Of barycentric coordinates, which triangles have whether a shader reads them or not. */
    private static final int TRIANGLE_ATTRIBUTE_BYTES = 8;

    private final DeviceCore core;
    private final PipelineSource source;
    private final PipelineParts parts;
    private final TaskGraph tasks;

    RayPipelines(DeviceCore core, PipelineSource source, PipelineParts parts, TaskGraph tasks) {
        this.core = core;
        this.source = source;
        this.parts = parts;
        this.tasks = tasks;
    }

    /** Makes a pipeline that closes the layout at its end; if this throws, the caller does. */
    VulkanPipeline.RayTracing create(
            RayTracingPipelineDescription description, PipelineShaders shaders, PipelineInterface layout) {
        Creation creation = new Creation(description, shaders, layout);
        return links(shaders) ? creation.linked() : creation.whole();
    }

    /** Shaders of lavapipe's parts see zeros for push constants. */
    private boolean links(PipelineShaders shaders) {
        boolean loses =
                shaders.pushConstantBytes() > 0 && core.adapter().info().name().startsWith("llvmpipe");
        return core.capabilities().has(Capability.RAY_TRACING_PIPELINE_LIBRARY) && !loses;
    }

    /** Bytes that all parts of a pipeline agree on. */
    private record Interface(int payloadBytes, int attributeBytes) {}

    private static Interface interfaceOf(PipelineShaders shaders) {
        long payload = 0;
        long attributes = TRIANGLE_ATTRIBUTE_BYTES;
        for (PipelineShaders.Stage stage : shaders.stages()) {
            payload = Math.max(payload, stage.rayPayloadBytes(true));
            payload = Math.max(payload, stage.rayPayloadBytes(false));
            attributes = Math.max(attributes, stage.module().hitAttributeBytes(stage.constants()));
        }
        return new Interface((int) Math.min(payload, Integer.MAX_VALUE), (int) attributes);
    }

    /** Makes one pipeline. */
    private final class Creation {
        private final RayTracingPipelineDescription description;
        private final PipelineShaders shaders;
        private final PipelineInterface layout;
        private final String what;

        Creation(RayTracingPipelineDescription description, PipelineShaders shaders, PipelineInterface layout) {
            this.description = description;
            this.shaders = shaders;
            this.layout = layout;
            this.what = "ray-tracing pipeline '" + description.name() + "'";
        }

        VulkanPipeline.RayTracing whole() {
            List<Group> groups = description.groups();
            try (MemoryStack stack = MemoryStack.stackPush();
                    StageInfos stages = new StageInfos(core, shaders.stages());
                    VkRayTracingShaderGroupCreateInfoKHR.Buffer infos =
                            RayGroups.infos(groups, description.shaders())) {
                VkRayTracingPipelineCreateInfoKHR.Buffer info = info(stack);
                info.get(0).pStages(stages.infos()).pGroups(infos);
                long pipeline = source.obtain(
                        what,
                        device -> PipelineKeys.rayTracing(description, shaders, device),
                        (cache, extension, out) -> create(cache, info.pNext(extension), out));
                return finished(
                        pipeline, IntStream.range(0, groups.size()).boxed().toList(), () -> {});
            }
        }

        VulkanPipeline.RayTracing linked() {
            Interface sizes = interfaceOf(shaders);
            List<List<PipelineShaders.Stage>> stages = shaders.groups(description);
            // A driver may not like to have one part twice.
            List<GroupPart> distinct = new ArrayList<>();
            Map<Digest, Integer> numbers = new HashMap<>();
            List<Integer> byGroup = new ArrayList<>();
            for (int i = 0; i < stages.size(); i++) {
                GroupPart part = new GroupPart(description.groups().get(i), stages.get(i), sizes);
                Integer known = numbers.putIfAbsent(part.content, distinct.size());
                byGroup.add(known == null ? distinct.size() : known);
                if (known == null) {
                    distinct.add(part);
                }
            }
            PipelineParts.Taken taken =
                    parts.take(distinct.stream().map(part -> part.content).toList());
            try {
                make(distinct, taken);
                return finished(link(taken.handles(), sizes), byGroup, taken::close);
            } catch (RuntimeException | Error e) {
                taken.close();
                throw e;
            }
        }

        /** With the help of idle workers. */
        private void make(List<GroupPart> wanted, PipelineParts.Taken taken) {
            try {
                tasks.parallelFor("compile the groups of " + what, wanted.size(), 1, (from, to, slot) -> {
                    for (int i = from; i < to; i++) {
                        taken.make(i, wanted.get(i)::make);
                    }
                });
            } catch (TaskFailedException e) {
                // As if this thread had made the part.
                if (e.getCause() instanceof RuntimeException failure) {
                    throw failure;
                }
                if (e.getCause() instanceof Error failure) {
                    throw failure;
                }
                throw e;
            }
        }

        /** What becomes a part of this pipeline, and perhaps of others. */
        private final class GroupPart {
            private final Group group;
            private final List<PipelineShaders.Stage> own;
            private final Interface sizes;
            private final CanonicalFields fields;
            private final Digest content;

            GroupPart(Group group, List<PipelineShaders.Stage> own, Interface sizes) {
                this.group = group;
                this.own = own;
                this.sizes = sizes;
                this.fields = PipelineKeys.group(
                        group,
                        own,
                        shaders,
                        List.of(description.maxRecursion(), sizes.payloadBytes, sizes.attributeBytes));
                this.content = Digest.of(fields.encoded());
            }

            PipelineParts.MadePart make() {
                String of = "group '" + group.name() + "' of " + what;
                try (MemoryStack stack = MemoryStack.stackPush();
                        StageInfos stages = new StageInfos(core, own);
                        VkRayTracingShaderGroupCreateInfoKHR.Buffer infos =
                                RayGroups.infos(List.of(group), group.shaders())) {
                    VkRayTracingPipelineCreateInfoKHR.Buffer info = info(stack);
                    info.get(0)
                            .flags(KHRPipelineLibrary.VK_PIPELINE_CREATE_LIBRARY_BIT_KHR)
                            .pStages(stages.infos())
                            .pGroups(infos)
                            .pLibraryInterface(nativeInterface(sizes, stack));
                    long made = source.obtain(
                            of,
                            device -> PipelineKeys.part(
                                    description.name() + " (" + group.name() + ")", fields, own, device),
                            (cache, extension, out) -> create(cache, info.pNext(extension), out));
                    core.names().name(VK13.VK_OBJECT_TYPE_PIPELINE, made, of);
                    // The layout of this pipeline lives as long as the part, which other pipelines may have.
                    layout.retain();
                    return new PipelineParts.MadePart(made, layout::close);
                }
            }
        }

        /** Links what is compiled; not kept, since each group more makes another whole. */
        private long link(long[] made, Interface sizes) {
            // On the heap, since there may be many.
            LongBuffer libraries =
                    MemoryUtil.memAllocLong(made.length).put(made).flip();
            try (MemoryStack stack = MemoryStack.stackPush()) {
                VkRayTracingPipelineCreateInfoKHR.Buffer info = info(stack);
                info.get(0)
                        .pLibraryInfo(VkPipelineLibraryCreateInfoKHR.calloc(stack)
                                .sType$Default()
                                .pLibraries(libraries))
                        .pLibraryInterface(nativeInterface(sizes, stack));
                LongBuffer out = stack.mallocLong(1);
                core.check(create(VK13.VK_NULL_HANDLE, info, out), "link " + what);
                return out.get(0);
            } finally {
                MemoryUtil.memFree(libraries);
            }
        }

        private VkRayTracingPipelineCreateInfoKHR.Buffer info(MemoryStack stack) {
            VkRayTracingPipelineCreateInfoKHR.Buffer info = VkRayTracingPipelineCreateInfoKHR.calloc(1, stack);
            info.get(0)
                    .sType$Default()
                    .maxPipelineRayRecursionDepth(description.maxRecursion())
                    .layout(layout.layout());
            return info;
        }

        private static VkRayTracingPipelineInterfaceCreateInfoKHR nativeInterface(Interface sizes, MemoryStack stack) {
            return VkRayTracingPipelineInterfaceCreateInfoKHR.calloc(stack)
                    .sType$Default()
                    .maxPipelineRayPayloadSize(sizes.payloadBytes)
                    .maxPipelineRayHitAttributeSize(sizes.attributeBytes);
        }

        private int create(long cache, VkRayTracingPipelineCreateInfoKHR.Buffer info, LongBuffer out) {
            return KHRRayTracingPipeline.vkCreateRayTracingPipelinesKHR(
                    core.handle(), VK13.VK_NULL_HANDLE, cache, info, null, out);
        }

        /** Returns the pipeline, or destroys what is there. */
        private VulkanPipeline.RayTracing finished(long pipeline, List<Integer> numbers, Runnable end) {
            try {
                return new VulkanPipeline.RayTracing(
                        core,
                        layout,
                        pipeline,
                        description,
                        shaders.recordBytes(description),
                        RayGroups.handles(core, description.name(), pipeline, numbers),
                        end);
            } catch (RuntimeException | Error e) {
                VK13.vkDestroyPipeline(core.handle(), pipeline, null);
                throw e;
            }
        }
    }
}
