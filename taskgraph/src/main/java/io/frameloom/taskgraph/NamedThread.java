package io.frameloom.taskgraph;

import io.frameloom.taskgraph.parts.Arguments;
import org.jspecify.annotations.Nullable;

/**
 * The name of a thread that tasks can be sent to, such as the game or the render thread.
 *
 * <p>A value: two instances with the same name are the same target. A named thread has two queues. The
 * <em>main</em> queue (this object as target) is drained by {@link TaskGraph#processUntilIdle} and
 * {@link TaskGraph#processUntilReturnRequested}; the <em>local</em> queue ({@link #local()}) is drained
 * by those too, and also while the thread waits inside a task. A task that another task of the same
 * thread waits for therefore belongs into the local queue.
 *
 * <p>The thread itself is supplied with {@link TaskGraph#attach} (an application thread) or
 * {@link TaskGraph#start} (a thread owned by the library). Tasks may be sent before that; they wait.
 */
public final class NamedThread implements ExecutionTarget {
    /** The application's own thread; the library never creates it. */
    public static final NamedThread GAME = new NamedThread("GAME");

    /** The thread that declares and compiles frames. */
    public static final NamedThread RENDER = new NamedThread("RENDER");

    /** The thread that submits to the graphics API. */
    public static final NamedThread RHI = new NamedThread("RHI");

    private final String name;
    private final Local local;

    private NamedThread(String name) {
        this.name = name;
        this.local = new Local(this);
    }

    /**
     * The named thread with the given name.
     *
     * @param name the name; the predefined threads are "GAME", "RENDER" and "RHI"
     * @throws IllegalArgumentException if the name is blank
     */
    public static NamedThread of(String name) {
        return new NamedThread(Arguments.requiredName(name, "a named thread"));
    }

    /** The name, unique within a task graph. */
    public String name() {
        return name;
    }

    /** The local queue of this thread as a target. */
    public Local local() {
        return local;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof NamedThread that && that.name.equals(name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return name;
    }

    /** The local queue of a named thread: drained even while the thread waits inside a task. */
    public static final class Local implements ExecutionTarget {
        private final NamedThread thread;

        private Local(NamedThread thread) {
            this.thread = thread;
        }

        /** The thread that owns this queue. */
        public NamedThread thread() {
            return thread;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Local that && that.thread.equals(thread);
        }

        @Override
        public int hashCode() {
            return ~thread.hashCode();
        }

        @Override
        public String toString() {
            return thread.name + ".local";
        }
    }
}
