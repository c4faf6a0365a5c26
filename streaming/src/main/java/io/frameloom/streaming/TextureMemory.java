package io.frameloom.streaming;

/** Where a streamed texture has its levels. Guarded by the streamer, but for {@link #create}. */
interface TextureMemory {
    /** Returns whether levels come and go one by one, and the others stay where they are. */
    boolean isSparse();

    /** Returns the last level that can have memory without those before it. */
    int lastLevel();

    /** Returns the bytes of the levels from one on. */
    long bytes(int level);

    /**
     * Returns the levels from one on. Those before an end are new and without contents: the loader's uploads come after
     * they have memory. Any thread.
     */
    ResidentImage create(int level, int end);

    /** Returns levels that have arrived as frames look at them. */
    ResidentImage shown(ResidentImage filled);

    /** Frees levels when the next frame has ended, from the finest of an image on to an end. No later frame uses it. */
    void leave(Residency residency, ResidentImage image, int end);

    /** Frees what is left, when all that was created is closed. */
    void close();
}
