package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.CopyUnit;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.GpuTimeline;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.internal.TransferFit;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.transfer.staging.TransferChecks;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the copy queues of some devices do not copy; graphics and compute queues always copy single texels. */
@Timeout(60)
class CopyUnitTest {
    private static final TextureDescription SHAPE = TextureDescription.of(
                    18, 10, Format.R8G8B8A8_UNORM, TextureUsage.COPY_SRC, TextureUsage.COPY_DST)
            .withMips(2);
    private static final TextureDescription BLOCKS =
            TextureDescription.of(64, 64, Format.BC1_RGBA_UNORM, TextureUsage.COPY_DST);
    private static final TextureRegion EIGHTS = TextureRegion.mip(SHAPE, 0).withRectangle(8, 0, 8, 8);
    private static final TextureRegion BETWEEN = TextureRegion.mip(SHAPE, 0).withRectangle(4, 0, 8, 8);

    /** A queue of a unit; it is only looked at. */
    private record Queue(String name, CopyUnit copyUnit) implements GpuQueue {
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
        public GpuTimeline timeline() {
            throw new UnsupportedOperationException();
        }

        @Override
        public TimelinePoint submit(Submission submission) {
            throw new UnsupportedOperationException();
        }
    }

    private static boolean fits(CopyUnit unit, TextureDescription shape, TextureRegion region) {
        return TransferFit.units("picture", shape, region, new Queue("copy", unit)) == null;
    }

    @Test
    void regionsAreInWholeUnitsOrReachTheEdge() {
        TextureRegion all = TextureRegion.mip(SHAPE, 0);
        CopyUnit eights = new CopyUnit(8, 8, 1);
        assertThat(fits(eights, SHAPE, all)).isTrue();
        assertThat(fits(eights, SHAPE, all.withRectangle(8, 0, 8, 8))).isTrue();
        assertThat(fits(eights, SHAPE, all.withRectangle(8, 8, 10, 2))).isTrue();
        assertThat(fits(eights, SHAPE, all.withRectangle(4, 0, 8, 8))).isFalse();
        assertThat(fits(eights, SHAPE, all.withRectangle(0, 0, 4, 8))).isFalse();
        assertThat(fits(eights, SHAPE, all.withRectangle(0, 0, 8, 4))).isFalse();
    }

    @Test
    void unitsOfCompressedFormatsAreBlocks() {
        TextureRegion all = TextureRegion.mip(BLOCKS, 0);
        CopyUnit eights = new CopyUnit(8, 8, 1);
        assertThat(fits(eights, BLOCKS, all.withRectangle(32, 0, 32, 32))).isTrue();
        assertThat(fits(eights, BLOCKS, all.withRectangle(8, 0, 32, 32))).isFalse();
        assertThat(fits(eights, BLOCKS, all.withRectangle(0, 0, 32, 8))).isFalse();
    }

    @Test
    void someQueuesCopyWholeMipsAlone() {
        CopyUnit whole = new CopyUnit(0, 0, 0);
        assertThat(fits(whole, SHAPE, TextureRegion.mip(SHAPE, 1))).isTrue();
        assertThat(fits(whole, SHAPE, TextureRegion.mip(SHAPE, 1).withRectangle(0, 0, 8, 5)))
                .isFalse();
        assertThat(fits(whole, SHAPE, TextureRegion.mip(SHAPE, 0).withRectangle(2, 0, 16, 10)))
                .isFalse();
    }

    /** The resources of a device, and checks for a queue that it does not have. */
    private record Scene(TransferRules rules, TransferChecks checks, Buffer texels, Texture picture, Texture other) {}

    /** All that copies a part of a texture. */
    private enum Copy {
        FROM_BUFFER {
            @Override
            void check(Scene scene, TextureRegion region) {
                scene.rules.copyBufferToTexture(scene.texels, TexelLayout.tight(0), scene.picture, region);
            }
        },
        TO_BUFFER {
            @Override
            void check(Scene scene, TextureRegion region) {
                scene.rules.copyTextureToBuffer(scene.picture, region, scene.texels, TexelLayout.tight(0));
            }
        },
        FROM_TEXTURE {
            @Override
            void check(Scene scene, TextureRegion region) {
                scene.rules.copyTexture(scene.other, EIGHTS, scene.picture, region);
            }
        },
        TO_TEXTURE {
            @Override
            void check(Scene scene, TextureRegion region) {
                scene.rules.copyTexture(scene.picture, region, scene.other, EIGHTS);
            }
        },
        UPLOAD {
            @Override
            void check(Scene scene, TextureRegion region) {
                scene.checks.region(scene.picture, region, QUEUE);
            }
        };

        private static final GpuQueue QUEUE = new Queue("copy", new CopyUnit(8, 8, 1));

        abstract void check(Scene scene, TextureRegion region);
    }

    static Stream<Arguments> copies() {
        return Stream.of(Backend.values())
                .flatMap(backend -> Stream.of(Copy.values()).map(copy -> Arguments.of(backend, copy)));
    }

    @ParameterizedTest
    @MethodSource("copies")
    void otherRegionsAreRefusedByNameOfQueueAndTexture(Backend backend, Copy copy) {
        try (CommandRig rig = new CommandRig(backend)) {
            Scene scene = new Scene(
                    new TransferRules(
                            RecordingRules.primary("list", Copy.QUEUE, rig.device.capabilities()),
                            rig.device::formatSupport),
                    new TransferChecks(rig.device, "uploader 'list'", "uploads to"),
                    rig.buffer("texels", 1024, BufferUsage.COPY_SRC, BufferUsage.COPY_DST),
                    rig.texture("picture", SHAPE),
                    rig.texture("other", SHAPE));
            copy.check(scene, EIGHTS);
            ThrowingCallable misfit = () -> copy.check(scene, BETWEEN);
            assertThatThrownBy(misfit)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("'list'", "'picture'", "queue 'copy'", "units of 8x8x1 blocks");
        }
    }

    @ParameterizedTest
    @EnumSource
    void theGraphicsQueueCopiesSingleTexels(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            assertThat(rig.queue().copyUnit()).isEqualTo(CopyUnit.TEXEL);
        }
    }
}
