package io.frameloom.gpu.record;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.QueryKind;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.RenderingFormats;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The queries of a command list: those that are open, and those that it has counted. Only these does it copy, so that no
 * copy waits for a result that never comes. Used for one list after another. One thread at a time.
 */
final class QueryRules {
    /** A query that was begun and not ended, with where it was begun; kept for the next one that counts the same. */
    private static final class Open {
        private @Nullable RecordedQueries set;
        private int index;
        private final Place begun = new Place();

        private String described() {
            return "query " + index + " of set '" + name(Objects.requireNonNull(set)) + "'";
        }
    }

    /** What the list has counted of one set; kept for the next list. */
    private static final class Counted {
        private @Nullable RecordedQueries set;
        private final BitSet queries = new BitSet();
    }

    private final RecordingRules rules;
    private final Open samples = new Open();
    private final Open statistics = new Open();
    private final List<Counted> counted = new ArrayList<>(0);
    /** How many of these are of this list. */
    private int sets;

    QueryRules(RecordingRules rules) {
        this.rules = rules;
    }

    /** Takes another list, whose recording begins. */
    void clear() {
        samples.set = null;
        statistics.set = null;
        for (int i = 0; i < sets; i++) {
            counted.get(i).set = null;
            counted.get(i).queries.clear();
        }
        sets = 0;
    }

    /** Notes that a query begins; throws unless it may. */
    void begin(RecordedQueries set, int index) {
        String command = "beginQuery";
        rules.requireRecording(command);
        rules.requireQueue(command, QueueKind.GRAPHICS);
        requireMeasured(command, set, false);
        requireOneView(command, "count in one without");
        Open open = open(set);
        if (open.set != null) {
            throw new IllegalStateException(rules.where(command) + ": " + open.described() + " is open and counts "
                    + open.set.kind() + "; end it first, since one query counts "
                    + (set.kind() == QueryKind.STATISTICS ? "statistics" : "samples") + " at a time");
        }
        set.written().write(rules.list(), index);
        open.set = set;
        open.index = index;
        open.begun.take(rules);
    }

    /** Notes that an acceleration structure is measured; throws unless it may. */
    void measure(RecordedQueries set, int index) {
        requireMeasured("measureAccelerationStructure", set, true);
        set.written().write(rules.list(), index);
        of(set).set(index);
    }

    private void requireMeasured(String command, RecordedQueries set, boolean measures) {
        if (set.kind().isOfStructures() != measures) {
            throw new IllegalArgumentException(rules.where(command) + ": query set '" + name(set) + "' counts "
                    + set.kind() + "; take one that counts "
                    + (measures ? "COMPACTED_BYTES or SERIALIZED_BYTES" : "samples or statistics"));
        }
    }

    /** With several views a driver takes as many queries in a row, and may count all views in any of them. */
    void requireOneView(String command, String instead) {
        RenderingInfo rendering = rules.rendering();
        RenderingFormats inherited = rules.inherited();
        int views = rendering != null ? rendering.views() : inherited == null ? 0 : inherited.views();
        if (views > 1) {
            throw new IllegalStateException(rules.where(command) + " is in a render pass with multiview of " + views
                    + " layers, which takes a query for each; " + instead);
        }
    }

    /** Throws if a query is open around a render pass with several views. */
    void requireNoneAround(RenderingInfo begun) {
        if (begun.views() > 1) {
            requireNone("beginRendering");
        }
    }

    private Open open(RecordedQueries set) {
        return set.kind() == QueryKind.STATISTICS ? statistics : samples;
    }

    /** Notes that the open query of a set ends; returns its number, or throws unless it may. */
    int end(RecordedQueries set) {
        String command = "endQuery";
        rules.requireRecording(command);
        Open open = open(set);
        if (open.set != set) {
            throw new IllegalStateException(
                    rules.where(command) + ": no query of set '" + name(set) + "' is open; call beginQuery first");
        }
        if (!open.begun.isAt(rules)) {
            throw new IllegalStateException(rules.where(command) + ": " + open.described()
                    + " was begun outside of the render pass, pass or part that is open now; end it where it was"
                    + " begun");
        }
        open.set = null;
        of(set).set(open.index);
        return open.index;
    }

    /** Throws if a query is open that was begun in the open render pass. */
    void requireEndedRendering() {
        require("endRendering", !samples.begun.isInRendering(), !statistics.begun.isInRendering());
    }

    /** Throws if a query is open that was begun in the open part of a pass. */
    void requireEndedPart() {
        require("endPart", !samples.begun.isInPart(), !statistics.begun.isInPart());
    }

    /** Throws if a query is open that was begun in the open pass. */
    void requireEndedPass() {
        require("endPass", !samples.begun.isInPass(), !statistics.begun.isInPass());
    }

    /** Throws if statistics are counted: no device counts vertices of drawn mesh tasks. */
    void requireNoStatistics(String command) {
        requireEnded(command, statistics, false);
    }

    /** Throws if a query is open. */
    void requireNone(String command) {
        require(command, false, false);
    }

    private void require(String command, boolean samplesStay, boolean statisticsStay) {
        requireEnded(command, samples, samplesStay);
        requireEnded(command, statistics, statisticsStay);
    }

    private void requireEnded(String command, Open query, boolean stays) {
        if (query.set != null && !stays) {
            throw new IllegalStateException(
                    rules.where(command) + ": " + query.described() + " is still open; call endQuery before");
        }
    }

    /** Takes over what a list has counted that this one executes. */
    void addAll(QueryRules executed) {
        for (int i = 0; i < executed.sets; i++) {
            Counted other = executed.counted.get(i);
            if (other.set != null) {
                of(other.set).or(other.queries);
            }
        }
    }

    /** Checks a copy of results. */
    void copy(RecordedQueries set, int first, int count, Buffer destination, long offset) {
        String command = "copyQueries";
        requireNone(command);
        rules.requireQueue(command, QueueKind.GRAPHICS);
        String name = name(set);
        if (first < 0 || count < 1 || first > set.count() - count) {
            throw new IllegalArgumentException(rules.where(command) + ": query set '" + name + "' has " + set.count()
                    + " queries, not " + count + " from " + first + " on");
        }
        BitSet mine = of(set);
        for (int i = first; i < first + count; i++) {
            if (set.written().isWritten(i) && !mine.get(i)) {
                throw new IllegalStateException(rules.where(command) + ": query " + i + " of set '" + name
                        + "' is counted by another list; copy it in that list, or in the one that executes it");
            }
        }
        long bytes = (long) count * set.kind().bytes();
        Ranges.usage(rules, command, destination, BufferUsage.COPY_DST);
        Ranges.aligned(rules, command, destination, "offset", offset, Long.BYTES);
        Ranges.range(rules, command, destination, offset, bytes);
        rules.reports().uses(destination, offset, bytes, Access.COPY_DST);
    }

    /** Returns the queries of a set that the list has counted. */
    BitSet of(RecordedQueries set) {
        for (int i = 0; i < sets; i++) {
            if (counted.get(i).set == set) {
                return counted.get(i).queries;
            }
        }
        if (sets == counted.size()) {
            counted.add(new Counted());
        }
        Counted next = counted.get(sets++);
        next.set = set;
        return next.queries;
    }

    private static String name(RecordedQueries set) {
        return ((Perishable) set).name();
    }
}
