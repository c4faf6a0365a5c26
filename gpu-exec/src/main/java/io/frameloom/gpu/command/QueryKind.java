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
    /** What the pipeline does: a number for each {@link PipelineStatistic}, in their order. */
    STATISTICS(PipelineStatistic.values().length);

    private final int numbers;

    QueryKind(int numbers) {
        this.numbers = numbers;
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
