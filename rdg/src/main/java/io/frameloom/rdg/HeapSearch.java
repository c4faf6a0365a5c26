package io.frameloom.rdg;

/**
 * When the compiler searches for lower heaps. Without the search each transient goes to the lowest offset that is free,
 * the largest first. The search tries many orders and finds heaps that are some percent smaller, for about one frame in
 * ten. For these it takes tens of milliseconds, far longer than the rest of the compilation.
 */
public enum HeapSearch {
    /** Never. */
    OFF,
    /**
     * On a worker in the background, once a kept plan is found again and executed ({@link RenderGraphCompiler}). The
     * plan that is found is the one that {@link #ALWAYS} gives. Graphs that are compiled after that get it; plans that
     * the application holds do not change.
     */
    REUSED,
    /** While compiling. */
    ALWAYS
}
