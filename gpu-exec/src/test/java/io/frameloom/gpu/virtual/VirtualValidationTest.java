package io.frameloom.gpu.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceKind;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.error.ShaderCompilationException;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Misuse of the virtual device is refused with the name of what is wrong. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class VirtualValidationTest {
    static GraphicsPipelineDescription triangle() {
        return new GraphicsPipelineDescription(
                "triangle",
                new ShaderSource(
                        "triangle.vert",
                        ShaderStage.VERTEX,
                        "#version 450\nvoid main() { gl_Position = vec4(gl_VertexIndex, 0, 0, 1); }\n"),
                new ShaderSource(
                        "triangle.frag",
                        ShaderStage.FRAGMENT,
                        "#version 450\nlayout(location = 0) out vec4 color;\nvoid main() { color = vec4(1); }\n"),
                List.of(),
                GraphicsPipelineDescription.CullMode.NONE,
                null,
                GraphicsPipelineDescription.Blend.NONE,
                List.of(Format.R8G8B8A8_UNORM),
                null);
    }

    static ResourceUse use(Texture texture, Access access, TextureLayout layout) {
        return new ResourceUse.OfTexture(
                texture, SubresourceRange.all(texture.description()), access, access.writes(), layout);
    }

    static RenderingInfo target(Texture texture) {
        return new RenderingInfo(
                texture.description().width(),
                texture.description().height(),
                List.of(new RenderingInfo.ColorAttachment(
                        texture.view(), LoadOp.CLEAR, StoreOp.STORE, RenderingInfo.ClearColor.BLACK_TRANSPARENT)),
                null);
    }

    @Test
    void describesItself() {
        try (VirtualRig rig = new VirtualRig(4, 1, null)) {
            assertThat(rig.device.capabilities().kind()).isEqualTo(DeviceKind.SIMULATED);
            assertThat(rig.device.capabilities().renders()).isFalse();
            assertThat(rig.device.queues().stream().map(queue -> queue.kind()))
                    .containsExactly(QueueKind.GRAPHICS, QueueKind.COMPUTE, QueueKind.COMPUTE, QueueKind.COPY);
            assertThat(rig.device.queues().stream().map(queue -> queue.family()))
                    .containsExactly(0, 1, 1, 2);
            assertThat(rig.device.queues().stream().map(queue -> queue.name())).doesNotHaveDuplicates();
            assertThat(rig.device.validationMessages()).isEmpty();
        }
    }

    @Test
    void missingBindingsAreNamed() {
        try (VirtualRig rig = new VirtualRig(1, 1, null)) {
            Buffer buffer = rig.buffer("buffer", 16);
            CommandList list = rig.frame.beginCommands(rig.queue(0), "list");
            list.bindPipeline(rig.scale());
            list.bindBuffer("Source", buffer, 0, 64);
            assertThatThrownBy(() -> list.dispatch(1, 1, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Target")
                    .hasMessageContaining("scale");
            assertThatThrownBy(() -> list.bindBuffer("Sauce", buffer, 0, 64))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Sauce");
            assertThatThrownBy(() -> list.bindBuffer("Source", buffer, 4, 8)).hasMessageContaining("256");
            assertThatThrownBy(() -> list.bindBuffer("Source", buffer, 0, 65)).hasMessageContaining("buffer");
            assertThatThrownBy(() -> rig.device.createBindingSet("set", rig.scale(), 0, Map.of()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Source");
        }
    }

    @Test
    void shaderErrorsCarryTheCompilersWords() {
        try (VirtualRig rig = new VirtualRig(1, 1, null)) {
            assertThatThrownBy(() -> rig.pipeline("bad", "#version 450\nvoid main() { x = 1; }\n", null))
                    .isInstanceOf(ShaderCompilationException.class)
                    .hasMessageContaining("bad.comp");
        }
    }

    @Test
    void listsAreSubmittedOnceToTheirQueue() {
        try (VirtualRig rig = new VirtualRig(2, 1, null)) {
            CommandList list = rig.frame.beginCommands(rig.queue(1), "mine");
            assertThatThrownBy(() -> rig.queue(1).submit(new Submission("s", List.of(list), List.of())))
                    .hasMessageContaining("mine")
                    .hasMessageContaining("end it");
            list.end();
            assertThatThrownBy(() -> rig.queue(0).submit(new Submission("s", List.of(list), List.of())))
                    .hasMessageContaining("compute");
            rig.queue(1).submit(new Submission("s", List.of(list), List.of()));
            assertThatThrownBy(() -> rig.queue(1).submit(new Submission("s", List.of(list), List.of())))
                    .hasMessageContaining("second time");
            assertThatThrownBy(list::endPass).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void queuesExecuteWhatTheirKindAllows() {
        try (VirtualRig rig = new VirtualRig(3, 1, null)) {
            CommandList copy = rig.frame.beginCommands(rig.queue(2), "copy only");
            assertThatThrownBy(() -> copy.bindPipeline(rig.scale())).hasMessageContaining("COPY");
        }
    }

    @Test
    void usageAndBoundsAreChecked() {
        try (VirtualRig rig = new VirtualRig(1, 1, null)) {
            Buffer uniform =
                    rig.keep(rig.device.createBuffer("uniform", BufferDescription.device(64, BufferUsage.UNIFORM)));
            Buffer storage = rig.buffer("storage", 16);
            CommandList list = rig.frame.beginCommands(rig.queue(0), "list");
            assertThatThrownBy(() -> list.fillBuffer(uniform, 0, 4, 1)).hasMessageContaining("COPY_DST");
            assertThatThrownBy(() -> list.fillBuffer(storage, 60, 8, 1)).hasMessageContaining("storage");
            assertThatThrownBy(() -> list.fillBuffer(storage, 2, 4, 1)).hasMessageContaining("multiples of 4");
            assertThatThrownBy(storage::mapped).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> rig.device.createTexture(
                            "huge", TextureDescription.of(1 << 20, 1, Format.R8_UNORM, TextureUsage.SAMPLED)))
                    .hasMessageContaining("16384");
            var heap = rig.keep(rig.device.createHeap("heap", 1024, 1));
            assertThatThrownBy(() -> heap.placeBuffer("p", storage.description(), 100))
                    .hasMessageContaining("256");
            assertThatThrownBy(() -> heap.placeBuffer("p", storage.description(), 1024))
                    .hasMessageContaining("heap");
        }
    }

    @Test
    void closingNamesWhatIsStillOpen() {
        VirtualRig rig = new VirtualRig(1, 1, null);
        rig.device.createBuffer("forgotten", BufferDescription.device(64, BufferUsage.UNIFORM));
        rig.frame.close();
        assertThatThrownBy(rig.device::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("forgotten");
        rig.device.close();
        rig.tasks.close();
    }

    @Test
    void largeTexturesTakeNoMemoryUntilSomebodyLooks() {
        try (VirtualRig rig = new VirtualRig(1, 1, null)) {
            long limit = Runtime.getRuntime().maxMemory();
            TextureDescription large = TextureDescription.of(
                    16_384, 16_384, Format.R32G32B32A32_SFLOAT, TextureUsage.COPY_DST, TextureUsage.COPY_SRC);
            for (long bytes = 0; bytes <= limit; bytes += 4L << 30) {
                Texture texture = rig.keep(rig.device.createTexture("large", large));
                rig.await(rig.submit(
                        rig.queue(0),
                        List.of(),
                        list -> list.clearTexture(
                                texture, SubresourceRange.all(large), RenderingInfo.ClearColor.BLACK_TRANSPARENT)));
            }
        }
    }
}
