package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.testing.ChildJvm;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What system properties turn on is seen in a program that knows nothing of it. */
class MistakenProgramTest {
    private static List<String> run(String device, String properties) throws Exception {
        return ChildJvm.run(ChildJvm.USUAL, Map.of("JAVA_TOOL_OPTIONS", properties), MistakenProgram.class, device)
                .stream()
                .filter(line -> line.contains("device of 'mistaken'"))
                .toList();
    }

    @Test
    void theMessagesOfTheLayerAndTheHazardsAreLogged() throws Exception {
        ValidatedDevice.assumeDriver();
        List<String> lines = run("auto", "-Dframeloom.gpu.validation=true -Dframeloom.gpu.hazardChecker=true");
        assertThat(lines)
                .as("each once in three frames")
                .hasSize(3)
                .anySatisfy(line ->
                        assertThat(line).contains("WRITE_AFTER_WRITE: pass 'second fill'", "'numbers'", "'first fill'"))
                .anySatisfy(line -> assertThat(line).contains("SYNC-HAZARD-WRITE-AFTER-WRITE at 'numbers': "))
                .anySatisfy(line -> assertThat(line).contains("InvalidImageLayout at 'frame commands', 'picture': "));
    }

    @Test
    void theVirtualGpuSaysThatItHasNoLayer() throws Exception {
        assertThat(run("virtual", "-Dframeloom.gpu.validation=true"))
                .singleElement()
                .asString()
                .contains("no validation layer", "frameloom.gpu.hazardChecker=true");
    }
}
