package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.testing.ChildJvm;
import io.frameloom.testing.TestEffort;
import java.util.List;
import org.junit.jupiter.api.Test;

/** No SPIR-V that is accepted brings the process down: thousands of modules with some words changed. */
class MutatedSpirvTest {
    private static final int MUTANTS = TestEffort.of(150, 2000);

    @Test
    void mutantsAreRefusedOrBecomePipelines() throws Exception {
        ValidatedDevice.assumeDriver();
        long seed = Long.getLong("frameloom.testMutantSeed", 1);
        List<String> lines = ChildJvm.run(MutatedSpirv.class, seed, MUTANTS);
        assertThat(lines.get(lines.size() - 1)).as("with seed %d", seed).containsPattern("done [1-9][0-9]+");
    }
}
