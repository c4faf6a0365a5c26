package io.frameloom.gpu.device;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Guards calls on a device that another thread may close: closing refuses later calls and waits for those in progress.
 * A call in progress runs no code of the application that may close the device, and waits for no thread that has yet to
 * come in. Going in allocates nothing. Any thread; closed once.
 */
public final class DeviceGate {
    private final CallGate calls = new CallGate();
    private final String device;
    /** The thread that closes the device; it closes the things on it while no other may. */
    private volatile @Nullable Thread closer;

    /** The gate of an open device. */
    public DeviceGate(String device) {
        this.device = device;
    }

    /**
     * Goes in to ask the device for something; {@link #leave} follows.
     *
     * @throws IllegalStateException naming the device, once it is being closed
     */
    public void enter() {
        if (!calls.enter()) {
            throw refusal();
        }
    }

    /** Asks the device for something between {@link #enter} and {@link #leave}. */
    public <T> T inside(Supplier<T> question) {
        enter();
        try {
            return question.get();
        } finally {
            leave();
        }
    }

    /** Closes something on the device, or leaves it to the thread that closes the device. */
    public void closing(Runnable body) {
        if (enterToClose()) {
            try {
                body.run();
            } finally {
                leave();
            }
        }
    }

    /**
     * Goes in to close something on the device; if that succeeds {@link #leave} follows.
     *
     * @return false if the device is being closed by another thread, which then closes the thing, or is closed
     */
    public boolean enterToClose() {
        return calls.enter() || Thread.currentThread() == closer;
    }

    /** Ends a call that {@link #enter} or {@link #enterToClose} has begun. */
    public void leave() {
        if (Thread.currentThread() != closer) {
            calls.leave();
        }
    }

    /** Returns the exception for a call on a closed device. */
    public IllegalStateException refusal() {
        return new IllegalStateException("device '" + device + "' is closed; open another");
    }

    /** Admits only this thread from now on, to close things, and returns when all others have left. */
    public void close() {
        calls.close();
        closer = Thread.currentThread();
    }

    /** Admits no thread any more: the device is gone. */
    public void shut() {
        closer = null;
    }
}
