package io.frameloom.rdg.tools.facts;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.tools.GraphFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Unreal looks at subresources: what writes the other mip keeps nothing. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnrealCullingTest {
    @TempDir
    private Path folder;

    @Test
    void keepsWhatWroteTheSameMip() throws IOException {
        String write =
                "\"kind\":\"compute\",\"uses\":[{\"r\":\"t\",\"a\":\"storageWriteComp\",\"discard\":true,\"sub\":{\"mip\":";
        Path file = Files.writeString(
                folder.resolve("graph.json"),
                "{\"resources\":[{\"id\":\"t\",\"kind\":\"texture\",\"mips\":2,\"width\":4,\"height\":4},"
                        + "{\"id\":\"e\",\"kind\":\"buffer\",\"bytes\":4,\"lifetime\":\"extracted\"}],\"passes\":["
                        + "{\"id\":\"A\"," + write + "0}}]},{\"id\":\"B\"," + write + "1}}]},{\"id\":\"C\"," + write
                        + "0}}]},{\"id\":\"D\",\"kind\":\"compute\",\"uses\":[{\"r\":\"t\",\"a\":\"sampledComp\",\"sub\":{\"mip\":0}},"
                        + "{\"r\":\"e\",\"a\":\"storageWriteComp\"}]}]}");

        FramePlan plan = Objects.requireNonNull(
                GraphFile.read(file).compile(UnaryOperator.identity()).plan());

        assertThat(plan.passes().stream().filter(FramePlan.PassPlan::culled).map(FramePlan.PassPlan::name))
                .containsExactly("A", "B");
        assertThat(new UnrealCulling(plan).culled()).containsExactly("B");
    }
}
