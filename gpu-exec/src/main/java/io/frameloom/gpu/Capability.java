package io.frameloom.gpu;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.pipeline.DynamicState;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import java.util.Collection;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What a device can have beyond what Frameloom always needs. None is on unless {@link DeviceOptions#require} or {@link
 * DeviceOptions#prefer} asks for it, or {@link DeviceOptions#withSurfaces} for those of devices that present; {@link
 * DeviceCapabilities#has} returns whether one is on. On Vulkan, one stands for extensions and features, which {@code
 * docs/devices.md} lists. The virtual GPU has those that it simulates.
 */
public enum Capability {
    /**
     * Arrays of descriptors of a size that shaders do not know, partly filled, changed while others of their elements
     * are in use, and indexed by numbers that differ between invocations. Bindless tables need it.
     */
    DESCRIPTOR_INDEXING,
    /** Addresses of buffers, which shaders follow as pointers ({@code GL_EXT_buffer_reference}). */
    BUFFER_DEVICE_ADDRESS,
    /** One draw goes to several layers of its attachments ({@code gl_ViewIndex}), as for both eyes of a headset. */
    MULTIVIEW,
    /**
     * Descriptors that are recorded into a command list, without a descriptor set of their own. {@link
     * GraphicsPipelineDescription#withPushDescriptorSet} needs it.
     */
    PUSH_DESCRIPTORS,
    /**
     * Draws and dispatches that the GPU leaves out if a number in a buffer is zero. {@link
     * CommandList#beginConditionalRendering} needs it.
     */
    CONDITIONAL_RENDERING,
    /** A render pass reads what it wrote to its attachments at the same pixel, on the tile of tiling GPUs. */
    DYNAMIC_RENDERING_LOCAL_READ,
    /**
     * Graphics pipelines are linked from parts, which those with the same shaders share, so that the first draw with one
     * does not wait for the optimiser. It runs in the background, and later binds have its result. Nothing else changes.
     */
    GRAPHICS_PIPELINE_LIBRARY,
    /** Layouts of vertices are set while recording, not in the pipeline. {@link DynamicState#VERTEX_INPUT} needs it. */
    DYNAMIC_VERTEX_INPUT,
    /** Polygon mode, blending, colour write masks and samples are set while recording, not in the pipeline. */
    EXTENDED_DYNAMIC_STATE_3,
    /** Shaders are bound without pipelines. */
    SHADER_OBJECTS,
    /** Task and mesh shaders in place of vertex shaders: {@link GraphicsPipelineDescription#ofMeshes}. */
    MESH_SHADERS,
    /** A draw, or a part of a picture, is shaded once for several pixels. */
    FRAGMENT_SHADING_RATE,
    /**
     * Trees of triangles and boxes that rays are traced through. They take {@link #RAY_QUERIES} or {@link
     * #RAY_TRACING_PIPELINES} as well, which turn this on. Turns {@link #BUFFER_DEVICE_ADDRESS} on.
     */
    ACCELERATION_STRUCTURES,
    /** Rays that any shader traces ({@code GL_EXT_ray_query}). Turns {@link #ACCELERATION_STRUCTURES} on. */
    RAY_QUERIES,
    /** Pipelines of ray generation, hit and miss shaders. Turns {@link #ACCELERATION_STRUCTURES} on. */
    RAY_TRACING_PIPELINES,
    /**
     * Ray-tracing pipelines are linked from their groups, which those with the same shaders share, so that a group more
     * compiles that group alone. Nothing else changes. Turns {@link #RAY_TRACING_PIPELINES} on.
     */
    RAY_TRACING_PIPELINE_LIBRARY,
    /** Buffers and two-dimensional textures that have memory in parts only, which change. */
    SPARSE_RESIDENCY,
    /** Memory that other processes and other interfaces use through a file descriptor (POSIX). */
    EXTERNAL_MEMORY_FD,
    /** Semaphores that other processes and other interfaces use through a file descriptor (POSIX). */
    EXTERNAL_SEMAPHORE_FD,
    /** Waits until a presented image is on the screen. Only for devices that present. */
    PRESENT_WAIT,
    /** Presentations signal when they no longer need their objects. Only for devices that present. */
    SWAPCHAIN_MAINTENANCE,
    /** Displays learn how bright the pictures of a swapchain are. Only for devices that present. */
    HDR_METADATA;

    /**
     * Returns the capabilities of these names, which are separated by commas; upper and lower case are the same.
     *
     * @throws IllegalArgumentException naming what is none, and all that there are
     */
    public static Set<Capability> parse(String names) {
        Objects.requireNonNull(names, "names must not be null");
        Set<Capability> found = new TreeSet<>();
        for (String name : names.split(",", -1)) {
            if (!name.isBlank()) {
                found.add(parseOne(name.strip()));
            }
        }
        return found;
    }

    private static Capability parseOne(String name) {
        for (Capability each : values()) {
            if (each.name().equals(name.toUpperCase(Locale.ROOT))) {
                return each;
            }
        }
        throw new IllegalArgumentException("no capability is '" + name + "'; there are " + list(Set.of(values())));
    }

    /** Returns the names of capabilities in their order, separated by commas; {@code none} if there are none. */
    public static String list(Collection<Capability> capabilities) {
        Objects.requireNonNull(capabilities, "capabilities must not be null");
        return capabilities.isEmpty()
                ? "none"
                : capabilities.stream().sorted().map(Enum::name).collect(Collectors.joining(", "));
    }
}
