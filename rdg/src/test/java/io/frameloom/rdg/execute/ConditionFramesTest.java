package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.TextureHistory;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.utility.ClearPasses;
import io.frameloom.rdg.utility.ReadbackPasses;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Conditions are asked once for each frame, and what they say decides about everything that the frame leaves behind. */
class ConditionFramesTest {
    private static final TextureDescription SHAPE = TextureDescription.of(
            8, 4, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED, TextureUsage.COPY_SRC, TextureUsage.COPY_DST);

    private static void fill(RenderGraph graph, String name, BooleanSupplier holds, List<String> ran) {
        RdgBuffer buffer = graph.createBuffer(name, FakeRig.BUFFER);
        graph.addPass(name, PassKind.COPY)
                .overwrites(buffer, Access.COPY_DST)
                .flag(PassFlag.NEVER_CULL)
                .onlyIf(holds)
                .record(context -> ran.add(name));
    }

    /** The condition says something else whenever it is asked, as one does that looks at what others change. */
    @Test
    void passesThatShareAConditionAgree() {
        try (FakeRig rig = FakeRig.graphics()) {
            AtomicInteger asked = new AtomicInteger();
            List<Thread> askers = new ArrayList<>();
            BooleanSupplier everyOther = () -> {
                askers.add(Thread.currentThread());
                return asked.getAndIncrement() % 2 == 0;
            };
            List<String> ran = Collections.synchronizedList(new ArrayList<>());
            RenderGraph graph = new RenderGraph("frame");
            for (int i = 0; i < 9; i++) {
                fill(graph, "pass " + i, everyOther, ran);
            }
            FramePlan plan = rig.compile(graph);
            for (int frame = 0; frame < 6; frame++) {
                ran.clear();
                rig.executor.execute(plan).completed().await();
                assertThat(asked).hasValue(frame + 1);
                assertThat(ran).hasSize(frame % 2 == 0 ? 9 : 0);
            }
            assertThat(askers).containsOnly(Thread.currentThread());
        }
    }

    @Test
    void onlyConditionsOfPassesThatAreLeftAreAsked() {
        try (FakeRig rig = FakeRig.graphics()) {
            List<String> asked = new ArrayList<>();
            RenderGraph graph = new RenderGraph("frame");
            RdgBuffer unread = graph.createBuffer("unread", FakeRig.BUFFER);
            graph.addPass("culled", PassKind.COPY)
                    .overwrites(unread, Access.COPY_DST)
                    .onlyIf(() -> asked.add("culled"))
                    .record(context -> {});
            fill(graph, "first", () -> asked.add("first"), new ArrayList<>());
            fill(graph, "second", () -> asked.add("second"), new ArrayList<>());
            rig.executor.execute(rig.compile(graph)).completed().await();
            assertThat(asked).containsExactly("first", "second");
        }
    }

    @Test
    void conditionThatThrowsFailsItsFrameByName() {
        try (FakeRig rig = FakeRig.graphics()) {
            AtomicInteger asked = new AtomicInteger();
            List<String> ran = Collections.synchronizedList(new ArrayList<>());
            RenderGraph graph = new RenderGraph("frame");
            fill(
                    graph,
                    "maybe",
                    () -> {
                        if (asked.getAndIncrement() == 0) {
                            throw new IllegalStateException("no settings");
                        }
                        return true;
                    },
                    ran);
            FramePlan plan = rig.compile(graph);
            FrameHandle failed = rig.executor.execute(plan);
            assertThatThrownBy(() -> failed.recorded().await()).hasRootCauseMessage("no settings");
            assertThatThrownBy(() -> failed.completed().await())
                    .hasRootCauseMessage("no settings")
                    .cause()
                    .isInstanceOf(RdgException.class)
                    .hasMessageContainingAll("'maybe'", "frame 0")
                    .cause()
                    .hasMessageContaining("condition");
            assertThat(rig.device.submissions())
                    .allSatisfy(submitted ->
                            assertThat(submitted.operations()).noneMatch(operation -> operation.startsWith("pass")));
            assertThat(ran).isEmpty();
            rig.executor.execute(plan).completed().await();
            assertThat(ran).containsExactly("maybe");
        }
    }

    /** The levels that two passes write, and which of them run in each frame. */
    private static final boolean[][] RUNS = {
        {false, false}, {true, false}, {false, false}, {false, true}, {true, true}, {false, false}, {false, false}
    };

    private static ClearColor level(int level) {
        return new ClearColor(level / 255.0, 0, 0, 0);
    }

    private static void maybeClear(RenderGraph graph, RdgTexture texture, int level, BooleanSupplier holds) {
        graph.addPass("write " + level, PassKind.COPY)
                .overwrites(texture, Access.COPY_DST)
                .onlyIf(holds)
                .record(context -> context.commands()
                        .clearTexture(context.texture(texture), SubresourceRange.all(SHAPE), level(level)));
    }

    /** Frames are under way at once: what the next one reads is known when it is declared. */
    private static void historyFollowsWhatRan(DeviceRig rig) {
        try (TextureHistory history = new TextureHistory(rig.device, "history", Access.SAMPLED_COMPUTE, level(1))) {
            List<RdgReadback> before = new ArrayList<>();
            List<Integer> expected = new ArrayList<>();
            int newest = 1;
            for (int frame = 0; frame < RUNS.length; frame++) {
                boolean[] runs = RUNS[frame];
                RenderGraph graph = rig.begin("frame");
                TextureHistory.Frame halves = graph.history(history, SHAPE);
                assertThat(halves.hasContents()).as("frame %d", frame).isEqualTo(newest != 1);
                before.add(ReadbackPasses.texture(graph, halves.previous()));
                expected.add(newest);
                for (int writer = 0; writer < 2; writer++) {
                    boolean holds = runs[writer];
                    int level = 10 * (frame + 1) + writer;
                    maybeClear(graph, halves.current(), level, () -> holds);
                    newest = holds ? level : newest;
                }
                rig.executor.execute(rig.compile(graph));
            }
            rig.executor.close();
            for (int frame = 0; frame < RUNS.length; frame++) {
                assertThat(before.get(frame).bytes().join().get(0))
                        .as("frame %d", frame)
                        .isEqualTo(expected.get(frame).byteValue());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void historyChangesPlacesOnlyWhereAWriterRan(TestDevice device) {
        device.run(ConditionFramesTest::historyFollowsWhatRan);
    }

    @ParameterizedTest
    @EnumSource
    void historyOfImmediateModeDoesSo(TestDevice device) {
        device.run(RdgDiagnostics.none().withImmediate(true), ConditionFramesTest::historyFollowsWhatRan);
    }

    private static final TextureDescription TARGET = TextureDescription.of(
            4, 4, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_SRC, TextureUsage.COPY_DST);

    /** One pass draws what another adds under the same condition; the first begins its target anew. */
    private static RdgReadback glow(RenderGraph graph, BooleanSupplier draws, BooleanSupplier adds, LoadOp load) {
        RdgTexture glow = graph.createTexture("glow", TARGET);
        RdgTexture out = graph.createTexture("out", TARGET);
        ClearPasses.texture(graph, out, new ClearColor(1, 1, 1, 1));
        graph.addPass("glow", PassKind.RASTER)
                .onlyIf(draws)
                .color(glow, load, new ClearColor(0, 1, 0, 1))
                .record(context -> context.commands().clearColorAttachment(0, new ClearColor(1, 0, 0, 1), 0, 0, 2, 4));
        graph.addPass("add glow", PassKind.COPY)
                .onlyIf(adds)
                .reads(glow, Access.COPY_SRC)
                .writes(out, Access.COPY_DST)
                .record(context -> context.commands().copyTexture(context.texture(glow), context.texture(out)));
        return ReadbackPasses.texture(graph, out);
    }

    /** A pass that clears reads nothing, and one that is left out does nothing. */
    @ParameterizedTest
    @EnumSource
    void conditionalPassesThatAreRightAreClean(TestDevice device) {
        device.run(rig -> {
            for (boolean holds : new boolean[] {true, false, true}) {
                for (LoadOp load : new LoadOp[] {LoadOp.CLEAR, LoadOp.DONT_CARE}) {
                    BooleanSupplier condition = () -> holds;
                    RenderGraph graph = rig.begin("frame");
                    RdgReadback pixels = glow(graph, condition, condition, load);
                    rig.executor.execute(rig.compile(graph)).completed().await();
                    int first =
                            pixels.bytes().join().order(ByteOrder.LITTLE_ENDIAN).getInt(0);
                    assertThat(first).isEqualTo(holds ? 0xff0000ff : -1);
                    int last =
                            pixels.bytes().join().order(ByteOrder.LITTLE_ENDIAN).getInt(12);
                    if (load == LoadOp.CLEAR) {
                        assertThat(last).isEqualTo(holds ? 0xff00ff00 : -1);
                    }
                }
            }
            rig.executor.close();
        });
    }

    @Test
    void aReaderWithoutTheConditionOfItsWriterIsFound() {
        try (DeviceRig rig = TestDevice.VIRTUAL.rig()) {
            RenderGraph graph = rig.begin("frame");
            glow(graph, () -> false, () -> true, LoadOp.CLEAR);
            rig.executor.execute(rig.compile(graph)).completed().await();
            assertThat(rig.hazards()).singleElement().satisfies(hazard -> {
                assertThat(hazard.kind()).isEqualTo(Hazard.Kind.UNDEFINED_CONTENTS);
                assertThat(hazard.resource()).isEqualTo("glow");
                assertThat(hazard.secondPass()).isEqualTo("add glow");
            });
        }
    }

    /** What is loaded was never there, whatever the condition says. */
    @Test
    void aConditionalPassThatLoadsNothingIsFound() {
        try (DeviceRig rig = TestDevice.VIRTUAL.rig()) {
            RenderGraph graph = rig.begin("frame");
            BooleanSupplier condition = () -> true;
            glow(graph, condition, condition, LoadOp.LOAD);
            rig.executor.execute(rig.compile(graph)).completed().await();
            assertThat(rig.hazards())
                    .extracting(Hazard::kind, Hazard::secondPass)
                    .containsExactly(tuple(Hazard.Kind.UNDEFINED_CONTENTS, "glow"));
        }
    }

    /** Each of three passes of one render pass may be left out: the first that runs begins it, the last one ends it. */
    @ParameterizedTest
    @EnumSource
    void anyPassOfARenderPassMayBeLeftOut(TestDevice device) {
        device.run(rig -> {
            int shared = 0;
            for (int mask = 0; mask < 8; mask++) {
                RenderGraph graph = rig.begin("frame");
                RdgTexture target = graph.createTexture("target", TARGET);
                ClearPasses.texture(graph, target, ClearColor.BLACK_TRANSPARENT);
                for (int i = 0; i < 3; i++) {
                    int column = i;
                    boolean holds = (mask & 1 << i) != 0;
                    graph.addPass("column " + i, PassKind.RASTER)
                            .onlyIf(() -> holds)
                            .color(target, LoadOp.LOAD, ClearColor.BLACK_TRANSPARENT)
                            .record(context -> context.commands()
                                    .clearColorAttachment(0, new ClearColor(1, 1, 1, 1), column, 0, 1, 4));
                }
                RdgReadback pixels = ReadbackPasses.texture(graph, target);
                FramePlan plan = rig.compile(graph);
                shared += plan.renderPasses().stream()
                        .mapToInt(each -> each.passes().size() / 3)
                        .sum();
                rig.executor.execute(plan).completed().await();
                for (int i = 0; i < 3; i++) {
                    assertThat(pixels.bytes().join().getInt(4 * i) != 0)
                            .as("mask %d, column %d", mask, i)
                            .isEqualTo((mask & 1 << i) != 0);
                }
            }
            assertThat(shared).isEqualTo(8);
            rig.executor.close();
        });
    }

    /** Each pass is a frame of its own there. */
    @ParameterizedTest
    @EnumSource(names = "VIRTUAL")
    void immediateModeAsksOnceForAGraph(TestDevice device) {
        device.run(RdgDiagnostics.none().withImmediate(true), rig -> {
            for (int frame = 0; frame < 2; frame++) {
                AtomicInteger asked = new AtomicInteger();
                BooleanSupplier first = () -> asked.getAndIncrement() == 0;
                List<String> ran = new ArrayList<>();
                RenderGraph graph = rig.begin("frame");
                fill(graph, "a", first, ran);
                fill(graph, "b", first, ran);
                ClearPasses.buffer(graph, graph.createBuffer("c", FakeRig.BUFFER), 0);
                rig.executor.execute(rig.compile(graph)).completed().await();
                assertThat(ran).containsExactly("a", "b");
                assertThat(asked).hasValue(1);
            }
            rig.executor.close();
        });
    }
}
