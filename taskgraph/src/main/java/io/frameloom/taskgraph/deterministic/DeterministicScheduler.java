package io.frameloom.taskgraph.deterministic;

import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.TaskBody;
import io.frameloom.taskgraph.ThreadScheduler;
import io.frameloom.taskgraph.parts.Arguments;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the threads of a program one at a time, in an order that a seed decides, so that a failure can be repeated. See
 * the package description for how to use it.
 *
 * <p>The threads are real platform threads, but exactly one of them has the <em>baton</em> and runs; the others are
 * blocked. At every {@linkplain SchedulingPoint point} of the graph's protocols, and wherever a thread would block, the
 * {@linkplain Exploration policy} decides which thread gets the baton. The clock stands still while a thread can run.
 * When all wait, it jumps to the earliest deadline; if there is none the run fails with a {@link DeadlockException}.
 *
 * <p>Only threads of the run may call methods: the one that runs the program, those of its graphs, and those started by
 * {@link #thread}. They must not wait for each other by other means (locks held across a point, latches, sleeps): no
 * thread would pass the baton on, which is found out after some seconds and fails the run.
 *
 * <p>It does not find errors in the memory ordering of lock-free code, since every hand-over of the baton orders
 * memory.
 */
public final class DeterministicScheduler implements ThreadScheduler {
    private final Turns turns;
    private final ConcurrentHashMap<Thread, ControlledThread> byThread = new ConcurrentHashMap<>();
    private final CountDownLatch finished = new CountDownLatch(1);
    private volatile @Nullable ControlledThread baton;

    DeterministicScheduler(Exploration exploration, Policy policy) {
        this.turns = new Turns(exploration, policy);
    }

    /**
     * Runs a program under many schedules. Called from any thread; each run gets a scheduler and a main thread of
     * its own. The run is over when all its threads have ended.
     *
     * @return what was covered
     * @throws ScheduleFailure if a run threw, left a thread that died of an exception, deadlocked, took too
     *     many steps, blocked where the scheduler cannot see it, or ended without closing one of its graphs
     */
    public static Explored explore(Exploration exploration, ScheduledProgram program) {
        Arguments.required(exploration, "exploration", "DeterministicScheduler.explore");
        Arguments.required(program, "program", "DeterministicScheduler.explore");
        return exploration.explore(program);
    }

    /**
     * Starts another thread of the program.
     *
     * @param body what it does; what it throws fails the run
     * @return the started thread, to be waited for with {@link #join}
     */
    public Thread thread(String name, TaskBody body) {
        Arguments.requiredName(name, "a thread of a scheduled program");
        Arguments.required(body, "body", "thread", name);
        Thread thread = program(name, body);
        start(thread, true);
        return thread;
    }

    /**
     * Lets other threads go first, in the middle of a body or of a thread's own code, so that the program can be
     * interleaved there.
     *
     * @param subject what the thread is about to do, in words, for the log and for {@link Exploration#delaying}
     */
    public void point(String subject) {
        Arguments.required(subject, "subject", "DeterministicScheduler.point");
        reached(SchedulingPoint.USER, subject);
    }

    /** Waits for a time on the scheduler's clock. */
    public void sleep(Duration time) {
        Arguments.required(time, "time", "DeterministicScheduler.sleep");
        long deadline = turns.now() + time.toNanos();
        while (deadline - turns.now() > 0L) {
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
        return turns.log().schedule();
    }

    /**
     * What the threads did so far.
     *
     * @return one line per step
     */
    public List<String> log() {
        requireBaton("log");
        return turns.log().lines();
    }

    @Override
    public void start(Thread thread) {
        start(thread, false);
    }

    private void start(Thread thread, boolean ofProgram) {
        ControlledThread me = requireBaton("start of thread '" + thread.getName() + "'");
        throwIfAborting();
        ControlledThread started = register(thread, ofProgram);
        boolean running = false;
        try {
            thread.start();
            running = true;
        } finally {
            if (!running) {
                started.state = ControlledThread.State.ENDED;
            }
        }
        turns.log().add(me, "starts", null, thread.getName());
        passOn(me);
    }

    @Override
    public void begin() {
        ControlledThread me = byThread.get(Thread.currentThread());
        if (me == null) {
            throw uncontrolled("begin");
        }
        awaitBaton(me);
    }

    @Override
    public void end() {
        ControlledThread me = requireBaton("end");
        me.state = ControlledThread.State.ENDED;
        turns.log().add(me, "ends", null, null);
        giveAway(me);
    }

    @Override
    public void reached(SchedulingPoint point, @Nullable String subject) {
        ControlledThread me = requireBaton(point.name());
        if (turns.isReporting()) {
            return;
        }
        me.point = point;
        me.subject = subject;
        turns.log().add(me, "reaches", point, subject);
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
        turns.log().add(me, timed ? "parks until a deadline" : "parks", null, null);
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
        turns.log().add(me, "wakes", null, target.name());
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
            turns.log().add(me, "joins", null, target.name());
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
        return turns.now();
    }

    @Override
    public void explainWith(String graph, Supplier<String> waits) {
        requireBaton("explainWith");
        turns.explainWith(graph, waits);
    }

    @Override
    public void closing(String graph) {
        requireBaton("closing");
        turns.closing(graph);
    }

    /** Begins the run with its main thread. Called once, by the thread that watches. */
    void launch(Thread main) {
        baton = register(main, true);
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
            throwIfAborting();
            body.run();
        } catch (Throwable t) {
            // What comes of the unwinding says nothing new.
            if (!turns.isAborting()) {
                turns.fail(t);
            }
        } finally {
            end();
        }
    }

    CountDownLatch finished() {
        return finished;
    }

    int progress() {
        return turns.progress();
    }

    @Nullable
    ControlledThread baton() {
        return baton;
    }

    /** The outcome; valid when the run is over. */
    @Nullable
    Throwable failure() {
        return turns.failure();
    }

    /** For the thread that watches, when the run is over. */
    RunLog runLog() {
        return turns.log();
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

    private ControlledThread register(Thread thread, boolean ofProgram) {
        if (byThread.containsKey(thread)) {
            throw new IllegalStateException("thread '" + thread.getName() + "' was started already");
        }
        ControlledThread controlled = turns.add(thread, ofProgram);
        byThread.put(thread, controlled);
        thread.setUncaughtExceptionHandler((t, e) -> {
            if (!(e instanceof ScheduleAborted)) {
                turns.noteFailure(new IllegalStateException("thread '" + t.getName() + "' died of an exception", e));
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
        if (turns.isAborting()) {
            throw new ScheduleAborted();
        }
    }

    /** Decides which thread goes on; returns when the calling thread does. */
    private void passOn(ControlledThread me) {
        throwIfAborting();
        ControlledThread next = turns.next(me);
        if (next != me) {
            handTo(next);
            awaitBaton(me);
        }
        throwIfAborting();
    }

    private void giveAway(ControlledThread me) {
        ControlledThread next = turns.next(me);
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
}
