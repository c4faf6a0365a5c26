package io.frameloom.gpu.vulkan;

import static org.lwjgl.system.MemoryUtil.memGetLong;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The handles that a driver has given out and not got back: the oracle of leaks. Command buffers and descriptor sets are
 * not in it, since they go with their pools. Any thread.
 */
final class HandleLedger {
    private final Map<String, Integer> open = new TreeMap<>();
    private final List<String> strays = new ArrayList<>();

    /** Returns whether calls of a function have to be noted. */
    static boolean concerns(String function) {
        return function.startsWith("vkCreate")
                || function.startsWith("vkDestroy")
                || function.equals("vkAllocateMemory")
                || function.equals("vkFreeMemory");
    }

    /** Notes what a call gives back, before it does. */
    synchronized void before(String function, long[] words) {
        if (function.equals("vkFreeMemory")) {
            closed("Memory", words[1]);
        } else if (function.equals("vkDestroyInstance") || function.equals("vkDestroyDevice")) {
            closed(function.substring("vkDestroy".length()), words[0]);
        } else if (function.startsWith("vkDestroy")) {
            closed(function.substring("vkDestroy".length()), words[1]);
        }
    }

    /** Notes what a call that succeeded has created. */
    synchronized void after(String function, long[] words) {
        if (function.equals("vkCreateComputePipelines") || function.equals("vkCreateGraphicsPipelines")) {
            for (int i = 0; i < (int) words[2]; i++) {
                opened("Pipeline", memGetLong(words[5] + (long) i * Long.BYTES));
            }
        } else if (function.equals("vkAllocateMemory")) {
            opened("Memory", memGetLong(words[3]));
        } else if (function.equals("vkCreateInstance")) {
            opened("Instance", memGetLong(words[2]));
        } else if (function.endsWith("SurfaceKHR")) {
            opened("SurfaceKHR", memGetLong(words[3]));
        } else if (function.startsWith("vkCreate")) {
            opened(function.substring("vkCreate".length()), memGetLong(words[3]));
        }
    }

    private void opened(String kind, long handle) {
        open.merge(key(kind, handle), 1, Integer::sum);
    }

    private void closed(String kind, long handle) {
        if (handle == 0) {
            return;
        }
        String key = key(kind, handle);
        Integer count = open.remove(key);
        if (count == null) {
            strays.add(key);
        } else if (count > 1) {
            open.put(key, count - 1);
        }
    }

    /** Drivers may give equal handles to equal objects, so handles are counted. */
    private static String key(String kind, long handle) {
        return kind + " 0x" + Long.toHexString(handle);
    }

    /** Describes what is still open, and what was given back although it was not open; forgets both. */
    synchronized List<String> settle() {
        List<String> wrong = new ArrayList<>();
        open.keySet().forEach(key -> wrong.add("not destroyed: " + key));
        strays.forEach(key -> wrong.add("destroyed although not alive: " + key));
        open.clear();
        strays.clear();
        return wrong;
    }
}
