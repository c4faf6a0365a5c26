package io.frameloom.gpu.record;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.command.QueryKind;
import io.frameloom.gpu.resource.AccelerationStructure;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.MemoryHeap;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.Resource.Placement;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.SamplerDescription.Reduction;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureKind;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Refuses what has no name or exceeds the limits of a device, before a driver sees it. Stateless. */
public final class ResourceLimits {
    private static final int MOST_QUERIES = 1 << 16;
    private static final int MOST_EVENTS = 1 << 16;

    private ResourceLimits() {}

    /** Requires the name of an object that is to be made. What that is stands in the message, with its article. */
    public static void requireName(@Nullable String name, String what) {
        if (name == null) {
            throw new NullPointerException(what + " needs a name: name must not be null");
        }
    }

    /** Returns the name of a texture in messages, or its description if only its shape is known. */
    public static String texture(@Nullable String name) {
        return name == null ? "a texture" : "texture '" + name + "'";
    }

    /** Returns the name of a buffer in messages, or its description if only its size is known. */
    public static String buffer(@Nullable String name) {
        return name == null ? "a buffer" : "buffer '" + name + "'";
    }

    /**
     * Checks a buffer.
     *
     * @param name its name, or null while only its size is asked for
     */
    public static void check(@Nullable String name, BufferDescription buffer, DeviceCapabilities device) {
        Objects.requireNonNull(buffer, "description must not be null");
        long most = device.limits().memory().maxBufferBytes();
        requireUsage(buffer(name), buffer.usage());
        if (buffer.usage().contains(BufferUsage.ACCELERATION_STRUCTURE)) {
            throw new IllegalArgumentException(buffer(name) + " is for ACCELERATION_STRUCTURE; create it by"
                    + " GpuDevice.createAccelerationStructure");
        }
        if (buffer.bytes() > most) {
            throw new IllegalArgumentException(buffer(name) + " of " + buffer.bytes()
                    + " bytes is too large; the device allows " + most + " bytes (maxBufferBytes)");
        }
    }

    /** Checks an acceleration structure, and returns the description of its memory. */
    public static BufferDescription structure(
            String name, AccelerationStructure.Level level, long bytes, DeviceCapabilities device) {
        Objects.requireNonNull(level, "level must not be null");
        StructureRules.requireCapability("acceleration structure '" + name + "'", device);
        long most = device.limits().memory().maxBufferBytes();
        if (bytes < 1 || bytes > most) {
            throw new IllegalArgumentException("acceleration structure '" + name + "' has 1 to " + most
                    + " bytes (maxBufferBytes), got " + bytes + "; ask GpuDevice.sizes");
        }
        return BufferDescription.device(bytes, BufferUsage.ACCELERATION_STRUCTURE);
    }

    /**
     * Checks a texture.
     *
     * @param name its name, or null while only its shape is asked for
     */
    public static void check(@Nullable String name, TextureDescription texture, DeviceCapabilities device) {
        DeviceLimits.Textures textures = device.limits().textures();
        requireUsage(name, texture, device);
        if (texture.usage().contains(TextureUsage.INPUT_ATTACHMENT) && !isAttachment(texture)) {
            throw new IllegalArgumentException(texture(name) + " for INPUT_ATTACHMENT is no attachment; add"
                    + " COLOR_ATTACHMENT or DEPTH_ATTACHMENT to its usage " + texture.usage());
        }
        int extent = device.maxTextureExtent();
        int layers = device.limits().textures().maxLayers();
        if (Math.max(texture.width(), texture.height()) > extent) {
            throw new IllegalArgumentException(texture(name) + " of " + texture.width() + "x" + texture.height()
                    + " texels is too large; the device allows " + extent + " in each direction (maxTextureExtent)");
        }
        int largest = Math.max(texture.depth(), Math.max(texture.width(), texture.height()));
        if (texture.kind() == TextureKind.THREE_D && largest > textures.maxExtent3d()) {
            throw new IllegalArgumentException(texture(name) + " of " + texture.width() + "x" + texture.height()
                    + "x" + texture.depth() + " texels is too large; the device allows " + textures.maxExtent3d()
                    + " in each direction of THREE_D textures (maxExtent3d)");
        }
        if (texture.kind() == TextureKind.CUBE && largest > textures.maxCubeExtent()) {
            throw new IllegalArgumentException(texture(name) + " of " + texture.width() + "x" + texture.height()
                    + " texels is too large; the device allows " + textures.maxCubeExtent()
                    + " in each direction of CUBE textures (maxCubeExtent)");
        }
        DeviceLimits.Rendering rendering = device.limits().rendering();
        if (isAttachment(texture)
                && (texture.width() > rendering.maxWidth() || texture.height() > rendering.maxHeight())) {
            throw new IllegalArgumentException(texture(name) + " of " + texture.width() + "x" + texture.height()
                    + " texels is too large to be an attachment; the device renders to " + rendering.maxWidth() + "x"
                    + rendering.maxHeight() + " (maxWidth, maxHeight)");
        }
        if (texture.layers() > layers) {
            throw new IllegalArgumentException(texture(name) + " of " + texture.layers()
                    + " layers is too large; the device allows " + layers + " layers (maxLayers)");
        }
        if (texture.samples() > 1 && texture.usage().contains(TextureUsage.STORAGE)) {
            throw new IllegalArgumentException(texture(name) + " of " + texture.samples()
                    + " samples cannot be for STORAGE; resolve it to a texture of one sample and store to that");
        }
    }

    /** Checks what a sparse texture is beyond that. */
    public static void sparse(String name, TextureDescription texture, DeviceCapabilities device) {
        Objects.requireNonNull(texture, "description must not be null");
        if (!device.has(Capability.SPARSE_RESIDENCY)) {
            throw new IllegalStateException(
                    "sparse texture '" + name + "' needs " + CapabilityRules.off(device, Capability.SPARSE_RESIDENCY));
        }
        if (texture.kind() != TextureKind.TWO_D
                || texture.layers() != 1
                || texture.samples() != 1
                || texture.format().isDepth()
                || texture.usage().contains(TextureUsage.TRANSIENT_ATTACHMENT)) {
            throw new IllegalArgumentException("sparse texture '" + name + "' is " + texture
                    + "; it has to be TWO_D, with one layer and sample, of a colour format, and no"
                    + " TRANSIENT_ATTACHMENT");
        }
    }

    public static void requireUsage(@Nullable String name, TextureDescription texture, DeviceCapabilities device) {
        Objects.requireNonNull(texture, "description must not be null");
        requireUsage(texture(name), texture.usage());
        requireLocalReads(texture(name), texture.usage(), device);
    }

    public static void requireLocalReads(String what, Set<TextureUsage> usage, DeviceCapabilities device) {
        if (usage.contains(TextureUsage.INPUT_ATTACHMENT) && !device.has(Capability.DYNAMIC_RENDERING_LOCAL_READ)) {
            throw new IllegalArgumentException(what + " for INPUT_ATTACHMENT takes "
                    + CapabilityRules.off(device, Capability.DYNAMIC_RENDERING_LOCAL_READ)
                    + ", or sample the texture in a render pass"
                    + " of its own");
        }
    }

    public static void requireUsage(String resource, Set<? extends Enum<?>> usage) {
        if (usage.isEmpty()) {
            throw new IllegalArgumentException(
                    resource + " has no usage; name what it is for, since only a render graph completes that");
        }
    }

    private static boolean isAttachment(TextureDescription texture) {
        return texture.usage().contains(TextureUsage.COLOR_ATTACHMENT)
                || texture.usage().contains(TextureUsage.DEPTH_ATTACHMENT);
    }

    public static void check(SamplerDescription sampler, DeviceCapabilities device) {
        Objects.requireNonNull(sampler, "description must not be null");
        float most = device.limits().samplers().maxLodBias();
        if (Math.abs(sampler.lodBias()) > most) {
            throw new IllegalArgumentException("a sampler with lodBias " + sampler.lodBias()
                    + " cannot be; the device allows -" + most + " to " + most + " (maxLodBias)");
        }
        if (sampler.reduction() != Reduction.WEIGHTED_AVERAGE
                && !device.limits().samplers().reductions()) {
            throw new IllegalArgumentException("device '" + device.name() + "' has no samplers that take the "
                    + sampler.reduction() + " of texels; take WEIGHTED_AVERAGE");
        }
    }

    public static void checkHeap(String name, long bytes, DeviceCapabilities device) {
        long most = device.limits().memory().maxAllocationBytes();
        if (bytes < 1) {
            throw new IllegalArgumentException("heap '" + name + "' needs at least 1 byte, got " + bytes + " bytes");
        }
        if (bytes > most) {
            throw new IllegalArgumentException("heap '" + name + "' of " + bytes
                    + " bytes is too large; the device allocates " + most + " bytes at once (maxAllocationBytes)");
        }
    }

    /**
     * Checks that a resource can be placed in a heap.
     *
     * @param resource kind and name of the resource
     * @param needs what the resource needs
     */
    public static Placement place(
            MemoryHeap heap, int memoryTypes, String resource, MemoryRequirements needs, long offset) {
        if (offset < 0 || offset % needs.alignment() != 0) {
            throw new IllegalArgumentException(resource + " in heap '" + heap.name()
                    + "' needs an offset that is a multiple of " + needs.alignment() + ", got " + offset);
        }
        if (needs.bytes() > heap.bytes() - offset) {
            throw new IllegalArgumentException(resource + " of " + needs.bytes() + " bytes at offset " + offset
                    + " does not fit heap '" + heap.name() + "' of " + heap.bytes() + " bytes");
        }
        if ((needs.memoryTypes() & memoryTypes) != memoryTypes) {
            throw new IllegalArgumentException(resource + " may live in memory types 0x"
                    + Integer.toHexString(needs.memoryTypes()) + ", heap '" + heap.name() + "' may be of any of 0x"
                    + Integer.toHexString(memoryTypes) + "; create the heap with the intersection");
        }
        return new Placement(heap, offset, needs.bytes());
    }

    public static void checkPlaced(MemoryHeap heap, String name, BufferDescription buffer) {
        if (buffer.memory() != MemoryUsage.DEVICE) {
            throw new IllegalArgumentException("buffer '" + name + "' in heap '" + heap.name() + "' asks for "
                    + buffer.memory() + " memory; only DEVICE buffers can be placed");
        }
    }

    public static void checkEvents(String name, int count) {
        if (count < 1 || count > MOST_EVENTS) {
            throw new IllegalArgumentException("device event set '" + name + "' has 1 to " + MOST_EVENTS
                    + " events, got " + count + "; make several sets, or, where a plan asks for it, leave"
                    + " frameloom.rdg.splitBarriers off");
        }
    }

    public static void checkQueries(String name, QueryKind kind, int count, DeviceCapabilities capabilities) {
        Objects.requireNonNull(kind, "kind must not be null");
        if (count < 1 || count > MOST_QUERIES) {
            throw new IllegalArgumentException(
                    "query set '" + name + "' has 1 to " + MOST_QUERIES + " queries, got " + count);
        }
        Set<QueryKind> possible = capabilities.limits().drawing().queries();
        if (!possible.contains(kind)) {
            throw new UnsupportedOperationException("query set '" + name + "' is to count " + kind + ", and device '"
                    + capabilities.name() + "' has not the "
                    + switch (kind) {
                        case ANY_SAMPLE, SAMPLES -> "feature occlusionQueryPrecise";
                        case STATISTICS -> "feature pipelineStatisticsQuery";
                        case COMPACTED_BYTES, SERIALIZED_BYTES -> "capability ACCELERATION_STRUCTURES on";
                    }
                    + "; it counts " + possible + " (DeviceLimits.Drawing.queries)");
        }
    }

    public static void checkTimestamps(String name, int count) {
        if (count < 1 || count > MOST_QUERIES) {
            throw new IllegalArgumentException(
                    "timestamp set '" + name + "' has 1 to " + MOST_QUERIES + " timestamps, got " + count);
        }
    }
}
