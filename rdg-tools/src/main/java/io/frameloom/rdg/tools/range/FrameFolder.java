package io.frameloom.rdg.tools.range;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.DigestInputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The folder that the frames of a {@link FrameRange} go to. Processes on one or many machines may have it open at once,
 * with ranges that overlap or not, and each may be killed at any time.
 *
 * <p>A frame is the file {@code frame-000042.png}. Each process writes manifests of its own, one per block that it works
 * at, {@code frames-000040-000079-0123456789abcdef.json}: range, block, warm-up, settings, and the digest of each frame
 * that it has written or found. The last digits are its own, so no process replaces what another has said. All files
 * appear by one rename of bytes that are durable, so no reader needs a lock. A frame is there if some manifest has the
 * digest of its file. The folder is complete if that holds for each frame of the range: {@link #missing} is then empty.
 *
 * <p>Any thread; several may write at once.
 */
public final class FrameFolder {
    private static final Pattern MANIFEST = Pattern.compile("frames-[0-9]{6,9}-[0-9]{6,9}(-[0-9a-f]{16})?\\.json");
    /** The file that is being written, a manifest without its digits, and digits that no other such file has. */
    private static final Pattern LEFT_OVER = Pattern.compile("\\.(frames?-.*)\\.[0-9a-f]{16}");

    private static final int BUFFER = 1 << 16;

    private final Path folder;
    private final FrameRange range;
    private final String extension;
    private final Map<String, String> settings;
    private final String digits = HexFormat.of().toHexDigits(new SecureRandom().nextLong());
    private final SortedMap<Integer, FrameManifest.Entry> present = new TreeMap<>();
    /** What killed processes have left, by the file that was being written. */
    private final Map<String, List<Path>> leftOver = new HashMap<>();

    /** Something that can be written into a file. */
    @FunctionalInterface
    public interface Content {
        /** Writes the bytes. */
        void writeTo(OutputStream out) throws IOException;
    }

    private FrameFolder(Path folder, FrameRange range, String extension, Map<String, String> settings) {
        this.folder = folder;
        this.range = range;
        this.extension = extension;
        this.settings = new LinkedHashMap<>(settings);
    }

    /**
     * Creates the folder if there is none, and finds which frames of the range are there.
     *
     * @param extension how names of frames end, such as {@code png}
     * @param settings all that decides about the bytes of a frame beside its number, block and warm-up, such as program,
     *     scene, size, device and driver, in the order in which they are written
     * @throws FrameFolderException if it cannot be used, or holds frames with other settings
     */
    public static FrameFolder open(Path folder, FrameRange range, String extension, Map<String, String> settings)
            throws FrameFolderException {
        FrameFolder opened = new FrameFolder(folder, range, extension, settings);
        try {
            Files.createDirectories(folder);
            opened.look();
        } catch (FileAlreadyExistsException e) {
            throw new FrameFolderException(
                    "folder " + folder + " cannot be created, a file is in its way; name another folder", e);
        } catch (IOException e) {
            throw opened.refused(e);
        }
        return opened;
    }

    private void look() throws IOException, FrameFolderException {
        List<Path> manifests = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                Matcher temporary = LEFT_OVER.matcher(name);
                if (MANIFEST.matcher(name).matches()) {
                    manifests.add(file);
                } else if (temporary.matches()) {
                    leftOver.computeIfAbsent(temporary.group(1), key -> new ArrayList<>())
                            .add(file);
                }
            }
        }
        manifests.sort(null);
        Map<Integer, String> digests = new HashMap<>();
        for (Path manifest : manifests) {
            for (Map.Entry<Integer, FrameManifest.Entry> entry :
                    read(manifest).frames().entrySet()) {
                int frame = entry.getKey();
                if (frame >= range.first() && frame <= range.last() && !present.containsKey(frame)) {
                    String found = digests.get(frame);
                    if (found == null) {
                        found = digest(folder.resolve(nameOf(frame)));
                        digests.put(frame, found);
                    }
                    if (found.equals(entry.getValue().sha256())) {
                        present.put(frame, entry.getValue());
                    }
                }
            }
        }
    }

    private FrameManifest read(Path file) throws FrameFolderException {
        FrameManifest manifest;
        try {
            manifest = FrameManifest.read(file);
        } catch (IOException e) {
            String said = e instanceof JsonProcessingException json ? json.getOriginalMessage() : e.getMessage();
            String reason = String.valueOf(said).replaceAll("\\s*\\R\\s*", " ");
            throw new FrameFolderException(
                    file + " is no manifest of frames: " + reason + "; delete it, or name another folder", e);
        }
        Map<String, String> there = FrameManifest.identity(manifest.range(), manifest.settings());
        Map<String, String> here = FrameManifest.identity(range, settings);
        Set<String> names = new LinkedHashSet<>(here.keySet());
        names.addAll(there.keySet());
        for (String name : names) {
            if (!Objects.equals(there.get(name), here.get(name))) {
                throw other(file, name, shown(there.get(name)), shown(here.get(name)));
            }
        }
        for (Map.Entry<Integer, FrameManifest.Entry> frame : manifest.frames().entrySet()) {
            if (!frame.getValue().file().equals(nameOf(frame.getKey()))) {
                throw other(
                        file,
                        "file of frame " + frame.getKey(),
                        shown(frame.getValue().file()),
                        shown(nameOf(frame.getKey())));
            }
        }
        return manifest;
    }

    private static String shown(@Nullable String value) {
        return value == null ? "absent" : "'" + value + "'";
    }

    private static FrameFolderException other(Path file, String what, String there, String here) {
        return new FrameFolderException(file + " is of another run: its " + what + " is " + there + ", here it is "
                + here + "; name another folder, or render with what it has");
    }

    /** Returns the digest of a file, or an empty text if there is none. */
    private static String digest(Path file) throws IOException {
        MessageDigest digest = sha256();
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
            in.transferTo(OutputStream.nullOutputStream());
        } catch (NoSuchFileException e) {
            return "";
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Returns the frames of the range that are not there, in order. */
    public synchronized List<Integer> missing() {
        List<Integer> missing = new ArrayList<>();
        for (int frame = range.first(); frame <= range.last(); frame++) {
            if (!present.containsKey(frame)) {
                missing.add(frame);
            }
        }
        return missing;
    }

    /** Returns what to render, in order, so that nothing is missing. */
    public synchronized List<FrameRange.Step> steps() {
        return range.steps(frame -> !present.containsKey(frame));
    }

    /** Returns the same block by block, for several devices to share. */
    public synchronized List<List<FrameRange.Step>> blocks() {
        return range.blocks(frame -> !present.containsKey(frame));
    }

    /** Returns the name of the file of a frame. */
    public String nameOf(int frame) {
        return String.format(Locale.ROOT, "frame-%06d.%s", frame, extension);
    }

    /**
     * Writes a frame and the manifest of its block. The frame is there when this returns, whatever happens then.
     *
     * @throws FrameFolderException if the folder does not take it
     */
    public void write(int frame, Content content) throws FrameFolderException {
        if (frame < range.first() || frame > range.last()) {
            throw new IllegalArgumentException("frame " + frame + " is not in " + range);
        }
        FrameRange part = range.part(frame);
        String name = nameOf(frame);
        String block = String.format(Locale.ROOT, "frames-%06d-%06d", part.first(), part.last());
        MessageDigest digest = sha256();
        try {
            // A process that took this one for dead removes its file after writing the same one.
            if (!publish(name, name, out -> content.writeTo(new DigestOutputStream(out, digest)))
                    && !Files.exists(folder.resolve(name))) {
                throw new NoSuchFileException(name);
            }
            synchronized (this) {
                present.put(frame, new FrameManifest.Entry(name, HexFormat.of().formatHex(digest.digest())));
                FrameManifest manifest =
                        new FrameManifest(part, settings, present.subMap(part.first(), part.last() + 1));
                boolean said = false;
                while (!said) {
                    said = publish(block + ".json", block + "-" + digits + ".json", manifest::write);
                }
            }
        } catch (IOException e) {
            throw refused(e);
        }
    }

    /** Lets a file appear whole. Returns false if another process has removed it before. */
    private boolean publish(String name, String target, Content content) throws IOException {
        Path temporary = folder.resolve("." + name + "."
                + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong()));
        try {
            try (FileChannel channel =
                    FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER) {
                    @Override
                    public void close() throws IOException {
                        // Whoever wraps it may close it; the channel stays open until its bytes are durable.
                        flush();
                    }
                };
                content.writeTo(out);
                out.flush();
                channel.force(true);
            }
            try {
                Files.move(temporary, folder.resolve(target), StandardCopyOption.ATOMIC_MOVE);
            } catch (NoSuchFileException e) {
                return false;
            }
        } finally {
            Files.deleteIfExists(temporary);
        }
        for (Path old : leftOver.getOrDefault(name, List.of())) {
            Files.deleteIfExists(old);
        }
        return true;
    }

    private FrameFolderException refused(IOException failure) {
        String reason = failure instanceof AccessDeniedException
                ? "access denied to " + failure.getMessage()
                : String.valueOf(failure.getMessage());
        return new FrameFolderException(
                "folder " + folder + " cannot be used for frames: " + reason + "; name another folder", failure);
    }
}
