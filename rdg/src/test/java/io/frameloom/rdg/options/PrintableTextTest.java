package io.frameloom.rdg.options;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What of a text would not stay within its line. */
class PrintableTextTest {
    @Test
    void whatDrivesATerminalIsEscaped() {
        assertThat(PrintableText.of("a\nb\r\tc\u001b[31m\u0000\u007f\u0085\u009b"))
                .isEqualTo("a\\nb\\r\\tc\\u001b[31m\\u0000\\u007f\\u0085\\u009b");
        assertThat(PrintableText.of("\u202eevil\u2066\u2069\u200f\u061c\u2028\u2029"))
                .isEqualTo("\\u202eevil\\u2066\\u2069\\u200f\\u061c\\u2028\\u2029");
    }

    @Test
    void lettersOfAllScriptsStay() {
        for (String text : new String[] {"", "C:\\frames\\u.json", "größe 深度 עומק 🎞️ न्‍"}) {
            assertThat(PrintableText.of(text)).isSameAs(text);
        }
    }
}
