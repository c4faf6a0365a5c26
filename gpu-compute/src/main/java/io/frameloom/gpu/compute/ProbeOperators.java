package io.frameloom.gpu.compute;

import java.util.List;

/**
 * Operators that show what a scan did wrong, for each number of words: the composition of affine maps {@code x -> a x +
 * b} of words or halves of words. It is exactly associative, not commutative, and with odd {@code a} every map can be
 * undone. So a tile that is left out, taken twice or in another place shows in every later result.
 */
final class ProbeOperators {
    private static final int HALF = 0xFFFF;
    private static final int MOST_WORDS = 4;
    private static final List<ScanOperator> ALL = List.of(halves(), words(2), words(3), words(4));

    private ProbeOperators() {}

    /** Returns the operator on so many words, 1 to 4. */
    static ScanOperator of(int words) {
        return ALL.get(words - 1);
    }

    /** {@code a} in the lower half, {@code b} in the upper one. */
    private static ScanOperator halves() {
        return ScanOperator.of("probe-1", ElementType.U32, new int[] {1}, """
                uint combine(uint l, uint r) {
                    uint a = (l & 0xFFFFu) * (r & 0xFFFFu);
                    uint b = (l >> 16) * (r & 0xFFFFu) + (r >> 16);
                    return (a & 0xFFFFu) | b << 16;
                }
                """, (l, i, r, j, t, k) -> {
            int a = (l[i] & HALF) * (r[j] & HALF);
            int b = (l[i] >>> Short.SIZE) * (r[j] & HALF) + (r[j] >>> Short.SIZE);
            t[k] = (a & HALF) | (b << Short.SIZE);
        });
    }

    /** {@code a} in the first word, a {@code b} of another map in each of the others. */
    private static ScanOperator words(int words) {
        String type = "uvec" + words;
        int[] identity = new int[words];
        identity[0] = 1;
        String maps = "yzw".substring(0, words - 1);
        return ScanOperator.of(
                "probe-" + words,
                switch (words) {
                    case 2 -> ElementType.U32X2;
                    case 3 -> ElementType.U32X3;
                    default -> ElementType.U32X4;
                },
                identity,
                type + " combine(" + type + " l, " + type + " r) { return " + type + "(l.x * r.x, l." + maps
                        + " * r.x + r." + maps + "); }\n",
                (l, i, r, j, t, k) -> {
                    int a = r[j];
                    for (int w = words - 1; w > 0; w--) {
                        t[k + w] = l[i + w] * a + r[j + w];
                    }
                    t[k] = l[i] * a;
                });
    }

    /** Returns a word of the input: odd factors, everything else by Knuth's multiplicative hashing. */
    static int word(int element, int word) {
        int bits = (element * MOST_WORDS + word + 1) * 0x9E37_79B1;
        bits ^= bits >>> Short.SIZE;
        return word == 0 ? bits | 1 : bits;
    }
}
