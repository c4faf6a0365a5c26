package io.frameloom.rdg.diagnostics;

/** Which part of every compiled graph is drawn in the DOT language. Unreal's r.RDG.DumpGraph. */
public enum PlanDumpMode {
    /** Nothing. */
    OFF,
    /** Passes, with what orders each pair of them. */
    DEPENDENCIES,
    /** Passes with the transitions of resources before and after them. */
    STATES,
    /** Batches of each queue with the waits between them. */
    TIMELINE
}
