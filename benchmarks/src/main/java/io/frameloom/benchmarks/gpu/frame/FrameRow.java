package io.frameloom.benchmarks.gpu.frame;

/**
 * What one way of making frames cost. Times are medians over the rounds, of a frame.
 *
 * @param way name of the way
 * @param workers workers that record beside the calling thread, 0 if that records alone
 * @param passes passes of a frame
 * @param commands draws or dispatches of each pass
 * @param cpuMicros processor time of all Java threads in microseconds, waiting included
 * @param cpuRatio {@code cpuMicros} as a multiple of plain LWJGL's
 * @param steps where the time goes until everything is recorded
 * @param perSecond commands recorded a second in the sum of these times
 * @param speedup {@code perSecond} as a multiple of that of the graph on one thread
 * @param bytes bytes allocated on the heap
 */
record FrameRow(
        String way,
        int workers,
        int passes,
        int commands,
        double cpuMicros,
        double cpuRatio,
        FrameSteps steps,
        double perSecond,
        double speedup,
        double bytes) {}
