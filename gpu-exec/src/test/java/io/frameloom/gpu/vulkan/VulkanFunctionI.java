package io.frameloom.gpu.vulkan;

import static org.lwjgl.system.MemoryUtil.memGetAddress;
import static org.lwjgl.system.MemoryUtil.memPutAddress;

import java.lang.invoke.MethodHandles;
import org.lwjgl.system.APIUtil;
import org.lwjgl.system.Callback;
import org.lwjgl.system.CallbackI;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.Pointer;
import org.lwjgl.system.libffi.FFICIF;
import org.lwjgl.system.libffi.FFIType;
import org.lwjgl.system.libffi.LibFFI;

/**
 * A Vulkan function that Java implements. It takes eight words, whatever its real number of parameters: the functions
 * that return a result have integers and pointers only, at most eight, and the C conventions of x86-64 and AArch64 pass
 * those as words, so that the ones that a function does not have are words of the caller's stack that nobody looks at.
 */
@FunctionalInterface
interface VulkanFunctionI extends CallbackI {
    /** Most parameters of a function that is wrapped. */
    int WORDS = 8;

    /** The shape of all of them. */
    FFICIF SHAPE = shape();

    Callback.Descriptor DESCRIPTOR =
            new Callback.Descriptor(VulkanFunctionI.class, MethodHandles.lookup(), VulkanFunctionI.SHAPE);

    /** Returns the result as a word, of which the caller looks at the lower half. */
    long invoke(long a, long b, long c, long d, long e, long f, long g, long h);

    @Override
    default Callback.Descriptor getDescriptor() {
        return DESCRIPTOR;
    }

    @Override
    default void callback(long result, long arguments) {
        memPutAddress(
                result,
                invoke(
                        word(arguments, 0),
                        word(arguments, 1),
                        word(arguments, 2),
                        word(arguments, 3),
                        word(arguments, 4),
                        word(arguments, 5),
                        word(arguments, 6),
                        word(arguments, 7)));
    }

    private static long word(long arguments, int index) {
        return memGetAddress(memGetAddress(arguments + (long) index * Pointer.POINTER_SIZE));
    }

    private static FFICIF shape() {
        FFIType[] words = new FFIType[WORDS];
        java.util.Arrays.fill(words, LibFFI.ffi_type_pointer);
        return APIUtil.apiCreateCIF(LibFFI.ffi_type_pointer, words);
    }

    /** Calls a native function of this shape. */
    static long call(long function, long... words) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            long values = stack.ncalloc(Pointer.POINTER_SIZE, WORDS, Pointer.POINTER_SIZE);
            long places = stack.ncalloc(Pointer.POINTER_SIZE, WORDS, Pointer.POINTER_SIZE);
            long result = stack.ncalloc(Pointer.POINTER_SIZE, 1, Pointer.POINTER_SIZE);
            for (int i = 0; i < WORDS; i++) {
                long value = values + (long) i * Pointer.POINTER_SIZE;
                memPutAddress(value, i < words.length ? words[i] : 0);
                memPutAddress(places + (long) i * Pointer.POINTER_SIZE, value);
            }
            LibFFI.nffi_call(SHAPE.address(), function, result, places);
            return memGetAddress(result);
        }
    }
}
