package io.frameloom.streaming;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A KTX2 file that cannot be used. The message names the file and the place in it. */
public final class Ktx2Exception extends RuntimeException {
    private static final long serialVersionUID = 1;

    Ktx2Exception(Path file, String place, String what, @Nullable Throwable cause) {
        super("KTX2 file '" + file + "', " + place + ": " + what, cause);
    }
}
