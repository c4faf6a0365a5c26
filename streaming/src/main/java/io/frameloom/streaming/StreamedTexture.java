package io.frameloom.streaming;

import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.taskgraph.GraphEvent;
import org.jspecify.annotations.Nullable;

/** A texture that a {@link TextureStreamer} keeps in memory as fine as frames need it. Any thread. */
public final class StreamedTexture implements AutoCloseable {
    private static final int NOT_WISHED = Integer.MAX_VALUE;

    final Ktx2File file;
    final Residency residency;
    final TextureMemory memory;

    final TextureStreamer owner;
    private final int index;

    /** What frames sample; null for the placeholder. This and what follows is guarded by the streamer. */
    @Nullable
    ResidentImage image;

    @Nullable
    Load load;

    @Nullable
    Throwable failure;

    boolean isClosed;

    private int wish = NOT_WISHED;

    StreamedTexture(TextureStreamer owner, int index, Ktx2File file, Residency residency, TextureMemory memory) {
        this.owner = owner;
        this.index = index;
        this.file = file;
        this.residency = residency;
        this.memory = memory;
    }

    /** Levels on their way from the file. */
    static final class Load {
        final int level;
        final long bytes;
        /** What they take more in memory. */
        final long imageBytes;
        /** Ends when the levels are on their way, and what follows is set; fails with an {@link Error} alone. */
        @Nullable
        GraphEvent read;

        @Nullable
        ResidentImage image;

        @Nullable
        GraphEvent arrived;

        @Nullable
        Throwable failure;

        Load(int level, long bytes, long imageBytes) {
            this.level = level;
            this.bytes = bytes;
            this.imageBytes = imageBytes;
        }

        /** Returns whether the levels have arrived or failed. */
        boolean isOver() {
            return read != null && read.isComplete() && (arrived == null || arrived.isComplete());
        }

        /** Returns why a load that is over has failed, or null. */
        @Nullable
        Throwable failure() {
            return failure == null && arrived != null ? arrived.failure() : failure;
        }
    }

    /** Returns the image of the levels from one on. */
    static TextureDescription shape(Ktx2File file, int level) {
        TextureDescription whole = file.description();
        return new TextureDescription(
                whole.width(level), whole.height(level), whole.mips() - level, 1, whole.format(), whole.usage());
    }

    /** Returns the number that shaders and the feedback know it by. Another texture may get it after {@link #close}. */
    public int index() {
        return index;
    }

    /** Returns the file. */
    public Ktx2File file() {
        return file;
    }

    /** Returns the finest level that the next frame has in memory; the number of levels if there is none. */
    public int residentLevel() {
        synchronized (owner) {
            return residency.resident;
        }
    }

    /**
     * Asks for a level in the next frame, as shaders do; the finest that anybody asks for counts. Ask in every frame
     * for as long as the level is wished.
     *
     * @param level level of the whole texture, 0 for the finest; larger ones than there are count as the coarsest
     */
    public void wish(int level) {
        if (level < 0) {
            throw new IllegalArgumentException("levels are counted from 0, got " + level);
        }
        synchronized (owner) {
            wish = Math.min(wish, level);
        }
    }

    /** Takes and forgets what the application wishes. */
    void takeWish(long frame) {
        if (wish != NOT_WISHED) {
            residency.wish(wish, frame);
            wish = NOT_WISHED;
        }
    }

    /**
     * Returns why a level could not be loaded, such as a {@link Ktx2Exception}; null if all is well. The texture keeps
     * the levels that it has, and gets no finer ones: close it and register the file again. Want of device memory or of
     * slots is no failure: frames try again.
     */
    public @Nullable Throwable failure() {
        synchronized (owner) {
            return failure;
        }
    }

    /**
     * Frees the texture when the frames that it was added to are done; frames after those must not use it. A second
     * call does nothing.
     */
    @Override
    public void close() {
        owner.remove(this);
    }
}
