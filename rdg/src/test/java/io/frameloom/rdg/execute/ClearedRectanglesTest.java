package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.utility.ClearPasses;
import io.frameloom.rdg.utility.ReadbackPasses;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rectangles are cleared in what a view names, and nowhere else. */
class ClearedRectanglesTest {
    private static final int RED = 0xFF0000FF;
    private static final int BLUE = 0xFFFF0000;
    private static final ClearColor TO_RED = new ClearColor(1, 0, 0, 1);
    private static final ClearColor TO_BLUE = new ClearColor(0, 0, 1, 1);

    private final RenderGraph graph = new RenderGraph("rectangles");

    /** The texels of some layers or slices, which are blue within a rectangle and red elsewhere. */
    private static void check(RdgReadback readback, int width, int height, boolean cleared, int... rectangle) {
        int[] texels = new int[readback.bytes().join().remaining() / 4];
        readback.bytes().join().asIntBuffer().get(texels);
        for (int i = 0; i < texels.length; i++) {
            int x = i % width;
            int y = i / width % height;
            boolean inside = cleared
                    && x >= rectangle[0]
                    && x < rectangle[0] + rectangle[2]
                    && y >= rectangle[1]
                    && y < rectangle[1] + rectangle[3];
            assertThat(texels[i]).as("texel %d", i).isEqualTo(inside ? BLUE : RED);
        }
    }

    @ParameterizedTest
    @EnumSource
    void ofTheLayersOfAMip(TestDevice device) {
        device.run(rig -> {
            TextureDescription shape =
                    new TextureDescription(8, 8, 2, 4, Format.R8G8B8A8_UNORM, Set.of(TextureUsage.SAMPLED));
            RdgTexture layers = graph.createTexture("layers", shape);
            ClearPasses.texture(graph, layers, TO_RED);
            graph.addPass("rectangle", PassKind.RASTER)
                    .color(layers.view(new SubresourceRange(1, 1, 1, 2, 0, 1)), LoadOp.CLEAR, TO_BLUE)
                    .renderArea(1, 2, 3, 1)
                    .record(context -> {});
            RdgReadback[] found = new RdgReadback[8];
            for (int i = 0; i < found.length; i++) {
                found[i] = ReadbackPasses.texture(
                        graph, layers, TextureRegion.mip(shape, i / 4).withLayers(i % 4, 1));
            }
            rig.executor.execute(rig.compile(graph)).completed().await();
            for (int i = 0; i < found.length; i++) {
                check(found[i], 8 >> (i / 4), 8 >> (i / 4), i / 4 == 1 && (i % 4 == 1 || i % 4 == 2), 1, 2, 3, 1);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void ofAllSlicesOfAVolume(TestDevice device) {
        device.run(rig -> {
            TextureDescription shape = TextureDescription.of(4, 4, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED)
                    .withDepth(4);
            RdgTexture volume = graph.createTexture("volume", shape);
            ClearPasses.texture(graph, volume, TO_RED);
            graph.addPass("rectangle", PassKind.RASTER)
                    .colorSlices(volume, 0, 0, 4, LoadOp.CLEAR, TO_BLUE)
                    .renderArea(0, 1, 2, 2)
                    .record(context -> {});
            RdgReadback found = ReadbackPasses.texture(graph, volume);
            rig.executor.execute(rig.compile(graph)).completed().await();
            check(found, 4, 4, true, 0, 1, 2, 2);
        });
    }
}
