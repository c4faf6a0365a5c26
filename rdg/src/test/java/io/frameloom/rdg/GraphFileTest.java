package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files that hold no graph are refused in one line that names the place; graphs go there and back. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GraphFileTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\u0000',
            value = {
                "{\"passes\":[                                     | Unexpected end-of-input",
                "[]                                                | expected an object",
                "{}                                                | a graph needs \"passes\"",
                "{\"passes\":[]} {}                                | the file goes on behind its object",
                "{\"passes\":[],\"passes\":[]}                     | Duplicate field 'passes'",
                "{\"schema\":\"other/2\",\"passes\":[]}            | /schema: unknown schema, expected rdg-case/1",
                "{\"mode\":{\"order\":\"sideways\"},\"passes\":[]} | /mode/order: unknown value 'sideways', known are"
                        + " declared, unordered, fixed",
                "{\"mode\":{\"passMin\":9,\"passMax\":2},\"passes\":[]} | passMax is smaller than passMin",
                "{\"queues\":[{\"id\":\"C\",\"caps\":[\"compute\"]}],\"passes\":[]} | no queue has the capability"
                        + " graphics",
                "{\"resources\":[{\"id\":\"t\",\"kind\":\"texture\",\"mips\":2147483648}],\"passes\":[]} |"
                        + " /resources/0/mips: expected a number of 1 to 16, got 2147483648",
                "{\"resources\":[{\"id\":\"t\",\"kind\":\"texture\",\"mips\":99999999999999999999}],\"passes\":[]} |"
                        + " got 99999999999999999999",
                "{\"resources\":[{\"id\":\"t\",\"kind\":\"texture\",\"bytes\":-1}],\"passes\":[]} | /resources/0/bytes:"
                        + " expected a number of 0 to",
                "{\"resources\":[{\"id\":\"t\",\"kind\":\"texture\",\"align\":3}],\"passes\":[]} | an alignment is a"
                        + " power of two, got 3",
                "{\"resources\":[{\"id\":\"t\",\"kind\":\"wood\"}],\"passes\":[]} | known are texture, buffer",
                "{\"resources\":[{\"kind\":\"texture\"}],\"passes\":[]} | a resource needs \"id\" and \"kind\"",
                "{\"resources\":[{\"id\":\"\",\"kind\":\"texture\"}],\"passes\":[]} | must have 1 to 1000 characters",
                "{\"passes\":[{\"id\":\"A\",\"kind\":\"raster\",\"uses\":[{\"r\":\"t\",\"a\":\"copySrc\"}]}]} | unknown"
                        + " resource 't'",
                "{\"passes\":[{\"id\":\"A\",\"kind\":\"raster\",\"uses\":[{\"r\":\"t\",\"a\":\"wrong\"}]}]} |"
                        + " /passes/0/uses/0/a: unknown access 'wrong', known are uniform, colorWrite",
                "{\"passes\":[{\"id\":\"A\",\"kind\":\"raster\",\"queue\":\"Q\"}]} | unknown queue 'Q'",
                "{\"passes\":[{\"id\":\"A\",\"kind\":\"raster\",\"flags\":[\"odd\"]}]} | unknown value 'odd', known are"
                        + " neverCull",
                "{\"passes\":[],\"explicitDeps\":[[\"A\",\"B\"]]} | unknown pass 'B'",
                "{\"passes\":[],\"explicitDeps\":[[\"A\"]]} | an order is [earlier pass, later pass]"
            })
    void aFileThatHoldsNoGraphIsRefusedInOneLine(String text, String words) throws IOException {
        Path file = folder.resolve("graph.json");
        Files.writeString(file, text.strip());

        assertThatThrownBy(() -> GraphFile.read(file).compile(UnaryOperator.identity()))
                .isInstanceOf(GraphFileException.class)
                .hasMessageStartingWith(file.toString())
                .hasMessageContaining(words.strip())
                .satisfies(thrown ->
                        assertThat(String.valueOf(thrown.getMessage())).hasLineCount(1));
    }

    @Test
    void textThatIsNotUtf8IsRefused() throws IOException {
        Path file = folder.resolve("graph.json");
        Files.write(file, "{\"id\":\"\u00e4\",\"passes\":[]}".getBytes(StandardCharsets.ISO_8859_1));

        assertThatThrownBy(() -> GraphFile.read(file)).hasMessage(file + " is not UTF-8 text");
    }

    @Test
    void missingFilesAndFoldersAreRefused() {
        assertThatThrownBy(() -> GraphFile.read(folder.resolve("none.json")))
                .isInstanceOf(GraphFileException.class)
                .hasMessageEndingWith("no such file");
        assertThatThrownBy(() -> GraphFile.read(folder))
                .isInstanceOf(GraphFileException.class)
                .hasMessageEndingWith("is not a file");
    }

    @Test
    void endlessListsAreRefusedBeforeTheyAreKept() throws IOException {
        Path file = folder.resolve("graph.json");
        String pass = "{\"id\":\"p\",\"kind\":\"compute\"},";
        Files.writeString(file, "{\"passes\":[" + pass.repeat(100_000));

        assertThatThrownBy(() -> GraphFile.read(file))
                .isInstanceOf(GraphFileException.class)
                .hasMessageContaining("more than 20000 elements");
    }

    @Test
    void moreUsesOfSeparatePiecesThanAGraphMayHaveAreRefused() throws IOException {
        Path file = folder.resolve("graph.json");
        StringBuilder passes = new StringBuilder();
        for (int i = 0; i < 2000; i++) {
            passes.append(i == 0 ? "" : ",")
                    .append("{\"id\":\"p")
                    .append(i)
                    .append(
                            "\",\"kind\":\"compute\",\"uses\":[{\"r\":\"t\",\"a\":\"storageWriteComp\",\"sub\":{\"layer\":")
                    .append(i)
                    .append("}}]},{\"id\":\"w")
                    .append(i)
                    .append("\",\"kind\":\"compute\",\"uses\":[{\"r\":\"t\",\"a\":\"storageWriteComp\"}]}");
        }
        Files.writeString(
                file,
                "{\"resources\":[{\"id\":\"t\",\"kind\":\"texture\",\"layers\":4096}],\"passes\":[" + passes + "]}");

        assertThatThrownBy(() -> GraphFile.read(file).compile(UnaryOperator.identity()))
                .isInstanceOf(GraphFileException.class)
                .hasMessageContaining("the most that a graph may have");
    }

    @Test
    void aGraphThatAPlanWroteGivesThatPlanAgain() throws IOException, URISyntaxException {
        int compared = 0;
        for (Path source : GraphFileCasesTest.files()) {
            String text = Files.readString(source);
            if (text.contains("uavGroup") || text.contains("\"error\"") || !text.contains("\"declared\"")) {
                continue;
            }
            FramePlan plan = planOf(source);
            StringWriter written = new StringWriter();
            plan.writeJson(written);
            Path file = folder.resolve("graph.json");
            Files.writeString(file, written.toString());

            FramePlan again = planOf(file);

            assertThat(decisions(again)).as(source.toString()).isEqualTo(decisions(plan));
            compared++;
        }
        assertThat(compared).isGreaterThan(50);
    }

    private static FramePlan planOf(Path file) {
        FramePlan plan = GraphFile.read(file).compile(UnaryOperator.identity()).plan();
        return Objects.requireNonNull(plan);
    }

    private static List<Object> decisions(FramePlan plan) {
        return List.of(
                plan.culledCount(),
                plan.batches(),
                plan.renderPasses(),
                plan.epochs(),
                plan.passes().stream()
                        .map(pass -> List.of(pass.name(), pass.before(), pass.after()))
                        .toList());
    }
}
