package io.frameloom.rdg;

/**
 * Is told what {@link RdgDiagnostics} asks for: the place for a breakpoint of a debugger, or for a log of one's own.
 * Called by the threads that {@link Breakpoint} names; what it throws ends the compilation or fails the frame.
 */
public interface RdgListener {
    /** Writes everything to the {@link System.Logger} {@code io.frameloom.rdg}. */
    RdgListener LOGGING = new LoggingListener();

    /**
     * A moment of the kind that was asked for.
     *
     * @param moment the kind
     * @param graph name of the graph
     * @param subject name of the pass or resource
     */
    void reached(Breakpoint moment, String graph, String subject);

    /**
     * A barrier of a compiled plan.
     *
     * @param graph name of the graph
     * @param line the pass, the resource, what changes and why
     */
    void transition(String graph, String line);
}
