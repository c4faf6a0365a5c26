package io.frameloom.gpu.cache.disk;

/** The result of reading a program from disk. */
public sealed interface EntryReading {
    /** There is none. */
    record Absent() implements EntryReading {}

    /**
     * There is one that must not be used.
     *
     * @param damage why
     */
    record Damaged(EntryDamage damage) implements EntryReading {}

    /** There is one, and it is whole. */
    record Intact(StoredEntry entry) implements EntryReading {}
}
