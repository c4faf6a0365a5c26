package io.frameloom.samples.match;

/**
 * A bracket without a partner of its kind.
 *
 * @param offset byte in the file
 * @param bracket the bracket
 * @param closed for a close the open bracket of another kind that it meets, {@code ' '} if it meets none; for an open,
 *     which nothing closes, the bracket itself
 */
record Mismatch(long offset, char bracket, char closed) {
    /** A close before which nothing is open. */
    static Mismatch closesNothing(long offset, char bracket) {
        return new Mismatch(offset, bracket, ' ');
    }

    /** An open that nothing closes. */
    static Mismatch neverClosed(long offset, char bracket) {
        return new Mismatch(offset, bracket, bracket);
    }

    String words() {
        if (closed == bracket) {
            return "'" + bracket + "' is never closed";
        }
        return closed == ' ' ? "'" + bracket + "' closes nothing" : "'" + bracket + "' closes '" + closed + "'";
    }
}
