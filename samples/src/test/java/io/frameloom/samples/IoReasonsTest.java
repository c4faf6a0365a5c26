package io.frameloom.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

final class IoReasonsTest {
    @Test
    void saysWhatTheMessageLeavesToTheType() {
        assertThat(IoReasons.of(new AccessDeniedException("/x"))).isEqualTo("access denied to /x");
        assertThat(IoReasons.of(new NoSuchFileException("/x"))).isEqualTo("there is no /x");
        assertThat(IoReasons.of(new IOException("No space left\n on device"))).isEqualTo("No space left on device");
        assertThat(IoReasons.of(new IOException())).isEqualTo("IOException");
    }
}
