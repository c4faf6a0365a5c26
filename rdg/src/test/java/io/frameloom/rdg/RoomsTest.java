package io.frameloom.rdg;

import io.frameloom.testing.Rooms;
import org.junit.jupiter.api.Test;

/** The packages of this module are small, and what users call shows nothing else. */
class RoomsTest {
    private static final Rooms ROOMS = Rooms.ofThisModule();

    @Test
    void packagesAreSmall() {
        ROOMS.areSmall();
    }

    @Test
    void packagesHaveNoCycles() {
        ROOMS.haveNoCycles();
    }

    @Test
    void usersSeeNoInternals() {
        ROOMS.showNoInternals();
    }
}
