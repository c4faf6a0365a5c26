package io.frameloom.rdg.utility;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.internal.TransferFit;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgTexture;
import org.jspecify.annotations.Nullable;

/** What passes declare of the regions that they copy, and what they refuse. */
final class Regions {
    private Regions() {}

    /** Returns the range that has a region's texels. */
    static SubresourceRange range(TextureRegion region) {
        return new SubresourceRange(region.mip(), 1, region.baseLayer(), region.layers(), region.plane(), 1);
    }

    /**
     * Refuses what a command list would refuse.
     *
     * @param misfit what {@link TransferFit} says, null for nothing
     */
    static void require(@Nullable String misfit) {
        if (misfit != null) {
            throw new RdgException(misfit);
        }
    }

    /** Declares that a pass writes a region, all of its range or a part. */
    static void write(
            PassBuilder pass, RdgTexture texture, TextureRegion region, SubresourceRange range, Access access) {
        TextureDescription shape = texture.description();
        boolean all = region.x() == 0
                && region.y() == 0
                && region.z() == 0
                && region.width() >= shape.width(region.mip())
                && region.height() >= shape.height(region.mip())
                && region.depth() >= shape.depth(region.mip());
        if (all) {
            pass.overwrites(texture, range, access);
        } else {
            pass.writes(texture, range, access);
        }
    }
}
