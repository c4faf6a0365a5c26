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

    /** A plan depends on nothing but the graph, so equal graphs give equal plans. */
    @Test
    void theCompilerKnowsNeitherExecutionNorADriver() {
        ROOMS.keepApart(
                "io.frameloom.rdg.compile",
                "io.frameloom.rdg.execute",
                "io.frameloom.gpu.vulkan",
                "io.frameloom.gpu.virtual",
                "org.lwjgl");
    }
}
