package io.frameloom.rdg.options;

import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.taskgraph.property.PropertyGroup;

/** The system properties of {@link RdgOptions}, its parts, and {@link FrameExecutorOptions}. */
public final class RdgProperties {
    public static final PropertyGroup GROUP = new PropertyGroup(
            "frameloom.rdg.",
            "async",
            "order",
            "cullPasses",
            "mergeRenderPasses",
            "overlapStorageWrites",
            "aliasing",
            "passMin",
            "passMax",
            "debug",
            "reusePlans",
            "waitStageScope",
            "schedule",
            "hoistBarriers",
            "splitBarriers",
            "heapSearch",
            "immediate",
            "serialise",
            "clobber",
            "recording",
            "labels",
            "validation",
            "compileTimes",
            "capture",
            "captureFolder",
            "captureAliasing",
            "dump",
            "dumpFolder",
            "transitionLog",
            "breakpoint",
            "graphFilter",
            "passFilter",
            "resourceFilter",
            "framesInFlight",
            "timestamps",
            "serialRecording",
            "poolFrames",
            "heapsPerFrame",
            "inlineSubmission");

    private RdgProperties() {}
}
