package io.frameloom.rdg;

/**
 * What an executor keeps from frame to frame so that frames create nothing: {@link FrameExecutor#poolStatistics}. A
 * copy of that moment; immutable, any thread. Counts of created, reused, evicted and shrunk ones are since the executor
 * was made.
 *
 * @param heaps heaps of transients
 * @param heapBytes their bytes
 * @param placed resources placed in them, and mapped transients
 * @param idle extracted and staging resources that were given back and wait for a frame that takes them
 * @param created resources that were made because none was kept
 * @param reused resources of former frames that a plan took again
 * @param evicted resources that were destroyed because no frame took them for too long, or with their heap
 * @param shrunk heaps that were given up because frames needed at most half of them for too long, or less than all
 *     after a search for lower heaps
 */
public record PoolStatistics(
        int heaps, long heapBytes, int placed, int idle, long created, long reused, long evicted, long shrunk) {}
