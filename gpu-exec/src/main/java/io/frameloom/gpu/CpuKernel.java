package io.frameloom.gpu;

import java.nio.ByteBuffer;

/**
 * The CPU form of a compute shader, run by the virtual GPU for a whole dispatch. Must be a pure function of its view. It
 * stands for the shader with the specialization constants of its description: give each variant a kernel of its own.
 */
@FunctionalInterface
public interface CpuKernel {
    /** Executes one dispatch. Called on a thread of the virtual GPU. */
    void dispatch(Invocation invocation);

    /** What a kernel sees of its dispatch. */
    interface Invocation {
        /** Returns the number of workgroups in x. */
        int groupsX();

        /** Returns the number of workgroups in y. */
        int groupsY();

        /** Returns the number of workgroups in z. */
        int groupsZ();

        /** Returns the bytes of the buffer (or of the texture's mip, rows tightly packed) bound under {@code name}. */
        ByteBuffer bytes(String name);

        /** Returns the bytes of element {@code index} of the array bound under {@code name}. */
        ByteBuffer bytes(String name, int index);

        /** Returns the extent of the texture mip bound under {@code name}: width, height. */
        int[] extent(String name);

        /** Returns the push constants, native order, position 0. */
        ByteBuffer pushConstants();
    }
}
