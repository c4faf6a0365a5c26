package io.frameloom.samples.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.frameloom.samples.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;

/** What a run of the command has ended with and said. */
record PlanRun(int code, String out, String err) {
    /** Runs the command with arguments. */
    static PlanRun plan(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        List<String> all = new ArrayList<>(List.of("plan"));
        all.addAll(List.of(arguments));
        int code = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), all.toArray(String[]::new));
        return new PlanRun(code, out.toString(), err.toString());
    }

    /** Runs the command, which refuses them in one line. */
    static void refused(String reason, String... arguments) {
        PlanRun run = plan(arguments);

        assertThat(run.code).isEqualTo(2);
        assertThat(run.err).startsWith("frameloom plan: ").contains(reason).hasLineCount(1);
    }

    /** Returns the keys of a JSON object. */
    static List<String> keys(String line) throws IOException {
        List<String> keys = new ArrayList<>();
        try (JsonParser json = new JsonFactory().createParser(line)) {
            json.nextToken();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                keys.add(json.currentName());
                json.nextToken();
                json.skipChildren();
            }
        }
        return keys;
    }
}
