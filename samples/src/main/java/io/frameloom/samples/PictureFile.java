package io.frameloom.samples;

import io.frameloom.rdg.capture.Png;
import io.frameloom.samples.demo.UsageException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The PNG file of a sample, which its option {@code --out} names. Any thread. */
public final class PictureFile {
    private final Path path;

    private PictureFile(Path path) {
        this.path = path;
    }

    /**
     * Reads the name.
     *
     * @param spec the command
     * @throws ParameterException if it is none, or the name of a file of another kind
     */
    public static PictureFile of(CommandSpec spec, String out) {
        Path path = PathArgument.of(spec, "--out", out);
        Path name = path.getFileName();
        String last = name == null ? "" : name.toString().toLowerCase(Locale.ROOT);
        if (last.lastIndexOf('.') > 0 && !last.endsWith(".png")) {
            throw new ParameterException(
                    spec.commandLine(), "--out " + out + ": the picture is a PNG; name a file that ends in .png");
        }
        return new PictureFile(path);
    }

    /** Makes folders that are missing, and tries the file before there is a picture that could be lost. */
    public void prepare() throws UsageException {
        if (Files.isDirectory(path)) {
            throw new UsageException("cannot write " + path + ": it is a folder; name a file in it");
        }
        try {
            Path folder = path.toAbsolutePath().getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            if (!Files.exists(path)) {
                Files.delete(Files.createFile(path));
            } else if (Files.isRegularFile(path)) {
                // Without a word of truncating, what is in it stays.
                Files.newOutputStream(path, StandardOpenOption.WRITE).close();
            }
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    /**
     * Writes the picture, after {@link #prepare}.
     *
     * @param texels rows from the top, four bytes a texel, red first
     */
    public void write(int width, int height, ByteBuffer texels) throws UsageException {
        try (OutputStream stream = Files.newOutputStream(path)) {
            Png.write(stream, width, height, texels);
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    private UsageException unwritable(IOException reason) {
        return new UsageException("cannot write " + path + ": " + IoReasons.of(reason), reason);
    }

    /** Returns the name as it was given. */
    @Override
    public String toString() {
        return path.toString();
    }
}
