package io.frameloom.benchmarks.gpu.frame;

import java.util.Arrays;

/**
 * Where the time of a frame goes on the thread that makes it, in microseconds by the clock.
 *
 * @param declareMicros declaring passes and resources; 0 where nothing is declared
 * @param planMicros getting the plan: compiling it, or finding that of an equal frame
 * @param launchMicros handing the frame to the threads that record and submit it
 * @param recordMicros from then until the last command is recorded
 */
record FrameSteps(double declareMicros, double planMicros, double launchMicros, double recordMicros) {
    private static final int STEPS = 4;
    private static final double MICRO = 1e3;

    double totalMicros() {
        return declareMicros + planMicros + launchMicros + recordMicros;
    }

    /** Collects the steps of frames as they are made. One thread; allocates nothing while frames are made. */
    static final class Samples {
        private final long[][] nanos;
        private int count;

        Samples(int frames) {
            nanos = new long[STEPS][frames];
        }

        /** Adds a frame by the times at which its steps began, and that at which the last one was over. */
        void add(long begun, long declared, long planned, long launched, long recorded) {
            nanos[0][count] = declared - begun;
            nanos[1][count] = planned - declared;
            nanos[2][count] = launched - planned;
            nanos[3][count] = recorded - launched;
            count++;
        }

        /** Returns the median of each step, and forgets the frames. */
        FrameSteps medians() {
            double[] medians = new double[STEPS];
            for (int step = 0; step < STEPS; step++) {
                Arrays.sort(nanos[step], 0, count);
                medians[step] = nanos[step][count / 2] / MICRO;
            }
            count = 0;
            return new FrameSteps(medians[0], medians[1], medians[2], medians[3]);
        }
    }
}
