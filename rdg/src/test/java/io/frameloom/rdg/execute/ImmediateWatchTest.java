package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.TextureExtraction;
import io.frameloom.rdg.diagnostics.Breakpoint;
import io.frameloom.rdg.diagnostics.NameFilter;
import io.frameloom.rdg.diagnostics.PlanDumpMode;
import io.frameloom.rdg.diagnostics.PlanWarning;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.diagnostics.RdgListener;
import io.frameloom.rdg.diagnostics.RdgWatch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a listener is told of a graph in immediate mode, and when. */
class ImmediateWatchTest {
    private static final RdgDiagnostics IMMEDIATE = RdgDiagnostics.none().withImmediate(true);
    private static final BufferDescription DATA = BufferDescription.device(64, BufferUsage.STORAGE);
    private static final TextureDescription PICTURE =
            TextureDescription.of(8, 4, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED);

    /** Returns what a listener is told of a graph with a resource that no pass uses and one that none reads, by then. */
    private static List<List<String>> told(RdgWatch asked) {
        List<String> told = new ArrayList<>();
        List<List<String>> steps = new ArrayList<>();
        RdgWatch watch = asked.withListener(new RdgListener() {
            @Override
            public void reached(Breakpoint moment, String graph, String subject) {
                told.add(moment + " " + graph + " " + subject);
            }

            @Override
            public void transition(String graph, String line) {
                told.add(graph + " " + line);
            }
        });
        TestDevice.VIRTUAL.run(IMMEDIATE.withWatch(watch), rig -> {
            RenderGraph graph = rig.begin("frame");
            graph.createBuffer("unused", DATA);
            RdgTexture unread = graph.createTexture("unread", PICTURE);
            RdgTexture out = graph.createTexture("out", PICTURE);
            TextureExtraction extraction = graph.extract(out, Access.SAMPLED_FRAGMENT);
            for (RdgTexture target : List.of(unread, out)) {
                graph.addPass("draw " + target.name(), PassKind.RASTER)
                        .color(target, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                        .record(context -> {});
                steps.add(List.copyOf(told));
                told.clear();
            }
            FramePlan rest = rig.compile(graph);
            steps.add(List.copyOf(told));
            assertThat(rest.warnings())
                    .extracting(PlanWarning::code, PlanWarning::subject)
                    .containsExactly(
                            tuple(PlanWarning.Code.UNUSED_RESOURCE, "unused"),
                            tuple(PlanWarning.Code.NEVER_READ, "unread"));
            rig.executor.execute(rest).completed().await();
            rig.executor.close();
            extraction.texture().close();
        });
        return steps;
    }

    @Test
    void compiledPassesAreToldWhileTheyAreDeclared() {
        assertThat(told(RdgWatch.none().withBreakpoint(Breakpoint.COMPILE)))
                .containsExactly(
                        List.of("COMPILE frame draw unread"),
                        List.of("COMPILE frame draw out"),
                        List.of("COMPILE frame end of immediate mode"));
        assertThat(told(RdgWatch.none().withBreakpoint(Breakpoint.COMPILE).withPasses(new NameFilter("draw out"))))
                .containsExactly(List.of(), List.of("COMPILE frame draw out"), List.of());
    }

    /** What is wrong with a resource shows when all passes are there. */
    @Test
    void warningsAreToldOfTheWholeGraph() {
        RdgWatch warnings = RdgWatch.none().withBreakpoint(Breakpoint.WARNING);
        assertThat(told(warnings))
                .containsExactly(List.of(), List.of(), List.of("WARNING frame unused", "WARNING frame unread"));
        assertThat(told(warnings.withGraphs(new NameFilter("other")))).containsExactly(List.of(), List.of(), List.of());
    }

    @Test
    void theBarriersOfEachPassAreLogged() {
        List<List<String>> steps = told(RdgWatch.none().withTransitionLog(true));
        assertThat(steps.get(0))
                .singleElement()
                .asString()
                .contains("frame before 'draw unread': 'unread' UNDEFINED -> COLOR");
        assertThat(steps.get(1)).singleElement().asString().contains("'draw out': 'out' UNDEFINED -> COLOR");
        assertThat(steps.get(2)).anyMatch(line -> line.contains("'out' COLOR -> SHADER_RO"));
    }

    /** Each pass is a plan of its own, so none has a picture of the graph. */
    @Test
    void refusesToDrawTheGraph() {
        TestDevice.VIRTUAL.run(RdgDiagnostics.none(), rig -> {
            RdgWatch drawing = RdgWatch.none().withDump(PlanDumpMode.STATES, Path.of("dump"));
            for (String graphs : List.of("frame", "other")) {
                RenderGraphCompiler compiler = new RenderGraphCompiler(RdgOptions.defaults()
                        .withDiagnostics(IMMEDIATE.withWatch(drawing.withGraphs(new NameFilter(graphs)))));
                if (graphs.equals("frame")) {
                    assertThatThrownBy(() -> rig.executor.beginGraph("frame", compiler))
                            .isInstanceOf(RdgException.class)
                            .hasMessageContaining("graph 'frame' cannot run in immediate mode with dumps")
                            .hasMessageContaining("switch frameloom.rdg.immediate or frameloom.rdg.dump off");
                } else {
                    rig.executor.beginGraph("frame", compiler);
                }
            }
        });
        assertThat(Path.of("dump")).doesNotExist();
    }
}
