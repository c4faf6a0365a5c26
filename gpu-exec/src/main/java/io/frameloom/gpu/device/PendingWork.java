package io.frameloom.gpu.device;

import io.frameloom.gpu.command.ExternalPoint;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.error.CrashReport.ListState;
import io.frameloom.gpu.error.CrashReport.QueueState;
import io.frameloom.gpu.error.CrashReport.SubmissionState;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskGraph;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;

/**
 * The pending work of a queue, for the reports of a long wait and of a lost device. Knows the newest submissions, of
 * whose lists it keeps the trails alone; a submission allocates nothing here. Any thread.
 */
public final class PendingWork {
    private static final int KEPT = 64;

    private final String queue;
    private final LongSupplier reached;
    private final TaskGraph tasks;
    /** By value, modulo their number; with the lock. */
    private final Entry[] newest = new Entry[KEPT];

    /** The timeline of a queue whose work is known. */
    public interface Of {
        PendingWork work();
    }

    private static final class Entry {
        private long value;
        private String label = "";
        private List<Submission.Wait> waits = List.of();
        private List<ExternalPoint> externalWaits = List.of();
        private long complete;
        private PassTrail[] trails = {};
        private int[] turns = {};
        private int lists;

        void keep(List<? extends PassTrail.Of> given) {
            lists = given.size();
            if (trails.length < lists) {
                trails = new PassTrail[lists];
                turns = new int[lists];
            }
            for (int i = 0; i < lists; i++) {
                trails[i] = given.get(i).trail();
                turns[i] = trails[i].turn();
            }
        }
    }

    /** A submission as it was when a report began. */
    private record Kept(String label, long complete, List<KeptList> lists) {}

    private record KeptList(PassTrail trail, int turn) {}

    /**
     * @param reached answers the value that its timeline has reached; called at long waits
     * @param tasks task graph that has its events and reports waits that take long
     */
    public PendingWork(String queue, LongSupplier reached, TaskGraph tasks) {
        this.queue = queue;
        this.reached = reached;
        this.tasks = tasks;
        for (int i = 0; i < KEPT; i++) {
            newest[i] = new Entry();
        }
    }

    /**
     * Notes a submission.
     *
     * @param complete value when it is done, {@code value} or the next one
     */
    public synchronized void add(Submission submission, long value, long complete, List<? extends PassTrail.Of> lists) {
        for (long at = value; at <= complete; at++) {
            Entry entry = newest[(int) (at % KEPT)];
            entry.value = at;
            entry.label = submission.label();
            entry.waits = submission.waits();
            entry.externalWaits = submission.externalWaits();
            entry.complete = complete;
            entry.keep(lists);
        }
    }

    /**
     * Returns how far the queue had come, when the device is lost.
     *
     * @param submitted newest value
     * @param at value that is reached
     * @param readers makes the reader of the marks of lists, which are in the order of the queue
     */
    public QueueState state(long submitted, long at, Function<List<PassTrail>, PassTrail.Reader> readers) {
        List<Kept> kept = kept(submitted, at);
        PassTrail.Reader reader = readers.apply(kept.stream()
                .flatMap(each -> each.lists().stream().map(KeptList::trail))
                .toList());
        List<SubmissionState> underWay = new ArrayList<>();
        int number = 0;
        for (Kept each : kept) {
            List<ListState> lists = new ArrayList<>();
            for (KeptList list : each.lists()) {
                ListState state = list.trail().state(list.turn(), number++, reader);
                if (state != null) {
                    lists.add(state);
                }
            }
            underWay.add(new SubmissionState(each.label(), each.complete(), lists));
        }
        return new QueueState(queue, submitted, at, underWay);
    }

    private synchronized List<Kept> kept(long submitted, long at) {
        List<Kept> kept = new ArrayList<>();
        long oldest = Math.max(at, submitted - KEPT) + 1;
        if (oldest > at + 1) {
            kept.add(new Kept("those before", oldest - 1, List.of()));
        }
        for (long value = oldest; value <= submitted; value++) {
            Entry entry = newest[(int) (value % KEPT)];
            if (entry.value == value && entry.complete == value) {
                List<KeptList> lists = new ArrayList<>();
                for (int i = 0; i < entry.lists; i++) {
                    lists.add(new KeptList(entry.trails[i], entry.turns[i]));
                }
                kept.add(new Kept(entry.label, value, lists));
            }
        }
        return kept;
    }

    /** Returns the rest of a sentence that begins with the name of a value. */
    private String reason(long value) {
        return "is completed by the device: " + explain(value);
    }

    private String explain(long value) {
        long at = reached.getAsLong();
        String text = "queue '" + queue + "' has not reached " + value + ", it is at " + at;
        String label;
        List<Submission.Wait> waits;
        List<ExternalPoint> externalWaits;
        synchronized (this) {
            Entry entry = newest[(int) ((at + 1) % KEPT)];
            if (entry.value != at + 1) {
                return text;
            }
            label = entry.label;
            waits = entry.waits;
            externalWaits = entry.externalWaits;
        }
        StringBuilder more = new StringBuilder(text + "; its submission '" + label + "'");
        String separator = " waits for ";
        for (ExternalPoint point : externalWaits) {
            more.append(separator).append(point.isOfTimeline() ? "timeline '" : "semaphore '");
            more.append(point.semaphore().name()).append('\'');
            more.append(point.isOfTimeline() ? " to reach " + point.value() : "");
            separator = " and for ";
        }
        // A wait was submitted after what it waits for, so this ends.
        for (Submission.Wait wait : waits) {
            long awaited = wait.point().value();
            if (wait.point().queue().timeline() instanceof Of other
                    && other.work().reached.getAsLong() < awaited) {
                more.append(separator)
                        .append("another queue: ")
                        .append(other.work().explain(awaited));
                separator = "; and for ";
            }
        }
        return separator.equals(" waits for ") ? more.append(" is not done").toString() : more.toString();
    }

    /**
     * Returns an event for a value, to be completed by the caller; each thread that waits long for it gets the reason.
     *
     * @throws io.frameloom.taskgraph.TaskGraphClosedException if the task graph was closed
     */
    public GraphEvent event(long value) {
        return tasks.event(name(value), () -> reason(value));
    }

    /**
     * Waits for a value; a wait that takes long is reported as those of the task graph are.
     *
     * @param nanos how long at most
     * @param over waits for some nanoseconds at most and answers whether the wait is over
     */
    public void await(long value, long nanos, LongPredicate over) {
        tasks.awaitOutside(name(value), () -> reason(value), nanos, over);
    }

    private String name(long value) {
        return queue + "@" + value;
    }
}
