package io.frameloom.gpu.device;

import io.frameloom.gpu.command.AcquiredImage;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.present.Swapchain;
import io.frameloom.gpu.present.SwapchainImage;
import io.frameloom.gpu.resource.Texture;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One turn of a swapchain image, from acquisition to presentation, for all backends: which steps are open. Every step
 * is taken once, by the first thread; any thread.
 */
public abstract class ImageTurn implements SwapchainImage {
    private enum State {
        ACQUIRED("is acquired, and no submission waits for that"),
        WAITED("is waited for, and no submission signals that it may be presented"),
        SIGNALLED("is signalled to be presented"),
        PRESENTED("was presented"),
        ABANDONED("was taken back when its swapchain was recreated or closed");

        private final String words;

        State(String words) {
            this.words = words;
        }
    }

    private final Object device;
    private final Swapchain swapchain;
    private final int index;
    private final Texture texture;
    private final AtomicReference<State> state = new AtomicReference<>(State.ACQUIRED);

    /**
     * A turn that begins.
     *
     * @param device by which the backend distinguishes its devices
     */
    public ImageTurn(Object device, Swapchain swapchain, int index, Texture texture) {
        this.device = device;
        this.swapchain = swapchain;
        this.index = index;
        this.texture = texture;
    }

    @Override
    public final Swapchain swapchain() {
        return swapchain;
    }

    @Override
    public final int index() {
        return index;
    }

    @Override
    public final Texture texture() {
        return texture;
    }

    /**
     * Takes the steps of all images that a submission waits for and signals; allocates nothing unless it refuses.
     *
     * @param device by which the backend distinguishes its devices
     * @throws IllegalStateException if it is not the time for one of them; none is taken then
     * @throws IllegalArgumentException if one is of another device; none is taken then
     */
    public static void takeAll(Submission submission, Object device) {
        List<Submission.Acquire> acquires = submission.acquires();
        List<AcquiredImage> presents = submission.presents();
        int waited = 0;
        int signalled = 0;
        try {
            for (; waited < acquires.size(); waited++) {
                turn(submission, acquires.get(waited).image(), device)
                        .step(State.ACQUIRED, State.WAITED, submission, " waits for ");
            }
            for (; signalled < presents.size(); signalled++) {
                turn(submission, presents.get(signalled), device)
                        .step(State.WAITED, State.SIGNALLED, submission, " signals ");
            }
        } catch (RuntimeException refused) {
            undo(submission, waited, signalled);
            throw refused;
        }
    }

    /** Gives the steps of a submission back, which has failed. */
    public static void giveBackAll(Submission submission) {
        undo(submission, submission.acquires().size(), submission.presents().size());
    }

    private static void undo(Submission submission, int waited, int signalled) {
        for (int i = signalled - 1; i >= 0; i--) {
            ((ImageTurn) submission.presents().get(i)).state.compareAndSet(State.SIGNALLED, State.WAITED);
        }
        for (int i = waited - 1; i >= 0; i--) {
            ((ImageTurn) submission.acquires().get(i).image()).state.compareAndSet(State.WAITED, State.ACQUIRED);
        }
    }

    private static ImageTurn turn(Submission submission, AcquiredImage image, Object device) {
        if (!(image instanceof ImageTurn turn) || turn.device != device) {
            throw new IllegalArgumentException(
                    "submission '" + submission.label() + "' names " + image + ", which is of another device");
        }
        return turn;
    }

    /**
     * Takes the presentation.
     *
     * @throws IllegalStateException if it is not the time for it
     */
    public final void beginPresent() {
        step(State.SIGNALLED, State.PRESENTED, null, "presentation takes ");
    }

    /** Gives the presentation back: it may be tried again. */
    public final void undoPresent() {
        state.compareAndSet(State.PRESENTED, State.SIGNALLED);
    }

    /** Takes the image back; returns whether no submission had waited for its acquisition. */
    public final boolean abandon() {
        return state.getAndSet(State.ABANDONED) == State.ACQUIRED;
    }

    /** Returns whether the application has the image: it was neither presented nor taken back. */
    public final boolean isHeld() {
        State now = state.get();
        return now != State.PRESENTED && now != State.ABANDONED;
    }

    /** Takes a step of a submission, or of none. */
    private void step(State from, State to, @Nullable Submission submission, String does) {
        State now = state.compareAndExchange(from, to);
        if (now != from) {
            String who = submission == null ? "" : "submission '" + submission.label() + "'";
            throw new IllegalStateException(who + does + this + ", which " + now.words
                    + "; an image is acquired, waited for by one submission, signalled by one, and presented, in this"
                    + " order");
        }
    }

    @Override
    public String toString() {
        return "image " + index + " of swapchain '" + swapchain.name() + "'";
    }
}
