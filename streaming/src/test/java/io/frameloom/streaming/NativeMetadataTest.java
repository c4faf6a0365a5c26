package io.frameloom.streaming;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.testing.NativeMetadata;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class NativeMetadataTest {
    @Test
    void nativeImagesGetWhatIsLookedUpByName() throws Exception {
        assertThat(NativeMetadata.complaints("frameloom-streaming", Set.of())).isEmpty();
    }
}
