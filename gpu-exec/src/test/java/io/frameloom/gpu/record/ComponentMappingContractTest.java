package io.frameloom.gpu.record;

import static io.frameloom.gpu.record.CommandRig.transition;
import static io.frameloom.gpu.resource.ComponentSwizzle.A;
import static io.frameloom.gpu.resource.ComponentSwizzle.B;
import static io.frameloom.gpu.resource.ComponentSwizzle.G;
import static io.frameloom.gpu.resource.ComponentSwizzle.IDENTITY;
import static io.frameloom.gpu.resource.ComponentSwizzle.ONE;
import static io.frameloom.gpu.resource.ComponentSwizzle.R;
import static io.frameloom.gpu.resource.ComponentSwizzle.ZERO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.CpuKernel;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.ComponentMapping;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.resource.TextureViewKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Views whose channels show others of their texture. */
@Timeout(60)
class ComponentMappingContractTest {
    private static final ComponentMapping WHITE = new ComponentMapping(R, R, R, ONE);
    private static final ComponentMapping REVERSED = new ComponentMapping(A, B, G, R);

    private static final String READ = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) uniform %s image;
            layout(set = 0, binding = 1) buffer Target { vec4 target[]; };
            void main() {
                int x = int(gl_WorkGroupID.x);
                target[x] = %s;
            }
            """;

    private static final CpuKernel READ_TEXELS = invocation -> {
        double[] channels = new double[4];
        ByteBuffer target = invocation.bytes("Target");
        for (int x = 0; x < invocation.groupsX(); x++) {
            invocation.texel("image", 0, 0, 0, x, 0, 0, channels);
            for (int i = 0; i < channels.length; i++) {
                target.putFloat(16 * x + 4 * i, (float) channels[i]);
            }
        }
    };

    private static ComputePipeline reading(CommandRig rig, CpuKernel kernel) {
        return rig.compute("read", READ.formatted("sampler2D", "texelFetch(image, ivec2(x, 0), 0)"), kernel);
    }

    private static Texture texture(CommandRig rig, Format format, TextureUsage... usage) {
        return rig.texture("texture", TextureDescription.of(2, 1, format, TextureUsage.COPY_DST, usage));
    }

    private static TextureView seen(Texture texture, ComponentMapping components) {
        return texture.view(
                SubresourceRange.mip(0),
                TextureViewKind.TWO_D,
                texture.description().format(),
                components);
    }

    /** Returns the two texels of a row as a shader sees them. */
    private static float[] read(CommandRig rig, Texture texture, TextureView view, byte... texels) {
        Buffer upload = rig.upload(texels);
        Buffer target = rig.buffer("target", 32, BufferUsage.STORAGE, BufferUsage.COPY_SRC);
        Buffer found = rig.readback(32);
        ComputePipeline reading = reading(rig, READ_TEXELS);
        rig.execute(list -> {
            transition(list, texture, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST);
            list.copyBufferToTexture(upload, 0, texture, 0, 0);
            transition(list, texture, TextureLayout.TRANSFER_DST, TextureLayout.SHADER_RO);
            list.bindPipeline(reading);
            list.bindTexture("image", view, rig.device.sampler(SamplerDescription.NEAREST_CLAMP));
            list.bindBuffer("Target", target, 0, 32);
            list.dispatch(2, 1, 1);
            CommandRig.full(list);
            list.copyBuffer(target, 0, found, 0, 32);
        });
        float[] result = new float[8];
        found.mapped().asFloatBuffer().get(result);
        return result;
    }

    private static void refused(ThrowingCallable call, String... words) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessageContainingAll(words);
    }

    @ParameterizedTest
    @EnumSource
    void oneChannelIsSeenAsWhite(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture texture = texture(rig, Format.R8_UNORM, TextureUsage.SAMPLED);
            float[] found = read(rig, texture, seen(texture, WHITE), (byte) 51, (byte) 255);
            assertThat(found).containsExactly(new float[] {0.2f, 0.2f, 0.2f, 1, 1, 1, 1, 1}, within(1e-6f));
        }
    }

    @ParameterizedTest
    @EnumSource
    void channelsChangePlaces(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture texture = texture(rig, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED);
            byte[] texels = {0, 51, 102, (byte) 153, (byte) 255, (byte) 204, 51, 0};
            assertThat(read(rig, texture, seen(texture, REVERSED), texels))
                    .containsExactly(new float[] {0.6f, 0.4f, 0.2f, 0, 0, 0.2f, 0.8f, 1}, within(1e-6f));
            assertThat(read(rig, texture, seen(texture, new ComponentMapping(ZERO, IDENTITY, ONE, G)), texels))
                    .containsExactly(new float[] {0, 0.2f, 1, 0.2f, 0, 0.8f, 1, 0.8f}, within(1e-6f));
            assertThat(read(rig, texture, texture.view(), texels))
                    .containsExactly(new float[] {0, 0.2f, 0.4f, 0.6f, 1, 0.8f, 0.2f, 0}, within(1e-6f));
        }
    }

    @ParameterizedTest
    @EnumSource
    void equalMappingsGiveOneView(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture texture = texture(rig, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED);
            TextureView white = seen(texture, WHITE);
            assertThat(white.components()).isEqualTo(WHITE);
            assertThat(seen(texture, new ComponentMapping(IDENTITY, R, R, ONE))).isSameAs(white);
            assertThat(seen(texture, REVERSED)).isNotSameAs(white);
            assertThat(seen(texture, new ComponentMapping(R, G, B, A)))
                    .isSameAs(seen(texture, ComponentMapping.IDENTITY));
            assertThat(texture.view().components().isIdentity()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void storageAndAttachmentsAreSeenAsTheyAre(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture all = texture(
                    rig,
                    Format.R8G8B8A8_UNORM,
                    TextureUsage.SAMPLED,
                    TextureUsage.STORAGE,
                    TextureUsage.COLOR_ATTACHMENT);
            Texture stored = texture(rig, Format.R8G8B8A8_UNORM, TextureUsage.STORAGE);
            Texture volume = rig.texture("volume", all.description().withDepth(2));
            TextureView view = seen(all, REVERSED);
            ComputePipeline storing = rig.compute(
                    "store",
                    READ.formatted("image2D", "imageLoad(image, ivec2(x, 0))")
                            .replace("binding = 0)", "binding = 0, rgba8)"),
                    invocation -> {});
            refused(
                    () -> seen(stored, REVERSED),
                    "texture 'texture' of usage [STORAGE, COPY_DST] cannot be seen with channels (A, B, G, R)",
                    "SAMPLED");
            refused(() -> seen(volume, REVERSED), "'volume'", "(A, B, G, R) by slices");
            rig.execute(list -> {
                refused(
                        () -> list.beginRendering(new RenderingInfo(
                                2,
                                1,
                                List.of(new ColorAttachment(
                                        view, LoadOp.CLEAR, StoreOp.STORE, ClearColor.BLACK_TRANSPARENT)),
                                null)),
                        "attachment 'texture' is seen with channels (A, B, G, R)");
                list.bindPipeline(storing);
                refused(
                        () -> list.bindStorageTexture("image", view),
                        "texture 'texture' bound to 'image' of pipeline 'store' as storage is seen with channels");
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatNoDevicePromisesIsRefused(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture depth = rig.texture(
                    "depth",
                    TextureDescription.of(
                            2, 1, Format.D32_SFLOAT, TextureUsage.SAMPLED, TextureUsage.DEPTH_ATTACHMENT));
            Texture color = texture(rig, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED);
            ComputePipeline reading = reading(rig, READ_TEXELS);
            ComputePipeline comparing = rig.compute(
                    "compare",
                    READ.formatted("sampler2DShadow", "vec4(textureLod(image, vec3(0.5), 0))"),
                    invocation -> {});
            refused(
                    () -> seen(depth, WHITE),
                    "texture 'depth' of D32_SFLOAT",
                    "(IDENTITY, R, R, ONE)",
                    "depth or stencil");
            rig.execute(list -> {
                list.bindPipeline(comparing);
                refused(
                        () -> list.bindTexture(
                                "image",
                                seen(depth, new ComponentMapping(ZERO, R, R, R)),
                                rig.device.sampler(SamplerDescription.SHADOW)),
                        "'depth' bound to 'image' of pipeline 'compare'",
                        "compares red");
                list.bindPipeline(reading);
                SamplerDescription black =
                        SamplerDescription.NEAREST_CLAMP.withBorder(SamplerDescription.Border.OPAQUE_BLACK);
                refused(
                        () -> list.bindTexture("image", seen(color, REVERSED), rig.device.sampler(black)),
                        "'texture' bound to 'image' of pipeline 'read'",
                        "OPAQUE_BLACK");
                list.bindTexture("image", color.view(), rig.device.sampler(black));
            });
        }
    }

    @Test
    void kernelsAreGivenNoBytesOfWhatShowsOtherChannels() {
        List<String> refusals = new ArrayList<>();
        try (CommandRig rig = new CommandRig(Backend.VIRTUAL)) {
            Texture texture = texture(rig, Format.R8_UNORM, TextureUsage.SAMPLED);
            Buffer target = rig.buffer("target", 32, BufferUsage.STORAGE);
            ComputePipeline reading = reading(rig, invocation -> {
                double[] channels = new double[4];
                for (Runnable call : List.<Runnable>of(
                        () -> invocation.bytes("image"),
                        () -> invocation.bytes("image", 0, 0, 0),
                        () -> invocation.texel("image", 0, 0, 0, 2, 0, 0, channels),
                        () -> invocation.texel("image", 0, 1, 0, 0, 0, 0, channels),
                        () -> invocation.texel("Target", 0, 0, 0, 0, 0, 0, channels))) {
                    try {
                        call.run();
                    } catch (IllegalArgumentException refusal) {
                        refusals.add(String.valueOf(refusal.getMessage()));
                    }
                }
            });
            rig.execute(list -> {
                transition(list, texture, TextureLayout.UNDEFINED, TextureLayout.SHADER_RO);
                list.bindPipeline(reading);
                list.bindTexture("image", seen(texture, WHITE), rig.device.sampler(SamplerDescription.NEAREST_CLAMP));
                list.bindBuffer("Target", target, 0, 32);
                list.dispatch(1, 1, 1);
            });
        }
        assertThat(refusals).hasSize(5);
        assertThat(refusals.get(0)).contains("'image' shows channels (IDENTITY, R, R, ONE)", "texel(");
        assertThat(refusals.get(1)).contains("'image' shows channels");
        assertThat(refusals.get(2)).contains("2x1x1 texels of R8_UNORM", "2,0,0");
        assertThat(refusals.get(3)).contains("1 mip ");
        assertThat(refusals.get(4)).contains("a buffer is bound to 'Target'");
    }
}
