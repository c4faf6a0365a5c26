package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.DeviceEventSet;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.RenderingFormats;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.transfer.Readbacks;
import io.frameloom.gpu.transfer.Uploader;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.gpu.vulkan.VulkanHandles;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An application that implements the interfaces of devices, as one that wraps their objects does, is refused by name:
 * each backend takes only what it has made.
 */
@Timeout(60)
class OwnObjectsContractTest {
    private static final String SHADER = """
        #version 450
        layout(local_size_x = 1) in;
        layout(set = 0, binding = 0) buffer Words { int words[]; };
        layout(set = 0, binding = 1) uniform sampler2D picture;
        layout(set = 0, binding = 2) uniform texture2D seen;
        layout(set = 0, binding = 3) uniform sampler chosen;
        layout(set = 0, binding = 4, rgba8) uniform writeonly image2D image;
        void main() {
            words[0] = int(texture(picture, vec2(0)).x + texture(sampler2D(seen, chosen), vec2(0)).x);
            imageStore(image, ivec2(0), vec4(1));
        }
        """;

    /** Does all that the real thing does, and is another object. */
    @SuppressWarnings("unchecked")
    private static <T> T own(Class<T> type, T real) {
        return (T) Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
            try {
                return method.getName().equals("equals")
                        ? (Object) (proxy == arguments[0])
                        : method.invoke(real, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    private static void refused(String named, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(named);
    }

    private static void recording(CommandRig rig, Consumer<CommandList> commands) {
        CommandList list = rig.frame.beginCommands(rig.queue(), "list");
        commands.accept(list);
        list.end();
        rig.frame.reset();
    }

    private static Texture picture(CommandRig rig) {
        return rig.texture(
                "picture",
                TextureDescription.of(
                        4,
                        4,
                        Format.R8G8B8A8_UNORM,
                        TextureUsage.SAMPLED,
                        TextureUsage.STORAGE,
                        TextureUsage.COLOR_ATTACHMENT,
                        TextureUsage.COPY_DST,
                        TextureUsage.COPY_SRC));
    }

    private static Buffer words(CommandRig rig) {
        return rig.buffer("words", 256, BufferUsage.STORAGE, BufferUsage.COPY_DST, BufferUsage.COPY_SRC);
    }

    @ParameterizedTest
    @EnumSource
    void ownResources(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Buffer buffer = own(Buffer.class, words(rig));
            Texture texture = own(Texture.class, picture(rig));
            BarrierBatch.Scope scope = BarrierBatch.GlobalBarrier.FULL.scope();
            recording(rig, list -> {
                refused("'words'", () -> list.fillBuffer(buffer, 0, 4, 0));
                refused(
                        "'picture'",
                        () -> list.clearTexture(texture, SubresourceRange.mip(0), ClearColor.BLACK_TRANSPARENT));
                refused(
                        "'words'",
                        () -> list.barrier(new BarrierBatch(
                                List.of(),
                                List.of(new BarrierBatch.BufferBarrier(buffer, 0, 4, scope, null)),
                                List.of())));
                refused(
                        "'picture'",
                        () -> CommandRig.transition(
                                list, texture, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST));
                refused(
                        "'words'",
                        () -> list.beginPass(
                                "pass", List.of(new ResourceUse.OfBuffer(buffer, 0, 4, Access.COPY_DST, true))));
            });
            ByteBuffer data = ByteBuffer.allocateDirect(4);
            try (Uploader uploader = new Uploader(rig.device, "uploads", 1024);
                    Readbacks readbacks = new Readbacks(rig.device, rig.queue(), "readbacks", 4096)) {
                refused("'words'", () -> uploader.upload(buffer, 0, data));
                refused("'picture'", () -> uploader.upload(texture, 0, 0, data, TextureLayout.SHADER_RO));
                refused("'words'", () -> readbacks.read(buffer, 0, 4));
                refused("'picture'", () -> readbacks.read(texture, 0, 0, TextureLayout.SHADER_RO));
            }
        }
    }

    private static RenderingInfo rendering(TextureView view, @Nullable TextureView resolve) {
        return new RenderingInfo(
                4,
                4,
                List.of(new ColorAttachment(view, LoadOp.CLEAR, StoreOp.STORE, ClearColor.BLACK_TRANSPARENT, resolve)),
                null);
    }

    @ParameterizedTest
    @EnumSource
    void ownViewsAndSamplers(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture picture = picture(rig);
            Texture many = rig.texture(
                    "many",
                    TextureDescription.of(4, 4, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT)
                            .withSamples(4));
            TextureView view = own(TextureView.class, picture.view());
            Sampler nearest = rig.device.sampler(SamplerDescription.NEAREST_CLAMP);
            Sampler sampler = own(Sampler.class, nearest);
            ComputePipeline pipeline = rig.compute("pipeline", SHADER, invocation -> {});
            recording(rig, list -> {
                list.bindPipeline(pipeline);
                refused("'picture'", () -> list.bindTexture("picture", view, nearest));
                refused("'picture'", () -> list.bindTexture("picture", picture.view(), sampler));
                refused("'picture'", () -> list.bindTexture("seen", view));
                refused("'chosen'", () -> list.bindSampler("chosen", sampler));
                refused("'picture'", () -> list.bindStorageTexture("image", view));
                refused("'picture'", () -> list.beginRendering(rendering(view, null)));
                refused("'picture'", () -> list.beginRendering(rendering(many.view(), view)));
            });
            Map<String, BoundResource> bound = Map.of(
                    "Words", new BoundResource.BufferRange(words(rig), 0, 256),
                    "picture", new BoundResource.SampledTexture(picture.view(), nearest),
                    "seen", new BoundResource.SampledImage(picture.view()),
                    "chosen", new BoundResource.SeparateSampler(nearest),
                    "image", new BoundResource.StorageTexture(picture.view()));
            rig.own(rig.device.createBindingSet("set", pipeline, 0, bound));
            Map<String, BoundResource> wrong = Map.of(
                    "picture", new BoundResource.SampledTexture(view, nearest),
                    "seen", new BoundResource.SampledImage(view),
                    "chosen", new BoundResource.SeparateSampler(sampler),
                    "image", new BoundResource.StorageTexture(view));
            wrong.forEach((name, resource) -> {
                Map<String, BoundResource> changed = new HashMap<>(bound);
                changed.put(name, resource);
                refused("'" + name + "'", () -> rig.device.createBindingSet("set", pipeline, 0, changed));
            });
            if (rig.device instanceof VulkanDevice vulkan) {
                VulkanHandles handles = vulkan.handles();
                assertThat(handles.imageView(picture.view())).isNotZero();
                refused("'picture'", () -> handles.imageView(view));
                refused("'picture'", () -> handles.image(own(Texture.class, picture)));
                refused("'graphics'", () -> handles.queue(own(GpuQueue.class, rig.queue())));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void ownPipelinesAndSets(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            String shader = "#version 450\nlayout(local_size_x = 1) in;\n"
                    + "layout(set = 0, binding = 0) buffer Words { int words[]; };\nvoid main() { words[0] = 1; }";
            ComputePipeline real = rig.compute("pipeline", shader, invocation -> {});
            ComputePipeline pipeline = own(ComputePipeline.class, real);
            Map<String, BoundResource> bound = Map.of("Words", new BoundResource.BufferRange(words(rig), 0, 256));
            BindingSet set = own(BindingSet.class, rig.own(rig.device.createBindingSet("set", real, 0, bound)));
            TimestampSet timestamps = own(TimestampSet.class, rig.own(rig.device.createTimestampSet("timestamps", 2)));
            DeviceEventSet events = own(DeviceEventSet.class, rig.own(rig.device.createDeviceEventSet("events", 2)));
            BarrierBatch full = new BarrierBatch(List.of(), List.of(), List.of(BarrierBatch.GlobalBarrier.FULL));
            refused("'pipeline'", () -> rig.device.createBindingSet("set", pipeline, 0, bound));
            recording(rig, list -> {
                refused("'pipeline'", () -> list.bindPipeline(pipeline));
                list.bindPipeline(real);
                refused("'set'", () -> list.bindSet(set));
                refused("'timestamps'", () -> list.writeTimestamp(timestamps, 0));
                refused("'events'", () -> list.setEvent(events, 0, full));
                refused("'events'", () -> list.waitEvent(events, 0, full));
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void ownListsAndQueues(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            GpuQueue queue = own(GpuQueue.class, rig.queue());
            String name = "'" + queue.name() + "'";
            refused(name, () -> rig.frame.beginCommands(queue, "list"));
            refused(
                    name,
                    () -> rig.queue()
                            .submit(new Submission(
                                    "batch",
                                    List.of(),
                                    List.of(new Submission.Wait(
                                            new TimelinePoint(queue, 0), PipelineStage.ALL_COMMANDS.bit())))));
            refused(name, () -> new Uploader(rig.device, queue, "uploads", 1024));
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            CommandList secondary = rig.frame.beginSecondary(
                    rig.queue(),
                    "part",
                    new RenderingFormats(List.of(Format.R8G8B8A8_UNORM), null, null, 1),
                    List.of());
            secondary.end();
            refused("'part'", () -> list.execute(List.of(own(CommandList.class, secondary))));
            list.end();
            assertThatThrownBy(() -> rig.queue()
                            .submit(new Submission("batch", List.of(own(CommandList.class, list)), List.of())))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'list'")
                    .hasMessageContaining("no device has made");
            rig.frame.reset();
        }
    }
}
