package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.cache.ProgramCache;
import io.frameloom.gpu.cache.ProgramCacheOptions;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.vulkan.FaultyVulkan.Fault;
import io.frameloom.gpu.vulkan.driver.DeviceSeams;
import io.frameloom.gpu.vulkan.driver.NativeQueueDriver;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.testing.KeptNatives;
import io.frameloom.testing.X11Window;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.Configuration;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.EXTCalibratedTimestamps;
import org.lwjgl.vulkan.KHRSurface;
import org.lwjgl.vulkan.KHRSwapchain;
import org.lwjgl.vulkan.VK13;

/**
 * Runs scenarios again and again, each time with another call of the driver failing, and says what does not hold: a failure that is no {@link GpuException}, an event left pending, a hang, a handle or native memory left behind,
 * or a device that cannot be opened and used afterwards. In a JVM of its own, since the driver is replaced.
 *
 * <p>Arguments: seconds to spend (0 for the whole sweep), seed of the order, seconds after which a run hangs, least number of
 * faults whatever time it takes, and, to sweep {@link PresentingScenario} instead, the display of an X server. Every
 * function fails once before any fails again.
 */
final class FaultSweep {
    private static final List<Integer> ANYWHERE =
            List.of(VK13.VK_ERROR_OUT_OF_HOST_MEMORY, VK13.VK_ERROR_OUT_OF_DEVICE_MEMORY, VK13.VK_ERROR_UNKNOWN);
    /** Those after which the device works on, and has to be waited for in another way. */
    private static final Set<String> WAITS = Set.of("vkWaitSemaphores", "vkGetSemaphoreCounterValue");

    /** How the names of functions begin by which a device is found and opened. */
    private static final Set<String> OPENING = Set.of(
            "vkCreateInstance",
            "vkCreateDebugUtils",
            "vkCreateDevice",
            "vkEnumerate",
            "vkGetPhysicalDevice",
            "vkSetDebugUtils");

    /** How the names of functions begin that tell of surfaces; all others of opening are swept without a window. */
    private static final String SURFACES = "vkGetPhysicalDeviceSurface";

    /** Begins a line that names the fault to come. */
    static final String RUNNING = "running: ";

    /** A run without faults follows so many with. */
    private static final int RECOVERY = 8;

    private final FaultyVulkan driver;
    private final long hangSeconds;
    private final List<Setting> settings;
    private final @Nullable X11Window window;
    private final List<String> problems = new ArrayList<>();
    private final Map<String, int[]> outcomes = new TreeMap<>();
    private final TaskGraph tasks =
            TaskGraph.builder().name("faults").workers(1).build();
    private final ProgramCache programs = ProgramCache.open(ProgramCacheOptions.inMemory(), tasks);
    private long nativeBaseline;

    /** How the device is opened: with a program cache, or without and with crash markers. */
    private enum Setting {
        CACHED,
        UNCACHED,
        /** With uploads, readbacks and pipelines that are compiled in the background; opening a device is swept without. */
        STREAMING,
        /** With an engine's device. */
        ADOPTED,
        /** With a window to present to; of opening the device, only the questions about its surface fail. */
        PRESENTING
    }

    /** A program that may fail, and closes everything. */
    interface Scenario {
        /** Runs to the end or to the first failure, closes everything, and returns the failures. */
        List<RuntimeException> run();

        /** Returns whether the device was opened. */
        boolean opened();

        /** Returns whether all work was done and found right: what fails while closing after that concerns nobody. */
        boolean finished();
    }

    private record Case(Setting setting, Fault fault, boolean idleFails) {}

    private FaultSweep(FaultyVulkan driver, long hangSeconds, @Nullable X11Window window) {
        this.driver = driver;
        this.hangSeconds = hangSeconds;
        this.window = window;
        this.settings = window == null
                ? List.of(Setting.CACHED, Setting.UNCACHED, Setting.STREAMING, Setting.ADOPTED)
                : List.of(Setting.PRESENTING);
    }

    public static void main(String[] arguments) throws InterruptedException {
        Configuration.DEBUG_MEMORY_ALLOCATOR.set(true);
        long seconds = Long.parseLong(arguments[0]);
        long seed = Long.parseLong(arguments[1]);
        X11Window window = arguments.length == 4
                ? null
                : new X11Window(arguments[4], PresentingScenario.WIDTH, PresentingScenario.HEIGHT);
        FaultyVulkan driver = FaultyVulkan.install();
        new KeptNatives().open();
        // What is kept is not left behind.
        driver.ledger().settle();
        FaultSweep sweep = new FaultSweep(driver, Long.parseLong(arguments[2]), window);
        boolean held = sweep.run(seconds, seed, Integer.parseInt(arguments[3]));
        System.out.flush();
        // Without the list of what LWJGL has allocated for good.
        Runtime.getRuntime().halt(held ? 0 : 1);
    }

    private boolean run(long seconds, long seed, int least) throws InterruptedException {
        long start = System.nanoTime();
        List<Case> cases = new ArrayList<>();
        for (Setting setting : settings) {
            // The first runs load classes and fill caches for good.
            sound(setting, "warm-up");
            sound(setting, "before");
            for (Map.Entry<String, Long> counted : driver.counted().entrySet()) {
                for (long call = 1; call <= counted.getValue(); call++) {
                    for (int result : errorsOf(setting, counted.getKey())) {
                        Fault fault = new Fault(counted.getKey(), call, result);
                        cases.add(new Case(setting, fault, false));
                        if (WAITS.contains(counted.getKey()) && result == VK13.VK_ERROR_UNKNOWN) {
                            cases.add(new Case(setting, fault, true));
                        }
                    }
                }
            }
        }
        if (!problems.isEmpty()) {
            problems.forEach(System.out::println);
            return false;
        }
        nativeBaseline = nativeBytes();
        Collections.shuffle(cases, new Random(seed));
        cases = everyFunctionFirst(mixed(cases));
        int done = 0;
        for (Case next : cases) {
            if (seconds > 0 && done >= least && System.nanoTime() - start > TimeUnit.SECONDS.toNanos(seconds)) {
                break;
            }
            faulty(next);
            if (++done % RECOVERY == 0) {
                sound(next.setting, "after " + next.fault);
            }
        }
        for (Setting setting : settings) {
            sound(setting, "at the end");
        }
        outcomes.forEach((function, counts) -> System.out.printf(
                "%-48s %4d failed, %3d lost, %3d tolerated, %3d not reached%n",
                function, counts[0], counts[1], counts[2], counts[3]));
        problems.stream().limit(40).forEach(System.out::println);
        System.out.printf(
                "%d of %d faults, seed %d, %d problems, %d s%n",
                done, cases.size(), seed, problems.size(), TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start));
        programs.close();
        tasks.close();
        return problems.isEmpty();
    }

    /** Returns every other case one after which the device is left at work: what forgets that crashes only now and then. */
    private static List<Case> mixed(List<Case> cases) {
        List<Case> mixed = new ArrayList<>(cases.size());
        Deque<Case> others = new ArrayDeque<>();
        Deque<Case> busy = new ArrayDeque<>();
        cases.forEach(next -> (FaultyVulkan.canFindLoss(next.fault.function()) ? busy : others).add(next));
        while (!others.isEmpty() || !busy.isEmpty()) {
            if (!others.isEmpty()) {
                mixed.add(others.remove());
            }
            if (!busy.isEmpty()) {
                mixed.add(busy.remove());
            }
        }
        return mixed;
    }

    private static List<Integer> errorsOf(Setting setting, String function) {
        boolean opening = OPENING.stream().anyMatch(function::startsWith);
        if (setting == Setting.STREAMING && opening) {
            return List.of();
        }
        List<Integer> errors = errorsOf(function);
        if (setting != Setting.PRESENTING || errors.isEmpty()) {
            return errors;
        }
        if (opening && !function.startsWith(SURFACES)) {
            return List.of();
        }
        if (function.endsWith("KHR")) {
            errors.add(KHRSurface.VK_ERROR_SURFACE_LOST_KHR);
        }
        switch (function) {
            case "vkAcquireNextImageKHR" -> {
                errors.add(KHRSwapchain.VK_ERROR_OUT_OF_DATE_KHR);
                errors.add(VK13.VK_NOT_READY);
            }
            case "vkQueuePresentKHR" -> errors.add(KHRSwapchain.VK_ERROR_OUT_OF_DATE_KHR);
            case "vkCreateSwapchainKHR" -> {
                errors.add(KHRSurface.VK_ERROR_NATIVE_WINDOW_IN_USE_KHR);
                errors.add(VK13.VK_ERROR_INITIALIZATION_FAILED);
            }
            default -> {}
        }
        return errors;
    }

    private static List<Case> everyFunctionFirst(List<Case> cases) {
        List<Case> ordered = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        cases.stream().filter(next -> seen.add(next.fault.function())).forEach(ordered::add);
        Set<Case> first = new HashSet<>(ordered);
        cases.stream().filter(next -> !first.contains(next)).forEach(ordered::add);
        return ordered;
    }

    private static List<Integer> errorsOf(String function) {
        if (function.equals("vkEnumerateInstanceVersion")) {
            // Asked once per process.
            return List.of();
        }
        if (function.startsWith("vkDestroy") || function.equals("vkFreeMemory")) {
            // These return nothing, and are counted for the ledger alone.
            return List.of();
        }
        if (function.equals("vkSetDebugUtilsObjectNameEXT")) {
            return List.of(VK13.VK_ERROR_OUT_OF_HOST_MEMORY);
        }
        List<Integer> errors = new ArrayList<>(ANYWHERE);
        if (FaultyVulkan.canFindLoss(function) || createsOnDevice(function)) {
            errors.add(VK13.VK_ERROR_DEVICE_LOST);
        }
        switch (function) {
            case "vkCreateInstance", "vkCreateDevice", "vkEnumeratePhysicalDevices" -> {
                errors.add(VK13.VK_ERROR_INITIALIZATION_FAILED);
                errors.add(VK13.VK_ERROR_INCOMPATIBLE_DRIVER);
                errors.add(VK13.VK_ERROR_EXTENSION_NOT_PRESENT);
                errors.add(VK13.VK_ERROR_TOO_MANY_OBJECTS);
                errors.add(VK13.VK_ERROR_DEVICE_LOST);
            }
            case "vkAllocateDescriptorSets" -> {
                errors.add(VK13.VK_ERROR_FRAGMENTED_POOL);
                errors.add(VK13.VK_ERROR_OUT_OF_POOL_MEMORY);
            }
            case "vkCreateDescriptorPool" -> errors.add(VK13.VK_ERROR_FRAGMENTATION);
            case "vkMapMemory" -> errors.add(VK13.VK_ERROR_MEMORY_MAP_FAILED);
            case "vkAllocateMemory" -> errors.add(VK13.VK_ERROR_TOO_MANY_OBJECTS);
            case "vkGetPhysicalDeviceImageFormatProperties" -> errors.add(VK13.VK_ERROR_FORMAT_NOT_SUPPORTED);
            default -> {}
        }
        return errors;
    }

    /** Returns whether a function makes something of a device, which Vulkan does not say to find losses; drivers do. */
    private static boolean createsOnDevice(String function) {
        // A surface is of the instance.
        boolean creates = (function.startsWith("vkCreate") && !function.endsWith("SurfaceKHR"))
                || function.startsWith("vkAllocate");
        return creates && OPENING.stream().noneMatch(function::startsWith);
    }

    private void sound(Setting setting, String when) throws InterruptedException {
        driver.arm(null, false);
        List<RuntimeException> failures = runScenario(setting, when).failures;
        failures.forEach(failure -> problem("without a fault, " + when, failure));
        settle("without a fault, " + when);
    }

    private void faulty(Case next) throws InterruptedException {
        String what = next.fault + " (" + next.setting + (next.idleFails ? ", vkQueueWaitIdle fails, too)" : ")");
        // A driver that crashes takes the process with it: the last of these lines says what came before.
        System.out.println(RUNNING + what);
        driver.arm(next.fault, next.idleFails);
        Outcome outcome = runScenario(next.setting, what);
        List<RuntimeException> failures = outcome.failures;
        int[] counts = outcomes.computeIfAbsent(next.fault.function(), key -> new int[4]);
        boolean lost =
                next.fault.result() == VK13.VK_ERROR_DEVICE_LOST && FaultyVulkan.canFindLoss(next.fault.function());
        if (!driver.fired()) {
            counts[3]++;
        } else if (failures.isEmpty()) {
            counts[2]++;
        } else {
            counts[failures.get(0) instanceof DeviceLostException ? 1 : 0]++;
        }
        for (RuntimeException failure : failures) {
            boolean refused = next.fault.result() == VK13.VK_ERROR_FORMAT_NOT_SUPPORTED
                    && failure instanceof IllegalArgumentException;
            if (!(failure instanceof GpuException) && !refused) {
                problem(what + ": no GpuException", failure);
            }
        }
        if (lost
                && driver.fired()
                && !outcome.finished
                && failures.stream().noneMatch(DeviceLostException.class::isInstance)) {
            problem(what + ": the loss does not show in " + failures, null);
        }
        // What fails first is the call that found the loss.
        boolean untold = next.fault.result() == VK13.VK_ERROR_DEVICE_LOST
                && outcome.opened
                && !failures.isEmpty()
                && failures.get(0) instanceof DeviceLostException first
                && first.report().isEmpty();
        if (untold) {
            problem(what + ": a loss without a report", failures.get(0));
        }
        settle(what);
    }

    private void settle(String what) {
        driver.ledger().settle().forEach(left -> problem(what + ": " + left, null));
        long bytes = nativeBytes();
        if (nativeBaseline != 0 && bytes != nativeBaseline) {
            problem(what + ": native memory went from " + nativeBaseline + " to " + bytes + " bytes", null);
            nativeBaseline = bytes;
        }
    }

    /** How a run ended. */
    private record Outcome(List<RuntimeException> failures, boolean finished, boolean opened) {}

    private Outcome runScenario(Setting setting, String what) throws InterruptedException {
        // Where a driver has it, parts of pipelines and links in the background fail as well.
        DeviceOptions plain =
                new DeviceOptions(tasks, "fault sweep", false, null).prefer(Capability.GRAPHICS_PIPELINE_LIBRARY);
        DeviceOptions options = switch (setting) {
            case CACHED -> plain.withProgramCache(programs);
            case UNCACHED -> plain.withCrashMarkers();
            default -> plain;
        };
        Set<String> hidden = setting == Setting.CACHED
                ? Set.of()
                : Set.of(EXTCalibratedTimestamps.VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME);
        DeviceSeams seams = new DeviceSeams(new NativeQueueDriver(), hidden);
        Scenario scenario = scenario(setting, options, seams);
        List<RuntimeException> failures = new ArrayList<>();
        List<Throwable> wrong = Collections.synchronizedList(new ArrayList<>());
        Thread thread = new Thread(
                () -> {
                    try {
                        failures.addAll(scenario.run());
                    } catch (Throwable e) {
                        wrong.add(e);
                    }
                },
                "scenario");
        thread.setDaemon(true);
        thread.start();
        thread.join(TimeUnit.SECONDS.toMillis(hangSeconds));
        if (thread.isAlive()) {
            System.out.println(what + ": hangs");
            Thread.getAllStackTraces().forEach((hung, trace) -> {
                System.out.println(hung);
                for (StackTraceElement element : trace) {
                    System.out.println("    at " + element);
                }
            });
            System.out.flush();
            Runtime.getRuntime().halt(2);
        }
        wrong.forEach(e -> problem(what, e));
        return new Outcome(failures, scenario.finished(), scenario.opened());
    }

    private Scenario scenario(Setting setting, DeviceOptions options, DeviceSeams seams) {
        return switch (setting) {
            case CACHED, UNCACHED -> new FaultScenario(options, seams);
            case STREAMING -> new TransferScenario(options, seams);
            case ADOPTED -> new AdoptionScenario(options, seams);
            case PRESENTING -> new PresentingScenario(options, seams, Objects.requireNonNull(window));
        };
    }

    private void problem(String what, @Nullable Throwable cause) {
        StringBuilder text = new StringBuilder("PROBLEM ").append(what);
        for (Throwable e = cause; e != null; e = e.getCause()) {
            text.append("\n  ").append(e);
            for (int i = 0; i < Math.min(8, e.getStackTrace().length); i++) {
                text.append("\n    at ").append(e.getStackTrace()[i]);
            }
        }
        problems.add(text.toString());
    }

    /** Returns the native memory that LWJGL has allocated and not freed, but for the replacements of functions. */
    private static long nativeBytes() {
        LongAdder bytes = new LongAdder();
        MemoryUtil.memReport((address, memory, threadId, threadName, trace) -> {
            boolean ours = trace != null
                    && Arrays.stream(trace)
                            .anyMatch(element -> element.getClassName().equals(FaultyVulkan.class.getName()));
            bytes.add(ours ? 0 : memory);
        });
        return bytes.sum();
    }
}
