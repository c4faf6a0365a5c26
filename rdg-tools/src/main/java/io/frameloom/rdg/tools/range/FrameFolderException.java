package io.frameloom.rdg.tools.range;

import io.frameloom.rdg.options.PrintableText;

/**
 * A folder of frames cannot be used: it cannot be read or written, or it holds frames of another run. The message is one
 * line that names the folder and the way out; control characters of names are written as escapes in it.
 */
public final class FrameFolderException extends Exception {
    private static final long serialVersionUID = 1;

    FrameFolderException(String message) {
        super(PrintableText.of(message));
    }

    FrameFolderException(String message, Throwable cause) {
        super(PrintableText.of(message), cause);
    }
}
