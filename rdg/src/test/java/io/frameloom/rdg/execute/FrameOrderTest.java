package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryHeap;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FrameSync;
import io.frameloom.rdg.OverlapGroup;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueuedGraphs;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which waits and barriers order a frame behind former ones; nothing of any frame completes before the end. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FrameOrderTest {
    private static final int COMPUTE = PipelineStage.COMPUTE_SHADER.bit();
    private static final int COPY = PipelineStage.COPY.bit();
    private static final int READ = MemoryAccess.STORAGE_READ.bit();
    private static final int WRITE = MemoryAccess.STORAGE_WRITE.bit();
    private static final BarrierBatch.Scope WRITE_THEN_WRITE = new BarrierBatch.Scope(COMPUTE, WRITE, COMPUTE, WRITE);

    private static final TextureDescription COPIED =
            TextureDescription.of(64, 32, Format.R8G8B8A8_UNORM, TextureUsage.COPY_DST, TextureUsage.SAMPLED);

    private FakeRig rig = rig(FrameExecutorOptions.defaults());
    private final List<Buffer> buffers = new ArrayList<>();

    private static FakeRig rig(FrameExecutorOptions options) {
        FakeRig made =
                new FakeRig(2, options.withFramesInFlight(8), QueueKind.GRAPHICS, QueueKind.COMPUTE, QueueKind.COMPUTE);
        made.device.setCompletesAtOnce(false);
        return made;
    }

    @AfterEach
    void close() {
        rig.device.setCompletesAtOnce(true);
        rig.device.completeAll();
        rig.executor.close();
        buffers.forEach(Buffer::close);
        rig.close();
    }

    private Buffer buffer(String name) {
        Buffer made = rig.device.createBuffer(name, FakeRig.BUFFER);
        buffers.add(made);
        return made;
    }

    private static PassBuilder pass(RenderGraph graph, String name, int queue) {
        return graph.addPass(queue + " " + name, PassKind.COMPUTE).flag(PassFlag.NEVER_CULL);
    }

    private static void record(PassBuilder pass) {
        pass.record(context -> context.commands().dispatch(1, 1, 1));
    }

    private static void writes(RenderGraph graph, int queue, Buffer target) {
        record(pass(graph, "write " + target.name(), queue)
                .overwrites(graph.registerExternal(target), Access.STORAGE_WRITE_COMPUTE));
    }

    private static void reads(RenderGraph graph, int queue, Buffer source) {
        record(pass(graph, "read " + source.name(), queue)
                .reads(graph.registerExternal(source), Access.STORAGE_READ_COMPUTE));
    }

    private FramePlan plan(Consumer<RenderGraph> declare) {
        RenderGraph graph = new RenderGraph("order");
        declare.accept(graph);
        return QueuedGraphs.compile(
                graph,
                name -> Character.isDigit(name.charAt(0)) ? name.charAt(0) - '0' : -1,
                RdgOptions.defaults().withPassLimits(1, 1),
                rig.device);
    }

    private void execute(FramePlan plan) {
        rig.executor.execute(plan).submitted().await();
    }

    /** Returns what was submitted, with its waits. */
    private List<String> submissions() {
        return rig.device.submissions().stream()
                .map(each -> each.queue() + "@" + each.value() + each.waits())
                .toList();
    }

    private List<BarrierBatch.Scope> barriers(int submission) {
        return rig.device.submissions().get(submission).submission().lists().stream()
                .flatMap(list -> ((FakeCommandList) list).globals().stream())
                .toList();
    }

    @Test
    void graphicsDoesNotWaitForUnrelatedComputeOfTheFormerFrame() {
        Buffer picture = buffer("picture");
        Buffer simulation = buffer("simulation");
        FramePlan plan = plan(graph -> {
            writes(graph, 0, picture);
            writes(graph, 1, simulation);
        });
        execute(plan);
        execute(plan);
        assertThat(submissions()).containsExactly("graphics@1[]", "queue1@1[]", "graphics@2[]", "queue1@2[]");
        assertThat(barriers(0)).isEmpty();
        assertThat(barriers(1)).isEmpty();
        assertThat(barriers(2)).containsExactly(WRITE_THEN_WRITE);
        assertThat(barriers(3)).containsExactly(WRITE_THEN_WRITE);
    }

    /** That the host knows of a write makes it visible to nobody else, not on the queue of the write either. */
    @Test
    void aPassOfTheHostBetweenThemSparesNoBarrierOnTheQueueOfBoth() {
        rig.device.setCompletesAtOnce(true);
        Buffer picture = buffer("picture");
        Buffer seen = rig.device.createBuffer("seen", HostFrames.READBACK);
        Buffer decided = rig.device.createBuffer("decided", HostFrames.UPLOAD);
        buffers.addAll(List.of(seen, decided));
        execute(plan(graph -> record(pass(graph, "write", 0)
                .overwrites(graph.registerExternal(picture), Access.STORAGE_WRITE_COMPUTE)
                .overwrites(graph.registerExternal(seen), Access.STORAGE_WRITE_COMPUTE))));
        execute(plan(graph -> graph.hostPass("decide")
                .reads(graph.registerExternal(seen), Access.HOST_READ)
                .overwrites(graph.registerExternal(decided), Access.HOST_WRITE)
                .run(context -> {})));
        execute(plan(graph -> record(pass(graph, "read", 0)
                .reads(graph.registerExternal(picture), Access.STORAGE_READ_COMPUTE)
                .reads(graph.registerExternal(decided), Access.STORAGE_READ_COMPUTE))));
        assertThat(submissions()).hasSize(2);
        assertThat(barriers(1)).containsExactly(new BarrierBatch.Scope(COMPUTE, WRITE, COMPUTE, READ));
    }

    /** A barrier for uniforms of drawing and one for storage of dispatches are none for uniforms of dispatches. */
    @Test
    void stagesAndAccessesOfTwoBarriersAreNotMixed() {
        Buffer data = rig.device.createBuffer(
                "data", BufferDescription.device(256, BufferUsage.STORAGE, BufferUsage.UNIFORM));
        buffers.add(data);
        execute(plan(graph -> writes(graph, 0, data)));
        execute(plan(graph -> {
            RdgBuffer read = graph.registerExternal(data);
            record(pass(graph, "storage", 0).reads(read, Access.STORAGE_READ_COMPUTE));
            record(graph.addPass("drawn", PassKind.RASTER)
                    .flag(PassFlag.NEVER_CULL, PassFlag.SKIP_RENDER_PASS)
                    .reads(read, Access.UNIFORM_GRAPHICS));
            record(pass(graph, "uniform", 0).reads(read, Access.UNIFORM_COMPUTE));
        }));
        int uniform = MemoryAccess.UNIFORM_READ.bit();
        assertThat(barriers(1))
                .filteredOn(scope -> PipelineStage.covers(scope.dstStages(), COMPUTE)
                        && MemoryAccess.covers(scope.dstAccess(), uniform))
                .isNotEmpty();
    }

    @Test
    void onlyThePassThatNeedsFormerComputeWaitsForIt() {
        Buffer picture = buffer("picture");
        Buffer simulation = buffer("simulation");
        execute(plan(graph -> writes(graph, 1, simulation)));
        execute(plan(graph -> {
            writes(graph, 0, picture);
            reads(graph, 0, simulation);
        }));
        assertThat(submissions()).containsExactly("queue1@1[]", "graphics@1[]", "graphics@2[queue1@1]");
        assertThat(rig.device.submissions().get(1).operations()).contains("pass 0 write picture");
        assertThat(rig.device.submissions().get(2).operations()).contains("pass 0 read simulation");
        // What was waited for once is known from then on, and so is what it knows.
        execute(plan(graph -> reads(graph, 0, simulation)));
        assertThat(submissions()).last().isEqualTo("graphics@3[]");
        assertThat(barriers(3)).isEmpty();
    }

    @Test
    void readersOfSeveralFramesDoNotWaitForEachOtherButTheWriterDoes() {
        Buffer table = buffer("table");
        for (int queue = 0; queue < 3; queue++) {
            int current = queue;
            execute(plan(graph -> reads(graph, current, table)));
        }
        execute(plan(graph -> writes(graph, 0, table)));
        assertThat(submissions())
                .containsExactly("graphics@1[]", "queue1@1[]", "queue2@1[]", "graphics@2[queue1@1, queue2@1]");
        assertThat(barriers(3)).containsExactly(new BarrierBatch.Scope(COMPUTE, 0, COMPUTE, 0));
    }

    @Test
    void aWaitThatAnotherOneImpliesIsLeftOut() {
        Buffer first = buffer("first");
        Buffer second = buffer("second");
        execute(plan(graph -> writes(graph, 1, first)));
        execute(plan(graph -> record(pass(graph, "both", 2)
                .reads(graph.registerExternal(first), Access.STORAGE_READ_COMPUTE)
                .overwrites(graph.registerExternal(second), Access.STORAGE_WRITE_COMPUTE))));
        execute(plan(graph -> record(pass(graph, "last", 0)
                .reads(graph.registerExternal(first), Access.STORAGE_READ_COMPUTE)
                .reads(graph.registerExternal(second), Access.STORAGE_READ_COMPUTE))));
        assertThat(submissions()).containsExactly("queue1@1[]", "queue2@1[queue1@1]", "graphics@1[queue2@1]");
    }

    @Test
    void aBarrierNamesTheFormerUseAndOneServesAllThatAskForNoMore() {
        Buffer first = buffer("first");
        Buffer second = buffer("second");
        execute(plan(graph -> {
            writes(graph, 0, first);
            writes(graph, 0, second);
        }));
        FramePlan reading = plan(graph -> {
            reads(graph, 0, first);
            reads(graph, 0, second);
        });
        execute(reading);
        execute(reading);
        assertThat(barriers(1)).containsExactly(new BarrierBatch.Scope(COMPUTE, WRITE, COMPUTE, READ));
        assertThat(barriers(2)).as("still visible").isEmpty();
        execute(plan(graph -> graph.addPass("copy", PassKind.COPY)
                .reads(graph.registerExternal(first), Access.COPY_SRC)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> {})));
        assertThat(barriers(3))
                .containsExactly(new BarrierBatch.Scope(COMPUTE, WRITE, COPY, MemoryAccess.COPY_READ.bit()));
    }

    @Test
    void partsOfABufferThatAreWrittenOnTwoQueuesAreBothWaitedFor() {
        Buffer shared = buffer("shared");
        execute(plan(graph -> {
            RdgBuffer both = graph.registerExternal(shared);
            OverlapGroup group = graph.overlapGroup("halves");
            record(pass(graph, "one", 1).writes(both, Access.STORAGE_WRITE_COMPUTE, group));
            record(pass(graph, "other", 2).writes(both, Access.STORAGE_WRITE_COMPUTE, group));
        }));
        execute(plan(graph -> reads(graph, 0, shared)));
        assertThat(submissions()).containsExactly("queue1@1[]", "queue2@1[]", "graphics@1[queue1@1, queue2@1]");
    }

    @Test
    void aTransientWaitsForWhoeverHadItsBytesLast() {
        FramePlan plan = plan(graph -> {
            for (int queue = 0; queue < 2; queue++) {
                RdgBuffer own = graph.createBuffer("own " + queue, FakeRig.BUFFER);
                record(pass(graph, "fill " + queue, queue).overwrites(own, Access.STORAGE_WRITE_COMPUTE));
            }
        });
        FramePlan other = plan(graph -> {
            RdgBuffer own = graph.createBuffer("both", BufferDescription.device(2048, BufferUsage.STORAGE));
            record(pass(graph, "fill both", 2).overwrites(own, Access.STORAGE_WRITE_COMPUTE));
        });
        assertThat(plan.heapBytes()).as("both live at once").isEqualTo(2048);
        execute(plan);
        execute(plan);
        execute(other);
        assertThat(submissions())
                .containsExactly(
                        "graphics@1[]", "queue1@1[]", "graphics@2[]", "queue1@2[]", "queue2@1[graphics@2, queue1@2]");
    }

    @Test
    void transientsInHeapsOfTheirOwnWaitForNobody() {
        rig.close();
        rig = rig(FrameExecutorOptions.defaults().withHeapsPerFrame(true));
        FramePlan plan = plan(graph -> {
            RdgBuffer own = graph.createBuffer("own", FakeRig.BUFFER);
            record(pass(graph, "fill", 0).overwrites(own, Access.STORAGE_WRITE_COMPUTE));
            record(pass(graph, "read", 1).reads(own, Access.STORAGE_READ_COMPUTE));
        });
        execute(plan);
        execute(plan);
        assertThat(submissions())
                .containsExactly("graphics@1[]", "queue1@1[graphics@1]", "graphics@2[]", "queue1@2[graphics@2]");
        assertThat(barriers(2)).isEmpty();
        assertThat(rig.executor.poolStatistics().heapBytes()).isEqualTo(2 * 1024);
    }

    @Test
    void aHeapThatALargeFrameLeavesIsGivenUpWhenNobodyNeedsIt() {
        rig.device.setCompletesAtOnce(true);
        FramePlan large = plan(graph -> transientOf(graph, 64 * 1024));
        FramePlan small = plan(graph -> transientOf(graph, 1024));
        execute(large);
        assertThat(rig.executor.poolStatistics().heapBytes()).isEqualTo(64 * 1024);
        for (int frame = 0; rig.executor.poolStatistics().shrunk() == 0; frame++) {
            assertThat(frame).isLessThan(100);
            rig.executor.execute(small).completed().await();
        }
        rig.executor.execute(small).completed().await();
        assertThat(rig.executor.poolStatistics().heapBytes()).isEqualTo(1024);
        for (int frame = 0; frame < 50; frame++) {
            rig.executor.execute(small).completed().await();
        }
        assertThat(rig.executor.poolStatistics().shrunk()).isEqualTo(1);
        assertThat(rig.device.open()).noneMatch(each -> each instanceof MemoryHeap heap && heap.bytes() > 1024);
    }

    private static void transientOf(RenderGraph graph, long bytes) {
        RdgBuffer own = graph.createBuffer("own", BufferDescription.device(bytes, BufferUsage.STORAGE));
        record(pass(graph, "fill", 0).overwrites(own, Access.STORAGE_WRITE_COMPUTE));
    }

    @Test
    void aTextureThatChangesItsLayoutWaitsForItsReaders() {
        try (var texture = rig.device.createTexture("picture", FakeRig.TARGET)) {
            execute(plan(graph -> {
                RdgTexture read = graph.registerExternal(texture, TextureLayout.SHADER_RO);
                record(pass(graph, "sample", 1).reads(read, Access.SAMPLED_COMPUTE));
            }));
            execute(plan(graph -> {
                RdgTexture read = graph.registerExternal(texture, TextureLayout.SHADER_RO);
                graph.addPass("copy", PassKind.COPY)
                        .reads(read, Access.COPY_SRC)
                        .flag(PassFlag.NEVER_CULL)
                        .record(context -> {});
            }));
            assertThat(submissions()).containsExactly("queue1@1[]", "graphics@1[queue1@1]");
            rig.device.setCompletesAtOnce(true);
            rig.device.completeAll();
            rig.executor.close();
        }
    }

    @Test
    void whatIsLeftReadyForAnythingNeedsNoBarrier() {
        try (var texture = rig.device.createTexture("picture", COPIED)) {
            FramePlan plan = plan(graph -> copyTo(graph, texture));
            execute(plan);
            execute(plan);
            assertThat(rig.device.submissions().get(1).operations())
                    .startsWith("barrier picture UNDEFINED->TRANSFER_DST", "pass 0 copy");
            rig.device.setCompletesAtOnce(true);
            rig.device.completeAll();
            rig.executor.close();
        }
    }

    @Test
    void layoutsOfThePartOfABatchThatWasSubmittedAreNotChangedAgain() {
        Buffer simulation = buffer("simulation");
        try (var texture = rig.device.createTexture("picture", COPIED)) {
            execute(plan(graph -> writes(graph, 1, simulation)));
            FramePlan plan = plan(graph -> {
                copyTo(graph, texture);
                reads(graph, 0, simulation);
                record(pass(graph, "sample", 0).reads(graph.registerExternal(simulation), Access.STORAGE_READ_COMPUTE));
            });
            ((FakeQueue) rig.device.queues().get(0)).refuse(new IllegalStateException("made to fail"), 1);
            assertThatThrownBy(() -> execute(plan)).hasRootCauseMessage("made to fail");
            assertThat(submissions()).containsExactly("queue1@1[]", "graphics@1[]", "graphics@2[queue1@1]");
            assertThat(rig.device.submissions().get(1).operations())
                    .contains("barrier picture UNDEFINED->TRANSFER_DST", "barrier picture TRANSFER_DST->SHADER_RO");
            assertThat(rig.device.submissions().get(2).operations())
                    .noneMatch(operation -> operation.contains("picture"));
            execute(plan(graph -> writes(graph, 1, simulation)));
            assertThat(submissions()).last().isEqualTo("queue1@2[graphics@2, queue1@1]");
            rig.device.setCompletesAtOnce(true);
            rig.device.completeAll();
            rig.executor.close();
        }
    }

    private static void copyTo(RenderGraph graph, Texture texture) {
        RdgTexture target = graph.registerExternal(texture, TextureLayout.UNDEFINED);
        graph.finalAccess(target, Access.SAMPLED_FRAGMENT);
        graph.addPass("0 copy", PassKind.COPY)
                .overwrites(target, Access.COPY_DST)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> {});
    }

    @Test
    void aPassWithUntrackedAccessesIsBehindEverythingAndBeforeEverything() {
        Buffer picture = buffer("picture");
        Buffer simulation = buffer("simulation");
        FramePlan known = plan(graph -> {
            writes(graph, 0, picture);
            writes(graph, 1, simulation);
        });
        execute(known);
        execute(plan(graph -> record(pass(graph, "unknown", 0).flag(PassFlag.UNTRACKED_ACCESS))));
        execute(known);
        assertThat(submissions())
                .containsExactly(
                        "graphics@1[]", "queue1@1[]", "graphics@2[queue1@1]", "graphics@3[]", "queue1@2[graphics@2]");
        assertThat(barriers(2)).containsExactly(BarrierBatch.GlobalBarrier.FULL.scope());
        assertThat(barriers(3)).containsExactly(BarrierBatch.GlobalBarrier.FULL.scope());
        assertThat(barriers(4)).as("the wait is enough").isEmpty();
    }

    @Test
    void whatTheApplicationSubmitsIsWaitedForOnItsOwnQueueAsWell() {
        Buffer picture = buffer("picture");
        FramePlan plan = plan(graph -> writes(graph, 0, picture));
        execute(plan);
        TimelinePoint upload = rig.device.queues().get(0).submit(new Submission("upload", List.of(), List.of()));
        rig.executor
                .execute(plan, FrameSync.none().after(List.of()))
                .submitted()
                .await();
        execute(plan);
        assertThat(upload.value()).isEqualTo(2);
        assertThat(submissions())
                .containsExactly("graphics@1[]", "graphics@2[]", "graphics@3[graphics@2]", "graphics@4[]");
    }

    @Test
    void framesCompleteInOrderEvenIfTheyShareNothing() {
        Buffer picture = buffer("picture");
        Buffer simulation = buffer("simulation");
        var first = rig.executor.execute(plan(graph -> writes(graph, 1, simulation)));
        var second = rig.executor.execute(plan(graph -> writes(graph, 0, picture)));
        second.submitted().await();
        ((FakeQueue) rig.device.queues().get(0)).complete();
        assertThat(first.completed().isComplete()).isFalse();
        assertThat(second.completed().isComplete()).isFalse();
        ((FakeQueue) rig.device.queues().get(1)).complete();
        second.completed().await();
        first.completed().await();
    }
}
