package io.frameloom.rdg.utility;

import io.frameloom.gpu.Access;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.TextureRegion;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgTexture;

/** What passes declare of the regions that they copy. */
final class Regions {
    private Regions() {}

    /** Returns the range that has a region's texels. */
    static SubresourceRange range(RdgTexture texture, TextureRegion region) {
        try {
            return new SubresourceRange(region.mip(), 1, region.baseLayer(), region.layers(), region.plane(), 1);
        } catch (IllegalArgumentException empty) {
            throw new RdgException("a region of '" + texture.name() + "' is empty: " + empty.getMessage(), empty);
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
