package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.present.SwapchainImage;
import io.frameloom.gpu.present.SwapchainStatus;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FrameSync;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever becomes of a frame, its swapchain images go back to their swapchains, each once. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ImageReturnTest {
    private final AtomicBoolean broken = new AtomicBoolean();

    private FramePlan drawing(FakeRig rig, SwapchainImage... images) {
        RenderGraph graph = new RenderGraph("frame");
        for (SwapchainImage image : images) {
            graph.addPass("draw " + image, PassKind.RASTER)
                    .color(graph.registerExternal(image), LoadOp.CLEAR, FakeRig.CLEAR)
                    .record(context -> {
                        if (broken.get()) {
                            throw new IllegalArgumentException("no mesh");
                        }
                    });
        }
        return rig.compile(graph);
    }

    @Test
    void failedBodyCostsNoImage() {
        try (FakeRig rig = FakeRig.graphics()) {
            FakeSwapchain chain = new FakeSwapchain(rig.device, "chain", 2);
            broken.set(true);
            for (int frame = 0; frame < 5; frame++) {
                SwapchainImage image = chain.next();
                FrameHandle failed = rig.executor.execute(
                        drawing(rig, image), FrameSync.none().presenting(image));
                assertThatThrownBy(() -> failed.completed().await()).hasRootCauseMessage("no mesh");
                assertThat(failed.presented(image)).isEqualTo(SwapchainStatus.OK);
            }
            assertThat(chain.presented()).containsExactly(0, 1, 0, 1, 0);
            assertThat(rig.device.submissions())
                    .hasSize(5)
                    .allSatisfy(submitted -> assertThat(submitted.operations())
                            .noneMatch(operation -> operation.startsWith("pass"))
                            .last()
                            .asString()
                            .endsWith("->" + TextureLayout.PRESENT));
        }
    }

    @Test
    void refusedSubmissionCostsNoImage() {
        try (FakeRig rig = FakeRig.graphics()) {
            FakeSwapchain chain = new FakeSwapchain(rig.device, "chain", 2);
            SwapchainImage image = chain.next();
            rig.device.queue(0).refuseNext(new GpuException("no memory for the submission"));
            FrameHandle failed =
                    rig.executor.execute(drawing(rig, image), FrameSync.none().presenting(image));
            assertThatThrownBy(() -> failed.completed().await()).hasRootCauseMessage("no memory for the submission");
            assertThat(chain.presented()).containsExactly(0);
        }
    }

    @Test
    void imagesThatCannotBeGivenBackAreReported() {
        try (FakeRig rig = FakeRig.graphics()) {
            FakeSwapchain first = new FakeSwapchain(rig.device, "first", 1);
            FakeSwapchain second = new FakeSwapchain(rig.device, "second", 1);
            SwapchainImage one = first.next();
            SwapchainImage two = second.next();
            FramePlan plan = drawing(rig, one, two);
            broken.set(true);
            rig.device.queue(0).refuseNext(new GpuException("no memory for the barriers"));
            FrameHandle failed = rig.executor.execute(plan, FrameSync.none().presenting(one, two));
            assertThatThrownBy(() -> failed.submitted().await())
                    .hasRootCauseMessage("no mesh")
                    .satisfies(failure -> assertThat(root(failure).getSuppressed())
                            .extracting(Throwable::getMessage)
                            .contains("no memory for the barriers"));
            assertThat(first.presented()).isEmpty();
            assertThat(second.presented()).isEmpty();
            assertThatThrownBy(() -> failed.presented(one)).hasMessageContaining("recreate the swapchain");
            assertThatThrownBy(() -> failed.presented(two)).hasMessageContaining("recreate the swapchain");
        }
    }

    @Test
    void refusedPresentationCostsNoOtherImage() {
        try (FakeRig rig = FakeRig.graphics()) {
            FakeSwapchain first = new FakeSwapchain(rig.device, "first", 1);
            FakeSwapchain second = new FakeSwapchain(rig.device, "second", 1);
            SwapchainImage one = first.next();
            SwapchainImage two = second.next();
            first.refuseNext();
            FrameHandle failed = rig.executor.execute(
                    drawing(rig, one, two), FrameSync.none().presenting(one, two));
            assertThatThrownBy(() -> failed.completed().await())
                    .hasRootCauseMessage("no presentation of image 0 of first");
            assertThat(first.presented()).isEmpty();
            assertThat(second.presented()).containsExactly(0);
        }
    }

    @Test
    void externalsReachTheirLayoutsBesideTheImage() {
        try (FakeRig rig = FakeRig.graphics();
                Texture picture = rig.device.createTexture("picture", FakeRig.TARGET)) {
            FakeSwapchain chain = new FakeSwapchain(rig.device, "chain", 2);
            SwapchainImage image = chain.next();
            RenderGraph graph = new RenderGraph("frame");
            RdgTexture kept = graph.registerExternal(picture, TextureLayout.UNDEFINED);
            graph.finalAccess(kept, Access.SAMPLED_FRAGMENT);
            graph.addPass("draw", PassKind.RASTER)
                    .color(graph.registerExternal(image), LoadOp.CLEAR, FakeRig.CLEAR)
                    .color(kept, LoadOp.CLEAR, FakeRig.CLEAR)
                    .record(context -> {
                        throw new IllegalArgumentException("no mesh");
                    });
            FrameHandle failed =
                    rig.executor.execute(rig.compile(graph), FrameSync.none().presenting(image));
            assertThatThrownBy(() -> failed.completed().await()).hasRootCauseMessage("no mesh");
            assertThat(rig.device.submissions())
                    .singleElement()
                    .satisfies(submitted -> assertThat(submitted.operations())
                            .contains("barrier picture COLOR->SHADER_RO", "barrier chain 0 COLOR->PRESENT"));
            assertThat(chain.presented()).containsExactly(0);
        }
    }

    @Test
    void lostDevicePresentsNothing() {
        FakeRig rig = FakeRig.graphics();
        try (rig) {
            FakeSwapchain chain = new FakeSwapchain(rig.device, "chain", 2);
            SwapchainImage image = chain.next();
            FramePlan plan = drawing(rig, image);
            rig.device.lose();
            FrameHandle failed = rig.executor.execute(plan, FrameSync.none().presenting(image));
            assertThatThrownBy(() -> failed.completed().await())
                    .rootCause()
                    .isInstanceOf(DeviceLostException.class)
                    .satisfies(lost -> assertThat(lost.getSuppressed()).isEmpty());
            assertThat(chain.presented()).isEmpty();
            assertThat(rig.device.submissions()).isEmpty();
        }
    }

    private static Throwable root(Throwable failure) {
        Throwable current = failure;
        while (current.getSuppressed().length == 0 && current.getCause() != null) {
            current = current.getCause();
        }
        return current;
    }
}
