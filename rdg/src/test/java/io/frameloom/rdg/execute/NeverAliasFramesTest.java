package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.utility.ClearPasses;
import io.frameloom.rdg.utility.ReadbackPasses;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Transients that share memory with nothing. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NeverAliasFramesTest {
    private static final TextureDescription SHAPE = TextureDescription.of(8, 8, Format.R32_UINT, TextureUsage.COPY_SRC);

    @ParameterizedTest
    @EnumSource
    void aTextureInMemoryOfItsOwn(TestDevice device) {
        device.run(rig -> {
            for (int frame = 0; frame < 5; frame++) {
                RenderGraph graph = new RenderGraph("own");
                RdgTexture texture = graph.createTexture("texture", SHAPE);
                graph.neverAlias(texture);
                ClearPasses.texture(graph, texture, new ClearColor(7 + frame, 0, 0, 0));
                RdgReadback readback = ReadbackPasses.texture(graph, texture);
                rig.executor.execute(rig.compile(graph)).completed().await();
                ByteBuffer texels = readback.bytes().join();
                for (int at = 0; at < texels.capacity(); at += 4) {
                    assertThat(texels.getInt(at)).isEqualTo(7 + frame);
                }
            }
        });
    }
}
