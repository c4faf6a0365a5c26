package io.frameloom.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

final class ProgressTest {
    @Test
    void isABarAndWordsOnATerminal() {
        assertThat(shown(true, 5)).matches("\\r\\[#{15}-{15}] 5 done at [0-9.E-]+ ");
        assertThat(shown(true, 11)).matches("\\r\\[#{30}] 11 done at [0-9.E-]+ ");
    }

    @Test
    void isNothingElsewhere() {
        assertThat(shown(false, 5)).isEmpty();
    }

    private static String shown(boolean terminal, long done) {
        System.setProperty("frameloom.tty", Boolean.toString(terminal));
        try {
            StringWriter text = new StringWriter();
            Progress progress =
                    new Progress(new PrintWriter(text), 10, (now, perSecond) -> now + " done at " + perSecond);
            progress.update(done);
            return text.toString();
        } finally {
            System.clearProperty("frameloom.tty");
        }
    }
}
