package io.frameloom.gpu.pipeline;

/**
 * Samples of a pixel.
 *
 * @param samples samples of every attachment: 1, 2, 4, ... 64
 * @param sampleMask samples that may be written; the bit of value 1 stands for sample 0
 * @param alphaToCoverage whether the alpha of colour output 0 determines how many samples are covered
 * @param minSampleShading the least share of samples for which the fragment shader runs, 0 to 1; 0 to run it once
 */
public record MultisampleState(int samples, long sampleMask, boolean alphaToCoverage, float minSampleShading) {
    /** One sample. */
    public static final MultisampleState ONE = of(1);

    private static final int MOST = 64;

    public MultisampleState {
        if (samples < 1 || samples > MOST || Integer.bitCount(samples) != 1) {
            throw new IllegalArgumentException("samples are 1, 2, 4, 8, 16, 32 or 64, got " + samples);
        }
        if (!(minSampleShading >= 0 && minSampleShading <= 1)) {
            throw new IllegalArgumentException("minSampleShading is from 0 to 1, got " + minSampleShading);
        }
    }

    /** All of a number of samples. */
    public static MultisampleState of(int samples) {
        return new MultisampleState(samples, -1, false, 0);
    }

    /** As this, with the coverage by alpha. */
    public MultisampleState withAlphaToCoverage() {
        return new MultisampleState(samples, sampleMask, true, minSampleShading);
    }
}
