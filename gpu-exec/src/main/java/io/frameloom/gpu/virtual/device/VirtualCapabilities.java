package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.DeviceKind;
import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.QueryKind;
import io.frameloom.gpu.command.ResolveMode;
import io.frameloom.gpu.internal.Plural;
import io.frameloom.gpu.pipeline.RayTracingPipeline.RecordLimits;
import java.util.EnumSet;
import java.util.Set;

/** The capabilities of a virtual device: the limits of a desktop GPU, except for memory that it holds in one piece. */
final class VirtualCapabilities {
    /** Alignment of everything: offsets of bindings and of placed resources, sizes of placed resources. */
    static final long ALIGNMENT = 256;

    static final int MAX_PUSH_CONSTANTS = 256;
    private static final int MAX_EXTENT = 16_384;
    private static final int MAX_INDIRECT_DRAWS = 1 << 20;
    private static final long MOST_PRIMITIVES = 1 << 24;
    private static final long MOST_RAYS = 1 << 30;

    private VirtualCapabilities() {}

    private static DeviceLimits limits(boolean lazyMemory, boolean structures, boolean meshes, boolean rays) {
        Set<QueryKind> queries = EnumSet.allOf(QueryKind.class);
        if (!structures) {
            queries.removeIf(QueryKind::isOfStructures);
        }
        return new DeviceLimits(
                new DeviceLimits.Textures(2048, MAX_EXTENT, 2048, 0b1111, 0b1111),
                new DeviceLimits.Memory(1L << 40, 1L << 40, 4096, 65_536, lazyMemory),
                new DeviceLimits.Compute(
                        new DeviceLimits.Groups(Integer.MAX_VALUE, 65_535, 65_535),
                        new DeviceLimits.Groups(1024, 1024, 64),
                        1024,
                        49_152,
                        32,
                        32,
                        32,
                        Set.of(DeviceLimits.SubgroupOperation.values()),
                        true,
                        true),
                new DeviceLimits.Drawing(8, 32, 8, MAX_INDIRECT_DRAWS, true, true, true, queries),
                new DeviceLimits.Pipelines(32, 2048, 2047, true, true, true, true, true, 0.5f, 64),
                new DeviceLimits.Shaders(1 << 16, 1 << 20, 1 << 20, 1 << 20, 1 << 20, 9, 1 << 22, 128, 128),
                new DeviceLimits.DepthResolve(
                        EnumSet.allOf(ResolveMode.class),
                        EnumSet.complementOf(EnumSet.of(ResolveMode.AVERAGE)),
                        true,
                        true),
                new DeviceLimits.Rendering(
                        MAX_EXTENT,
                        MAX_EXTENT,
                        2048,
                        16,
                        1,
                        MAX_EXTENT,
                        MAX_EXTENT,
                        -2 * MAX_EXTENT,
                        2 * MAX_EXTENT - 1),
                new DeviceLimits.Samplers(15, true),
                structures
                        ? new DeviceLimits.AccelerationStructures(
                                MOST_PRIMITIVES, MOST_PRIMITIVES, MOST_PRIMITIVES, 16, (int) ALIGNMENT)
                        : DeviceLimits.AccelerationStructures.NONE,
                meshes ? meshShaders() : DeviceLimits.MeshShaders.NONE,
                rays
                        ? new DeviceLimits.RayTracing(new RecordLimits(32, 32, 64, 4096), 31, MOST_RAYS, 32)
                        : DeviceLimits.RayTracing.NONE);
    }

    private static DeviceLimits.MeshShaders meshShaders() {
        DeviceLimits.MeshStage stage = new DeviceLimits.MeshStage(
                new DeviceLimits.Groups(65_535, 65_535, 65_535),
                1 << 22,
                new DeviceLimits.Groups(128, 128, 128),
                128,
                28_672,
                28_672);
        return new DeviceLimits.MeshShaders(stage, stage, 16_384, 256, 256, 128, 32_768, 48_128, 32, 32);
    }

    /** What can be asked for and is simulated. */
    static final Set<Capability> SIMULATED = Set.of(
            Capability.DESCRIPTOR_INDEXING,
            Capability.PUSH_DESCRIPTORS,
            Capability.CONDITIONAL_RENDERING,
            Capability.DYNAMIC_RENDERING_LOCAL_READ,
            Capability.DYNAMIC_VERTEX_INPUT,
            Capability.MESH_SHADERS,
            Capability.ACCELERATION_STRUCTURES,
            Capability.RAY_QUERIES,
            Capability.RAY_TRACING_PIPELINES,
            Capability.RAY_TRACING_PIPELINE_LIBRARY,
            Capability.SPARSE_RESIDENCY,
            Capability.PRESENT_WAIT,
            Capability.HDR_METADATA);

    /** Returns the capabilities of a device with a number of queues, and with or without lazily allocated memory. */
    static DeviceCapabilities of(int queues, boolean lazyMemory, DeviceOptions options) {
        Set<Capability> on = EnumSet.noneOf(Capability.class);
        on.addAll(options.required());
        on.addAll(options.preferred());
        on.retainAll(SIMULATED);
        if (on.contains(Capability.RAY_TRACING_PIPELINE_LIBRARY)) {
            on.add(Capability.RAY_TRACING_PIPELINES);
        }
        if (on.contains(Capability.RAY_QUERIES) || on.contains(Capability.RAY_TRACING_PIPELINES)) {
            on.add(Capability.ACCELERATION_STRUCTURES);
        }
        return new DeviceCapabilities(
                "Frameloom virtual GPU",
                DeviceKind.SIMULATED,
                "simulated, " + Plural.of(queues, "queue"),
                false,
                true,
                MAX_EXTENT,
                Integer.MAX_VALUE,
                (int) ALIGNMENT,
                (int) ALIGNMENT,
                MAX_PUSH_CONSTANTS,
                1,
                true,
                limits(
                        lazyMemory,
                        on.contains(Capability.ACCELERATION_STRUCTURES),
                        on.contains(Capability.MESH_SHADERS),
                        on.contains(Capability.RAY_TRACING_PIPELINES)),
                on);
    }
}
