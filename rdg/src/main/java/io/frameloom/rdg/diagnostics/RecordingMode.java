package io.frameloom.rdg.diagnostics;

/** How passes are distributed to recording tasks. Unreal's r.RDG.ParallelExecute and ParallelExecuteStress. */
public enum RecordingMode {
    /** The thread that executes the plan records everything, in plan order. */
    SERIAL,
    /** Groups of passes are recorded by tasks. */
    PARALLEL,
    /** Every pass is a task of its own and shares no render pass. This reveals state that recording must not share. */
    STRESS
}
