package io.frameloom.rdg.diagnostics;

/**
 * Chooses graphs, passes or resources by name: {@code *} stands for any characters, {@code ?} for one, and a {@code !}
 * in front inverts the choice. Immutable; any thread.
 *
 * @param pattern the pattern, such as {@code frame *} or {@code !bloom*}
 */
public record NameFilter(String pattern) {
    /** Matches every name. */
    public static final NameFilter ALL = new NameFilter("*");

    /** Refuses a pattern that could match nothing. */
    public NameFilter {
        if (pattern.isEmpty() || pattern.equals("!")) {
            throw new IllegalArgumentException("'" + pattern
                    + "' chooses no name; write a name, in which * and ? stand for others, such as frame*");
        }
    }

    /** Returns whether a name is chosen. */
    public boolean matches(String name) {
        boolean inverted = pattern.charAt(0) == '!';
        return matches(name, inverted ? 1 : 0) != inverted;
    }

    /** Greedy matching that goes back to the last star only. */
    private boolean matches(String name, int from) {
        int p = from;
        int n = 0;
        int star = -1;
        int mark = 0;
        while (n < name.length()) {
            if (p < pattern.length() && pattern.charAt(p) == '*') {
                star = p++;
                mark = n;
            } else if (p < pattern.length() && (pattern.charAt(p) == '?' || pattern.charAt(p) == name.charAt(n))) {
                p++;
                n++;
            } else if (star >= 0) {
                p = star + 1;
                n = ++mark;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }

    @Override
    public String toString() {
        return pattern;
    }
}
