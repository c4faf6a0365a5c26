package io.frameloom.rdg.diagnostics;

/**
 * A system property that looks like one of Frameloom's and is none, such as one whose name is misspelt.
 *
 * @param name its whole name
 * @param nearest the names of properties that may have been meant, quoted, the nearest first
 */
public record UnknownProperty(String name, String nearest) {
    /** Returns one line for the user who has set it. */
    public String message() {
        return "nothing reads the system property '" + name + "'; the nearest are " + nearest;
    }
}
