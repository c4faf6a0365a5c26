package io.frameloom.samples.match;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Brackets matched by a loop with a stack, to compare with. */
final class SequentialMatch {
    private SequentialMatch() {}

    static MatchResult of(byte[] text) {
        List<Integer> stack = new ArrayList<>();
        long brackets = 0;
        long deepest = 0;
        long mismatches = 0;
        @Nullable Mismatch first = null;
        for (int i = 0; i < text.length; i++) {
            char character = (char) (text[i] & 0xFF);
            int open = "([{".indexOf(character);
            int close = ")]}".indexOf(character);
            if (open >= 0) {
                stack.add(i);
            }
            if (open >= 0 || close >= 0) {
                brackets++;
                deepest = Math.max(deepest, stack.size());
            }
            if (close >= 0) {
                char met = stack.isEmpty() ? ' ' : (char) text[stack.remove(stack.size() - 1)];
                if (met != "([{".charAt(close)) {
                    mismatches++;
                    first = first == null ? new Mismatch(i, character, met) : first;
                }
            }
        }
        if (!stack.isEmpty() && first == null) {
            first = Mismatch.neverClosed(stack.get(0), (char) text[stack.get(0)]);
        }
        return new MatchResult(text.length, brackets, deepest, mismatches + stack.size(), first);
    }
}
