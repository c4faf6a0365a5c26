package io.frameloom.gpu.device;

import io.frameloom.gpu.command.AcquiredImage;
import io.frameloom.gpu.command.Submission;
import java.util.List;

/** Takes the swapchain images of a submission, all or none. Stateless; allocates nothing unless it refuses. */
public final class ImageClaims {
    private ImageClaims() {}

    /**
     * Takes the steps of all images that a submission waits for and signals.
     *
     * @param device by which the backend distinguishes its devices
     * @throws IllegalStateException if it is not the time for one of them; none is taken then
     * @throws IllegalArgumentException if one is of another device; none is taken then
     */
    public static void take(Submission submission, Object device) {
        List<Submission.Acquire> acquires = submission.acquires();
        List<AcquiredImage> presents = submission.presents();
        int waited = 0;
        int signalled = 0;
        try {
            for (; waited < acquires.size(); waited++) {
                turn(submission, acquires.get(waited).image(), device).beginWait(submission.label());
            }
            for (; signalled < presents.size(); signalled++) {
                turn(submission, presents.get(signalled), device).beginSignal(submission.label());
            }
        } catch (RuntimeException refused) {
            undo(submission, waited, signalled);
            throw refused;
        }
    }

    /** Gives the steps back: the submission has failed. */
    public static void giveBack(Submission submission) {
        undo(submission, submission.acquires().size(), submission.presents().size());
    }

    private static void undo(Submission submission, int waited, int signalled) {
        for (int i = signalled - 1; i >= 0; i--) {
            ((ImageTurn) submission.presents().get(i)).undoSignal();
        }
        for (int i = waited - 1; i >= 0; i--) {
            ((ImageTurn) submission.acquires().get(i).image()).undoWait();
        }
    }

    private static ImageTurn turn(Submission submission, AcquiredImage image, Object device) {
        if (!(image instanceof ImageTurn turn) || !turn.belongsTo(device)) {
            throw new IllegalArgumentException(
                    "submission '" + submission.label() + "' names " + image + ", which is of another device");
        }
        return turn;
    }
}
