package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgError;
import io.frameloom.rdg.RdgError.Code;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgValidationException;
import io.frameloom.rdg.RenderGraph;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a device does not have is refused when a graph is compiled for it: all of it, by name and place. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnsupportedResourcesTest {
    private static final ClearColor BLACK = ClearColor.BLACK_TRANSPARENT;

    private final RenderGraph graph =
            new RenderGraph("frame", RdgOptions.defaults().withDebug(true));

    private static TextureDescription texture(int extent, Format format) {
        return TextureDescription.of(extent, extent, format, TextureUsage.SAMPLED);
    }

    private void stores(String name, TextureDescription description) {
        graph.addPass("store " + name, PassKind.COMPUTE)
                .overwrites(graph.createTexture(name, description), Access.STORAGE_WRITE_COMPUTE)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> {});
    }

    private void draws(String name, TextureDescription description) {
        graph.addPass("draw " + name, PassKind.RASTER)
                .color(graph.createTexture(name, description), LoadOp.CLEAR, BLACK)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> {});
    }

    private List<RdgError> errors(DeviceRig rig) {
        RdgValidationException refusal = catchThrowableOfType(RdgValidationException.class, () -> rig.compile(graph));
        assertThat(refusal).isNotNull();
        return refusal.errors();
    }

    @ParameterizedTest
    @EnumSource(
            value = TestDevice.class,
            names = {"VIRTUAL", "VULKAN"})
    void transientsAreRefusedAllAtOnce(TestDevice device) {
        device.run(rig -> {
            stores("wide", texture(100_000, Format.R8G8B8A8_UNORM));
            stores("sound", texture(8, Format.R8G8B8A8_UNORM));
            stores("deep", texture(8, Format.R8G8B8A8_UNORM).withLayers(100_000));
            draws("drawn blocks", texture(8, Format.BC1_RGB_UNORM));
            stores("stored blocks", texture(8, Format.BC1_RGB_UNORM));
            draws(
                    "smooth",
                    TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT)
                            .withSamples(64));
            graph.addPass("fill long", PassKind.COPY)
                    .overwrites(
                            graph.createBuffer("long", BufferDescription.device(1L << 50, BufferUsage.STORAGE)),
                            Access.COPY_DST)
                    .flag(PassFlag.NEVER_CULL)
                    .record(context -> {});
            List<RdgError> errors = errors(rig);
            assertThat(errors)
                    .extracting(RdgError::resource)
                    .containsExactly("wide", "deep", "drawn blocks", "stored blocks", "smooth", "long");
            assertThat(errors).allSatisfy(error -> {
                assertThat(error.code()).isEqualTo(Code.UNSUPPORTED);
                assertThat(error.pass()).isIn("store " + error.resource(), "draw " + error.resource(), "fill long");
                assertThat(error.message()).contains("'" + error.resource() + "'", "'" + error.pass() + "'");
                assertThat(error.message()).doesNotContain("of the description");
                assertThat(error.sites()).hasSize(2).allMatch(site -> site.contains("UnsupportedResourcesTest"));
            });
            assertThat(errors.get(0).message()).contains("100000x100000", "maxTextureExtent");
            assertThat(errors.get(1).message()).contains("100000 layers");
            assertThat(errors.get(2).message()).contains("BC1_RGB_UNORM");
            assertThat(errors.get(4).message()).contains("64 samples");
            assertThat(errors.get(5).message()).contains((1L << 50) + " bytes", "maxBufferBytes");
        });
    }

    /** Its description would refuse such a usage without a name. */
    @ParameterizedTest
    @EnumSource(value = TestDevice.class, names = "VIRTUAL")
    void samplesThatNoPassDrawsAreRefusedByName(TestDevice device) {
        device.run(rig -> {
            graph.addPass("fill", PassKind.COPY)
                    .overwrites(
                            graph.createTexture(
                                    "smooth",
                                    TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM)
                                            .withSamples(4)),
                            Access.COPY_DST)
                    .flag(PassFlag.NEVER_CULL)
                    .record(context -> {});
            assertThat(errors(rig)).singleElement().satisfies(error -> {
                assertThat(error.code()).isEqualTo(Code.USAGE);
                assertThat(error.resource()).isEqualTo("smooth");
                assertThat(error.message()).contains("'smooth' has 4 samples", "attachment of no pass");
                assertThat(error.sites()).singleElement().asString().contains("UnsupportedResourcesTest");
            });
        });
    }

    @ParameterizedTest
    @EnumSource(
            value = TestDevice.class,
            names = {"VIRTUAL", "VULKAN"})
    void moreColourTargetsThanTheDeviceHas(TestDevice device) {
        device.run(rig -> {
            int most = rig.device.capabilities().limits().drawing().maxColorAttachments();
            targets("fits", most);
            rig.compile(graph);
            targets("too many", most + 2);
            List<RdgError> errors = errors(rig);
            assertThat(errors).hasSize(1);
            RdgError error = errors.get(0);
            assertThat(error.code()).isEqualTo(Code.UNSUPPORTED);
            assertThat(error.pass()).isEqualTo("too many");
            assertThat(error.message()).contains("'too many'", (most + 2) + " colour targets", "renders to " + most);
            assertThat(error.sites()).isNotEmpty().allMatch(site -> site.contains("UnsupportedResourcesTest"));
        });
    }

    private void targets(String name, int count) {
        PassBuilder pass = graph.addPass(name, PassKind.RASTER).flag(PassFlag.NEVER_CULL);
        for (int target = 0; target < count; target++) {
            pass.color(graph.createTexture(name + target, texture(8, Format.R8G8B8A8_UNORM)), LoadOp.CLEAR, BLACK);
        }
        pass.record(context -> {});
    }

    @ParameterizedTest
    @EnumSource(
            value = TestDevice.class,
            names = {"VIRTUAL", "VULKAN"})
    void memoryThatIsNotSharedIsAskedForToo(TestDevice device) {
        device.run(rig -> {
            graph.addPass("fill staging", PassKind.COPY)
                    .overwrites(graph.createBuffer("staging", BufferDescription.readback(1L << 50)), Access.COPY_DST)
                    .flag(PassFlag.NEVER_CULL)
                    .record(context -> {});
            var kept = graph.createTexture("kept", texture(100_000, Format.R8G8B8A8_UNORM));
            graph.extract(kept, Access.SAMPLED_COMPUTE);
            graph.addPass("store kept", PassKind.COMPUTE)
                    .overwrites(kept, Access.STORAGE_WRITE_COMPUTE)
                    .record(context -> {});
            assertThat(new ArrayList<>(errors(rig)))
                    .extracting(RdgError::resource)
                    .containsExactly("staging", "kept");
        });
    }
}
