package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.PassSchedule.Policy;
import io.frameloom.rdg.capture.Capture;
import io.frameloom.rdg.diagnostics.Clobber;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Captures and clobber find their passes whatever order a policy has chosen. */
@Timeout(60)
class ScheduledInsertionsTest {
    private static final TextureDescription SHAPE =
            TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.STORAGE, TextureUsage.COPY_SRC);
    private static final List<String> NAMES = List.of("a", "b", "c");
    private static final int SEEDS = 20;

    /** Three chains that do not know each other: write, then read into something extracted. */
    private static RenderGraph chains() {
        RenderGraph graph = new RenderGraph("chains");
        List<RdgTexture> written = new ArrayList<>();
        for (String name : NAMES) {
            RdgTexture texture = graph.createTexture(name, SHAPE);
            written.add(texture);
            graph.addPass("write " + name, PassKind.COMPUTE)
                    .overwrites(texture, Access.STORAGE_WRITE_COMPUTE)
                    .record(context -> {});
        }
        for (RdgTexture texture : written) {
            RdgTexture out = graph.createTexture("out " + texture.name(), SHAPE);
            graph.extract(out, Access.STORAGE_READ_COMPUTE);
            graph.addPass("read " + texture.name(), PassKind.COMPUTE)
                    .reads(texture, Access.STORAGE_READ_COMPUTE)
                    .overwrites(out, Access.STORAGE_WRITE_COMPUTE)
                    .record(context -> {});
        }
        return graph;
    }

    private static List<String> compiled(PassSchedule schedule, RdgDiagnostics diagnostics) {
        RdgOptions options = RdgOptions.defaults()
                .withPolicy(PlanPolicy.defaults().withSchedule(schedule))
                .withDiagnostics(diagnostics);
        FramePlan plan = new RenderGraphCompiler(options).compile(chains(), QueueTopology.single(), PlanCase.SIZER);
        assertThat(plan.passes()).as(schedule.toString()).noneMatch(FramePlan.PassPlan::culled);
        List<String> order = new ArrayList<>();
        plan.batches()
                .forEach(batch -> batch.passes()
                        .forEach(pass -> order.add(plan.passes().get(pass).name())));
        return order;
    }

    private static List<PassSchedule> schedules(Policy policy) {
        List<PassSchedule> schedules = new ArrayList<>();
        for (long seed = 0; seed < (policy == Policy.RANDOM ? SEEDS : 1); seed++) {
            schedules.add(new PassSchedule(policy, seed));
        }
        return schedules;
    }

    @ParameterizedTest
    @EnumSource
    void capturesFollowTheWriteOfTheirTexture(Policy policy) {
        RdgDiagnostics captures = RdgDiagnostics.none()
                .withCaptures(NAMES.stream().map(Capture::of).toList());
        for (PassSchedule schedule : schedules(policy)) {
            List<String> order = compiled(schedule, captures);
            for (String name : NAMES) {
                assertThat(order).as(schedule.toString()).containsSubsequence("write " + name, "capture " + name);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void clobberComesBeforeTheFirstWrite(Policy policy) {
        for (PassSchedule schedule : schedules(policy)) {
            List<String> order = compiled(schedule, RdgDiagnostics.none().withClobber(Clobber.NAN));
            for (String name : NAMES) {
                assertThat(order)
                        .as(schedule.toString())
                        .containsSubsequence("clobber " + name, "write " + name, "read " + name)
                        .containsSubsequence("clobber out " + name, "read " + name);
            }
        }
    }
}
