package io.frameloom.gpu.vulkan.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.cache.disk.CanonicalFields;
import io.frameloom.gpu.cache.program.Compatibility;
import io.frameloom.gpu.vulkan.driver.DriverBuild;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DriverIdentityTest {
    private static final byte[] UUID = "val-%s\0\0\0\0\0\0\0\0\0\0".getBytes(StandardCharsets.US_ASCII);
    private static final DriverIdentity DRIVER =
            new DriverIdentity(new Compatibility(new CanonicalFields()), 0x10005, 7, ByteBuffer.wrap(UUID));

    @TempDir
    private Path root;

    private static byte[] contents() {
        ByteBuffer all = ByteBuffer.allocate(40).order(ByteOrder.LITTLE_ENDIAN);
        return all.putInt(32).putInt(1).putInt(0x10005).putInt(7).put(UUID).array();
    }

    @Test
    void onlyContentsMadeByTheSameDriverAreGivenToIt() {
        assertThat(DRIVER.canRead(contents())).isTrue();
        for (int i = 4; i < 32; i++) {
            byte[] other = contents();
            other[i] ^= 1;
            assertThat(DRIVER.canRead(other)).as("byte %d", i).isFalse();
        }
        for (int headerBytes : new int[] {-1, 0, 31, 41, Integer.MAX_VALUE}) {
            byte[] other = contents();
            ByteBuffer.wrap(other).order(ByteOrder.LITTLE_ENDIAN).putInt(headerBytes);
            assertThat(DRIVER.canRead(other))
                    .as("header of %d bytes", headerBytes)
                    .isFalse();
        }
        for (int length = 0; length < 32; length++) {
            assertThat(DRIVER.canRead(Arrays.copyOf(contents(), length))).isFalse();
        }
    }

    private static Object other(Object value) {
        if (value instanceof String text) {
            return text + "x";
        }
        return value instanceof Integer number ? number + 1 : ByteBuffer.wrap(new byte[] {1, 2, 4});
    }

    @Test
    void everythingThatADriverSaysChangesWhatItsProgramsAreFor() throws ReflectiveOperationException {
        RecordComponent[] components = DriverIdentity.Facts.class.getRecordComponents();
        Object[] same = new Object[components.length];
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            same[i] = types[i] == int.class
                    ? Integer.valueOf(7)
                    : types[i] == String.class ? "words" : ByteBuffer.wrap(new byte[] {1, 2, 3});
        }
        Constructor<DriverIdentity.Facts> constructor = DriverIdentity.Facts.class.getDeclaredConstructor(types);
        Set<Compatibility> seen = new HashSet<>();
        seen.add(constructor.newInstance(same).compatibility());
        assertThat(seen).contains(constructor.newInstance(same).compatibility());
        for (int i = 0; i < components.length; i++) {
            Object[] changed = same.clone();
            changed[i] = other(same[i]);
            assertThat(seen.add(constructor.newInstance(changed).compatibility()))
                    .as(components[i].getName())
                    .isTrue();
        }
    }

    @Test
    void theLibraryAtAnAddressIsFound() {
        List<String> maps = List.of(
                "7f0000000000-7f0000001000 r--p 00000000 08:01 1   /usr/lib/first.so",
                "7f0000001000-7f0000002000 r-xp 00000000 08:01 2   /usr/lib/with space.so",
                "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0   [vsyscall]");
        assertThat(DriverBuild.library(maps, 0x7f0000001000L)).isEqualTo("/usr/lib/with space.so");
        assertThat(DriverBuild.library(maps, 0x7f0000000fffL)).isEqualTo("/usr/lib/first.so");
        assertThat(DriverBuild.library(maps, 0x7f0000002000L)).isEmpty();
        assertThat(DriverBuild.library(maps, 0xffffffffff600010L)).isEmpty();
    }

    @Test
    void theBuildIdentifierOfALibraryIsRead() throws IOException {
        ByteBuffer elf = ByteBuffer.allocate(300).order(ByteOrder.LITTLE_ENDIAN);
        elf.put(new byte[] {0x7f, 'E', 'L', 'F', 2, 1});
        elf.putLong(32, 64).putShort(54, (short) 56).putShort(56, (short) 2);
        elf.putInt(64, 1);
        elf.putInt(120, 4).putLong(128, 200).putLong(152, 48);
        // A note of another type, then the identifier.
        elf.position(200);
        elf.putInt(4).putInt(6).putInt(1).put(new byte[] {'G', 'N', 'U', 0}).put(new byte[8]);
        elf.putInt(4).putInt(4).putInt(3).put(new byte[] {'G', 'N', 'U', 0}).put(new byte[] {1, 2, (byte) 0xab, 4});
        Path library = Files.write(root.resolve("driver.so"), elf.array());
        assertThat(DriverBuild.buildId(library)).isEqualTo("0102ab04");
        Path other = Files.write(root.resolve("other.so"), new byte[17]);
        assertThat(DriverBuild.buildId(other)).isEqualTo("size 17");
    }
}
