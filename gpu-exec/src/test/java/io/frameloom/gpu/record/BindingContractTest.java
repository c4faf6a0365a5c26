package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is bound, by name and by set, is refused alike by all backends, and the refusal leaves the list as it was. */
@Timeout(60)
class BindingContractTest {
    private static final String FILL = """
        #version 450
        layout(local_size_x = 1) in;
        layout(set = 0, binding = 0) buffer Target { int target[]; };
        layout(set = 1, binding = 0) uniform Factors { ivec4 factors[4]; };
        layout(push_constant) uniform Push { int word; };
        void main() { target[gl_GlobalInvocationID.x] = word + factors[0].x; }
        """;
    private static final String SAMPLE = """
        #version 450
        layout(local_size_x = 1) in;
        layout(set = 0, binding = 0) buffer Target { int target[]; };
        layout(set = 0, binding = 1) uniform sampler2D picture;
        void main() { target[0] = int(texture(picture, vec2(0)).x); }
        """;

    private static final String VERTEX = """
        #version 450
        void main() { gl_Position = vec4(gl_VertexIndex, 0, 0, 1); }
        """;
    private static final String FRAGMENT = """
        #version 450
        layout(location = 0) out vec4 color;
        void main() { color = vec4(1); }
        """;

    private static void refused(
            Class<? extends RuntimeException> type, ThrowingCallable use, String firstWord, String secondWord) {
        assertThatThrownBy(use)
                .isInstanceOf(type)
                .hasMessageContaining(firstWord)
                .hasMessageContaining(secondWord);
    }

    private static void argument(ThrowingCallable use, String firstWord, String secondWord) {
        refused(IllegalArgumentException.class, use, firstWord, secondWord);
    }

    private static void recorded(CommandRig rig, Consumer<CommandList> recording) {
        CommandList list = rig.frame.beginCommands(rig.queue(), "list");
        recording.accept(list);
        list.end();
        rig.frame.reset();
    }

    private static BufferRange whole(Buffer buffer) {
        return new BufferRange(buffer, 0, buffer.description().bytes());
    }

    private static ByteBuffer push(int bytes) {
        return ByteBuffer.allocateDirect(bytes);
    }

    @ParameterizedTest
    @EnumSource
    void rangesOfBuffersAreHeldAgainstBufferAndDevice(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend);
                CommandRig other = new CommandRig(CommandRig.Backend.VIRTUAL)) {
            ComputePipeline fill = rig.compute("fill", FILL, invocation -> {});
            Buffer words = rig.buffer("words", 1024, BufferUsage.STORAGE);
            Buffer foreign = other.buffer("foreign", 1024, BufferUsage.STORAGE);
            long most = rig.device.capabilities().limits().memory().maxUniformRange();
            Buffer large = rig.buffer("large", most + 16, BufferUsage.UNIFORM);
            recorded(rig, list -> {
                list.bindPipeline(fill);
                argument(() -> list.bindBuffer("Target", words, 0, 0), "'words'", "0+0");
                argument(() -> list.bindBuffer("Target", words, 0, -4), "'words'", "0+-4");
                argument(() -> list.bindBuffer("Target", words, 512, 768), "'words'", "512+768");
                argument(() -> list.bindBuffer("Target", words, 512, Long.MAX_VALUE), "'words'", "512+");
                argument(() -> list.bindBuffer("Target", words, -256, 4), "'words'", "-256");
                argument(() -> list.bindBuffer("Target", words, 1, 4), "'words'", "multiple of");
                argument(() -> list.bindBuffer("Target", foreign, 0, 4), "'foreign'", "another device");
                argument(() -> list.bindBuffer("Factors", large, 0, most + 16), "'large'", "" + most);
                list.bindBuffer("Factors", large, 0, most);
                list.bindBuffer("Target", words, 0, 1024);
                argument(() -> list.pushConstants(push(3)), "'fill'", "got 3");
                argument(() -> list.pushConstants(push(0)), "'fill'", "got 0");
                argument(() -> list.pushConstants(push(8)), "'fill'", "got 8");
                list.pushConstants(push(4));
                list.dispatch(1, 1, 1);
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void texturesAndSamplersAreOfTheDevice(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend);
                CommandRig other = new CommandRig(CommandRig.Backend.VIRTUAL)) {
            TextureDescription shape = TextureDescription.of(4, 4, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED);
            ComputePipeline sample = rig.compute("sample", SAMPLE, invocation -> {});
            Texture picture = rig.texture("picture", shape);
            Texture foreign = other.texture("foreign", shape);
            recorded(rig, list -> {
                list.bindPipeline(sample);
                argument(
                        () -> list.bindTexture(
                                "picture", picture.view(), other.device.sampler(SamplerDescription.NEAREST_CLAMP)),
                        "'picture'",
                        "another device");
                argument(
                        () -> list.bindTexture(
                                "picture", foreign.view(), rig.device.sampler(SamplerDescription.NEAREST_CLAMP)),
                        "'foreign'",
                        "another device");
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void allThatASetLacksIsNamedAtOnce(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            ComputePipeline sample = rig.compute("sample", SAMPLE, invocation -> {});
            recorded(rig, list -> {
                list.bindPipeline(sample);
                assertThatThrownBy(() -> list.dispatch(1, 1, 1))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("dispatch in command list 'list': pipeline 'sample' still needs binding 'Target'"
                                + " (STORAGE_BUFFER, set 0 binding 0), binding 'picture' (SAMPLED_TEXTURE, set 0"
                                + " binding 1); bind it before");
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSetThatIsFilledInTwoWaysIsRefusedAtTheDispatch(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            ComputePipeline fill = rig.compute("fill", FILL, invocation -> {});
            Buffer factors = rig.buffer("factors", 64, BufferUsage.UNIFORM);
            Buffer words = rig.buffer("words", 64, BufferUsage.STORAGE);
            BindingSet set = rig.own(rig.device.createBindingSet("set", fill, 1, Map.of("Factors", whole(factors))));
            recorded(rig, list -> {
                list.bindPipeline(fill);
                list.pushConstants(push(4));
                list.bindSet(set);
                list.bindBuffer("Target", words, 0, 64);
                list.bindBuffer("Factors", factors, 0, 64);
                assertThatThrownBy(() -> list.dispatch(1, 1, 1))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("dispatch in command list 'list': set 1 of pipeline 'fill' is filled by binding set"
                                + " 'set' and by name ('Factors'); use one of them");
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSlotOfAnotherPipelineOfTheSameNameSaysSo(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            ComputePipeline first = rig.compute("fill", FILL, invocation -> {});
            ComputePipeline second = rig.compute("fill", FILL, invocation -> {});
            Buffer words = rig.buffer("words", 64, BufferUsage.STORAGE);
            recorded(rig, list -> {
                list.bindPipeline(second);
                argument(
                        () -> list.bindBuffer(first.slot("Target"), words, 0, 64),
                        "the slot of 'Target' is of pipeline 'fill', but another pipeline of that name is bound",
                        "keep a slot of each");
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatWasClosedAfterItWasBoundIsFoundAtTheDispatch(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            ComputePipeline fill = rig.compute("fill", FILL, invocation -> {});
            Buffer factors = rig.buffer("factors", 64, BufferUsage.UNIFORM);
            Buffer gone = rig.buffer("gone", 64, BufferUsage.STORAGE);
            BindingSet set = rig.own(rig.device.createBindingSet("set", fill, 1, Map.of("Factors", whole(factors))));
            Consumer<CommandList> boundButTheTarget = list -> {
                list.bindPipeline(fill);
                list.pushConstants(push(4));
                list.bindSet(set);
            };
            recorded(rig, list -> {
                boundButTheTarget.accept(list);
                list.bindBuffer("Target", gone, 0, 64);
                gone.close();
                refused(IllegalStateException.class, () -> list.dispatch(1, 1, 1), "'gone'", "closed after");
                list.bindBuffer("Target", rig.buffer("open", 64, BufferUsage.STORAGE), 0, 64);
                list.dispatch(1, 1, 1);
            });
            recorded(rig, list -> {
                boundButTheTarget.accept(list);
                list.bindBuffer("Target", rig.buffer("open", 64, BufferUsage.STORAGE), 0, 64);
                set.close();
                refused(IllegalStateException.class, () -> list.dispatch(1, 1, 1), "'set'", "closed after");
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void aBindingSetWithAClosedResourceIsRefused(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            ComputePipeline fill = rig.compute("fill", FILL, invocation -> {});
            ComputePipeline sample = rig.compute("sample", SAMPLE, invocation -> {});
            Buffer gone = rig.buffer("gone", 64, BufferUsage.STORAGE);
            Buffer factors = rig.buffer("factors", 64, BufferUsage.UNIFORM);
            Texture goneToo =
                    rig.texture("gone too", TextureDescription.of(4, 4, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED));
            BindingSet set = rig.own(rig.device.createBindingSet("has gone", fill, 0, Map.of("Target", whole(gone))));
            Map<String, BoundResource> both = Map.of(
                    "Target",
                    whole(rig.buffer("words", 64, BufferUsage.STORAGE)),
                    "picture",
                    new BoundResource.SampledTexture(
                            goneToo.view(), rig.device.sampler(SamplerDescription.NEAREST_CLAMP)));
            BindingSet material = rig.own(rig.device.createBindingSet("material", sample, 0, both));
            recorded(rig, list -> {
                list.bindPipeline(fill);
                list.pushConstants(push(4));
                list.bindBuffer("Factors", factors, 0, 64);
                list.bindSet(set);
                gone.close();
                refused(
                        IllegalStateException.class,
                        () -> list.dispatch(1, 1, 1),
                        "'gone' in binding set 'has gone'",
                        "was closed after it was bound; close it when the list was submitted");
                goneToo.close();
                list.bindPipeline(sample);
                refused(
                        IllegalStateException.class,
                        () -> list.bindSet(material),
                        "binding set 'material' has 'gone too'",
                        "which is closed");
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void noSetIsMadeForAClosedPipeline(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            ComputePipeline fill = rig.compute("fill", FILL, invocation -> {});
            Map<String, BoundResource> bound = Map.of("Target", whole(rig.buffer("words", 64, BufferUsage.STORAGE)));
            fill.close();
            refused(
                    IllegalStateException.class,
                    () -> rig.device.createBindingSet("late", fill, 0, bound),
                    "'late'",
                    "'fill', which is closed");
        }
    }

    /** Any number of descriptions is asked for; what is not asked for again is forgotten, and stays usable. */
    @ParameterizedTest
    @EnumSource
    void samplersAreForgottenAndStayEqual(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Sampler first = rig.device.sampler(variant(0));
            Sampler second = rig.device.sampler(variant(1));
            for (int i = 2; i < 1100; i++) {
                rig.device.sampler(variant(i));
                assertThat(rig.device.sampler(variant(1))).isSameAs(second);
            }
            assertThat(rig.device.sampler(variant(0))).isNotSameAs(first).isEqualTo(first);
        }
    }

    private static SamplerDescription variant(int number) {
        return SamplerDescription.NEAREST_CLAMP.withLod(0, SamplerDescription.EVERY_MIP, number / 65_536f);
    }

    /** The list stays open until it is recycled: a driver does not end a list whose pipeline is gone. */
    @ParameterizedTest
    @EnumSource
    void aPipelineThatWasClosedAfterItWasBoundIsRefused(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            ComputePipeline fill = rig.compute("fill", FILL, invocation -> {});
            Buffer words = rig.buffer("words", 64, BufferUsage.STORAGE, BufferUsage.INDIRECT);
            Buffer factors = rig.buffer("factors", 64, BufferUsage.UNIFORM);
            BindingSet set = rig.own(rig.device.createBindingSet("set", fill, 1, Map.of("Factors", whole(factors))));
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            list.bindPipeline(fill);
            list.pushConstants(push(4));
            list.bindBuffer("Target", words, 0, 64);
            list.bindSet(set);
            fill.close();
            for (ThrowingCallable use : List.<ThrowingCallable>of(
                    () -> list.pushConstants(push(4)),
                    () -> list.bindBuffer("Target", words, 0, 64),
                    () -> list.bindSet(set),
                    () -> list.dispatch(1, 1, 1),
                    () -> list.dispatchIndirect(words, 0))) {
                refused(
                        IllegalStateException.class,
                        use,
                        "'list'",
                        "'fill' was closed after it was bound; close it when the list was submitted");
            }
            rig.frame.reset();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aGraphicsPipelineThatWasClosedAfterItWasBoundIsRefusedByDraws(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Format format = Format.R8G8B8A8_UNORM;
            Texture target = rig.texture("target", TextureDescription.of(4, 4, format, TextureUsage.COLOR_ATTACHMENT));
            GraphicsPipeline pipeline = rig.own(rig.device.createGraphicsPipeline(new GraphicsPipelineDescription(
                    "triangle",
                    new ShaderSource("triangle.vert", ShaderStage.VERTEX, VERTEX),
                    new ShaderSource("triangle.frag", ShaderStage.FRAGMENT, FRAGMENT),
                    List.of(),
                    GraphicsPipelineDescription.CullMode.NONE,
                    null,
                    GraphicsPipelineDescription.Blend.NONE,
                    List.of(format),
                    null)));
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            list.beginRendering(new RenderingInfo(
                    4,
                    4,
                    List.of(new RenderingInfo.ColorAttachment(
                            target.view(),
                            LoadOp.DONT_CARE,
                            StoreOp.STORE,
                            RenderingInfo.ClearColor.BLACK_TRANSPARENT)),
                    null));
            list.bindPipeline(pipeline);
            pipeline.close();
            refused(
                    IllegalStateException.class,
                    () -> list.draw(3, 1, 0, 0),
                    "'list'",
                    "'triangle' was closed after it was bound; close it when the list was submitted");
            rig.frame.reset();
        }
    }

    @ParameterizedTest
    @EnumSource
    void setsFitTheirPipelines(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            GpuDevice device = rig.device;
            ComputePipeline fill = rig.compute("fill", FILL, invocation -> {});
            ComputePipeline sample = rig.compute("sample", SAMPLE, invocation -> {});
            Buffer words = rig.buffer("words", 1024, BufferUsage.STORAGE);
            Map<String, BoundResource> bound = Map.of("Target", whole(words));
            argument(() -> device.createBindingSet("odd", fill, 2, bound), "'odd'", "'fill'");
            argument(() -> device.createBindingSet("odd", fill, -1, bound), "'odd'", "'fill'");
            argument(() -> device.createBindingSet("odd", fill, 1, bound), "'odd'", "'Target'");
            argument(() -> device.createBindingSet("odd", sample, 0, bound), "'odd'", "picture");
            Map<String, BoundResource> askew = Map.of("Target", new BufferRange(words, 1, 64));
            argument(() -> device.createBindingSet("odd", fill, 0, askew), "'words'", "multiple of");
            BindingSet set = rig.own(device.createBindingSet("set", fill, 0, bound));
            recorded(rig, list -> {
                refused(IllegalStateException.class, () -> list.bindSet(set), "'set'", "bind the pipeline first");
                list.bindPipeline(sample);
                argument(() -> list.bindSet(set), "'set'", "'sample'");
                list.bindPipeline(fill);
                list.bindSet(set);
            });
        }
    }

    /** Sets are bound by numbers: what the bindings are called in the other pipeline does not matter. */
    @ParameterizedTest
    @EnumSource
    void aSetServesPipelinesThatNameItsBindingsOtherwise(CommandRig.Backend backend) {
        String write = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) buffer %s { int words[]; };
            void main() { words[%d] = 7; }
            """;
        try (CommandRig rig = new CommandRig(backend)) {
            ComputePipeline first = rig.compute(
                    "first",
                    String.format(write, "First", 0),
                    invocation -> invocation.bytes("First").putInt(0, 7));
            ComputePipeline second = rig.compute(
                    "second",
                    String.format(write, "Second", 1),
                    invocation -> invocation.bytes("Second").putInt(4, 7));
            Buffer words = rig.buffer("words", 256, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);
            Buffer result = rig.readback(8);
            BindingSet set = rig.own(rig.device.createBindingSet("set", first, 0, Map.of("First", whole(words))));
            rig.execute(list -> {
                list.fillBuffer(words, 0, 256, 1);
                CommandRig.full(list);
                for (ComputePipeline pipeline : List.of(first, second)) {
                    list.bindPipeline(pipeline);
                    list.bindSet(set);
                    list.dispatch(1, 1, 1);
                    CommandRig.full(list);
                }
                list.copyBuffer(words, 0, result, 0, 8);
                CommandRig.full(list);
            });
            assertThat(CommandRig.words(result)).containsExactly(7, 7);
        }
    }
}
