package io.frameloom.gpu.probe;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.taskgraph.TaskGraph;

/**
 * A program that opens a device and makes a pipeline, or says what is missing; in a package of its own, so that it runs beside
 * the modules.
 */
public final class NativesProbe {
    private static final String SHADER = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) buffer Output { uint value; } target;
            void main() { target.value = 1u; }
            """;

    private NativesProbe() {}

    public static void main(String[] arguments) {
        System.out.println("reason=" + VulkanDevices.unavailableReason());
        try (TaskGraph tasks = TaskGraph.builder().name("natives").workers(1).build();
                GpuDevice device =
                        GpuDevices.open(DeviceSelector.parse(arguments[0]), DeviceOptions.of(tasks, "natives"))) {
            device.createComputePipeline(new ComputePipelineDescription(
                            "one", new ShaderSource("one.comp", ShaderStage.COMPUTE, SHADER), null))
                    .close();
            System.out.println("a pipeline was made");
        } catch (GpuException e) {
            System.out.println("refused=" + e.getMessage());
        }
    }
}
