package io.frameloom.gpu.device;

import io.frameloom.gpu.present.Swapchain;
import io.frameloom.gpu.present.SwapchainImage;
import io.frameloom.gpu.resource.Texture;
import java.util.concurrent.atomic.AtomicReference;

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

    final boolean belongsTo(Object other) {
        return device == other;
    }

    /** Takes the wait for the acquisition. */
    final void beginWait(String submission) {
        step(State.ACQUIRED, State.WAITED, "submission '" + submission + "' waits for");
    }

    /** Gives the wait back: the submission has failed. */
    final void undoWait() {
        state.compareAndSet(State.WAITED, State.ACQUIRED);
    }

    /** Takes the signal that the image may be presented. */
    final void beginSignal(String submission) {
        step(State.WAITED, State.SIGNALLED, "submission '" + submission + "' signals");
    }

    /** Gives the signal back: the submission has failed. */
    final void undoSignal() {
        state.compareAndSet(State.SIGNALLED, State.WAITED);
    }

    /**
     * Takes the presentation.
     *
     * @throws IllegalStateException if it is not the time for it
     */
    public final void beginPresent() {
        step(State.SIGNALLED, State.PRESENTED, "presentation takes");
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

    private void step(State from, State to, String who) {
        State now = state.compareAndExchange(from, to);
        if (now != from) {
            throw new IllegalStateException(who + " " + this + ", which " + now.words
                    + "; an image is acquired, waited for by one submission, signalled by one, and presented, in this"
                    + " order");
        }
    }

    @Override
    public String toString() {
        return "image " + index + " of swapchain '" + swapchain.name() + "'";
    }
}
