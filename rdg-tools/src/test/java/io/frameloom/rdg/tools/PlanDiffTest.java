package io.frameloom.rdg.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.AsyncCompute;
import io.frameloom.rdg.FakeResources;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.diagnostics.PlanWarning;
import io.frameloom.rdg.tools.PlanDiff.Change;
import io.frameloom.rdg.tools.PlanDiff.Subject;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Differences of plans, and warnings. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PlanDiffTest {
    private static final String DEPTH =
            "{\"id\":\"Depth\",\"kind\":\"raster\",\"uses\":[{\"r\":\"depth\",\"a\":\"depthWrite\"}]}";
    private static final String SSAO =
            "{\"id\":\"SSAO\",\"kind\":\"compute\",\"queue\":\"C\",\"uses\":[{\"r\":\"depth\","
                    + "\"a\":\"sampledComp\"},{\"r\":\"ao\",\"a\":\"storageWriteComp\"}]}";
    private static final String SKY =
            "{\"id\":\"Sky\",\"kind\":\"raster\",\"uses\":[{\"r\":\"sky\",\"a\":\"colorWrite\"}]}";
    private static final String LIGHT = "{\"id\":\"Light\",\"kind\":\"raster\",\"uses\":[{\"r\":\"ao\","
            + "\"a\":\"sampledFrag\"},{\"r\":\"out\",\"a\":\"colorWrite\"}]}";

    private static final MemorySizer NO_SIZES = new MemorySizer() {
        @Override
        public MemoryRequirements requirements(TextureDescription description) {
            throw new AssertionError("the graph has no textures");
        }

        @Override
        public MemoryRequirements requirements(BufferDescription description) {
            throw new AssertionError("the graph has no buffers");
        }
    };

    @TempDir
    private Path folder;

    private FramePlan plan(UnaryOperator<RdgOptions> options, String... passes) throws IOException {
        Path file = Files.writeString(
                folder.resolve("graph.json"),
                "{\"id\":\"g\",\"queues\":[{\"id\":\"G\",\"family\":0,\"caps\":[\"graphics\",\"compute\",\"copy\"]},"
                        + "{\"id\":\"C\",\"family\":1,\"caps\":[\"compute\",\"copy\"]}],\"resources\":["
                        + "{\"id\":\"depth\",\"kind\":\"texture\",\"bytes\":64},"
                        + "{\"id\":\"ao\",\"kind\":\"texture\",\"bytes\":64},"
                        + "{\"id\":\"sky\",\"kind\":\"texture\",\"bytes\":64},"
                        + "{\"id\":\"out\",\"kind\":\"texture\",\"lifetime\":\"external\"}],\"passes\":["
                        + String.join(",", passes) + "]}");
        return Objects.requireNonNull(GraphFile.read(file).compile(options).plan());
    }

    private FramePlan plan(String... passes) throws IOException {
        return plan(UnaryOperator.identity(), passes);
    }

    private static List<String> lines(FramePlan before, FramePlan after) {
        return PlanDiff.between(before, after).changes().stream()
                .map(Change::toString)
                .toList();
    }

    @Test
    void aPlanDoesNotDifferFromItself() throws IOException {
        PlanDiff diff = PlanDiff.between(plan(DEPTH, SSAO, LIGHT), plan(DEPTH, SSAO, LIGHT));

        assertThat(diff.isEmpty()).isTrue();
        assertThat(diff.changes()).isEmpty();
    }

    @Test
    void aPassOnAnotherQueueChangesItsPassWaitsAndBarriers() throws IOException {
        FramePlan async = plan(DEPTH, SSAO, LIGHT);
        FramePlan serial = plan(options -> options.withAsync(AsyncCompute.OFF), DEPTH, SSAO, LIGHT);

        assertThat(lines(async, serial))
                .contains(
                        "~ pass 'SSAO': on C, level 1 -> on G, level 1",
                        "- wait of 'SSAO' for 'Depth': on 'depth'",
                        "- wait of 'Light' for 'SSAO': on 'ao'",
                        "~ total waits: 2 -> 0");
        assertThat(lines(serial, async)).contains("+ wait of 'SSAO' for 'Depth': on 'depth'", "~ total waits: 0 -> 2");
    }

    @Test
    void whatIsNewAndGoneIsSaid() throws IOException {
        FramePlan without = plan(DEPTH, SSAO, LIGHT);
        FramePlan with = plan(options -> options.withCullPasses(false), DEPTH, SSAO, SKY, LIGHT);

        assertThat(lines(without, with))
                .contains("+ pass 'Sky': on G, level 0")
                .anyMatch(line -> line.startsWith("+ barrier before 'Sky' of 'sky'"))
                .anyMatch(line -> line.startsWith("+ placement of 'sky': heap 0 at "))
                .anyMatch(line -> line.startsWith("- warning UNUSED_RESOURCE 'sky'"))
                .anyMatch(line -> line.startsWith("+ warning NEVER_READ 'sky'"));
        assertThat(lines(with, without)).contains("- pass 'Sky': on G, level 0");
        assertThat(lines(with, plan(DEPTH, SSAO, SKY, LIGHT))).contains("~ pass 'Sky': on G, level 0 -> culled");
    }

    @Test
    void theFirstPlaceOfAnotherOrderIsSaid() throws IOException {
        UnaryOperator<RdgOptions> keep = options -> options.withCullPasses(false);

        assertThat(PlanDiff.between(plan(keep, DEPTH, SKY, SSAO, LIGHT), plan(keep, SKY, DEPTH, SSAO, LIGHT))
                        .changes())
                .contains(new Change(Subject.ORDER, "at the start", "'Depth'", "'Sky'"));
    }

    @Test
    void passesOfOneNameAreToldApart() {
        RenderGraph graph = new RenderGraph("g");
        for (String name : List.of("Sky", "Sky", "Sky' (2)")) {
            graph.addPass(name, PassKind.COPY).flag(PassFlag.NEVER_CULL).record(context -> {});
        }
        FramePlan named = compile(graph);

        assertThat(lines(compile(new RenderGraph("empty")), named))
                .contains(
                        "+ pass 'Sky': on graphics, level 0",
                        "+ pass 'Sky' (2): on graphics, level 0",
                        "+ pass 'Sky' (2)': on graphics, level 0");
    }

    /** A frame and the next, of another size if it is given one: the halves of its history change places. */
    private static FramePlan frame(int number, int size) {
        RenderGraph graph = new RenderGraph("frame " + number);
        RdgTexture[] halves = new RdgTexture[2];
        for (int half = 0; half < 2; half++) {
            int name = (number + half) % 2;
            halves[half] = graph.registerExternal(
                    FakeResources.made(
                            "history " + name,
                            TextureDescription.of(
                                    size, size, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED, TextureUsage.STORAGE)),
                    TextureLayout.SHADER_RO);
        }
        graph.addPass("blend", PassKind.COMPUTE)
                .reads(halves[0], Access.SAMPLED_COMPUTE)
                .overwrites(halves[1], Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        graph.addPass("show", PassKind.COMPUTE)
                .flag(PassFlag.NEVER_CULL)
                .reads(halves[1], Access.SAMPLED_COMPUTE)
                .record(context -> {});
        return compile(graph);
    }

    @Test
    void halvesOfAHistoryThatChangePlacesAreOneLine() {
        assertThat(lines(frame(2, 4), frame(4, 4))).isEmpty();
        assertThat(lines(frame(2, 4), frame(3, 4))).containsExactly("~ resource places of 'history': 0, 1 -> 1, 0");
        assertThat(lines(frame(2, 4), frame(3, 8)))
                .containsExactly(
                        "~ resource places of 'history': 0, 1 -> 1, 0",
                        "~ resource 'history 0': TWO_D 4x4x1 -> TWO_D 8x8x1",
                        "~ resource 'history 1': TWO_D 4x4x1 -> TWO_D 8x8x1");
    }

    @Test
    void rangesAreNamedWhereTheyArePartsOnly() {
        assertThat(lines(compile(new RenderGraph("empty")), mipped(0, 4)))
                .contains("+ declaration 'read': COMPUTE, NEVER_CULL, SAMPLED_COMPUTE of 'levels'");
        assertThat(lines(mipped(0, 4), mipped(1, 2)))
                .contains(
                        "~ declaration 'read': SAMPLED_COMPUTE of 'levels' -> SAMPLED_COMPUTE of 'levels' (mips 1 to 2)");
        assertThat(lines(mipped(1, 2), mipped(3, 1)))
                .contains("~ declaration 'read': SAMPLED_COMPUTE of 'levels' (mips 1 to 2)"
                        + " -> SAMPLED_COMPUTE of 'levels' (mip 3)");
    }

    @Test
    void aStencilTargetIsCompared() {
        assertThat(lines(stenciled(1), stenciled(2)))
                .containsExactly("~ target stencil of 'draw': CLEAR to 1 -> CLEAR to 2");
    }

    private static FramePlan stenciled(int clear) {
        RenderGraph graph = new RenderGraph("stencil");
        RdgTexture target = graph.registerExternal(
                FakeResources.texture("target", 4, 4, Format.D32_SFLOAT_S8_UINT), TextureLayout.DEPTH);
        graph.addPass("draw", PassKind.RASTER)
                .depthStencil(target, LoadOp.CLEAR, 1, clear)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> {});
        return compile(graph);
    }

    private static FramePlan mipped(int base, int count) {
        RenderGraph graph = new RenderGraph("mips");
        TextureDescription shape = TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED)
                .withMips(4);
        RdgTexture levels = graph.registerExternal(FakeResources.made("levels", shape), TextureLayout.SHADER_RO);
        graph.addPass("read", PassKind.COMPUTE)
                .flag(PassFlag.NEVER_CULL)
                .reads(levels.view(new SubresourceRange(base, count, 0, 1, 0, 1)), Access.SAMPLED_COMPUTE)
                .record(context -> {});
        return compile(graph);
    }

    @Test
    void whatFollowsEachOtherIsNamedByItsEnds() {
        assertThat(lines(copies(5), copies(6)))
                .contains("~ recording from 'copy 0': 'copy 0' to 'copy 4' (5 passes)"
                        + " -> 'copy 0' to 'copy 5' (6 passes)");
    }

    private static FramePlan copies(int count) {
        RenderGraph graph = new RenderGraph("copies");
        for (int i = 0; i < count; i++) {
            graph.addPass("copy " + i, PassKind.COPY).flag(PassFlag.NEVER_CULL).record(context -> {});
        }
        return new RenderGraphCompiler(RdgOptions.defaults().withPassLimits(16, 32))
                .compile(graph, QueueTopology.graphicsAndCompute(), NO_SIZES);
    }

    @Test
    void whyNothingDiffersIsSaid() throws IOException {
        UnaryOperator<RdgOptions> off = options -> options.withAsync(AsyncCompute.OFF);
        assertThat(PlanDiff.between(plan(DEPTH, SKY), plan(DEPTH, SKY)).sameBecause())
                .isEqualTo("both are the same graph under the same options");
        assertThat(PlanDiff.between(plan(off, DEPTH, SKY), plan(DEPTH, SKY)).sameBecause())
                .isEqualTo(
                        "async compute is off in one and tagged in the other, but each pass is on the same queue in both");
        assertThat(PlanDiff.between(oneQueue(AsyncCompute.OFF), oneQueue(AsyncCompute.ALL))
                        .sameBecause())
                .isEqualTo(
                        "async compute is off in one and all in the other, but there is one queue, on which all passes run");
        QueueTopology two = QueueTopology.graphicsAndCompute();
        assertThat(PlanDiff.between(tagged(AsyncCompute.TAGGED, two), tagged(AsyncCompute.ALL, two))
                        .sameBecause())
                .isEqualTo(
                        "async compute is tagged in one and all in the other, but each pass is on the same queue in both");
        assertThat(PlanDiff.between(
                                plan(options -> options.withAliasing(false), DEPTH, SKY),
                                plan(options -> options.withReusePlans(false).withAliasing(false), DEPTH, SKY))
                        .sameBecause())
                .isEqualTo("the options differ, but not in what they do to this graph");
        assertThat(PlanDiff.between(plan(DEPTH, SKY), plan(DEPTH, SSAO, LIGHT)).sameBecause())
                .isEmpty();
    }

    private static FramePlan oneQueue(AsyncCompute async) {
        return tagged(async, QueueTopology.single());
    }

    private static FramePlan tagged(AsyncCompute async, QueueTopology queues) {
        RenderGraph graph = new RenderGraph("tagged");
        graph.addPass("think", PassKind.COMPUTE)
                .flag(PassFlag.NEVER_CULL)
                .flag(PassFlag.ASYNC_COMPUTE)
                .record(context -> {});
        return new RenderGraphCompiler(RdgOptions.defaults().withAsync(async)).compile(graph, queues, NO_SIZES);
    }

    private static FramePlan compile(RenderGraph graph) {
        return new RenderGraphCompiler(RdgOptions.defaults())
                .compile(graph, QueueTopology.graphicsAndCompute(), NO_SIZES);
    }

    /** One graph, declared each time with one thing changed; every change is a line of its subject. */
    @Test
    void everyPartOfAPlanIsCompared() {
        FramePlan base = whole(part -> part);
        assertThat(lines(base, whole(part -> part))).isEmpty();
        for (Subject subject : List.of(Subject.DECLARATION, Subject.TARGET, Subject.RECORDING, Subject.RESOURCE)) {
            FramePlan other = whole(part -> part.equals(subject.name()) ? "changed" : part);

            assertThat(PlanDiff.between(base, other).changes())
                    .as(subject.name())
                    .extracting(Change::subject)
                    .contains(subject);
        }
    }

    private static FramePlan whole(UnaryOperator<String> change) {
        RenderGraph graph = new RenderGraph("whole");
        RdgTexture target = graph.registerExternal(
                FakeResources.texture("target", 1, 1, Format.R8G8B8A8_UNORM), TextureLayout.COLOR);
        if (change.apply("RESOURCE").equals("changed")) {
            graph.finalAccess(target, Access.COPY_SRC);
        }
        boolean clears = change.apply("TARGET").equals("changed");
        PassBuilder draw = graph.addPass("draw", PassKind.RASTER)
                .color(target, 0, 0, clears ? LoadOp.CLEAR : LoadOp.DONT_CARE, ClearColor.BLACK_TRANSPARENT);
        if (change.apply("DECLARATION").equals("changed")) {
            draw.flag(PassFlag.UNTRACKED_ACCESS);
        }
        draw.record(context -> {});
        PassBuilder copy = graph.addPass("copy", PassKind.COPY).flag(PassFlag.NEVER_CULL);
        if (change.apply("RECORDING").equals("changed")) {
            copy.flag(PassFlag.NEVER_PARALLEL);
        }
        copy.record(context -> {});
        return compile(graph);
    }

    @Test
    void jsonHasTheSame() throws IOException {
        StringWriter json = new StringWriter();
        FramePlan async = plan(DEPTH, SSAO, LIGHT);
        PlanDiff.between(async, plan(options -> options.withAsync(AsyncCompute.OFF), DEPTH, SSAO, LIGHT))
                .writeJson(json);

        assertThat(json.toString())
                .startsWith("{\"before\":\"g\",\"after\":\"g\",\"changes\":[{\"subject\":\"PASS\",\"name\":\"'SSAO'\","
                        + "\"before\":\"on C, level 1\",\"after\":\"on G, level 1\"}")
                .contains("{\"subject\":\"WAIT\",\"name\":\"of 'SSAO' for 'Depth'\",\"before\":\"on 'depth'\"}")
                .endsWith("]}\n")
                .hasLineCount(1);
    }

    @Test
    void warningsAreData() throws IOException {
        assertThat(plan(DEPTH, SSAO, LIGHT).warnings())
                .containsExactly(new PlanWarning(PlanWarning.Code.UNUSED_RESOURCE, "sky", "no pass uses 'sky'"));
        assertThat(plan(DEPTH, SSAO, SKY, LIGHT).warnings())
                .extracting(PlanWarning::code, PlanWarning::subject)
                .containsExactly(tuple(PlanWarning.Code.CULLED_PASS, "Sky"));
        assertThat(plan(options -> options.withCullPasses(false), DEPTH, SSAO, SKY, LIGHT)
                        .warnings())
                .containsExactly(
                        new PlanWarning(PlanWarning.Code.NEVER_READ, "sky", "'sky' is written, but nothing reads it"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PASS",
                "DECLARATION",
                "TARGET",
                "ORDER",
                "WAIT",
                "BARRIER",
                "RENDER_PASS",
                "RECORDING",
                "RESOURCE",
                "PLACEMENT",
                "WARNING",
                "TOTAL"
            })
    void linesNameTheirSubject(String subject) {
        Subject of = Subject.valueOf(subject);
        String words = subject.toLowerCase(Locale.ROOT).replace('_', ' ');

        assertThat(new Change(of, "'A'", null, "x")).hasToString("+ " + words + " 'A': x");
        assertThat(new Change(of, "'A'", "", null)).hasToString("- " + words + " 'A'");
        assertThat(new Change(of, "'A'", "x", "y")).hasToString("~ " + words + " 'A': x -> y");
    }
}
