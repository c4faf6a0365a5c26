package io.frameloom.stress.soak;

import java.util.List;
import java.util.function.Supplier;

/** One random program and its oracle. Made, then run once, by one thread. */
public interface SoakRound {
    /**
     * Runs the program and looks at what it did.
     *
     * @return what is wrong; empty if nothing is
     * @throws InterruptedException if the calling thread is interrupted
     */
    List<String> run() throws InterruptedException;

    /**
     * Who waits for what, for a round that hangs.
     *
     * @return asked by another thread
     */
    Supplier<String> waits();
}
