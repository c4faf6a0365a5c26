package io.frameloom.gpu.vulkan.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.CopyUnit;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.vulkan.ValidatedDevice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the copy queues of some devices do not copy; graphics and compute queues always copy single texels. */
@Timeout(60)
class CopyGranularityTest {
    private static final TextureDescription SHAPE = TextureDescription.of(
                    18, 10, Format.R8G8B8A8_UNORM, TextureUsage.COPY_DST)
            .withMips(2);

    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice();

    private static void refused(CopyGranularity units, TextureRegion region) {
        assertThatThrownBy(() -> units.check("copyTexture in command list 'list'", "copy", "picture", SHAPE, region))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'list'")
                .hasMessageContaining("'picture'")
                .hasMessageContaining("queue 'copy'");
    }

    @Test
    void regionsAreInWholeUnitsOrReachTheEdge() {
        TextureRegion all = TextureRegion.mip(SHAPE, 0);
        CopyGranularity eights = new CopyGranularity(8, 8, 1);
        eights.check("copy", "copy", "picture", SHAPE, all);
        eights.check("copy", "copy", "picture", SHAPE, all.withRectangle(8, 0, 8, 8));
        eights.check("copy", "copy", "picture", SHAPE, all.withRectangle(8, 8, 10, 2));
        refused(eights, all.withRectangle(4, 0, 8, 8));
        refused(eights, all.withRectangle(0, 0, 4, 8));
        refused(eights, all.withRectangle(0, 0, 8, 4));
    }

    @Test
    void someQueuesCopyWholeMipsAlone() {
        CopyGranularity whole = new CopyGranularity(0, 0, 0);
        whole.check("copy", "copy", "picture", SHAPE, TextureRegion.mip(SHAPE, 1));
        refused(whole, TextureRegion.mip(SHAPE, 1).withRectangle(0, 0, 8, 5));
        refused(whole, TextureRegion.mip(SHAPE, 0).withRectangle(2, 0, 16, 10));
    }

    @Test
    void theGraphicsQueueCopiesSingleTexels() {
        assertThat(gpu.graphics().copyUnit()).isEqualTo(CopyUnit.TEXEL);
    }
}
