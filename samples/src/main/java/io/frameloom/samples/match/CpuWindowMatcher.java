package io.frameloom.samples.match;

import io.frameloom.gpu.compute.BracketInput;
import io.frameloom.gpu.compute.BracketMatch;
import io.frameloom.gpu.compute.CpuBracketMatch;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Matches the brackets of one window of bytes on the processor; finds what {@link WindowMatcher} finds. One thread. */
final class CpuWindowMatcher implements WindowMatching {
    private final TaskGraph tasks;
    private final ByteBuffer window;
    private final int[] brackets;
    private final int[] opens;
    private long nanos;

    /**
     * Makes the memory.
     *
     * @param tasks task graph whose workers help
     * @param bytes bytes of a window, or {@link Bracket#MOST_BYTES} if they are fewer
     */
    CpuWindowMatcher(TaskGraph tasks, int bytes) {
        this.tasks = tasks;
        int capacity = Math.min(bytes, Bracket.MOST_BYTES);
        window = ByteBuffer.allocate(capacity);
        brackets = new int[capacity];
        opens = new int[(capacity + Integer.SIZE - 1) / Integer.SIZE];
    }

    @Override
    public ByteBuffer window() {
        return window.clear();
    }

    @Override
    public WindowResult match(int bytes) {
        long start = System.nanoTime();
        int count = find(bytes);
        WindowResult result = count == 0
                ? WindowResult.NOTHING
                : folded(count, CpuBracketMatch.match(tasks, BracketInput.BITS, opens, count));
        nanos += System.nanoTime() - start;
        return result;
    }

    /** Moves the brackets of a window together and returns their number. */
    private int find(int bytes) {
        Arrays.fill(opens, 0);
        int count = 0;
        for (int i = 0; i < bytes; i++) {
            int code = Bracket.code(window.get(i));
            if (code >= 0) {
                brackets[count] = i << 3 | code;
                opens[count / Integer.SIZE] |= (code & 1) << count;
                count++;
            }
        }
        return count;
    }

    private WindowResult folded(int count, int[] links) {
        int net = 0;
        int depth = 0;
        int rise = Integer.MIN_VALUE;
        int top = 0;
        int wrong = 0;
        int wrongClose = 0;
        int wrongOpen = 0;
        boolean[] paired = new boolean[count];
        int alone = count;
        for (int i = 0; i < count; i++) {
            if (Bracket.opens(brackets[i])) {
                net++;
                depth++;
            } else {
                net--;
                depth = Math.max(0, depth - 1);
                int link = links[i];
                if (link != BracketMatch.NONE) {
                    paired[link] = true;
                    paired[i] = true;
                    alone -= 2;
                    if (Bracket.kind(brackets[link]) != Bracket.kind(brackets[i])) {
                        wrongClose = wrong == 0 ? brackets[i] : wrongClose;
                        wrongOpen = wrong == 0 ? brackets[link] : wrongOpen;
                        wrong++;
                    }
                }
            }
            rise = Math.max(rise, net);
            top = Math.max(top, depth);
        }
        return new WindowResult(count, rise, top, wrong, wrongClose, wrongOpen, withoutPartner(paired, alone));
    }

    private int[] withoutPartner(boolean[] paired, int alone) {
        int[] left = new int[alone];
        int next = 0;
        for (int i = 0; i < paired.length; i++) {
            if (!paired[i]) {
                left[next++] = brackets[i];
            }
        }
        return left;
    }

    @Override
    public long deviceNanos() {
        return nanos;
    }

    @Override
    public void close() {}
}
