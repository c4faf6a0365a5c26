package io.frameloom.gpu.record;

import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.ShaderBindingTable;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;

/** The checks of traces of rays by a ray-tracing pipeline, of buffers that are of the device and open. */
public final class TraceRules {
    private static final int ARGUMENT_BYTES = 3 * Integer.BYTES;

    private final RecordingRules rules;

    TraceRules(RecordingRules rules) {
        this.rules = rules;
    }

    /** Returns the kind of a pipeline in words. */
    static String kind(RecordedPipeline pipeline) {
        return pipeline instanceof GraphicsPipeline
                ? "graphics"
                : pipeline instanceof ComputePipeline ? "compute" : "ray-tracing";
    }

    /** Checks where traces may be recorded. */
    void requirePlace(String command) {
        rules.requireOutside(command);
        rules.requireQueue(command, QueueKind.COMPUTE);
    }

    /** Checks a binding table and its memory, and notes what is read. */
    void table(String command, ShaderBindingTable table, RecordedPipeline bound, Buffer memory, long offset) {
        if (table.pipeline() != bound) {
            throw new IllegalStateException(rules.where(command) + ": the binding table is of pipeline '"
                    + table.pipeline().name() + "', and '" + bound.rules().pipeline()
                    + "' is bound; make a table for each pipeline");
        }
        Ranges.usage(rules, command, memory, BufferUsage.STORAGE);
        Ranges.aligned(rules, command, memory, "offset", offset, table.alignment());
        Ranges.range(rules, command, memory, offset, table.bytes());
        requireAddress(command, memory);
        rules.reports().uses(memory, offset, table.bytes(), Access.SHADER_BINDING_TABLE);
    }

    /** Checks the number of rays. */
    void rays(int width, int height, int depth) {
        if (!fits(rules.capabilities().limits(), width, height, depth)) {
            throw new IllegalArgumentException(rules.where("traceRays") + " of " + width + "x" + height + "x" + depth
                    + " rays; " + allowed(rules.capabilities().limits()));
        }
    }

    /** Checks where the numbers of rays are read from, and notes it. */
    void arguments(Buffer arguments, long offset) {
        String command = "traceRaysIndirect";
        Ranges.usage(rules, command, arguments, BufferUsage.INDIRECT);
        Ranges.aligned(rules, command, arguments, "offset", offset, Integer.BYTES);
        Ranges.range(rules, command, arguments, offset, ARGUMENT_BYTES);
        requireAddress(command, arguments);
        rules.reports().uses(arguments, offset, ARGUMENT_BYTES, Access.INDIRECT);
    }

    private void requireAddress(String command, Buffer buffer) {
        if (buffer.imported() != null || buffer.isShared()) {
            throw new IllegalArgumentException(rules.where(command) + ": buffer '" + buffer.name()
                    + "' is imported or shared and has no address, by which traces read; copy it to one that is"
                    + " neither");
        }
    }

    /** Returns whether a device takes such numbers of rays. */
    public static boolean fits(DeviceLimits limits, int width, int height, int depth) {
        DeviceLimits.Compute compute = limits.compute();
        return isWithin(width, compute.maxGroups().x(), compute.maxGroupSize().x())
                && isWithin(
                        height, compute.maxGroups().y(), compute.maxGroupSize().y())
                && isWithin(
                        depth, compute.maxGroups().z(), compute.maxGroupSize().z())
                && isWithin(limits.rayTracing().maxInvocations(), width, height, depth);
    }

    private static boolean isWithin(int number, long groups, long size) {
        return number >= 0 && number <= groups * size;
    }

    /** Multiplies no numbers that overflow. */
    private static boolean isWithin(long most, long width, long height, long depth) {
        long area = width * height;
        return area == 0 || depth <= most / area;
    }

    /** Returns what a device takes, for messages. */
    public static String allowed(DeviceLimits limits) {
        return "the device takes at most " + limits.rayTracing().maxInvocations()
                + " (DeviceLimits.RayTracing.maxInvocations), and in each dimension as many as a dispatch has"
                + " invocations; trace parts";
    }
}
