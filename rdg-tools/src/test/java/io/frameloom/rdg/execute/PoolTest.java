package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.rdg.BufferExtraction;
import io.frameloom.rdg.BufferHistory;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FrameStatistics.ScopeTime;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.PoolStatistics;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.TextureExtraction;
import io.frameloom.rdg.TextureHistory;
import io.frameloom.rdg.tools.GraphFile;
import io.frameloom.rdg.tools.PlanJson;
import io.frameloom.rdg.utility.ClearPasses;
import io.frameloom.rdg.utility.CopyPasses;
import io.frameloom.rdg.utility.MipPasses;
import io.frameloom.rdg.utility.ReadbackPasses;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an executor keeps from frame to frame, and what it says of scopes, on a device that counts. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PoolTest {
    private static TextureExtraction extractFrame(FakeRig rig) {
        RenderGraph graph = new RenderGraph("extracting");
        RdgTexture made = graph.createTexture("made", FakeRig.TARGET);
        TextureExtraction extraction = graph.extract(made, Access.SAMPLED_FRAGMENT);
        graph.addPass("draw", PassKind.RASTER)
                .color(made, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                .record(context -> {});
        rig.executor.execute(rig.compile(graph)).completed().await();
        return extraction;
    }

    private static void emptyFrame(FakeRig rig) {
        RenderGraph graph = new RenderGraph("empty");
        graph.addPass("nothing", PassKind.COMPUTE, context -> {});
        rig.executor.execute(rig.compile(graph)).completed().await();
    }

    @Test
    void whatIsGivenBackIsExtractedAgain() {
        try (FakeRig rig = FakeRig.graphics()) {
            TextureExtraction first = extractFrame(rig);
            Texture texture = first.texture();
            first.recycle();
            first.recycle();
            assertThat(rig.executor.poolStatistics().idle()).isEqualTo(1);
            TextureExtraction second = extractFrame(rig);
            assertThat(second.texture()).isSameAs(texture);
            assertThat(rig.executor.poolStatistics())
                    .extracting(PoolStatistics::idle, PoolStatistics::created, PoolStatistics::reused)
                    .containsExactly(0, 1L, 1L);
            second.recycle();
        }
    }

    @Test
    void whatIsTakenAgainHasItsOldNameIfItCan() {
        try (FakeRig rig = FakeRig.graphics()) {
            List<TextureExtraction> extractions = extractNamed(rig, "left", "right");
            extractions.forEach(TextureExtraction::recycle);
            for (List<String> names : List.of(List.of("left", "right"), List.of("left", "right"))) {
                List<TextureExtraction> again = extractNamed(rig, names.toArray(String[]::new));
                assertThat(again).extracting(each -> each.texture().name()).isEqualTo(names);
                again.forEach(TextureExtraction::recycle);
            }
            assertThat(extractNamed(rig, "other").get(0).texture().name()).isIn("left", "right");
            assertThat(rig.executor.poolStatistics().created()).isEqualTo(2);
        }
    }

    private static List<TextureExtraction> extractNamed(FakeRig rig, String... names) {
        RenderGraph graph = new RenderGraph("extract");
        List<TextureExtraction> extractions = new ArrayList<>();
        for (String name : names) {
            RdgTexture texture = graph.createTexture(name, FakeRig.TARGET);
            extractions.add(graph.extract(texture, Access.SAMPLED_FRAGMENT));
            graph.addPass("clear " + name, PassKind.COMPUTE)
                    .overwrites(texture, Access.COPY_DST)
                    .record(context -> {});
        }
        rig.executor.execute(rig.compile(graph)).completed().await();
        return extractions;
    }

    @Test
    void whatNobodyTakesIsDestroyedWhenItIsOld() {
        FrameExecutorOptions options =
                FrameExecutorOptions.defaults().withFramesInFlight(1).withPoolFrames(3);
        try (FakeRig rig = new FakeRig(1, options, QueueKind.GRAPHICS)) {
            TextureExtraction extraction = extractFrame(rig);
            Texture texture = extraction.texture();
            extraction.recycle();
            int frames = 0;
            while (!texture.isClosed()) {
                emptyFrame(rig);
                frames++;
                assertThat(frames).isLessThan(20);
            }
            assertThat(frames).isGreaterThanOrEqualTo(3);
            assertThat(rig.executor.poolStatistics())
                    .extracting(PoolStatistics::idle, PoolStatistics::evicted)
                    .containsExactly(0, 1L);
        }
    }

    /** A plan that is executed now and then, by other slots each time, never gets a buffer that is being destroyed. */
    @ParameterizedTest
    @ValueSource(ints = {20, 21, 22, 23, 24, 25})
    void aMappedTransientOfARarePlanIsOpenWhileItsFrameIsUnderWay(int last) {
        try (FakeRig rig = FakeRig.graphics()) {
            List<Buffer> taken = new ArrayList<>();
            RenderGraph graph = new RenderGraph("rare");
            RdgBuffer mapped = graph.createBuffer("m", BufferDescription.upload(64, BufferUsage.COPY_SRC));
            graph.addPass("fill", PassKind.COPY)
                    .overwrites(mapped, Access.HOST_WRITE)
                    .flag(PassFlag.NEVER_CULL)
                    .record(context -> taken.add(context.buffer(mapped)));
            FramePlan plan = rig.compile(graph);
            for (int frame = 0; frame <= last + 1; frame++) {
                if (frame == 4 || frame == 14 || frame == last) {
                    rig.executor.execute(plan).completed().await();
                } else {
                    emptyFrame(rig);
                }
            }
            assertThat(taken).hasSize(3);
            assertThat(taken.get(2).isClosed()).isFalse();
        }
    }

    @Test
    void poolEndsWithItsExecutor() {
        try (FakeRig rig = FakeRig.graphics()) {
            TextureExtraction idle = extractFrame(rig);
            TextureExtraction late = extractFrame(rig);
            idle.recycle();
            rig.executor.close();
            assertThat(idle.texture().isClosed()).isTrue();
            assertThat(late.texture().isClosed()).isFalse();
            late.recycle();
            assertThat(late.texture().isClosed()).isTrue();
        }
    }

    @Test
    void whatTheApplicationClosedIsNotTaken() {
        try (FakeRig rig = FakeRig.graphics()) {
            TextureExtraction first = extractFrame(rig);
            first.recycle();
            first.texture().close();
            TextureExtraction second = extractFrame(rig);
            assertThat(second.texture()).isNotSameAs(first.texture());
            assertThat(second.texture().isClosed()).isFalse();
            second.recycle();
        }
    }

    @Test
    void anExtractingPlanIsExecutedOnce() {
        try (FakeRig rig = FakeRig.graphics()) {
            RenderGraph graph = new RenderGraph("once");
            RdgBuffer data = graph.createBuffer("data", FakeRig.BUFFER);
            ClearPasses.buffer(graph, data, 1);
            BufferExtraction extraction = graph.extract(data);
            FramePlan plan = rig.compile(graph);
            rig.executor.execute(plan).completed().await();
            Buffer first = extraction.buffer();
            assertThatThrownBy(() -> rig.executor.execute(plan))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("'data'", "a new graph per frame");
            assertThat(extraction.buffer()).isSameAs(first);
            assertThat(rig.executor.poolStatistics().created()).isEqualTo(1);
            extraction.recycle();
        }
    }

    /** What was to be extracted is not handed out by a frame that never began, so the plan may be tried again. */
    @Test
    void aFrameThatCannotBeginResolvesNothing() {
        try (FakeRig rig =
                new FakeRig(1, FrameExecutorOptions.defaults().withCollectTimestamps(true), QueueKind.GRAPHICS)) {
            RenderGraph graph = new RenderGraph("retry");
            RdgBuffer data = graph.createBuffer("data", FakeRig.BUFFER);
            RdgBuffer kept = graph.createBuffer("kept", FakeRig.BUFFER);
            ClearPasses.buffer(graph, data, 1);
            ClearPasses.buffer(graph, kept, 1);
            RdgReadback readback = ReadbackPasses.buffer(graph, data);
            BufferExtraction extraction = graph.extract(kept);
            FramePlan plan = rig.compile(graph);
            rig.device.refuseTimestamps();
            assertThatThrownBy(() -> rig.executor.execute(plan)).hasMessageContaining("no timestamps");
            assertThatThrownBy(extraction::buffer).isInstanceOf(IllegalStateException.class);
            rig.executor.execute(plan).completed().await();
            assertThat(readback.bytes()).isCompleted();
            assertThat(rig.executor.poolStatistics())
                    .extracting(PoolStatistics::reused, PoolStatistics::idle)
                    .containsExactly(3L, 1);
            extraction.recycle();
        }
    }

    @Test
    void nothingIsGivenBackBeforeTheFrame() {
        RenderGraph graph = new RenderGraph("early");
        BufferExtraction extraction = graph.extract(graph.createBuffer("data", FakeRig.BUFFER));
        assertThatThrownBy(extraction::recycle)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'data'");
    }

    @Test
    void framesWithHistoryAndExtractionCreateNothingAfterTheFirst() {
        try (FakeRig rig = FakeRig.graphics();
                BufferHistory history = new BufferHistory(rig.device, "state", Access.STORAGE_READ_COMPUTE, 0)) {
            int created = 0;
            for (int frame = 0; frame < 20; frame++) {
                RenderGraph graph = new RenderGraph("steady");
                BufferHistory.Frame state = graph.history(history, FakeRig.BUFFER);
                RdgBuffer out = graph.createBuffer("out", FakeRig.BUFFER);
                BufferExtraction extraction = graph.extract(out);
                graph.addPass("step", PassKind.COMPUTE)
                        .reads(state.previous(), Access.STORAGE_READ_COMPUTE)
                        .overwrites(state.current(), Access.STORAGE_WRITE_COMPUTE)
                        .overwrites(out, Access.STORAGE_WRITE_COMPUTE)
                        .record(context -> context.commands().dispatch(1, 1, 1));
                rig.executor.execute(rig.compile(graph)).completed().await();
                extraction.recycle();
                if (frame == 5) {
                    created = rig.device.created();
                }
            }
            assertThat(rig.device.created()).isEqualTo(created);
            rig.executor.close();
        }
    }

    @Test
    void historyIsMisusedByName() {
        try (FakeRig rig = FakeRig.graphics()) {
            assertThatThrownBy(() -> new BufferHistory(rig.device, "bad", Access.STORAGE_WRITE_COMPUTE, 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("'bad'", "STORAGE_WRITE_COMPUTE");
            assertThatThrownBy(() -> new BufferHistory(rig.device, "bad", Access.SAMPLED_COMPUTE, 0))
                    .hasMessageContaining("SAMPLED_COMPUTE");
            BufferHistory history = new BufferHistory(rig.device, "state", Access.STORAGE_READ_COMPUTE, 0);
            RenderGraph graph = new RenderGraph("twice");
            graph.history(history, FakeRig.BUFFER);
            assertThatThrownBy(() -> graph.history(history, FakeRig.BUFFER))
                    .isInstanceOf(RdgException.class)
                    .hasMessageContainingAll("graph 'twice'", "'state", "once per graph");
            history.close();
            history.close();
            assertThatThrownBy(() -> new RenderGraph("late").history(history, FakeRig.BUFFER))
                    .isInstanceOf(RdgException.class)
                    .hasMessageContainingAll("'state'", "closed");
            assertThat(rig.device.open()).noneMatch(Buffer.class::isInstance);
        }
    }

    /** Passes of one name, histories, conditions and parts are written so that they can be read. */
    @Test
    void dumpOfADeclaredFrameIsReadAgain(@TempDir Path folder) throws IOException {
        try (FakeRig rig = FakeRig.graphics();
                TextureHistory history = new TextureHistory(
                        rig.device, "picture", Access.SAMPLED_FRAGMENT, ClearColor.BLACK_TRANSPARENT)) {
            RenderGraph graph = new RenderGraph("dump");
            TextureHistory.Frame picture = graph.history(history, FakeRig.TARGET);
            RdgTexture mips = graph.createTexture("mips", FakeRig.TARGET.withMips(3));
            RdgBuffer data = graph.createBuffer("data", FakeRig.BUFFER);
            graph.scope("clears", () -> {
                ClearPasses.buffer(graph, data, 1);
                ClearPasses.buffer(graph, data.view(0, 8), 2);
            });
            graph.addPass("maybe", PassKind.COPY)
                    .overwrites(data, Access.COPY_DST)
                    .onlyIf(() -> true)
                    .record(context -> {});
            CopyPasses.texture(
                    graph,
                    picture.previous(),
                    TextureRegion.mip(FakeRig.TARGET, 0),
                    mips,
                    TextureRegion.mip(FakeRig.TARGET, 0));
            MipPasses.generate(graph, mips);
            graph.addPass("draw", PassKind.RASTER)
                    .color(picture.current(), LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                    .recordParts(2, (context, part) -> {});
            ReadbackPasses.buffer(graph, data);
            ReadbackPasses.texture(graph, mips, TextureRegion.mip(mips.description(), 2));
            FramePlan plan = rig.compile(graph);
            StringWriter text = new StringWriter();
            PlanJson.write(plan, text);
            Path file = Files.writeString(folder.resolve("graph.json"), text.toString());
            FramePlan again = Objects.requireNonNull(
                    GraphFile.read(file).compile(UnaryOperator.identity()).plan());
            assertThat(again.culledCount()).isEqualTo(plan.culledCount());
            assertThat(again.passes().stream().filter(pass -> pass.level() >= 0).count())
                    .isEqualTo(plan.passes().stream()
                            .filter(pass -> pass.level() >= 0)
                            .count());
        }
    }

    @Test
    void scopesAreLabelsAroundTheirPasses() {
        try (FakeRig rig = FakeRig.graphics()) {
            RenderGraph graph = new RenderGraph("scopes");
            RdgBuffer data = graph.createBuffer("data", FakeRig.BUFFER);
            try (var outer = graph.scope("outer");
                    var flags = graph.flagScope(PassFlag.NEVER_CULL)) {
                assertThat(List.of(outer, flags)).doesNotContainNull();
                ClearPasses.buffer(graph, data, 1);
                graph.scope("first", () -> ClearPasses.buffer(graph, data.view(0, 4), 2));
                graph.scope("second", () -> ClearPasses.buffer(graph, data.view(4, 4), 3));
            }
            graph.addPass("last", PassKind.COMPUTE, context -> {});
            FramePlan plan = rig.compile(graph, RdgOptions.defaults().withPassLimits(1, 100));
            var handle = rig.executor.execute(plan);
            handle.completed().await();
            assertThat(rig.device.submissions().get(0).operations())
                    .filteredOn(operation -> operation.contains("label") || operation.startsWith("pass "))
                    .containsExactly(
                            "label outer",
                            "pass clear data",
                            "label first",
                            "pass clear data",
                            "end label",
                            "label second",
                            "pass clear data",
                            "end label",
                            "end label",
                            "pass last");
            // The fake clock moves by 10 ns per timestamp, two of them for each pass.
            assertThat(handle.statistics().scopeTimes())
                    .extracting(
                            ScopeTime::path,
                            ScopeTime::depth,
                            ScopeTime::passes,
                            ScopeTime::nanos,
                            ScopeTime::busyNanos)
                    .containsExactly(
                            tuple("outer", 0, 3, 50L, 30L),
                            tuple("outer/first", 1, 1, 10L, 10L),
                            tuple("outer/second", 1, 1, 10L, 10L));
        }
    }
}
