package io.frameloom.gpu.device;

import io.frameloom.gpu.error.CrashReport.ListState;
import io.frameloom.gpu.error.CrashReport.PassState;
import io.frameloom.gpu.error.CrashReport.Progress;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The passes of a command list in order, for the report of a lost device. Each begin and end has a number, a mark, that
 * the device may leave somewhere as it comes by. Noting a pass allocates nothing once the arrays have grown.
 *
 * <p>Written by the thread that records. Read by any thread after the list was submitted, while a list object may be
 * recording anew: the {@link #turn} then has changed, and what was read is thrown away. Fences keep the order: the
 * change of the turn is visible before what is written after it, and is looked for after everything that was read.
 */
public final class PassTrail {
    private static final int OPEN = -1;

    private String list = "";
    private String[] names = new String[4];
    /** The marks of begins; of what another list has, the mark before it, as the complement. */
    private int[] begins = new int[4];

    private int[] ends = new int[4];
    private int count;
    private int last;
    private Marks marks = Marks.NONE;
    private long first;
    private int round;
    private int turns;
    /** {@link #turns}, for the threads that report. */
    private volatile int turn;

    /** A command list that has a trail. */
    public interface Of {
        PassTrail trail();
    }

    /** Whether the device has passed a mark. */
    public enum Passed {
        YES,
        NO,
        UNKNOWN;

        public static Passed of(boolean passed) {
            return passed ? YES : NO;
        }
    }

    /** The place where a device leaves the marks of lists. Any thread. */
    @FunctionalInterface
    public interface Marks {
        Marks NONE = (round, mark) -> Passed.UNKNOWN;

        /**
         * Returns whether the device has passed a mark.
         *
         * @param round round of the marks, as given to {@link #begin}
         * @param mark number of the mark at this place
         */
        Passed passed(int round, long mark);
    }

    /** Tells of lists, in the order of a queue, which marks the device has passed. */
    @FunctionalInterface
    public interface Reader {
        /**
         * Returns whether a mark was passed.
         *
         * @param mark number of the mark in its list
         */
        Passed passed(int list, int mark, boolean end);

        static Reader of(List<PassTrail> lists) {
            return (list, mark, end) -> {
                PassTrail trail = lists.get(list);
                return trail.marks.passed(trail.round, trail.first + mark);
            };
        }
    }

    /**
     * Begins another list, whose begin is mark 0.
     *
     * @param label name of the list
     * @param newMarks where the device leaves its marks
     * @param newRound round that distinguishes the marks from earlier ones at the same place
     * @param firstMark number of mark 0 there
     */
    public void begin(String label, Marks newMarks, int newRound, long firstMark) {
        forget();
        list = label;
        marks = newMarks;
        round = newRound;
        first = firstMark;
        count = 0;
        last = 0;
    }

    public void forget() {
        turn = ++turns;
        VarHandle.releaseFence();
    }

    /** Notes the begin of a pass, or of a label that is marked. */
    public void enter(String name) {
        add(name, ++last);
    }

    /**
     * Notes the passes of a list that this one executes here. They have no marks of their own: where the device has
     * passed the mark before them and not the next end after them, nobody knows which of them it has begun.
     */
    public void include(PassTrail executed) {
        for (int i = 0; i < executed.count; i++) {
            add(executed.names[i], ~last);
        }
    }

    private void add(String name, int begin) {
        if (count == names.length) {
            names = Arrays.copyOf(names, 2 * count);
            begins = Arrays.copyOf(begins, 2 * count);
            ends = Arrays.copyOf(ends, 2 * count);
        }
        names[count] = name;
        begins[count] = begin;
        ends[count] = OPEN;
        count++;
    }

    /** Notes the end of the pass or label that was entered last and is open. */
    public void leave() {
        last++;
        for (int i = count - 1; i >= 0; i--) {
            if (ends[i] == OPEN) {
                ends[i] = last;
                if (begins[i] >= 0) {
                    return;
                }
            }
        }
    }

    public void end() {
        last++;
        for (int i = count - 1; i >= 0; i--) {
            if (ends[i] == OPEN && begins[i] < 0) {
                ends[i] = last;
            }
        }
    }

    public int last() {
        return last;
    }

    /** Returns the number of mark 0 where the device leaves its marks. */
    public long first() {
        return first;
    }

    /** Returns a number that changes when the list is taken back. */
    public int turn() {
        return turn;
    }

    /**
     * Returns how far the list had come, or null if it was taken back meanwhile: it was done then.
     *
     * @param wanted {@link #turn} of the submission
     * @param number number of the list for the reader
     */
    public @Nullable ListState state(int wanted, int number, Reader reader) {
        String label = list;
        String[] passes = names;
        int[] from = begins;
        int[] to = ends;
        int known = Math.min(count, Math.min(passes.length, Math.min(from.length, to.length)));
        List<PassState> states = new ArrayList<>(known);
        for (int i = 0; i < known; i++) {
            states.add(new PassState(passes[i], progress(reader, number, from[i], to[i])));
        }
        Progress whole = progress(reader, number, 0, last);
        VarHandle.acquireFence();
        return turn == wanted ? new ListState(label, whole, states) : null;
    }

    private static Progress progress(Reader reader, int list, int begin, int end) {
        Passed ended = end == OPEN ? Passed.UNKNOWN : reader.passed(list, end, true);
        Passed begun = ended == Passed.NO ? reader.passed(list, begin < 0 ? ~begin : begin, false) : ended;
        return switch (begun) {
            case YES -> ended == Passed.YES ? Progress.ENDED : begin < 0 ? Progress.UNKNOWN : Progress.BEGUN;
            case NO -> Progress.NOT_BEGUN;
            case UNKNOWN -> Progress.UNKNOWN;
        };
    }
}
