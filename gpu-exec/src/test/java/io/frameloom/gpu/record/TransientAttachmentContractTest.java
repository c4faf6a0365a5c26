package io.frameloom.gpu.record;

import static io.frameloom.gpu.record.CommandRig.bytes;
import static io.frameloom.gpu.record.CommandRig.transition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.FormatSupport;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.taskgraph.TaskGraph;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Attachments that leave nothing behind: every device takes them, and says whether they take memory. */
@Timeout(60)
class TransientAttachmentContractTest {
    private static final int SAMPLES = 4;
    private static final TextureDescription ONE =
            TextureDescription.of(2, 2, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_SRC);
    private static final TextureDescription MANY = TextureDescription.of(
                    2, 2, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT, TextureUsage.TRANSIENT_ATTACHMENT)
            .withSamples(SAMPLES);

    /** Samples that only their resolve outlives. */
    @ParameterizedTest
    @EnumSource(Backend.class)
    void samplesThatAreResolvedNeedNotBeStored(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            FormatSupport support = rig.device.formatSupport(ONE.format());
            assertThat(support.supports(TextureUsage.TRANSIENT_ATTACHMENT)).isTrue();
            Texture many = rig.texture("many", MANY);
            Texture one = rig.texture("one", ONE);
            Buffer result = rig.readback(16);
            rig.execute(list -> {
                transition(list, many, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                transition(list, one, TextureLayout.UNDEFINED, TextureLayout.COLOR);
                list.beginRendering(new RenderingInfo(
                        2,
                        2,
                        List.of(new ColorAttachment(
                                many.view(), LoadOp.CLEAR, StoreOp.DONT_CARE, new ClearColor(1, 1, 1, 1), one.view())),
                        null));
                list.endRendering();
                transition(list, one, TextureLayout.COLOR, TextureLayout.TRANSFER_SRC);
                list.copyTextureToBuffer(one, 0, 0, result, 0);
            });
            assertThat(bytes(result)).containsOnly(-1);
        }
    }

    @Test
    void nothingElseGoesWithThem() {
        assertThatThrownBy(() -> TextureDescription.of(
                        2,
                        2,
                        Format.R8G8B8A8_UNORM,
                        TextureUsage.COLOR_ATTACHMENT,
                        TextureUsage.TRANSIENT_ATTACHMENT,
                        TextureUsage.SAMPLED))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("TRANSIENT_ATTACHMENT", "nothing else", "SAMPLED");
        assertThatThrownBy(() -> TextureDescription.of(2, 2, Format.R8G8B8A8_UNORM, TextureUsage.TRANSIENT_ATTACHMENT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("COLOR_ATTACHMENT or DEPTH_ATTACHMENT");
    }

    @Test
    void theVirtualGpuSaysWhatItIsTold() {
        assertThat(capabilities(new VirtualGpuOptions(1, 1)).limits().memory().lazilyAllocated())
                .isFalse();
        assertThat(capabilities(new VirtualGpuOptions(1, 1).withLazyMemory(true).withSeed(2))
                        .limits()
                        .memory()
                        .lazilyAllocated())
                .isTrue();
    }

    private static DeviceCapabilities capabilities(VirtualGpuOptions options) {
        try (TaskGraph tasks = TaskGraph.builder().name("lazy").workers(1).build();
                GpuDevice device = VirtualDevice.open(options, new DeviceOptions(tasks, "lazy", false, null))) {
            return device.capabilities();
        }
    }
}
