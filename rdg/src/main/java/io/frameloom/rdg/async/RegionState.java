package io.frameloom.rdg.async;

import io.frameloom.rdg.async.RegionDecision.Stage;
import java.util.List;

/**
 * Whether one region runs beside the graphics queue, and when that may change.
 *
 * <p>A region starts beside it. Once, and later when the prediction has clearly changed, it is tried in the other form.
 * The times of both forms decide: it stays beside graphics from {@value #THRESHOLD_PERCENT} % of the serial frame on.
 * It takes {@value #CLEAR_PERCENT} % to come back from the graphics queue, or to stay beside it against a prediction,
 * which is an upper bound. Two trials of a region are at least {@value #FIRST_DWELL} frames apart, then twice as many
 * each time up to {@value #LAST_DWELL}; a trial changes the form twice at most. The frames of a trial may have been
 * unlike the others for other reasons. So where there is something to gain, it is repeated after {@value #FIRST_CHECK}
 * frames, and then after twice as many each time without an end. A trial that the application interrupts for long is
 * abandoned. It begins again as late as another one would. One thread at a time.
 */
final class RegionState {
    static final int THRESHOLD_PERCENT = 1;
    static final int CLEAR_PERCENT = 3;
    static final int FIRST_DWELL = 64;
    static final int LAST_DWELL = 4096;
    static final int FIRST_CHECK = 256;
    static final long UNKNOWN = RegionDecision.UNKNOWN;

    /** Declared passes. */
    final List<Integer> passes;
    /** Where it runs if not on the graphics queue. */
    final int queue;

    private boolean beside = true;
    private Stage stage = Stage.UNMEASURED;
    private long predicted = UNKNOWN;
    /** The time of the serial frame, as predicted or, once it was, as measured. */
    private long serialFrame;

    private long measured = UNKNOWN;
    /** What was predicted in the present form of all regions when nothing was on trial any more. */
    private long reference = UNKNOWN;

    private int dwell = FIRST_DWELL;
    private long nextTrial = FIRST_DWELL;
    private long check = FIRST_CHECK;
    private long nextCheck = FIRST_CHECK;
    private long spanBefore;
    /** Of what is in its first trial: unmeasured. */
    private Stage stageBefore = Stage.UNMEASURED;
    /** Percent of the serial frame that the trial has to show for the region to be beside graphics afterwards. */
    private int needed = THRESHOLD_PERCENT;

    RegionState(List<Integer> passes, int queue) {
        this.passes = List.copyOf(passes);
        this.queue = queue;
    }

    /** The same of other passes: what a former graph has shown is kept, and a trial under way forgotten. */
    RegionState(RegionState other, List<Integer> passes) {
        this(passes, other.queue);
        if (other.stage == Stage.DECIDED) {
            beside = other.beside;
            stage = other.stage;
            predicted = other.predicted;
            serialFrame = other.serialFrame;
            measured = other.measured;
            needed = other.needed;
        }
    }

    boolean isBeside() {
        return beside;
    }

    /** Returns whether it has had no trial, and may have one now. */
    boolean isUntried(long frames) {
        return stage == Stage.UNMEASURED && (dwell == FIRST_DWELL || frames >= nextTrial);
    }

    long predicted() {
        return predicted;
    }

    /**
     * Takes the prediction of the model: what the region saves of a frame in which it is on the graphics queue, or that
     * it does not run.
     */
    void predict(long gain, long serial) {
        predicted = gain;
        if (measured == UNKNOWN) {
            serialFrame = serial;
        }
    }

    /** Notes that frames in the present form of all regions have been looked at and nothing is on trial. */
    void settle() {
        if (stage == Stage.DECIDED && reference == UNKNOWN) {
            reference = predicted;
        }
    }

    /** Returns whether a region that was decided is worth another trial. */
    boolean isDue(long frames, long frameNanos) {
        if (stage != Stage.DECIDED || predicted == UNKNOWN) {
            return false;
        }
        return (frames >= nextCheck && !isLess(predicted, THRESHOLD_PERCENT, frameNanos))
                || (frames >= nextTrial && reference != UNKNOWN && hasChanged(frameNanos));
    }

    private boolean hasChanged(long frameNanos) {
        return beside
                ? isLess(predicted, THRESHOLD_PERCENT, frameNanos)
                        && !isLess(reference - predicted, THRESHOLD_PERCENT, frameNanos)
                : !isLess(predicted, CLEAR_PERCENT, frameNanos)
                        && !isLess(predicted - reference, CLEAR_PERCENT, frameNanos);
    }

    /** Changes the form for a while; {@code span} is what the frame took in the present one. */
    void beginTrial(long span, long frameNanos) {
        needed = beside && !isLess(predicted, THRESHOLD_PERCENT, frameNanos) ? THRESHOLD_PERCENT : CLEAR_PERCENT;
        spanBefore = span;
        stageBefore = stage;
        beside = !beside;
        stage = Stage.TRIAL;
    }

    /**
     * Takes the form that has shown to be the better one; {@code span} is what the frame took in the tried one. Returns
     * whether that is another form than the tried one.
     */
    boolean endTrial(long span, long frames) {
        boolean tried = beside;
        serialFrame = tried ? spanBefore : span;
        measured = serialFrame - (tried ? span : spanBefore);
        beside = !isLess(measured, needed, serialFrame);
        decided(frames);
        return beside != tried;
    }

    /** Goes back to the form before a trial whose frames never came. */
    void giveUpTrial(long frames) {
        beside = !beside;
        decided(frames);
    }

    /** Goes back to the form before a trial, of which nothing can be said any more. */
    void abandonTrial(long frames) {
        beside = !beside;
        decided(frames);
        stage = stageBefore;
    }

    private void decided(long frames) {
        stage = Stage.DECIDED;
        nextTrial = frames + dwell;
        dwell = Math.min(2 * dwell, LAST_DWELL);
        nextCheck = frames + check;
        check *= 2;
    }

    /** Forgets what later predictions are compared with, since some region has another form now. */
    void unsettle() {
        reference = UNKNOWN;
    }

    private static boolean isLess(long gain, int percent, long frameNanos) {
        return gain * 100 < percent * frameNanos;
    }

    RegionDecision decision() {
        return new RegionDecision(passes, queue, beside, stage, predicted, measured, needed, serialFrame);
    }
}
