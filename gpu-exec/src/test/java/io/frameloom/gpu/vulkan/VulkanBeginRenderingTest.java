package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.DepthAttachment;
import io.frameloom.gpu.command.RenderingInfo.StencilAttachment;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.record.PassLayouts;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.vulkan.command.RenderingEncoder;
import io.frameloom.gpu.vulkan.driver.CommandScratch;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.testing.ChildJvm;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkRenderingAttachmentInfo;
import org.lwjgl.vulkan.VkRenderingInfo;

/** What the driver is told when a render pass begins, and what is left when it fails. */
@Timeout(60)
class VulkanBeginRenderingTest {
    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice();

    /** Each store operation but this one is a write, which nobody who only reads would expect. */
    @Test
    void whatIsOnlyReadIsNotStored() {
        Format format = gpu.device().firstSupported(TextureUsage.DEPTH_ATTACHMENT, Format.DEPTH_STENCIL);
        Texture both = gpu.own(
                gpu.device().createTexture("both", TextureDescription.of(4, 4, format, TextureUsage.DEPTH_ATTACHMENT)));
        try (CommandScratch scratch = new CommandScratch()) {
            DeviceCore core = gpu.device().core();
            for (StoreOp store : StoreOp.values()) {
                assertThat(stored(core, scratch, both, store, true, false))
                        .containsExactly(VK13.VK_ATTACHMENT_STORE_OP_NONE, RenderingEncoder.store(store));
                assertThat(stored(core, scratch, both, store, false, true))
                        .containsExactly(RenderingEncoder.store(store), VK13.VK_ATTACHMENT_STORE_OP_NONE);
            }
        }
    }

    private static List<Integer> stored(
            DeviceCore core,
            CommandScratch scratch,
            Texture both,
            StoreOp store,
            boolean depthKept,
            boolean stencilKept) {
        RenderingInfo rendering = new RenderingInfo(
                        4, 4, List.of(), new DepthAttachment(both.view(), LoadOp.LOAD, store, 0, depthKept))
                .withStencil(new StencilAttachment(both.view(), LoadOp.LOAD, store, 0, stencilKept));
        long info = RenderingEncoder.describe(core, "list", scratch, rendering, new PassLayouts());
        VkRenderingAttachmentInfo depth = Objects.requireNonNull(VkRenderingInfo.npDepthAttachment(info));
        VkRenderingAttachmentInfo stencil = Objects.requireNonNull(VkRenderingInfo.npStencilAttachment(info));
        return List.of(depth.storeOp(), stencil.storeOp());
    }

    @Test
    void aRenderPassThatTheDriverRefusesIsNotBegun() throws Exception {
        assertThat(ChildJvm.run(BeginRenderingProgram.class).stream()
                        .filter(line -> line.startsWith(BeginRenderingProgram.SAYS)))
                .containsExactly(BeginRenderingProgram.SAYS + "refused", BeginRenderingProgram.SAYS + "nothing to end");
    }
}
