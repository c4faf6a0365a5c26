package io.frameloom.samples.picture;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.QueryKind;
import io.frameloom.gpu.command.QueryResults;
import io.frameloom.gpu.command.QuerySet;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthCompare;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthState;
import io.frameloom.gpu.pipeline.RasterState;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;

/** {@code frameloom sample hidden}: the device leaves out what an occlusion query did not see. */
@Command(
        name = "hidden",
        mixinStandardHelpOptions = true,
        description = {
            "Counts what a moon leaves of each of 100 spheres, and draws those of which something is seen. The host looks"
                    + " at no result. The lower half of the picture is drawn without the moon: what it hid was left out.",
            "It needs a Vulkan device with conditional rendering."
        })
public final class HiddenCommand extends PictureCommand {
    private static final int SIZE = 512;
    private static final int SPHERES = 100;
    private static final ClearColor SKY = new ClearColor(0.05f, 0.06f, 0.08f, 1);
    private static final float[] MOON = {0.1f, 0.5f, 0.3f, 0.44f};

    private static final ShaderSource BALL = new ShaderSource("ball.vert", ShaderStage.VERTEX, """
            #version 450
            layout(push_constant) uniform Push { vec4 ball; vec4 color; }; // middle and radius; the half of the picture
            layout(location = 0) out vec2 at;
            void main() {
                at = 2 * vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) - 1;
                gl_Position = vec4(ball.x + ball.w * at.x, ball.y + ball.w * at.y - color.w, ball.z, 1);
            }
            """);
    private static final ShaderSource SHADE = new ShaderSource("shade.frag", ShaderStage.FRAGMENT, """
            #version 450
            layout(push_constant) uniform Push { vec4 ball; vec4 color; };
            layout(location = 0) in vec2 at;
            layout(location = 0) out vec4 target;
            void main() {
                float up = 1 - dot(at, at);
                if (up < 0) discard;
                float light = max(dot(vec3(at, sqrt(up)), normalize(vec3(-1, -2, 2))), 0);
                target = vec4(sqrt(color.rgb * (0.1 + 0.9 * light)), 1);
                gl_FragDepth = ball.z - 0.1 * ball.w * sqrt(up);
            }
            """);
    /** What is counted: the disc alone, at no cost of shading. */
    private static final ShaderSource DISC = new ShaderSource("disc.frag", ShaderStage.FRAGMENT, """
            #version 450
            layout(location = 0) in vec2 at;
            void main() { if (dot(at, at) > 1) discard; }
            """);

    /** Draws nothing yet. */
    public HiddenCommand() {
        super(Capability.CONDITIONAL_RENDERING);
    }

    @Override
    protected Drawn draw(GpuDevice gpu, TaskGraph tasks) {
        try (FrameExecutor executor = new FrameExecutor(gpu, tasks);
                GraphicsPipeline shade = gpu.createGraphicsPipeline(
                        drawn(GraphicsPipelineDescription.of("shade", BALL, SHADE, Format.R8G8B8A8_UNORM), true));
                GraphicsPipeline disc =
                        gpu.createGraphicsPipeline(drawn(GraphicsPipelineDescription.of("disc", BALL, DISC), false))) {
            RenderGraph graph = new RenderGraph("hidden");
            RdgTexture picture =
                    graph.createTexture("picture", TextureDescription.of(SIZE, SIZE, Format.R8G8B8A8_UNORM));
            RdgTexture depth = graph.createTexture("depth", TextureDescription.of(SIZE, SIZE, Format.D32_SFLOAT));
            RdgBuffer seen = graph.createBuffer("seen", BufferDescription.readback(8L * SPHERES));
            graph.addPass("moon", PassKind.RASTER)
                    .color(picture, LoadOp.CLEAR, SKY)
                    .depth(depth, LoadOp.CLEAR, 1)
                    .record(context -> {
                        context.commands().bindPipeline(shade);
                        ball(context.commands(), MOON, 0.5f, 0.5f, 0.48f, 1);
                    });
            graph.addPass("count", PassKind.RASTER)
                    .depthReadOnly(depth)
                    .counts(QueryKind.ANY_SAMPLE, seen)
                    .record(context -> {
                        QuerySet queries = context.queries(seen);
                        context.commands().bindPipeline(disc);
                        for (int i = 0; i < SPHERES; i++) {
                            context.commands().beginQuery(queries, i);
                            ball(context.commands(), sphere(i), 0, 0, 0, 1);
                            context.commands().endQuery(queries);
                        }
                    });
            graph.addPass("spheres", PassKind.RASTER)
                    .reads(seen, Access.INDIRECT)
                    .color(picture, LoadOp.LOAD, SKY)
                    .depth(depth, LoadOp.LOAD, 1)
                    .record(context -> {
                        CommandList commands = context.commands();
                        commands.bindPipeline(shade);
                        for (int i = 0; i < SPHERES; i++) {
                            float hue = 6.28f * i / SPHERES;
                            commands.beginConditionalRendering(context.buffer(seen), 8L * i, false);
                            for (int half = 0; half < 2; half++) {
                                ball(commands, sphere(i), tone(hue), tone(hue - 2.1f), tone(hue - 4.2f), 1 - half);
                            }
                            commands.endConditionalRendering();
                        }
                    });
            RdgReadback counted = ReadbackPasses.buffer(graph, seen);
            RdgReadback texels = ReadbackPasses.texture(graph, picture);
            executor.run(graph);
            QueryResults results =
                    QueryResults.of(QueryKind.ANY_SAMPLE, counted.bytes().join());
            long visible = IntStream.range(0, SPHERES)
                    .filter(i -> results.samples(i) != 0)
                    .count();
            return new Drawn(
                    texels.bytes().join(), visible + " of " + SPHERES + " spheres seen, the others were left out");
        }
    }

    private static GraphicsPipelineDescription drawn(GraphicsPipelineDescription description, boolean writesDepth) {
        return description
                .withRaster(RasterState.TRIANGLES.with(RasterState.Topology.TRIANGLE_STRIP))
                .withDepth(new DepthState(DepthCompare.LESS, writesDepth, 0, 0), Format.D32_SFLOAT);
    }

    /** Returns the middle of a sphere behind the moon, in the lower half, and its radius. */
    private static float[] sphere(int i) {
        double far = 0.44 * Math.sqrt((i + 0.5) / SPHERES);
        return new float[] {
            (float) (2 * far * Math.cos(2.39996 * i)), 0.5f + (float) (far * Math.sin(2.39996 * i)), 0.8f, 0.05f
        };
    }

    private static float tone(float hue) {
        return 0.5f + 0.5f * (float) Math.cos(hue);
    }

    /** Draws a ball in the lower half of the picture, or {@code up} by so much. */
    private static void ball(CommandList commands, float[] place, float red, float green, float blue, float up) {
        ByteBuffer push = ByteBuffer.allocate(32).order(ByteOrder.nativeOrder());
        push.asFloatBuffer().put(place).put(red).put(green).put(blue).put(up);
        commands.pushConstants(push);
        commands.draw(4, 1, 0, 0);
    }
}
