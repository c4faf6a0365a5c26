package io.frameloom.gpu.vulkan.pipeline;

import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * The native forms of a graphics pipeline that is linked from parts. The one that was linked fast is there from the
 * start; an optimised one is added once. Both live until the pipeline is freed: a list that is not submitted yet, and code
 * of the application, may have either.
 *
 * <p>Any thread; one optimises, one frees. The lock decides between the two: who comes second destroys. Publishing is a
 * volatile write, so a thread that binds the optimised form sees it whole; binding takes no lock.
 */
public final class LinkedPipeline {
    private final long fast;
    private final LongConsumer destruction;
    private final Runnable end;
    /** 0 while there is none. */
    private volatile long optimised;
    /** With the lock. */
    private boolean linking;
    /** With the lock. */
    private boolean freed;

    /**
     * A pipeline with the fast form; {@link #optimise} adds the other.
     *
     * @param fast the form that was linked fast
     * @param destruction destroys a form
     * @param end follows the destruction of all of them
     */
    public LinkedPipeline(long fast, LongConsumer destruction, Runnable end) {
        this.fast = fast;
        this.destruction = destruction;
        this.end = end;
    }

    /** Returns the best form so far. */
    public long handle() {
        long best = optimised;
        return best == 0 ? fast : best;
    }

    public boolean isOptimised() {
        return optimised != 0;
    }

    /** Links the optimised form, unless the pipeline is freed. What this throws leaves the fast form in use. */
    public void optimise(LongSupplier link) {
        synchronized (this) {
            if (freed) {
                return;
            }
            linking = true;
        }
        long made = 0;
        try {
            made = link.getAsLong();
        } finally {
            if (!keep(made)) {
                destroy(made);
            }
        }
    }

    /** Returns whether the form is in use from now on; otherwise the pipeline was freed meanwhile. */
    private synchronized boolean keep(long made) {
        linking = false;
        if (freed) {
            return false;
        }
        optimised = made;
        return true;
    }

    /** Destroys all forms, which the device no longer uses, now or when the link in progress is over. */
    public void free() {
        synchronized (this) {
            freed = true;
            if (linking) {
                return;
            }
        }
        destroy(optimised);
    }

    private void destroy(long second) {
        destruction.accept(fast);
        if (second != 0) {
            destruction.accept(second);
        }
        end.run();
    }
}
