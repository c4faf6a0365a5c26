package io.frameloom.rdg.tools.live;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Bytes in memory, up to a limit. */
final class Bounded extends OutputStream {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final int limit;

    /** There is no more room. */
    static final class FullException extends IOException {
        private static final long serialVersionUID = 1;

        FullException(int limit) {
            super("more than " + limit + " bytes");
        }
    }

    Bounded(int limit) {
        this.limit = limit;
    }

    @Override
    public void write(int b) throws IOException {
        require(1);
        bytes.write(b);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        require(length);
        bytes.write(from, offset, length);
    }

    private void require(int more) throws FullException {
        if (more > limit - bytes.size()) {
            throw new FullException(limit);
        }
    }

    byte[] toByteArray() {
        return bytes.toByteArray();
    }
}
