package io.frameloom.samples.match;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A place in a file as people count.
 *
 * @param line from 1; lines end with a line feed
 * @param column from 1, in bytes
 */
record LineColumn(long line, long column) {
    /** Looks a byte up by reading the file up to it, or as far as it goes. */
    static LineColumn of(Path file, long offset) throws IOException {
        long line = 1;
        long begin = 0;
        byte[] part = new byte[1 << 16];
        try (InputStream in = Files.newInputStream(file)) {
            long at = 0;
            int read = in.read(part);
            while (read > 0 && at < offset) {
                for (int i = 0; i < read && at + i < offset; i++) {
                    if (part[i] == '\n') {
                        line++;
                        begin = at + i + 1;
                    }
                }
                at += read;
                read = in.read(part);
            }
        }
        return new LineColumn(line, offset - begin + 1);
    }

    @Override
    public String toString() {
        return line + ":" + column;
    }
}
