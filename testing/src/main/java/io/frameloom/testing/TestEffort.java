package io.frameloom.testing;

/**
 * How many cases a test tries: as many as fit a run that everybody waits for, or with {@code -Dframeloom.testThorough=true}
 * ({@code ./frameloom test --thorough}) as many as its author wanted. Tests that cannot be made smaller are tagged
 * {@code thorough} instead, and run in thorough runs alone. Any thread may call it.
 */
public final class TestEffort {
    private TestEffort() {}

    /** Whether this run takes the time that it needs. */
    public static boolean isThorough() {
        return Boolean.getBoolean("frameloom.testThorough");
    }

    /** The first number, or the second one in a thorough run. */
    public static int of(int usual, int thorough) {
        return isThorough() ? thorough : usual;
    }
}
