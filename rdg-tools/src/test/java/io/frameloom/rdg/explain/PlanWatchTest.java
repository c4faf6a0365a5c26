package io.frameloom.rdg.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.FakeResources;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.diagnostics.Breakpoint;
import io.frameloom.rdg.diagnostics.CompilePhase;
import io.frameloom.rdg.diagnostics.NameFilter;
import io.frameloom.rdg.diagnostics.PlanDumpMode;
import io.frameloom.rdg.diagnostics.PlanWarning;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.diagnostics.RdgListener;
import io.frameloom.rdg.diagnostics.RdgWatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is told and drawn of a plan when it is compiled. */
@Timeout(60)
class PlanWatchTest {
    private static final MemorySizer SIZER = new MemorySizer() {
        @Override
        public MemoryRequirements requirements(TextureDescription description) {
            return new MemoryRequirements(1024, 256, 1);
        }

        @Override
        public MemoryRequirements requirements(BufferDescription description) {
            return new MemoryRequirements(description.bytes(), 256, 1);
        }
    };

    @TempDir
    private Path folder;

    private final List<String> told = new ArrayList<>();
    private final RdgWatch watch = RdgWatch.none().withListener(new RdgListener() {
        @Override
        public void reached(Breakpoint moment, String graph, String subject) {
            told.add(moment + " " + graph + " " + subject);
        }

        @Override
        public void transition(String graph, String line) {
            told.add(graph + " " + line);
        }
    });

    private FramePlan compile(RdgWatch asked) {
        return compile(asked, false);
    }

    private FramePlan compile(RdgWatch asked, boolean withUnused) {
        RenderGraph graph = new RenderGraph("a/frame");
        TextureDescription shape = TextureDescription.of(4, 4, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED);
        RdgTexture scene = graph.createTexture("scene \"1\"", shape);
        RdgTexture unread = graph.createTexture("unread", shape);
        RdgTexture out = graph.registerExternal(
                FakeResources.texture("out", 1, 1, Format.R8G8B8A8_UNORM), TextureLayout.UNDEFINED);
        graph.addPass("draw", PassKind.RASTER)
                .color(scene, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                .record(context -> {});
        graph.addPass("light", PassKind.COMPUTE)
                .reads(scene, Access.SAMPLED_COMPUTE)
                .overwrites(out, Access.STORAGE_WRITE_COMPUTE)
                .flag(PassFlag.ASYNC_COMPUTE)
                .record(context -> {});
        graph.addPass("dead", PassKind.RASTER)
                .color(unread, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                .record(context -> {});
        if (withUnused) {
            graph.createTexture("unused", shape);
        }
        return new RenderGraphCompiler(RdgOptions.defaults()
                        .withDiagnostics(RdgDiagnostics.none().withWatch(asked)))
                .compile(graph, QueueTopology.graphicsAndCompute(), SIZER);
    }

    @Test
    void nothingIsToldUnlessAsked() {
        compile(watch);
        assertThat(told).isEmpty();
    }

    @Test
    void passesAndWarningsAreToldWhereTheFiltersMatch() {
        compile(watch.withBreakpoint(Breakpoint.COMPILE).withPasses(new NameFilter("d*")));
        assertThat(told).containsExactly("COMPILE a/frame draw", "COMPILE a/frame dead");
        told.clear();
        compile(watch.withBreakpoint(Breakpoint.COMPILE).withGraphs(new NameFilter("!a/*")));
        assertThat(told).isEmpty();
        compile(watch.withBreakpoint(Breakpoint.WARNING));
        assertThat(told).containsExactly("WARNING a/frame dead");
        told.clear();
        compile(watch.withBreakpoint(Breakpoint.WARNING)
                .withPasses(new NameFilter("light"))
                .withResources(new NameFilter("scene*")));
        assertThat(told).isEmpty();
    }

    /** Warnings of passes are limited by the filter of passes alone, those of resources by that of resources. */
    @Test
    void eachFilterLimitsTheWarningsOfItsKind() {
        RdgWatch warnings = watch.withBreakpoint(Breakpoint.WARNING);
        compile(warnings, true);
        assertThat(told).containsExactly("WARNING a/frame dead", "WARNING a/frame unused");
        told.clear();
        compile(warnings.withPasses(new NameFilter("nothing")), true);
        assertThat(told).containsExactly("WARNING a/frame unused");
        told.clear();
        compile(warnings.withResources(new NameFilter("nothing")), true);
        assertThat(told).containsExactly("WARNING a/frame dead");
        told.clear();
        compile(warnings.withPasses(new NameFilter("unused")).withResources(new NameFilter("dead")), true);
        assertThat(told).isEmpty();
    }

    @Test
    void compiledPassesAreLimitedByTheFilterOfPassesAlone() {
        RdgWatch compiled = watch.withBreakpoint(Breakpoint.COMPILE);
        compile(compiled.withResources(new NameFilter("nothing")));
        assertThat(told).contains("COMPILE a/frame draw", "COMPILE a/frame light", "COMPILE a/frame dead");
        told.clear();
        compile(compiled.withPasses(new NameFilter("nothing")));
        assertThat(told).isEmpty();
    }

    @Test
    void barriersAreLimitedByEachFilter() {
        RdgWatch log = watch.withTransitionLog(true);
        compile(log.withPasses(new NameFilter("nothing")));
        compile(log.withResources(new NameFilter("nothing")));
        assertThat(told).isEmpty();
    }

    @Test
    void everyBarrierIsToldWithItsReason() {
        FramePlan plan = compile(watch.withTransitionLog(true));
        assertThat(told).hasSize(plan.barrierCount());
        assertThat(told).anyMatch(line -> line.contains("'scene \"1\"' COLOR -> SHADER_RO"));
        told.clear();
        compile(watch.withTransitionLog(true)
                .withPasses(new NameFilter("light"))
                .withResources(new NameFilter("out")));
        assertThat(told).isNotEmpty().allMatch(line -> line.contains("'light': 'out'"));
    }

    @ParameterizedTest
    @EnumSource(names = {"DEPENDENCIES", "STATES", "TIMELINE"})
    void graphsAreDrawn(PlanDumpMode mode) throws IOException {
        compile(watch.withDump(mode, folder.resolve("deep")));
        try (Stream<Path> files = Files.list(folder.resolve("deep"))) {
            assertThat(files.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "a-frame.json", "a-frame." + mode.name().toLowerCase(Locale.ROOT) + ".dot");
        }
        assertThat(new ObjectMapper()
                        .readTree(folder.resolve("deep/a-frame.json").toFile())
                        .get("passes"))
                .hasSize(3);
        String dot =
                Files.readString(folder.resolve("deep/a-frame." + mode.name().toLowerCase(Locale.ROOT) + ".dot"));
        assertThat(dot).startsWith("digraph \"a/frame\" {").endsWith("}\n").contains("\"draw");
        switch (mode) {
            case DEPENDENCIES -> assertThat(dot).contains("p0 -> p1", "scene \\\"1\\\"", "dead\\nremoved: ");
            case STATES -> assertThat(dot).contains("COLOR -> SHADER_RO").doesNotContain("dead");
            default -> assertThat(dot).contains("subgraph cluster_1", "p0 -> p1", "must wait for");
        }
    }

    @Test
    void saysWhereADumpCannotBeWritten() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        List<String> told = new ArrayList<>();
        RdgListener listener = new RdgListener() {
            @Override
            public void reached(Breakpoint moment, String graph, String subject) {}

            @Override
            public void transition(String graph, String line) {}

            @Override
            public void notWritten(Path path, String message, IOException cause) {
                told.add(path.getFileName() + ": " + message);
            }
        };
        compile(watch.withDump(PlanDumpMode.STATES, file).withListener(listener));
        assertThat(told).hasSize(2).allSatisfy(line -> assertThat(line).contains("frameloom.rdg.dumpFolder"));
        assertThat(told.get(0)).startsWith("a-frame.states.dot: ").contains(file.resolve("a-frame.states.dot") + ";");
        assertThat(told.get(1)).startsWith("a-frame.json: ");
    }

    /** Tells what warns, and that times of a compilation are there. */
    private static RdgListener findings(List<String> heard) {
        return new RdgListener() {
            @Override
            public void reached(Breakpoint moment, String graph, String subject) {}

            @Override
            public void transition(String graph, String line) {}

            @Override
            public void warned(String graph, PlanWarning warning) {
                heard.add(graph + ": " + warning.message());
            }

            @Override
            public void compileTimes(String graph, Map<CompilePhase, Long> nanos) {
                heard.add(graph + " " + nanos.size());
            }
        };
    }

    @Test
    void warningsAreToldInWords() {
        List<String> heard = new ArrayList<>();
        compile(watch.withBreakpoint(Breakpoint.WARNING)
                .withResources(new NameFilter("!unused"))
                .withListener(findings(heard)));
        assertThat(heard).singleElement().asString().startsWith("a/frame: pass 'dead' is removed: ");
    }

    @Test
    void timesAreToldOfGraphsThatAreCompiledAnew() {
        List<String> heard = new ArrayList<>();
        RdgDiagnostics diagnostics =
                RdgDiagnostics.none().withCompileTimes(true).withWatch(watch.withListener(findings(heard)));
        RenderGraphCompiler compiler =
                new RenderGraphCompiler(RdgOptions.defaults().withDiagnostics(diagnostics));
        for (String name : List.of("first", "again")) {
            compiler.compile(new RenderGraph(name), QueueTopology.graphicsAndCompute(), SIZER);
        }
        assertThat(heard).containsExactly("first " + CompilePhase.values().length);
    }

    @Test
    void theLogOfThePlatformIsTheDefault() {
        assertThat(RdgWatch.none().listener()).isSameAs(RdgListener.logging());
    }

    /** Passes of such a graph do not run while they are declared, whatever is asked for. */
    @Test
    void immediateModeWithoutAnExecutorIsToldOnce() {
        List<String> heard = new ArrayList<>();
        RdgWatch listening = RdgWatch.none().withListener(new RdgListener() {
            @Override
            public void reached(Breakpoint moment, String graph, String subject) {}

            @Override
            public void transition(String graph, String line) {}

            @Override
            public void notImmediate(String graph, String message) {
                heard.add(graph + ": " + message);
            }
        });
        RdgDiagnostics diagnostics = RdgDiagnostics.none().withWatch(listening);
        for (boolean immediate : List.of(false, true)) {
            RenderGraphCompiler compiler = new RenderGraphCompiler(
                    RdgOptions.defaults().withDiagnostics(diagnostics.withImmediate(immediate)));
            for (String name : List.of("first", "second")) {
                compiler.compile(new RenderGraph(name), QueueTopology.graphicsAndCompute(), SIZER);
            }
        }
        assertThat(heard)
                .containsExactly(
                        "first: immediate mode has no effect on graph 'first', which has no executor to run its"
                                + " passes; begin it with FrameExecutor.beginGraph in place of new RenderGraph");
    }
}
