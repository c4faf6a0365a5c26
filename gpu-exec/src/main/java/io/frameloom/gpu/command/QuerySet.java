package io.frameloom.gpu.command;

import io.frameloom.gpu.resource.Resource;

/**
 * Queries of one kind, each counted by command lists once between two resets: see {@link CommandList#beginQuery}. A
 * list copies results to a buffer by {@link CommandList#copyQueries}; the host reads them by {@link #read}.
 */
public interface QuerySet extends AutoCloseable {
    /** Returns what the queries count. */
    QueryKind kind();

    /** Returns the number of queries. */
    int count();

    /**
     * Forgets all results and which lists count. Call it before recording, when no submission that counts or copies is
     * pending; also before recording anew what was not submitted. Any thread.
     */
    void reset();

    /**
     * Reads all results; numbers of queries that no list has counted are -1. Call it when the submission has completed.
     * Any thread.
     */
    QueryResults read();

    /** Closes the set as a {@link Resource} is closed, also in use; a second call does nothing. */
    @Override
    void close();
}
