package io.frameloom.rdg;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.cache.ProgramCacheOptions;
import io.frameloom.rdg.diagnostics.Breakpoint;
import io.frameloom.rdg.diagnostics.Clobber;
import io.frameloom.rdg.diagnostics.NameFilter;
import io.frameloom.rdg.diagnostics.PlanDumpMode;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.diagnostics.RdgListener;
import io.frameloom.rdg.diagnostics.RdgWatch;
import io.frameloom.rdg.diagnostics.RecordingMode;
import io.frameloom.rdg.options.NearestNames;
import io.frameloom.rdg.options.RdgProperties;
import io.frameloom.taskgraph.SystemPropertyException;
import io.frameloom.taskgraph.TaskGraphBuilder;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * How graphs are compiled and how mistakes in them are found. Immutable, so a plan is a function of graph, options,
 * queues and sizes, and with {@link AsyncCompute#MEASURED} of what was measured.
 *
 * <p>System properties win over values given in code, so that a running program can be examined without a change. All
 * of them begin with {@code frameloom.rdg.}; a misspelt one is refused where they are read. The last column names the
 * variable of Unreal's render graph.
 *
 * <table>
 * <caption>System properties</caption>
 * <tr><th>property</th><th>values</th><th>effect</th><th>Unreal</th></tr>
 * <tr><td>async</td><td>off, tagged, all, measured</td><td>which passes may run on a compute queue</td>
 *     <td>AsyncCompute</td></tr>
 * <tr><td>order</td><td>declared, unordered</td><td>what the order of declaration means</td><td></td></tr>
 * <tr><td>cullPasses</td><td>true, false</td><td>passes that no output needs are removed</td><td>CullPasses</td></tr>
 * <tr><td>mergeRenderPasses</td><td>true, false</td><td>passes of the same targets share a render pass</td>
 *     <td>MergeRenderPasses</td></tr>
 * <tr><td>overlapStorageWrites</td><td>true, false</td><td>no barrier inside of an {@link OverlapGroup}</td>
 *     <td>OverlapUAVs</td></tr>
 * <tr><td>aliasing</td><td>true, false</td><td>transients share memory; off, each lives for the whole graph</td>
 *     <td>ExtendResourceLifetimes, TransientAllocator</td></tr>
 * <tr><td>passMin, passMax</td><td>1 or more</td><td>passes of a recording group</td>
 *     <td>ParallelExecute.PassMin, PassMax</td></tr>
 * <tr><td>debug</td><td>true, false</td><td>declarations keep their place in the source</td><td>Debug</td></tr>
 * <tr><td>reusePlans</td><td>true, false</td><td>{@link RdgOptions#reusePlans}</td><td></td></tr>
 * <tr><td>waitStageScope</td><td>all, exact</td><td>{@link WaitStageScope}</td><td></td></tr>
 * <tr><td>schedule</td><td>program, random:SEED, memory, batch, overlap</td><td>{@link PassSchedule}</td><td></td></tr>
 * <tr><td>hoistBarriers</td><td>true, false</td><td>{@link PlanPolicy#hoistBarriers}</td><td></td></tr>
 * <tr><td>splitBarriers</td><td>true, false</td><td>{@link PlanPolicy#splitBarriers}</td><td></td></tr>
 * <tr><td>heapSearch</td><td>off, reused, always</td><td>{@link HeapSearch}</td><td></td></tr>
 * <tr><td>immediate</td><td>true, false</td><td>{@link RdgDiagnostics#immediate}</td><td>ImmediateMode</td></tr>
 * <tr><td>serialise</td><td>true, false</td><td>{@link RdgDiagnostics#serialise}</td><td>Debug.FlushGPU</td></tr>
 * <tr><td>clobber</td><td>off, large, nan, infinity</td><td>{@link Clobber}</td><td>ClobberResources</td></tr>
 * <tr><td>recording</td><td>serial, parallel, stress</td><td>{@link RecordingMode}</td>
 *     <td>ParallelExecute, ParallelExecuteStress</td></tr>
 * <tr><td>labels</td><td>true, false</td><td>{@link RdgDiagnostics#labels}</td><td>Events</td></tr>
 * <tr><td>validation</td><td>true, false</td><td>{@link RdgDiagnostics#validation}, reported by
 *     {@link RdgListener#warned}</td><td>Validation</td></tr>
 * <tr><td>compileTimes</td><td>true, false</td><td>{@link RdgDiagnostics#compileTimes}, reported by
 *     {@link RdgListener#compileTimes}</td><td>VerboseCSVStats</td></tr>
 * <tr><td>capture</td><td>expressions of {@link io.frameloom.rdg.capture.Capture#parse}, separated by ;</td>
 *     <td>{@link RdgDiagnostics#captures} of every graph that has such a texture; reported by
 *     {@link RdgListener#notCaptured} if none had</td><td>vis</td></tr>
 * <tr><td>captureFolder</td><td>path</td><td>{@link RdgDiagnostics#captureFolder}</td><td>vis</td></tr>
 * <tr><td>captureAliasing</td><td>true, false</td><td>{@link RdgDiagnostics#captureAliasing}</td><td></td></tr>
 * <tr><td>dump</td><td>off, dependencies, states, timeline</td><td>{@link PlanDumpMode}</td><td>DumpGraph</td></tr>
 * <tr><td>dumpFolder</td><td>path</td><td>{@link RdgWatch#dumpFolder}</td><td></td></tr>
 * <tr><td>transitionLog</td><td>true, false</td><td>{@link RdgListener#transition}</td><td>TransitionLog</td></tr>
 * <tr><td>breakpoint</td><td>off, warning, compile, execute, resource</td><td>{@link Breakpoint}</td>
 *     <td>Breakpoint</td></tr>
 * <tr><td>graphFilter, passFilter, resourceFilter</td><td>{@link NameFilter}</td><td>{@link RdgWatch}</td>
 *     <td>Debug.GraphFilter, PassFilter, ResourceFilter</td></tr>
 * </table>
 *
 * @param async which passes may run on a compute queue
 * @param order what the order of declaration means
 * @param cullPasses whether passes that no output depends on are removed
 * @param mergeRenderPasses whether passes with the same render targets share a render pass
 * @param overlapStorageWrites whether the writes of an {@link OverlapGroup} have no barrier among each other
 * @param aliasing whether transients share memory
 * @param passMin recording groups shorter than this are marked serial: not worth a task of their own
 * @param passMax most passes of one recording group
 * @param debug whether declarations keep their place in the source for error messages. Native transients are then made
 *     again for a graph that differs in names alone, so these are their debug names
 * @param reusePlans whether a graph that declares the same as one before gets its plan
 * @param policy what plans are made to be good at
 * @param diagnostics what else is done to find mistakes
 */
public record RdgOptions(
        AsyncCompute async,
        PassOrder order,
        boolean cullPasses,
        boolean mergeRenderPasses,
        boolean overlapStorageWrites,
        boolean aliasing,
        int passMin,
        int passMax,
        boolean debug,
        boolean reusePlans,
        PlanPolicy policy,
        RdgDiagnostics diagnostics) {
    public RdgOptions {
        if (passMin < 1 || passMax < passMin) {
            throw new IllegalArgumentException(
                    "recording groups need 1 <= passMin <= passMax, got " + passMin + " and " + passMax);
        }
    }

    /**
     * Returns the defaults: tagged async compute, declared order, groups of 1 to 32 passes, default policy. Culling,
     * merging, overlapping, aliasing and reuse of plans are on. Debug and diagnostics are off.
     */
    public static RdgOptions defaults() {
        return new RdgOptions(
                AsyncCompute.TAGGED,
                PassOrder.DECLARED,
                true,
                true,
                true,
                true,
                1,
                32,
                false,
                true,
                PlanPolicy.defaults(),
                RdgDiagnostics.none());
    }

    /** The options while one of them is changed. */
    private static final class Draft {
        private AsyncCompute async;
        private PassOrder order;
        private boolean cullPasses;
        private boolean mergeRenderPasses;
        private boolean overlapStorageWrites;
        private boolean aliasing;
        private int passMin;
        private int passMax;
        private boolean debug;
        private boolean reusePlans;
        private PlanPolicy policy;
        private RdgDiagnostics diagnostics;

        Draft(RdgOptions from) {
            async = from.async;
            order = from.order;
            cullPasses = from.cullPasses;
            mergeRenderPasses = from.mergeRenderPasses;
            overlapStorageWrites = from.overlapStorageWrites;
            aliasing = from.aliasing;
            passMin = from.passMin;
            passMax = from.passMax;
            debug = from.debug;
            reusePlans = from.reusePlans;
            policy = from.policy;
            diagnostics = from.diagnostics;
        }

        RdgOptions options() {
            return new RdgOptions(
                    async,
                    order,
                    cullPasses,
                    mergeRenderPasses,
                    overlapStorageWrites,
                    aliasing,
                    passMin,
                    passMax,
                    debug,
                    reusePlans,
                    policy,
                    diagnostics);
        }
    }

    private RdgOptions with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.options();
    }

    /** Returns the same options with another async policy. */
    public RdgOptions withAsync(AsyncCompute value) {
        return with(draft -> draft.async = value);
    }

    /** Returns the same options with another meaning of the order of declaration. */
    public RdgOptions withOrder(PassOrder value) {
        return with(draft -> draft.order = value);
    }

    /** Returns the same options with merging of render passes on or off. */
    public RdgOptions withMergeRenderPasses(boolean value) {
        return with(draft -> draft.mergeRenderPasses = value);
    }

    /** Returns the same options with overlapping storage writes on or off. */
    public RdgOptions withOverlapStorageWrites(boolean value) {
        return with(draft -> draft.overlapStorageWrites = value);
    }

    /** Returns the same options with culling on or off. */
    public RdgOptions withCullPasses(boolean value) {
        return with(draft -> draft.cullPasses = value);
    }

    /** Returns the same options with aliasing on or off. */
    public RdgOptions withAliasing(boolean value) {
        return with(draft -> draft.aliasing = value);
    }

    /** Returns the same options with other sizes of recording groups. */
    public RdgOptions withPassLimits(int min, int max) {
        return with(draft -> {
            draft.passMin = min;
            draft.passMax = max;
        });
    }

    /** Returns the same options with debug on or off. */
    public RdgOptions withDebug(boolean value) {
        return with(draft -> draft.debug = value);
    }

    /** Returns the same options with reuse of plans on or off. */
    public RdgOptions withReusePlans(boolean value) {
        return with(draft -> draft.reusePlans = value);
    }

    /** Returns the same options with another policy of plans. */
    public RdgOptions withPolicy(PlanPolicy value) {
        return with(draft -> draft.policy = value);
    }

    /** Returns the same options with other diagnostics. */
    public RdgOptions withDiagnostics(RdgDiagnostics value) {
        return with(draft -> draft.diagnostics = value);
    }

    /**
     * Returns these options with the system properties applied.
     *
     * @throws SystemPropertyException naming the property whose value is wrong, or one that begins with
     *     {@code frameloom.rdg.} and that nothing reads
     */
    public RdgOptions withSystemProperties() {
        RdgProperties.requireKnown();
        int least = RdgProperties.GROUP.number("passMin", passMin, 1, Integer.MAX_VALUE);
        int most = RdgProperties.GROUP.number("passMax", passMax, 1, Integer.MAX_VALUE);
        if (least > most) {
            String set = RdgProperties.GROUP.text("passMin") == null ? "passMax" : "passMin";
            throw new SystemPropertyException(
                    "frameloom.rdg." + set, " must leave passMin <= passMax, got " + least + " and " + most, null);
        }
        return new RdgOptions(
                RdgProperties.GROUP.constant("async", async),
                RdgProperties.GROUP.constant("order", order),
                RdgProperties.GROUP.flag("cullPasses", cullPasses),
                RdgProperties.GROUP.flag("mergeRenderPasses", mergeRenderPasses),
                RdgProperties.GROUP.flag("overlapStorageWrites", overlapStorageWrites),
                RdgProperties.GROUP.flag("aliasing", aliasing),
                least,
                most,
                RdgProperties.GROUP.flag("debug", debug),
                RdgProperties.GROUP.flag("reusePlans", reusePlans),
                policy.withSystemProperties(),
                diagnostics.withSystemProperties());
    }

    /**
     * Returns the whole names of the system properties that this library reads, such as {@code frameloom.rdg.debug}.
     */
    public static Set<String> propertyNames() {
        return RdgProperties.GROUP.names();
    }

    /**
     * Returns a line for each of the given properties that looks like Frameloom's, of any of its libraries, and that
     * nothing reads, with the nearest names, in the order of the names. Those of {@code frameloom.rdg.} are refused when
     * options are read, others are not. An application may print the lines when it starts.
     *
     * @param properties what to look through, such as {@link System#getProperties}
     */
    public static List<String> unknownProperties(Properties properties) {
        Set<String> known = new TreeSet<>(propertyNames());
        known.addAll(DeviceOptions.propertyNames());
        known.addAll(ProgramCacheOptions.propertyNames());
        known.addAll(TaskGraphBuilder.propertyNames());
        return properties.stringPropertyNames().stream()
                .filter(name -> name.matches("frameloom\\.[^.]*\\..*") && !known.contains(name))
                .sorted()
                .map(name -> "nothing reads the system property '" + name + "'; the nearest are "
                        + NearestNames.of(name, List.copyOf(known)))
                .toList();
    }
}
