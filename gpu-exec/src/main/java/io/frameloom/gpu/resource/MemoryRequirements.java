package io.frameloom.gpu.resource;

/**
 * The memory that placing a resource in a heap takes.
 *
 * @param bytes size, rounded up as the device requires
 * @param alignment alignment of the offset, a power of two
 * @param memoryTypes bit mask of the memory types that can hold it; heaps hold resources whose masks intersect
 */
public record MemoryRequirements(long bytes, long alignment, int memoryTypes) {}
