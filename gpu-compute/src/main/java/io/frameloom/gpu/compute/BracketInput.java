package io.frameloom.gpu.compute;

/** How brackets lie in memory: element 0 closes, any other opens. Elements fill words from the lowest bit. */
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

    /** Returns the elements from {@code 32 * group} on as bits, 1 for an open; elements after the words close. */
    int opens(int[] words, int group) {
        int first = group * (Integer.SIZE / perWord);
        if (perWord == Integer.SIZE) {
            return words[first];
        }
        int many = Math.min(Integer.SIZE / perWord, words.length - first);
        int bits = 0;
        for (int i = 0; i < many; i++) {
            int word = words[first + i];
            if (perWord == 1) {
                bits |= ((word | -word) >>> (Integer.SIZE - 1)) << i;
            } else {
                // The highest bit of each byte that is not 0, then the four of them side by side.
                int set = ((((word & 0x7F7F_7F7F) + 0x7F7F_7F7F) | word) & 0x8080_8080) >>> (Byte.SIZE - 1);
                bits |= ((set * 0x0102_0408) >>> (3 * Byte.SIZE)) << (i * Integer.BYTES);
            }
        }
        return bits;
    }

    String define() {
        return define;
    }
}
