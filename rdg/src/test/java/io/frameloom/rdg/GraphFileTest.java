package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.Access;
import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.BufferUsage;
import io.frameloom.gpu.Format;
import io.frameloom.gpu.LoadOp;
import io.frameloom.gpu.MemoryUsage;
import io.frameloom.gpu.RenderingInfo.ClearColor;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.gpu.TextureUsage;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
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
                "[]                                                | expected an object",
                "{}                                                | a graph needs \"passes\"",
                "{\"passes\":[]} {}                                | the file goes on behind its object",
                "{\"passes\":[],\"passes\":[]}                     | the key 'passes' stands twice",
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
                "{\"passes\":[],\"mode\":{\"waitStageScope\":\"nonsense\"}} | unknown value, known are all, exact",
                "{\"passes\":[],\"mode\":{\"schedule\":\"memory\",\"order\":\"fixed\"}} | /mode: a mode whose order is fixed"
                        + " has no other \"schedule\" than program",
                "{\"resources\":[{\"id\":\"t\",\"kind\":\"texture\",\"discardAfter\":true}],\"passes\":[]} | /resources/0:"
                        + " \"discardAfter\" of 't' is for what outlives the frame",
                "{\"resources\":[{\"id\":\"t\",\"kind\":\"texture\"}],\"passes\":[{\"id\":\"A\",\"kind\":\"compute\",\"rt\":{\"color\":[{\"r\":\"t\"}]}}]} |"
                        + " line 1: pass 'A' has render targets (\"rt\"), which only passes of the kind raster have",
                "{\"passes\":[{\"id\":\"A\",\"kind\":\"copy\",\"rt\":{\"area\":[0,0,4,4]}}]} | pass 'A' has render targets",
                "{\"passes\":[{\"id\":\"A\",\"kind\":\"raster\",\"rt\":{\"area\":[0,0,4,4]}}]} | pass 'A' has a render area"
                        + " and no render target",
                "{\"resources\":[{\"id\":\"t\",\"kind\":\"texture\",\"planes\":2}],\"passes\":[{\"id\":\"A\",\"kind\":\"raster\",\"rt\":{\"stencil\":{\"r\":\"t\",\"sub\":{\"plane\":0}}}}]} |"
                        + " a target or resolve of stencil names another \"plane\" of 't' than 1",
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
                "{\"passes\":[{\"stages\":[\"ODD\"]}]} | unknown stage, known are COLOR_OUT, COMP",
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

    @Test
    void aGraphThatAPlanWroteGivesThatPlanAgain() throws IOException, URISyntaxException {
        int compared = 0;
        for (Path source : GraphFileCasesTest.files()) {
            String text = Files.readString(source);
            if (text.contains("\"error\"") || !text.contains("\"declared\"")) {
                continue;
            }
            FramePlan plan = planOf(source);

            assertThat(decisions(readAgain(plan))).as(source.toString()).isEqualTo(decisions(plan));
            compared++;
        }
        assertThat(compared).isGreaterThan(50);
    }

    /** What a frame dumps is compiled to the very plan of the frame. */
    @Test
    void aDumpedFrameGivesThePlanOfTheFrame() throws IOException {
        List<RdgOptions> variants = List.of(
                RdgOptions.defaults(),
                RdgOptions.defaults().withMergeRenderPasses(false).withPassLimits(2, 3),
                RdgOptions.defaults().withOverlapStorageWrites(false).withCullPasses(false),
                RdgOptions.defaults().withAliasing(false).withAsync(AsyncCompute.ALL),
                // Passes are dumped in the order that was taken, which needs no search again.
                RdgOptions.defaults()
                        .withPolicy(new PlanPolicy(
                                WaitStageScope.EXACT, PassSchedule.of(PassSchedule.Policy.BATCH), true, true)));
        for (long seed = 0; seed < 1000; seed++) {
            RdgOptions options = variants.get((int) (seed % variants.size()));
            FramePlan plan = new RenderGraphCompiler(options)
                    .compile(
                            RandomGraphs.graph(seed).declare(),
                            QueueTopology.graphicsAndCompute(),
                            PlanPropertiesTest.SIZER);

            assertSame(plan, "seed " + seed);
        }
    }

    /** Each flag of passes, and each kind of texture. */
    @Test
    void everyFlagAndShapeSurvivesADump() throws IOException {
        for (PassFlag flag : PassFlag.values()) {
            RenderGraph graph = new RenderGraph("flags");
            PassKind kind = flag == PassFlag.SKIP_RENDER_PASS || flag == PassFlag.NEVER_MERGE
                    ? PassKind.RASTER
                    : flag == PassFlag.ASYNC_COMPUTE ? PassKind.COMPUTE : PassKind.COPY;
            PassBuilder pass = graph.addPass("pass", kind).flag(flag).flag(PassFlag.NEVER_CULL);
            if (flag == PassFlag.NEVER_MERGE) {
                pass.color(
                        graph.createTexture(
                                "target", TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED)),
                        0,
                        0,
                        LoadOp.CLEAR,
                        new ClearColor(0.5, 0, 1, 0.25));
            }
            pass.record(context -> {});

            FramePlan plan = compiled(graph, RdgOptions.defaults());
            assertSame(plan, flag.toString());
            assertThat(readAgain(plan).passes().get(0).flags()).contains(flag);
        }
        TextureDescription flat = TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED);
        for (TextureDescription shape : List.of(
                flat.withDepth(64).withMips(7),
                flat.withDepth(1),
                flat.withCubes(2),
                flat.withViewFormats(Format.R8G8B8A8_SRGB),
                TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT)
                        .withSamples(4))) {
            RenderGraph graph = new RenderGraph("shapes");
            RdgTexture texture = graph.createTexture("texture", shape);
            graph.addPass("pass", PassKind.COPY)
                    .flag(PassFlag.NEVER_CULL)
                    .overwrites(texture, Access.COPY_DST)
                    .record(context -> {});

            assertSame(compiled(graph, RdgOptions.defaults()), shape.toString());
        }
    }

    /** A file whose history is cleared for this frame alone leaves the clear out where nothing reads it, as the frame did. */
    @Test
    void aHistoryThatIsNotReadSurvivesADump() throws IOException {
        RenderGraph graph = new RenderGraph("history");
        GraphModel.Res shape = new GraphModel.Res(
                "colour", true, false, 1, 1, Lifetime.EXTERNAL, TextureLayout.UNDEFINED, Access.SAMPLED_COMPUTE);
        graph.history(
                new FakeSurroundings().textureHistory(shape),
                TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED));

        FramePlan plan = compiled(graph, RdgOptions.defaults());
        assertThat(plan.culledCount()).isOne();
        assertThat(plan.resources().get(0).finalLayout()).isEqualTo(TextureLayout.UNDEFINED);
        assertSame(plan, "history");
    }

    private static FramePlan compiled(RenderGraph graph, RdgOptions options) {
        return new RenderGraphCompiler(options)
                .compile(graph, QueueTopology.graphicsAndCompute(), PlanPropertiesTest.SIZER);
    }

    private void assertSame(FramePlan plan, String what) throws IOException {
        FramePlan again = readAgain(plan);
        assertThat(decisions(again)).as(what).isEqualTo(decisions(plan));
        assertThat(PlanDiff.between(plan, again).changes()).as(what).isEmpty();
    }

    private FramePlan planOf(String text) throws IOException {
        return planOf(Files.writeString(folder.resolve("graph.json"), text));
    }

    private static final String QUEUES = "\"queues\":[{\"id\":\"G\",\"family\":0,\"caps\":[\"graphics\",\"compute\","
            + "\"copy\"]},{\"id\":\"C\",\"family\":1,\"caps\":[\"compute\",\"copy\"]}],";

    @Test
    void thePolicyOfAFileDecidesAboutItsQueues() throws IOException {
        String text =
                "{\"mode\":{\"asyncPolicy\":POLICY}," + QUEUES + "\"resources\":[{\"id\":\"b\",\"kind\":\"buffer\","
                        + "\"bytes\":16,\"lifetime\":\"external\"}],\"passes\":[{\"id\":\"A\",\"kind\":\"copy\",\"queue\":\"C\","
                        + "\"uses\":[{\"r\":\"b\",\"a\":\"copyDst\"}]},{\"id\":\"B\",\"kind\":\"compute\",\"queue\":\"G\",\"uses\":["
                        + "{\"r\":\"b\",\"a\":\"storageRWComp\"}]}]}";

        assertThat(queues(planOf(text.replace("POLICY", "0")))).containsExactly(0, 0);
        assertThat(queues(planOf(text.replace("POLICY", "1")))).containsExactly(1, 0);
        assertThat(queues(planOf(text.replace("POLICY", "2")))).containsExactly(1, 1);
    }

    private static List<Integer> queues(FramePlan plan) {
        return plan.passes().stream().map(FramePlan.PassPlan::queue).toList();
    }

    @Test
    void aConditionalPassLoadsTheTargetsThatItClears() throws IOException {
        for (String uses : List.of("", "{\"r\":\"x\",\"a\":\"colorWrite\",\"discard\":true}")) {
            FramePlan plan = planOf("{\"resources\":[{\"id\":\"x\",\"kind\":\"texture\",\"lifetime\":\"external\"}],"
                    + "\"passes\":[{\"id\":\"A\",\"kind\":\"raster\",\"uses\":[{\"r\":\"x\",\"a\":\"colorWrite\","
                    + "\"discard\":true}]},{\"id\":\"B\",\"kind\":\"raster\",\"flags\":[\"conditional\"],\"uses\":["
                    + uses
                    + "],\"rt\":{\"color\":[{\"r\":\"x\",\"load\":\"clear\"}]}}]}");

            assertThat(plan.culledCount()).isZero();
            assertThat(Objects.requireNonNull(plan.passes().get(1).targets())
                            .colors()
                            .get(0)
                            .load())
                    .isEqualTo(LoadOp.LOAD);
            assertThat(plan.passes().get(1).uses().get(0).access()).isEqualTo(Access.COLOR_READ_WRITE);
        }
    }

    @Test
    void versionsOrderTheWritersOfASet() throws IOException {
        String text =
                "{\"mode\":{\"order\":\"unordered\",\"cull\":\"off\"},\"resources\":[{\"id\":\"x\",\"kind\":\"buffer\","
                        + "\"bytes\":4}],\"passes\":[{\"id\":\"W2\",\"kind\":\"compute\",\"uses\":[{\"r\":\"x\",\"a\":\"storageRWComp\"}],"
                        + "\"versions\":{\"x\":2}},{\"id\":\"R1\",\"kind\":\"compute\",\"uses\":[{\"r\":\"x\",\"a\":\"storageReadComp\"}],"
                        + "\"versions\":{\"x\":1}},{\"id\":\"R\",\"kind\":\"compute\",\"uses\":[{\"r\":\"x\",\"a\":\"storageReadComp\"}]},"
                        + "{\"id\":\"W1\",\"kind\":\"compute\",\"uses\":[{\"r\":\"x\",\"a\":\"storageWriteComp\",\"discard\":true}],"
                        + "\"versions\":{\"x\":1}}]}";

        assertThat(planOf(text).passes().stream().map(FramePlan.PassPlan::name)).containsExactly("W1", "R1", "W2", "R");
        assertThatThrownBy(() -> planOf(text.replace("{\"x\":2}", "{\"x\":1}")))
                .isInstanceOf(RdgValidationException.class)
                .hasMessageContaining("MULTI_WRITER");
    }

    @Test
    void manyPassesSideBySideAreNotListed() throws IOException {
        StringBuilder passes = new StringBuilder();
        for (int i = 0; i < 2000; i++) {
            passes.append(i == 0 ? "" : ",")
                    .append("{\"id\":\"p" + i + "\",\"kind\":\"compute\",\"queue\":\"" + (i % 2 == 0 ? "G" : "C")
                            + "\",\"flags\":[\"neverCull\"]}");
        }
        Path file = Files.writeString(folder.resolve("graph.json"), "{" + QUEUES + "\"passes\":[" + passes + "]}");

        assertThat(GraphFile.read(file).compile(UnaryOperator.identity()).facts())
                .doesNotContainKey("overlapsWith")
                .extractingByKey("leftOut")
                .asString()
                .contains("overlapsWith", "more than 100000 pairs");
    }

    @Test
    void moreDependenciesThanAreReportedAreRefused() throws IOException {
        StringBuilder passes = new StringBuilder();
        for (int i = 0; i < 1600; i++) {
            passes.append(i == 0 ? "" : ",")
                    .append("{\"id\":\"p" + i + "\",\"kind\":\"compute\",\"uses\":[{\"r\":\"b\",\"a\":"
                            + (i < 800 ? "\"storageWriteComp\",\"uavGroup\":1" : "\"storageReadComp\"") + "}]}");
        }
        String text =
                "{\"mode\":{\"cull\":\"off\"},\"resources\":[{\"id\":\"b\",\"kind\":\"buffer\",\"bytes\":4}],\"passes\":["
                        + passes + "]}";

        assertThatThrownBy(() -> planOf(text)).isInstanceOfSatisfying(RdgValidationException.class, thrown -> {
            assertThat(thrown.errors()).extracting(RdgError::code).containsExactly(RdgError.Code.LIMIT);
            assertThat(thrown.errors().get(0).toString())
                    .contains("depends on 800 passes")
                    .hasLineCount(1);
        });
    }

    @Test
    void whatIsDeclaredAndNotTakenIsAWarning() throws IOException {
        Path file = Files.writeString(
                folder.resolve("graph.json"),
                "{\"mode\":{\"actuallyUsed\":[\"b\"]},\"resources\":["
                        + "{\"id\":\"a\",\"kind\":\"buffer\",\"bytes\":4,\"lifetime\":\"external\"},{\"id\":\"b\",\"kind\":\"buffer\","
                        + "\"bytes\":4,\"lifetime\":\"external\"}],\"passes\":[{\"id\":\"A\",\"kind\":\"compute\",\"uses\":["
                        + "{\"r\":\"a\",\"a\":\"storageReadComp\"},{\"r\":\"b\",\"a\":\"storageWriteComp\"}]}]}");

        assertThat(GraphFile.read(file)
                        .compile(UnaryOperator.identity())
                        .facts()
                        .get("warnings"))
                .asString()
                .contains("NOT_TAKEN", "pass 'A' declares 'a' and does not take it")
                .doesNotContain("'b'");
    }

    /** 150 passes have 22,350 pairs, 2,100 too many to look for them. */
    @Test
    void pairsThatAreTooManyAreNamedAndLeftOut() throws IOException {
        for (int count : new int[] {100, 150, 2_100}) {
            StringBuilder resources = new StringBuilder();
            StringBuilder passes = new StringBuilder();
            for (int p = 0; p < count; p++) {
                resources
                        .append(p == 0 ? "" : ",")
                        .append("{\"id\":\"b" + p + "\",\"kind\":\"buffer\",\"bytes\":4,\"lifetime\":\"external\"}");
                passes.append(p == 0 ? "" : ",")
                        .append("{\"id\":\"P" + p + "\",\"kind\":\"compute\",\"uses\":[{\"r\":\"b" + p
                                + "\",\"a\":\"storageWriteComp\"}]}");
            }
            Path file = Files.writeString(
                    folder.resolve("graph.json"), "{\"resources\":[" + resources + "],\"passes\":[" + passes + "]}");

            Map<String, Object> facts =
                    GraphFile.read(file).compile(UnaryOperator.identity()).facts();

            if (count == 100) {
                assertThat((List<?>) facts.get("mayReorder")).hasSize(100 * 99);
                assertThat((List<?>) facts.get("mustPrecede")).isEmpty();
                assertThat(facts).doesNotContainKey("leftOut");
            } else {
                assertThat(facts).doesNotContainKeys("mayReorder", "mustNotAlias");
                assertThat(facts.get("leftOut")).asString().contains("mayReorder", "mustNotAlias");
                assertThat(facts.containsKey("mustPrecede")).isEqualTo(count == 150);
            }
        }
    }

    /** Unreal looks at subresources: what writes the other mip keeps nothing. */
    @Test
    void unrealKeepsWhatWroteTheSameMip() throws IOException {
        String write =
                "\"kind\":\"compute\",\"uses\":[{\"r\":\"t\",\"a\":\"storageWriteComp\",\"discard\":true,\"sub\":{\"mip\":";
        Path file = Files.writeString(
                folder.resolve("graph.json"),
                "{\"resources\":[{\"id\":\"t\",\"kind\":\"texture\",\"mips\":2,\"width\":4,\"height\":4},"
                        + "{\"id\":\"e\",\"kind\":\"buffer\",\"bytes\":4,\"lifetime\":\"extracted\"}],\"passes\":["
                        + "{\"id\":\"A\"," + write + "0}}]},{\"id\":\"B\"," + write + "1}}]},{\"id\":\"C\"," + write
                        + "0}}]},{\"id\":\"D\",\"kind\":\"compute\",\"uses\":[{\"r\":\"t\",\"a\":\"sampledComp\",\"sub\":{\"mip\":0}},"
                        + "{\"r\":\"e\",\"a\":\"storageWriteComp\"}]}]}");

        Map<String, Object> facts =
                GraphFile.read(file).compile(UnaryOperator.identity()).facts();

        assertThat(facts.get("culled")).isEqualTo(List.of("A", "B"));
        assertThat(facts.get("culledUe4")).isEqualTo(List.of("B"));
    }

    @Test
    void whatIsTakenCanBeSaidPassByPass() throws IOException {
        String uses = "\"kind\":\"compute\",\"uses\":[{\"r\":\"a\",\"a\":\"storageReadComp\"},"
                + "{\"r\":\"b\",\"a\":\"storageRWComp\"}]}";
        Path file = Files.writeString(
                folder.resolve("graph.json"),
                "{\"mode\":{\"actuallyUsed\":{\"A\":[\"b\"],\"B\":[\"a\",\"b\"]}},\"resources\":["
                        + "{\"id\":\"a\",\"kind\":\"buffer\",\"bytes\":4,\"lifetime\":\"external\"},{\"id\":\"b\",\"kind\":\"buffer\","
                        + "\"bytes\":4,\"lifetime\":\"external\"}],\"passes\":[{\"id\":\"A\"," + uses
                        + ",{\"id\":\"B\"," + uses
                        + ",{\"id\":\"C\"," + uses + "]}");

        Object warnings =
                GraphFile.read(file).compile(UnaryOperator.identity()).facts().get("warnings");

        assertThat((List<?>) warnings)
                .singleElement()
                .asString()
                .contains("pass 'A' declares 'a' and does not take it");
    }

    @Test
    void errorsOfAnyNumberAreWritten() throws IOException {
        StringWriter line = new StringWriter();
        GraphFile.writeErrors("g", List.of(), line);

        assertThat(line.toString())
                .contains("\"error\":{\"code\":\"INPUT\"", "\"errors\":[]")
                .hasLineCount(1);
    }

    /** Readbacks, histories, orders of the application, memory of the host, targets on several mips. */
    @Test
    void whatTheFormDidNotHaveSurvivesADump() throws IOException {
        RenderGraph graph = new RenderGraph("whole", RdgOptions.defaults());
        RdgBuffer made = graph.createBuffer("made", BufferDescription.device(1024, BufferUsage.STORAGE));
        RdgBuffer staging = graph.createBuffer(
                "staging", new BufferDescription(1024, EnumSet.of(BufferUsage.COPY_DST), MemoryUsage.READBACK));
        RdgTexture target = graph.createTexture(
                "target",
                TextureDescription.of(64, 64, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED)
                        .withLayers(2));
        graph.addPass("compute", PassKind.COMPUTE)
                .flag(PassFlag.ASYNC_COMPUTE)
                .overwrites(made, 0, 512, Access.STORAGE_WRITE_COMPUTE)
                .overwrites(made, 512, 512, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        PassBuilder draw = graph.addPass("draw", PassKind.RASTER)
                .color(target, 0, 1, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                .color(target, 0, 0, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT);
        draw.record(context -> {});
        graph.addPass("copy", PassKind.COPY)
                .reads(made, Access.COPY_SRC)
                .reads(target, Access.COPY_SRC)
                .overwrites(staging, Access.COPY_DST)
                .after(draw)
                .record(context -> {});
        graph.readBack(staging);
        FramePlan plan = new RenderGraphCompiler(RdgOptions.defaults())
                .compile(graph, QueueTopology.graphicsAndCompute(), PlanPropertiesTest.SIZER);

        assertThat(plan.passes().get(2).after()).anyMatch(barrier -> barrier.resource() == staging.index());
        assertThat(decisions(readAgain(plan))).isEqualTo(decisions(plan));
    }

    private FramePlan readAgain(FramePlan plan) throws IOException {
        StringWriter written = new StringWriter();
        plan.writeJson(written);
        Path file = folder.resolve("graph.json");
        Files.writeString(file, written.toString());
        return planOf(file);
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
                plan.recordingGroups(),
                plan.dependencies(),
                plan.epochs(),
                plan.heaps(),
                plan.transientBytesWithoutAliasing(),
                plan.resources().stream()
                        .map(resource -> List.of(
                                resource.name(),
                                resource.lifetime(),
                                resource.heap(),
                                resource.offset(),
                                resource.bytes(),
                                resource.finalLayout()))
                        .toList(),
                plan.passes().stream()
                        .map(pass -> List.of(pass.name(), pass.before(), pass.after()))
                        .toList());
    }
}
