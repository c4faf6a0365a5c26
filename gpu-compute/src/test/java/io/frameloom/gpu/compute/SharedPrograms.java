package io.frameloom.gpu.compute;

import io.frameloom.gpu.cache.ProgramCache;
import io.frameloom.gpu.cache.ProgramCacheOptions;
import io.frameloom.taskgraph.TaskGraph;

/**
 * Compiled programs for tests that open a device for every case and ask of what programs do, not of how they are compiled:
 * code of a scan that looks back is optimised for most of a second, which every device would wait for anew. In memory and of
 * this JVM alone, so that no code outlives a change of the compiler. Any thread may use it; it is never closed.
 */
final class SharedPrograms {
    static final ProgramCache CACHE = ProgramCache.open(
            ProgramCacheOptions.inMemory(),
            TaskGraph.builder().name("shared programs").workers(1).build());

    private SharedPrograms() {}
}
