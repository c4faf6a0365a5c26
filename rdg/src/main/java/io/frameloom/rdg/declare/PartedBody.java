package io.frameloom.rdg.declare;

import io.frameloom.rdg.PartBody;
import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.PassContext;
import java.util.Arrays;

/** The body of a pass in parts, which {@code PartRecording} records into secondary command lists. */
public final class PartedBody implements PassBody {
    private final int parts;
    private final PartBody body;
    private final String label;
    private final String[] partLabels;

    public PartedBody(String name, int parts, PartBody body) {
        this.parts = parts;
        this.body = body;
        this.label = name + " in parts";
        this.partLabels = new String[parts];
        Arrays.setAll(partLabels, part -> name + " part " + part);
    }

    public String label() {
        return label;
    }

    public String label(int part) {
        return partLabels[part];
    }

    public int parts() {
        return parts;
    }

    public void record(PassContext context, int part) {
        body.record(context, part);
    }

    @Override
    public void record(PassContext context) {
        for (int part = 0; part < parts; part++) {
            body.record(context, part);
        }
    }
}
