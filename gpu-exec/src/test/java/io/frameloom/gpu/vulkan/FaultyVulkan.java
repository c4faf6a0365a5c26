package io.frameloom.gpu.vulkan;

import static org.lwjgl.system.MemoryUtil.memASCII;
import static org.lwjgl.system.MemoryUtil.memASCIISafe;
import static org.lwjgl.system.MemoryUtil.memGetAddress;

import io.frameloom.gpu.vulkan.driver.VulkanResults;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.Configuration;
import org.lwjgl.system.FunctionProvider;
import org.lwjgl.system.Library;
import org.lwjgl.system.SharedLibrary;
import org.lwjgl.vulkan.EXTCalibratedTimestamps;
import org.lwjgl.vulkan.EXTDebugUtils;
import org.lwjgl.vulkan.KHRSurface;
import org.lwjgl.vulkan.KHRSwapchain;
import org.lwjgl.vulkan.KHRXlibSurface;
import org.lwjgl.vulkan.VK;
import org.lwjgl.vulkan.VK10;
import org.lwjgl.vulkan.VK11;
import org.lwjgl.vulkan.VK12;
import org.lwjgl.vulkan.VK13;

/**
 * A driver that fails when it is told to, in front of the real one. Installed once per JVM, before anything else of
 * Vulkan, and then everything of the process goes through it, the memory allocator included: the loader's functions that
 * look up functions are replaced, and hand out replacements for every function that returns a VkResult.
 *
 * <p>Each call is counted by function. The {@linkplain Fault one that is to fail} is not forwarded and returns the error
 * instead. After VK_ERROR_DEVICE_LOST every call that may find a device lost returns it until the device is destroyed,
 * and, as a lost device executes nothing any more, the real one is idle before the first of them returns.
 */
final class FaultyVulkan implements FunctionProvider {
    private static final List<Class<?>> COMMANDS = List.of(
            VK10.class,
            VK11.class,
            VK12.class,
            VK13.class,
            EXTDebugUtils.class,
            EXTCalibratedTimestamps.class,
            KHRSurface.class,
            KHRSwapchain.class,
            KHRXlibSurface.class);
    private static final Set<String> FIND_LOSS = Set.of(
            "vkQueueSubmit2",
            "vkQueueWaitIdle",
            "vkAcquireNextImageKHR",
            "vkQueuePresentKHR",
            "vkDeviceWaitIdle",
            "vkWaitSemaphores",
            "vkGetSemaphoreCounterValue",
            "vkWaitForFences",
            "vkGetQueryPoolResults");

    private final SharedLibrary real;
    private final Set<String> results = functionsWithResults();
    private final Map<String, Long> replacements = new ConcurrentHashMap<>();
    private final Map<String, AtomicLong> calls = new ConcurrentHashMap<>();
    private final HandleLedger ledger = new HandleLedger();
    private volatile @Nullable Fault fault;
    private volatile boolean fired;
    private volatile boolean lost;
    private volatile boolean neverIdle;
    /** Nothing is submitted while the device comes to a halt, and nothing afterwards. */
    private final ReadWriteLock halting = new ReentrantReadWriteLock();

    private volatile @Nullable Watch watch;
    private volatile long device;
    private volatile long waitIdle;

    /**
     * A call that fails.
     *
     * @param function name
     * @param call number of the call of that function, from 1
     * @param result what it returns
     */
    record Fault(String function, long call, int result) {
        @Override
        public String toString() {
            return "call " + call + " of " + function + " returns " + VulkanResults.name(result);
        }
    }

    /** Somebody who is told the arguments of a function before it is called: pointers and integers, each as a word. */
    private record Watch(String function, Consumer<long[]> told) {}

    private FaultyVulkan(SharedLibrary real) {
        this.real = real;
    }

    /** Puts the wrapper in front of the driver; first thing in a process. */
    static FaultyVulkan install() {
        Configuration.VULKAN_EXPLICIT_INIT.set(true);
        FaultyVulkan wrapper =
                new FaultyVulkan(Library.loadNative(VK.class, "org.lwjgl.vulkan", "libvulkan.so.1", true));
        VK.create(wrapper);
        return wrapper;
    }

    /**
     * Starts anew: no call is counted, nothing is lost, and {@code next} is to fail.
     *
     * @param idleFails whether besides that the device can never be waited for as a whole
     */
    void arm(@Nullable Fault next, boolean idleFails) {
        neverIdle = idleFails;
        calls.clear();
        fired = false;
        lost = false;
        fault = next;
    }

    /** Tells the arguments of a function that returns a result before each call, in place of another one's. */
    void watch(String function, Consumer<long[]> told) {
        watch = new Watch(function, told);
    }

    /** Returns whether the fault has happened. */
    boolean fired() {
        return fired;
    }

    /** Returns the number of calls of each function since {@link #arm}. */
    Map<String, Long> counted() {
        Map<String, Long> counts = new TreeMap<>();
        calls.forEach((function, count) -> counts.put(function, count.get()));
        return counts;
    }

    HandleLedger ledger() {
        return ledger;
    }

    /** Returns whether a function is one by which a device is found to be lost. */
    static boolean canFindLoss(String function) {
        return FIND_LOSS.contains(function);
    }

    @Override
    public long getFunctionAddress(ByteBuffer functionName) {
        String name = memASCII(functionName).replace("\0", "");
        return replaced(name, real.getFunctionAddress(functionName));
    }

    private long replaced(String name, long address) {
        if (address == 0) {
            return 0;
        }
        if (name.equals("vkDeviceWaitIdle")) {
            waitIdle = address;
        }
        if (name.equals("vkGetInstanceProcAddr") || name.equals("vkGetDeviceProcAddr")) {
            return replacement(name, address, (a, b, c, d, e, f, g, h) -> {
                String wanted = memASCIISafe(b);
                return replaced(wanted == null ? "" : wanted, VulkanFunctionI.call(address, a, b));
            });
        }
        if (!results.contains(name) && !HandleLedger.concerns(name)) {
            return address;
        }
        return replacement(
                name, address, (a, b, c, d, e, f, g, h) -> call(name, address, new long[] {a, b, c, d, e, f, g, h}));
    }

    /** Callbacks are made once for each function and address, and live as long as the process. */
    private long replacement(String name, long address, VulkanFunctionI function) {
        return replacements.computeIfAbsent(name + "@" + address, key -> function.address());
    }

    private long call(String function, long address, long[] words) {
        Watch watching = watch;
        if (watching != null && watching.function.equals(function)) {
            watching.told.accept(words);
        }
        long number = calls.computeIfAbsent(function, key -> new AtomicLong()).incrementAndGet();
        Fault planned = fault;
        if (planned != null && planned.function.equals(function) && planned.call == number) {
            fired = true;
            if (planned.result == VK10.VK_ERROR_DEVICE_LOST) {
                halting.writeLock().lock();
                try {
                    quiesce();
                    lost = true;
                } finally {
                    halting.writeLock().unlock();
                }
            }
            return planned.result;
        }
        if (neverIdle && function.equals("vkQueueWaitIdle")) {
            return VK13.VK_ERROR_UNKNOWN;
        }
        if (function.equals("vkQueueSubmit2") || function.equals("vkQueuePresentKHR")) {
            halting.readLock().lock();
            try {
                return lost ? VK10.VK_ERROR_DEVICE_LOST : VulkanFunctionI.call(address, words);
            } finally {
                halting.readLock().unlock();
            }
        }
        if (lost && FIND_LOSS.contains(function)) {
            return VK10.VK_ERROR_DEVICE_LOST;
        }
        boolean noted = HandleLedger.concerns(function);
        if (noted) {
            ledger.before(function, words);
        }
        if (function.equals("vkDestroyDevice")) {
            lost = false;
            device = 0;
        }
        long result = VulkanFunctionI.call(address, words);
        if (noted && results.contains(function) && (int) result == VK10.VK_SUCCESS) {
            ledger.after(function, words);
            if (function.equals("vkCreateDevice")) {
                device = memGetAddress(words[3]);
            }
        }
        return result;
    }

    private void quiesce() {
        if (device != 0) {
            VulkanFunctionI.call(waitIdle, device);
        }
    }

    private static Set<String> functionsWithResults() {
        Set<String> names = new HashSet<>();
        for (Class<?> commands : COMMANDS) {
            for (Method method : commands.getDeclaredMethods()) {
                if (Modifier.isStatic(method.getModifiers())
                        && method.getReturnType() == int.class
                        && method.getName().startsWith("vk")) {
                    names.add(method.getName());
                }
            }
        }
        return names;
    }
}
