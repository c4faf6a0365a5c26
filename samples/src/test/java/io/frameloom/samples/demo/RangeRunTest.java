package io.frameloom.samples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** By what a folder of frames knows a model again. */
final class RangeRunTest {
    @TempDir
    private Path dir;

    @Test
    void aModelIsKnownByTheFilesThatItRefersTo() throws Exception {
        Path model = Files.writeString(
                dir.resolve("model.gltf"),
                "{'asset':{'version':'2.0'},'buffers':[{'uri':'a%20b.bin','byteLength':1},{'byteLength':1}],"
                                .replace('\'', '"')
                        + "'images':[{'uri':'data:image/png;base64,AA=='},{'uri':'i.png'},{'uri':'absent.png'}]}"
                                .replace('\'', '"'));
        Path buffer = Files.write(dir.resolve("a b.bin"), new byte[] {1});
        Path image = Files.write(dir.resolve("i.png"), new byte[] {1});
        String before = RangeRun.digest(model);
        assertThat(RangeRun.digest(model)).startsWith("sha256 ").isEqualTo(before);
        Files.write(image, new byte[] {2});
        String otherImage = RangeRun.digest(model);
        assertThat(otherImage).isNotEqualTo(before);
        Files.write(buffer, new byte[] {2});
        assertThat(RangeRun.digest(model)).isNotEqualTo(otherImage).isNotEqualTo(before);
    }
}
