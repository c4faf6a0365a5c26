package io.frameloom.taskgraph.deterministic;

import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.TaskBody;
import io.frameloom.taskgraph.ThreadScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the threads of a program one at a time, in an order that a seed decides, so that what goes wrong can
 * be repeated. See the package description for how to use it.
 *
 * <p>The threads are real platform threads, but exactly one of them has the <em>baton</em> and runs; the
 * others are blocked. At every {@linkplain SchedulingPoint point} of the graph's protocols, and wherever a thread
 * would block, the {@linkplain Exploration policy} decides who gets the baton. The clock stands still while
 * somebody can run; when all wait, it jumps to the earliest deadline, and if there is none the run fails with a
 * {@link DeadlockException}.
 *
 * <p>All methods may be called only by threads of the run: the one that runs the program, those of its
 * graphs, and those started by {@link #thread}. Such threads must not wait for each other by other means (locks held
 * across a point, latches, sleeps): nobody would pass the baton on, which is found out after some seconds
 * and fails the run.
 *
 * <p>What it does not find: errors in the memory ordering of lock-free code, since every hand-over of the
 * baton orders memory.
 */
public final class DeterministicScheduler implements ThreadScheduler {
    /** Close to the overflow, so that code that compares times instead of subtracting them is found. */
    private static final long FIRST_TIME = Long.MAX_VALUE - 1_000_000_000L;

    /** A thread that went on so often while others could have has them go first for once. */
    private static final int LONGEST_STRETCH = 1_000;

    private final Policy policy;
    private final int maxSteps;
    private final boolean timePasses;

    private final ConcurrentHashMap<Thread, ControlledThread> byThread = new ConcurrentHashMap<>();
    private final CountDownLatch finished = new CountDownLatch(1);
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    /** For the thread that watches the run. */
    private final AtomicInteger progress = new AtomicInteger();

    private volatile @Nullable ControlledThread baton;

    // The rest belongs to whoever has the baton.
    private final List<ControlledThread> threads = new ArrayList<>();
    private final Map<String, Supplier<String>> explanations = new LinkedHashMap<>();
    private final List<ControlledThread> ready = new ArrayList<>();
    private final RunLog log = new RunLog();
    private long now = FIRST_TIME;
    private int stretch;
    private boolean aborting;
    private boolean reporting;

    DeterministicScheduler(Policy policy, int maxSteps, boolean timePasses) {
        this.policy = policy;
        this.maxSteps = maxSteps;
        this.timePasses = timePasses;
    }

    /**
     * Runs a program under many schedules. Called from any thread; each run gets a scheduler and a main thread of
     * its own. The run is over when all its threads have ended.
     *
     * @param exploration the schedules
     * @param program the program
     * @return what was covered
     * @throws ScheduleFailure if a run threw, left a thread that died of an exception, deadlocked, took too
     *     many steps, or blocked where the scheduler cannot see it
     */
    public static Explored explore(Exploration exploration, ScheduledProgram program) {
        return Explorer.explore(exploration, Objects.requireNonNull(program, "program"));
    }

    /**
     * Starts another thread of the program.
     *
     * @param name its name
     * @param body what it does; what it throws fails the run
     * @return the started thread, to be waited for with {@link #join}
     */
    public Thread thread(String name, TaskBody body) {
        Thread thread = program(name, body);
        start(thread);
        return thread;
    }

    /**
     * Lets other threads go first, in the middle of a body or of a thread's own code: a point at which what the
     * program does can be interleaved.
     *
     * @param subject what the thread is about to do, in words, for the log and for {@link Exploration#delaying}
     */
    public void point(String subject) {
        reached(SchedulingPoint.USER, subject);
    }

    /**
     * Waits for a time on the scheduler's clock.
     *
     * @param time the time
     */
    public void sleep(Duration time) {
        long deadline = now + time.toNanos();
        while (deadline - now > 0L) {
            parkUntil("sleep", deadline);
        }
    }

    /**
     * The schedule so far.
     *
     * @return the schedule, for {@link Exploration#replay(Schedule)}
     */
    public Schedule schedule() {
        requireBaton("schedule");
        return log.schedule();
    }

    /**
     * What the threads did so far.
     *
     * @return one line per step
     */
    public List<String> log() {
        requireBaton("log");
        return log.lines();
    }

    @Override
    public void start(Thread thread) {
        ControlledThread me = requireBaton("start of thread '" + thread.getName() + "'");
        throwIfAborting();
        ControlledThread started = register(thread);
        boolean running = false;
        try {
            thread.start();
            running = true;
        } finally {
            if (!running) {
                started.state = ControlledThread.State.ENDED;
            }
        }
        log.add(me, "starts", null, thread.getName());
        passOn(me);
    }

    @Override
    public void begin() {
        ControlledThread me = byThread.get(Thread.currentThread());
        if (me == null) {
            throw uncontrolled("begin");
        }
        awaitBaton(me);
        if (aborting) {
            me.state = ControlledThread.State.ENDED;
            giveAway(me);
            throw new ScheduleAborted();
        }
    }

    @Override
    public void end() {
        ControlledThread me = requireBaton("end");
        me.state = ControlledThread.State.ENDED;
        log.add(me, "ends", null, null);
        giveAway(me);
    }

    @Override
    public void reached(SchedulingPoint point, @Nullable String subject) {
        ControlledThread me = requireBaton(point.name());
        if (reporting) {
            return;
        }
        me.point = point;
        me.subject = subject;
        log.add(me, "reaches", point, subject);
        passOn(me);
    }

    @Override
    public void park(Object blocker) {
        park(blocker, false, 0L);
    }

    @Override
    public void parkUntil(Object blocker, long deadlineNanos) {
        park(blocker, true, deadlineNanos);
    }

    private void park(Object blocker, boolean timed, long deadline) {
        ControlledThread me = requireBaton("park");
        throwIfAborting();
        me.state = ControlledThread.State.PARKED;
        me.blocker = blocker;
        me.timed = timed;
        me.deadline = deadline;
        log.add(me, timed ? "parks until a deadline" : "parks", null, null);
        passOn(me);
        me.permit = false;
        me.state = ControlledThread.State.READY;
    }

    @Override
    public void unpark(Thread thread) {
        ControlledThread me = requireBaton("unpark");
        ControlledThread target = byThread.get(thread);
        if (target == null) {
            throw new IllegalStateException("thread '" + thread.getName()
                    + "' is not controlled by the deterministic scheduler and cannot be woken by it; start it with "
                    + "DeterministicScheduler.thread");
        }
        me.point = SchedulingPoint.WAKE;
        me.subject = target.name();
        log.add(me, "wakes", null, target.name());
        passOn(me);
        target.permit = true;
    }

    @Override
    public void join(Thread thread) throws InterruptedException {
        ControlledThread me = requireBaton("join");
        throwIfAborting();
        ControlledThread target = byThread.get(thread);
        if (target == null) {
            throw new IllegalStateException(
                    "thread '" + thread.getName()
                            + "' is not controlled by the deterministic scheduler; start it with DeterministicScheduler.thread");
        }
        if (target.state != ControlledThread.State.ENDED) {
            me.state = ControlledThread.State.JOINING;
            me.joined = target;
            log.add(me, "joins", null, target.name());
            passOn(me);
            me.state = ControlledThread.State.READY;
            if (target.state != ControlledThread.State.ENDED && Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
        joinEnded(thread);
    }

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public void explainWith(String graph, Supplier<String> waits) {
        requireBaton("explainWith");
        explanations.put(graph, waits);
    }

    /** Begins the run with its main thread. Called once, by the thread that watches. */
    void launch(Thread main) {
        baton = register(main);
        main.start();
    }

    /** A thread of the program, not yet started. */
    Thread program(String name, TaskBody body) {
        Thread thread = new Thread(null, () -> runProgram(body), name, 0, false);
        thread.setDaemon(true);
        return thread;
    }

    private void runProgram(TaskBody body) {
        begin();
        try {
            body.run();
        } catch (Throwable t) {
            if (!(t instanceof ScheduleAborted)) {
                fail(t);
            }
        } finally {
            end();
        }
    }

    CountDownLatch finished() {
        return finished;
    }

    int progress() {
        return progress.get();
    }

    @Nullable
    ControlledThread baton() {
        return baton;
    }

    /** The outcome; valid when the run is over. */
    @Nullable
    Throwable failure() {
        return failure.get();
    }

    /** For the thread that watches, when the run is over. */
    RunLog runLog() {
        return log;
    }

    /** Waits until the threads of a finished run are gone. */
    void joinAll() {
        byThread.keySet().forEach(DeterministicScheduler::joinEnded);
    }

    private static void joinEnded(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private ControlledThread register(Thread thread) {
        ControlledThread controlled = new ControlledThread(threads.size(), thread);
        if (byThread.putIfAbsent(thread, controlled) != null) {
            throw new IllegalStateException("thread '" + thread.getName() + "' was started already");
        }
        threads.add(controlled);
        thread.setUncaughtExceptionHandler((t, e) -> {
            if (!(e instanceof ScheduleAborted)) {
                failure.compareAndSet(
                        null, new IllegalStateException("thread '" + t.getName() + "' died of an exception", e));
            }
        });
        return controlled;
    }

    private ControlledThread requireBaton(String what) {
        ControlledThread me = byThread.get(Thread.currentThread());
        if (me == null) {
            throw uncontrolled(what);
        }
        return me;
    }

    private static IllegalStateException uncontrolled(String what) {
        return new IllegalStateException("thread '" + Thread.currentThread().getName() + "' used a task graph ("
                + what + ") that is under a deterministic scheduler, but is not one of its threads; start it with "
                + "DeterministicScheduler.thread(name, body)");
    }

    private void throwIfAborting() {
        if (aborting) {
            throw new ScheduleAborted();
        }
    }

    /** Decides who goes on; returns when the calling thread does. */
    private void passOn(ControlledThread me) {
        throwIfAborting();
        ControlledThread next = decide(me);
        if (next != me) {
            handTo(next);
            awaitBaton(me);
        }
        throwIfAborting();
    }

    /** The calling thread has ended. */
    private void giveAway(ControlledThread me) {
        ControlledThread next = aborting ? nextToUnwind(me) : decide(me);
        if (next == null) {
            baton = null;
            finished.countDown();
        } else {
            handTo(next);
        }
    }

    private void handTo(@Nullable ControlledThread next) {
        if (next != null) {
            baton = next;
            LockSupport.unpark(next.thread);
        }
    }

    private void awaitBaton(ControlledThread me) {
        while (baton != me) {
            if (me.thread.isInterrupted()) {
                // The interrupt is addressed to the program and must stay; parking would return at once.
                Thread.onSpinWait();
            } else {
                LockSupport.park(this);
            }
        }
    }

    /** The thread that goes on; null when all have ended. */
    private @Nullable ControlledThread decide(ControlledThread me) {
        progress.lazySet(log.length());
        findReady(false);
        if (ready.isEmpty()) {
            findReady(true);
        }
        if (ready.isEmpty()) {
            return allEnded() ? null : abort(me, new DeadlockException(report("deadlock: no thread can run")));
        }
        if (log.length() >= maxSteps) {
            return abort(me, new LivelockException(report("livelock? no end after " + maxSteps + " steps")));
        }
        if (stretch >= LONGEST_STRETCH && ready.size() > 1) {
            ready.remove(me);
        }
        ControlledThread next;
        try {
            next = policy.choose(ready, me, log.length());
        } catch (RuntimeException e) {
            return abort(me, e);
        }
        stretch = next == me ? stretch + 1 : 0;
        log.decide(next);
        if (next.waitsForTime() && !next.canRun(now)) {
            now = next.deadline;
        }
        return next;
    }

    /** Collects who can run; {@code byTime}: whose deadline comes first, when nobody can run before it. */
    private void findReady(boolean byTime) {
        ready.clear();
        if (byTime) {
            long earliest = Long.MAX_VALUE;
            for (ControlledThread thread : threads) {
                if (thread.waitsForTime()) {
                    earliest = Math.min(earliest, thread.deadline - now);
                }
            }
            for (ControlledThread thread : threads) {
                if (thread.waitsForTime() && thread.deadline - now == earliest) {
                    ready.add(thread);
                }
            }
            return;
        }
        boolean any = false;
        for (ControlledThread thread : threads) {
            boolean can = thread.canRun(now);
            any |= can;
            if (can || (timePasses && thread.waitsForTime())) {
                ready.add(thread);
            }
        }
        if (!any) {
            ready.clear();
        }
    }

    private boolean allEnded() {
        for (ControlledThread thread : threads) {
            if (thread.state != ControlledThread.State.ENDED) {
                return false;
            }
        }
        return true;
    }

    private void fail(Throwable t) {
        failure.compareAndSet(null, t);
        aborting = true;
    }

    private @Nullable ControlledThread abort(ControlledThread me, Throwable why) {
        fail(why);
        return nextToUnwind(me);
    }

    /** One thread after the other unwinds to its end, the present one first. */
    private @Nullable ControlledThread nextToUnwind(ControlledThread me) {
        if (me.state != ControlledThread.State.ENDED) {
            return me;
        }
        for (ControlledThread thread : threads) {
            if (thread.state != ControlledThread.State.ENDED) {
                return thread;
            }
        }
        return null;
    }

    private String report(String headline) {
        reporting = true;
        try {
            return StuckReport.of(headline, threads, explanations);
        } finally {
            reporting = false;
        }
    }
}
