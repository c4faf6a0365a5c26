package io.frameloom.gpu.device;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The way to a device whose things any thread may ask for while another closes it: closing refuses whoever comes and waits
 * for those who are in. Nobody who is in runs code of the application that may close the device, or waits for a thread
 * that has yet to come in. Going in allocates nothing. Any thread; closed once.
 */
public final class DeviceGate {
    private final CallGate calls = new CallGate();
    private final String device;
    /** Who closes the device; it closes the things on it while nobody else may. */
    private volatile @Nullable Thread closer;

    /**
     * The gate of an open device.
     *
     * @param device its name
     */
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

    /** Closes something on the device, or leaves it to whoever closes the device. */
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

    /** Ends what {@link #enter} or {@link #enterToClose} has begun. */
    public void leave() {
        if (Thread.currentThread() != closer) {
            calls.leave();
        }
    }

    /** Returns what is thrown when somebody asks a closed device for something. */
    public IllegalStateException refusal() {
        return new IllegalStateException("device '" + device + "' is closed; open another");
    }

    /** Lets nobody in any more but this thread to close things, and returns when all others have left. */
    public void close() {
        calls.close();
        closer = Thread.currentThread();
    }

    /** Lets nobody in at all: the device is gone. */
    public void shut() {
        closer = null;
    }
}
