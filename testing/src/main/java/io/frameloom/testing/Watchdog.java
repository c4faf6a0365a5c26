package io.frameloom.testing;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * Ends a test JVM in which nothing has moved for too long, and says where every thread stood.
 *
 * <p>JUnit's own timeouts come first: they interrupt the test and let the others run, and {@link WatchdogExtension}
 * writes a dump then. The watchdog is for what no interrupt reaches, such as a spinning loop or a hung set-up method.
 *
 * <p>{@link #progress} and {@link #show} may be called by any thread.
 */
final class Watchdog {

    /** The JVM's exit status after the watchdog has ended it. */
    static final int EXIT_STATUS = 86;

    private static final Duration GRAPH_PATIENCE = Duration.ofSeconds(5);

    private record Progress(String event, long atNanos) {}

    private record Graph(String name, Supplier<String> description) {}

    private final Duration limit;
    private final PrintStream out;
    private final IntConsumer halt;
    private final List<Graph> graphs = new CopyOnWriteArrayList<>();
    private final Thread thread = new Thread(this::watch, "test-watchdog");
    private volatile Progress progress = new Progress("the test session started", System.nanoTime());
    private volatile boolean stopped;

    /**
     * @param limit how long the session may go without {@link #progress}
     * @param out where dumps go
     * @param halt ends the JVM with the given exit status
     */
    Watchdog(Duration limit, PrintStream out, IntConsumer halt) {
        this.limit = limit;
        this.out = out;
        this.halt = halt;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    void stop() {
        stopped = true;
        LockSupport.unpark(thread);
    }

    /** Starts the time anew; {@code event} says in a later dump what happened last. */
    void progress(String event) {
        progress = new Progress(event, System.nanoTime());
    }

    /** Adds a description to every dump until the returned handle is closed. */
    Runnable show(String name, Supplier<String> description) {
        Graph graph = new Graph(name, description);
        graphs.add(graph);
        return () -> graphs.remove(graph);
    }

    /** Writes all threads and all wait graphs, headed by the reason. */
    void dump(String reason) {
        out.println("==== watchdog: " + reason);
        out.println(ThreadDump.ofAllThreads());
        out.flush();
        for (Graph graph : graphs) {
            out.println("==== wait graph: " + graph.name());
            out.println(describe(graph));
        }
        out.println("==== watchdog: end of dump");
        out.flush();
    }

    private void watch() {
        while (!stopped) {
            Progress last = progress;
            long leftNanos = limit.toNanos() - (System.nanoTime() - last.atNanos());
            if (leftNanos > 0) {
                LockSupport.parkNanos(this, leftNanos);
            } else {
                dump("nothing moved for " + limit.toSeconds() + " s since " + last.event() + "; ending this JVM");
                halt.accept(EXIT_STATUS);
                return;
            }
        }
    }

    /** On its own thread, because what hangs the test may hang its description too. */
    private static String describe(Graph graph) {
        String[] text = new String[1];
        Thread describer = new Thread(() -> text[0] = graph.description().get(), "test-watchdog-graph");
        Throwable[] failure = new Throwable[1];
        describer.setUncaughtExceptionHandler((thread, thrown) -> failure[0] = thrown);
        describer.setDaemon(true);
        describer.start();
        try {
            TimeUnit.NANOSECONDS.timedJoin(describer, GRAPH_PATIENCE.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "(interrupted while describing it)";
        }
        if (describer.isAlive()) {
            return "(not described within " + GRAPH_PATIENCE.toSeconds() + " s)";
        }
        return failure[0] == null ? String.valueOf(text[0]) : "(could not be described: " + failure[0] + ")";
    }
}
