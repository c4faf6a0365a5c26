package io.frameloom.rdg.execute;

import io.frameloom.rdg.PartBody;
import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.PassContext;

/** The body of a pass in parts, which {@link PartRecording} records into secondary command lists. */
public final class PartedBody implements PassBody {
    private final int parts;
    private final PartBody body;

    /** A body of {@code parts} parts. */
    public PartedBody(int parts, PartBody body) {
        this.parts = parts;
        this.body = body;
    }

    int parts() {
        return parts;
    }

    void record(PassContext context, int part) {
        body.record(context, part);
    }

    /** Records all parts one after the other. */
    @Override
    public void record(PassContext context) {
        for (int part = 0; part < parts; part++) {
            body.record(context, part);
        }
    }
}
