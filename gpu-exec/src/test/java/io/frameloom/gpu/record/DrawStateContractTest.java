package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexAttribute;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexBuffer;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A draw that was allowed is checked anew when anything has changed that it depends on. */
@Timeout(60)
class DrawStateContractTest {
    private static final String WRITE = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) buffer Target { int target[]; };
            layout(set = 1, binding = 0) buffer Other { int other[]; };
            void main() { target[0] = other[0]; }
            """;

    /** What draws need, and something else of each kind. */
    private static final class Scene implements AutoCloseable {
        private final CommandRig rig;
        private final Buffer vertices;
        private final Buffer few;
        private final RenderingInfo rendering;
        private final RenderingInfo floats;
        private final GraphicsPipeline one;
        private final GraphicsPipeline two;

        Scene(Backend backend) {
            rig = new CommandRig(backend);
            vertices = rig.buffer("vertices", 256, BufferUsage.VERTEX);
            few = rig.buffer("few", 32, BufferUsage.VERTEX);
            rendering = rendering(Format.R8G8B8A8_UNORM);
            floats = rendering(Format.R32G32B32A32_SFLOAT);
            one = pipeline("one", 1);
            two = pipeline("two", 2);
        }

        private RenderingInfo rendering(Format format) {
            Texture target = rig.texture("target", TextureDescription.of(4, 4, format, TextureUsage.COLOR_ATTACHMENT));
            return new RenderingInfo(
                    4,
                    4,
                    List.of(new ColorAttachment(
                            target.view(), LoadOp.DONT_CARE, StoreOp.STORE, ClearColor.BLACK_TRANSPARENT)),
                    null);
        }

        private GraphicsPipeline pipeline(String name, int buffers) {
            return rig.own(rig.device.createGraphicsPipeline(new GraphicsPipelineDescription(
                    name,
                    new ShaderSource(name + ".vert", ShaderStage.VERTEX, """
                        #version 450
                        layout(location = 0) in vec4 position;
                        SECOND
                        void main() { gl_Position = position * scale; }
                        """.replace(
                            "SECOND", buffers == 1 ? "float scale = 1;" : "layout(location = 1) in vec4 scale;")),
                    new ShaderSource(name + ".frag", ShaderStage.FRAGMENT, """
                        #version 450
                        layout(location = 0) out vec4 color;
                        void main() { color = vec4(1); }
                        """),
                    List.of(
                                    new VertexBuffer(
                                            16, false, List.of(new VertexAttribute(0, Format.R32G32B32A32_SFLOAT, 0))),
                                    new VertexBuffer(
                                            4, false, List.of(new VertexAttribute(1, Format.R8G8B8A8_UNORM, 0))))
                            .subList(0, buffers),
                    GraphicsPipelineDescription.CullMode.NONE,
                    null,
                    GraphicsPipelineDescription.Blend.NONE,
                    List.of(Format.R8G8B8A8_UNORM),
                    null)));
        }

        CommandList list() {
            return rig.frame.beginCommands(rig.queue(), "list");
        }

        void drawn(CommandList list) {
            list.beginRendering(rendering);
            list.bindPipeline(one);
            list.bindVertexBuffer(0, vertices, 0);
            list.draw(16, 1, 0, 0);
        }

        @Override
        public void close() {
            rig.close();
        }
    }

    private static void refused(ThrowingCallable command, String... words) {
        assertThatThrownBy(command)
                .isInstanceOfAny(IllegalStateException.class, IllegalArgumentException.class)
                .hasMessageContainingAll(words);
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void anotherVertexBuffer(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            CommandList list = scene.list();
            scene.drawn(list);
            list.bindVertexBuffer(0, scene.few, 0);
            refused(() -> list.draw(3, 1, 0, 0), "'few'", "32 bytes");
            list.draw(2, 1, 0, 0);
            list.bindVertexBuffer(0, scene.vertices, 2);
            refused(() -> list.draw(3, 1, 0, 0), "vertex buffer 0", "multiple of 4");
            refused(() -> list.draw(3, 1, 0, 0), "vertex buffer 0", "multiple of 4");
            list.bindVertexBuffer(0, scene.vertices, 16);
            refused(() -> list.draw(16, 1, 0, 0), "'vertices'", "240 bytes");
            list.draw(15, 1, 0, 0);
            list.endRendering();
            list.end();
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void anotherPipeline(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            CommandList list = scene.list();
            scene.drawn(list);
            list.bindPipeline(scene.two);
            refused(() -> list.draw(3, 1, 0, 0), "'two'", "vertex buffer 1", "not bound");
            refused(() -> list.draw(3, 1, 0, 0), "'two'", "vertex buffer 1", "not bound");
            list.bindVertexBuffer(1, scene.few, 0);
            list.draw(8, 1, 0, 0);
            refused(() -> list.draw(9, 1, 0, 0), "'few'");
            list.bindPipeline(scene.one);
            list.draw(9, 1, 0, 0);
            list.endRendering();
            list.end();
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void anotherRenderPass(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            CommandList list = scene.list();
            scene.drawn(list);
            list.endRendering();
            refused(() -> list.draw(3, 1, 0, 0), "outside of a render pass");
            list.beginRendering(scene.floats);
            refused(() -> list.draw(3, 1, 0, 0), "'one'", "R32G32B32A32_SFLOAT");
            refused(() -> list.draw(3, 1, 0, 0), "'one'", "R32G32B32A32_SFLOAT");
            list.endRendering();
            list.beginRendering(scene.rendering);
            list.draw(3, 1, 0, 0);
            list.endRendering();
            list.beginRendering(scene.rendering.withSecondaries());
            refused(() -> list.draw(3, 1, 0, 0), "secondary lists");
            list.endRendering();
            list.end();
            refused(() -> list.draw(3, 1, 0, 0), "no longer recorded");
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void executedLists(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            CommandList nothing =
                    scene.rig.frame.beginSecondary(scene.rig.queue(), "nothing", scene.rendering.formats(), List.of());
            nothing.end();
            CommandList list = scene.list();
            scene.drawn(list);
            list.endRendering();
            list.beginRendering(scene.rendering.withSecondaries());
            list.execute(List.of(nothing));
            list.endRendering();
            list.beginRendering(scene.rendering);
            refused(() -> list.draw(3, 1, 0, 0), "bindPipeline");
            list.bindPipeline(scene.one);
            refused(() -> list.draw(3, 1, 0, 0), "vertex buffer 0", "not bound");
            list.endRendering();
            list.end();
        }
    }

    /** Frame contexts hand out the same objects again. */
    @ParameterizedTest
    @EnumSource(Backend.class)
    void aRecycledList(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            CommandList first = secondary(scene);
            first.setViewport(0, 0, 4, 4);
            first.setScissor(0, 0, 4, 4);
            drawn(scene, first);
            scene.rig.frame.reset();
            refused(() -> first.draw(3, 1, 0, 0), "no longer recorded");
            CommandList second = secondary(scene);
            second.bindPipeline(scene.one);
            refused(() -> second.draw(3, 1, 0, 0), "without a viewport");
            second.setViewport(0, 0, 4, 4);
            second.setScissor(0, 0, 4, 4);
            refused(() -> second.draw(3, 1, 0, 0), "vertex buffer 0", "not bound");
            drawn(scene, second);
            second.end();
        }
    }

    private static CommandList secondary(Scene scene) {
        return scene.rig.frame.beginSecondary(
                scene.rig.queue(), "secondary", scene.rendering.formats(), Collections.emptyList());
    }

    private static void drawn(Scene scene, CommandList list) {
        list.bindPipeline(scene.one);
        list.bindVertexBuffer(0, scene.vertices, 0);
        list.draw(3, 1, 0, 0);
    }

    /** Also where nothing was bound since the last dispatch, or only another resource was. */
    @ParameterizedTest
    @EnumSource(Backend.class)
    void aBoundResourceThatIsClosed(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            ComputePipeline write = rig.compute("write", WRITE, invocation -> {});
            Buffer target = rig.buffer("target", 512, BufferUsage.STORAGE);
            Buffer other = rig.buffer("other", 512, BufferUsage.STORAGE);
            Buffer unrelated = rig.buffer("unrelated", 512, BufferUsage.STORAGE);
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            list.bindPipeline(write);
            list.bindBuffer("Target", target, 0, 256);
            list.bindBuffer("Other", other, 0, 256);
            list.dispatch(1, 1, 1);
            unrelated.close();
            list.dispatch(1, 1, 1);
            list.bindBuffer("Target", target, 0, 256);
            list.dispatch(1, 1, 1);
            other.close();
            refused(() -> list.dispatch(1, 1, 1), "dispatch", "'other' was closed");
            refused(() -> list.dispatch(1, 1, 1), "dispatch", "'other' was closed");
            list.bindBuffer("Target", target, 256, 256);
            refused(() -> list.dispatch(1, 1, 1), "dispatch", "'other' was closed");
            refused(() -> list.bindBuffer("Other", other, 0, 256), "'other'", "closed");
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aBindingSetThatIsClosedOrHasWhatIs(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            ComputePipeline write = rig.compute("write", WRITE, invocation -> {});
            Buffer target = rig.buffer("target", 512, BufferUsage.STORAGE);
            Buffer other = rig.buffer("other", 512, BufferUsage.STORAGE);
            BindingSet first = set(rig, write, "first", 0, "Target", target);
            BindingSet again = set(rig, write, "again", 0, "Target", target);
            BindingSet closed = set(rig, write, "closed", 0, "Target", target);
            BindingSet second = set(rig, write, "second", 1, "Other", other);
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            list.bindPipeline(write);
            list.bindSet(first);
            list.bindSet(second);
            list.dispatch(1, 1, 1);
            list.bindSet(first);
            list.dispatch(1, 1, 1);
            list.bindSet(closed);
            closed.close();
            refused(() -> list.dispatch(1, 1, 1), "dispatch", "'closed'", "was closed");
            refused(() -> list.bindSet(closed), "'closed'", "closed");
            list.bindSet(again);
            list.dispatch(1, 1, 1);
            other.close();
            refused(() -> list.dispatch(1, 1, 1), "dispatch", "'other' in binding set 'second' was closed");
            refused(() -> list.bindSet(second), "'second' has 'other'", "closed");
        }
    }

    private static BindingSet set(
            CommandRig rig, ComputePipeline pipeline, String name, int number, String binding, Buffer buffer) {
        return rig.own(rig.device.createBindingSet(
                name, pipeline, number, Map.of(binding, new BoundResource.BufferRange(buffer, 0, 256))));
    }
}
