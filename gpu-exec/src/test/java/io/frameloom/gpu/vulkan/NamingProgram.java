package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.taskgraph.TaskGraph;

/** Counts, in a process of its own, the names that a list gives to what it makes: with validation, then without. */
final class NamingProgram {
    /** How many more sets the second list makes. */
    static final int MORE = 9;
    /** Begins the line with the difference. */
    static final String SAYS = "names of more sets: ";

    /** Begins the line with the names of a list that is recorded again, and of one with another label. */
    static final String LISTS = "names of lists: ";

    private static final String NAMING = "vkSetDebugUtilsObjectNameEXT";
    private static final int STRIDE = 256;

    private NamingProgram() {}

    public static void main(String[] arguments) {
        FaultyVulkan driver = FaultyVulkan.install();
        count(driver, true);
        count(driver, false);
    }

    private static void count(FaultyVulkan driver, boolean validation) {
        try (TaskGraph tasks = TaskGraph.builder().name("naming").workers(1).build();
                VulkanDevice device = VulkanDevices.open("", new DeviceOptions(tasks, "naming", validation, null));
                FrameContext context = device.createFrameContext("frame");
                Buffer target = device.createBuffer(
                        "target", BufferDescription.device((long) STRIDE * (MORE + 1), BufferUsage.STORAGE));
                ComputePipeline pipeline = device.createComputePipeline(new ComputePipelineDescription(
                        "counting", new ShaderSource("counting.comp", ShaderStage.COMPUTE, """
                                #version 450
                                layout(local_size_x = 1) in;
                                layout(set = 0, binding = 0) buffer Target { uint target; };
                                void main() { target = 1; }
                                """), null))) {
            record(device, context, pipeline, target, 1, "list");
            long one = named(driver, () -> record(device, context, pipeline, target, 1, "list"));
            long more = named(driver, () -> record(device, context, pipeline, target, MORE + 1, "list"));
            long again = named(driver, () -> record(device, context, pipeline, target, 1, "list"));
            long other = named(driver, () -> record(device, context, pipeline, target, 1, "other"));
            System.out.println(LISTS + again + " " + other);
            System.out.println(SAYS + (more - one));
        }
    }

    private static long named(FaultyVulkan driver, Runnable recording) {
        driver.arm(null, false);
        recording.run();
        return driver.counted().getOrDefault(NAMING, 0L);
    }

    private static void record(
            VulkanDevice device,
            FrameContext context,
            ComputePipeline pipeline,
            Buffer target,
            int sets,
            String label) {
        context.reset();
        CommandList list = context.beginCommands(device.queues().get(0), label);
        list.bindPipeline(pipeline);
        for (int i = 0; i < sets; i++) {
            list.bindBuffer("Target", target, (long) STRIDE * i, STRIDE);
            list.dispatch(1, 1, 1);
        }
        list.end();
    }
}
