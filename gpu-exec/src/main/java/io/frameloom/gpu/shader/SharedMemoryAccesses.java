package io.frameloom.gpu.shader;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.HashSet;
import java.util.Set;
import org.lwjgl.util.spvc.Spv;

/**
 * Removes availability and visibility operations from accesses to shared memory. Under the Vulkan memory model glslang
 * gives every such access both, which makes a fence of each; GLSL has no word for less. A shader whose barriers make
 * available and visible, as its {@link #PRAGMA} declares, needs none of these fences: its accesses stay non-private, so
 * the barriers order them. Stateless.
 */
final class SharedMemoryAccesses {
    /** The line of a shader that asks for this. */
    static final String PRAGMA = "#pragma shared_memory_by_barriers";

    /** Instructions whose result points to where another pointer or a variable does. */
    private static final Set<Integer> POINTERS = Set.of(
            Spv.SpvOpVariable,
            Spv.SpvOpFunctionParameter,
            Spv.SpvOpAccessChain,
            Spv.SpvOpInBoundsAccessChain,
            Spv.SpvOpCopyObject);

    private static final int PER_ACCESS =
            Spv.SpvMemoryAccessMakePointerAvailableMask | Spv.SpvMemoryAccessMakePointerVisibleMask;

    private final Set<Integer> types = new HashSet<>();
    private final Set<Integer> pointers = new HashSet<>();

    private SharedMemoryAccesses() {}

    /** Returns valid SPIR-V without those operations. */
    static ByteBuffer byBarriers(ByteBuffer spirv) {
        return SpirvModule.copy(spirv, new SharedMemoryAccesses()::put);
    }

    private void put(int[] words, int at, int length, IntBuffer to) {
        int opcode = words[at] & 0xFFFF;
        if (opcode == Spv.SpvOpTypePointer && words[at + 2] == Spv.SpvStorageClassWorkgroup) {
            types.add(words[at + 1]);
        } else if (POINTERS.contains(opcode) && types.contains(words[at + 1])) {
            pointers.add(words[at + 2]);
        }
        // Pointer and operands: a load's come after its type and result, a store's before and after its value.
        int pointer = opcode == Spv.SpvOpLoad ? 3 : opcode == Spv.SpvOpStore ? 1 : 0;
        int mask = opcode == Spv.SpvOpLoad ? 4 : 3;
        if (pointer == 0 || length <= mask || !pointers.contains(words[at + pointer])) {
            to.put(words, at, length);
            return;
        }
        int operands = words[at + mask];
        // A scope for each of the two stands after the number of an alignment.
        int kept = length - Integer.bitCount(operands & PER_ACCESS);
        to.put((words[at] & 0xFFFF) | (kept << 16));
        to.put(words, at + 1, mask - 1);
        to.put(operands & ~PER_ACCESS);
        to.put(words, at + mask + 1, kept - mask - 1);
    }
}
