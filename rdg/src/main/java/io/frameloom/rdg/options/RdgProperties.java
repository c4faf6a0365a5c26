package io.frameloom.rdg.options;

import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.taskgraph.SystemPropertyException;
import io.frameloom.taskgraph.property.PropertyGroup;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The system properties of {@link RdgOptions}, its parts, and {@link FrameExecutorOptions}. */
public final class RdgProperties {
    private static final String PREFIX = "frameloom.rdg.";

    public static final PropertyGroup GROUP = new PropertyGroup(
            PREFIX,
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
            "statistics",
            "serialRecording",
            "poolFrames",
            "heapsPerFrame",
            "inlineSubmission");

    private RdgProperties() {}

    /**
     * Refuses a name that nothing reads, since it would have no effect in silence.
     *
     * @throws SystemPropertyException naming the first such property, with the nearest names
     */
    public static void requireKnown() {
        Set<String> known = new TreeSet<>(GROUP.names());
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith(PREFIX) && !known.contains(name))
                .sorted()
                .findFirst()
                .ifPresent(name -> {
                    String nearest = NearestNames.of(name, List.copyOf(known));
                    throw new SystemPropertyException(name, " is read by nothing; the nearest are " + nearest, null);
                });
    }
}
