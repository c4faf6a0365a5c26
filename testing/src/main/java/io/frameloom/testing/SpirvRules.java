package io.frameloom.testing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What compute shaders keep to for the order of memory, looked for in the SPIR-V of one: barriers name the workgroup or the
 * subgroup, and that they acquire and release shared memory, which under the Vulkan memory model is to make it available and
 * visible; atomics name the device, or the workgroup in shared memory, and order nothing; no load or store is a fence, and
 * under the Vulkan memory model those of shared memory are non-private, so that barriers order them. Immutable.
 */
public final class SpirvRules {
    private static final int HEADER_WORDS = 5;
    private static final int OP_MEMORY_MODEL = 14;
    private static final int OP_TYPE_POINTER = 32;
    private static final int OP_CONSTANT = 43;
    private static final int OP_VARIABLE = 59;
    private static final int OP_LOAD = 61;
    private static final int OP_STORE = 62;
    private static final int OP_ACCESS_CHAIN = 65;
    private static final int OP_CONTROL_BARRIER = 224;
    private static final int OP_MEMORY_BARRIER = 225;
    private static final int OP_ATOMIC_LOAD = 227;
    private static final int OP_ATOMIC_STORE = 228;
    private static final int OP_ATOMIC_XOR = 242;
    private static final int VULKAN = 3;
    private static final int DEVICE = 1;
    private static final int WORKGROUP = 2;
    private static final int SUBGROUP = 3;
    private static final int SHARED_CLASS = 4;
    private static final int ACQUIRE_RELEASE = 0x8;
    private static final int WORKGROUP_MEMORY = 0x100;
    private static final int MAKE_AVAILABLE = 0x2000;
    private static final int MAKE_VISIBLE = 0x4000;
    private static final int PER_ACCESS = 0x18;
    private static final int NON_PRIVATE = 0x20;

    private final int[] words;
    private final Map<Integer, Integer> constants = new HashMap<>();
    private final Set<Integer> sharedTypes = new HashSet<>();
    private final Set<Integer> shared = new HashSet<>();
    private final List<String> broken = new ArrayList<>();
    private boolean vulkan;
    private int barriers;
    private int fences;

    private SpirvRules(int[] words) {
        this.words = words;
        for (int at = HEADER_WORDS; at < words.length; at += words[at] >>> 16) {
            read(at, words[at] >>> 16);
        }
    }

    /** Reads valid SPIR-V in the byte order of this machine. */
    public static SpirvRules of(int[] words) {
        return new SpirvRules(words.clone());
    }

    /** Returns whether it declares the Vulkan memory model. */
    public boolean isVulkanMemoryModel() {
        return vulkan;
    }

    /** Returns how many barriers it has. */
    public int barriers() {
        return barriers;
    }

    /** Returns how many fences it has that are no barriers, which order memory and wait for nobody. */
    public int fences() {
        return fences;
    }

    /** Returns which instructions break which rule; nothing if none does. */
    public List<String> broken() {
        return List.copyOf(broken);
    }

    private void read(int at, int length) {
        int operation = words[at] & 0xFFFF;
        switch (operation) {
            case OP_MEMORY_MODEL -> vulkan = words[at + 2] == VULKAN;
            case OP_CONSTANT -> constants.put(words[at + 2], words[at + 3]);
            case OP_TYPE_POINTER -> {
                if (words[at + 2] == SHARED_CLASS) {
                    sharedTypes.add(words[at + 1]);
                }
            }
            case OP_VARIABLE, OP_ACCESS_CHAIN -> {
                if (sharedTypes.contains(words[at + 1])) {
                    shared.add(words[at + 2]);
                }
            }
            case OP_LOAD -> access(at, words[at + 3], length > 4 ? words[at + 4] : 0);
            case OP_STORE -> access(at, words[at + 1], length > 3 ? words[at + 3] : 0);
            case OP_CONTROL_BARRIER -> barrier(at);
            case OP_MEMORY_BARRIER -> fences++;
            default -> {
                if (operation >= OP_ATOMIC_LOAD && operation <= OP_ATOMIC_XOR) {
                    // Type, result and pointer come first; a store has but the pointer.
                    atomic(at, operation == OP_ATOMIC_STORE ? at + 1 : at + 3);
                }
            }
        }
    }

    private void access(int at, int pointer, int operands) {
        boolean ordered = vulkan && shared.contains(pointer);
        require(at, (operands & PER_ACCESS) == 0, "makes memory available or visible by itself");
        require(at, (operands & NON_PRIVATE) != 0 || !ordered, "is private, so no barrier orders it");
    }

    private void barrier(int at) {
        barriers++;
        int scope = constants.getOrDefault(words[at + 1], -1);
        int semantics = constants.getOrDefault(words[at + 3], 0);
        int needed = ACQUIRE_RELEASE | WORKGROUP_MEMORY | (vulkan ? MAKE_AVAILABLE | MAKE_VISIBLE : 0);
        require(at, scope == WORKGROUP || scope == SUBGROUP, "is a barrier of scope " + scope);
        require(at, constants.getOrDefault(words[at + 2], -1) == scope, "orders memory of another scope");
        require(at, (semantics & needed) == needed, "is a barrier with semantics 0x" + Integer.toHexString(semantics));
    }

    private void atomic(int at, int pointer) {
        int scope = constants.getOrDefault(words[pointer + 1], -1);
        boolean named = scope == DEVICE || (scope == WORKGROUP && shared.contains(words[pointer]));
        require(at, named, "is an atomic of scope " + scope);
        require(at, constants.getOrDefault(words[pointer + 2], 0) == 0, "is an atomic that orders memory");
    }

    private void require(int at, boolean holds, String what) {
        if (!holds) {
            broken.add("instruction " + (words[at] & 0xFFFF) + " at word " + at + " " + what);
        }
    }
}
