package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.testing.ChildJvm;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every primitive with one, two and eight threads of a software driver, and with eight also in subgroups of four and sixteen
 * invocations. Lavapipe reads both from its environment when it is loaded, so each goes in a process of its own; other
 * drivers are skipped.
 */
@Tag("thorough")
class DriverMatrixIT {
    /** With vectors of which all inputs are tried, for each number of threads. */
    private static final int USUAL_BITS = 256;

    private static Stream<Arguments> drivers() {
        return Stream.of(
                Arguments.of(1, USUAL_BITS),
                Arguments.of(2, USUAL_BITS),
                Arguments.of(8, USUAL_BITS),
                Arguments.of(8, USUAL_BITS / 2),
                Arguments.of(8, 2 * USUAL_BITS));
    }

    @ParameterizedTest
    @MethodSource("drivers")
    void everyPrimitive(int threads, int vectorBits) throws Exception {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VULKAN)) {
            String name = rig.device.capabilities().name();
            assumeTrue(name.contains("llvmpipe"), "'" + name + "' takes no such settings");
        }
        int lanes = vectorBits / Float.SIZE;
        assertThat(ChildJvm.run(
                        ChildJvm.USUAL,
                        Map.of(
                                "LP_NUM_THREADS",
                                Integer.toString(threads),
                                "LP_NATIVE_VECTOR_WIDTH",
                                Integer.toString(vectorBits)),
                        DriverMatrix.class,
                        lanes,
                        vectorBits == USUAL_BITS))
                .contains("all right with subgroups of " + lanes);
    }
}
