package io.frameloom.rdg.explain;

import java.io.IOException;

/** What a file system says of a file that cannot be written: an {@link IOException}, or anything unchecked. */
public final class UnwrittenFile {
    private UnwrittenFile() {}

    public static IOException cause(Exception failure) {
        return failure instanceof IOException known ? known : new IOException(failure.toString(), failure);
    }
}
