package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.vulkan.driver.DeviceFeatures;
import io.frameloom.taskgraph.TaskGraph;
import java.util.Map;
import org.lwjgl.vulkan.VkComputePipelineCreateInfo;

/** Makes, in a process of its own, compute pipelines, and tells the flags of their stages as the driver is given them. */
public final class FullSubgroupsProgram {
    /** Begins the lines with the flags. */
    public static final String SAYS = "flags of the stage of ";
    /** The line of a device that lets nobody ask. */
    public static final String CANNOT = "the device has no full subgroups to ask for";
    /** Begins the lines with messages of the validation layer. */
    public static final String COMPLAINS = "validation: ";

    private static final int CREATE_INFOS = 3;

    private static final String SHUFFLES = """
            #version 450
            #extension GL_KHR_shader_subgroup_basic : require
            #extension GL_KHR_shader_subgroup_shuffle : require
            layout(local_size_x = SIZE) in;
            layout(set = 0, binding = 0) buffer Target { uint target[]; };
            void main() { target[gl_SubgroupID] = subgroupShuffle(gl_LocalInvocationIndex, gl_SubgroupSize - 1u); }
            """;

    private static final String STORES = """
            #version 450
            layout(local_size_x = SIZE) in;
            layout(set = 0, binding = 0) buffer Target { uint target[]; };
            void main() { target[gl_LocalInvocationIndex] = 1u; }
            """;

    private FullSubgroupsProgram() {}

    public static void main(String[] arguments) {
        FaultyVulkan driver = FaultyVulkan.install();
        try (TaskGraph tasks = TaskGraph.builder().name("subgroups").workers(1).build();
                VulkanDevice device = VulkanDevices.open("", new DeviceOptions(tasks, "subgroups", true, null))) {
            var features =
                    DeviceFeatures.supported(device.handles().physicalDevice()).v13();
            if (!features.computeFullSubgroups() || !features.subgroupSizeControl()) {
                System.out.println(CANNOT);
            }
            int largest = device.capabilities().limits().compute().maxSubgroupSize();
            String[] made = new String[1];
            driver.watch(
                    "vkCreateComputePipelines",
                    words -> System.out.println(SAYS + made[0] + ": "
                            + VkComputePipelineCreateInfo.create(words[CREATE_INFOS])
                                    .stage()
                                    .flags()));
            Map.of("shuffles", SHUFFLES, "stores", STORES).forEach((name, text) -> {
                for (int twice : new int[] {2, 3}) {
                    made[0] = name + " in " + twice + " halves";
                    String sized = text.replace("SIZE", String.valueOf(twice * largest / 2));
                    device.createComputePipeline(new ComputePipelineDescription(
                                    name, new ShaderSource(name + ".comp", ShaderStage.COMPUTE, sized), null))
                            .close();
                }
            });
            device.validationMessages().forEach(message -> System.out.println(COMPLAINS + message));
        }
    }
}
