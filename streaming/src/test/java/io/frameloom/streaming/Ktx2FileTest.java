package io.frameloom.streaming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.streaming.Ktx2Files.Packing;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.testing.TestEffort;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Levels of files are what their writer put in, and no file can do harm. */
class Ktx2FileTest {
    /** Neither a multiple of blocks. */
    private static final int WIDTH = 37;

    private static final int HEIGHT = 22;
    private static final int LEVELS = 6;

    @TempDir
    Path folder;

    private final TaskGraph tasks = TaskGraph.builder().name("files").workers(1).build();
    private final GpuDevice device = VirtualDevice.open(new VirtualGpuOptions(1, 1), DeviceOptions.of(tasks, "files"));
    private Path path;

    @BeforeEach
    void choosePath() {
        path = folder.resolve("wall.ktx2");
    }

    @AfterEach
    void close() {
        device.close();
        tasks.close();
    }

    /** Smooth colours that differ from level to level. */
    private static byte[] texels(int level) {
        int width = Math.max(1, WIDTH >> level);
        int height = Math.max(1, HEIGHT >> level);
        byte[] texels = new byte[4 * width * height];
        for (int i = 0; i < width * height; i++) {
            texels[4 * i] = (byte) (200 * (i % width) / width);
            texels[4 * i + 1] = (byte) (200 * (i / width) / height);
            texels[4 * i + 2] = (byte) (40 * level);
            texels[4 * i + 3] = (byte) (255 - 10 * level);
        }
        return texels;
    }

    private void write(Packing packing) {
        Ktx2Files.write(path, WIDTH, HEIGHT, LEVELS, Format.R8G8B8A8_SRGB, packing, Ktx2FileTest::texels);
    }

    @ParameterizedTest
    @EnumSource(names = {"NONE", "ZSTANDARD", "ZLIB"})
    void texelsAreReadAsTheyWereWritten(Packing packing) {
        write(packing);
        Ktx2File file = Ktx2File.open(device, path);
        assertThat(file.description().format()).isEqualTo(Format.R8G8B8A8_SRGB);
        assertThat(file.description().mips()).isEqualTo(LEVELS);
        for (int level = LEVELS - 1; level >= 0; level--) {
            assertThat(Ktx2Files.array(file.read(level))).isEqualTo(texels(level));
        }
        assertThatThrownBy(() -> file.read(LEVELS)).hasMessageContaining("levels 0 to 5, not 6");
    }

    @ParameterizedTest
    @EnumSource(names = {"UASTC", "UASTC_ZSTANDARD"})
    void aLevelAloneIsTranscodedAsWithAllOthers(Packing packing) {
        write(packing);
        Ktx2Header header = Ktx2Header.read(path);
        for (Transcoding target : Transcoding.values()) {
            Format format = target.format(true);
            for (int level = 0; level < LEVELS; level++) {
                int bytes =
                        format.columns(header.width(level)) * format.rows(header.height(level)) * format.blockBytes();
                byte[] alone = Ktx2Files.array(KtxLibrary.unpack(header, level, target, bytes));
                assertThat(alone)
                        .as("level %d as %s", level, target)
                        .isEqualTo(Ktx2Files.transcoded(path, target, level, bytes));
            }
        }
        Ktx2File file = Ktx2File.open(device, path);
        assertThat(file.description().format()).isEqualTo(Format.BC7_SRGB);
        assertThat(file.read(1).remaining()).isEqualTo(5 * 3 * 16);
        byte[] colours = Ktx2Files.array(KtxLibrary.unpack(header, 0, Transcoding.RGBA8, 4 * WIDTH * HEIGHT));
        long difference = 0;
        for (int i = 0; i < colours.length; i++) {
            difference += Math.abs((colours[i] & 0xff) - (texels(0)[i] & 0xff));
        }
        assertThat(difference / colours.length).isLessThan(8);
    }

    @Test
    void blocksAreTakenAsTheyAre() {
        byte[] block = new byte[16];
        new Random(1).nextBytes(block);
        Ktx2Files.write(path, 4, 4, 1, Format.BC7_UNORM, Packing.NONE, level -> block);
        Ktx2File file = Ktx2File.open(device, path);
        assertThat(file.description().format()).isEqualTo(Format.BC7_UNORM);
        assertThat(Ktx2Files.array(file.read(0))).isEqualTo(block);
    }

    private void refused(String... words) {
        assertThatThrownBy(() -> Ktx2File.open(device, path))
                .isInstanceOf(Ktx2Exception.class)
                .hasMessageContaining(path.toString())
                .hasMessageContainingAll(words);
    }

    private void change(int offset, int value) throws IOException {
        write(Packing.NONE);
        byte[] bytes = Files.readAllBytes(path);
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(offset, value);
        Files.write(path, bytes);
    }

    @Test
    void whatIsWrongIsNamed() throws IOException {
        refused("header", "no such file");
        Files.writeString(path, "short");
        refused("header", "80 bytes from byte 0", "which has 5");
        Files.write(path, new byte[200]);
        refused("header", "does not begin as KTX2 files do");
        change(12, 1234);
        refused("header", "VkFormat 1234", "make the file as UASTC");
        change(12, Format.D32_SFLOAT.vulkan());
        refused("header", "does not sample D32_SFLOAT");
        change(12, 0);
        refused("data format descriptor", "colour model 1");
        change(20, 1 << 20);
        refused("header", "1048576x22 is too large", "(maxTextureExtent)", "make the file smaller");
        change(28, 4);
        refused("header", "no two-dimensional texture", "make a file of each");
        change(36, 6);
        refused("header", "no two-dimensional texture");
        change(40, 7);
        refused("header", "37x22 cannot have 7 levels");
        change(44, 9);
        refused("header", "packed by scheme 9");
        write(Packing.ETC1S);
        refused("header", "packed by BasisLZ", "make it as UASTC");
        change(80 + 24 * LEVELS + 4 + 12, 3);
        refused("data format descriptor", "does not have the blocks of R8G8B8A8_SRGB");
        change(52, 1 << 30);
        refused("data format descriptor", "do not lie in the file");
        change(80 + 24, 1 << 30);
        refused("level 1", "from byte 1073741824 on");
        change(80 + 24 + 8, 500);
        refused("level 1", "18x11 of R8G8B8A8_SRGB has 792 bytes");
    }

    /** The library gets the blocks of UASTC whatever the file says of them. */
    @Test
    void descriptorsOfUastcAreOurs() throws IOException {
        write(Packing.UASTC);
        byte[] expected = Ktx2Files.array(Ktx2File.open(device, path).read(0));
        byte[] bytes = Files.readAllBytes(path);
        int block = 80 + 24 * LEVELS + 4;
        Arrays.fill(bytes, block + 12, block + 24, (byte) 77);
        Files.write(path, bytes);
        assertThat(Ktx2Files.array(Ktx2File.open(device, path).read(0))).isEqualTo(expected);
    }

    @Test
    void aFileThatIsCutOffLaterIsRefusedWhereItEnds() throws IOException {
        write(Packing.ZSTANDARD);
        Ktx2File file = Ktx2File.open(device, path);
        byte[] bytes = Files.readAllBytes(path);
        Files.write(path, Arrays.copyOf(bytes, bytes.length - 10));
        file.read(LEVELS - 1); // the coarsest comes first in a file
        assertThatThrownBy(() -> file.read(0))
                .isInstanceOf(Ktx2Exception.class)
                .hasMessageContainingAll(path.toString(), "level 0", "do not lie in the file");
        Files.delete(path);
        assertThatThrownBy(() -> file.read(0))
                .isInstanceOf(Ktx2Exception.class)
                .hasMessageContainingAll("level 0", "no such file");
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ETC1S")
    void damagedFilesGiveTexelsOrTheirException(Packing packing) throws IOException {
        write(packing);
        byte[] whole = Files.readAllBytes(path);
        Random random = new Random(packing.ordinal());
        int cases = TestEffort.of(40, 5000);
        int refused = 0;
        for (int i = 0; i < cases; i++) {
            byte[] bytes = whole.clone();
            if (i % 4 == 0) {
                bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
            }
            int places = i % 4 == 0 ? 0 : 1 + random.nextInt(4);
            for (int k = 0; k < places; k++) {
                int area = random.nextBoolean() ? 400 : bytes.length;
                bytes[random.nextInt(Math.min(area, bytes.length))] = (byte) random.nextInt();
            }
            Files.write(path, bytes);
            try {
                Ktx2File file = Ktx2File.open(device, path);
                for (int level = 0; level < file.description().mips(); level++) {
                    assertThat(file.read(level).remaining()).isEqualTo((int) file.bytes(level));
                }
            } catch (Ktx2Exception e) {
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(cases / 5);
    }

    @Test
    void manyThreadsTranscodeAtOnce() {
        write(Packing.UASTC);
        Ktx2Header header = Ktx2Header.read(path);
        byte[] expected = Ktx2Files.transcoded(path, Transcoding.RGBA8, 0, 4 * WIDTH * HEIGHT);
        List<byte[]> all = new ArrayList<>(IntStream.range(0, 8)
                .parallel()
                .mapToObj(i -> Ktx2Files.array(KtxLibrary.unpack(header, 0, Transcoding.RGBA8, 4 * WIDTH * HEIGHT)))
                .toList());
        assertThat(all).allSatisfy(each -> assertThat(each).isEqualTo(expected));
    }
}
