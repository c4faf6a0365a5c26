package io.frameloom.gpu.pipeline;

import io.frameloom.gpu.resource.ComponentMapping;
import io.frameloom.gpu.resource.SamplerDescription;
import java.nio.ByteBuffer;

/**
 * The CPU form of a compute shader, run by the virtual GPU for a whole dispatch. Must be a pure function of its view.
 * It replaces the shader with the specialization constants of its description: give each variant a kernel of its own.
 */
@FunctionalInterface
public interface CpuKernel {
    /** Executes one dispatch. Called on a thread of the virtual GPU. */
    void dispatch(Invocation invocation);

    /** A kernel's view of its dispatch. */
    interface Invocation {
        /** Returns the number of workgroups in x. */
        int groupsX();

        /** Returns the number of workgroups in y. */
        int groupsY();

        /** Returns the number of workgroups in z. */
        int groupsZ();

        /**
         * Returns the bytes of the buffer (or of the first mip of the texture view, rows tightly packed) bound under
         * {@code name}; native order, read-only if the shader only reads the resource.
         *
         * @throws IllegalArgumentException if nothing, an array, a sampler, a view of several layers or one with a
         *     {@link ComponentMapping} is bound under the name
         */
        ByteBuffer bytes(String name);

        /**
         * Returns the bytes of element {@code index} of the array bound under {@code name}, like {@link
         * #bytes(String)}; of an array of a bindless table, those of the slot of that number.
         *
         * @throws IllegalArgumentException if there is no such element, or it is a view of several layers or with a
         *     {@link ComponentMapping}
         */
        ByteBuffer bytes(String name, int index);

        /**
         * Returns the bytes of one subresource of the texture view bound under {@code name}, rows tightly packed, like
         * {@link #bytes(String)}.
         *
         * @param index element of the array bound under the name, 0 if it is no array
         * @param mip mip, from the first of the view
         * @param layer layer, from the first of the view
         * @throws IllegalArgumentException if there is no such element or subresource, a buffer or sampler is bound, or
         *     a view with a {@link ComponentMapping}, which does not apply to bytes
         */
        ByteBuffer bytes(String name, int index, int mip, int layer);

        /**
         * Returns the description of the sampler bound under {@code name}, alone or with a texture.
         *
         * @param index element of the array bound under the name, 0 if it is no array
         * @throws IllegalArgumentException if there is no such element, or no sampler is bound
         */
        SamplerDescription sampler(String name, int index);

        /**
         * Reads a texel of the texture view bound under {@code name} as the shader does: in the view's format and
         * through its {@link ComponentMapping}. Of several samples, the first.
         *
         * @param index element of the array bound under the name, 0 if it is no array
         * @param mip mip, from the first of the view
         * @param layer layer, from the first of the view; 0 of three dimensions
         * @param x column
         * @param y row
         * @param z slice; 0 unless of three dimensions
         * @param channels receives red, green, blue and alpha
         * @throws IllegalArgumentException if there is no such element or texel, a buffer or sampler is bound, or the
         *     format is compressed
         */
        void texel(String name, int index, int mip, int layer, int x, int y, int z, double[] channels);

        /**
         * Returns the extent of the first mip of the texture view bound under {@code name}: width, height, and depth if
         * the texture is of three dimensions.
         */
        int[] extent(String name);

        /** Returns the push constants, native order, position 0. */
        ByteBuffer pushConstants();
    }
}
