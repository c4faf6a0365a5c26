package io.frameloom.gpu.command;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;

/** What queries of one kind have counted. Immutable, any thread. */
public final class QueryResults {
    private final QueryKind kind;
    private final long[] numbers;

    private QueryResults(QueryKind kind, long[] numbers) {
        this.kind = kind;
        this.numbers = numbers;
    }

    /** Results that were copied to a buffer: {@link CommandList#copyQueries}. */
    public static QueryResults of(QueryKind kind, ByteBuffer copied) {
        Objects.requireNonNull(kind, "kind must not be null");
        Objects.requireNonNull(copied, "copied must not be null");
        long[] numbers = new long[copied.remaining() / kind.bytes() * kind.numbers()];
        copied.duplicate().order(ByteOrder.nativeOrder()).asLongBuffer().get(numbers);
        return new QueryResults(kind, numbers);
    }

    /**
     * Results as numbers.
     *
     * @param numbers {@link QueryKind#numbers} for each query, -1 where nothing was counted
     */
    public static QueryResults of(QueryKind kind, long[] numbers) {
        Objects.requireNonNull(kind, "kind must not be null");
        Objects.requireNonNull(numbers, "numbers must not be null");
        return new QueryResults(kind, numbers.clone());
    }

    /** Returns what the queries count. */
    public QueryKind kind() {
        return kind;
    }

    /** Returns the number of queries. */
    public int count() {
        return numbers.length / kind.numbers();
    }

    /** Returns whether a list has counted a query; always true for results that a list has copied. */
    public boolean isCounted(int query) {
        return number(query, 0) >= 0;
    }

    /**
     * Returns how many samples a query has seen, -1 if it was not counted; with {@link QueryKind#ANY_SAMPLE} a number
     * that is not 0 means that there were some.
     *
     * @throws IllegalArgumentException if it counts something else, or there is no such query
     */
    public long samples(int query) {
        require(kind == QueryKind.ANY_SAMPLE || kind == QueryKind.SAMPLES, "samples");
        return number(query, 0);
    }

    /**
     * Returns how many bytes a copy of the structure of a query takes, -1 if none was measured.
     *
     * @throws IllegalArgumentException if it counts something else, or there is no such query
     */
    public long bytes(int query) {
        require(kind.isOfStructures(), "bytes");
        return number(query, 0);
    }

    /**
     * Returns a statistic of a query, -1 if it was not counted.
     *
     * @throws IllegalArgumentException if it counts samples, or there is no such query
     */
    public long statistic(int query, PipelineStatistic which) {
        require(kind == QueryKind.STATISTICS, "statistics");
        return number(query, which.ordinal());
    }

    /**
     * Returns the results of one query alone.
     *
     * @throws IllegalArgumentException if there is no such query
     */
    public QueryResults one(int query) {
        number(query, 0);
        int first = query * kind.numbers();
        return new QueryResults(kind, Arrays.copyOfRange(numbers, first, first + kind.numbers()));
    }

    private void require(boolean counted, String what) {
        if (!counted) {
            throw new IllegalArgumentException("queries of " + kind + " have no " + what);
        }
    }

    private long number(int query, int which) {
        if (query < 0 || query >= count()) {
            throw new IllegalArgumentException(
                    "there are " + count() + " queries of " + kind + ", not number " + query);
        }
        return numbers[query * kind.numbers() + which];
    }
}
