package io.frameloom.rdg.execute;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Decides who ties a frame at whose end nothing runs. To <em>tie</em> a frame is to let the timelines of the device
 * complete its event. Nobody does unless somebody asks for the event. Then one thread does, once all of the frame is
 * submitted.
 *
 * <p><b>Known weakness.</b> A device that is lost after the submission is not reported by the frame until somebody asks.
 *
 * <p><b>Who may call.</b> {@link #submitted}: once, the thread that has submitted the frame. {@link #asked}: any
 * thread, any number of times.
 *
 * <p><b>Linearization.</b> Each call takes effect at its last compare-and-set or store. Of a question and the
 * submission the second one sees the first and is told to tie. The compare-and-set of the submission releases what its
 * thread has written, and that of the question acquires it. Both are wait-free.
 */
public final class FrameEnd {
    private static final int OPEN = 0;
    /** Somebody has the event, and not all is submitted. */
    private static final int ASKED = 1;
    /** All is submitted, and nobody has the event. */
    private static final int SUBMITTED = 2;

    private static final int TIED = 3;

    private final AtomicInteger state = new AtomicInteger();

    /** Notes that somebody asks for the event; returns whether the caller has to tie it. */
    public boolean asked() {
        return !state.compareAndSet(OPEN, ASKED) && state.compareAndSet(SUBMITTED, TIED);
    }

    /**
     * Notes that all is submitted; returns whether the caller has to tie the event.
     *
     * @param now whether it is to be tied although nobody asks
     */
    public boolean submitted(boolean now) {
        if (!now && state.compareAndSet(OPEN, SUBMITTED)) {
            return false;
        }
        state.set(TIED);
        return true;
    }
}
