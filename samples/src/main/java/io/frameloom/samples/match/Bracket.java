package io.frameloom.samples.match;

/**
 * Brackets as words, as the shaders have them: the byte's place in its window above three bits. The upper two of these
 * are the kind, the lowest says whether it opens.
 */
final class Bracket {
    /** Bytes of a window: its places fit the word, and its workgroups one row of a dispatch. */
    static final int MOST_BYTES = 1 << 24;

    private static final int NOT_ONE = -1;
    private static final String CHARACTERS = ")(][}{";

    private Bracket() {}

    /** Returns the lower three bits for a byte, or -1 if it is no bracket. */
    static int code(byte character) {
        return switch (character) {
            case ')' -> 0;
            case '(' -> 1;
            case ']' -> 2;
            case '[' -> 3;
            case '}' -> 4;
            case '{' -> 5;
            default -> NOT_ONE;
        };
    }

    static boolean opens(int bracket) {
        return (bracket & 1) != 0;
    }

    /** Returns 0, 1 or 2: round, square or curly. */
    static int kind(int bracket) {
        return bracket >>> 1 & 3;
    }

    static int place(int bracket) {
        return bracket >>> 3;
    }

    static char character(int bracket) {
        return CHARACTERS.charAt(bracket & 7);
    }

    /** Returns the opening character of a kind. */
    static char opening(int kind) {
        return CHARACTERS.charAt(2 * kind + 1);
    }
}
