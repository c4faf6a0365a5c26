package io.frameloom.gpu.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
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

/** Every access needs the usage that it is named for, and a resource of its kind. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UsagesTest {
    private interface Body {
        void with(Texture texture, Buffer buffer);
    }

    private static void resources(TextureUsage textureUsage, BufferUsage bufferUsage, Body body) {
        try (TaskGraph tasks = TaskGraph.builder().name("usages").workers(1).build();
                GpuDevice device = VirtualDevice.open(
                        new VirtualGpuOptions(1, 1), new DeviceOptions(tasks, "usages", false, null));
                Texture texture = device.createTexture(
                        "picture", TextureDescription.of(4, 4, Format.R8G8B8A8_UNORM, textureUsage));
                Buffer buffer = device.createBuffer("data", BufferDescription.device(64, bufferUsage))) {
            body.with(texture, buffer);
        }
    }

    private static void check(Texture texture, Access access) {
        Usages.check(
                "pass",
                List.of(new ResourceUse.OfTexture(
                        texture, SubresourceRange.mip(0), access, false, TextureLayout.GENERAL)));
    }

    private static void check(Buffer buffer, Access access) {
        Usages.check("pass", List.of(new ResourceUse.OfBuffer(buffer, 0, 64, access, false)));
    }

    @ParameterizedTest
    @EnumSource(
            value = Access.class,
            names = {"STENCIL_WRITE", "STENCIL_READ_WRITE", "STENCIL_READ", "INPUT_ATTACHMENT", "BLIT_SRC", "BLIT_DST"})
    void texturesNeedTheUsage(Access access) {
        resources(
                TextureUsage.STORAGE,
                BufferUsage.UNIFORM,
                (texture, buffer) -> assertThatThrownBy(() -> check(texture, access))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContainingAll("'picture'", access.name(), "needs usage"));
    }

    @ParameterizedTest
    @EnumSource(
            value = Access.class,
            names = {"VERTEX", "INDEX", "INDIRECT", "UNIFORM_GRAPHICS", "UNIFORM_COMPUTE"})
    void accessesOfBuffersAreNotOfTextures(Access access) {
        resources(
                TextureUsage.SAMPLED,
                BufferUsage.UNIFORM,
                (texture, buffer) -> assertThatThrownBy(() -> check(texture, access))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContainingAll("'pass'", "'picture'", access.name(), "buffers alone"));
    }

    @ParameterizedTest
    @EnumSource(
            value = Access.class,
            names = {"COLOR_WRITE", "DEPTH_READ", "STENCIL_READ", "SAMPLED_COMPUTE", "INPUT_ATTACHMENT", "PRESENT"})
    void accessesOfTexturesAreNotOfBuffers(Access access) {
        resources(
                TextureUsage.SAMPLED,
                BufferUsage.UNIFORM,
                (texture, buffer) -> assertThatThrownBy(() -> check(buffer, access))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContainingAll("'pass'", "'data'", access.name(), "textures alone"));
    }

    @Test
    void rangesAreWithinTheResource() {
        resources(TextureUsage.SAMPLED, BufferUsage.UNIFORM, (texture, buffer) -> {
            for (SubresourceRange range : List.of(
                    SubresourceRange.mip(1),
                    SubresourceRange.of(0, 1),
                    SubresourceRange.mip(0).plane(1))) {
                ResourceUse use = new ResourceUse.OfTexture(
                        texture, range, Access.SAMPLED_COMPUTE, false, TextureLayout.SHADER_RO);
                assertThatThrownBy(() -> Usages.check("pass", List.of(use)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContainingAll("'pass'", "'picture'", range.toString(), "1 mip, 1 layer and 1 plane");
            }
            for (long[] range : new long[][] {
                {0, 65}, {-4, 8}, {64, 1}, {0, 0}, {0, Long.MAX_VALUE}, {Long.MAX_VALUE, Long.MAX_VALUE}
            }) {
                ResourceUse use = new ResourceUse.OfBuffer(buffer, range[0], range[1], Access.UNIFORM_COMPUTE, false);
                assertThatThrownBy(() -> Usages.check("pass", List.of(use)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContainingAll("'pass'", "'data'", range[0] + "+" + range[1], "64 bytes");
            }
            Usages.check("pass", List.of(new ResourceUse.OfBuffer(buffer, 60, 4, Access.UNIFORM_COMPUTE, false)));
        });
    }

    @Test
    void theUsageItselfIsEnough() {
        resources(TextureUsage.SAMPLED, BufferUsage.UNIFORM, (texture, buffer) -> {
            check(texture, Access.SAMPLED_VERTEX);
            check(texture, Access.PRESENT);
            check(buffer, Access.UNIFORM_COMPUTE);
            check(buffer, Access.HOST_READ);
            assertThat(texture.isClosed()).isFalse();
        });
    }
}
