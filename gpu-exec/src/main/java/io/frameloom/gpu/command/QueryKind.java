package io.frameloom.gpu.command;

import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.DeviceLimits;

/** What a query counts. {@link DeviceLimits.Drawing#queries} says what a device can count. */
public enum QueryKind {
    /** Whether any sample passes the tests of depth and stencil: 0 if none does, else another number. */
    ANY_SAMPLE(1),
    /**
     * How many samples pass these tests. A device that {@linkplain DeviceCapabilities#renders renders} nothing has
     * none.
     */
    SAMPLES(1),
    /**
     * What the pipeline does: a number for each {@link PipelineStatistic}, in their order. Mesh tasks cannot be drawn
     * while such a query is open.
     */
    STATISTICS(PipelineStatistic.values().length),
    /** How many bytes a compact copy of an acceleration structure takes, which was built for that. */
    COMPACTED_BYTES(1),
    /** How many bytes a serialised acceleration structure takes. */
    SERIALIZED_BYTES(1);

    private final int numbers;

    QueryKind(int numbers) {
        this.numbers = numbers;
    }

    /** Returns whether acceleration structures are measured. */
    public boolean isOfStructures() {
        return this == COMPACTED_BYTES || this == SERIALIZED_BYTES;
    }

    /** Returns how many numbers the result of a query has; each takes 8 bytes in a buffer. */
    public int numbers() {
        return numbers;
    }

    /** Returns the bytes that the result of a query takes in a buffer. */
    public int bytes() {
        return numbers * Long.BYTES;
    }
}
