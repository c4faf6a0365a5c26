package io.frameloom.gpu.vulkan.pipeline;

import org.jspecify.annotations.Nullable;

/**
 * Descriptor sets of the last requested layout, allocated several at once: as many as were requested in a row, so that
 * never more are left over than were used. One thread at a time.
 */
final class SetSupply {
    private static final int MOST = 16;

    private final DescriptorPools pools;
    private final long[] ready = new long[MOST];
    private int left;
    private int inARow;
    private @Nullable SetLayout layout;

    SetSupply(DescriptorPools pools) {
        this.pools = pools;
    }

    /**
     * Returns an unused set.
     *
     * @param needs needs of one set
     */
    long next(SetLayout wanted, int[] needs) {
        if (layout != wanted) {
            layout = wanted;
            left = 0;
            inARow = 0;
        }
        if (left == 0) {
            left = pools.allocate(wanted.handle(), needs, ready, Math.max(1, Math.min(inARow, MOST)));
        }
        inARow++;
        left--;
        return ready[left];
    }

    /** Forgets the sets, whose pools are about to be emptied. */
    void forget() {
        layout = null;
    }
}
