package io.frameloom.rdg.diagnostics;

/**
 * Moments at which {@link RdgListener#reached} is called, if the graph matches {@link RdgWatch#graphs}, and the subject
 * {@link RdgWatch#passes} if it is a pass, {@link RdgWatch#resources} if it is a resource. Unreal's r.RDG.Breakpoint.
 */
public enum Breakpoint {
    /** Never. */
    OFF,
    /** A compiled plan has a warning, whose {@linkplain PlanWarning#subject subject} is told. The thread that compiles. */
    WARNING,
    /** A pass was compiled. The thread that compiles. */
    COMPILE,
    /** A pass is about to be recorded. The thread that records it. */
    EXECUTE,
    /** A resource is about to be used by a frame. The thread that executes plans. */
    RESOURCE
}
