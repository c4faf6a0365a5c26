package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.pipeline.BindlessSlot;
import io.frameloom.gpu.pipeline.BindlessTable;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.RasterState;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
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
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.vulkan.resource.SamplerCache;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.testing.TestEffort;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan12Features;

/** Bindless tables under validation: what shaders find by numbers, and what is refused. */
@Timeout(100)
class VulkanBindlessTest {
    private static final String HEAD = "#version 450\n#extension GL_EXT_nonuniform_qualifier : require\n";

    /** Adds a word of each of two buffers, which it finds by numbers, to a third. */
    private static final ShaderSource ADD = compute("add", """
            layout(local_size_x = 1) in;
            layout(set = 2, binding = 3) buffer Words { uint words[]; } buffers[];
            layout(push_constant) uniform Numbers { uint first; uint second; uint sum; };
            void main() { buffers[sum].words[0] = buffers[first].words[0] + buffers[second].words[0]; }
            """);

    private final HazardChecker checker = new HazardChecker();
    private final Deque<AutoCloseable> owned = new ArrayDeque<>();
    private TaskGraph tasks;
    private VulkanDevice device;
    private FrameContext context;
    private GpuQueue queue;
    private BindlessTable table;

    private static ShaderSource compute(String name, String body) {
        return new ShaderSource(name + ".comp", ShaderStage.COMPUTE, HEAD + body);
    }

    @BeforeEach
    void open() {
        ValidatedDevice.assumeDriver(Capability.DESCRIPTOR_INDEXING);
        tasks = own(TaskGraph.builder().name("bindless").workers(1).build());
        device = own(VulkanDevices.open(
                "", new DeviceOptions(tasks, "bindless", true, checker).require(Capability.DESCRIPTOR_INDEXING)));
        queue = device.queues().get(0);
        context = own(device.createFrameContext("frame"));
        table = own(device.createBindlessTable("everything"));
    }

    @AfterEach
    void close() throws Exception {
        while (!owned.isEmpty()) {
            owned.pop().close();
        }
        if (device != null) {
            assertThat(device.validationMessages()).isEmpty();
            assertThat(checker.hazards()).isEmpty();
        }
    }

    private <T extends AutoCloseable> T own(T object) {
        owned.push(object);
        return object;
    }

    private Buffer word(String name, int value) {
        Buffer buffer = own(device.createBuffer(
                name, BufferDescription.device(256, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST)));
        await(submit(list -> {
            list.fillBuffer(buffer, 0, 256, value);
            list.barrier(everything());
        }));
        return buffer;
    }

    private static BarrierBatch everything() {
        return ValidatedDevice.memory(
                PipelineStage.ALL_COMMANDS,
                MemoryAccess.MEMORY_WRITE,
                PipelineStage.ALL_COMMANDS,
                MemoryAccess.MEMORY_READ,
                MemoryAccess.MEMORY_WRITE);
    }

    private TimelinePoint submit(Consumer<CommandList> recorder) {
        CommandList list = context.beginCommands(queue, "list");
        recorder.accept(list);
        list.end();
        return queue.submit(new Submission("work", List.of(list), List.of()));
    }

    private void await(TimelinePoint point) {
        assertThat(queue.timeline().await(point.value(), ValidatedDevice.LONG)).isTrue();
    }

    private int first(Buffer buffer) {
        Buffer host = own(device.createBuffer("host", BufferDescription.readback(4)));
        await(submit(list -> {
            list.barrier(everything());
            list.copyBuffer(buffer, 0, host, 0, 4);
            list.barrier(ValidatedDevice.memory(
                    PipelineStage.COPY, MemoryAccess.COPY_WRITE, PipelineStage.HOST, MemoryAccess.HOST_READ));
        }));
        return ValidatedDevice.words(host)[0];
    }

    private static ByteBuffer numbers(int... numbers) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(4 * numbers.length).order(ByteOrder.nativeOrder());
        for (int number : numbers) {
            bytes.putInt(number);
        }
        return bytes.flip();
    }

    private void add(CommandList list, ComputePipeline adding, BindlessSlot... slots) {
        list.bindPipeline(adding);
        list.pushConstants(numbers(slots[0].index(), slots[1].index(), slots[2].index()));
        list.dispatch(1, 1, 1);
    }

    /** Also of slots that are filled after the table was bound, and after the list was recorded. */
    @Test
    void shadersFindBuffersByNumbers() {
        ComputePipeline adding = own(device.createComputePipeline(new ComputePipelineDescription("add", ADD, null)));
        Buffer sum = word("sum", 0);
        BindlessSlot one = table.storageBuffer(word("one", 1), 0, 256);
        BindlessSlot ten = table.storageBuffer(word("ten", 10), 0, 4);
        CommandList list = context.beginCommands(queue, "early");
        list.bindTable(table);
        BindlessSlot result = table.storageBuffer(sum, 0, 256);
        add(list, adding, one, ten, result);
        list.barrier(everything());
        add(list, adding, result, ten, result);
        list.end();
        BindlessSlot unused = table.storageBuffer(sum, 0, 256);
        await(queue.submit(new Submission("early", List.of(list), List.of())));
        unused.close();
        assertThat(first(sum)).isEqualTo(21);
        assertThat(List.of(one.index(), ten.index(), result.index())).containsExactly(0, 1, 2);
        assertThat(one.kind()).isEqualTo(BindlessTable.Kind.STORAGE_BUFFER);
        assertThat(table.capacity(BindlessTable.Kind.STORAGE_BUFFER)).isGreaterThanOrEqualTo(10_000);
    }

    /** A number that the device may still use is not another resource's. */
    @Test
    void aFreedNumberIsGivenAgainWhenTheDeviceHasFinished() {
        ComputePipeline adding = own(device.createComputePipeline(new ComputePipelineDescription("add", ADD, null)));
        Buffer sum = word("sum", 0);
        BindlessSlot two = table.storageBuffer(word("two", 2), 0, 256);
        BindlessSlot result = table.storageBuffer(sum, 0, 256);
        int number = two.index();
        TimelinePoint point = submit(list -> {
            list.bindTable(table);
            for (int i = 0; i < 50; i++) {
                add(list, adding, two, result, result);
                list.barrier(everything());
            }
        });
        two.close();
        two.close();
        assertThatThrownBy(two::index)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("slot 0 of STORAGE_BUFFER in bindless table 'everything' is closed; its number may be"
                        + " another resource's");
        await(point);
        assertThat(first(sum)).isEqualTo(100);
        BindlessSlot three = table.storageBuffer(word("three", 3), 0, 256);
        assertThat(three.index()).isEqualTo(number);
        await(submit(list -> {
            list.bindTable(table);
            add(list, adding, three, three, result);
        }));
        assertThat(first(sum)).isEqualTo(6);
    }

    /** One indirect draw takes a texture for each point. */
    @Test
    void oneIndirectDrawTakesThousandsOfTextures() {
        int side = TestEffort.of(16, 100);
        int count = side * side;
        GraphicsPipeline points = own(device.createGraphicsPipeline(new GraphicsPipelineDescription(
                        "points",
                        new ShaderSource("points.vert", ShaderStage.VERTEX, """
                                #version 450
                                layout(location = 0) flat out uint texture_;
                                layout(push_constant) uniform Side { uint side; };
                                void main() {
                                    uvec2 at = uvec2(gl_InstanceIndex % side, gl_InstanceIndex / side);
                                    gl_Position = vec4((vec2(at) + 0.5) / side * 2.0 - 1.0, 0.5, 1.0);
                                    gl_PointSize = 1.0;
                                    texture_ = gl_InstanceIndex;
                                }
                                """),
                        new ShaderSource("points.frag", ShaderStage.FRAGMENT, HEAD + """
                                layout(set = 0, binding = 0) uniform texture2D textures[];
                                layout(set = 0, binding = 1) uniform sampler samplers[];
                                layout(location = 0) flat in uint texture_;
                                layout(location = 0) out vec4 color;
                                void main() {
                                    color = texture(sampler2D(textures[nonuniformEXT(texture_)], samplers[0]), vec2(0.5));
                                }
                                """),
                        List.of(),
                        GraphicsPipelineDescription.CullMode.NONE,
                        null,
                        GraphicsPipelineDescription.Blend.NONE,
                        List.of(Format.R8G8B8A8_UNORM),
                        null)
                .withRaster(RasterState.TRIANGLES.with(RasterState.Topology.POINT_LIST))));
        TextureDescription texel =
                TextureDescription.of(1, 1, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED, TextureUsage.COPY_DST);
        List<Texture> textures = new ArrayList<>();
        CommandList filling = context.beginCommands(queue, "fill");
        for (int i = 0; i < count; i++) {
            Texture texture = own(device.createTexture("texel " + i, texel));
            textures.add(texture);
            filling.barrier(ValidatedDevice.transition(texture, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST));
            filling.clearTexture(
                    texture,
                    SubresourceRange.all(texel),
                    new RenderingInfo.ClearColor((i & 255) / 255f, (i >> 8 & 255) / 255f, 1, 1));
            filling.barrier(ValidatedDevice.transition(texture, TextureLayout.TRANSFER_DST, TextureLayout.SHADER_RO));
            assertThat(table.sampledTexture(texture.view()).index()).isEqualTo(i);
        }
        filling.end();
        await(queue.submit(new Submission("fill", List.of(filling), List.of())));
        table.sampler(device.sampler(SamplerDescription.NEAREST_CLAMP));
        Texture target = own(device.createTexture(
                "target",
                TextureDescription.of(
                        side, side, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_SRC)));
        Buffer host = own(device.createBuffer("picture", BufferDescription.readback(4L * count)));
        Buffer arguments = own(device.createBuffer("arguments", BufferDescription.upload(16, BufferUsage.INDIRECT)));
        arguments.mapped().put(numbers(1, count, 0, 0)).flip();
        await(submit(list -> {
            list.barrier(ValidatedDevice.transition(target, TextureLayout.UNDEFINED, TextureLayout.COLOR));
            list.beginRendering(new RenderingInfo(
                    side,
                    side,
                    List.of(new RenderingInfo.ColorAttachment(
                            target.view(), LoadOp.CLEAR, StoreOp.STORE, RenderingInfo.ClearColor.BLACK_TRANSPARENT)),
                    null));
            list.bindTable(table);
            list.bindPipeline(points);
            list.pushConstants(numbers(side));
            list.drawIndirect(arguments, 0, 1, 16);
            list.endRendering();
            list.barrier(ValidatedDevice.transition(target, TextureLayout.COLOR, TextureLayout.TRANSFER_SRC));
            list.copyTextureToBuffer(target, 0, 0, host, 0);
            list.barrier(ValidatedDevice.memory(
                    PipelineStage.COPY, MemoryAccess.COPY_WRITE, PipelineStage.HOST, MemoryAccess.HOST_READ));
        }));
        int[] picture = ValidatedDevice.words(host);
        for (int i = 0; i < count; i++) {
            assertThat(picture[i]).as("texel %d", i).isEqualTo(0xffff0000 | i);
        }
    }

    @Test
    void aResourceThatIsClosedBeforeItsSlotIsRefused() {
        ComputePipeline adding = own(device.createComputePipeline(new ComputePipelineDescription("add", ADD, null)));
        Buffer lost = device.createBuffer("lost", BufferDescription.device(256, BufferUsage.STORAGE));
        BindlessSlot slot = table.storageBuffer(lost, 0, 256);
        CommandList list = context.beginCommands(queue, "list");
        list.bindTable(table);
        list.bindPipeline(adding);
        list.pushConstants(numbers(0, 0, 0));
        lost.close();
        assertThatThrownBy(() -> list.dispatch(1, 1, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'lost' in bindless table 'everything'");
        CommandList next = context.beginCommands(queue, "next");
        assertThatThrownBy(() -> next.bindTable(table))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'lost' in bindless table 'everything' is closed; close the slot");
        slot.close();
        next.bindTable(table);
    }

    @Test
    void badInputIsRefusedByName() {
        ComputePipeline adding = own(device.createComputePipeline(new ComputePipelineDescription("add", ADD, null)));
        CommandList list = context.beginCommands(queue, "list");
        list.bindPipeline(adding);
        list.pushConstants(numbers(0, 0, 0));
        assertThatThrownBy(() -> list.dispatch(1, 1, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("pipeline 'add' takes a bindless table as set 2, and none is bound");
        Buffer plain = own(device.createBuffer("plain", BufferDescription.device(256, BufferUsage.COPY_DST)));
        assertThatThrownBy(() -> table.storageBuffer(plain, 0, 4))
                .hasMessage("buffer 'plain' in bindless table 'everything' was created without usage STORAGE");
        Buffer words = word("words", 1);
        assertThatThrownBy(() -> table.storageBuffer(words, 0, 257))
                .hasMessageContaining("range 0+257 of buffer 'words'")
                .hasMessageContaining("is not within its 256 bytes");
        assertThatThrownBy(() -> table.storageBuffer(words, 1, 4)).hasMessageContaining("must be a multiple of");
        assertThatThrownBy(() -> table.storageBuffer(words, -256, 4))
                .hasMessageContaining("is not within its 256 bytes");
        assertThatThrownBy(() -> table.storageBuffer(words, 0, 0)).hasMessageContaining("is empty");
        Texture target = own(device.createTexture(
                "target", TextureDescription.of(4, 4, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT)));
        assertThatThrownBy(() -> table.sampledTexture(target.view()))
                .hasMessage("texture 'target' in bindless table 'everything' was created without usage SAMPLED");
        assertThatThrownBy(() -> table.storageTexture(target.view())).hasMessageContaining("usage STORAGE");
        Texture seen = own(
                device.createTexture("seen", TextureDescription.of(4, 4, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED)));
        assertThatThrownBy(() -> table.sampledTexture(new TextureView() {
                    @Override
                    public Texture texture() {
                        return seen;
                    }

                    @Override
                    public SubresourceRange range() {
                        return SubresourceRange.all(seen.description());
                    }
                }))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("texture 'seen' in bindless table 'everything' is seen by a view that it has not made;"
                        + " take one that Texture.view returns");
        try (VulkanDevice other = VulkanDevices.open("", new DeviceOptions(tasks, "other", false, null))) {
            assertThatThrownBy(() -> other.createBindlessTable("none"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("bindless table 'none' needs DESCRIPTOR_INDEXING, which is off in device");
            assertThatThrownBy(() -> other.createComputePipeline(new ComputePipelineDescription("add", ADD, null)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("runtimeDescriptorArray");
            assertThatThrownBy(() -> table.sampler(other.sampler(SamplerDescription.NEAREST_CLAMP)))
                    .hasMessage("a sampler in bindless table 'everything' is of another device");
        }
        table.close();
        assertThatThrownBy(() -> table.storageBuffer(words, 0, 4))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("bindless table 'everything'")
                .hasMessageContaining("closed");
    }

    /** One feature makes such an array legal in a shader, and its set needs them all. */
    @Test
    void aDeviceWithSomeOfTheFeaturesRefusesPipelines() {
        try (var some = VkPhysicalDeviceVulkan12Features.calloc()
                        .sType$Default()
                        .runtimeDescriptorArray(true);
                VulkanDevice other = VulkanDevices.open(
                        "",
                        new DeviceOptions(tasks, "some", true, null),
                        VulkanExtensions.of().withFeatures(some))) {
            assertThatThrownBy(() -> other.createComputePipeline(new ComputePipelineDescription("add", ADD, null)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'add' takes a bindless table as set 2, which needs DESCRIPTOR_INDEXING,"
                            + " which is off in device");
            assertThat(other.validationMessages()).isEmpty();
        }
    }

    /** With its slot, with the table, and where there was no slot for it. */
    @Test
    void theUseOfASamplerEnds() {
        SamplerCache.VulkanSampler nearest =
                (SamplerCache.VulkanSampler) device.sampler(SamplerDescription.NEAREST_CLAMP);
        SamplerCache.VulkanSampler linear =
                (SamplerCache.VulkanSampler) device.sampler(SamplerDescription.LINEAR_REPEAT);
        BindlessSlot slot = table.sampler(nearest);
        table.sampler(linear);
        assertThat(isUsed(nearest)).isTrue();
        slot.close();
        device.waitIdle();
        assertThat(isUsed(nearest)).isFalse();
        assertThat(isUsed(linear)).isTrue();
        table.close();
        device.waitIdle();
        assertThat(isUsed(linear)).isFalse();
        assertThatThrownBy(() -> table.sampler(nearest)).isInstanceOf(IllegalStateException.class);
        assertThat(isUsed(nearest)).isFalse();
    }

    private static boolean isUsed(SamplerCache.VulkanSampler sampler) {
        SamplerCache.Live live = sampler.live();
        boolean used = live.retainIfUsed();
        if (used) {
            live.release();
        }
        return used;
    }

    @Test
    void arraysThatAreNoneOfATableAreRefused() {
        refused(
                "layout(set = 0, binding = 1) buffer W { uint w[]; } all[];"
                        + " void main() { all[gl_WorkGroupID.x].w[0] = 1; }",
                "binding 'W' (STORAGE_BUFFER, set 0 binding 1) in the set of a bindless table, which has, by bindings from 0 on, [SAMPLED_TEXTURE, SAMPLER, STORAGE_TEXTURE,"
                        + " STORAGE_BUFFER]");
        refused(
                "layout(set = 0, binding = 3) buffer W { uint w[]; } all[];"
                        + " layout(set = 1, binding = 3) buffer V { uint v[]; } more[];"
                        + " void main() { all[gl_WorkGroupID.x].w[0] = more[gl_WorkGroupID.x].v[0]; }",
                "arrays without length in sets 0 and 1");
        refused(
                "layout(set = 0, binding = 3) buffer W { uint w[]; } all[];"
                        + " layout(set = 0, binding = 0) buffer V { uint v[]; };"
                        + " void main() { all[gl_WorkGroupID.x].w[0] = v[0]; }",
                "binding 'V' (STORAGE_BUFFER, set 0 binding 0) in the set of a bindless table");
    }

    private void refused(String body, String message) {
        assertThatThrownBy(() -> device.createComputePipeline(new ComputePipelineDescription(
                        "bad", compute("bad", "layout(local_size_x = 1) in;" + body), null)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
