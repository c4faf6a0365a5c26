package io.frameloom.samples.picture;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthCompare;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthState;
import io.frameloom.gpu.pipeline.RasterState;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.pipeline.TargetBlend;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderTargets;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.taskgraph.TaskGraph;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/** {@code frameloom sample tiles}: lighting reads the G-buffer on the tile, in the render pass that fills it. */
@Command(
        name = "tiles",
        mixinStandardHelpOptions = true,
        description = {
            "Fills a G-buffer with spheres and lights them in the same render pass, which reads it where it lies.",
            "It needs a Vulkan device with local reads of dynamic rendering."
        })
public final class TilesCommand extends PictureCommand {
    private static final int SIZE = 512;
    private static final int SPHERES = 96;
    private static final Format COLOR = Format.R8G8B8A8_UNORM;
    private static final ClearColor NONE = ClearColor.BLACK_TRANSPARENT;

    private static final ShaderSource SPHERE =
            new ShaderSource("sphere.vert", ShaderStage.VERTEX, """
            #version 450
            layout(location = 0) out vec2 at;
            layout(location = 1) flat out vec2 sphere; // depth of its middle, radius
            layout(location = 2) flat out vec3 color;
            void main() {
                float i = gl_InstanceIndex, far = sqrt((i + 0.5) / %d);
                sphere = vec2(0.3 + 0.5 * far, 0.05 + 0.1 * far);
                color = 0.55 + 0.45 * cos(0.13 * i + vec3(0, 2.1, 4.2));
                at = 2 * vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) - 1;
                vec2 middle = 0.84 * far * vec2(cos(2.39996 * i), sin(2.39996 * i));
                gl_Position = vec4(middle + sphere.y * at, sphere.x, 1);
            }
            """.formatted(SPHERES));
    private static final ShaderSource FILL = new ShaderSource("fill.frag", ShaderStage.FRAGMENT, """
            #version 450
            layout(location = 0) in vec2 at;
            layout(location = 1) flat in vec2 sphere;
            layout(location = 2) flat in vec3 color;
            layout(location = 0) out vec4 albedo;
            layout(location = 1) out vec4 normal;
            void main() {
                float up = 1 - dot(at, at);
                if (up < 0) discard;
                albedo = vec4(color, 1);
                normal = vec4(0.5 + 0.5 * vec3(at, sqrt(up)), 1);
                gl_FragDepth = sphere.x - sphere.y * sqrt(up);
            }
            """);
    private static final ShaderSource ALL = new ShaderSource("all.vert", ShaderStage.VERTEX, """
            #version 450
            void main() { gl_Position = vec4(4 * vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) - 1, 0, 1); }
            """);
    private static final ShaderSource LIGHT = new ShaderSource("light.frag", ShaderStage.FRAGMENT, """
            #version 450
            layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInput albedo;
            layout(input_attachment_index = 1, set = 0, binding = 1) uniform subpassInput normal;
            layout(input_attachment_index = 3, set = 0, binding = 2) uniform subpassInput depth;
            layout(location = 2) out vec4 lit;
            void main() {
                float z = subpassLoad(depth).r;
                vec3 up = 2 * subpassLoad(normal).xyz - 1, at = vec3(gl_FragCoord.xy / 256 - 1, -z), light = vec3(0.05);
                for (int i = 0; i < 5; i++) {
                    vec3 to = vec3(0.65 * cos(1.2566 * i), 0.65 * sin(1.2566 * i), 0.3) - at;
                    vec3 color = 0.6 + 0.4 * cos(1.2566 * i + vec3(0, 2.1, 4.2));
                    light += 3 * color * max(dot(up, normalize(to)), 0) / (1 + 8 * dot(to, to));
                }
                lit = vec4(z == 1 ? vec3(0.05, 0.06, 0.08) : sqrt(subpassLoad(albedo).rgb * light), 1);
            }
            """);

    /** Draws nothing yet. */
    public TilesCommand() {
        super(Capability.DYNAMIC_RENDERING_LOCAL_READ);
    }

    @Override
    protected Drawn draw(GpuDevice gpu, TaskGraph tasks) {
        try (FrameExecutor executor = new FrameExecutor(gpu, tasks);
                GraphicsPipeline fill = pipeline(
                        gpu, "fill", SPHERE, FILL, true, TargetBlend.REPLACE, TargetBlend.REPLACE, TargetBlend.KEPT);
                GraphicsPipeline light = pipeline(
                        gpu, "light", ALL, LIGHT, false, TargetBlend.KEPT, TargetBlend.KEPT, TargetBlend.REPLACE)) {
            RenderGraph graph = new RenderGraph("tiles");
            RdgTexture albedo = graph.createTexture("albedo", TextureDescription.of(SIZE, SIZE, COLOR));
            RdgTexture normal = graph.createTexture("normal", TextureDescription.of(SIZE, SIZE, COLOR));
            RdgTexture lit = graph.createTexture("lit", TextureDescription.of(SIZE, SIZE, COLOR));
            RdgTexture depth = graph.createTexture("depth", TextureDescription.of(SIZE, SIZE, Format.D32_SFLOAT));
            graph.addPass("g-buffer", PassKind.RASTER)
                    .color(albedo, LoadOp.CLEAR, NONE)
                    .color(normal, LoadOp.CLEAR, NONE)
                    .color(lit, LoadOp.CLEAR, NONE) // drawn to by lighting alone
                    .depth(depth, LoadOp.CLEAR, 1)
                    .record(context -> {
                        context.commands().bindPipeline(fill);
                        context.commands().draw(4, SPHERES, 0, 0);
                    });
            graph.addPass("lighting", PassKind.RASTER)
                    .colorInput(albedo)
                    .colorInput(normal)
                    .color(lit, LoadOp.LOAD, NONE)
                    .depthReadOnly(depth)
                    .reads(depth, Access.INPUT_ATTACHMENT)
                    .record(context -> {
                        context.commands().bindPipeline(light);
                        context.commands().bindTexture("albedo", context.view(albedo));
                        context.commands().bindTexture("normal", context.view(normal));
                        context.commands().bindTexture("depth", context.view(depth));
                        context.commands().draw(3, 1, 0, 0);
                    });
            RdgReadback texels = ReadbackPasses.texture(graph, lit);
            FramePlan plan = executor.compile(graph);
            executor.execute(plan);
            return new Drawn(texels.bytes().join(), words(plan));
        }
    }

    private static GraphicsPipeline pipeline(
            GpuDevice gpu,
            String name,
            ShaderSource vertex,
            ShaderSource fragment,
            boolean writesDepth,
            TargetBlend... blends) {
        return gpu.createGraphicsPipeline(GraphicsPipelineDescription.of(name, vertex, fragment, COLOR, COLOR, COLOR)
                .withRaster(RasterState.TRIANGLES.with(RasterState.Topology.TRIANGLE_STRIP))
                .withBlends(List.of(blends))
                .withDepth(
                        new DepthState(writesDepth ? DepthCompare.LESS : DepthCompare.ALWAYS, writesDepth, 0, 0),
                        Format.D32_SFLOAT));
    }

    /** What leaves the render pass: everything else stays on the tiles of a GPU that has some. */
    private static String words(FramePlan plan) {
        RenderTargets targets = Objects.requireNonNull(plan.passes().get(0).targets());
        RenderTargets.Depth depth = Objects.requireNonNull(targets.depth());
        long stored = Stream.concat(targets.colors().stream().map(RenderTargets.Color::store), Stream.of(depth.store()))
                .filter(StoreOp.STORE::equals)
                .count();
        return plan.renderPasses().get(0).passes().size() + " passes in one render pass, " + stored + " of "
                + (targets.colors().size() + 1) + " attachments stored";
    }
}
