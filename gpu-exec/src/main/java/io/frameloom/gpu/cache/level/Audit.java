package io.frameloom.gpu.cache.level;

import java.util.concurrent.atomic.AtomicLong;

/** Chooses the hits for which the program is made anew and compared. Any thread. */
public final class Audit {
    private final int every;
    private final AtomicLong hits = new AtomicLong();

    /**
     * A choice of hits.
     *
     * @param every one of how many hits; 0 for none
     */
    public Audit(int every) {
        this.every = every;
    }

    /** Counts a hit, and returns whether it is to be audited. */
    public boolean isDue() {
        return every > 0 && hits.incrementAndGet() % every == 0;
    }
}
