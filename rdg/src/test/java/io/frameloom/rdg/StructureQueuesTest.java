package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Where builds of acceleration structures and traces run beside raster passes, and who waits for them. A batch is written as
 * its queue, its passes, and the batches that it waits for.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StructureQueuesTest {
    private static final QueueTopology QUEUES = new QueueTopology(List.of(
            new QueueTopology.Queue("G", QueueKind.GRAPHICS, 0),
            new QueueTopology.Queue("C", QueueKind.COMPUTE, 1),
            new QueueTopology.Queue("T", QueueKind.COPY, 2)));

    private final RenderGraph graph = new RenderGraph("frame");
    private final RdgBuffer bottom = external("bottom");
    private final RdgBuffer now = external("now");
    private final RdgBuffer next = external("next");

    private RdgBuffer external(String name) {
        return graph.registerExternal(FakeResources.buffer(name, 1024));
    }

    private RdgTexture texture(String name, Format format) {
        return graph.createTexture(name, TextureDescription.of(64, 64, format));
    }

    private static String batches(FramePlan plan) {
        List<String> words = new ArrayList<>();
        for (FramePlan.Batch batch : plan.batches()) {
            List<String> passes = batch.passes().stream()
                    .map(pass -> plan.passes().get(pass).name())
                    .toList();
            List<Integer> waits =
                    batch.waits().stream().map(FramePlan.BatchWait::batch).toList();
            words.add(QUEUES.queues().get(batch.queue()).name() + passes + (waits.isEmpty() ? "" : " after " + waits));
        }
        return String.join("; ", words);
    }

    private FramePlan compile(AsyncCompute async) {
        return compile(RdgOptions.defaults().withAsync(async));
    }

    private FramePlan compile(RdgOptions options) {
        return new RenderGraphCompiler(options).compile(graph, QUEUES, PlanPropertiesTest.SIZER);
    }

    private void build(String name, RdgBuffer structure, RdgBuffer input, Access read, PassFlag... flags) {
        RdgBuffer scratch = graph.createBuffer("scratch of " + name, BufferDescription.device(1024));
        graph.addPass(name, PassKind.COMPUTE)
                .flag(flags)
                .reads(input, read)
                .overwrites(structure, Access.ACCELERATION_STRUCTURE_BUILD_WRITE)
                .overwrites(scratch, Access.ACCELERATION_STRUCTURE_SCRATCH)
                .record(context -> {});
    }

    /** Rebuilds the scene for the next frame, and traces occlusion in this one, beside what is drawn. */
    private void frame(PassFlag... flags) {
        frame(false, flags);
    }

    private void shadow(RdgTexture shadows) {
        graph.addPass("shadow", PassKind.RASTER).depth(shadows, LoadOp.CLEAR, 1).record(context -> {});
    }

    private void frame(boolean shadowFirst, PassFlag... flags) {
        RdgTexture shadows = texture("shadows", Format.D32_SFLOAT);
        RdgTexture depth = texture("depth", Format.D32_SFLOAT);
        RdgTexture color = texture("color", Format.R8G8B8A8_UNORM);
        RdgTexture occlusion = texture("occlusion", Format.R8G8B8A8_UNORM);
        RdgTexture lit = texture("lit", Format.R8G8B8A8_UNORM);
        build("bottoms", bottom, external("vertices"), Access.ACCELERATION_STRUCTURE_INPUT, flags);
        build("top", next, bottom, Access.ACCELERATION_STRUCTURE_BUILD_READ, flags);
        if (shadowFirst) {
            shadow(shadows);
        }
        graph.addPass("base", PassKind.RASTER)
                .color(color, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                .depth(depth, LoadOp.CLEAR, 1)
                .record(context -> {});
        graph.addPass("trace", PassKind.COMPUTE)
                .flag(flags)
                .reads(depth, Access.SAMPLED_RAYS)
                .reads(now, Access.ACCELERATION_STRUCTURE_TRACE_RAYS)
                .overwrites(occlusion, Access.STORAGE_WRITE_RAYS)
                .record(context -> {});
        if (!shadowFirst) {
            shadow(shadows);
        }
        graph.addPass("light", PassKind.RASTER)
                .color(lit, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                .reads(color, Access.SAMPLED_FRAGMENT)
                .reads(shadows, Access.SAMPLED_FRAGMENT)
                .reads(occlusion, Access.SAMPLED_FRAGMENT)
                .record(context -> {});
        graph.extract(lit, Access.COPY_SRC);
    }

    @ParameterizedTest
    @EnumSource(names = {"TAGGED", "MEASURED"})
    void taggedBuildsAndTracesRunBesideRasterAndNothingWaitsForTheNextFrame(AsyncCompute async) {
        frame(PassFlag.ASYNC_COMPUTE);
        assertThat(batches(compile(async)))
                .isEqualTo("C[bottoms, top]; G[base]; C[trace] after [1]; G[shadow]; G[light] after [2]");
    }

    @Test
    void allBuildsAndTracesLeaveGraphicsWithoutAFlag() {
        frame();
        assertThat(batches(compile(AsyncCompute.ALL)))
                .isEqualTo("C[bottoms, top]; G[base]; C[trace] after [1]; G[shadow]; G[light] after [2]");
        assertThat(batches(compile(AsyncCompute.TAGGED))).isEqualTo("G[bottoms, top, base, trace, shadow, light]");
    }

    /** What is declared before the pass that rays wait for is drawn before they start, unless passes may change places. */
    @Test
    void theOrderOfOverlapDrawsTheShadowMapWhileRaysAreTraced() {
        frame(true, PassFlag.ASYNC_COMPUTE);
        assertThat(batches(compile(AsyncCompute.TAGGED)))
                .isEqualTo("C[bottoms, top]; G[shadow, base]; C[trace] after [1]; G[light] after [2]");
        PlanPolicy overlap = PlanPolicy.defaults().withSchedule(PassSchedule.of(PassSchedule.Policy.OVERLAP));
        assertThat(batches(compile(RdgOptions.defaults().withPolicy(overlap))))
                .isEqualTo("C[bottoms, top]; G[base]; C[trace] after [1]; G[shadow]; G[light] after [2]");
    }

    @Test
    void regionsForkAndJoinWhereStructuresAreMadeAndTraced() {
        frame(PassFlag.ASYNC_COMPUTE);
        FramePlan plan = compile(AsyncCompute.TAGGED);
        assertThat(plan.asyncRegions())
                .extracting(region -> plan.passes().get(region.pass()).name() + " "
                        + (region.fork() < 0
                                ? ""
                                : plan.passes().get(region.fork()).name()) + "-"
                        + (region.join() < 0
                                ? ""
                                : plan.passes().get(region.join()).name()))
                .containsExactly("bottoms -light", "top -light", "trace base-light");
    }

    /** Rays of fragment shaders need graphics, and wait for the builds; so does the build that replaces what they read. */
    @Test
    void raysOnGraphicsAndBuildsBesideWaitForEachOther() {
        build("top", now, bottom, Access.ACCELERATION_STRUCTURE_BUILD_READ, PassFlag.ASYNC_COMPUTE);
        RdgTexture lit = texture("lit", Format.R8G8B8A8_UNORM);
        graph.addPass("draw", PassKind.RASTER)
                .color(lit, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                .reads(now, Access.ACCELERATION_STRUCTURE_TRACE_GRAPHICS)
                .record(context -> {});
        build("rebuild", now, bottom, Access.ACCELERATION_STRUCTURE_BUILD_READ, PassFlag.ASYNC_COMPUTE);
        graph.extract(lit, Access.COPY_SRC);
        FramePlan plan = compile(AsyncCompute.TAGGED);
        assertThat(batches(plan)).isEqualTo("C[top]; G[draw] after [0]; C[rebuild] after [1]");
        assertThat(plan.batches().get(2).waits().get(0).stages())
                .isIn(PipelineStage.ALL_COMMANDS.bit(), PipelineStage.ACCELERATION_STRUCTURE_BUILD.bit());
    }

    /** No stage of builds is named on the queue that copies. */
    @Test
    void verticesThatACopyQueueUploadsAreBuiltOfBesideGraphics() {
        RdgBuffer vertices = graph.createBuffer("vertices", BufferDescription.device(1024));
        graph.addPass("upload", PassKind.COPY)
                .flag(PassFlag.ASYNC_COPY)
                .overwrites(vertices, Access.COPY_DST)
                .record(context -> {});
        build("bottoms", bottom, vertices, Access.ACCELERATION_STRUCTURE_INPUT, PassFlag.ASYNC_COMPUTE);
        FramePlan plan = compile(AsyncCompute.TAGGED);
        assertThat(batches(plan)).isEqualTo("T[upload]; C[bottoms] after [0]");
        assertThat(plan.passes().get(0).after()).isEmpty();
    }
}
