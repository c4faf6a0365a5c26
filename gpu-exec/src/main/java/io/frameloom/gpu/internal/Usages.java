package io.frameloom.gpu.internal;

import io.frameloom.gpu.Access;
import io.frameloom.gpu.BufferUsage;
import io.frameloom.gpu.ResourceUse;
import io.frameloom.gpu.TextureUsage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Refuses uses that the usage flags of a resource do not allow. Stateless; allocates nothing unless it refuses. */
public final class Usages {
    private Usages() {}

    /** Checks what a pass declares to use. */
    public static void check(String pass, List<ResourceUse> uses) {
        for (int i = 0; i < uses.size(); i++) {
            ResourceUse use = uses.get(i);
            if (use instanceof ResourceUse.OfTexture texture) {
                TextureUsage needed = textureUsage(use.access());
                if (needed != null && !texture.resource().description().usage().contains(needed)) {
                    throw refused(
                            pass,
                            "texture",
                            use,
                            needed,
                            texture.resource().description().usage());
                }
            } else if (use instanceof ResourceUse.OfBuffer buffer) {
                BufferUsage needed = bufferUsage(use.access());
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

    private static IllegalArgumentException refused(
            String pass, String kind, ResourceUse use, Object needed, Object present) {
        return new IllegalArgumentException("pass '" + pass + "' uses " + kind + " '"
                + use.resource().name() + "' as " + use.access() + ", which needs usage " + needed
                + "; it was created for "
                + present);
    }

    private static @Nullable TextureUsage textureUsage(Access access) {
        return switch (access) {
            case COLOR_WRITE, COLOR_READ_WRITE, RESOLVE_DST -> TextureUsage.COLOR_ATTACHMENT;
            case DEPTH_WRITE, DEPTH_READ_WRITE, DEPTH_READ -> TextureUsage.DEPTH_ATTACHMENT;
            case SAMPLED_FRAGMENT, SAMPLED_VERTEX, SAMPLED_COMPUTE -> TextureUsage.SAMPLED;
            case STORAGE_READ_VERTEX,
                    STORAGE_READ_FRAGMENT,
                    STORAGE_READ_WRITE_FRAGMENT,
                    STORAGE_READ_COMPUTE,
                    STORAGE_WRITE_COMPUTE,
                    STORAGE_READ_WRITE_COMPUTE -> TextureUsage.STORAGE;
            case COPY_SRC -> TextureUsage.COPY_SRC;
            case COPY_DST -> TextureUsage.COPY_DST;
            default -> null;
        };
    }

    private static @Nullable BufferUsage bufferUsage(Access access) {
        return switch (access) {
            case STORAGE_READ_VERTEX,
                    STORAGE_READ_FRAGMENT,
                    STORAGE_READ_WRITE_FRAGMENT,
                    STORAGE_READ_COMPUTE,
                    STORAGE_WRITE_COMPUTE,
                    STORAGE_READ_WRITE_COMPUTE -> BufferUsage.STORAGE;
            case UNIFORM_GRAPHICS, UNIFORM_COMPUTE -> BufferUsage.UNIFORM;
            case VERTEX -> BufferUsage.VERTEX;
            case INDEX -> BufferUsage.INDEX;
            case INDIRECT -> BufferUsage.INDIRECT;
            case COPY_SRC -> BufferUsage.COPY_SRC;
            case COPY_DST -> BufferUsage.COPY_DST;
            default -> null;
        };
    }
}
