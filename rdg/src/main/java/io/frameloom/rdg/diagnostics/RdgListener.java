package io.frameloom.rdg.diagnostics;

import io.frameloom.rdg.AsyncCompute;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.capture.Capture;
import io.frameloom.rdg.options.LoggingListener;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * Receives what {@link RdgDiagnostics} asks for. A place for a breakpoint of a debugger, or for a log of one's own.
 * Called by the threads that {@link Breakpoint} names; what it throws ends the compilation or fails the frame.
 */
public interface RdgListener {
    /** Returns the listener that writes everything to the {@link System.Logger} {@code io.frameloom.rdg}. */
    static RdgListener logging() {
        return LoggingListener.INSTANCE;
    }

    /**
     * A moment of the kind that was asked for.
     *
     * @param moment the kind
     * @param graph name of the graph
     * @param subject name of the pass or resource, or of the graph if a warning is about all of it
     */
    void reached(Breakpoint moment, String graph, String subject);

    /**
     * A barrier of a compiled plan.
     *
     * @param graph name of the graph
     * @param line the pass, the resource, what changes and why
     */
    void transition(String graph, String line);

    /**
     * Reports a likely mistake, once per executor or compiler and message, and at most 1,000 different ones:
     *
     * <ul>
     *   <li>with {@linkplain RdgDiagnostics#validation validation}, a resource that a pass declares and does not take;
     *   <li>at {@link Breakpoint#WARNING}, a warning of a compiled plan, after {@link #reached} and every time;
     *   <li>with {@link AsyncCompute#MEASURED}, frames without times;
     *   <li>captures of a system property that move memory.
     * </ul>
     *
     * <p>Called by the thread that records or compiles. Unless it is overridden, {@link #logging} gets it.
     *
     * @param graph name of the graph
     */
    default void warned(String graph, PlanWarning warning) {
        logging().warned(graph, warning);
    }

    /**
     * How long a compilation took where {@link RdgDiagnostics#compileTimes} asks for that; not of a graph that got a
     * kept plan. Called by the thread that compiles. By default it calls {@link #logging}.
     *
     * @param graph name of the graph
     * @param nanos nanoseconds by phase, in their order
     */
    default void compileTimes(String graph, Map<CompilePhase, Long> nanos) {
        logging().compileTimes(graph, nanos);
    }

    /**
     * A capture that the system property asked for; no graph that the executor has executed had its texture. Called by
     * {@link FrameExecutor#close}. By default it calls {@link #logging}.
     *
     * @param capture what was asked for
     * @param hint what there was
     */
    default void notCaptured(Capture capture, String hint) {
        logging().notCaptured(capture, hint);
    }

    /**
     * A graph of {@code new RenderGraph} is compiled though {@linkplain RdgDiagnostics#immediate immediate mode} is on:
     * none of its passes runs while it is declared. Called by the thread that compiles, once for each compiler. By
     * default it calls {@link #logging}.
     *
     * @param graph name of the first such graph
     * @param message why, and the way out
     */
    default void notImmediate(String graph, String message) {
        logging().notImmediate(graph, message);
    }

    /**
     * The executing thread is to record a pass whose setup tasks do not end. Called by {@link FrameExecutor#execute}
     * when it has waited for about two seconds, once per wait, which goes on. By default it calls {@link #logging}.
     *
     * @param graph name of the graph
     * @param message which pass waits for which setup tasks, what these wait for, and the way out
     */
    default void notSetUp(String graph, String message) {
        logging().notSetUp(graph, message);
    }

    /**
     * A file of a capture or a dump that cannot be written; the frame and the compilation go on. Called by the worker
     * that completes the frame, or by the thread that compiles. By default it calls {@link #logging}.
     *
     * @param message what was to be written, where, and the way out
     * @param cause what the file system says
     */
    default void notWritten(Path file, String message, IOException cause) {
        logging().notWritten(file, message, cause);
    }
}
