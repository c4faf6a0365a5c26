package io.frameloom.gpu;

/** Sees every submission in submission order. Called on the submitting thread; must not block. */
public interface SubmissionObserver {
    /** Called before the submission reaches the device. */
    void submitted(SubmissionRecord record);

    /** Called when the host has seen {@code point} completed and may rely on it for later submissions. */
    void hostWaited(TimelinePoint point);
}
