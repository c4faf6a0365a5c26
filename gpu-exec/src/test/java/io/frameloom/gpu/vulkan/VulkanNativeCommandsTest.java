package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.ValidatedDevice.memory;
import static io.frameloom.gpu.vulkan.ValidatedDevice.transition;
import static io.frameloom.gpu.vulkan.ValidatedDevice.words;
import static io.frameloom.gpu.vulkan.VulkanComputeTest.push;
import static io.frameloom.gpu.vulkan.VulkanHandles.recordNative;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.DepthAttachment;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.DynamicState;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.Blend;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.CullMode;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthCompare;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthState;
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
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.gpu.vulkan.resource.SamplerCache;
import io.frameloom.taskgraph.TaskGraph;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkBufferCopy;
import org.lwjgl.vulkan.VkClearAttachment;
import org.lwjgl.vulkan.VkClearColorValue;
import org.lwjgl.vulkan.VkClearRect;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkImageSubresourceRange;
import org.lwjgl.vulkan.VkViewport;

/** Commands of Vulkan itself among those of a list: what the list takes for bound afterwards, and what it refuses. */
@Timeout(60)
class VulkanNativeCommandsTest {
    private static final int SIZE = 8;

    /** Each dispatch appends the number of the pipeline and what is pushed. */
    private static final String APPEND = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) buffer Words { uint count; uint words[]; };
            layout(push_constant) uniform Push { uint pushed; };
            void main() { words[count++] = NUMBER * 100 + pushed; }
            """;

    private static final ShaderSource ALL = new ShaderSource("all.vert", ShaderStage.VERTEX, """
            #version 450
            const vec2 corners[3] = vec2[](vec2(-1, -1), vec2(-1, 3), vec2(3, -1));
            void main() { gl_Position = vec4(corners[gl_VertexIndex], 0.5, 1); }
            """);

    private static final BarrierBatch DISPATCHES = memory(
            PipelineStage.COMPUTE_SHADER,
            MemoryAccess.STORAGE_WRITE,
            PipelineStage.COMPUTE_SHADER,
            MemoryAccess.STORAGE_READ,
            MemoryAccess.STORAGE_WRITE);

    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice();

    private static ComputePipeline append(GpuDevice device, int number) {
        return device.createComputePipeline(new ComputePipelineDescription(
                "append " + number,
                new ShaderSource(
                        "append.comp", ShaderStage.COMPUTE, APPEND.replace("NUMBER", Integer.toString(number))),
                null));
    }

    private static Buffer wordBuffer(GpuDevice device) {
        return device.createBuffer(
                "words", BufferDescription.device(64, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST));
    }

    private static int[] run(GpuDevice device, Buffer words, Consumer<CommandList> commands) {
        try (FrameContext frame = device.createFrameContext("frame");
                Buffer read = device.createBuffer("read", BufferDescription.readback(64))) {
            CommandList list = frame.beginCommands(device.queues().get(0), "list");
            list.fillBuffer(words, 0, 64, 0);
            list.barrier(memory(
                    PipelineStage.COPY,
                    MemoryAccess.COPY_WRITE,
                    PipelineStage.COMPUTE_SHADER,
                    MemoryAccess.STORAGE_READ,
                    MemoryAccess.STORAGE_WRITE));
            commands.accept(list);
            list.barrier(memory(
                    PipelineStage.COMPUTE_SHADER,
                    MemoryAccess.STORAGE_WRITE,
                    PipelineStage.COPY,
                    MemoryAccess.COPY_READ));
            list.copyBuffer(words, 0, read, 0, 64);
            list.end();
            GpuQueue queue = device.queues().get(0);
            long done = queue.submit(new Submission("submission", List.of(list), List.of()))
                    .value();
            assertThat(queue.timeline().await(done, ValidatedDevice.LONG)).isTrue();
            return words(read);
        }
    }

    private static void bind(CommandList list, ComputePipeline pipeline, Buffer words, int pushed) {
        list.bindPipeline(pipeline);
        list.bindBuffer("Words", words, 0, 64);
        list.pushConstants(push(pushed));
    }

    private static void dispatch(
            VulkanHandles handles, VkCommandBuffer vk, ComputePipeline pipeline, BindingSet set, int pushed) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            long layout = handles.pipelineLayout(pipeline);
            VK13.vkCmdBindPipeline(vk, VK13.VK_PIPELINE_BIND_POINT_COMPUTE, handles.pipeline(pipeline));
            VK13.vkCmdBindDescriptorSets(
                    vk, VK13.VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, stack.longs(handles.descriptorSet(set)), null);
            VK13.vkCmdPushConstants(vk, layout, VK13.VK_SHADER_STAGE_COMPUTE_BIT, 0, stack.ints(pushed));
            VK13.vkCmdDispatch(vk, 1, 1, 1);
        }
    }

    /** Both lists would take what they bound for bound still: a second bind of the same is skipped otherwise. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatWasBoundIsBoundAnew(boolean checks) {
        DeviceOptions options =
                DeviceOptions.of(gpu.tasks(), "native").withValidation(true).withChecks(checks);
        try (VulkanDevice device = VulkanDevices.open("", options);
                ComputePipeline first = append(device, 1);
                ComputePipeline second = append(device, 2);
                Buffer words = wordBuffer(device);
                Buffer others = wordBuffer(device);
                BindingSet set = device.createBindingSet(
                        "set", second, 0, Map.of("Words", new BoundResource.BufferRange(words, 0, 64)));
                BindingSet other = device.createBindingSet(
                        "other", first, 0, Map.of("Words", new BoundResource.BufferRange(others, 0, 64)))) {
            VulkanHandles handles = device.handles();
            int[] written = run(device, words, list -> {
                bind(list, first, words, 1);
                list.dispatch(1, 1, 1);
                list.barrier(DISPATCHES);
                recordNative(list, vk -> dispatch(handles, vk, second, set, 2));
                list.barrier(DISPATCHES);
                bind(list, first, words, 3);
                list.dispatch(1, 1, 1);
                list.barrier(DISPATCHES);
                // The layout is the same, so that only the set in it is another one.
                recordNative(list, vk -> dispatch(handles, vk, first, other, 4));
                list.barrier(DISPATCHES);
                bind(list, first, words, 5);
                list.dispatch(1, 1, 1);
            });
            assertThat(written).startsWith(4, 101, 202, 103, 105, 0);
            assertThat(device.validationMessages()).isEmpty();
        }
    }

    @Test
    void aListDoesNotDispatchWithWhatNativeCommandsHaveBound() {
        ComputePipeline first = gpu.own(append(gpu.device(), 1));
        Buffer words = gpu.own(wordBuffer(gpu.device()));
        int[] written = run(gpu.device(), words, list -> {
            bind(list, first, words, 1);
            list.dispatch(1, 1, 1);
            recordNative(list, vk -> {});
            assertThatThrownBy(() -> list.dispatch(1, 1, 1)).hasMessageContaining("bind the pipeline first");
            assertThatThrownBy(() -> list.pushConstants(push(2))).hasMessageContaining("bind the pipeline first");
            list.bindPipeline(first);
            assertThatThrownBy(() -> list.dispatch(1, 1, 1)).hasMessageContaining("Words");
            list.bindBuffer("Words", words, 0, 64);
            assertThatThrownBy(() -> list.dispatch(1, 1, 1)).hasMessageContaining("push constants");
        });
        assertThat(written).startsWith(1, 101, 0);
    }

    private Texture depth() {
        return gpu.own(gpu.device()
                .createTexture(
                        "depth",
                        TextureDescription.of(
                                SIZE, SIZE, Format.D32_SFLOAT, TextureUsage.DEPTH_ATTACHMENT, TextureUsage.COPY_SRC)));
    }

    private GraphicsPipeline biased() {
        return gpu.own(gpu.device()
                .createGraphicsPipeline(new GraphicsPipelineDescription(
                                "biased",
                                ALL,
                                null,
                                List.of(),
                                CullMode.NONE,
                                new DepthState(DepthCompare.ALWAYS, true, 0, 0),
                                Blend.NONE,
                                List.of(),
                                Format.D32_SFLOAT)
                        .withDynamicStates(Set.of(DynamicState.DEPTH_BIAS))));
    }

    private static RenderingInfo rendering(Texture depth, LoadOp load) {
        return new RenderingInfo(
                SIZE, SIZE, List.of(), new DepthAttachment(depth.view(), load, StoreOp.STORE, 1, false));
    }

    /** Draws two columns of four without a bias, in the nearer half of the depths. */
    private static void drawNearer(VulkanHandles handles, VkCommandBuffer vk, GraphicsPipeline pipeline) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkViewport.Buffer half = VkViewport.calloc(1, stack);
            half.get(0).width(2).height(SIZE).maxDepth(0.5f);
            VK13.vkCmdBindPipeline(vk, VK13.VK_PIPELINE_BIND_POINT_GRAPHICS, handles.pipeline(pipeline));
            VK13.vkCmdSetViewport(vk, 0, half);
            VK13.vkCmdSetDepthBias(vk, 0, 0, 0);
            VK13.vkCmdDraw(vk, 3, 1, 0, 0);
        }
    }

    @Test
    void drawsAfterThemHaveTheListsValuesAndTheWholeArea() {
        Texture depth = depth();
        GraphicsPipeline biased = biased();
        Buffer pixels = gpu.own(gpu.device().createBuffer("pixels", BufferDescription.readback(SIZE * SIZE * 4)));
        VulkanHandles handles = gpu.device().handles();
        gpu.execute("native", list -> {
            list.barrier(transition(depth, TextureLayout.UNDEFINED, TextureLayout.DEPTH));
            list.beginRendering(rendering(depth, LoadOp.CLEAR));
            list.bindPipeline(biased);
            list.setDepthBias(1 << 20, 0, 0);
            list.setScissor(0, 0, 1, SIZE);
            list.draw(3, 1, 0, 0);
            recordNative(list, vk -> drawNearer(handles, vk, biased));
            list.bindPipeline(biased);
            list.draw(3, 1, 0, 0);
            list.setScissor(0, 0, SIZE / 2, SIZE);
            recordNative(list, vk -> drawNearer(handles, vk, biased));
            list.endRendering();
            list.barrier(transition(depth, TextureLayout.DEPTH, TextureLayout.TRANSFER_SRC));
            list.copyTextureToBuffer(depth, 0, 0, pixels, 0);
        });
        int[] words = words(pixels);
        assertThat(Float.intBitsToFloat(words[1])).as("native, last").isEqualTo(0.25f);
        assertThat(Float.intBitsToFloat(words[SIZE - 1]))
                .as("the list's, in all of the area")
                .isGreaterThan(0.51f)
                .isLessThan(1);
        assertThat(words[2]).isEqualTo(words[SIZE - 1]);
    }

    @Test
    void secondaryListsSetViewportAndScissorAgain() {
        Texture depth = depth();
        GraphicsPipeline biased = biased();
        VulkanHandles handles = gpu.device().handles();
        try (FrameContext frame = gpu.device().createFrameContext("frame")) {
            RenderingInfo info = rendering(depth, LoadOp.CLEAR).withSecondaries();
            CommandList secondary = frame.beginSecondary(gpu.graphics(), "secondary", info.formats(), List.of());
            secondary.setViewport(0, 0, SIZE, SIZE);
            secondary.setScissor(0, 0, SIZE, SIZE);
            recordNative(secondary, vk -> drawNearer(handles, vk, biased));
            secondary.bindPipeline(biased);
            assertThatThrownBy(() -> secondary.draw(3, 1, 0, 0)).hasMessageContaining("call setViewport");
            secondary.setViewport(0, 0, SIZE, SIZE);
            secondary.setScissor(0, 0, SIZE, SIZE);
            secondary.draw(3, 1, 0, 0);
            secondary.end();
            gpu.execute("primary", list -> {
                list.barrier(transition(depth, TextureLayout.UNDEFINED, TextureLayout.DEPTH));
                list.beginRendering(info);
                assertThatThrownBy(() -> recordNative(list, vk -> {}))
                        .hasMessageContaining("recordNative in command list 'primary'")
                        .hasMessageContaining("withSecondaries");
                list.execute(List.of(secondary));
                list.endRendering();
            });
        }
    }

    @Test
    void aListTakesNoCommandMeanwhileAndGoesOnAfterAFailure() {
        ComputePipeline first = gpu.own(append(gpu.device(), 1));
        Buffer words = gpu.own(wordBuffer(gpu.device()));
        int[] written = run(gpu.device(), words, list -> {
            recordNative(list, vk -> {
                assertThatThrownBy(() -> list.bindPipeline(first))
                        .hasMessage("bindPipeline in command list 'list' is among native commands, which go into the"
                                + " VkCommandBuffer; record it when their body has returned");
                assertThatThrownBy(() -> recordNative(list, again -> {})).hasMessageContaining("among native commands");
                assertThatThrownBy(list::end).hasMessageContaining("among native commands");
            });
            assertThatThrownBy(() -> recordNative(list, vk -> {
                        throw new IllegalArgumentException("the application's");
                    }))
                    .hasMessage("the application's");
            bind(list, first, words, 7);
            list.dispatch(1, 1, 1);
        });
        assertThat(written).startsWith(1, 107);
        try (FrameContext frame = gpu.device().createFrameContext("frame")) {
            CommandList list = frame.beginCommands(gpu.graphics(), "ended");
            list.end();
            assertThatThrownBy(() -> recordNative(list, vk -> {})).hasMessageContaining("no longer recorded");
        }
    }

    @Test
    void handlesOfOthersAndOfClosedObjectsAreRefused() {
        VulkanHandles handles = gpu.device().handles();
        ComputePipeline pipeline = append(gpu.device(), 1);
        Buffer words = gpu.own(wordBuffer(gpu.device()));
        BindingSet set = gpu.device()
                .createBindingSet("set", pipeline, 0, Map.of("Words", new BoundResource.BufferRange(words, 0, 64)));
        try (VulkanDevice other = VulkanDevices.open("", DeviceOptions.of(gpu.tasks(), "other"))) {
            VulkanHandles theirs = other.handles();
            assertThatThrownBy(() -> theirs.pipeline(pipeline))
                    .hasMessage("pipeline 'append 1' is of another device; ask that one");
            assertThatThrownBy(() -> theirs.pipelineLayout(pipeline)).hasMessageContaining("another device");
            assertThatThrownBy(() -> theirs.descriptorSet(set))
                    .hasMessage("binding set 'set' is of another device; ask that one");
            assertThatThrownBy(() -> theirs.sampler(gpu.device().sampler(SamplerDescription.LINEAR_CLAMP)))
                    .hasMessageContaining("is of another device; ask that one");
        }
        set.close();
        pipeline.close();
        assertThatThrownBy(() -> handles.pipeline(pipeline)).hasMessage("'append 1' is closed; use an open one");
        assertThatThrownBy(() -> handles.descriptorSet(set)).hasMessage("'set' is closed; use an open one");
    }

    @Test
    void aSamplerThatWasHandedOutStays() {
        try (SamplerCache cache = new SamplerCache(
                ((SamplerCache.VulkanSampler) gpu.device().sampler(SamplerDescription.LINEAR_CLAMP)).device(),
                new SamplerCache.Limits(2, 4))) {
            SamplerCache.VulkanSampler first = cache.get(SamplerDescription.LINEAR_CLAMP);
            long handle = cache.handOut(first);
            for (int i = 1; i < 9; i++) {
                cache.get(SamplerDescription.NEAREST_CLAMP.withLod(0, SamplerDescription.EVERY_MIP, i / 16f));
            }
            assertThat(cache.handOut(first)).isEqualTo(handle);
            assertThat(cache.get(SamplerDescription.LINEAR_CLAMP)).isSameAs(first);
            assertThat(cache.size()).isEqualTo(2);
        }
        VulkanHandles handles = gpu.device().handles();
        assertThat(handles.sampler(gpu.device().sampler(SamplerDescription.LINEAR_CLAMP)))
                .isNotZero();
    }

    private static ResourceUse.OfBuffer use(Buffer buffer, Access access) {
        return new ResourceUse.OfBuffer(buffer, 0, 64, access, access.writes());
    }

    @Test
    void theCheckerJudgesWhatTheirPassesDeclare() {
        HazardChecker checker = new HazardChecker();
        DeviceOptions options = DeviceOptions.of(gpu.tasks(), "native").withObserver(checker);
        try (VulkanDevice device = VulkanDevices.open("", options);
                FrameContext frame = device.createFrameContext("frame");
                Buffer words = wordBuffer(device);
                Buffer read = device.createBuffer("read", BufferDescription.readback(64))) {
            VulkanHandles handles = device.handles();
            CommandList list = frame.beginCommands(device.queues().get(0), "list");
            list.beginPass("fill", List.of(use(words, Access.COPY_DST)));
            recordNative(list, vk -> VK13.vkCmdFillBuffer(vk, handles.buffer(words), 0, 64, 1));
            list.endPass();
            list.beginPass("copy", List.of(use(words, Access.COPY_SRC), use(read, Access.COPY_DST)));
            recordNative(list, vk -> {
                try (MemoryStack stack = MemoryStack.stackPush()) {
                    VkBufferCopy.Buffer all = VkBufferCopy.calloc(1, stack).size(64);
                    VK13.vkCmdCopyBuffer(vk, handles.buffer(words), handles.buffer(read), all);
                }
            });
            list.endPass();
            list.end();
            GpuQueue queue = device.queues().get(0);
            long done = queue.submit(new Submission("submission", List.of(list), List.of()))
                    .value();
            assertThat(queue.timeline().await(done, ValidatedDevice.LONG)).isTrue();
            assertThat(checker.hazards()).hasSize(1);
            Hazard hazard = checker.hazards().get(0);
            assertThat(hazard.kind()).isEqualTo(Hazard.Kind.READ_AFTER_WRITE);
            assertThat(hazard.explanation()).contains("'fill'", "'copy'", "'words'");
            assertThat(checker.undeclared()).isEmpty();
        }
    }

    /** A render pass that loads nothing and records nothing would leave undefined contents. */
    @Test
    void whatTheyDrawCountsAsDrawn() {
        HazardChecker checker = new HazardChecker();
        DeviceOptions options = DeviceOptions.of(gpu.tasks(), "native").withObserver(checker);
        try (VulkanDevice device = VulkanDevices.open("", options);
                FrameContext frame = device.createFrameContext("frame");
                Buffer read = device.createBuffer("read", BufferDescription.readback(SIZE * SIZE * 4));
                Texture depth = device.createTexture(
                        "depth",
                        TextureDescription.of(
                                SIZE, SIZE, Format.D32_SFLOAT, TextureUsage.DEPTH_ATTACHMENT, TextureUsage.COPY_SRC))) {
            SubresourceRange range = SubresourceRange.all(depth.description());
            CommandList list = frame.beginCommands(device.queues().get(0), "list");
            list.barrier(transition(depth, TextureLayout.UNDEFINED, TextureLayout.DEPTH));
            list.beginPass(
                    "draw",
                    List.of(new ResourceUse.OfTexture(depth, range, Access.DEPTH_WRITE, true, TextureLayout.DEPTH)));
            list.beginRendering(rendering(depth, LoadOp.DONT_CARE));
            recordNative(list, vk -> {
                try (MemoryStack stack = MemoryStack.stackPush()) {
                    VkClearAttachment.Buffer clear = VkClearAttachment.calloc(1, stack);
                    clear.get(0).aspectMask(VK13.VK_IMAGE_ASPECT_DEPTH_BIT);
                    VkClearRect.Buffer area = VkClearRect.calloc(1, stack);
                    area.get(0).layerCount(1).rect().extent().set(SIZE, SIZE);
                    VK13.vkCmdClearAttachments(vk, clear, area);
                }
            });
            list.endRendering();
            list.endPass();
            list.barrier(transition(depth, TextureLayout.DEPTH, TextureLayout.TRANSFER_SRC));
            list.beginPass(
                    "read",
                    List.of(
                            new ResourceUse.OfTexture(depth, range, Access.COPY_SRC, false, TextureLayout.TRANSFER_SRC),
                            new ResourceUse.OfBuffer(read, 0, SIZE * SIZE * 4, Access.COPY_DST, true)));
            list.copyTextureToBuffer(depth, 0, 0, read, 0);
            list.endPass();
            list.end();
            GpuQueue queue = device.queues().get(0);
            long done = queue.submit(new Submission("submission", List.of(list), List.of()))
                    .value();
            assertThat(queue.timeline().await(done, ValidatedDevice.LONG)).isTrue();
            assertThat(checker.hazards()).isEmpty();
        }
    }

    @Test
    void validationFindsALayoutThatIsNotDeclared() {
        gpu.expectMessages();
        Texture image = gpu.own(gpu.device()
                .createTexture(
                        "image",
                        TextureDescription.of(
                                SIZE, SIZE, Format.R32_SFLOAT, TextureUsage.STORAGE, TextureUsage.COPY_DST)));
        SubresourceRange range = SubresourceRange.all(image.description());
        VulkanHandles handles = gpu.device().handles();
        gpu.execute("layout", list -> {
            list.barrier(transition(image, TextureLayout.UNDEFINED, TextureLayout.GENERAL));
            list.beginPass(
                    "storage",
                    List.of(new ResourceUse.OfTexture(
                            image, range, Access.STORAGE_WRITE_COMPUTE, true, TextureLayout.GENERAL)));
            recordNative(list, vk -> {
                try (MemoryStack stack = MemoryStack.stackPush()) {
                    VkImageSubresourceRange.Buffer all = VkImageSubresourceRange.calloc(1, stack);
                    all.get(0)
                            .aspectMask(VK13.VK_IMAGE_ASPECT_COLOR_BIT)
                            .levelCount(1)
                            .layerCount(1);
                    VK13.vkCmdClearColorImage(
                            vk,
                            handles.image(image),
                            VK13.VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                            VkClearColorValue.calloc(stack),
                            all);
                }
            });
            list.endPass();
        });
        assertThat(gpu.messages())
                .isNotEmpty()
                .allSatisfy(message -> assertThat(message.text()).contains("vkCmdClearColorImage", "GENERAL"));
    }

    @Test
    void theVirtualGpuHasNoCommandBuffer() {
        try (TaskGraph tasks = TaskGraph.builder().name("native").workers(1).build();
                GpuDevice device = VirtualDevice.open(new VirtualGpuOptions(1, 1), DeviceOptions.of(tasks, "virtual"));
                FrameContext frame = device.createFrameContext("frame")) {
            CommandList list = frame.beginCommands(device.queues().get(0), "list");
            assertThatThrownBy(() -> recordNative(list, vk -> {}))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("recordNative in command list 'list'")
                    .hasMessageContaining("without Vulkan");
            list.end();
        }
    }
}
