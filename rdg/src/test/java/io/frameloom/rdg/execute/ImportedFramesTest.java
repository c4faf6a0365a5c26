package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.resource.ComponentMapping;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.resource.TextureViewKind;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.QueuedGraphs;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What orders frames that use the same imported texture, which may belong to one queue family at a time. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ImportedFramesTest {
    private static final TextureDescription SHAPE = TextureDescription.of(
            64, 32, Format.R8G8B8A8_UNORM, TextureUsage.STORAGE, TextureUsage.COPY_DST, TextureUsage.SAMPLED);

    /** A texture that the engine has made. */
    private record Imported(Texture of, long nativeHandle, Set<Integer> sharedFamilies) implements Texture {
        @Override
        public String name() {
            return of.name();
        }

        @Override
        public TextureDescription description() {
            return of.description();
        }

        @Override
        public TextureView view() {
            return of.view();
        }

        @Override
        public TextureView view(SubresourceRange range) {
            return of.view(range);
        }

        @Override
        public TextureView view(
                SubresourceRange range, TextureViewKind kind, Format format, ComponentMapping components) {
            return of.view(range, kind, format, components);
        }

        @Override
        public @Nullable Placement placement() {
            return null;
        }

        @Override
        public TextureLayout imported() {
            return TextureLayout.GENERAL;
        }

        @Override
        public boolean isClosed() {
            return of.isClosed();
        }

        @Override
        public void close() {
            of.close();
        }
    }

    private static FramePlan updating(FakeRig rig, Texture texture, int queue) {
        RenderGraph graph = new RenderGraph("imported");
        RdgTexture picture = graph.registerExternal(texture, TextureLayout.GENERAL);
        graph.addPass("update", PassKind.COMPUTE)
                .writes(picture, Access.STORAGE_READ_WRITE_COMPUTE)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> context.commands().dispatch(1, 1, 1));
        return QueuedGraphs.compile(graph, name -> queue, RdgOptions.defaults().withPassLimits(1, 1), rig.device);
    }

    private static FakeRig rig() {
        FakeRig rig = new FakeRig(
                2, FrameExecutorOptions.defaults(), QueueKind.GRAPHICS, QueueKind.COMPUTE, QueueKind.COMPUTE);
        rig.device.setCompletesAtOnce(false);
        return rig;
    }

    private static List<String> submissions(FakeRig rig) {
        return rig.device.submissions().stream()
                .map(each -> each.queue() + "@" + each.value() + each.waits())
                .toList();
    }

    private static void end(FakeRig rig) {
        rig.device.setCompletesAtOnce(true);
        rig.device.completeAll();
        rig.executor.close();
    }

    @Test
    void aTextureOfOneFamilyIsHandedOnByTheGraphicsQueueWithoutAFurtherBarrier() {
        try (FakeRig rig = rig();
                Texture texture = rig.device.createTexture("picture", SHAPE)) {
            FramePlan plan = updating(rig, new Imported(texture, 7, Set.of()), 1);
            rig.executor.execute(plan).submitted().await();
            rig.executor.execute(plan).submitted().await();
            assertThat(submissions(rig))
                    .containsExactly(
                            "graphics@1[]",
                            "queue1@1[graphics@1]",
                            "graphics@2[queue1@1]",
                            "graphics@3[]",
                            "queue1@2[graphics@3]",
                            "graphics@4[queue1@2]");
            assertThat(rig.device.submissions())
                    .allSatisfy(each -> assertThat(each.operations())
                            .doesNotContain("global barrier", "full barrier")
                            .contains("barrier picture GENERAL->GENERAL"));
            end(rig);
        }
    }

    @Test
    void importsOfOneHandleAreOneTexture() {
        try (FakeRig rig = rig();
                Texture texture = rig.device.createTexture("picture", SHAPE)) {
            Set<Integer> families = Set.of(0, 1, 2);
            FramePlan first = updating(rig, new Imported(texture, 7, families), 1);
            FramePlan second = updating(rig, new Imported(texture, 7, families), 2);
            FramePlan other = updating(rig, new Imported(texture, 8, families), 2);
            rig.executor.execute(first).submitted().await();
            rig.executor.execute(other).submitted().await();
            rig.executor.execute(second).submitted().await();
            assertThat(submissions(rig)).containsExactly("queue1@1[]", "queue2@1[]", "queue2@2[queue1@1]");
            end(rig);
        }
    }

    private static void update(RenderGraph graph, RdgTexture picture, PassBody body) {
        graph.addPass("update", PassKind.COMPUTE)
                .writes(picture, Access.STORAGE_READ_WRITE_COMPUTE)
                .flag(PassFlag.ASYNC_COMPUTE)
                .record(body);
    }

    /**
     * In immediate mode each pass takes the texture over and gives it back. One that fails in between has done
     * only the first half: the compute queue does the others without it, and later passes go on from there.
     */
    @Test
    void aFailedPassOfImmediateModeGivesATextureOfOneFamilyBackToTheGraphicsQueue() {
        try (FakeRig rig = rig();
                Texture texture = rig.device.createTexture("picture", SHAPE)) {
            rig.device.setCompletesAtOnce(true);
            RenderGraphCompiler compiler = new RenderGraphCompiler(
                    RdgOptions.defaults().withDiagnostics(RdgDiagnostics.none().withImmediate(true)));
            Texture owned = new Imported(texture, 7, Set.of());
            RenderGraph graph = rig.executor.beginGraph("frame", compiler);
            RdgTexture picture = graph.registerExternal(owned, TextureLayout.GENERAL);
            update(graph, picture, context -> {});
            int before = rig.device.submissions().size();
            assertThatThrownBy(() -> update(graph, picture, context -> {
                        // The graphics queue has let go of the texture, and the compute queue will not take it.
                        while (rig.device.submissions().size() == before) {
                            Thread.onSpinWait();
                        }
                        throw new IllegalArgumentException("no field");
                    }))
                    .isInstanceOf(RdgException.class)
                    .hasMessageContaining("pass 'update'")
                    .hasRootCauseMessage("no field");
            assertThat(submissions(rig).subList(before, rig.device.submissions().size()))
                    .containsExactly("graphics@3[]", "queue1@2[graphics@3]", "graphics@4[queue1@2]");
            FakeQueue.Submitted back = rig.device.submissions().get(before + 1);
            assertThat(back.operations())
                    .as("acquired and released")
                    .containsExactly("barrier picture GENERAL->GENERAL", "barrier picture GENERAL->GENERAL");
            FakeQueue.Submitted taken = rig.device.submissions().get(before + 2);
            assertThat(taken.operations()).containsExactly("barrier picture GENERAL->GENERAL");
            RenderGraph next = rig.executor.beginGraph("next", compiler);
            update(next, next.registerExternal(owned, TextureLayout.GENERAL), context -> {});
            rig.executor
                    .execute(compiler.compile(next, QueueTopology.of(rig.device), MemorySizer.of(rig.device)))
                    .completed()
                    .await();
            assertThat(submissions(rig)
                            .subList(before + 3, rig.device.submissions().size()))
                    .as("each queue begins behind everything of the frame that failed")
                    .containsExactly(
                            "graphics@5[graphics@4]", "queue1@3[graphics@5, queue1@2]", "graphics@6[queue1@3]");
            end(rig);
        }
    }
}
