package io.frameloom.gpu.device;

/**
 * The sizes of the chunks of a ring of upload memory. A round that needs more than there is takes further chunks, each
 * at least as large as all before. The next round begins with one chunk for the most that rounds have needed lately and
 * half as much again. So slowly growing loads make few chunks, and no round holds more than about three times its
 * bytes. A ring that is four times too large for a whole window of rounds is made smaller. One thread at a time.
 */
final class UploadSizes {
    static final long LEAST = 1 << 20;
    /** A chunk is one ByteBuffer. */
    static final long MOST = Integer.MAX_VALUE;
    /** Rounds after which a spike may be forgotten: between so many and twice as many. */
    static final int WINDOW = 16;

    private static final long TOO_LARGE = 4;

    private final long most;
    /** What the allocations of this round need in one chunk. */
    private long demand;
    /** The most of the rounds of this window. */
    private long peak;

    private int rounds;
    private long first = LEAST;

    /**
     * Sizes of a device.
     *
     * @param most bytes of its largest buffer
     */
    UploadSizes(long most) {
        this.most = Math.min(MOST, most);
    }

    void allocated(long bytes, long step) {
        demand = (demand + step - 1) / step * step + bytes;
    }

    /**
     * Returns the size of the next chunk.
     *
     * @param bytes the allocation that needs it
     * @param reserved bytes of the chunks that there are
     */
    long chunk(long bytes, long reserved) {
        return Math.max(bytes, Math.min(Math.max(first, reserved), most));
    }

    /**
     * Ends a round.
     *
     * @return whether its chunks are to be given up, for one of another size
     */
    boolean endRound(int chunks, long reserved) {
        peak = Math.max(peak, demand);
        demand = 0;
        rounds++;
        boolean replaced = chunks > 1 && peak + peak / 2 <= most;
        if (!replaced && rounds < WINDOW) {
            return false;
        }
        first = Math.max(LEAST, peak + peak / 2);
        replaced |= reserved > LEAST && reserved / TOO_LARGE > peak;
        peak = 0;
        rounds = 0;
        return replaced;
    }
}
