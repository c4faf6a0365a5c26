package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.BarrierBatch;
import io.frameloom.gpu.BindingSet;
import io.frameloom.gpu.BoundResource;
import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.BufferUsage;
import io.frameloom.gpu.CommandList;
import io.frameloom.gpu.ComputePipeline;
import io.frameloom.gpu.Format;
import io.frameloom.gpu.FrameContext;
import io.frameloom.gpu.GraphicsPipeline;
import io.frameloom.gpu.GraphicsPipelineDescription;
import io.frameloom.gpu.IndexType;
import io.frameloom.gpu.LoadOp;
import io.frameloom.gpu.RenderingInfo;
import io.frameloom.gpu.SamplerDescription;
import io.frameloom.gpu.ShaderSource;
import io.frameloom.gpu.ShaderStage;
import io.frameloom.gpu.StoreOp;
import io.frameloom.gpu.Submission;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.TexelLayout;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.gpu.TextureRegion;
import io.frameloom.gpu.TextureUsage;
import io.frameloom.gpu.TimestampSet;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A list that names what was closed is neither ended nor executed nor submitted: drivers crash on such lists. Alike on
 * all backends; on Vulkan under the validation layer.
 */
@Timeout(120)
class ClosedMentionsContractTest {
    private static final Format FORMAT = Format.R8G8B8A8_UNORM;
    private static final BarrierBatch.Scope FULL = BarrierBatch.GlobalBarrier.FULL.scope();

    private static final String FILL = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) buffer Target { int target[]; };
            void main() { target[gl_GlobalInvocationID.x] = 1; }
            """;
    private static final String SAMPLE = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) buffer Target { int target[]; };
            layout(set = 0, binding = 1) uniform sampler2D picture;
            layout(set = 0, binding = 2, rgba8) uniform image2D image;
            void main() {
                target[0] = int(texture(picture, vec2(0)).x);
                imageStore(image, ivec2(0), vec4(1));
            }
            """;
    private static final ShaderSource VERTEX = new ShaderSource("mentions.vert", ShaderStage.VERTEX, """
            #version 450
            void main() { gl_Position = vec4(gl_VertexIndex, 0, 0, 1); }
            """);
    private static final ShaderSource FRAGMENT = new ShaderSource("mentions.frag", ShaderStage.FRAGMENT, """
            #version 450
            layout(location = 0) out vec4 color;
            void main() { color = vec4(1); }
            """);

    /** Everything that a list may name. */
    private static final class Scene implements AutoCloseable {
        private final CommandRig rig;
        private final Buffer words;
        private final Buffer more;
        private final TextureDescription shape;
        private final Texture color;
        private final Texture many;
        private final Texture image;
        private final ComputePipeline fill;
        private final ComputePipeline sample;
        private final GraphicsPipeline triangle;
        private final BindingSet set;
        private final TimestampSet stamps;
        private final FrameContext uploads;
        private final Buffer chunk;

        Scene(CommandRig.Backend backend) {
            rig = new CommandRig(backend);
            BufferUsage[] usages = {
                BufferUsage.COPY_DST, BufferUsage.STORAGE, BufferUsage.INDIRECT, BufferUsage.VERTEX, BufferUsage.INDEX
            };
            words = rig.buffer("words", 4096, BufferUsage.COPY_SRC, usages);
            more = rig.buffer("more", 4096, BufferUsage.COPY_SRC, usages);
            shape = TextureDescription.of(
                    4,
                    4,
                    FORMAT,
                    TextureUsage.COPY_SRC,
                    TextureUsage.COPY_DST,
                    TextureUsage.SAMPLED,
                    TextureUsage.STORAGE,
                    TextureUsage.COLOR_ATTACHMENT);
            color = rig.texture("color", shape);
            image = rig.texture("image", shape);
            many = rig.texture(
                    "many",
                    TextureDescription.of(4, 4, FORMAT, TextureUsage.COLOR_ATTACHMENT)
                            .withSamples(4));
            fill = rig.compute("fill", FILL, invocation -> {});
            sample = rig.compute("sample", SAMPLE, invocation -> {});
            triangle = rig.own(rig.device.createGraphicsPipeline(new GraphicsPipelineDescription(
                    "triangle",
                    VERTEX,
                    FRAGMENT,
                    List.of(),
                    GraphicsPipelineDescription.CullMode.NONE,
                    null,
                    GraphicsPipelineDescription.Blend.NONE,
                    List.of(FORMAT),
                    null)));
            set = rig.own(rig.device.createBindingSet(
                    "set", fill, 0, Map.of("Target", new BoundResource.BufferRange(words, 0, 256))));
            stamps = rig.own(rig.device.createTimestampSet("stamps", 1));
            uploads = rig.own(rig.device.createFrameContext("uploads"));
            chunk = uploads.allocateUpload(16, 16).buffer();
        }

        private TextureRegion all() {
            return TextureRegion.mip(shape, 0);
        }

        void dispatch(CommandList list, Buffer target) {
            list.bindPipeline(fill);
            list.bindBuffer("Target", target, 0, 256);
            list.dispatch(1, 1, 1);
        }

        void fixed(CommandList list) {
            list.bindPipeline(fill);
            list.bindSet(set);
            list.dispatch(1, 1, 1);
        }

        void sampled(CommandList list) {
            list.bindPipeline(sample);
            list.bindBuffer("Target", words, 0, 256);
            list.bindTexture("picture", color.view(), rig.device.sampler(SamplerDescription.NEAREST_CLAMP));
            list.bindStorageTexture("image", image.view());
            list.dispatch(1, 1, 1);
        }

        private RenderingInfo rendering(Texture target, @Nullable Texture resolve) {
            return new RenderingInfo(
                    4,
                    4,
                    List.of(new RenderingInfo.ColorAttachment(
                            target.view(),
                            LoadOp.CLEAR,
                            StoreOp.STORE,
                            RenderingInfo.ClearColor.BLACK_TRANSPARENT,
                            resolve == null ? null : resolve.view())),
                    null);
        }

        void draw(CommandList list, Runnable command) {
            list.beginRendering(rendering(color, null));
            list.bindPipeline(triangle);
            command.run();
            list.endRendering();
        }

        @Override
        public void close() {
            rig.close();
        }
    }

    /** A command, what it names and is closed, and the words for that. */
    private record Naming(String what, Recording recording, Gone gone, String words) {
        @Override
        public String toString() {
            return what;
        }
    }

    @FunctionalInterface
    private interface Recording {
        void record(Scene scene, CommandList list);
    }

    @FunctionalInterface
    private interface Gone {
        AutoCloseable of(Scene scene);
    }

    private static final Gone WORDS = scene -> scene.words;
    private static final Gone COLOR = scene -> scene.color;

    private static final List<Naming> OUTSIDE = List.of(
            new Naming("copy from", (s, list) -> list.copyBuffer(s.words, 0, s.more, 0, 16), WORDS, "'words'"),
            new Naming("copy to", (s, list) -> list.copyBuffer(s.more, 0, s.words, 0, 16), WORDS, "'words'"),
            new Naming(
                    "copy buffer to texture",
                    (s, list) -> list.copyBufferToTexture(s.words, TexelLayout.tight(0), s.color, s.all()),
                    COLOR,
                    "'color'"),
            new Naming(
                    "copy texture to buffer",
                    (s, list) -> list.copyTextureToBuffer(s.color, 0, 0, s.words, 0),
                    WORDS,
                    "'words'"),
            new Naming("copy texture", (s, list) -> list.copyTexture(s.color, s.image), COLOR, "'color'"),
            new Naming("fill", (s, list) -> list.fillBuffer(s.words, 0, 16, 1), WORDS, "'words'"),
            new Naming(
                    "update",
                    (s, list) -> list.updateBuffer(s.words, 0, ByteBuffer.allocateDirect(16)),
                    WORDS,
                    "'words'"),
            new Naming(
                    "clear",
                    (s, list) -> list.clearTexture(
                            s.color, SubresourceRange.mip(0), RenderingInfo.ClearColor.BLACK_TRANSPARENT),
                    COLOR,
                    "'color'"),
            new Naming(
                    "copy from another context's upload memory",
                    (s, list) -> list.copyBuffer(s.chunk, 0, s.words, 0, 16),
                    scene -> scene.uploads,
                    "uploads"),
            new Naming(
                    "texture barrier",
                    (s, list) -> CommandRig.transition(list, s.color, TextureLayout.UNDEFINED, TextureLayout.GENERAL),
                    COLOR,
                    "'color'"),
            new Naming(
                    "buffer barrier",
                    (s, list) -> list.barrier(new BarrierBatch(
                            List.of(), List.of(new BarrierBatch.BufferBarrier(s.words, 0, 16, FULL, null)), List.of())),
                    WORDS,
                    "'words'"),
            new Naming("bound pipeline", (s, list) -> list.bindPipeline(s.fill), s -> s.fill, "pipeline 'fill'"),
            new Naming(
                    "dispatch by a pipeline", (s, list) -> s.dispatch(list, s.words), s -> s.fill, "pipeline 'fill'"),
            new Naming("dispatch", (s, list) -> s.dispatch(list, s.words), WORDS, "'words'"),
            new Naming(
                    "dispatch with another bound afterwards",
                    (s, list) -> {
                        s.dispatch(list, s.words);
                        s.dispatch(list, s.more);
                    },
                    WORDS,
                    "'words'"),
            new Naming(
                    "indirect dispatch",
                    (s, list) -> {
                        s.dispatch(list, s.more);
                        CommandRig.full(list);
                        list.dispatchIndirect(s.words, 0);
                    },
                    WORDS,
                    "'words'"),
            new Naming("sampled texture", (s, list) -> s.sampled(list), COLOR, "'color'"),
            new Naming("storage texture", (s, list) -> s.sampled(list), s -> s.image, "'image'"),
            new Naming("binding set", (s, list) -> s.fixed(list), s -> s.set, "binding set 'set'"),
            new Naming("in a binding set", (s, list) -> s.fixed(list), WORDS, "'words' in binding set 'set'"),
            new Naming(
                    "timestamps",
                    (s, list) -> list.writeTimestamp(s.stamps, 0),
                    s -> s.stamps,
                    "timestamp set 'stamps'"));

    private static final List<Naming> RENDERING = List.of(
            new Naming("attachment", (s, list) -> s.draw(list, () -> {}), COLOR, "'color'"),
            new Naming(
                    "resolve target",
                    (s, list) -> {
                        list.beginRendering(s.rendering(s.many, s.color));
                        list.endRendering();
                    },
                    COLOR,
                    "'color'"),
            new Naming(
                    "draw",
                    (s, list) -> s.draw(list, () -> list.draw(3, 1, 0, 0)),
                    s -> s.triangle,
                    "pipeline 'triangle'"),
            new Naming(
                    "vertex buffer",
                    (s, list) -> s.draw(list, () -> list.bindVertexBuffer(0, s.words, 0)),
                    WORDS,
                    "'words'"),
            new Naming(
                    "index buffer",
                    (s, list) -> s.draw(list, () -> list.bindIndexBuffer(s.words, 0, IndexType.UINT16)),
                    WORDS,
                    "'words'"),
            new Naming(
                    "indirect draw",
                    (s, list) -> s.draw(list, () -> list.drawIndirect(s.words, 0, 1, 16)),
                    WORDS,
                    "'words'"),
            new Naming(
                    "indexed indirect draw",
                    (s, list) -> s.draw(list, () -> {
                        list.bindIndexBuffer(s.more, 0, IndexType.UINT16);
                        list.drawIndexedIndirect(s.words, 0, 1, 20);
                    }),
                    WORDS,
                    "'words'"));

    static Stream<Arguments> namings() {
        return Stream.of(CommandRig.Backend.values())
                .flatMap(backend -> Stream.concat(OUTSIDE.stream(), RENDERING.stream())
                        .map(naming -> Arguments.of(backend, naming)));
    }

    static Stream<Arguments> namingsOfSecondaries() {
        return Stream.of(CommandRig.Backend.values())
                .flatMap(backend -> OUTSIDE.stream().map(naming -> Arguments.of(backend, naming)));
    }

    private static Submission of(CommandList... lists) {
        return new Submission("batch", List.of(lists), List.of());
    }

    private static void refused(ThrowingCallable use, String... words) {
        assertThatThrownBy(use)
                .isInstanceOf(IllegalStateException.class)
                .satisfies(refusal -> assertThat(refusal.getMessage()).contains(words))
                .hasMessageContaining("closed after it was recorded")
                .hasMessageContaining(
                        "record the list anew without it, and close things when the lists that name them were submitted");
    }

    private static void close(AutoCloseable thing) {
        try {
            thing.close();
        } catch (Exception e) {
            throw new AssertionError(thing + " cannot be closed", e);
        }
    }

    private static CommandList ended(Scene scene, String label, Recording recording) {
        CommandList list = scene.rig.frame.beginCommands(scene.rig.queue(), label);
        recording.record(scene, list);
        list.end();
        return list;
    }

    private static CommandList secondary(Scene scene, Recording recording) {
        CommandList list = scene.rig.frame.beginSecondary(scene.rig.queue(), "part", null, List.of());
        recording.record(scene, list);
        list.end();
        return list;
    }

    @ParameterizedTest
    @MethodSource("namings")
    void isNotSubmitted(CommandRig.Backend backend, Naming naming) {
        try (Scene scene = new Scene(backend)) {
            CommandList good = ended(scene, "good", (s, list) -> list.fillBuffer(s.more, 0, 16, 1));
            CommandList list = ended(scene, "list", naming.recording);
            close(naming.gone.of(scene));
            for (int i = 0; i < 2; i++) {
                refused(
                        () -> scene.rig.queue().submit(of(good, list)),
                        "submission 'batch'",
                        "command list 'list'",
                        naming.words);
            }
            assertThat(scene.rig.queue().timeline().submitted()).isZero();
            scene.rig.queue().submit(of(good));
            scene.rig.device.waitIdle();
            scene.rig.frame.reset();
        }
    }

    @ParameterizedTest
    @MethodSource("namings")
    void isNotEnded(CommandRig.Backend backend, Naming naming) {
        try (Scene scene = new Scene(backend)) {
            CommandList list = scene.rig.frame.beginCommands(scene.rig.queue(), "list");
            naming.recording.record(scene, list);
            close(naming.gone.of(scene));
            refused(list::end, "end in command list 'list'", naming.words);
            assertThatThrownBy(list::end).hasMessageContaining("no longer recorded");
            scene.rig.execute(next -> next.fillBuffer(scene.more, 0, 16, 1));
        }
    }

    @ParameterizedTest
    @MethodSource("namingsOfSecondaries")
    void isNeitherExecutedNorSubmittedByThoseThatExecuteIt(CommandRig.Backend backend, Naming naming) {
        try (Scene scene = new Scene(backend)) {
            CommandList unused = secondary(scene, naming.recording);
            scene.stamps.reset();
            CommandList part = secondary(scene, naming.recording);
            CommandList list = ended(scene, "list", (s, primary) -> primary.execute(List.of(part)));
            CommandList open = scene.rig.frame.beginCommands(scene.rig.queue(), "open");
            scene.stamps.reset();
            open.execute(List.of(secondary(scene, naming.recording)));
            CommandList late = scene.rig.frame.beginCommands(scene.rig.queue(), "late");
            close(naming.gone.of(scene));
            refused(() -> scene.rig.queue().submit(of(list)), "'batch'", "'list'", "list 'part'", naming.words);
            refused(open::end, "end in command list 'open'", "executes list 'part'", naming.words);
            refused(() -> late.execute(List.of(unused)), "execute in command list 'late'", "list 'part'", naming.words);
            late.end();
            scene.rig.queue().submit(of(late));
            scene.rig.device.waitIdle();
            scene.rig.frame.reset();
        }
    }

    /** Sets that were written for an earlier list of the same pool are bound again, and named all the same. */
    @ParameterizedTest
    @EnumSource
    void aListThatBindsWhatAnotherHasWrittenNamesItToo(CommandRig.Backend backend) {
        try (Scene scene = new Scene(backend)) {
            CommandList first = ended(scene, "first", (s, list) -> s.dispatch(list, s.words));
            CommandList second = ended(scene, "second", (s, list) -> s.dispatch(list, s.words));
            close(scene.words);
            refused(() -> scene.rig.queue().submit(of(second)), "'second'", "'words'");
            refused(() -> scene.rig.queue().submit(of(first)), "'first'", "'words'");
        }
    }

    /** What was bound but used by no command, and what was only refused, is not named. */
    @ParameterizedTest
    @EnumSource
    void whatNoCommandUsesMayBeClosed(CommandRig.Backend backend) {
        try (Scene scene = new Scene(backend)) {
            CommandList list = ended(scene, "list", (s, l) -> {
                l.bindPipeline(s.fill);
                l.bindBuffer("Target", s.words, 0, 256);
                l.bindBuffer("Target", s.more, 0, 256);
                l.dispatch(1, 1, 1);
                assertThatThrownBy(() -> l.fillBuffer(s.words, 0, -4, 1)).isInstanceOf(IllegalArgumentException.class);
            });
            close(scene.set);
            close(scene.words);
            close(scene.color);
            close(scene.sample);
            close(scene.triangle);
            scene.rig.queue().submit(of(list));
            scene.rig.device.waitIdle();
            scene.rig.frame.reset();
        }
    }

    /** What lists of an earlier round named is of no concern to those of the next. */
    @ParameterizedTest
    @EnumSource
    void aResetForgetsWhatWasNamed(CommandRig.Backend backend) {
        try (Scene scene = new Scene(backend)) {
            for (int round = 0; round < 3; round++) {
                Buffer gone = scene.rig.buffer("gone", 256, BufferUsage.COPY_DST);
                scene.rig.execute(list -> list.fillBuffer(gone, 0, 16, 1));
                gone.close();
                scene.rig.execute(list -> list.fillBuffer(scene.words, 0, 16, 1));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void theFirstOfManyThingsIsFound(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            int count = 300;
            Buffer[] buffers = new Buffer[count];
            for (int i = 0; i < count; i++) {
                buffers[i] = rig.buffer("buffer " + i, 16, BufferUsage.COPY_DST);
            }
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            for (int round = 0; round < 2; round++) {
                for (Buffer buffer : buffers) {
                    list.fillBuffer(buffer, 0, 16, round);
                }
                CommandRig.full(list);
            }
            list.end();
            buffers[count - 1].close();
            refused(() -> rig.queue().submit(of(list)), "'buffer 299'");
            buffers[17].close();
            refused(() -> rig.queue().submit(of(list)), "'buffer 17'");
        }
    }
}
