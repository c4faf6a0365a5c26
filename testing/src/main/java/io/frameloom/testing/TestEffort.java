package io.frameloom.testing;

import java.util.ArrayList;
import java.util.List;

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

    /**
     * All cases in a thorough run, otherwise one share of them: every case is then in one of the shares that several calls
     * take.
     *
     * @param share which one, 0 or more
     * @param shares how many there are
     */
    public static <T> List<T> share(List<T> all, int share, int shares) {
        if (isThorough()) {
            return all;
        }
        List<T> taken = new ArrayList<>();
        for (int i = share; i < all.size(); i += shares) {
            taken.add(all.get(i));
        }
        return taken;
    }

    /** The first number, or the second one in a thorough run. */
    public static int of(int usual, int thorough) {
        return isThorough() ? thorough : usual;
    }
}
