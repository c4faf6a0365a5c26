package io.frameloom.gpu.record;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.SubresourceRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A command's use of a resource, to be checked against the declaration of its pass.
 *
 * @param access how, or null where a shader does it, of which only {@code writes} is known
 * @param offset first byte of a buffer
 * @param bytes bytes of a buffer from there on, 0 if they are not known
 * @param range subresources of a texture, null if they are not known, and for a buffer
 * @param stages where a shader does it, the stages that the declaration has; 0 if any will do
 */
public record CommandUse(
        Resource resource,
        @Nullable Access access,
        boolean writes,
        long offset,
        long bytes,
        @Nullable SubresourceRange range,
        int stages) {
    /** A use that no shader of certain stages makes. */
    public CommandUse(
            Resource resource,
            @Nullable Access access,
            boolean writes,
            long offset,
            long bytes,
            @Nullable SubresourceRange range) {
        this(resource, access, writes, offset, bytes, range, 0);
    }

    /** Returns whether the use needs no declaration: the host writes upload memory unseen in any case. */
    boolean isFree() {
        return resource instanceof Buffer buffer && buffer.description().memory() == MemoryUsage.UPLOAD && !writes;
    }

    /** Returns what a command reads of a buffer; null if it may write, is a shader, or uses a texture. */
    ResourceUse.@Nullable OfBuffer read() {
        if (access == null || writes || !(resource instanceof Buffer buffer)) {
            return null;
        }
        long length = bytes > 0 ? bytes : buffer.description().bytes() - offset;
        return new ResourceUse.OfBuffer(buffer, offset, length, access, false);
    }

    boolean isNamedBy(List<ResourceUse> declared) {
        for (ResourceUse use : declared) {
            if (isOf(use)) {
                return true;
            }
        }
        return false;
    }

    public boolean isCoveredBy(List<ResourceUse> declared) {
        if (resource instanceof Buffer && bytes > 0) {
            return coversBytes(declared);
        }
        SubresourceRange part = range;
        return part == null ? anyAllows(declared) : coversRange(declared, part);
    }

    private boolean anyAllows(List<ResourceUse> declared) {
        for (ResourceUse use : declared) {
            if (isOf(use) && allows(use.access())) {
                return true;
            }
        }
        return false;
    }

    private boolean coversBytes(List<ResourceUse> declared) {
        List<ResourceUse.OfBuffer> parts = new ArrayList<>();
        for (ResourceUse use : declared) {
            if (use instanceof ResourceUse.OfBuffer part && isOf(use) && allows(use.access())) {
                parts.add(part);
            }
        }
        parts.sort(Comparator.comparingLong(ResourceUse.OfBuffer::offset));
        long covered = offset;
        for (ResourceUse.OfBuffer part : parts) {
            if (part.offset() > covered) {
                break;
            }
            covered = Math.max(covered, part.offset() + part.bytes());
        }
        return covered >= offset + bytes;
    }

    private boolean coversRange(List<ResourceUse> declared, SubresourceRange part) {
        for (int plane = part.basePlane(); plane < part.basePlane() + part.planeCount(); plane++) {
            for (int mip = part.baseMip(); mip < part.baseMip() + part.mipCount(); mip++) {
                for (int layer = part.baseLayer(); layer < part.baseLayer() + part.layerCount(); layer++) {
                    if (!covers(declared, mip, layer, plane)) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    private boolean covers(List<ResourceUse> declared, int mip, int layer, int plane) {
        for (ResourceUse use : declared) {
            if (use instanceof ResourceUse.OfTexture part
                    && isOf(use)
                    && allows(use.access())
                    && part.range().contains(mip, layer, plane)) {
                return true;
            }
        }
        return false;
    }

    private boolean allows(Access declared) {
        Access needed = access;
        return needed == null
                ? (!writes || declared.writes()) && (declared.stages() & stages) == stages
                : (declared.stages() & needed.stages()) == needed.stages()
                        && (declared.memoryAccess() & needed.memoryAccess()) == needed.memoryAccess();
    }

    private boolean isOf(ResourceUse declared) {
        return LeftContents.isSame(declared.resource(), resource);
    }

    String describe() {
        StringBuilder text = new StringBuilder("uses ");
        if (bytes > 0) {
            text.append("bytes ")
                    .append(offset)
                    .append(" to ")
                    .append(offset + bytes)
                    .append(" of ");
        } else if (range != null) {
            text.append(range.mipCount() == 1 ? "mip " : "mips from ").append(range.baseMip());
            text.append(range.layerCount() == 1 ? ", layer " : ", layers from ").append(range.baseLayer());
            text.append(" of ");
        }
        text.append('\'').append(resource.name()).append('\'');
        if (access != null) {
            return text.append(" as ").append(access).toString();
        }
        String of = stages == 0 ? "" : " of " + PipelineStage.describe(stages);
        return text.append(stages != 0 || writes ? " in a shader" + of : "")
                .append(writes ? " that may write it" : "")
                .toString();
    }
}
