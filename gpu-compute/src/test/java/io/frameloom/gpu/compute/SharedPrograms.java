package io.frameloom.gpu.compute;

import io.frameloom.gpu.cache.ProgramCache;
import io.frameloom.gpu.cache.ProgramCacheOptions;
import io.frameloom.gpu.shader.ShaderCompiler;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.testing.ClassDigest;
import io.frameloom.testing.TestEffort;
import java.nio.file.Path;

/**
 * Compiled programs for tests that open a device for every case and ask of what programs do, not of how they are compiled:
 * code of a scan that looks back is optimised for most of a second, which was half of the processor time of these tests. In
 * the usual run they stay for the next JVM and the next run, as long as the compiler's classes do not change. A thorough run
 * compiles everything anew. Any thread may use it; it is never closed.
 */
final class SharedPrograms {
    static final ProgramCache CACHE = ProgramCache.open(
            TestEffort.isThorough()
                    ? ProgramCacheOptions.inMemory()
                    : ProgramCacheOptions.in(
                            Path.of("target", "programs", ClassDigest.ofPackage(ShaderCompiler.class), subgroups())),
            TaskGraph.builder().name("shared programs").workers(1).build());

    private SharedPrograms() {}

    /** Lavapipe takes programs for subgroups of another size as its own. */
    private static String subgroups() {
        return "lanes-" + System.getenv().getOrDefault("LP_NATIVE_VECTOR_WIDTH", "usual");
    }
}
