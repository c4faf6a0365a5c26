package io.frameloom.taskgraph.deterministic;

import io.frameloom.taskgraph.parts.Arguments;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The thread that went on at every decision of a run: all that is needed to repeat it. Immutable.
 *
 * <p>The text form has one word per stretch of the same thread: {@code 0x12 2 1x3} is twelve times thread
 * 0, once thread 2, three times thread 1. Threads are numbered in the order of their creation.
 */
public final class Schedule {
    private final int[] threads;

    Schedule(int[] threads, int length) {
        this.threads = Arrays.copyOf(threads, length);
    }

    /**
     * Reads the form that {@link #toString()} writes.
     *
     * @throws IllegalArgumentException if the text is malformed; the message names the word
     */
    public static Schedule parse(String text) {
        Arguments.required(text, "text", "Schedule.parse");
        int[] threads = new int[16];
        int length = 0;
        for (String word : text.strip().split("\\s+", -1)) {
            if (word.isEmpty()) {
                continue;
            }
            int cross = word.indexOf('x');
            int thread = number(word, cross < 0 ? word : word.substring(0, cross), 0);
            int times = cross < 0 ? 1 : number(word, word.substring(cross + 1), 1);
            if (length + times > threads.length) {
                threads = Arrays.copyOf(threads, Math.max(length + times, 2 * threads.length));
            }
            Arrays.fill(threads, length, length + times, thread);
            length += times;
        }
        return new Schedule(threads, length);
    }

    private static int number(String word, String digits, int least) {
        try {
            int number = Integer.parseInt(digits);
            if (number >= least && number <= 10_000_000) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw malformed(word, e);
        }
        throw malformed(word, null);
    }

    private static IllegalArgumentException malformed(String word, @Nullable Throwable cause) {
        return new IllegalArgumentException(
                "'" + word + "' is no part of a schedule; write THREAD or THREADxTIMES, such as 2x13", cause);
    }

    /**
     * The number of decisions.
     *
     * @return 0 or more
     */
    public int length() {
        return threads.length;
    }

    /** As a {@link Policy}: follows this schedule; beyond its end the current thread goes on, else the oldest. */
    ControlledThread choose(List<ControlledThread> ready, ControlledThread current, int step) {
        if (step >= length()) {
            return ready.contains(current) ? current : ready.get(0);
        }
        int wanted = threads[step];
        for (ControlledThread thread : ready) {
            if (thread.id == wanted) {
                return thread;
            }
        }
        StringBuilder names = new StringBuilder();
        for (ControlledThread thread : ready) {
            names.append(names.length() == 0 ? "" : ", ")
                    .append(thread.id)
                    .append(' ')
                    .append(thread.name());
        }
        throw new IllegalStateException("the program does not follow the schedule: at decision " + step + " thread "
                + wanted + " cannot run, only " + names
                + "; the program has changed, or it depends on something that is not under control (real time, "
                + "unseeded random numbers, identity hash codes, state of an earlier run)");
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Schedule that && Arrays.equals(that.threads, threads);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(threads);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int from = 0; from < threads.length; ) {
            int to = from + 1;
            while (to < threads.length && threads[to] == threads[from]) {
                to++;
            }
            text.append(text.length() == 0 ? "" : " ").append(threads[from]);
            if (to - from > 1) {
                text.append('x').append(to - from);
            }
            from = to;
        }
        return text.toString();
    }
}
