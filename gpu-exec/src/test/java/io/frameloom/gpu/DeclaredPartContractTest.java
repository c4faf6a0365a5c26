package io.frameloom.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.IndexType;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexAttribute;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexBuffer;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.record.CommandUse;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What commands do is held against what their pass declares of the same resource: how it is used, and which part. */
class DeclaredPartContractTest {
    private static final long BYTES = 256;
    private static final int SIZE = 8;
    private static final TextureDescription TARGET =
            TextureDescription.of(SIZE, SIZE, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT);
    private static final BarrierBatch FULL =
            new BarrierBatch(List.of(), List.of(), List.of(BarrierBatch.GlobalBarrier.FULL));

    private final HazardChecker checker = new HazardChecker();
    private TaskGraph tasks;

    @BeforeEach
    void buildTaskGraph() {
        tasks = TaskGraph.builder().name("declared").workers(1).build();
    }

    @AfterEach
    void closeTaskGraph() {
        tasks.close();
    }

    private GpuDevice open(Backend backend) {
        return backend.open(new DeviceOptions(tasks, "declared", false, checker));
    }

    private static Buffer buffer(GpuDevice device, String name) {
        return device.createBuffer(
                name,
                BufferDescription.device(
                        BYTES,
                        BufferUsage.COPY_SRC,
                        BufferUsage.COPY_DST,
                        BufferUsage.STORAGE,
                        BufferUsage.VERTEX,
                        BufferUsage.INDEX));
    }

    private static ResourceUse use(Buffer buffer, long offset, long bytes, Access access) {
        return new ResourceUse.OfBuffer(buffer, offset, bytes, access, access.writes());
    }

    private static ResourceUse use(Buffer buffer, Access access) {
        return use(buffer, 0, BYTES, access);
    }

    private static void run(GpuDevice device, FrameContext frame, Consumer<CommandList> commands) {
        GpuQueue queue = device.queues().get(0);
        CommandList list = frame.beginCommands(queue, "list");
        commands.accept(list);
        list.end();
        TimelinePoint done = queue.submit(new Submission("frame", List.of(list), List.of()));
        assertThat(queue.timeline().await(done.value(), Duration.ofSeconds(60))).isTrue();
    }

    private static BarrierBatch moved(Texture texture, TextureLayout layout) {
        return new BarrierBatch(
                List.of(new BarrierBatch.TextureBarrier(
                        texture,
                        SubresourceRange.all(texture.description()),
                        BarrierBatch.GlobalBarrier.FULL.scope(),
                        TextureLayout.UNDEFINED,
                        layout,
                        null)),
                List.of(),
                List.of());
    }

    private void toldOf(String resource, String pass, String... words) {
        assertThat(checker.undeclared())
                .extracting(Hazard::kind, Hazard::resource, Hazard::secondPass)
                .containsExactly(tuple(Hazard.Kind.UNDECLARED_ACCESS, resource, pass));
        assertThat(checker.undeclared().get(0).explanation()).contains(words);
    }

    @ParameterizedTest
    @EnumSource
    void otherBytesThanDeclaredAreTold(Backend backend) {
        try (GpuDevice device = open(backend);
                FrameContext frame = device.createFrameContext("frame");
                Buffer words = buffer(device, "words")) {
            run(device, frame, list -> {
                list.beginPass("fill", List.of(use(words, 0, 16, Access.COPY_DST)));
                list.fillBuffer(words, 128, 64, 1);
                list.endPass();
            });
        }
        toldOf("words", "fill", "bytes 128 to 192 of 'words' as COPY_DST", "declares something else");
    }

    @ParameterizedTest
    @EnumSource
    void severalUsesDeclareTogether(Backend backend) {
        try (GpuDevice device = open(backend);
                FrameContext frame = device.createFrameContext("frame");
                Buffer words = buffer(device, "words")) {
            run(device, frame, list -> {
                list.beginPass(
                        "fill", List.of(use(words, 128, 128, Access.COPY_DST), use(words, 0, 128, Access.COPY_DST)));
                list.fillBuffer(words, 64, 128, 1);
                list.endPass();
            });
        }
        assertThat(checker.undeclared()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void anotherAccessThanDeclaredIsTold(Backend backend) {
        try (GpuDevice device = open(backend);
                FrameContext frame = device.createFrameContext("frame");
                Buffer words = buffer(device, "words")) {
            run(device, frame, list -> {
                list.beginPass("fill", List.of(use(words, Access.STORAGE_WRITE_COMPUTE)));
                list.fillBuffer(words, 0, BYTES, 1);
                list.endPass();
            });
        }
        toldOf("words", "fill", "as COPY_DST");
    }

    @ParameterizedTest
    @EnumSource
    void otherSubresourcesThanDeclaredAreTold(Backend backend) {
        TextureDescription shape = TextureDescription.of(SIZE, SIZE, Format.R8G8B8A8_UNORM, TextureUsage.COPY_DST)
                .withMips(2);
        try (GpuDevice device = open(backend);
                FrameContext frame = device.createFrameContext("frame");
                Texture picture = device.createTexture("picture", shape)) {
            run(device, frame, list -> {
                SubresourceRange all = SubresourceRange.all(shape);
                list.barrier(moved(picture, TextureLayout.TRANSFER_DST));
                list.beginPass(
                        "clear",
                        List.of(new ResourceUse.OfTexture(
                                picture, SubresourceRange.mip(0), Access.COPY_DST, true, TextureLayout.TRANSFER_DST)));
                list.clearTexture(picture, all, RenderingInfo.ClearColor.BLACK_TRANSPARENT);
                list.endPass();
            });
        }
        toldOf("picture", "clear", "mips from 0");
    }

    private static ComputePipeline pipeline(GpuDevice device, String qualifier, String body) {
        String source = """
                #version 450
                layout(local_size_x = 1) in;
                layout(set = 0, binding = 0) %s buffer Target { int target[]; };
                layout(push_constant) uniform Push { int amount; };
                void main() { %s }
                """.formatted(qualifier, body);
        return device.createComputePipeline(new ComputePipelineDescription(
                "shader", new ShaderSource("shader.comp", ShaderStage.COMPUTE, source), invocation -> {}));
    }

    private void dispatch(Backend backend, String qualifier, String body, boolean inSet, Access declared) {
        try (GpuDevice device = open(backend);
                FrameContext frame = device.createFrameContext("frame");
                Buffer words = buffer(device, "words");
                ComputePipeline pipeline = pipeline(device, qualifier, body);
                BindingSet set = device.createBindingSet(
                        "set", pipeline, 0, Map.of("Target", new BoundResource.BufferRange(words, 0, BYTES)))) {
            run(device, frame, list -> {
                list.beginPass("fill", List.of(use(words, Access.COPY_DST)));
                list.fillBuffer(words, 0, BYTES, 1);
                list.endPass();
                list.barrier(FULL);
                list.beginPass("shade", List.of(use(words, declared)));
                list.bindPipeline(pipeline);
                if (inSet) {
                    list.bindSet(set);
                } else {
                    list.bindBuffer("Target", words, 0, BYTES);
                }
                list.pushConstants(ByteBuffer.allocate(4));
                list.dispatch(1, 1, 1);
                list.endPass();
            });
        }
        assertThat(checker.hazards()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aShaderThatMayWriteWhatIsDeclaredToBeReadIsTold(Backend backend) {
        dispatch(backend, "", "target[0] = amount;", false, Access.STORAGE_READ_COMPUTE);
        toldOf("words", "shade", "in a shader that may write it");
    }

    @ParameterizedTest
    @EnumSource
    void soIsOneThatFindsItInABindingSet(Backend backend) {
        dispatch(backend, "", "target[0] = amount;", true, Access.STORAGE_READ_COMPUTE);
        toldOf("words", "shade", "in a shader that may write it");
    }

    @ParameterizedTest
    @EnumSource
    void aShaderThatOnlyReadsItIsNot(Backend backend) {
        dispatch(backend, "readonly", "if (target[0] == amount) { return; }", true, Access.STORAGE_READ_COMPUTE);
        dispatch(backend, "readonly", "if (target[0] == amount) { return; }", false, Access.STORAGE_READ_COMPUTE);
        assertThat(checker.undeclared()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aListThatAPassExecutesIsHeldAgainstThePass(Backend backend) {
        try (GpuDevice device = open(backend);
                FrameContext frame = device.createFrameContext("frame");
                Buffer words = buffer(device, "words");
                Buffer more = buffer(device, "more")) {
            CommandList part = frame.beginSecondary(device.queues().get(0), "part", null, List.of());
            part.fillBuffer(words, 0, 64, 1);
            part.fillBuffer(more, 64, 64, 1);
            part.end();
            run(device, frame, list -> {
                list.beginPass("fill", List.of(use(words, 0, 64, Access.COPY_DST), use(more, 0, 64, Access.COPY_DST)));
                list.execute(List.of(part));
                list.endPass();
            });
        }
        toldOf("more", "fill", "bytes 64 to 128");
    }

    private static GraphicsPipeline drawing(GpuDevice device) {
        return device.createGraphicsPipeline(new GraphicsPipelineDescription(
                "draw",
                new ShaderSource("draw.vert", ShaderStage.VERTEX, """
                        #version 450
                        layout(location = 0) in vec4 position;
                        void main() { gl_Position = position; }
                        """),
                new ShaderSource("draw.frag", ShaderStage.FRAGMENT, """
                        #version 450
                        layout(location = 0) out vec4 color;
                        void main() { color = vec4(1); }
                        """),
                List.of(new VertexBuffer(16, false, List.of(new VertexAttribute(0, Format.R32G32B32A32_SFLOAT, 0)))),
                GraphicsPipelineDescription.CullMode.NONE,
                null,
                GraphicsPipelineDescription.Blend.NONE,
                List.of(TARGET.format()),
                null));
    }

    private static void draw(CommandList list, GraphicsPipeline pipeline, Texture target) {
        drawing(list, pipeline, target, () -> list.drawIndexed(3, 1, 0, 0, 0));
    }

    private static void drawing(CommandList list, GraphicsPipeline pipeline, Texture target, Runnable draws) {
        list.beginRendering(new RenderingInfo(
                SIZE,
                SIZE,
                List.of(new RenderingInfo.ColorAttachment(
                        target.view(), LoadOp.CLEAR, StoreOp.STORE, RenderingInfo.ClearColor.BLACK_TRANSPARENT)),
                null));
        list.bindPipeline(pipeline);
        list.setViewport(0, 0, SIZE, SIZE);
        list.setScissor(0, 0, SIZE, SIZE);
        draws.run();
        list.endRendering();
    }

    /** Where nothing declares them, too: bytes that are streamed beside those of a draw are none of its business. */
    @ParameterizedTest
    @EnumSource
    void drawsReadTheVerticesAndIndicesThatTheyName(Backend backend) {
        try (GpuDevice device = open(backend);
                FrameContext frame = device.createFrameContext("frame");
                Buffer vertices = buffer(device, "vertices");
                Buffer indices = buffer(device, "indices");
                Buffer still = buffer(device, "still");
                Texture target = device.createTexture("target", TARGET);
                GraphicsPipeline pipeline = drawing(device)) {
            run(device, frame, list -> {
                SubresourceRange all = SubresourceRange.all(TARGET);
                ResourceUse drawn =
                        new ResourceUse.OfTexture(target, all, Access.COLOR_WRITE, true, TextureLayout.COLOR);
                list.beginPass("fill", List.of(use(vertices, Access.COPY_DST), use(indices, Access.COPY_DST)));
                list.fillBuffer(vertices, 0, BYTES, 0);
                list.fillBuffer(indices, 0, BYTES, 0);
                list.endPass();
                list.barrier(moved(target, TextureLayout.COLOR));
                list.barrier(FULL);
                list.beginPass(
                        "stream",
                        List.of(use(vertices, 128, 128, Access.COPY_DST), use(indices, 128, 128, Access.COPY_DST)));
                list.fillBuffer(vertices, 128, 128, 0);
                list.fillBuffer(indices, 128, 128, 0);
                list.endPass();
                list.bindIndexBuffer(indices, 0, IndexType.UINT32);
                String[] passes = {"old", "new"};
                for (int i = 0; i < 2; i++) {
                    int vertex = i * 8;
                    int index = i * 32;
                    list.beginPass(passes[i], List.of(drawn));
                    drawing(list, pipeline, target, () -> {
                        list.bindVertexBuffer(0, vertices, 0);
                        list.draw(3, 1, vertex, 0);
                        list.bindVertexBuffer(0, still, 0);
                        list.drawIndexed(3, 1, index, 0, 0);
                    });
                    list.endPass();
                    BarrierBatch.Scope colors = new BarrierBatch.Scope(
                            PipelineStage.COLOR_OUTPUT.bit(),
                            MemoryAccess.COLOR_WRITE.bit(),
                            PipelineStage.COLOR_OUTPUT.bit(),
                            MemoryAccess.COLOR_WRITE.bit());
                    list.barrier(
                            new BarrierBatch(List.of(), List.of(), List.of(new BarrierBatch.GlobalBarrier(colors))));
                }
                list.beginPass("unknown", List.of(drawn));
                drawing(list, pipeline, target, () -> {
                    list.bindVertexBuffer(0, vertices, 0);
                    list.drawIndexed(3, 1, 0, 0, 0);
                });
                list.endPass();
            });
        }
        assertThat(checker.hazards())
                .extracting(Hazard::resource, Hazard::secondPass)
                .containsExactlyInAnyOrder(
                        tuple("vertices", "new"), tuple("indices", "new"), tuple("vertices", "unknown"));
        assertThat(checker.hazards())
                .filteredOn(
                        hazard -> hazard.explanation().contains("all of it, as far as the draw says"))
                .extracting(Hazard::secondPass)
                .containsExactly("unknown");
    }

    /** What vertex and index buffers are for is the draws, wherever they are bound. */
    @ParameterizedTest
    @EnumSource
    void verticesBelongToThePassThatDrawsThem(Backend backend) {
        try (GpuDevice device = open(backend);
                FrameContext frame = device.createFrameContext("frame");
                Buffer vertices = buffer(device, "vertices");
                Buffer indices = buffer(device, "indices");
                Texture target = device.createTexture("target", TARGET);
                GraphicsPipeline pipeline = drawing(device)) {
            run(device, frame, list -> {
                SubresourceRange all = SubresourceRange.all(TARGET);
                ResourceUse drawn =
                        new ResourceUse.OfTexture(target, all, Access.COLOR_WRITE, true, TextureLayout.COLOR);
                list.beginPass("fill", List.of(use(vertices, Access.COPY_DST), use(indices, Access.COPY_DST)));
                list.fillBuffer(vertices, 0, BYTES, 0);
                list.fillBuffer(indices, 0, BYTES, 0);
                list.endPass();
                list.bindVertexBuffer(0, vertices, 0);
                list.bindIndexBuffer(indices, 0, IndexType.UINT32);
                list.barrier(moved(target, TextureLayout.COLOR));
                list.barrier(FULL);
                list.beginPass("first", List.of(drawn, use(vertices, Access.VERTEX), use(indices, Access.INDEX)));
                draw(list, pipeline, target);
                list.endPass();
                list.barrier(FULL);
                list.beginPass("second", List.of(drawn, use(indices, Access.INDEX)));
                draw(list, pipeline, target);
                list.endPass();
            });
        }
        assertThat(checker.hazards()).isEmpty();
        toldOf("vertices", "second", "does not declare");
    }

    private void render(
            Backend backend, TextureUsage usage, Format format, Access declared, LoadOp load, boolean tested) {
        TextureDescription shape = TextureDescription.of(SIZE, SIZE, format, usage);
        try (GpuDevice device = open(backend);
                FrameContext frame = device.createFrameContext("frame");
                Texture target = device.createTexture("target", shape)) {
            run(device, frame, list -> {
                SubresourceRange all = SubresourceRange.all(shape);
                TextureLayout layout = declared.layout();
                list.barrier(moved(target, layout));
                list.beginPass("render", List.of(new ResourceUse.OfTexture(target, all, declared, false, layout)));
                list.beginRendering(
                        format.isDepth()
                                ? new RenderingInfo(
                                        SIZE,
                                        SIZE,
                                        List.of(),
                                        new RenderingInfo.DepthAttachment(
                                                target.view(), load, StoreOp.STORE, 1, tested))
                                : new RenderingInfo(
                                        SIZE,
                                        SIZE,
                                        List.of(new RenderingInfo.ColorAttachment(
                                                target.view(),
                                                load,
                                                StoreOp.STORE,
                                                RenderingInfo.ClearColor.BLACK_TRANSPARENT)),
                                        null));
                list.endRendering();
                list.endPass();
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatIsLoadedIsRead(Backend backend) {
        render(backend, TextureUsage.COLOR_ATTACHMENT, Format.R8G8B8A8_UNORM, Access.COLOR_WRITE, LoadOp.LOAD, false);
        toldOf("target", "render", "as COLOR_READ_WRITE");
    }

    @ParameterizedTest
    @EnumSource
    void depthThatIsLoadedIsRead(Backend backend) {
        render(backend, TextureUsage.DEPTH_ATTACHMENT, Format.D32_SFLOAT, Access.DEPTH_WRITE, LoadOp.LOAD, false);
        toldOf("target", "render", "as DEPTH_READ_WRITE");
    }

    @ParameterizedTest
    @EnumSource
    void depthThatIsDeclaredToBeTestedIsNotWritten(Backend backend) {
        render(backend, TextureUsage.DEPTH_ATTACHMENT, Format.D32_SFLOAT, Access.DEPTH_READ, LoadOp.LOAD, true);
        assertThat(checker.undeclared()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void whatIsClearedOrLoadedAsDeclaredIsNotTold(Backend backend) {
        render(backend, TextureUsage.COLOR_ATTACHMENT, Format.R8G8B8A8_UNORM, Access.COLOR_WRITE, LoadOp.CLEAR, false);
        render(
                backend,
                TextureUsage.COLOR_ATTACHMENT,
                Format.R8G8B8A8_UNORM,
                Access.COLOR_READ_WRITE,
                LoadOp.LOAD,
                false);
        render(backend, TextureUsage.DEPTH_ATTACHMENT, Format.D32_SFLOAT, Access.DEPTH_WRITE, LoadOp.CLEAR, false);
        render(backend, TextureUsage.DEPTH_ATTACHMENT, Format.D32_SFLOAT, Access.DEPTH_READ_WRITE, LoadOp.LOAD, false);
        assertThat(checker.undeclared()).isEmpty();
    }

    /** As ten thousands of views of one buffer are: a look at every use for each of them would take minutes. */
    @Test
    void partsThatAreDeclaredFromTheEndCoverACommand() {
        int parts = 50_000;
        try (GpuDevice device = open(Backend.VIRTUAL);
                Buffer words =
                        device.createBuffer("words", BufferDescription.device(16L * parts, BufferUsage.COPY_DST))) {
            List<ResourceUse> declared = new ArrayList<>();
            for (int i = parts - 1; i >= 0; i--) {
                declared.add(use(words, 16L * i, 16, Access.COPY_DST));
            }
            CommandUse all = new CommandUse(words, Access.COPY_DST, true, 0, 16L * parts, null);
            assertTimeout(
                    Duration.ofSeconds(10),
                    () -> assertThat(all.isCoveredBy(declared)).isTrue());
            declared.remove(parts / 2);
            assertThat(all.isCoveredBy(declared)).isFalse();
        }
    }
}
