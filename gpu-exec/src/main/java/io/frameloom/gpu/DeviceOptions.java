package io.frameloom.gpu;

import io.frameloom.gpu.cache.ProgramCache;
import io.frameloom.gpu.command.SubmissionObserver;
import io.frameloom.gpu.device.GpuProperties;
import io.frameloom.taskgraph.SystemPropertyException;
import io.frameloom.taskgraph.TaskGraph;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a device is opened. Immutable.
 *
 * <p>System properties override values given in code, so that a running program can be examined without a change. Those
 * of this table begin with {@code frameloom.gpu.}; a device applies them when it is opened.
 *
 * <table>
 * <caption>System properties</caption>
 * <tr><th>property</th><th>values</th><th>effect</th></tr>
 * <tr><td>device</td><td>auto, auto:orFail, virtual, virtual:..., part of a name, #1, UUID, PCI address</td>
 *     <td>which device {@link io.frameloom.gpu.backend.GpuDevices#open} opens</td></tr>
 * <tr><td>applicationName</td><td>a name</td><td>name for the driver</td></tr>
 * <tr><td>validation</td><td>true, false</td><td>the validation layer, whose messages are also written to the
 *     {@link System.Logger} {@code io.frameloom.gpu}, each distinct one once, with the passes and resources that it
 *     names</td></tr>
 * <tr><td>hazardChecker</td><td>true, false</td><td>whether a {@link io.frameloom.gpu.check.HazardChecker} sees every
 *     submission, the one that the application has given or one beside another observer; what it finds is written to
 *     the same logger. With false, one that the application has given sees nothing</td></tr>
 * <tr><td>programCache</td><td>true, false</td><td>with false, the device goes without the cache it is given</td></tr>
 * <tr><td>queues</td><td>all, or numbers as in 2,1,1</td><td>graphics, compute and copy queues asked for</td></tr>
 * <tr><td>memoryLimit</td><td>bytes, 1 or more</td><td>the most to allocate from each heap</td></tr>
 * <tr><td>creationSites</td><td>true, false</td><td>objects keep the line that created them</td></tr>
 * <tr><td>surfaceExtensions</td><td>VK_..., separated by commas</td><td>instance extensions for surfaces</td></tr>
 * <tr><td>robustBufferAccess</td><td>true, false</td><td>shaders cannot leave the buffers that are bound</td></tr>
 * <tr><td>checks</td><td>true, false</td><td>whether command lists check what they are given</td></tr>
 * <tr><td>required</td><td>names of {@link Capability}, separated by commas, or nothing</td><td>capabilities without
 *     which opening fails; those that the application asks for by {@link #require} are not</td></tr>
 * <tr><td>preferred</td><td>the same</td><td>capabilities that are turned on where the device has them, in place of those
 *     that the application asks for by {@link #prefer}</td></tr>
 * <tr><td>crashMarkers</td><td>true, false</td><td>the device marks how far it has come, for the report of its
 *     loss</td></tr>
 * </table>
 *
 * <p>Folder and budgets of the cache are {@code frameloom.cache.*} ({@link
 * io.frameloom.gpu.cache.ProgramCacheOptions}), the number of frames in flight is {@code frameloom.rdg.framesInFlight}.
 *
 * @param taskGraph the task graph whose events GPU completion completes
 * @param applicationName name for the driver
 * @param validation whether the validation layer with synchronization validation is loaded; its messages are collected
 * @param observer sees every submission, or null
 * @param programCache keeps compiled shaders and pipelines, or null; to be closed after the device
 * @param queues how many queues are asked for; a device opens as many of them as it has. The virtual GPU has the queues
 *     of its own options, an adopted device those that it is adopted with
 * @param memoryLimit the most bytes to allocate from each heap of the device's memory, {@link Long#MAX_VALUE} for all
 *     that the driver gives
 * @param creationSites whether every object keeps the line of code that created it, for the report of what was not
 *     closed
 * @param surfaceExtensions instance extensions for the surfaces to present to, such as {@code VK_KHR_xlib_surface} or
 *     those that a windowing library names; empty for a device that presents to none
 * @param robustBufferAccess whether shaders that access buffers out of range reach nothing else, as
 *     {@link #withRobustBufferAccess} says
 * @param checks whether command lists check what they are given, as {@link #withChecks} says
 * @param required capabilities that the device must have, as {@link #require} says
 * @param preferred capabilities that are turned on if the device has them, as {@link #prefer} says
 * @param crashMarkers whether the device marks how far it has come, as {@link #withCrashMarkers} says
 */
public record DeviceOptions(
        TaskGraph taskGraph,
        String applicationName,
        boolean validation,
        @Nullable SubmissionObserver observer,
        @Nullable ProgramCache programCache,
        QueueCounts queues,
        long memoryLimit,
        boolean creationSites,
        Set<String> surfaceExtensions,
        boolean robustBufferAccess,
        boolean checks,
        Set<Capability> required,
        Set<Capability> preferred,
        boolean crashMarkers) {
    /** Every other extension for surfaces needs this one. */
    private static final String SURFACE_EXTENSION = "VK_KHR_surface";

    public DeviceOptions {
        Objects.requireNonNull(taskGraph, "taskGraph must not be null");
        Objects.requireNonNull(applicationName, "applicationName must not be null");
        if (memoryLimit < 1) {
            throw new IllegalArgumentException("the memory limit of a device must be at least 1 byte, got "
                    + memoryLimit + "; Long.MAX_VALUE means none");
        }
        surfaceExtensions = Set.copyOf(surfaceExtensions);
        required = Set.copyOf(required);
        preferred = Set.copyOf(preferred);
    }

    /** Options with a program cache, and without what is not among these. */
    public DeviceOptions(
            TaskGraph taskGraph,
            String applicationName,
            boolean validation,
            @Nullable SubmissionObserver observer,
            @Nullable ProgramCache programCache) {
        this(
                taskGraph,
                applicationName,
                validation,
                observer,
                programCache,
                QueueCounts.ONE_OF_EACH,
                Long.MAX_VALUE,
                false,
                Set.of(),
                false,
                true,
                Set.of(),
                Set.of(),
                false);
    }

    /** Options without a program cache. */
    public DeviceOptions(
            TaskGraph taskGraph, String applicationName, boolean validation, @Nullable SubmissionObserver observer) {
        this(taskGraph, applicationName, validation, observer, null);
    }

    /**
     * Returns the default options: no validation, no observer, no program cache, a queue of each kind and all memory.
     */
    public static DeviceOptions of(TaskGraph taskGraph, String applicationName) {
        return new DeviceOptions(taskGraph, applicationName, false, null);
    }

    /** The components, to be changed before other options are made of them. */
    private static final class Draft {
        private boolean validation;
        private @Nullable SubmissionObserver observer;
        private @Nullable ProgramCache programCache;
        private QueueCounts queues;
        private long memoryLimit;
        private boolean creationSites;
        private Set<String> surfaceExtensions;
        private boolean robustBufferAccess;
        private boolean checks;
        private Set<Capability> required;
        private Set<Capability> preferred;
        private boolean crashMarkers;

        Draft(DeviceOptions from) {
            validation = from.validation;
            observer = from.observer;
            programCache = from.programCache;
            queues = from.queues;
            memoryLimit = from.memoryLimit;
            creationSites = from.creationSites;
            surfaceExtensions = from.surfaceExtensions;
            robustBufferAccess = from.robustBufferAccess;
            checks = from.checks;
            required = from.required;
            preferred = from.preferred;
            crashMarkers = from.crashMarkers;
        }
    }

    private DeviceOptions with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return new DeviceOptions(
                taskGraph,
                applicationName,
                draft.validation,
                draft.observer,
                draft.programCache,
                draft.queues,
                draft.memoryLimit,
                draft.creationSites,
                draft.surfaceExtensions,
                draft.robustBufferAccess,
                draft.checks,
                draft.required,
                draft.preferred,
                draft.crashMarkers);
    }

    /** As these, with or without the validation layer. */
    public DeviceOptions withValidation(boolean load) {
        return with(draft -> draft.validation = load);
    }

    /**
     * As these, with an observer of every submission. A {@link io.frameloom.gpu.check.HazardChecker} judges the
     * synchronisation of the program, on any device.
     */
    public DeviceOptions withObserver(SubmissionObserver newObserver) {
        return with(draft -> draft.observer = newObserver);
    }

    /** As these, with a program cache. */
    public DeviceOptions withProgramCache(ProgramCache cache) {
        return with(draft -> draft.programCache = cache);
    }

    /** As these, asking for other numbers of queues. */
    public DeviceOptions withQueues(QueueCounts counts) {
        return with(draft -> draft.queues = counts);
    }

    /** As these, with a limit of the bytes allocated from each heap. */
    public DeviceOptions withMemoryLimit(long bytes) {
        return with(draft -> draft.memoryLimit = bytes);
    }

    /** As these, with the creation site of every object in the report of what was not closed. */
    public DeviceOptions withCreationSites() {
        return with(draft -> draft.creationSites = true);
    }

    /**
     * As these, for a device that presents to surfaces made with these instance extensions. VK_KHR_surface and, of the
     * device, VK_KHR_swapchain need not be named; the capabilities of devices that present are preferred. Opening fails naming the extensions that the driver does not have.
     * The virtual GPU needs none.
     */
    public DeviceOptions withSurfaces(Collection<String> instanceExtensions) {
        Objects.requireNonNull(instanceExtensions, "instanceExtensions must not be null");
        Set<String> asked = new TreeSet<>(instanceExtensions);
        asked.add(SURFACE_EXTENSION);
        return with(draft -> draft.surfaceExtensions = asked);
    }

    /**
     * As these, with robust buffer access. A shader that accesses a buffer out of range then reaches nothing but that
     * buffer, and a draw nothing but the vertex buffer. Reads give zero or bytes of that buffer, which may be outside
     * of the bound range; writes are dropped or change that buffer. Textures, shared memory and push constants are not
     * covered.
     *
     * <p>Use it for shaders of others, such as those of mods, and to find out whether shaders cause a crash or spoil
     * data. It costs a comparison with each access, except on devices that always compare. So release builds with
     * shaders of their own go without. Programs of a cache that were compiled the other way are not used. Opening fails
     * where a device does not have the feature of this name, adopting where the engine has not enabled it. The virtual
     * GPU never lets a kernel out of its ranges: one that tries loses the device, by name.
     */
    public DeviceOptions withRobustBufferAccess() {
        return with(draft -> draft.robustBufferAccess = true);
    }

    /**
     * As these, with or without the checks of command lists, which are on by default. Without them a list hands commands
     * to the driver without a look at their arguments and at what was closed. Only what encoding needs anyway is still
     * looked at: what is open, and which bindings a pipeline has. Another mistake does anything, as in Vulkan: it may be
     * refused, end the process, hang the device or spoil memory. What is right does the same in both ways.
     *
     * <p>For builds whose every frame was run with checks before; {@code -Dframeloom.gpu.checks=true} brings them back.
     * Submissions, the making of objects and render graphs are checked all the same. So are all commands of the virtual
     * GPU, and those of a device with an {@linkplain #observer observer}, which needs what the checks find out.
     */
    public DeviceOptions withChecks(boolean check) {
        return with(draft -> draft.checks = check);
    }

    /**
     * As these, for a device that has these capabilities besides those required before; they are turned on. Of several
     * devices one that has them is opened. Where none has, opening fails before anything is created, and names the
     * capability, what it needs, and what the devices have. A device that an engine lends must have them on.
     */
    public DeviceOptions require(Capability... capabilities) {
        return with(draft -> draft.required = joined(draft.required, capabilities));
    }

    /**
     * As these, with these capabilities turned on if the device has them, besides those preferred before. Ask {@link
     * DeviceCapabilities#has} afterwards. They do not decide which device is opened.
     */
    public DeviceOptions prefer(Capability... capabilities) {
        return with(draft -> draft.preferred = joined(draft.preferred, capabilities));
    }

    private static Set<Capability> joined(Set<Capability> former, Capability... more) {
        Objects.requireNonNull(more, "capabilities must not be null");
        Set<Capability> all = EnumSet.noneOf(Capability.class);
        all.addAll(former);
        for (Capability each : more) {
            all.add(Objects.requireNonNull(each, "a capability must not be null"));
        }
        return all;
    }

    /**
     * As these, with marks of the device at begin and end of each command list and pass, and where possible of each
     * label. If the device is lost, its {@link io.frameloom.gpu.error.CrashReport} then knows which passes had begun and
     * which had ended, and which resource holds or held the address of a fault, if the driver reports addresses
     * (VK_EXT_device_fault, VK_EXT_device_address_binding_report). Without marks it has the passes under way by name.
     *
     * <p>Use it to find the cause of a loss. Marks are written by VK_NV_device_diagnostic_checkpoints or
     * VK_AMD_buffer_marker where the device has one of them: a command for each begin and end. Elsewhere they are fills
     * between barriers, so that passes of a queue run one after another; {@link
     * io.frameloom.gpu.error.CrashReport.Marking} says what each kind proves. The virtual GPU knows without.
     */
    public DeviceOptions withCrashMarkers() {
        return with(draft -> draft.crashMarkers = true);
    }

    /**
     * Returns these options with the system properties above applied. A device does this itself when it is opened.
     *
     * @throws SystemPropertyException naming the property that has a wrong value
     */
    public DeviceOptions withSystemProperties() {
        return GpuProperties.over(this);
    }

    /** Returns the whole names of the system properties above, such as {@code frameloom.gpu.validation}. */
    public static Set<String> propertyNames() {
        return GpuProperties.GROUP.names();
    }
}
