package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.DeviceKind;
import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.gpu.pipeline.BoundResource.SampledTexture;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.FormatSupport;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.SamplerDescription.Reduction;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.resource.TextureView;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Samplers that take the smallest or largest texel: on devices that have them, for formats of which they can. */
@Timeout(60)
class SamplerReductionContractTest {
    private static final SamplerDescription SMALLEST = SamplerDescription.LINEAR_CLAMP.withReduction(Reduction.MIN);

    private static ComputePipeline sampling(CommandRig rig, Format format, boolean stencil) {
        String kind = stencil
                ? "u"
                : switch (format.kind()) {
                    case FLOAT -> "";
                    case UINT -> "u";
                    case SINT -> "i";
                };
        return rig.compute("sample " + format + (stencil ? " stencil" : ""), """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) uniform %ssampler2D picture;
            layout(set = 0, binding = 1) buffer Target { float target; };
            void main() { target = float(textureLod(picture, vec2(0.5), 0).x); }
            """.formatted(kind), invocation -> {});
    }

    private static void refused(ThrowingCallable attempt, String... words) {
        assertThatThrownBy(attempt)
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .contains(words);
    }

    @ParameterizedTest
    @EnumSource
    void aReductionIsOfFormatsOfWhichTheDeviceCan(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            assumeTrue(rig.device.capabilities().limits().samplers().reductions());
            Sampler smallest = rig.device.sampler(SMALLEST);
            int refusals = 0;
            int accepted = 0;
            for (Format format : Format.values()) {
                FormatSupport support = rig.device.formatSupport(format);
                if (!support.sampled() || format == Format.S8_UINT) {
                    continue;
                }
                Texture picture = rig.texture("picture", TextureDescription.of(16, 16, format, TextureUsage.SAMPLED));
                TextureView view = picture.view(SubresourceRange.mip(0));
                ComputePipeline pipeline = sampling(rig, format, false);
                CommandList list = rig.frame.beginCommands(rig.queue(), "list");
                list.bindPipeline(pipeline);
                if (support.reduction()) {
                    accepted++;
                    assertThatCode(() -> list.bindTexture("picture", view, smallest))
                            .as("%s", format)
                            .doesNotThrowAnyException();
                } else {
                    refusals++;
                    refused(
                            () -> list.bindTexture("picture", view, smallest),
                            "'picture' of pipeline '" + pipeline.name() + "'",
                            "takes the MIN",
                            format.name());
                }
                list.end();
            }
            assertThat(accepted).as("formats with reductions").isPositive();
            assertThat(refusals).as("formats without").isGreaterThanOrEqualTo(backend == Backend.VIRTUAL ? 1 : 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void ofDepthAndStencilOnlyDepthIsReduced(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            assumeTrue(rig.device.capabilities().limits().samplers().reductions());
            Format format = rig.device.firstSupported(TextureUsage.DEPTH_ATTACHMENT, Format.DEPTH_STENCIL);
            Texture both = rig.texture(
                    "both", TextureDescription.of(16, 16, format, TextureUsage.SAMPLED, TextureUsage.DEPTH_ATTACHMENT));
            TextureView stencil = both.view(SubresourceRange.mip(0).plane(1));
            Sampler largest = rig.device.sampler(SamplerDescription.NEAREST_CLAMP.withReduction(Reduction.MAX));
            ComputePipeline pipeline = sampling(rig, format, true);
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            list.bindPipeline(pipeline);
            refused(
                    () -> list.bindTexture("picture", stencil, largest),
                    "texture 'both' bound to 'picture'",
                    "takes the MAX",
                    "the stencil of " + format);
            list.end();
        }
    }

    @ParameterizedTest
    @EnumSource
    void bindingSetsAreHeldAgainstTheFormatToo(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            assumeTrue(rig.device.capabilities().limits().samplers().reductions());
            assumeTrue(!rig.device.formatSupport(Format.R32_UINT).reduction());
            Texture numbers =
                    rig.texture("numbers", TextureDescription.of(4, 4, Format.R32_UINT, TextureUsage.SAMPLED));
            Buffer target = rig.buffer("target", 16, BufferUsage.STORAGE);
            ComputePipeline pipeline = sampling(rig, Format.R32_UINT, false);
            Sampler largest = rig.device.sampler(SamplerDescription.NEAREST_CLAMP.withReduction(Reduction.MAX));
            refused(
                    () -> makeSet(rig, pipeline, new SampledTexture(numbers.view(), largest), target),
                    "texture 'numbers' bound to 'picture'",
                    "takes the MAX",
                    "R32_UINT");
        }
    }

    private static BindingSet makeSet(CommandRig rig, ComputePipeline pipeline, SampledTexture picture, Buffer target) {
        return rig.device.createBindingSet(
                "set", pipeline, 0, Map.of("picture", picture, "Target", new BufferRange(target, 0, 16)));
    }

    @Test
    void devicesWithoutThemMakeNone() {
        DeviceCapabilities least = new DeviceCapabilities(
                "least",
                DeviceKind.SIMULATED,
                "none",
                false,
                true,
                4096,
                1 << 20,
                64,
                64,
                128,
                1,
                false,
                DeviceLimits.minimum(),
                Set.of());
        ResourceLimits.check(SamplerDescription.LINEAR_CLAMP, least);
        refused(() -> ResourceLimits.check(SMALLEST, least), "'least'", "MIN", "WEIGHTED_AVERAGE");
    }
}
