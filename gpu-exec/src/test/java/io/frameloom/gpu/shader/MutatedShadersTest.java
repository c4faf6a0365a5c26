package io.frameloom.gpu.shader;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.testing.ChildJvm;
import io.frameloom.testing.TestEffort;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No GLSL and no SPIR-V brings the process down, or fails as anything but a shader that does not compile. */
@Timeout(240)
class MutatedShadersTest {
    private static final Duration LIMIT = Duration.ofSeconds(230);

    private static final int MUTANTS = TestEffort.of(120, 600);

    @Test
    void mutantsAreRefusedOrCompiled() throws Exception {
        long seed = Long.getLong("frameloom.testMutantSeed", 1);
        List<String> lines = ChildJvm.run(LIMIT, Map.of(), MutatedShaders.class, seed, MUTANTS, MUTANTS);
        assertThat(lines.get(lines.size() - 1)).as("with seed %d", seed).matches("done [1-9][0-9]*");
    }
}
