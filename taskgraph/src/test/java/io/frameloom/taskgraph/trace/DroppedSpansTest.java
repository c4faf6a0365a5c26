package io.frameloom.taskgraph.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DroppedSpansTest {
    private static String json(TraceRecorder recorder) throws IOException {
        StringWriter out = new StringWriter();
        recorder.writeChromeJson(out);
        return out.toString();
    }

    @Test
    void theFileSaysHowManySpansItLacks() throws IOException {
        TraceRecorder recorder = new TraceRecorder(3);
        for (int i = 0; i < 10; i++) {
            recorder.span("GPU", "q", "s" + i, i, 1, Map.of());
        }
        assertThat(json(recorder)).endsWith("\n],\"otherData\":{\"droppedSpans\":7}}\n");
        recorder.clear();
        assertThat(json(recorder)).endsWith("\n],\"otherData\":{\"droppedSpans\":0}}\n");
    }
}
