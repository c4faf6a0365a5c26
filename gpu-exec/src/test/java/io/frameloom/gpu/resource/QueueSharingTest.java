package io.frameloom.gpu.resource;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is made is shared by all queue families unless its description says otherwise, which nothing else changes. */
@Timeout(60)
class QueueSharingTest {
    private static final TextureDescription PICTURE =
            TextureDescription.of(64, 64, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT);
    private static final BufferDescription WORDS = BufferDescription.device(64, BufferUsage.STORAGE);

    @Test
    void everythingIsSharedByDefault() {
        assertThat(PICTURE.sharing()).isEqualTo(QueueSharing.CONCURRENT);
        assertThat(WORDS.sharing()).isEqualTo(QueueSharing.CONCURRENT);
        assertThat(BufferDescription.readback(4).sharing()).isEqualTo(QueueSharing.CONCURRENT);
    }

    @Test
    void sharingIsPartOfAShape() {
        assertThat(PICTURE.withSharing(QueueSharing.EXCLUSIVE)).isNotEqualTo(PICTURE);
        assertThat(PICTURE.withSharing(QueueSharing.EXCLUSIVE).withSharing(QueueSharing.CONCURRENT))
                .isEqualTo(PICTURE);
        assertThat(WORDS.withSharing(QueueSharing.EXCLUSIVE)).isNotEqualTo(WORDS);
    }

    @Test
    void otherPropertiesLeaveItAlone() {
        TextureDescription exclusive = PICTURE.withSharing(QueueSharing.EXCLUSIVE);
        assertThat(List.of(
                        exclusive.withMips(2),
                        exclusive.withLayers(3),
                        exclusive.withDepth(4),
                        exclusive.withCubes(1),
                        exclusive.withSamples(4),
                        exclusive.withViewFormats(Format.R8G8B8A8_SRGB),
                        exclusive.withUsage(EnumSet.of(TextureUsage.SAMPLED))))
                .extracting(TextureDescription::sharing)
                .containsOnly(QueueSharing.EXCLUSIVE);
        assertThat(WORDS.withSharing(QueueSharing.EXCLUSIVE)
                        .withUsage(Set.of(BufferUsage.COPY_DST))
                        .sharing())
                .isEqualTo(QueueSharing.EXCLUSIVE);
    }
}
