package io.frameloom.taskgraph.worker;

import io.frameloom.taskgraph.WorkerLevel;
import io.frameloom.taskgraph.parts.PaddedLong;
import io.frameloom.taskgraph.queue.InjectionQueue;
import io.frameloom.taskgraph.queue.WorkStealingDeque;
import io.frameloom.taskgraph.task.Task;
import io.frameloom.taskgraph.task.Urgency;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is ready for workers: a deque per worker and level for what the worker itself made ready, and a
 * shared queue per level and priority for everything else and for what has high priority.
 *
 * <p>The order is strict but for a bound on starvation. A worker takes nothing of a level while something of a higher
 * one is queued anywhere, and within a level high priority goes first. Within a level and priority its own newest task
 * goes first (its data is in the cache). So a task may be overtaken without end; some turns prevent that. Every 64th
 * turn of a worker at a level takes the oldest task of normal priority rather than its newest own. Every 256th takes
 * the oldest of normal priority before high priority. Every 256th task is looked for from the lowest level up ({@link
 * WorkerPool}). A turn may be followed by a chain of successors, whose length is bounded, too.
 *
 * <p><b>Signs.</b> One word shows which queues may hold something: a bit per shared queue and one per level for all
 * deques, so that looking for more urgent work is one load. A sign is set after a full fence after the publication. A
 * taker that found nothing clears it, looks again <em>afterwards</em> and restores the sign if there is something now.
 * So the thread that publishes and finds the sign set can rely on it: either the clearing comes later and its second
 * look sees the item, or the publisher sees the sign cleared and sets it.
 *
 * <p>Any thread may call any method, except that a worker argument stands for the calling thread.
 */
public final class WorkerQueues {
    static final int LEVELS = 3;

    private static final int SHARED_CAPACITY = 2048;
    private static final int DEQUE_CAPACITY = 256;
    private static final int BACKGROUND = WorkerLevel.BACKGROUND.ordinal();
    /** Signs of the deques follow those of the shared queues. */
    private static final int DEQUE_SIGN = 2 * LEVELS;
    /** Shows that a worker has shares of a broadcast to run; set and cleared by {@link Broadcasts}. */
    private static final long MAIL_SIGN = 1L << (DEQUE_SIGN + LEVELS);

    /** A mask of turns at a level: at which the oldest task of normal priority goes before the newest own one. */
    private static final int OLDEST_TURN = 63;

    /** A mask of turns at a level: at which the oldest task of normal priority goes before high priority. */
    private static final int NORMAL_TURN = 255;

    private final List<InjectionQueue<Task>> shared = new ArrayList<>(2 * LEVELS);
    private final WorkerThread[] workers;
    private final PaddedLong signs = new PaddedLong(0);

    WorkerQueues(WorkerThread[] workers) {
        this.workers = workers;
        for (int i = 0; i < 2 * LEVELS; i++) {
            shared.add(new InjectionQueue<>(SHARED_CAPACITY));
        }
    }

    static WorkStealingDeque<Task> newDeque() {
        return new WorkStealingDeque<>(DEQUE_CAPACITY, 0L);
    }

    /** Queues a task. Returns the number of the sign that has to be {@linkplain #publish published}. */
    int offer(Task task, @Nullable WorkerThread worker) {
        int rank = Urgency.rank(task.urgency());
        if (worker != null && (rank & 1) != 0) {
            int level = rank >> 1;
            worker.deque(level).push(task);
            return DEQUE_SIGN + level;
        }
        return offerShared(task, rank);
    }

    /** As {@link #offer}, where every worker looks. */
    int offerShared(Task task) {
        return offerShared(task, Urgency.rank(task.urgency()));
    }

    private int offerShared(Task task, int rank) {
        shared.get(rank).offer(task);
        return rank;
    }

    /** Makes offered tasks known. A full fence must stand between the offers and this. */
    void publish(int offered) {
        if ((signs.valueVolatile() & offered) != offered) {
            signs.setBits(offered);
        }
    }

    /** A claimed task of the levels above BACKGROUND, or null. */
    @Nullable
    Task takeForeground(WorkerThread worker) {
        for (int level = 0; level < BACKGROUND; level++) {
            Task task = take(worker, level);
            if (task != null) {
                return task;
            }
        }
        return null;
    }

    /** As {@link #takeForeground}, from the lowest level up. */
    @Nullable
    Task takeForegroundFromBelow(WorkerThread worker) {
        for (int level = BACKGROUND - 1; level >= 0; level--) {
            Task task = take(worker, level);
            if (task != null) {
                return task;
            }
        }
        return null;
    }

    /** A claimed task of BACKGROUND, or null. */
    @Nullable
    Task takeBackground(WorkerThread worker) {
        return take(worker, BACKGROUND);
    }

    private @Nullable Task take(WorkerThread worker, int level) {
        int rank = 2 * level + 1;
        // Turns that find nothing do not count: a worker without work overtakes no task.
        int turn = worker.turns[level] + 1;
        Task task = (turn & NORMAL_TURN) == 0 ? oldest(worker, level) : null;
        if (task == null) {
            task = pollSigned(rank - 1);
        }
        if (task == null && (turn & OLDEST_TURN) == 0) {
            task = oldest(worker, level);
        }
        if (task == null) {
            task = popOwn(worker, level);
        }
        if (task == null) {
            task = pollSigned(rank);
        }
        if (task == null) {
            task = steal(worker, level);
        }
        if (task != null) {
            worker.turns[level] = turn;
        }
        return task;
    }

    /** Of normal priority, what has waited longest in the shared queue or else in the worker's own deque; claimed. */
    private @Nullable Task oldest(WorkerThread worker, int level) {
        Task task = pollSigned(2 * level + 1);
        return task != null ? task : stealFrom(worker, level);
    }

    private @Nullable Task pollSigned(int rank) {
        if ((signs.valueVolatile() & sharedSign(rank)) == 0) {
            return null;
        }
        InjectionQueue<Task> queue = shared.get(rank);
        for (Task task = queue.poll(); task != null; task = queue.poll()) {
            if (task.claim()) {
                return task;
            }
        }
        signs.clearBits(sharedSign(rank));
        if (!queue.isEmpty()) {
            signs.setBits(sharedSign(rank));
        }
        return null;
    }

    private static @Nullable Task popOwn(WorkerThread worker, int level) {
        WorkStealingDeque<Task> deque = worker.deque(level);
        for (Task task = deque.pop(); task != null; task = deque.pop()) {
            if (task.claim()) {
                return task;
            }
        }
        return null;
    }

    /**
     * Lets a worker claim a queued task of its choice. If the task is the last that the worker queued, its entry goes,
     * too, and so do stale entries after it; an entry elsewhere stays and is stale.
     */
    public static boolean claim(WorkerThread worker, Task task) {
        WorkStealingDeque<Task> deque = worker.deque(Urgency.rank(task.urgency()) >> 1);
        while (!deque.popIfLast(task)) {
            Task last = deque.last();
            if (last == null || last.isQueued()) {
                break;
            }
            deque.pop();
        }
        // A thief may have been faster.
        return task.claim();
    }

    /**
     * A task at the end of one of the worker's own deques, claimed; or null. It must have the number of a walk: others
     * are for other workers, while this one waits.
     */
    public static @Nullable Task popWanted(WorkerThread worker, int walk) {
        for (int level = 0; level < LEVELS; level++) {
            WorkStealingDeque<Task> deque = worker.deque(level);
            Task last = deque.last();
            while (last != null && (last.walk() == walk || !last.isQueued())) {
                Task task = deque.pop();
                if (task != null && task.claim()) {
                    return task;
                }
                last = deque.last();
            }
        }
        return null;
    }

    private @Nullable Task steal(@Nullable WorkerThread thief, int level) {
        long sign = dequeSign(level);
        if ((signs.valueVolatile() & sign) == 0) {
            return null;
        }
        int first = thief == null ? 0 : thief.victim;
        for (int i = 0; i < workers.length; i++) {
            int victim = first + i < workers.length ? first + i : first + i - workers.length;
            Task task = stealFrom(workers[victim], level);
            if (task != null) {
                if (thief != null) {
                    thief.victim = victim;
                }
                return task;
            }
        }
        signs.clearBits(sign);
        if (anyDeque(level)) {
            signs.setBits(sign);
        }
        return null;
    }

    private static @Nullable Task stealFrom(WorkerThread victim, int level) {
        WorkStealingDeque<Task> deque = victim.deque(level);
        for (Task task = deque.steal(); task != null; task = deque.steal()) {
            if (task.claim()) {
                return task;
            }
        }
        return null;
    }

    private boolean anyDeque(int level) {
        for (WorkerThread worker : workers) {
            if (!worker.deque(level).isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** Whether something that goes before a task of the given urgency may be queued. */
    boolean moreUrgent(int urgency) {
        return (signs.valueVolatile() & signsAbove(urgency)) != 0;
    }

    /** Whether a worker has to look at the queues, or at its mail, before a task of the given urgency. */
    boolean goesBefore(int urgency, WorkerThread worker) {
        long seen = signs.valueVolatile();
        return (seen & signsAbove(urgency)) != 0 || ((seen & MAIL_SIGN) != 0 && worker.context.mail.hasAny());
    }

    private static long signsAbove(int urgency) {
        int rank = Urgency.rank(urgency);
        long sharedAbove = sharedSign(rank) - 1;
        long dequesAbove = dequeSign(rank >> 1) - dequeSign(0);
        return sharedAbove | dequesAbove;
    }

    public boolean showsMail() {
        return (signs.valueVolatile() & MAIL_SIGN) != 0;
    }

    void showMail() {
        signs.setBits(MAIL_SIGN);
    }

    void hideMail() {
        signs.clearBits(MAIL_SIGN);
    }

    boolean hasForeground() {
        for (int level = 0; level < BACKGROUND; level++) {
            if (has(level)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a BACKGROUND task is queued. */
    boolean hasBackground() {
        return has(BACKGROUND);
    }

    /** Whether a BACKGROUND task may be queued. */
    boolean showsBackground() {
        int rank = 2 * BACKGROUND;
        return (signs.valueVolatile() & (sharedSign(rank) | sharedSign(rank + 1) | dequeSign(BACKGROUND))) != 0;
    }

    /** Whether more foreground tasks than a number are queued, by about. */
    boolean hasMoreThan(long tasks) {
        long seen = signs.valueVolatile();
        long size = 0;
        for (int rank = 0; rank < 2 * BACKGROUND && size <= tasks; rank++) {
            size += (seen & sharedSign(rank)) == 0 ? 0 : shared.get(rank).size();
        }
        for (int level = 0; level < BACKGROUND; level++) {
            if ((seen & dequeSign(level)) != 0) {
                for (int w = 0; w < workers.length && size <= tasks; w++) {
                    size += workers[w].deque(level).size();
                }
            }
        }
        return size > tasks;
    }

    private boolean has(int level) {
        long seen = signs.valueVolatile();
        int rank = 2 * level;
        return hasShared(seen, rank)
                || hasShared(seen, rank + 1)
                || ((seen & dequeSign(level)) != 0 && anyDeque(level));
    }

    private boolean hasShared(long seen, int rank) {
        return (seen & sharedSign(rank)) != 0 && !shared.get(rank).isEmpty();
    }

    private static long sharedSign(int rank) {
        return 1L << rank;
    }

    private static long dequeSign(int level) {
        return 1L << (DEQUE_SIGN + level);
    }

    /** Any claimed task, for threads that are no workers; null if there is none. */
    @Nullable
    Task takeAny() {
        for (int level = 0; level < LEVELS; level++) {
            Task task = pollSigned(2 * level);
            task = task != null ? task : pollSigned(2 * level + 1);
            task = task != null ? task : steal(null, level);
            if (task != null) {
                return task;
            }
        }
        return null;
    }

    int size(WorkerLevel level) {
        int size = shared.get(2 * level.ordinal()).size()
                + shared.get(2 * level.ordinal() + 1).size();
        for (WorkerThread worker : workers) {
            size += worker.deque(level.ordinal()).size();
        }
        return size;
    }
}
