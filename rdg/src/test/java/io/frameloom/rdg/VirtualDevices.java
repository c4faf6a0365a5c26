package io.frameloom.rdg;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.cache.ProgramCache;
import io.frameloom.gpu.cache.ProgramCacheOptions;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.taskgraph.TaskGraph;

/**
 * Opens virtual devices of tests, which live for a few frames: a shader is compiled for the first of them, since compiling it
 * takes longer than all that it is used for. Any thread.
 */
public final class VirtualDevices {
    private static final ProgramCache PROGRAMS = ProgramCache.open(
            ProgramCacheOptions.inMemory(),
            TaskGraph.builder().name("shared programs").workers(1).build());

    private VirtualDevices() {}

    /** Opens a virtual device. */
    public static VirtualDevice open(VirtualGpuOptions virtual, DeviceOptions options) {
        return VirtualDevice.open(virtual, options.withProgramCache(PROGRAMS));
    }
}
