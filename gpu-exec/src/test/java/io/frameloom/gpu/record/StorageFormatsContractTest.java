package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.resource.TextureViewKind;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Views are made and bound for what both their texture and their format can be used for. */
@Timeout(60)
class StorageFormatsContractTest {
    private static final Format UNORM = Format.R8G8B8A8_UNORM;
    private static final Format SRGB = Format.R8G8B8A8_SRGB;
    /** Names no format, so it takes whichever there is. */
    private static final String STORING = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) uniform writeonly image2D target;
            void main() { imageStore(target, ivec2(0), vec4(1)); }
            """;

    private static TextureView as(Texture texture, Format format) {
        return texture.view(SubresourceRange.mip(0), TextureViewKind.TWO_D, format);
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aViewOfAFormatThatCannotBeStoredToIsNotBoundAsStorage(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            assertThat(rig.device.formatSupport(SRGB).storage()).isFalse();
            ComputePipeline pipeline = rig.compute("storing", STORING, invocation -> {});
            Texture picture = rig.texture(
                    "picture",
                    TextureDescription.of(4, 4, UNORM, TextureUsage.STORAGE, TextureUsage.SAMPLED)
                            .withViewFormats(SRGB));
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            list.bindPipeline(pipeline);
            list.bindStorageTexture("target", as(picture, UNORM));
            assertThatThrownBy(() -> list.bindStorageTexture("target", as(picture, SRGB)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("texture 'picture' bound to 'target' of pipeline 'storing'")
                    .hasMessageContaining("seen as R8G8B8A8_SRGB, which the device cannot use for STORAGE");
            assertThatThrownBy(() -> rig.device.createBindingSet(
                            "set", pipeline, 0, Map.of("target", new BoundResource.StorageTexture(as(picture, SRGB)))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("seen as R8G8B8A8_SRGB, which the device cannot use for STORAGE");
            list.end();
            rig.frame.reset();
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aTextureOfAFormatThatCannotBeStoredToIsNotMade(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            TextureDescription storage = TextureDescription.of(4, 4, SRGB, TextureUsage.STORAGE);
            TextureDescription depth = TextureDescription.of(4, 4, UNORM, TextureUsage.DEPTH_ATTACHMENT);
            TextureDescription samples = TextureDescription.of(4, 4, UNORM, TextureUsage.COLOR_ATTACHMENT)
                    .withSamples(64);
            for (TextureDescription wrong : new TextureDescription[] {storage, depth, samples}) {
                assertThatThrownBy(() -> rig.own(rig.device.createTexture("wrong", wrong)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("texture 'wrong' (" + wrong.format() + ", " + wrong.usage() + ")")
                        .hasMessageContaining("is not supported by");
                assertThatThrownBy(() -> rig.device.requirements(wrong))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("is not supported by");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aTextureThatIsOnlyCopiedHasNoViews(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture copied = rig.texture(
                    "copied", TextureDescription.of(4, 4, UNORM, TextureUsage.COPY_SRC, TextureUsage.COPY_DST));
            for (org.assertj.core.api.ThrowableAssert.ThrowingCallable view :
                    new org.assertj.core.api.ThrowableAssert.ThrowingCallable[] {
                        copied::view, () -> copied.view(SubresourceRange.mip(0)), () -> as(copied, UNORM)
                    }) {
                assertThatThrownBy(view)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("texture 'copied'")
                        .hasMessageContaining("[COPY_SRC, COPY_DST]")
                        .hasMessageContaining("no views; add SAMPLED, STORAGE or an attachment to its usage");
            }
        }
    }

    /** What is left of the usages of a texture may be nothing in another format. */
    @ParameterizedTest
    @EnumSource(Backend.class)
    void aViewInAFormatThatIsGoodForNothingIsRefused(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Set<TextureUsage> usage = EnumSet.of(TextureUsage.STORAGE, TextureUsage.COPY_SRC);
            Texture stored = rig.texture(
                    "stored",
                    TextureDescription.of(4, 4, UNORM, TextureUsage.STORAGE)
                            .withUsage(usage)
                            .withViewFormats(SRGB));
            assertThat(as(stored, UNORM).format()).isEqualTo(UNORM);
            assertThatThrownBy(() -> as(stored, SRGB))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("texture 'stored'")
                    .hasMessageContaining("R8G8B8A8_SRGB")
                    .hasMessageContaining("none of its usages");
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aViewThatCanBeSampledAlthoughItCannotBeStoredToIsSampled(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            ComputePipeline pipeline = rig.compute("sampling", """
                    #version 450
                    layout(local_size_x = 1) in;
                    layout(set = 0, binding = 0) uniform sampler2D source;
                    layout(set = 0, binding = 1) buffer Target { vec4 target; };
                    void main() { target = texture(source, vec2(0)); }
                    """, invocation -> {});
            Texture picture = rig.texture(
                    "picture",
                    TextureDescription.of(4, 4, UNORM, TextureUsage.STORAGE, TextureUsage.SAMPLED)
                            .withViewFormats(SRGB));
            Sampler sampler = rig.device.sampler(SamplerDescription.NEAREST_CLAMP);
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            list.bindPipeline(pipeline);
            list.bindTexture("source", as(picture, SRGB), sampler);
            list.end();
            rig.frame.reset();
        }
    }
}
