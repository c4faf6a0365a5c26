package io.frameloom.taskgraph;

import io.frameloom.taskgraph.parts.Arguments;
import io.frameloom.taskgraph.parts.FixedIdlePolicy;
import io.frameloom.taskgraph.parts.LoggingFailureHandler;
import io.frameloom.taskgraph.parts.LoggingStallListener;
import io.frameloom.taskgraph.parts.TaskGraphOptions;
import io.frameloom.taskgraph.property.PropertyGroup;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The options of a task graph, made by {@link TaskGraph#builder()}. Used by one thread. */
public final class TaskGraphBuilder {
    /** The longest time that the creation of a graph spends on measuring wake-ups. */
    private static final long LONGEST_MEASUREMENT_NANOS = 1_000_000L;

    private static final PropertyGroup PROPERTIES = new PropertyGroup(
            "frameloom.taskgraph.", "workers", "spareWorkers", "reservedWorkers", "spinNanos", "stallMillis");

    private String name = "frameloom";
    private int workers = Math.max(
            1, Math.min(TaskGraphOptions.MAX_WORKERS, Runtime.getRuntime().availableProcessors() - 1));
    private int spareWorkers;
    private int reservedWorkers = -1;
    private @Nullable TaskObserver observer;
    private IdlePolicy idlePolicy = IdlePolicy.framePhase();
    private @Nullable FailureHandler uncaughtHandler;
    private Duration stallLimit = Duration.ofSeconds(5);
    private @Nullable StallListener stallListener;
    private boolean priorityInheritance = true;
    private @Nullable ThreadScheduler scheduler;

    TaskGraphBuilder() {}

    /** Returns the names of the system properties of {@link #build}, such as {@code frameloom.taskgraph.workers}. */
    public static Set<String> propertyNames() {
        return PROPERTIES.names();
    }

    /**
     * Names the graph; its threads are called after it. "frameloom" unless set.
     *
     * @param name non-blank name
     */
    public TaskGraphBuilder name(String name) {
        this.name = Arguments.requiredName(name, "a task graph");
        return this;
    }

    /**
     * Sets the number of workers; one less than the available processors unless set.
     *
     * @param n 1 to 1000
     */
    public TaskGraphBuilder workers(int n) {
        if (n < 1 || n > TaskGraphOptions.MAX_WORKERS) {
            throw new IllegalArgumentException(
                    "workers must be in [1, " + TaskGraphOptions.MAX_WORKERS + "], not " + n);
        }
        this.workers = n;
        return this;
    }

    /**
     * Sets how many threads may stand in for workers that block outside of the graph ({@link TaskGraph#beginBlocking}).
     * None unless set, because every one is a {@linkplain TaskGraph#slotCount slot} for which an application may keep
     * memory. As many spare workers as workers let every worker block. They are started when they are needed.
     *
     * @param n 0 or more; at most 1000 together with the workers
     */
    public TaskGraphBuilder spareWorkers(int n) {
        if (n < 0 || n >= TaskGraphOptions.MAX_WORKERS) {
            throw new IllegalArgumentException(
                    "spareWorkers must be in [0, " + (TaskGraphOptions.MAX_WORKERS - 1) + "], not " + n);
        }
        this.spareWorkers = n;
        return this;
    }

    /**
     * Sets how many workers {@link WorkerLevel#BACKGROUND} work may never occupy; a quarter of the
     * workers, at least one, unless set. Limited to one less than the workers.
     *
     * @param k 0 or more
     */
    public TaskGraphBuilder reservedWorkers(int k) {
        if (k < 0) {
            throw new IllegalArgumentException("reservedWorkers must not be negative, but is " + k);
        }
        this.reservedWorkers = k;
        return this;
    }

    /** Sets the observer; none unless set. */
    public TaskGraphBuilder observer(TaskObserver observer) {
        this.observer = required(observer, "observer");
        return this;
    }

    /** Sets the idle policy; {@link IdlePolicy#framePhase()} unless set. */
    public TaskGraphBuilder idlePolicy(IdlePolicy idlePolicy) {
        this.idlePolicy = required(idlePolicy, "idlePolicy");
        return this;
    }

    /**
     * Sets the receiver of failures that no thread has seen. Unless set they are logged as errors through the {@link
     * System.Logger} {@code io.frameloom.taskgraph}.
     */
    public TaskGraphBuilder uncaughtHandler(FailureHandler uncaughtHandler) {
        this.uncaughtHandler = required(uncaughtHandler, "uncaughtHandler");
        return this;
    }

    /**
     * Sets how long a wait for an event or run may last before it is reported, with what holds it up, and to which
     * listener. Unless set, a wait of more than five seconds is a warning in the {@link System.Logger} {@code
     * io.frameloom.taskgraph}. Threads that the same thing holds up share one warning. A wait that goes on is reported
     * again after gaps that double. A thread that processes its queues and waits for nothing is not reported. Not
     * together with a {@link #scheduler}: it reports deadlocks itself, and no time passes on its clock.
     *
     * @param limit the longest wait without a report, at least 1 ns
     * @param listener receives the reports
     */
    public TaskGraphBuilder stallWatchdog(Duration limit, StallListener listener) {
        required(limit, "limit");
        required(listener, "listener");
        if (limit.isNegative() || limit.isZero()) {
            throw new IllegalArgumentException("the limit of a stall watchdog must be positive, but is " + limit);
        }
        this.stallLimit = limit;
        this.stallListener = listener;
        return this;
    }

    /**
     * Sets whether the work that urgent work waits for becomes as urgent. It is on unless set. Urgency is the {@link
     * WorkerLevel}, then the {@link TaskPriority}.
     *
     * <p>The launch of a worker task of high priority or level raises its unstarted prerequisites, and theirs in turn.
     * So does the wait of such a task or of a named thread ({@link GraphEvent#await()}). A raised BACKGROUND task may
     * occupy reserved workers. A task of a named thread keeps its place there unless something of high level or
     * priority needs it; its launch raises nothing. Compiled graphs take no part.
     *
     * @param enabled false to take every task by its own level and priority only
     */
    public TaskGraphBuilder priorityInheritance(boolean enabled) {
        this.priorityInheritance = enabled;
        return this;
    }

    /**
     * Puts all threads of the graph, and those that use it, under the control of a scheduler, for tests. Unless set the
     * operating system schedules them. With a scheduler nothing spins, whatever the idle policy, and every time limit
     * is on the scheduler's clock.
     */
    public TaskGraphBuilder scheduler(ThreadScheduler scheduler) {
        this.scheduler = required(scheduler, "scheduler");
        return this;
    }

    /**
     * Creates the graph and starts its workers. If the idle policy needs it, measures for up to a millisecond how long
     * their wake-up takes. These system properties override the builder: {@code frameloom.taskgraph.workers}, {@code
     * frameloom.taskgraph.spareWorkers}, {@code frameloom.taskgraph.reservedWorkers}, {@code
     * frameloom.taskgraph.spinNanos} (a fixed spin time instead of the idle policy) and {@code
     * frameloom.taskgraph.stallMillis} (the limit of {@link #stallWatchdog}; 0 or {@code off} reports nothing).
     *
     * @throws SystemPropertyException if a system property has a wrong value
     * @throws IllegalArgumentException if there are more than 1000 workers with the spare ones
     * @throws IllegalStateException if both a scheduler and a stall watchdog were given
     */
    public TaskGraph build() {
        if (scheduler != null && stallListener != null) {
            throw new IllegalStateException("a graph with a scheduler has no stall watchdog: the scheduler finds "
                    + "deadlocks itself; leave one of the two out");
        }
        int n = PROPERTIES.number("workers", workers, 1, TaskGraphOptions.MAX_WORKERS);
        int wished = reservedWorkers < 0 ? Math.max(1, n / 4) : reservedWorkers;
        int reserved = PROPERTIES.number("reservedWorkers", wished, 0, Integer.MAX_VALUE);
        int spares = PROPERTIES.number("spareWorkers", spareWorkers, 0, TaskGraphOptions.MAX_WORKERS - 1);
        if (n + spares > TaskGraphOptions.MAX_WORKERS) {
            throw new IllegalArgumentException("task graph '" + name + "' has " + n + " workers and " + spares
                    + " spare ones; it can have " + TaskGraphOptions.MAX_WORKERS + " of both together");
        }
        int spin = PROPERTIES.number("spinNanos", -1, 0, Integer.MAX_VALUE);
        Duration limit = stallLimit();
        TaskGraph graph = new TaskGraph(new TaskGraphOptions(
                name,
                n,
                spares,
                Math.min(reserved, n - 1),
                observer,
                idlePolicy(spin),
                uncaughtHandler != null ? uncaughtHandler : new LoggingFailureHandler(name),
                scheduler != null ? Duration.ZERO : limit,
                stallListener != null
                        ? stallListener
                        : new LoggingStallListener(name, System.getLogger("io.frameloom.taskgraph")),
                priorityInheritance,
                scheduler));
        if (scheduler != null) {
            scheduler.explainWith(name, graph::describeWaits);
        }
        graph.parts.workers().start();
        if (!(graph.parts.options().idlePolicy() instanceof FixedIdlePolicy)) {
            graph.parts.workers().measureWakeUps(LONGEST_MEASUREMENT_NANOS);
        }
        return graph;
    }

    private Duration stallLimit() {
        @Nullable String millis = PROPERTIES.text("stallMillis");
        if (millis == null) {
            return stallLimit;
        }
        return millis.trim().equals("off")
                ? Duration.ZERO
                : Duration.ofMillis(PROPERTIES.number("stallMillis", 0, 0, Integer.MAX_VALUE));
    }

    private <T> T required(@Nullable T value, String parameter) {
        return Arguments.required(value, parameter, "task graph", name);
    }

    private IdlePolicy idlePolicy(int spinNanos) {
        if (scheduler != null) {
            return IdlePolicy.parking();
        }
        return spinNanos < 0 ? idlePolicy : IdlePolicy.spinning(Duration.ofNanos(spinNanos));
    }
}
