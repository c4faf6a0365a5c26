package io.frameloom.benchmarks.driver;

import io.frameloom.rdg.RdgOptions;
import java.io.PrintStream;
import java.util.List;
import java.util.Properties;

/** What the command line says on standard error, a line each. Any thread. */
public final class Complaints {
    public static final int BAD_INPUT = 2;
    private static final String PROGRAM = "frameloom bench: ";

    private Complaints() {}

    /** Prints a line; the message of a failure may be given as it is. */
    public static void say(PrintStream complaints, String words) {
        complaints.println(PROGRAM + words.replaceAll("\\s*\\R\\s*", " ").strip());
    }

    /** Prints why the command line cannot be obeyed, and returns the exit code for that. */
    public static int refuse(PrintStream complaints, String words) {
        say(complaints, words);
        return BAD_INPUT;
    }

    /** Prints which properties look like Frameloom's and are read by nothing; returns whether there are any. */
    public static boolean refuses(Properties properties, PrintStream complaints) {
        List<String> unknown = RdgOptions.unknownProperties(properties);
        unknown.forEach(line -> say(complaints, line));
        return !unknown.isEmpty();
    }
}
