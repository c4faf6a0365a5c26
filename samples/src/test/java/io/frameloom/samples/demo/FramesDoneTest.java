package io.frameloom.samples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;

final class FramesDoneTest {
    @Test
    void readsTheSameInEveryLocale() {
        Locale former = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        try {
            assertThat(DemoRunner.framesDone(5, 10, 2.25)).matches("5 of 10 frames, 2\\.[23] frames/s");
        } finally {
            Locale.setDefault(former);
        }
    }
}
