package io.frameloom.benchmarks.driver;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * A {@code StructuredTaskScope}, whose tasks are virtual threads, where the JDK has the form of JDK 25. It is a preview, so
 * no class compiled for an earlier JDK can name it. Handles in constants can: the JIT compiler inlines what they call, so
 * the rival is not slower for it.
 */
public final class StructuredScope implements AutoCloseable {
    /** The name of those who use it in results. */
    public static final String CONTENDER = "structured-task-scope";

    /** The first release with this form. */
    public static final int SINCE = 25;

    private static final class Handles {
        static final MethodHandle OPEN;
        static final MethodHandle FORK;
        static final MethodHandle JOIN;

        static {
            try {
                Class<?> scope = Class.forName("java.util.concurrent.StructuredTaskScope");
                Class<?> subtask = Class.forName("java.util.concurrent.StructuredTaskScope$Subtask");
                MethodHandles.Lookup lookup = MethodHandles.publicLookup();
                OPEN = lookup.findStatic(scope, "open", MethodType.methodType(scope))
                        .asType(MethodType.methodType(AutoCloseable.class));
                FORK = lookup.findVirtual(scope, "fork", MethodType.methodType(subtask, Runnable.class))
                        .asType(MethodType.methodType(void.class, AutoCloseable.class, Runnable.class));
                JOIN = lookup.findVirtual(scope, "join", MethodType.methodType(Object.class))
                        .asType(MethodType.methodType(void.class, AutoCloseable.class));
            } catch (ReflectiveOperationException failure) {
                throw new IllegalStateException("this JVM's StructuredTaskScope is not that of JDK 25", failure);
            }
        }
    }

    private final AutoCloseable scope;

    /** Opens a scope of the calling thread, which alone may use it. */
    public StructuredScope() {
        try {
            scope = (AutoCloseable) Handles.OPEN.invokeExact();
        } catch (Throwable failure) {
            throw failed(failure);
        }
    }

    /** Whether this JDK has it, in this form: a preview may change with any release. */
    public static boolean isThere() {
        if (Runtime.version().feature() < SINCE) {
            return false;
        }
        try {
            return Handles.OPEN != null;
        } catch (LinkageError otherForm) {
            return false;
        }
    }

    /** Starts a task. */
    public void fork(Runnable task) {
        try {
            Handles.FORK.invokeExact(scope, task);
        } catch (Throwable failure) {
            throw failed(failure);
        }
    }

    /** Waits for all tasks. */
    public void join() {
        try {
            Handles.JOIN.invokeExact(scope);
        } catch (Throwable failure) {
            throw failed(failure);
        }
    }

    @Override
    public void close() {
        try {
            scope.close();
        } catch (Exception failure) {
            throw failed(failure);
        }
    }

    private static RuntimeException failed(Throwable failure) {
        return new IllegalStateException("the scope has failed", failure);
    }
}
