package io.frameloom.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** Names what tests keep between runs for the classes that made it, so that nothing outlives a change of them. */
public final class ClassDigest {
    private ClassDigest() {}

    /** Returns sixteen characters that change with any class in the package of {@code one}. */
    public static String ofPackage(Class<?> one) {
        String folder = one.getPackageName().replace('.', '/');
        try {
            Path place = Path.of(
                    one.getProtectionDomain().getCodeSource().getLocation().toURI());
            if (Files.isDirectory(place)) {
                return digest(place.resolve(folder));
            }
            try (FileSystem jar = FileSystems.newFileSystem(place)) {
                return digest(jar.getPath(folder));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the classes of " + one.getPackageName() + " cannot be read", e);
        } catch (URISyntaxException | NoSuchAlgorithmException e) {
            throw new IllegalStateException("the classes of " + one.getPackageName() + " are nowhere", e);
        }
    }

    private static String digest(Path folder) throws IOException, NoSuchAlgorithmException {
        List<Path> files;
        try (Stream<Path> listed = Files.list(folder)) {
            files = listed.sorted().toList();
        }
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        for (Path file : files) {
            digest.update(Files.readAllBytes(file));
        }
        return HexFormat.of().formatHex(digest.digest(), 0, 8);
    }
}
