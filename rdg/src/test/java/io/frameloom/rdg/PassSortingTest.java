package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.Access;
import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.BufferUsage;
import io.frameloom.rdg.RdgError.Code;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Errors of passes that have no order. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PassSortingTest {
    private static final RdgOptions OPTIONS =
            RdgOptions.defaults().withOrder(PassOrder.UNORDERED).withDebug(true);

    @Test
    void twoWritersAreToldWithTheirSites() {
        RenderGraph graph = new RenderGraph("writers", OPTIONS);
        RdgBuffer buffer = graph.createBuffer("buffer", BufferDescription.device(64, BufferUsage.STORAGE));
        write(graph, "A", buffer).record(context -> {});
        write(graph, "B", buffer).record(context -> {});

        refused(graph, Code.MULTI_WRITER);
    }

    @Test
    void aCircleIsToldWithItsSites() {
        RenderGraph graph = new RenderGraph("circle", OPTIONS);
        RdgBuffer a = graph.createBuffer("a", BufferDescription.device(64, BufferUsage.STORAGE));
        RdgBuffer b = graph.createBuffer("b", BufferDescription.device(64, BufferUsage.STORAGE));
        write(graph, "A", a).reads(b, Access.STORAGE_READ_COMPUTE).record(context -> {});
        write(graph, "B", b).reads(a, Access.STORAGE_READ_COMPUTE).record(context -> {});

        refused(graph, Code.CYCLE);
    }

    private static PassBuilder write(RenderGraph graph, String name, RdgBuffer buffer) {
        return graph.addPass(name, PassKind.COMPUTE)
                .flag(PassFlag.NEVER_CULL)
                .overwrites(buffer, Access.STORAGE_WRITE_COMPUTE);
    }

    private static void refused(RenderGraph graph, Code code) {
        assertThatThrownBy(() -> new RenderGraphCompiler(OPTIONS)
                        .compile(graph, QueueTopology.graphicsAndCompute(), PlanPropertiesTest.SIZER))
                .isInstanceOfSatisfying(RdgValidationException.class, thrown -> {
                    assertThat(thrown.errors()).extracting(RdgError::code).containsExactly(code);
                    assertThat(thrown.errors().get(0).sites())
                            .hasSize(2)
                            .allMatch(site -> site.contains("PassSortingTest.java"));
                });
    }
}
