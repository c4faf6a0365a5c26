package io.frameloom.gpu.record;

import static io.frameloom.gpu.record.CommandRig.full;
import static io.frameloom.gpu.record.CommandRig.transition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.CpuKernel;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.vulkan.pipeline.VulkanPipeline;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bindings of a pushed set are written into the command list, on all backends. */
@Timeout(60)
class PushDescriptorContractTest {
    private static final int STEP = 256;

    private static final String ADD = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) readonly buffer Source { int source; };
            layout(set = 0, binding = 2) buffer Target { int target; };
            layout(set = 1, binding = 0) uniform Amount { int amount; };
            void main() { target = source + amount; }
            """;

    private static final CpuKernel KERNEL = invocation -> invocation
            .bytes("Target")
            .putInt(
                    0,
                    invocation.bytes("Source").getInt(0)
                            + invocation.bytes("Amount").getInt(0));

    private static ComputePipelineDescription add(String name) {
        return new ComputePipelineDescription(name, new ShaderSource("add.comp", ShaderStage.COMPUTE, ADD), KERNEL);
    }

    private static CommandRig rig(Backend backend) {
        return new CommandRig(backend, null, Set.of(Capability.PUSH_DESCRIPTORS));
    }

    /** What was bound for the dispatches before stays as it was; other sets are bound as ever. */
    @ParameterizedTest
    @EnumSource
    void eachDispatchHasItsOwnBindings(Backend backend) {
        try (CommandRig rig = rig(backend)) {
            ComputePipeline pushing =
                    rig.own(rig.device.createComputePipeline(add("pushing").withPushDescriptorSet(0)));
            ComputePipeline plain = rig.own(rig.device.createComputePipeline(add("plain")));
            Buffer numbers =
                    rig.buffer("numbers", 8 * STEP, BufferUsage.STORAGE, BufferUsage.COPY_DST, BufferUsage.COPY_SRC);
            Buffer amounts = rig.buffer("amounts", STEP, BufferUsage.UNIFORM, BufferUsage.COPY_DST);
            BindingSet amount = rig.own(rig.device.createBindingSet(
                    "amount", pushing, 1, Map.of("Amount", new BufferRange(amounts, 0, 4))));
            Buffer results = rig.readback(16);
            for (int frame = 0; frame < 3; frame++) {
                int first = 10 * frame;
                rig.execute(list -> {
                    for (int i = 0; i < 4; i++) {
                        list.fillBuffer(numbers, (long) i * STEP, 4, first + i);
                    }
                    list.fillBuffer(amounts, 0, 4, 100);
                    full(list);
                    for (int i = 0; i < 4; i++) {
                        ComputePipeline pipeline = i == 2 ? plain : pushing;
                        if (i != 1) {
                            list.bindPipeline(pipeline);
                            list.bindSet(amount);
                        }
                        list.bindBuffer("Source", numbers, (long) i * STEP, 4);
                        list.bindBuffer(pipeline.slot("Target"), numbers, (4L + i) * STEP, 4);
                        list.dispatch(1, 1, 1);
                    }
                    full(list);
                    for (int i = 0; i < 4; i++) {
                        list.copyBuffer(numbers, (4L + i) * STEP, results, 4L * i, 4);
                    }
                    full(list);
                });
                assertThat(CommandRig.words(results))
                        .containsExactly(first + 100, first + 101, first + 102, first + 103);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void texturesAndSamplersArePushed(Backend backend) {
        try (CommandRig rig = rig(backend)) {
            ComputePipeline sample = rig.own(rig.device.createComputePipeline(new ComputePipelineDescription(
                            "sample", new ShaderSource("sample.comp", ShaderStage.COMPUTE, """
                                    #version 450
                                    layout(local_size_x = 1) in;
                                    layout(set = 1, binding = 0) uniform sampler2D picture[2];
                                    layout(set = 1, binding = 1) buffer Target { uint target; };
                                    layout(set = 1, binding = 2) uniform texture2D plain;
                                    layout(set = 1, binding = 3) uniform sampler how;
                                    layout(set = 1, binding = 4, rgba8) uniform readonly image2D stored;
                                    void main() {
                                        target = packUnorm4x8(texture(picture[0], vec2(0.5)))
                                            + packUnorm4x8(texture(picture[1], vec2(0.5)))
                                            + packUnorm4x8(texture(sampler2D(plain, how), vec2(0.5)))
                                            + packUnorm4x8(imageLoad(stored, ivec2(0)));
                                    }
                                    """), null)
                    .withPushDescriptorSet(1)));
            TextureDescription shape = TextureDescription.of(
                    4, 4, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED, TextureUsage.STORAGE, TextureUsage.COPY_DST);
            Texture red = rig.texture("red", shape);
            Texture green = rig.texture("green", shape);
            Texture blue = rig.texture("blue", shape);
            Texture clear = rig.texture("clear", shape);
            Buffer target = rig.buffer("target", 4, BufferUsage.STORAGE, BufferUsage.COPY_SRC);
            Buffer result = rig.readback(4);
            rig.execute(list -> {
                fill(list, red, new ClearColor(1, 0, 0, 0), TextureLayout.SHADER_RO);
                fill(list, green, new ClearColor(0, 1, 0, 0), TextureLayout.SHADER_RO);
                fill(list, blue, new ClearColor(0, 0, 1, 0), TextureLayout.SHADER_RO);
                fill(list, clear, new ClearColor(0, 0, 0, 1), TextureLayout.GENERAL);
                list.bindPipeline(sample);
                list.bindTexture("picture", 0, red.view(), rig.device.sampler(SamplerDescription.NEAREST_CLAMP));
                list.bindTexture("picture", 1, green.view(), rig.device.sampler(SamplerDescription.LINEAR_CLAMP));
                list.bindTexture("plain", blue.view());
                list.bindSampler("how", rig.device.sampler(SamplerDescription.NEAREST_CLAMP));
                list.bindStorageTexture("stored", clear.view());
                list.bindBuffer("Target", target, 0, 4);
                list.dispatch(1, 1, 1);
                full(list);
                list.copyBuffer(target, 0, result, 0, 4);
                full(list);
            });
            if (rig.device.capabilities().renders()) {
                assertThat(CommandRig.words(result)).containsExactly(-1);
            }
        }
    }

    private static void fill(CommandList list, Texture texture, ClearColor color, TextureLayout layout) {
        transition(list, texture, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST);
        list.clearTexture(texture, SubresourceRange.mip(0), color);
        transition(list, texture, TextureLayout.TRANSFER_DST, layout);
    }

    private static GraphicsPipelineDescription tinted(String name) {
        return GraphicsPipelineDescription.of(
                name,
                new ShaderSource("everything.vert", ShaderStage.VERTEX, """
                        #version 450
                        const vec2 corners[3] = vec2[](vec2(-1, -1), vec2(-1, 3), vec2(3, -1));
                        void main() { gl_Position = vec4(corners[gl_VertexIndex], 0.5, 1); }
                        """),
                new ShaderSource("tinted.frag", ShaderStage.FRAGMENT, """
                        #version 450
                        layout(set = 0, binding = 0) readonly buffer Tint { uint tint; };
                        layout(location = 0) out vec4 color;
                        void main() { color = unpackUnorm4x8(tint); }
                        """),
                Format.R8G8B8A8_UNORM);
    }

    /** Draws a texel with each of the pipelines, which have shaders in common. */
    private static void draw(CommandRig rig, List<GraphicsPipeline> pipelines) {
        int size = pipelines.size();
        int[] tints = new int[size * STEP / 4];
        for (int i = 0; i < size; i++) {
            tints[i * STEP / 4] = 0xFF00_0001 + i;
        }
        Buffer source = rig.upload(tints, BufferUsage.STORAGE);
        Texture color = rig.texture(
                "colour",
                TextureDescription.of(
                        size, 1, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_SRC));
        Buffer pixels = rig.readback(4L * size);
        rig.execute(list -> {
            transition(list, color, TextureLayout.UNDEFINED, TextureLayout.COLOR);
            list.beginRendering(new RenderingInfo(
                    size,
                    1,
                    List.of(new ColorAttachment(
                            color.view(), LoadOp.CLEAR, StoreOp.STORE, ClearColor.BLACK_TRANSPARENT)),
                    null));
            for (int i = 0; i < size; i++) {
                if (i == 0 || pipelines.get(i) != pipelines.get(i - 1)) {
                    list.bindPipeline(pipelines.get(i));
                }
                list.bindBuffer("Tint", source, (long) i * STEP, 4);
                list.setScissor(i, 0, 1, 1);
                list.draw(3, 1, 0, 0);
            }
            list.endRendering();
            transition(list, color, TextureLayout.COLOR, TextureLayout.TRANSFER_SRC);
            list.copyTextureToBuffer(color, 0, 0, pixels, 0);
            full(list);
        });
        if (rig.device.capabilities().renders()) {
            assertThat(CommandRig.words(pixels))
                    .containsExactly(IntStream.range(0, size)
                            .map(i -> tints[i * STEP / 4])
                            .toArray());
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachDrawHasItsOwnBindings(Backend backend) {
        try (CommandRig rig = rig(backend)) {
            GraphicsPipeline pushing =
                    rig.own(rig.device.createGraphicsPipeline(tinted("pushing").withPushDescriptorSet(0)));
            GraphicsPipeline plain = rig.own(rig.device.createGraphicsPipeline(tinted("plain")));
            draw(rig, List.of(pushing, pushing, plain, pushing, plain, plain));
        }
    }

    /** The pipelines have the parts without shaders in common, and may share no other. */
    @Test
    void linkedPipelinesPushBeforeAndAfterTheyAreOptimised() {
        try (CommandRig rig = new CommandRig(
                Backend.VULKAN, null, Set.of(Capability.PUSH_DESCRIPTORS, Capability.GRAPHICS_PIPELINE_LIBRARY))) {
            GraphicsPipeline plain = rig.own(rig.device.createGraphicsPipeline(tinted("plain")));
            GraphicsPipeline pushing =
                    rig.own(rig.device.createGraphicsPipeline(tinted("pushing").withPushDescriptorSet(0)));
            draw(rig, List.of(pushing, plain, pushing, pushing));
            while (!((VulkanPipeline) pushing).isOptimised()) {
                Thread.onSpinWait();
            }
            draw(rig, List.of(pushing, plain, pushing, pushing));
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatIsPushedIsBoundByNameAndOpen(Backend backend) {
        try (CommandRig rig = rig(backend)) {
            ComputePipeline pushing =
                    rig.own(rig.device.createComputePipeline(add("pushing").withPushDescriptorSet(0)));
            ComputePipeline plain = rig.own(rig.device.createComputePipeline(add("plain")));
            Buffer numbers = rig.buffer("numbers", 2 * STEP, BufferUsage.STORAGE, BufferUsage.UNIFORM);
            BufferRange range = new BufferRange(numbers, 0, 4);
            Map<String, BoundResource> both = Map.of("Source", range, "Target", range);
            assertThatThrownBy(() -> rig.device.createBindingSet("set", pushing, 0, both))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("binding set 'set' is for set 0 of pipeline 'pushing', which pushes it");
            BindingSet set = rig.own(rig.device.createBindingSet("set", plain, 0, both));
            Buffer gone = rig.device.createBuffer("gone", BufferDescription.device(64, BufferUsage.STORAGE));
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            list.bindPipeline(pushing);
            assertThatThrownBy(() -> list.bindSet(set))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("for set 0, which pipeline 'pushing' pushes; bind its resources by name");
            list.bindBuffer("Amount", numbers, 0, 4);
            list.bindBuffer("Target", numbers, STEP, 4);
            assertThatThrownBy(() -> list.dispatch(1, 1, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'Source'");
            list.bindBuffer("Source", gone, 0, 4);
            list.dispatch(1, 1, 1);
            list.end();
            gone.close();
            assertThatThrownBy(() -> rig.queue().submit(new Submission("late", List.of(list), List.of())))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'gone'");
            rig.frame.reset();
        }
    }

    @ParameterizedTest
    @EnumSource
    void theCheckerSeesWhatAnotherPassPushed(Backend backend) {
        HazardChecker checker = new HazardChecker();
        try (CommandRig rig = new CommandRig(backend, checker, Set.of(Capability.PUSH_DESCRIPTORS))) {
            ComputePipeline pushing =
                    rig.own(rig.device.createComputePipeline(add("pushing").withPushDescriptorSet(0)));
            Buffer source = rig.buffer("source", 4, BufferUsage.STORAGE);
            Buffer target = rig.buffer("target", 4, BufferUsage.STORAGE);
            Buffer amount = rig.buffer("amount", 4, BufferUsage.UNIFORM);
            ResourceUse reads = new ResourceUse.OfBuffer(source, 0, 4, Access.STORAGE_READ_COMPUTE, false);
            ResourceUse adds = new ResourceUse.OfBuffer(amount, 0, 4, Access.UNIFORM_COMPUTE, false);
            ResourceUse writes = new ResourceUse.OfBuffer(target, 0, 4, Access.STORAGE_READ_WRITE_COMPUTE, false);
            rig.execute(list -> {
                list.beginPass("first", List.of(reads, adds, writes));
                list.bindPipeline(pushing);
                list.bindBuffer("Source", source, 0, 4);
                list.bindBuffer("Target", target, 0, 4);
                list.bindBuffer("Amount", amount, 0, 4);
                list.dispatch(1, 1, 1);
                list.endPass();
                full(list);
                list.beginPass("second", List.of(reads, adds));
                list.dispatch(1, 1, 1);
                list.endPass();
            });
        }
        assertThat(checker.undeclared())
                .extracting(Hazard::resource, Hazard::secondPass)
                .containsExactly(tuple("target", "second"));
    }

    @ParameterizedTest
    @EnumSource
    void whatCannotBePushedIsRefusedByName(Backend backend) {
        try (CommandRig rig = rig(backend)) {
            assertThatThrownBy(() -> rig.device.createComputePipeline(add("far").withPushDescriptorSet(2)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("pipeline 'far' pushes set 2, in which its shaders have no binding");
            String many = """
                    #version 450
                    layout(local_size_x = 1) in;
                    layout(set = 0, binding = 0) uniform sampler2D pictures[33];
                    void main() { if (texture(pictures[32], vec2(0)).x > 2) { barrier(); } }
                    """;
            assertThatThrownBy(() -> rig.device.createComputePipeline(new ComputePipelineDescription(
                                    "many", new ShaderSource("many.comp", ShaderStage.COMPUTE, many), null)
                            .withPushDescriptorSet(0)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("pipeline 'many' pushes set 0 of 33 bindings")
                    .hasMessageContaining("push at most 32");
        }
        try (CommandRig rig = new CommandRig(backend)) {
            assertThatThrownBy(() ->
                            rig.device.createGraphicsPipeline(tinted("draws").withPushDescriptorSet(0)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("graphics pipeline 'draws' pushes set 0, which needs PUSH_DESCRIPTORS, which"
                            + " is off in device '")
                    .hasMessageContaining("DeviceOptions.require or prefer");
            assertThatThrownBy(() ->
                            rig.device.createComputePipeline(add("pushing").withPushDescriptorSet(0)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("compute pipeline 'pushing' pushes set 0, which needs PUSH_DESCRIPTORS, which"
                            + " is off in device '");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTableIsNotPushed(Backend backend) {
        try (CommandRig rig =
                new CommandRig(backend, null, Set.of(Capability.PUSH_DESCRIPTORS, Capability.DESCRIPTOR_INDEXING))) {
            String table = """
                    #version 450
                    #extension GL_EXT_nonuniform_qualifier : require
                    layout(local_size_x = 1) in;
                    layout(set = 1, binding = 3) buffer Words { uint words[]; } buffers[];
                    void main() { buffers[gl_GlobalInvocationID.x].words[0] = 1; }
                    """;
            assertThatThrownBy(() -> rig.device.createComputePipeline(new ComputePipelineDescription(
                                    "indexing", new ShaderSource("indexing.comp", ShaderStage.COMPUTE, table), null)
                            .withPushDescriptorSet(1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("pipeline 'indexing' pushes set 1, in which its shaders have no binding; name"
                            + " a set of theirs that is no bindless table");
        }
    }
}
