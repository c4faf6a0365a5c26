package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.PipelineLibrary;
import io.frameloom.gpu.PipelineRequest;
import io.frameloom.gpu.WhileCompiling;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.DynamicState;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.Blend;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.CullMode;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexAttribute;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexBuffer;
import io.frameloom.gpu.pipeline.MultisampleState;
import io.frameloom.gpu.pipeline.Pipeline;
import io.frameloom.gpu.pipeline.ShaderIncludes;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Format;
import io.frameloom.taskgraph.TaskGraph;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A fallback that does not fit is refused before the pipeline that it stands in for is compiled, by what is known then. */
@Timeout(60)
class FallbackContractTest {
    private static final String VERTEX = """
        #version 450
        layout(location = 0) in vec2 place;
        void main() { gl_Position = vec4(place, 0, 1); }
        """;
    private static final String FRAGMENT = """
        #version 450
        layout(location = 0) out vec4 color;
        void main() { color = vec4(1); }
        """;
    private static final String COMPUTE = "#version 450\nlayout(local_size_x = 1) in;\nvoid main() {}\n";
    private static final VertexBuffer PLACES = places(8, false);

    private final CountDownLatch gate = new CountDownLatch(1);

    private static VertexBuffer places(int stride, boolean perInstance) {
        return new VertexBuffer(stride, perInstance, List.of(new VertexAttribute(0, Format.R32G32_SFLOAT, 0)));
    }

    private static GraphicsPipelineDescription graphics(
            String name, ShaderSource vertex, Format color, VertexBuffer... buffers) {
        return new GraphicsPipelineDescription(
                name,
                vertex,
                new ShaderSource("color.frag", ShaderStage.FRAGMENT, FRAGMENT),
                List.of(buffers),
                CullMode.NONE,
                null,
                Blend.NONE,
                List.of(color),
                null);
    }

    private static GraphicsPipelineDescription other(Format color, VertexBuffer... buffers) {
        return graphics("other", new ShaderSource("place.vert", ShaderStage.VERTEX, VERTEX), color, buffers);
    }

    /** A shader that is not compiled until the gate is opened. */
    private ShaderSource held(ShaderStage stage, String text) {
        ShaderIncludes files = path -> {
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            return text;
        };
        return ShaderSource.file("held", stage, files);
    }

    private void judge(Backend backend, Judgement judgement) {
        judge(backend, Set.of(), judgement);
    }

    private void judge(Backend backend, Set<Capability> required, Judgement judgement) {
        try (CommandRig rig = new CommandRig(backend, null, required);
                TaskGraph tasks =
                        TaskGraph.builder().name("fallbacks").workers(1).build();
                PipelineLibrary library = new PipelineLibrary(rig.device, tasks)) {
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            try {
                judgement.of(rig, library, list);
            } finally {
                gate.countDown();
            }
        }
    }

    @FunctionalInterface
    private interface Judgement {
        void of(CommandRig rig, PipelineLibrary library, CommandList list);
    }

    private static void refused(PipelineRequest<?> request, CommandList list, Pipeline fallback, String difference) {
        assertThatThrownBy(() -> request.bind(list, WhileCompiling.fallback(fallback)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("pipeline 'other' cannot stand in for 'slow': " + difference);
        assertThat(request.isReady()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void kinds(Backend backend) {
        judge(backend, (rig, library, list) -> {
            PipelineRequest<?> request =
                    library.compile(graphics("slow", held(ShaderStage.VERTEX, VERTEX), Format.R8G8B8A8_UNORM, PLACES));
            ComputePipeline fallback = rig.own(rig.device.createComputePipeline(new ComputePipelineDescription(
                    "other", new ShaderSource("other.comp", ShaderStage.COMPUTE, COMPUTE), null)));
            refused(request, list, fallback, "their kinds are graphics and compute");
        });
    }

    @ParameterizedTest
    @EnumSource
    void whatDescriptionsSay(Backend backend) {
        judge(backend, (rig, library, list) -> {
            PipelineRequest<?> request =
                    library.compile(graphics("slow", held(ShaderStage.VERTEX, VERTEX), Format.R8G8B8A8_UNORM, PLACES));
            refuses(rig, request, list, other(Format.R32G32B32A32_SFLOAT, PLACES), "their colour formats are [");
            refuses(
                    rig,
                    request,
                    list,
                    other(Format.R8G8B8A8_UNORM, PLACES).withMultisample(MultisampleState.of(4)),
                    "their samples are 1 and 4");
            refuses(
                    rig,
                    request,
                    list,
                    other(Format.R8G8B8A8_UNORM, places(16, false)),
                    "their vertex buffers are [VertexBuffer[stride=8, ");
            refuses(
                    rig,
                    request,
                    list,
                    other(Format.R8G8B8A8_UNORM, places(8, true)),
                    "their vertex buffers are [VertexBuffer[stride=8, ");
            refuses(
                    rig,
                    request,
                    list,
                    other(Format.R8G8B8A8_UNORM, PLACES).withDynamicStates(Set.of(DynamicState.BLEND_CONSTANTS)),
                    "their dynamic states are [] and [BLEND_CONSTANTS]");
        });
    }

    @ParameterizedTest
    @EnumSource
    void drawsOfMeshes(Backend backend) {
        judge(backend, Set.of(Capability.MESH_SHADERS), (rig, library, list) -> {
            String mesh = """
                    #version 460
                    #extension GL_EXT_mesh_shader : require
                    layout(local_size_x = 1) in;
                    layout(triangles, max_vertices = 3, max_primitives = 1) out;
                    void main() { SetMeshOutputsEXT(0, 0); }
                    """;
            GraphicsPipelineDescription slow = GraphicsPipelineDescription.ofMeshes(
                    "slow", null, held(ShaderStage.MESH, mesh), null, Format.R8G8B8A8_UNORM);
            PipelineRequest<?> request = library.compile(slow);
            refuses(
                    rig,
                    request,
                    list,
                    other(Format.R8G8B8A8_UNORM, PLACES),
                    "their draws are of mesh shaders and of vertices");
            ShaderSource task = new ShaderSource("other.task", ShaderStage.TASK, """
                    #version 460
                    #extension GL_EXT_mesh_shader : require
                    layout(local_size_x = 1) in;
                    void main() { EmitMeshTasksEXT(1, 1, 1); }
                    """);
            refuses(
                    rig,
                    request,
                    list,
                    GraphicsPipelineDescription.ofMeshes(
                            "other",
                            task,
                            new ShaderSource("other.mesh", ShaderStage.MESH, mesh),
                            null,
                            Format.R8G8B8A8_UNORM),
                    "their draws are of mesh shaders and of task shaders");
        });
    }

    @ParameterizedTest
    @EnumSource
    void pushedSets(Backend backend) {
        judge(backend, Set.of(Capability.PUSH_DESCRIPTORS), (rig, library, list) -> {
            String data = """
                    #version 450
                    layout(local_size_x = 1) in;
                    layout(binding = 0) buffer Data { int data; };
                    void main() { data = 1; }
                    """;
            PipelineRequest<?> request =
                    library.compile(new ComputePipelineDescription("slow", held(ShaderStage.COMPUTE, data), null));
            ComputePipelineDescription other = new ComputePipelineDescription(
                    "other", new ShaderSource("other.comp", ShaderStage.COMPUTE, data), null);
            refused(
                    request,
                    list,
                    rig.own(rig.device.createComputePipeline(other.withPushDescriptorSet(0))),
                    "their pushed sets are -1 and 0");
        });
    }

    private static void refuses(
            CommandRig rig,
            PipelineRequest<?> request,
            CommandList list,
            GraphicsPipelineDescription fallback,
            String difference) {
        refused(request, list, rig.own(rig.device.createGraphicsPipeline(fallback)), difference);
    }

    /** Where the list sets how vertices lie, no pipeline with a layout of its own reads what is bound. */
    @ParameterizedTest
    @EnumSource
    void layoutsOfTheListAreThoseOfTheFallback(Backend backend) {
        judge(backend, Set.of(Capability.DYNAMIC_VERTEX_INPUT), (rig, library, list) -> {
            Set<DynamicState> loose = Set.of(DynamicState.VERTEX_INPUT);
            PipelineRequest<?> request =
                    library.compile(graphics("slow", held(ShaderStage.VERTEX, VERTEX), Format.R8G8B8A8_UNORM, PLACES)
                            .withDynamicStates(loose));
            refuses(
                    rig,
                    request,
                    list,
                    other(Format.R8G8B8A8_UNORM, PLACES),
                    "their vertex buffers are [VertexBuffer[stride=8, ");
            GraphicsPipelineDescription more = other(
                    Format.R8G8B8A8_UNORM,
                    PLACES,
                    new VertexBuffer(8, false, List.of(new VertexAttribute(1, Format.R32G32_SFLOAT, 0))));
            refuses(rig, request, list, more.withDynamicStates(loose), "their vertex buffers are");
            // Until the list sets an input, each pipeline reads by its own.
            refuses(
                    rig,
                    request,
                    list,
                    other(Format.R8G8B8A8_UNORM, places(16, false)).withDynamicStates(loose),
                    "their vertex buffers are [VertexBuffer[stride=8, ");
            Pipeline fallback = rig.own(rig.device.createGraphicsPipeline(
                    other(Format.R8G8B8A8_UNORM, PLACES).withDynamicStates(loose)));
            assertThat(request.bind(list, WhileCompiling.fallback(fallback))).isTrue();
        });
    }

    @ParameterizedTest
    @EnumSource
    void whatFitsIsBound(Backend backend) {
        judge(backend, (rig, library, list) -> {
            VertexBuffer more = new VertexBuffer(12, true, List.of());
            PipelineRequest<?> request = library.compile(
                    graphics("slow", held(ShaderStage.VERTEX, VERTEX), Format.R8G8B8A8_UNORM, PLACES, more)
                            .withDynamicStates(Set.of(DynamicState.BLEND_CONSTANTS)));
            Pipeline fallback = rig.own(rig.device.createGraphicsPipeline(other(Format.R8G8B8A8_UNORM, PLACES)));
            assertThat(request.bind(list, WhileCompiling.fallback(fallback))).isTrue();
            gate.countDown();
            request.await();
            assertThat(request.bind(list, WhileCompiling.fallback(fallback))).isTrue();
        });
    }
}
