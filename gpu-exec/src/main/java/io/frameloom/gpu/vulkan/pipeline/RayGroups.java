package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.pipeline.RayTracingPipelineDescription.General;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription.Group;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription.ProceduralHit;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription.TrianglesHit;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lwjgl.BufferUtils;
import org.lwjgl.vulkan.KHRRayTracingPipeline;
import org.lwjgl.vulkan.VkRayTracingShaderGroupCreateInfoKHR;

/** The groups of a ray-tracing pipeline in Vulkan's structures. Stateless. */
final class RayGroups {
    private RayGroups() {}

    /**
     * Returns groups; on the heap, since there may be many.
     *
     * @param shaders those of the pipeline, in the order of its stages
     */
    static VkRayTracingShaderGroupCreateInfoKHR.Buffer infos(List<Group> groups, List<ShaderSource> shaders) {
        VkRayTracingShaderGroupCreateInfoKHR.Buffer infos = VkRayTracingShaderGroupCreateInfoKHR.calloc(groups.size());
        for (int i = 0; i < groups.size(); i++) {
            fill(infos.get(i).sType$Default(), groups.get(i), shaders);
        }
        return infos;
    }

    private static void fill(VkRayTracingShaderGroupCreateInfoKHR to, Group group, List<ShaderSource> shaders) {
        if (group instanceof General general) {
            fill(
                    to,
                    KHRRayTracingPipeline.VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR,
                    shaders,
                    general.shader(),
                    null,
                    null,
                    null);
        } else if (group instanceof TrianglesHit hit) {
            fill(
                    to,
                    KHRRayTracingPipeline.VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR,
                    shaders,
                    null,
                    hit.closestHit(),
                    hit.anyHit(),
                    null);
        } else if (group instanceof ProceduralHit hit) {
            fill(
                    to,
                    KHRRayTracingPipeline.VK_RAY_TRACING_SHADER_GROUP_TYPE_PROCEDURAL_HIT_GROUP_KHR,
                    shaders,
                    null,
                    hit.closestHit(),
                    hit.anyHit(),
                    hit.intersection());
        }
    }

    private static void fill(
            VkRayTracingShaderGroupCreateInfoKHR to,
            int type,
            List<ShaderSource> shaders,
            @Nullable ShaderSource general,
            @Nullable ShaderSource closestHit,
            @Nullable ShaderSource anyHit,
            @Nullable ShaderSource intersection) {
        to.type(type)
                .generalShader(number(shaders, general))
                .closestHitShader(number(shaders, closestHit))
                .anyHitShader(number(shaders, anyHit))
                .intersectionShader(number(shaders, intersection));
    }

    private static int number(List<ShaderSource> shaders, @Nullable ShaderSource shader) {
        return shader == null ? KHRRayTracingPipeline.VK_SHADER_UNUSED_KHR : shaders.indexOf(shader);
    }

    /**
     * Returns handles of groups.
     *
     * @param numbers by group, its number in the native pipeline
     */
    static ByteBuffer handles(DeviceCore core, String pipelineName, long pipeline, List<Integer> numbers) {
        int bytes = core.capabilities().limits().rayTracing().records().handle();
        int count = numbers.stream().mapToInt(number -> number + 1).max().orElse(0);
        ByteBuffer made = BufferUtils.createByteBuffer(count * bytes);
        core.check(
                KHRRayTracingPipeline.vkGetRayTracingShaderGroupHandlesKHR(core.handle(), pipeline, 0, count, made),
                "ask for the groups of ray-tracing pipeline '" + pipelineName + "'");
        ByteBuffer handles = ByteBuffer.allocate(numbers.size() * bytes);
        for (int number : numbers) {
            handles.put(made.slice(number * bytes, bytes));
        }
        return handles.flip();
    }
}
