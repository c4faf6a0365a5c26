package io.frameloom.rdg.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.rdg.FramePlan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files that hold no graph are refused in one line that names the place. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GraphFileTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\u0000',
            value = {
                "{\"passes\":[                                     | line 1, column 12: the text ends inside of an"
                        + " object, a list or a string",
                "{\"passes\":[]                                    | the text ends inside of an object",
                "{\"passes\":[1,]}                                 | /passes/0: expected an object",
                "{'passes':[]}                                    | line 1, column 2: this is not JSON; keys and",
                "{\"passes\":[] // none                            | column 14: this is not JSON",
                "{\"pases\":[]}                                    | line 1, /pases: unknown key 'pases' of a graph,"
                        + " the nearest are 'passes', ",
                "{\"mode\":{\"culls\":\"off\"},\"passes\":[]}           | unknown key 'culls' of a mode, the nearest"
                        + " are 'cull', ",
                "{\"queues\":[{\"name\":\"G\"}],\"passes\":[]}           | /queues/0/name: unknown key 'name' of a"
                        + " queue",
                "{\"resources\":[{\"aling\":4}],\"passes\":[]}         | unknown key 'aling' of a resource, the"
                        + " nearest are 'align', ",
                "{\"resources\":[{\"initial\":{\"lay\":4}}],\"passes\":[]} | unknown key 'lay' of an initial state, the"
                        + " nearest are 'layout'",
                "{\"passes\":[{\"quee\":4}]}                          | unknown key 'quee' of a pass, the nearest are"
                        + " 'queue', ",
                "{\"passes\":[{\"uses\":[{\"discrad\":true}]}]}        | /passes/0/uses/0/discrad: unknown key"
                        + " 'discrad' of a use, the nearest are 'discard', ",
                "{\"passes\":[{\"uses\":[{\"sub\":{\"mips\":1}}]}]}      | unknown key 'mips' of a part, the nearest"
                        + " are 'mip', ",
                "{\"passes\":[{\"rt\":{\"colour\":[]}}]}               | unknown key 'colour' of render targets, the"
                        + " nearest are 'color', ",
                "{\"passes\":[{\"rt\":{\"depth\":{\"acess\":\"r\"}}}]}   | unknown key 'acess' of a render target, the"
                        + " nearest are 'access', ",
                "{\"passes\":[],\"mode\":{\"order\":\"fixed\"},\"queueOrder\":{\"Q\":[]}} | unknown queue 'Q'; the"
                        + " nearest are 'graphics'",
                "{\"passes\":[],\"queueOrder\":{\"graphics\":[]}} | line 1: the file gives the order of a queue"
                        + " (\"queueOrder\"), which needs \"mode\": {\"order\": \"fixed\"}",
                "[]                                                | expected an object",
                "{}                                                | a graph needs \"passes\"",
                "{\"passes\":[]} {}                                | the file goes on after its object",
                "{\"passes\":[],\"passes\":[]}                     | the key 'passes' stands twice",
                "{\"schema\":\"other/2\",\"passes\":[]}            | /schema: unknown schema 'other/2', expected"
                        + " rdg-case/1",
                "{\"mode\":{\"order\":\"sideways\"},\"passes\":[]} | /mode/order: unknown value 'sideways', known are"
                        + " declared, unordered, fixed",
                "{\"mode\":{\"passMin\":9,\"passMax\":2},\"passes\":[]} | passMax is smaller than passMin",
                "{\"queues\":[{\"id\":\"C\",\"caps\":[\"compute\"]}],\"passes\":[{\"id\":\"A\",\"kind\":\"raster\"}]} |"
                        + " pass 'A' needs a queue with the capability graphics, queue 'C' has compute at most",
                "{\"queues\":[{\"id\":\"G\",\"caps\":[\"graphics\"]},{\"id\":\"P\",\"caps\":[\"present\"]}],\"passes\":[{\"id\":\"A\",\"kind\":\"copy\",\"queue\":\"P\"}]}"
                        + " | pass 'A' needs a queue with the capability copy, queue 'P' has present at most",
                "{\"queues\":[{\"id\":\"C\",\"caps\":[]}],\"passes\":[]} | a queue needs \"id\" and \"caps\"",
                "{\"passes\":[{\"versions\":{\"t\":{\"to\":1}}}]} | unknown end 'to' of a version, known are in, out",
                "{\"passes\":[{\"versions\":{\"t\":\"last\"}}]} | a version as text has one number",
                "{\"passes\":[{\"versions\":{\"t\":[1]}}]} | a list of versions is [the one that the pass finds,",
                "{\"resources\":[{\"id\":\"t\",\"kind\":\"texture\",\"mips\":2147483648}],\"passes\":[]} |"
                        + " /resources/0/mips: expected a number of 1 to 16, got 2147483648",
                "{\"resources\":[{\"id\":\"t\",\"kind\":\"texture\",\"mips\":99999999999999999999}],\"passes\":[]} |"
                        + " got 99999999999999999999",
                "{\"resources\":[{\"id\":\"t\",\"kind\":\"texture\",\"bytes\":-1}],\"passes\":[]} | /resources/0/bytes:"
                        + " expected a number of 0 to",
                "{\"resources\":[{\"id\":\"t\",\"kind\":\"texture\",\"align\":3}],\"passes\":[]} | an alignment is a"
                        + " power of two, got 3",
                "{\"resources\":[{\"id\":\"t\",\"kind\":\"wood\"}],\"passes\":[]} | unknown value 'wood', known are"
                        + " texture, buffer",
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
                "{\"resources\":[{\"id\":\"t\",\"kind\":\"texture\",\"width\":4,\"height\":4,\"mips\":9}],\"passes\":[]}"
                        + " | /resources/0: texture 't' of 4x4x1 has at most 3 mips, got 9",
                "{\"resources\":[{\"id\":\"t\",\"kind\":\"texture\",\"depth\":4,\"layers\":2}],\"passes\":[]} | has a"
                        + " depth, so",
                "{\"resources\":[{\"id\":\"t\",\"kind\":\"texture\",\"cube\":true}],\"passes\":[]} | is a cube, so",
                "{\"resources\":[{\"id\":\"t\",\"kind\":\"texture\",\"samples\":3}],\"passes\":[]} | samples are 1, 2,"
                        + " 4",
                "{\"resources\":[{\"id\":\"t\",\"kind\":\"texture\",\"usage\":[\"ODD\"]}],\"passes\":[]} | unknown"
                        + " usage 'ODD'",
                "{\"resources\":[{\"id\":\"t\",\"kind\":\"texture\",\"format\":\"D32_SFLOAT_S8_UINT\"}],\"passes\":[]}"
                        + " | has \"planes\" 1, but its format D32_SFLOAT_S8_UINT has 2",
                "{\"passes\":[{\"rt\":{\"area\":[0,0,4]}}]}            | /passes/0/rt/area: a render area is [left,"
                        + " top, width, height]",
                "{\"passes\":[{\"rt\":{\"area\":[0,0,4,0]}}]}          | expected a number of 1 to 65536, got 0",
                "{\"passes\":[{\"rt\":{\"color\":[{\"sub\":{\"slise\":1}}]}}]} | unknown key 'slise' of a part of a"
                        + " render target, the nearest are 'slice'",
                "{\"passes\":[],\"mode\":{\"waitStageScope\":\"nonsense\"}} | unknown value 'nonsense', known are all,"
                        + " exact",
                "{\"passes\":[],\"mode\":{\"cull\":\"all\"}} | /mode/cull: unknown value 'all', known are data, off",
                "{\"passes\":[],\"queues\":[{\"id\":\"G\",\"caps\":[\"blit\"]}]} | /queues/0/caps/0: unknown value"
                        + " 'blit', known are graphics, compute, copy, present",
                "{\"passes\":[{\"rt\":{\"color\":[{\"load\":\"Keep\"}]}}]} | /passes/0/rt/color/0/load: unknown value"
                        + " 'Keep', known are load, clear, dontcare",
                "{\"passes\":[{\"rt\":{\"depth\":{\"access\":\"x\"}}}]} | unknown value 'x', known are r, w",
                "{\"resources\":[{\"sharing\":\"all\"}],\"passes\":[]} | unknown value 'all', known are exclusive,"
                        + " concurrent",
                "{\"passes\":[],\"mode\":{\"schedule\":\"memory\",\"order\":\"fixed\"}} | /mode: a mode whose order is"
                        + " fixed has no other \"schedule\" than program",
                "{\"resources\":[{\"id\":\"t\",\"kind\":\"texture\",\"discardAfter\":true}],\"passes\":[]} |"
                        + " /resources/0: \"discardAfter\" of 't' is for what outlives the frame",
                "{\"resources\":[{\"id\":\"t\",\"kind\":\"texture\"}],\"passes\":[{\"id\":\"A\",\"kind\":\"compute\",\"rt\":{\"color\":[{\"r\":\"t\"}]}}]}"
                        + " | line 1: pass 'A' has render targets (\"rt\"), which only passes of the kind raster have",
                "{\"passes\":[{\"id\":\"A\",\"kind\":\"copy\",\"rt\":{\"area\":[0,0,4,4]}}]} | pass 'A' has render"
                        + " targets",
                "{\"passes\":[{\"id\":\"A\",\"kind\":\"raster\",\"rt\":{\"area\":[0,0,4,4]}}]} | pass 'A' has a render"
                        + " area and no render target",
                "{\"resources\":[{\"id\":\"t\",\"kind\":\"texture\",\"planes\":2}],\"passes\":[{\"id\":\"A\",\"kind\":\"raster\",\"rt\":{\"stencil\":{\"r\":\"t\",\"sub\":{\"plane\":0}}}}]}"
                        + " | a target or resolve of stencil names another \"plane\" of 't' than 1",
                "{\"passes\":[],\"mode\":{\"schedule\":\"best\"}} | unknown value, it takes program, random:SEED",
                "{\"passes\":[],\"mode\":{\"actuallyUsed\":7}} | /mode/actuallyUsed: expected an array",
                "{\"passes\":[],\"mode\":{\"actuallyUsed\":[\"t\"]}} | unknown resource 't'",
                "{\"passes\":[],\"mode\":{\"actuallyUsed\":{\"A\":[]}}} | unknown pass 'A'",
                "{\"passes\":[{\"id\":\"A\",\"kind\":\"raster\"}],\"mode\":{\"actuallyUsed\":{\"A\":[\"t\"]}}} |"
                        + " unknown resource 't'",
                "{\"passes\":[],\"mode\":{\"actuallyUsed\":{\"A\":7}}} | /mode/actuallyUsed/A: expected an array",
                "{\"passes\":[{\"cost\":\"many\"}]} | /passes/0/cost: a cost is a number, or S",
                "{\"passes\":[{\"cost\":-1}]} | /passes/0/cost: a cost is at least 0",
                "{\"passes\":[{\"stages\":{}}]} | /passes/0/stages: expected an array",
                "{\"passes\":[{\"stages\":[\"ODD\"]}]} | unknown stage 'ODD', known are ACCELERATION_STRUCTURE_BUILD, ALL_COMMANDS,",
                "{\"passes\":[{\"touches\":-1}]} | /passes/0/touches: expected an array",
                "{\"passes\":[{\"id\":\"A\",\"kind\":\"copy\",\"touches\":[\"t\"]}]} | unknown resource 't'",
                "{\"passes\":[{\"versions\":\"?\"}]} | /passes/0/versions: expected an object",
                "{\"passes\":[{\"asyncCompute\":1}]} | /passes/0/asyncCompute: expected true or false",
                "{\"resources\":[{\"id\":\"t\",\"kind\":\"texture\"}],\"passes\":[{\"id\":\"A\",\"kind\":\"copy\",\"uses\":[{\"r\":\"t\",\"a\":\"copyDst\"}],\"versions\":{\"t\":1}}]}"
                        + " | has a meaning in the mode order unordered only",
                "{\"queues\":[{\"id\":\"G\",\"caps\":[\"graphics\"]},{\"id\":\"T\",\"caps\":[\"copy\"]}],\"passes\":[{\"id\":\"A\",\"kind\":\"raster\",\"queue\":\"T\"}]}"
                        + " | pass 'A' needs a queue with the capability graphics, queue 'T' has copy at most",
                "{\"passes\":[],\"explicitDeps\":[[\"A\",\"A\"]]} | /explicitDeps/0: a pass cannot come after itself",
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
    void aByteOrderMarkIsPassedOver() throws IOException {
        Path file = folder.resolve("graph.json");
        Files.writeString(file, "\ufeff{\"id\":\"marked\",\"passes\":[]}");
        assertThat(GraphFile.read(file).id()).isEqualTo("marked");
        refused(
                file,
                "\ufeff{\"passes\":[],}",
                "line 1, column 14: this is not JSON; keys and strings stand in double"
                        + " quotes, entries are separated by one comma");
        Files.writeString(file, "{\"passes\":[]}\ufeff");
        assertThatThrownBy(() -> GraphFile.read(file)).hasMessageContaining("this is not JSON");
        Files.writeString(file, "");
        assertThatThrownBy(() -> GraphFile.read(file)).hasMessageContaining("expected an object");
    }

    @Test
    void anUnknownNameIsToldWithItsLineAndTheNearest() throws IOException {
        Path file = folder.resolve("graph.json");
        String text = """
            {"queues": [{"id": "G", "caps": ["graphics"]}],
             "resources": [{"id": "depth", "kind": "texture"}],
             "passes": [
              {"id": "Pre", "kind": "raster",
               "queue": "QUEUE",
               "uses": [
                {"a": "depthWrite",
                 "r": "USED"}],
               "rt": {"depth":
                {"r": "TARGET"}}}],
             "explicitDeps": [
              ["Pre",
               "LATER"]]}
            """;
        String sound = text.replace("QUEUE", "G")
                .replace("USED", "depth")
                .replace("TARGET", "depth")
                .replace(",\n \"explicitDeps\": [\n  [\"Pre\",\n   \"LATER\"]]", "");
        Files.writeString(file, sound);
        assertThat(planOf(file).passes()).hasSize(1);

        refused(
                file,
                text.replace("USED", "dept").replace("TARGET", "depth"),
                "line 8: unknown resource 'dept'; the nearest are 'depth'");
        String used = text.replace("USED", "depth");
        refused(file, used.replace("TARGET", "deth"), "line 10: unknown resource 'deth'; the nearest are 'depth'");
        String drawn = used.replace("TARGET", "depth");
        refused(file, drawn.replace("LATER", "Pro"), "line 13: unknown pass 'Pro'; the nearest are 'Pre'");
        refused(
                file,
                drawn.substring(0, drawn.indexOf(",\n \"explicitDeps\"")).replace("QUEUE", "H") + "}",
                "line 5: unknown queue 'H'; the nearest are 'G'");
    }

    private static void refused(Path file, String text, String words) throws IOException {
        Files.writeString(file, text);
        assertThatThrownBy(() -> planOf(file))
                .isInstanceOf(GraphFileException.class)
                .hasMessage(file + ", " + words);
    }

    @Test
    void nestingBeyondAllMeasureIsRefusedInOurWords() throws IOException {
        Path file = folder.resolve("graph.json");
        Files.writeString(file, "{\"notes\":" + "[".repeat(200) + "]".repeat(200) + ",\"passes\":[]}");

        assertThatThrownBy(() -> GraphFile.read(file))
                .isInstanceOf(GraphFileException.class)
                .hasMessageContaining("nested deeper than 64");
    }

    @Test
    void aGraphWithoutPassesHasAPlanThatDoesNothing() throws IOException {
        Path file = folder.resolve("graph.json");
        Files.writeString(file, "{\"passes\":[]}");
        FramePlan plan = planOf(file);

        assertThat(plan.passes()).isEmpty();
        assertThat(plan.batches()).isEmpty();
        assertThat(plan.heapBytes()).isZero();
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

    private static FramePlan planOf(Path file) {
        FramePlan plan = GraphFile.read(file).compile(UnaryOperator.identity()).plan();
        return Objects.requireNonNull(plan);
    }
}
