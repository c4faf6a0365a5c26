package io.frameloom.gpu;

import io.frameloom.testing.Rooms;
import java.util.List;
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

    @Test
    void backendsKnowNothingOfEachOther() {
        ROOMS.keepApart("io.frameloom.gpu.vulkan", "io.frameloom.gpu.virtual");
        ROOMS.keepApart("io.frameloom.gpu.virtual", "io.frameloom.gpu.vulkan", "org.lwjgl.vulkan");
    }

    @Test
    void contractsNameNoBackend() {
        for (String contract : List.of("resource", "command", "pipeline", "present")) {
            ROOMS.keepApart(
                    "io.frameloom.gpu." + contract,
                    "io.frameloom.gpu.vulkan",
                    "io.frameloom.gpu.virtual",
                    "org.lwjgl.vulkan");
        }
    }

    /** A mistake that judge and judged shared would hide itself. */
    @Test
    void theCheckerSharesNoRulesWithWhatItJudges() {
        ROOMS.keepApart(
                "io.frameloom.gpu.check",
                "io.frameloom.gpu.record",
                "io.frameloom.gpu.vulkan",
                "io.frameloom.gpu.virtual");
    }
}
