package io.frameloom.streaming;

import io.frameloom.gpu.resource.TextureDescription;

/** Which levels of one texture are in memory, and which it is wished in. Guarded by the streamer. */
final class Residency {
    /**
     * Frames for which a finer wish holds when frames wish less, so that a glance aside drops nothing.
     */
    static final int PATIENCE = 60;

    private static final int TAIL_TEXELS = 32;

    /** Number of the texture. */
    final int index;

    final int priority;
    /** The coarsest levels, from this one on, are in memory always. */
    final int tail;
    /** Whether levels come and go one by one. Else a texture needs another image for more or fewer of them. */
    final boolean isSparse;
    /** Bytes of an image whose finest level is the one of the index. */
    private final long[] imageBytes;
    /** Bytes of each level to be loaded. */
    private final long[] levelBytes;

    /** The finest level in memory; the number of levels for none. */
    int resident;
    /** Whether a level is being loaded, or freed. */
    boolean isBusy;
    /** The level that could not be loaded, which is never tried again; below zero for none. */
    int failed = -1;

    private int wished;
    private long wishedAt;
    /** The coarsest level that would do for all frames since the wish that holds. */
    private int since;

    Residency(int index, int priority, int tail, boolean isSparse, long[] imageBytes, long[] levelBytes) {
        this.index = index;
        this.priority = priority;
        this.tail = tail;
        this.isSparse = isSparse;
        this.imageBytes = imageBytes;
        this.levelBytes = levelBytes;
        this.resident = levelBytes.length;
        this.wished = tail;
        this.since = tail;
    }

    /** Returns that of a texture of which nothing is in memory yet. */
    static Residency of(int index, int priority, Ktx2File file, TextureMemory memory) {
        TextureDescription shape = file.description();
        int tail = tail(shape, memory.lastLevel());
        long[] images = new long[shape.mips()];
        long[] loads = new long[shape.mips()];
        for (int level = 0; level < loads.length; level++) {
            loads[level] = file.bytes(level);
            images[level] = level > tail ? 0 : memory.bytes(level);
        }
        return new Residency(index, priority, tail, memory.isSparse(), images, loads);
    }

    /** Returns the first level of a tail, at most a level. */
    static int tail(TextureDescription shape, int most) {
        int tail = most;
        while (tail > 0 && Math.max(shape.width(tail - 1), shape.height(tail - 1)) <= TAIL_TEXELS) {
            tail--;
        }
        return tail;
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

    /** Returns the bytes of all levels from one on; 0 for the number of levels. */
    long imageBytes(int level) {
        return level == levels() ? 0 : imageBytes[level];
    }

    /** Returns the bytes that it takes more to have the levels from one on, until what they replace is freed. */
    long needBytes(int level) {
        return isSparse ? Math.max(0, imageBytes(level) - imageBytes(resident)) : imageBytes(level);
    }

    /** Returns the bytes that are freed when it has the levels from one on. */
    long leftBytes(int level) {
        return isSparse ? Math.max(0, imageBytes(resident) - imageBytes(level)) : imageBytes(resident);
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

    /** Returns the bytes of the image that takes its place if it loses a level; 0 if it cannot, or needs none. */
    long shrunkBytes(int level) {
        return level < tail && !isSparse ? imageBytes[level + 1] : 0;
    }
}
