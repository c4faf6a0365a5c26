package io.frameloom.streaming;

/** Which levels of one texture are in memory, and which it is wished in. Guarded by the streamer. */
final class Residency {
    /**
     * Frames for which a finer wish holds when frames wish less, so that a glance aside drops nothing.
     */
    static final int PATIENCE = 60;

    /** Number of the texture. */
    final int index;

    final int priority;
    /** The coarsest levels, from this one on, are in memory always. */
    final int tail;
    /** Bytes of an image whose finest level is the one of the index. */
    private final long[] imageBytes;
    /** Bytes of each level to be loaded. */
    private final long[] levelBytes;

    /** The finest level in memory; the number of levels for none. */
    int resident;
    /** Whether an image with other levels is being loaded. */
    boolean isBusy;
    /** The level that could not be loaded, which is never tried again; below zero for none. */
    int failed = -1;

    private int wished;
    private long wishedAt;
    /** The coarsest level that would do for all frames since the wish that holds. */
    private int since;

    Residency(int index, int priority, int tail, long[] imageBytes, long[] levelBytes) {
        this.index = index;
        this.priority = priority;
        this.tail = tail;
        this.imageBytes = imageBytes;
        this.levelBytes = levelBytes;
        this.resident = levelBytes.length;
        this.wished = tail;
        this.since = tail;
    }

    /** Takes the finest level that a frame wishes; the tail for none. */
    void wish(int level, long frame) {
        int wish = Math.min(level, tail);
        if (wish <= wished) {
            wished = wish;
            wishedAt = frame;
            since = tail;
            return;
        }
        since = Math.min(since, wish);
        if (frame - wishedAt > PATIENCE) {
            wished = since;
            wishedAt = frame;
            since = tail;
        }
    }

    int wished() {
        return wished;
    }

    int levels() {
        return levelBytes.length;
    }

    /** Returns how many levels are missing; below zero for levels that nobody wishes. */
    int lack() {
        return resident - wished;
    }

    boolean isAbsent() {
        return resident == levels();
    }

    /** Returns whether it may have the next larger image. */
    boolean canGrow() {
        return !isBusy && lack() > 0 && next() != failed;
    }

    /** Returns the finest level of the next larger image. */
    int next() {
        return isAbsent() ? tail : resident - 1;
    }

    long imageBytes(int level) {
        return imageBytes[level];
    }

    /** Returns the bytes to be loaded for the next larger image. */
    long nextLoad() {
        if (!isAbsent()) {
            return levelBytes[resident - 1];
        }
        long bytes = 0;
        for (int level = tail; level < levels(); level++) {
            bytes += levelBytes[level];
        }
        return bytes;
    }

    /** Returns the bytes of the image that takes its place if it loses a level; 0 if it cannot lose one. */
    long shrunkBytes(int level) {
        return level < tail ? imageBytes[level + 1] : 0;
    }
}
