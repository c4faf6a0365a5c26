package io.frameloom.samples;

import java.nio.charset.Charset;

/** A name of a file that would steer a terminal if it were printed as it is. */
public final class SteeringName {
    private static final String EIGHT_BIT = canHold("\u009b") ? "\u009b31m\u202e" : "";

    /** The name, as far as the encoding of names goes. */
    public static final String RAW = "a\u001b[31m" + EIGHT_BIT;

    /** What is to be printed. */
    public static final String SHOWN = "a\\u001b[31m" + (EIGHT_BIT.isEmpty() ? "" : "\\u009b31m\\u202e");

    private SteeringName() {}

    private static boolean canHold(String name) {
        String encoding = System.getProperty("sun.jnu.encoding", "UTF-8");
        return Charset.forName(encoding).newEncoder().canEncode(name);
    }

    /** Whether a text has nothing in it that steers a terminal, apart from the ends of its lines. */
    public static boolean isAbsentFrom(String printed) {
        return printed.replace(System.lineSeparator(), "")
                .chars()
                .noneMatch(c -> Character.isISOControl(c) || c == '\u202e');
    }
}
