package io.frameloom.gpu.virtual;

import io.frameloom.gpu.QueueCounts;
import org.jspecify.annotations.Nullable;

/**
 * How the virtual GPU behaves.
 *
 * @param queues its queues, at most 64 in all; each kind is a family of its own
 * @param seed seed of the interleaving, for {@link Order#RANDOM}
 * @param order order of all work that no wait or barrier orders
 * @param clobber whether fresh, placed and discarded memory is filled with garbage; else fresh memory is zero and
 *     discarded contents stay, as on many a device that hides the defect
 * @param costPercent cost of simulated work, in percent of the built-in cost model: 0 to 100,000; at 0 the simulated
 *     clocks stand still at 0
 * @param loseAt number of the submission (of the device, from 1) that loses the device when it begins; 0 for none
 * @param outOfMemoryAt number of the allocation (of the device, from 1: textures, buffers, heaps, and the chunks of
 *     upload memory of frame contexts) that is refused with {@link io.frameloom.gpu.error.GpuOutOfMemoryException},
 *     once; 0 for none
 * @param surfaceFault fault of a surface, or null
 * @param lazyMemory whether it reports lazily allocated memory, as a tiling device does
 */
public record VirtualGpuOptions(
        QueueCounts queues,
        long seed,
        Order order,
        boolean clobber,
        int costPercent,
        long loseAt,
        long outOfMemoryAt,
        @Nullable SurfaceFault surfaceFault,
        boolean lazyMemory) {
    private static final int MAX_NUMBER = 8;
    private static final int MAX_QUEUES = 64;
    private static final int MAX_COST_PERCENT = 100_000;

    /** The order of all work that no wait or barrier orders. */
    public enum Order {
        /** In the order of submission, at once: as if every command waited for all before it. Hides missing waits. */
        IN_ORDER,
        /** An adversary decides by the seed; other seeds show other defects. */
        RANDOM,
        /** The newest first, each as late as possible: shows most missing waits and barriers in one run. */
        REVERSE
    }

    public VirtualGpuOptions {
        if (count(queues) > MAX_QUEUES) {
            throw new IllegalArgumentException("the virtual device has at most " + MAX_QUEUES + " queues, got "
                    + queues.graphics() + "+" + queues.compute() + "+" + queues.copy());
        }
        if (costPercent < 0 || costPercent > MAX_COST_PERCENT) {
            throw new IllegalArgumentException("the cost of work on the virtual device is 0 to " + MAX_COST_PERCENT
                    + " percent, got " + costPercent);
        }
        if (loseAt < 0 || outOfMemoryAt < 0) {
            throw new IllegalArgumentException("the virtual device fails at a submission or allocation counted from 1,"
                    + " or at 0 for never; got " + Math.min(loseAt, outOfMemoryAt));
        }
    }

    /**
     * Options with an adversary, garbage in undefined memory, no faults, and a number of queues as {@link
     * #withQueues(int)} has it.
     */
    public VirtualGpuOptions(int queues, long seed) {
        this(counts(queues), seed, Order.RANDOM, true, 100, 0, 0, null, false);
    }

    private static QueueCounts counts(int queues) {
        if (queues < 1 || queues > MAX_NUMBER) {
            throw new IllegalArgumentException("the virtual device has 1 to " + MAX_NUMBER + " queues, got " + queues
                    + "; for more say how many of each kind, as in queues=16+8+2");
        }
        int copy = queues >= 3 ? 1 : 0;
        return new QueueCounts(1, queues - 1 - copy, copy);
    }

    private static int count(QueueCounts queues) {
        return queues.graphics() + queues.compute() + queues.copy();
    }

    /** Returns the number of queues of all kinds. */
    public int queueCount() {
        return count(queues);
    }

    /** As these, with 1 to 8 queues: one graphics queue, then compute queues; the last of three or more copies. */
    public VirtualGpuOptions withQueues(int count) {
        return withQueues(counts(count));
    }

    /** As these, with some queues of each kind. */
    public VirtualGpuOptions withQueues(QueueCounts counts) {
        return new VirtualGpuOptions(
                counts, seed, order, clobber, costPercent, loseAt, outOfMemoryAt, surfaceFault, lazyMemory);
    }

    /** As these, with another seed. */
    public VirtualGpuOptions withSeed(long other) {
        return new VirtualGpuOptions(
                queues, other, order, clobber, costPercent, loseAt, outOfMemoryAt, surfaceFault, lazyMemory);
    }

    /** As these, in another order. */
    public VirtualGpuOptions withOrder(Order other) {
        return new VirtualGpuOptions(
                queues, seed, other, clobber, costPercent, loseAt, outOfMemoryAt, surfaceFault, lazyMemory);
    }

    /** As these, with or without garbage in undefined memory. */
    public VirtualGpuOptions withClobber(boolean garbage) {
        return new VirtualGpuOptions(
                queues, seed, order, garbage, costPercent, loseAt, outOfMemoryAt, surfaceFault, lazyMemory);
    }

    /** As these, with work that costs a share of the built-in cost model. */
    public VirtualGpuOptions withCostPercent(int percent) {
        return new VirtualGpuOptions(
                queues, seed, order, clobber, percent, loseAt, outOfMemoryAt, surfaceFault, lazyMemory);
    }

    /** As these, losing the device at a submission. */
    public VirtualGpuOptions withLossAt(long submission) {
        return new VirtualGpuOptions(
                queues, seed, order, clobber, costPercent, submission, outOfMemoryAt, surfaceFault, lazyMemory);
    }

    /** As these, refusing an allocation. */
    public VirtualGpuOptions withOutOfMemoryAt(long allocation) {
        return new VirtualGpuOptions(
                queues, seed, order, clobber, costPercent, loseAt, allocation, surfaceFault, lazyMemory);
    }

    /** As these, with a fault of a surface. */
    public VirtualGpuOptions withSurfaceFault(SurfaceFault fault) {
        return new VirtualGpuOptions(
                queues, seed, order, clobber, costPercent, loseAt, outOfMemoryAt, fault, lazyMemory);
    }

    /** As these, with or without lazily allocated memory. */
    public VirtualGpuOptions withLazyMemory(boolean lazy) {
        return new VirtualGpuOptions(
                queues, seed, order, clobber, costPercent, loseAt, outOfMemoryAt, surfaceFault, lazy);
    }
}
