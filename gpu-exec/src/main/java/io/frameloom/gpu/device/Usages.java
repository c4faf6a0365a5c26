package io.frameloom.gpu.device;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.internal.Plural;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Refuses uses that a resource's range or usage flags do not allow. Stateless; a check that passes allocates nothing.
 */
public final class Usages {
    private Usages() {}

    public static void check(String pass, List<ResourceUse> uses) {
        for (int i = 0; i < uses.size(); i++) {
            ResourceUse use = uses.get(i);
            if (use instanceof ResourceUse.OfTexture texture) {
                requireRange(pass, texture);
                TextureUsage needed = textureUsage(pass, use);
                if (needed != null && !texture.resource().description().usage().contains(needed)) {
                    throw refused(
                            pass,
                            "texture",
                            use,
                            needed,
                            texture.resource().description().usage());
                }
            } else if (use instanceof ResourceUse.OfBuffer buffer) {
                requireRange(pass, buffer);
                BufferUsage needed = bufferUsage(pass, use);
                if (needed != null && !buffer.resource().description().usage().contains(needed)) {
                    throw refused(
                            pass,
                            "buffer",
                            use,
                            needed,
                            buffer.resource().description().usage());
                }
            }
        }
    }

    private static void requireRange(String pass, ResourceUse.OfTexture use) {
        SubresourceRange range = use.range();
        TextureDescription shape = use.resource().description();
        if (range.baseMip() + range.mipCount() > shape.mips()
                || range.baseLayer() + range.layerCount() > shape.layers()
                || range.basePlane() + range.planeCount() > shape.format().planes()) {
            throw new IllegalArgumentException("pass '" + pass + "' uses " + range + " of texture '"
                    + use.resource().name() + "', which has " + Plural.of(shape.mips(), "mip") + ", "
                    + Plural.of(shape.layers(), "layer") + " and "
                    + Plural.of(shape.format().planes(), "plane") + "; declare what is within it");
        }
    }

    private static void requireRange(String pass, ResourceUse.OfBuffer use) {
        long size = use.resource().description().bytes();
        if (use.offset() < 0 || use.bytes() < 1 || use.offset() > size - use.bytes()) {
            throw new IllegalArgumentException("pass '" + pass + "' uses range " + use.offset() + "+" + use.bytes()
                    + " of buffer '" + use.resource().name() + "', which has " + size
                    + " bytes; declare what is within it");
        }
    }

    private static IllegalArgumentException refused(
            String pass, String kind, ResourceUse use, Object needed, Object present) {
        return new IllegalArgumentException("pass '" + pass + "' uses " + kind + " '"
                + use.resource().name() + "' as " + use.access() + ", which needs usage " + needed
                + "; it was created for "
                + present
                + (needed == BufferUsage.ACCELERATION_STRUCTURE
                        ? "; create it by GpuDevice.createAccelerationStructure"
                        : ""));
    }

    private static IllegalArgumentException misused(String pass, String kind, ResourceUse use, String others) {
        return new IllegalArgumentException("pass '" + pass + "' uses " + kind + " '"
                + use.resource().name() + "' as " + use.access() + ", which is for " + others + " alone");
    }

    /** Returns the usage that a texture needs, null for none. */
    private static @Nullable TextureUsage textureUsage(String pass, ResourceUse use) {
        return switch (use.access().layout()) {
            case UNDEFINED -> throw misused(pass, "texture", use, "buffers");
            case GENERAL -> isByHost(use) ? null : TextureUsage.STORAGE;
            default -> use.access().layout().requiredUsage();
        };
    }

    private static boolean isByHost(ResourceUse use) {
        return use.access() == Access.HOST_READ || use.access() == Access.HOST_WRITE;
    }

    /** Returns the usage that a buffer needs, null for none. */
    private static @Nullable BufferUsage bufferUsage(String pass, ResourceUse use) {
        return switch (use.access()) {
            case STORAGE_READ_VERTEX,
                    STORAGE_READ_FRAGMENT,
                    STORAGE_READ_WRITE_FRAGMENT,
                    STORAGE_READ_COMPUTE,
                    STORAGE_WRITE_COMPUTE,
                    STORAGE_READ_WRITE_COMPUTE,
                    STORAGE_READ_RAYS,
                    STORAGE_WRITE_RAYS,
                    STORAGE_READ_WRITE_RAYS,
                    SHADER_BINDING_TABLE,
                    ACCELERATION_STRUCTURE_INPUT,
                    ACCELERATION_STRUCTURE_OUTPUT,
                    ACCELERATION_STRUCTURE_SCRATCH -> BufferUsage.STORAGE;
            case ACCELERATION_STRUCTURE_BUILD_READ,
                    ACCELERATION_STRUCTURE_BUILD_WRITE,
                    ACCELERATION_STRUCTURE_BUILD_READ_WRITE,
                    ACCELERATION_STRUCTURE_TRACE_GRAPHICS,
                    ACCELERATION_STRUCTURE_TRACE_COMPUTE,
                    ACCELERATION_STRUCTURE_TRACE_RAYS -> BufferUsage.ACCELERATION_STRUCTURE;
            case UNIFORM_GRAPHICS, UNIFORM_COMPUTE, UNIFORM_RAYS -> BufferUsage.UNIFORM;
            case VERTEX -> BufferUsage.VERTEX;
            case INDEX -> BufferUsage.INDEX;
            case INDIRECT -> BufferUsage.INDIRECT;
            case COPY_SRC -> BufferUsage.COPY_SRC;
            case COPY_DST -> BufferUsage.COPY_DST;
            case HOST_READ, HOST_WRITE -> null;
            default -> throw misused(pass, "buffer", use, "textures");
        };
    }
}
