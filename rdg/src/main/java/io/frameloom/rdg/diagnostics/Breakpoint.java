package io.frameloom.rdg.diagnostics;

/**
 * Moments at which {@link RdgListener#reached} is called. The graph must match {@link RdgWatch#graphs}, a pass {@link
 * RdgWatch#passes}, a resource {@link RdgWatch#resources}. Unreal's r.RDG.Breakpoint.
 */
public enum Breakpoint {
    /** Never. */
    OFF,
    /**
     * A compiled plan has a warning, whose {@linkplain PlanWarning#subject subject} is reported. The thread that
     * compiles.
     */
    WARNING,
    /** A pass was compiled. The thread that compiles. */
    COMPILE,
    /** A pass is about to be recorded. The thread that records it. */
    EXECUTE,
    /** A resource is about to be used by a frame. The thread that executes plans. */
    RESOURCE
}
