package io.frameloom.rdg.tools.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.PipelineStage;
import java.io.IOException;
import java.io.StringReader;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StageNamesTest {
    @ParameterizedTest
    @EnumSource
    void aStageThatIsWrittenIsRead(PipelineStage stage) throws IOException {
        String text = "{\"id\":\"p\",\"kind\":\"compute\",\"stages\":[\"" + StageNames.of(stage) + "\"]}";
        try (JsonCursor json = new JsonCursor("file", new StringReader(text))) {
            assertThat(new PassReader(json).read().stages).isEqualTo(stage.bit());
        }
    }
}
