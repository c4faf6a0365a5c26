package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.CopyUnit;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.GpuTimeline;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.vulkan.ValidatedDevice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the copy queues of some devices do not copy; graphics and compute queues always copy single texels. */
@Timeout(60)
class CopyUnitTest {
    private static final TextureDescription SHAPE = TextureDescription.of(
                    18, 10, Format.R8G8B8A8_UNORM, TextureUsage.COPY_DST)
            .withMips(2);

    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice();

    private static boolean fits(CopyUnit unit, TextureRegion region) {
        return TransferRules.fits(unit, SHAPE, region);
    }

    @Test
    void regionsAreInWholeUnitsOrReachTheEdge() {
        TextureRegion all = TextureRegion.mip(SHAPE, 0);
        CopyUnit eights = new CopyUnit(8, 8, 1);
        assertThat(fits(eights, all)).isTrue();
        assertThat(fits(eights, all.withRectangle(8, 0, 8, 8))).isTrue();
        assertThat(fits(eights, all.withRectangle(8, 8, 10, 2))).isTrue();
        assertThat(fits(eights, all.withRectangle(4, 0, 8, 8))).isFalse();
        assertThat(fits(eights, all.withRectangle(0, 0, 4, 8))).isFalse();
        assertThat(fits(eights, all.withRectangle(0, 0, 8, 4))).isFalse();
    }

    @Test
    void someQueuesCopyWholeMipsAlone() {
        CopyUnit whole = new CopyUnit(0, 0, 0);
        assertThat(fits(whole, TextureRegion.mip(SHAPE, 1))).isTrue();
        assertThat(fits(whole, TextureRegion.mip(SHAPE, 1).withRectangle(0, 0, 8, 5)))
                .isFalse();
        assertThat(fits(whole, TextureRegion.mip(SHAPE, 0).withRectangle(2, 0, 16, 10)))
                .isFalse();
    }

    @Test
    void otherRegionsAreRefusedByNameOfQueueAndTexture() {
        GpuQueue copies = new GpuQueue() {
            @Override
            public String name() {
                return "copy";
            }

            @Override
            public int index() {
                return 0;
            }

            @Override
            public QueueKind kind() {
                return QueueKind.COPY;
            }

            @Override
            public int family() {
                return 0;
            }

            @Override
            public CopyUnit copyUnit() {
                return new CopyUnit(8, 8, 1);
            }

            @Override
            public GpuTimeline timeline() {
                return gpu.graphics().timeline();
            }

            @Override
            public TimelinePoint submit(Submission submission) {
                throw new UnsupportedOperationException();
            }
        };
        GpuDevice device = gpu.device();
        try (Texture picture = device.createTexture("picture", SHAPE);
                Buffer texels = device.createBuffer("texels", BufferDescription.device(1024, BufferUsage.COPY_SRC))) {
            RecordingRules rules = RecordingRules.primary("list", copies, device.capabilities());
            TransferRules transfers = new TransferRules(rules, device::formatSupport);
            TextureRegion part = TextureRegion.mip(SHAPE, 0).withRectangle(4, 0, 8, 8);
            assertThatThrownBy(() -> transfers.copyBufferToTexture(texels, TexelLayout.tight(0), picture, part))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'list'")
                    .hasMessageContaining("'picture'")
                    .hasMessageContaining("queue 'copy'");
        }
    }

    @Test
    void theGraphicsQueueCopiesSingleTexels() {
        assertThat(gpu.graphics().copyUnit()).isEqualTo(CopyUnit.TEXEL);
    }
}
