package io.frameloom.rdg;

/**
 * Moments at which {@link RdgListener#reached} is called, if the graph and the pass or resource match the filters of
 * {@link RdgDiagnostics}. Unreal's r.RDG.Breakpoint.
 */
public enum Breakpoint {
    /** Never. */
    OFF,
    /** A compiled plan has a warning; the subject is its pass or resource. The thread that compiles. */
    WARNING,
    /** A pass was compiled. The thread that compiles. */
    COMPILE,
    /** A pass is about to be recorded. The thread that records it. */
    EXECUTE,
    /** A resource is about to be used by a frame. The thread that executes plans. */
    RESOURCE
}
