package io.frameloom.gpu.internal;

/** Numbers of things in messages: {@code 1 pass}, {@code 2 passes}. Any thread. */
public final class Plural {
    private Plural() {}

    /**
     * Returns a number and its noun.
     *
     * @param one a regular English noun in the singular, such as {@code queue}, {@code pass} or {@code memory}
     */
    public static String of(long count, String one) {
        return count + " " + (count == 1 ? one : several(one));
    }

    private static String several(String one) {
        if (one.endsWith("s") || one.endsWith("x") || one.endsWith("ch") || one.endsWith("sh")) {
            return one + "es";
        }
        boolean afterConsonant = one.endsWith("y") && "aeiou".indexOf(one.charAt(one.length() - 2)) < 0;
        return afterConsonant ? one.substring(0, one.length() - 1) + "ies" : one + "s";
    }
}
