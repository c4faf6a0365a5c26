package io.frameloom.rdg.diagnostics;

import io.frameloom.rdg.FramePlan;

/**
 * What the compiler does to a graph; {@link FramePlan#compileTimes} returns how long each took. One after the other,
 * but for {@link #RENDER_PASSES}: render passes are joined before {@link #PLACEMENT}, and what needs their barriers is
 * made after {@link #BARRIERS}.
 */
public enum CompilePhase {
    /** Checks the declaration, cuts resources into the parts that passes use, brings unordered passes into an order. */
    VALIDATION,
    /** Finds the passes that no output needs, and the queue of each of the others. */
    CULLING,
    /** Merges uses into states. */
    STATES,
    /** Finds the order that the states ask for. */
    DEPENDENCIES,
    /** Decides where the changes between states are made. */
    TRANSITIONS,
    /** Finds the waits between queues, and cuts the queues into batches. */
    SYNCHRONIZATION,
    /** Finds lifetimes and places transients in memory. */
    PLACEMENT,
    /** Makes barriers. */
    BARRIERS,
    /** Infers render targets, joins render passes, and groups passes for recording. */
    RENDER_PASSES,
    /** Puts all of it into the lists of a plan. */
    PLAN
}
