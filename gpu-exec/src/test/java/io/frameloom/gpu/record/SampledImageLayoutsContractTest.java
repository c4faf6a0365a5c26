package io.frameloom.gpu.record;

import static io.frameloom.gpu.record.CommandRig.full;
import static io.frameloom.gpu.record.CommandRig.transition;
import static io.frameloom.gpu.record.CommandRig.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BoundResource.SampledImage;
import io.frameloom.gpu.pipeline.BoundResource.SeparateSampler;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Textures that are bound without samplers are in the layout of the pass, too: by name, and in sets that have samplers. */
@Timeout(60)
class SampledImageLayoutsContractTest {
    private static final String READING = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) uniform sampler how;
            layout(set = 0, binding = 1) uniform texture2D picture;
            layout(set = 1, binding = 0) buffer Target { float target; };
            void main() { target += textureLod(sampler2D(picture, how), vec2(0.5), 0).x; }
            """;

    @ParameterizedTest
    @EnumSource
    void anImageAloneIsReadInTheLayoutThatThePassDeclares(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            ComputePipeline reading = rig.compute("reading", READING, invocation -> {
                float before = invocation.bytes("Target").getFloat(0);
                invocation
                        .bytes("Target")
                        .putFloat(0, before + invocation.bytes("picture").getFloat(0));
            });
            Texture picture = rig.texture(
                    "picture",
                    TextureDescription.of(
                            4,
                            4,
                            Format.R32_SFLOAT,
                            TextureUsage.SAMPLED,
                            TextureUsage.COPY_DST,
                            TextureUsage.COPY_SRC));
            SubresourceRange all = SubresourceRange.all(picture.description());
            Sampler nearest = rig.device.sampler(SamplerDescription.NEAREST_CLAMP);
            Buffer target = rig.buffer("target", 4, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);
            Buffer readback = rig.readback(4);
            BindingSet set = rig.own(rig.device.createBindingSet(
                    "set",
                    reading,
                    0,
                    Map.of("picture", new SampledImage(picture.view()), "how", new SeparateSampler(nearest))));
            ResourceUse written = new ResourceUse.OfBuffer(target, 0, 4, Access.STORAGE_READ_WRITE_COMPUTE, false);
            rig.execute(list -> {
                list.fillBuffer(target, 0, 4, 0);
                transition(list, picture, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST);
                list.clearTexture(picture, all, new ClearColor(2, 0, 0, 0));
                transition(list, picture, TextureLayout.TRANSFER_DST, TextureLayout.GENERAL);
                full(list);
                list.bindPipeline(reading);
                list.bindBuffer("Target", target, 0, 4);
                list.bindSampler("how", nearest);
                list.bindTexture("picture", picture.view());
                for (TextureLayout layout : List.of(TextureLayout.GENERAL, TextureLayout.SHADER_RO)) {
                    ResourceUse sampled =
                            new ResourceUse.OfTexture(picture, all, Access.SAMPLED_COMPUTE, false, layout);
                    list.beginPass("by name", List.of(sampled, written));
                    list.dispatch(1, 1, 1);
                    list.endPass();
                    full(list);
                    list.beginPass("by set", List.of(sampled, written));
                    list.bindPipeline(reading);
                    list.bindBuffer("Target", target, 0, 4);
                    list.bindSet(set);
                    list.dispatch(1, 1, 1);
                    list.endPass();
                    if (layout == TextureLayout.GENERAL) {
                        transition(list, picture, layout, TextureLayout.SHADER_RO);
                    }
                    full(list);
                    list.bindPipeline(reading);
                    list.bindBuffer("Target", target, 0, 4);
                    list.bindSampler("how", nearest);
                    list.bindTexture("picture", picture.view());
                }
                ResourceUse copied =
                        new ResourceUse.OfTexture(picture, all, Access.COPY_SRC, false, TextureLayout.TRANSFER_SRC);
                list.beginPass("copies", List.of(copied, written));
                assertThatThrownBy(() -> list.dispatch(1, 1, 1))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("texture 'picture' in layout TRANSFER_SRC")
                        .hasMessageContaining("cannot be sampled");
                list.endPass();
                list.copyBuffer(target, 0, readback, 0, 4);
                full(list);
            });
            assertThat(Float.intBitsToFloat(words(readback)[0])).isEqualTo(8);
        }
    }
}
