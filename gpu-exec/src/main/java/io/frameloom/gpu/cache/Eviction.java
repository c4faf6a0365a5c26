package io.frameloom.gpu.cache;

/** Which programs have to go from memory when it is full. */
public enum Eviction {
    /** The one that was not used for longest. */
    LEAST_RECENTLY_USED,
    /**
     * The one that is cheapest to make again for the bytes that it takes, the longer it was not used the sooner: GreedyDual-Size
     * of "Cost-Aware WWW Proxy Caching Algorithms".
     */
    CHEAPEST_PER_BYTE
}
