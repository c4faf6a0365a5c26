package io.frameloom.streaming;

import io.frameloom.testing.Rooms;
import org.junit.jupiter.api.Test;

/** The package is small, and what users call shows nothing else. */
class RoomsTest {
    private static final Rooms ROOMS = Rooms.ofThisModule();

    @Test
    void packagesAreSmall() {
        ROOMS.areSmall();
    }

    @Test
    void usersSeeNoInternals() {
        ROOMS.showNoInternals();
    }
}
