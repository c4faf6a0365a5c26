package io.frameloom.gpu.compute;

/** How brackets lie in memory: an element that is 0 closes, any other opens. Elements fill words from the lowest bit. */
public enum BracketInput {
    /** One 32-bit word each. */
    WORDS(1, "INPUT_WORDS"),
    /** One byte each, four to a word. */
    BYTES(4, "INPUT_BYTES"),
    /** One bit each, 32 to a word. */
    BITS(32, "INPUT_BITS");

    private final int perWord;
    private final String define;

    BracketInput(int perWord, String define) {
        this.perWord = perWord;
        this.define = define;
    }

    /** Returns how many elements a 32-bit word holds. */
    public int perWord() {
        return perWord;
    }

    /** Returns how many bytes some elements take: whole words. */
    public long bytes(long length) {
        return (length + perWord - 1) / perWord * Integer.BYTES;
    }

    /** Returns whether an element opens, given the word that it lies in. */
    boolean isOpen(int word, int element) {
        int bits = Integer.SIZE / perWord;
        int shift = element % perWord * bits;
        return ((word >>> shift) & (-1 >>> (Integer.SIZE - bits))) != 0;
    }

    String define() {
        return define;
    }
}
