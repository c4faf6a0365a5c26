package io.frameloom.samples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Locale;
import org.junit.jupiter.api.Test;

final class ProgressTest {
    @Test
    void readsTheSameInEveryLocale() {
        Locale former = Locale.getDefault();
        System.setProperty("frameloom.tty", "true");
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        try {
            StringWriter text = new StringWriter();
            Progress progress = new Progress(new PrintWriter(text), 10);
            progress.update(5);
            assertThat(text.toString()).matches("\\r\\[#{15}-{15}] frame 5 of 10, [0-9]+\\.[0-9] frames/s ");
        } finally {
            Locale.setDefault(former);
            System.clearProperty("frameloom.tty");
        }
    }
}
