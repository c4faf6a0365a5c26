package io.frameloom.rdg.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.PlanCase;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.diagnostics.Breakpoint;
import io.frameloom.rdg.diagnostics.PlanDumpMode;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.diagnostics.RdgListener;
import io.frameloom.rdg.diagnostics.RdgWatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanDumpTest {
    @TempDir
    private Path folder;

    /** Drawings need no other library; data is written by one that these tests do not have. */
    @Test
    void withoutToolsADumpIsADrawing() {
        List<String> heard = new ArrayList<>();
        RdgListener listener = new RdgListener() {
            @Override
            public void reached(Breakpoint moment, String graph, String subject) {}

            @Override
            public void transition(String graph, String line) {}

            @Override
            public void notWritten(Path path, String message, IOException cause) {
                heard.add(message);
            }
        };
        RdgOptions options = RdgOptions.defaults()
                .withDiagnostics(RdgDiagnostics.none()
                        .withWatch(RdgWatch.none()
                                .withDump(PlanDumpMode.STATES, folder)
                                .withListener(listener)));
        RenderGraph graph = new RenderGraph("frame");
        graph.addPass("pass", PassKind.COMPUTE, context -> {});
        new RenderGraphCompiler(options).compile(graph, QueueTopology.single(), PlanCase.SIZER);
        assertThat(folder.resolve("frame.states.dot")).content().contains("pass");
        assertThat(heard).isEmpty();
    }
}
