package io.frameloom.gpu.vulkan.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.check.Fakes;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.BarrierBatch.Scope;
import io.frameloom.gpu.command.BarrierBatch.TextureBarrier;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.vulkan.driver.CommandScratch;
import io.frameloom.gpu.vulkan.driver.SyncMasks;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDependencyInfo;
import org.lwjgl.vulkan.VkMemoryBarrier2;

/** The numbers of barriers inside of render passes. */
class BarrierEncoderTest {
    private static BarrierBatch afterColor() {
        Texture albedo = Fakes.imported("albedo", 1, TextureLayout.LOCAL_READ);
        Scope scope = new Scope(
                PipelineStage.COLOR_OUTPUT.bit(),
                MemoryAccess.COLOR_WRITE.bit(),
                PipelineStage.FRAGMENT_SHADER.bit(),
                MemoryAccess.SAMPLED_READ.bit());
        TextureLayout local = TextureLayout.LOCAL_READ;
        return new BarrierBatch(
                List.of(new TextureBarrier(albedo, SubresourceRange.mip(0), scope, local, local, null)),
                List.of(),
                List.of());
    }

    private static VkDependencyInfo encode(CommandScratch scratch, boolean conditional, boolean views) {
        return VkDependencyInfo.create(
                BarrierEncoder.encodeLocal(scratch, new SyncMasks(conditional, false, false, false), afterColor(), views));
    }

    /** The stage that reads conditions has no place inside of a render pass. */
    @Test
    void aRenderPassWaitsForItsOwnStagesAlone() {
        for (boolean conditional : new boolean[] {false, true}) {
            try (CommandScratch scratch = new CommandScratch()) {
                VkDependencyInfo info = encode(scratch, conditional, false);
                assertThat(info.dependencyFlags()).isEqualTo(VK13.VK_DEPENDENCY_BY_REGION_BIT);
                assertThat(info.imageMemoryBarrierCount()).isZero();
                assertThat(info.memoryBarrierCount()).isEqualTo(1);
                VkMemoryBarrier2 barrier = info.pMemoryBarriers().get(0);
                assertThat(barrier.srcStageMask()).isEqualTo(VK13.VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT);
                assertThat(barrier.srcAccessMask()).isEqualTo(VK13.VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT);
                assertThat(barrier.dstStageMask()).isEqualTo(VK13.VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT);
                assertThat(barrier.dstAccessMask()).isEqualTo(VK13.VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT);
            }
        }
    }

    @Test
    void whereThereAreSeveralEachViewWaitsForItself() {
        try (CommandScratch scratch = new CommandScratch()) {
            assertThat(encode(scratch, false, true).dependencyFlags())
                    .isEqualTo(VK13.VK_DEPENDENCY_BY_REGION_BIT | VK13.VK_DEPENDENCY_VIEW_LOCAL_BIT);
        }
    }
}
