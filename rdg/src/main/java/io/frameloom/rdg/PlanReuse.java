package io.frameloom.rdg;

/**
 * How often a {@link RenderGraphCompiler} had compiled an equal graph before.
 *
 * @param hits graphs that got the plan of an equal one
 * @param misses graphs that were compiled although reuse of plans is on
 * @param kept plans that are kept now
 * @param lowered kept plans that gave way to one with lower heaps ({@link HeapSearch#REUSED})
 */
public record PlanReuse(long hits, long misses, int kept, long lowered) {}
