package io.frameloom.gpu.cache.disk;

import io.frameloom.gpu.cache.disk.Bundle.RefusedException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/** Where a bundle may be written: outside of the cache, and over nothing but another bundle. Stateless. */
final class BundleTarget {
    private static final byte[] MARKER = CacheLayout.MARKER_TEXT.getBytes(StandardCharsets.UTF_8);

    private BundleTarget() {}

    /**
     * Refuses a file that a bundle would destroy.
     *
     * @param root folder of the cache
     * @param target absolute path of the bundle
     * @throws IOException if the target's folder is not there, or what is there cannot be read
     */
    static void require(Path root, Path target) throws IOException, RefusedException {
        Path folder = target.getParent();
        if (folder != null && Files.exists(root) && folder.toRealPath().startsWith(root.toRealPath())) {
            throw new RefusedException(target, "would lie inside of the cache " + root + "; name a file elsewhere");
        }
        boolean free = !Files.exists(target, LinkOption.NOFOLLOW_LINKS) || isEmpty(target);
        if (!free && !isBundle(target)) {
            throw new RefusedException(
                    target,
                    "would replace what was not exported from a program cache; delete that or name another file");
        }
    }

    /**
     * Demands that the folder of a bundle is there.
     *
     * @throws IOException naming the folder
     */
    static void requireFolder(Path target) throws IOException {
        Path folder = target.getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new IOException("there is no folder " + folder);
        }
    }

    /** As one that mktemp has made. */
    private static boolean isEmpty(Path file) throws IOException {
        return Files.isRegularFile(file) && Files.size(file) == 0;
    }

    /** A damaged bundle is one too, only what an import calls foreign is none. */
    private static boolean isBundle(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            return false;
        }
        try (ZipFile zip = new ZipFile(file.toFile())) {
            ZipEntry marker = zip.getEntry(CacheLayout.MARKER);
            return marker != null
                    && zip.stream().allMatch(entry -> isOfBundle(entry.getName()))
                    && isMarker(zip, marker);
        } catch (ZipException foreign) {
            return false;
        }
    }

    private static boolean isOfBundle(String name) {
        return name.equals(CacheLayout.MARKER) || Bundle.PATH.matcher(name).matches();
    }

    private static boolean isMarker(ZipFile zip, ZipEntry marker) throws IOException {
        try (InputStream in = zip.getInputStream(marker)) {
            return Arrays.equals(in.readNBytes(MARKER.length + 1), MARKER);
        }
    }
}
