package io.frameloom.stress.gpu.frames;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.QueueSharing;
import io.frameloom.stress.gpu.frames.GraphShape.Box;
import io.frameloom.stress.gpu.frames.GraphShape.Chunks;
import io.frameloom.stress.gpu.frames.GraphShape.Life;
import io.frameloom.stress.gpu.frames.GraphShape.Place;
import io.frameloom.stress.gpu.frames.GraphShape.Resource;
import io.frameloom.stress.gpu.frames.GraphShape.Step;
import io.frameloom.stress.gpu.frames.GraphShape.Texels;
import io.frameloom.stress.gpu.frames.GraphShape.Words;
import io.frameloom.stress.gpu.frames.GraphShape.Work;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the model makes of graphs that one can follow by hand. */
@Timeout(60)
class HostModelTest {
    private static final Place ANYWHERE = new Place(-1, false, false);

    private final HostModel model = new HostModel();

    private List<ByteBuffer> run(List<Resource> resources, int frame, Work... works) {
        List<Step> steps =
                Arrays.stream(works).map(work -> new Step(work, ANYWHERE)).toList();
        return model.run(new GraphShape("by hand", resources, steps), frame);
    }

    @Test
    void externalsStayAndTransientsDoNot() {
        List<Resource> resources = List.of(new Words("kept", Life.EXTERNAL, 2), new Words("own", Life.TRANSIENT, 1));
        run(
                resources,
                0,
                new GraphShape.Fill(new Chunks(0, 0, 2), 3),
                new GraphShape.Fill(new Chunks(1, 0, 1), 4),
                new GraphShape.Mix(new Chunks(0, 0, 1), new Chunks(1, 0, 1), new Chunks(0, 1, 1), 100, false));
        List<ByteBuffer> read = run(resources, 0, new GraphShape.ReadBack(0), new GraphShape.ReadBack(1));
        assertThat(read.get(0).getInt(0)).isEqualTo(3);
        assertThat(read.get(0).getInt(GraphShape.CHUNK)).isEqualTo(3 * 31 + 4 * 17 + 100);
        assertThat(read.get(0).getInt(GraphShape.CHUNK + 8)).isEqualTo(3 * 31 + 4 * 17 + 100 + 2);
        assertThat(read.get(1).getInt(0)).isZero();
    }

    @Test
    void aFrameFindsWhatTheOneBeforeHasKept() {
        List<Resource> resources =
                List.of(new Words("previous", Life.PREVIOUS, 1), new Words("current", Life.CURRENT, 1));
        Work keep = new GraphShape.Mix(new Chunks(0, 0, 1), new Chunks(0, 0, 1), new Chunks(1, 0, 1), 0, false);
        assertThat(run(resources, 0, new GraphShape.ReadBack(0)).get(0).getInt(0))
                .isEqualTo(HostModel.INITIAL);
        run(resources, 0, keep);
        assertThat(run(resources, 0, new GraphShape.ReadBack(0)).get(0).getInt(0))
                .isEqualTo(HostModel.INITIAL * 48);
        assertThat(run(resources, 0, new GraphShape.ReadBack(0)).get(0).getInt(4))
                .isEqualTo(HostModel.INITIAL * 48 + 1);
    }

    @Test
    void numbersDifferBetweenFrames() {
        List<Resource> resources = List.of(new Words("kept", Life.EXTERNAL, 1));
        Work fill = new GraphShape.Fill(new Chunks(0, 0, 1), 9);
        assertThat(run(resources, 0, fill, new GraphShape.ReadBack(0)).get(0).getInt(0))
                .isEqualTo(9);
        assertThat(run(resources, 1, fill, new GraphShape.ReadBack(0)).get(0).getInt(0))
                .isNotEqualTo(9);
    }

    /** Two layers of 8x8 halves of words and of 4x4: 256 bytes, then 64. */
    @Test
    void texturesLieMipByMipAndLayerByLayer() {
        List<Resource> resources = List.of(
                new Texels("picture", Life.EXTERNAL, Format.R16_UINT, 8, 8, 2, 2, QueueSharing.CONCURRENT),
                new Words("words", Life.TRANSIENT, 1));
        Box rectangle = new Box(0, 1, 1, 1, 2, 1, 2, 2);
        ByteBuffer read = run(
                        resources,
                        0,
                        new GraphShape.Clear(0, 0, 2, 0x11111),
                        new GraphShape.Render(new Box(0, 1, 1, 1, 0, 0, 4, 4), false, 0, rectangle, 0x2222),
                        new GraphShape.Fill(new Chunks(1, 0, 1), 0x44443333),
                        new GraphShape.Upload(new Chunks(1, 0, 1), new Box(0, 0, 0, 2, 4, 7, 2, 1)),
                        new GraphShape.ReadBack(0))
                .get(0);
        assertThat(read.capacity()).isEqualTo(320);
        int row = 256 + 32;
        assertThat(read.getShort(row + 8 + 4)).isEqualTo((short) 0x2222);
        assertThat(read.getShort(row + 16 + 6)).isEqualTo((short) 0x2222);
        assertThat(read.getShort(row + 4)).isEqualTo((short) 0x1111);
        assertThat(read.getShort(row + 24 + 4)).isEqualTo((short) 0x1111);
        assertThat(read.getInt(7 * 16 + 8)).isEqualTo(0x44443333);
        assertThat(read.getInt(128 + 7 * 16 + 8)).isEqualTo(0x44443333);
        assertThat(read.getInt(7 * 16 + 4)).isEqualTo(0x11111111);
    }
}
