package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.DeviceEventSet;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.QueryKind;
import io.frameloom.gpu.command.QuerySet;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferSlice;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryHeap;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.vulkan.driver.DeviceSeams;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;

/**
 * A program that uses everything of a device once: resources with memory of their own and placed ones, pipelines, bindings by
 * name and by set, views of two planes, secondary lists, frame contexts that are used again, submissions that wait for each
 * other, mapped memory that is read, timestamps.
 */
final class FaultScenario extends FaultProgram {
    private static final int SIZE = 16;
    private static final int WORDS = 64;
    private static final long BYTES = WORDS * 4L;
    private static final long TEXELS = SIZE * SIZE * 4L;
    private static final int GREEN = 0xff00ff00;

    private static final ShaderSource DOUBLE = new ShaderSource("double.comp", ShaderStage.COMPUTE, """
            #version 450
            layout(local_size_x = 64) in;
            layout(set = 0, binding = 0) buffer Data { uint data[]; };
            layout(set = 1, binding = 0) uniform sampler2D picture;
            layout(push_constant) uniform Push { uint factor; };
            void main() {
                uint bias = uint(texture(picture, vec2(0.5)).g);
                data[gl_GlobalInvocationID.x] = data[gl_GlobalInvocationID.x] * factor + bias;
            }
            """);

    private static final ShaderSource ALL = new ShaderSource("all.vert", ShaderStage.VERTEX, """
            #version 450
            const vec2 corners[3] = vec2[](vec2(-1, -1), vec2(-1, 3), vec2(3, -1));
            void main() { gl_Position = vec4(corners[gl_VertexIndex], 0.5, 1); }
            """);

    private static final ShaderSource GREENISH = new ShaderSource("green.frag", ShaderStage.FRAGMENT, """
            #version 450
            layout(location = 0) out vec4 color;
            void main() { color = vec4(0, 1, 0, 1); }
            """);

    private final DeviceOptions options;
    private final DeviceSeams seams;

    FaultScenario(DeviceOptions options, DeviceSeams seams) {
        this.options = options;
        this.seams = seams;
    }

    @Override
    void use() {
        VulkanDevice device = open(SeamedDevices.open("", options, seams));
        GpuQueue graphics = device.queues().get(0);
        GpuQueue compute = device.queues().stream()
                .filter(queue -> queue.kind().supports(QueueKind.COMPUTE))
                .reduce((first, second) -> second)
                .orElse(graphics);
        TextureDescription picture = TextureDescription.of(
                SIZE,
                SIZE,
                Format.R8G8B8A8_UNORM,
                TextureUsage.COLOR_ATTACHMENT,
                TextureUsage.SAMPLED,
                TextureUsage.COPY_SRC,
                TextureUsage.COPY_DST);
        BufferDescription words =
                BufferDescription.device(BYTES, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);
        Texture target = own(device.createTexture("target", picture));
        Format both = device.firstSupported(TextureUsage.DEPTH_ATTACHMENT, Format.DEPTH_STENCIL);
        Texture depth = own(device.createTexture(
                "depth", TextureDescription.of(SIZE, SIZE, both, TextureUsage.DEPTH_ATTACHMENT, TextureUsage.SAMPLED)));
        Buffer data = own(device.createBuffer("data", words));
        Buffer readback = own(device.createBuffer("readback", BufferDescription.readback(2 * TEXELS + 2 * BYTES)));
        MemoryRequirements forTexture = device.requirements(picture);
        MemoryRequirements forBuffer = device.requirements(words);
        long step = Math.max(forTexture.alignment(), forBuffer.alignment());
        long second = (forTexture.bytes() + step - 1) / step * step;
        MemoryHeap heap = own(device.createHeap(
                "heap", second + forBuffer.bytes(), forTexture.memoryTypes() & forBuffer.memoryTypes()));
        Texture placedTexture = own(heap.placeTexture("placed texture", picture, 0));
        Buffer placedBuffer = own(heap.placeBuffer("placed buffer", words, second));
        Sampler sampler = device.sampler(SamplerDescription.NEAREST_CLAMP);
        ComputePipeline doubling =
                own(device.createComputePipeline(new ComputePipelineDescription("double", DOUBLE, null)));
        GraphicsPipeline painting = own(device.createGraphicsPipeline(new GraphicsPipelineDescription(
                "paint",
                ALL,
                GREENISH,
                List.of(),
                GraphicsPipelineDescription.CullMode.NONE,
                null,
                GraphicsPipelineDescription.Blend.NONE,
                List.of(Format.R8G8B8A8_UNORM),
                null)));
        BindingSet bindings = own(device.createBindingSet(
                "material",
                doubling,
                1,
                Map.of("picture", new BoundResource.SampledTexture(placedTexture.view(), sampler))));
        QuerySet queries = own(device.createQuerySet("queries", QueryKind.ANY_SAMPLE, 1));
        TimestampSet stamps = own(device.createTimestampSet("stamps", 2));
        DeviceEventSet events = own(device.createDeviceEventSet("events", 2));
        BarrierBatch copied = ValidatedDevice.memory(
                PipelineStage.COPY, MemoryAccess.COPY_WRITE, PipelineStage.COPY, MemoryAccess.COPY_READ);
        FrameContext first = own(device.createFrameContext("first"));
        FrameContext other = own(device.createFrameContext("other"));
        for (int round = 1; round <= 2; round++) {
            int base = round * 100;
            CommandList prepared = other.beginSecondary(graphics, "prepared", null, List.of());
            prepared.barrier(discard(depth, TextureLayout.GENERAL));
            prepared.end();
            if (depth.view().range().planeCount() != 2) {
                throw new AssertionError("a view of depth and stencil has two planes");
            }
            TimelinePoint uploaded = submit(graphics, first, List.of(), list -> {
                BufferSlice slice = first.allocateUpload(BYTES, 4);
                for (int i = 0; i < WORDS; i++) {
                    slice.data().putInt(4 * i, base + i);
                }
                list.copyBuffer(slice.buffer(), slice.offset(), data, 0, BYTES);
                list.execute(List.of(prepared));
                list.fillBuffer(placedBuffer, 0, BYTES, base);
                list.setEvent(events, 0, copied);
                list.barrier(discard(placedTexture, TextureLayout.TRANSFER_DST));
                list.clearTexture(
                        placedTexture, SubresourceRange.all(picture), new RenderingInfo.ClearColor(0, 1, 0, 1));
                list.barrier(
                        ValidatedDevice.transition(placedTexture, TextureLayout.TRANSFER_DST, TextureLayout.SHADER_RO));
                list.waitEvent(events, 0, copied);
            });
            TimelinePoint doubled = submit(compute, other, List.of(all(uploaded)), list -> {
                list.bindPipeline(doubling);
                list.bindSet(bindings);
                list.bindBuffer("Data", data, 0, BYTES);
                list.pushConstants(ByteBuffer.allocateDirect(4)
                        .order(ByteOrder.nativeOrder())
                        .putInt(2)
                        .flip());
                list.dispatch(1, 1, 1);
            });
            stamps.reset();
            queries.reset();
            TimelinePoint read = submit(graphics, first, List.of(all(doubled)), list -> {
                list.writeTimestamp(stamps, 0);
                list.barrier(discard(target, TextureLayout.COLOR));
                list.beginRendering(new RenderingInfo(
                        SIZE,
                        SIZE,
                        List.of(new RenderingInfo.ColorAttachment(
                                target.view(),
                                LoadOp.CLEAR,
                                StoreOp.STORE,
                                RenderingInfo.ClearColor.BLACK_TRANSPARENT)),
                        null));
                list.bindPipeline(painting);
                list.beginQuery(queries, 0);
                list.draw(3, 1, 0, 0);
                list.endQuery(queries);
                list.endRendering();
                list.barrier(ValidatedDevice.transition(target, TextureLayout.COLOR, TextureLayout.TRANSFER_SRC));
                list.barrier(
                        ValidatedDevice.transition(placedTexture, TextureLayout.SHADER_RO, TextureLayout.TRANSFER_SRC));
                list.copyTextureToBuffer(target, 0, 0, readback, 0);
                list.copyTextureToBuffer(placedTexture, 0, 0, readback, TEXELS);
                list.copyBuffer(data, 0, readback, 2 * TEXELS, BYTES);
                list.copyBuffer(placedBuffer, 0, readback, 2 * TEXELS + BYTES, BYTES);
                list.writeTimestamp(stamps, 1);
                list.barrier(ValidatedDevice.memory(
                        PipelineStage.COPY, MemoryAccess.COPY_WRITE, PipelineStage.HOST, MemoryAccess.HOST_READ));
            });
            await(read);
            check(readback, base);
            if (device.capabilities().timestamps() && stamps.readNanos()[1] < stamps.readNanos()[0]) {
                throw new AssertionError("time runs backwards");
            }
            if (queries.read().samples(0) <= 0) {
                throw new AssertionError("nothing was drawn");
            }
            first.reset();
            other.reset();
            events.reset();
        }
        device.waitIdle();
    }

    private TimelinePoint submit(
            GpuQueue queue,
            FrameContext context,
            List<Submission.Wait> waits,
            java.util.function.Consumer<CommandList> recording) {
        CommandList list = context.beginCommands(queue, "list");
        recording.accept(list);
        list.end();
        TimelinePoint point = queue.submit(new Submission("work", List.of(list), waits));
        expect(queue.timeline().reached(point.value()));
        return point;
    }

    private static Submission.Wait all(TimelinePoint point) {
        return new Submission.Wait(point, PipelineStage.ALL_COMMANDS.bit());
    }

    private static BarrierBatch discard(Texture texture, TextureLayout layout) {
        return ValidatedDevice.transition(texture, TextureLayout.UNDEFINED, layout);
    }

    private static void check(Buffer readback, int base) {
        int[] found = ValidatedDevice.words(readback);
        int texels = SIZE * SIZE;
        for (int i = 0; i < found.length; i++) {
            int at = i - 2 * texels;
            int expected = at < 0 ? GREEN : at < WORDS ? 2 * (base + at) + 1 : base;
            if (found[i] != expected) {
                throw new AssertionError("word " + i + " of the readback is " + found[i] + " instead of " + expected);
            }
        }
    }
}
