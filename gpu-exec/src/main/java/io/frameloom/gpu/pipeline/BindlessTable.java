package io.frameloom.gpu.pipeline;

import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.TextureView;

/**
 * Textures, samplers and buffers that shaders find by numbers, as many as there are. A shader declares the table as one
 * descriptor set of arrays without length, and the binding of each array is the place of its {@link Kind}:
 *
 * <pre>{@code
 * #extension GL_EXT_nonuniform_qualifier : require
 * layout(set = 1, binding = 0) uniform texture2D textures[];
 * layout(set = 1, binding = 1) uniform sampler samplers[];
 * layout(set = 1, binding = 2, rgba8) uniform image2D images[];
 * layout(set = 1, binding = 3) buffer Words { uint words[]; } buffers[];
 * ... texture(sampler2D(textures[nonuniformEXT(material)], samplers[0]), uv)
 * }</pre>
 *
 * <p>It declares those that it uses, under any name and in any set, and may declare one binding several times with
 * other types. At least one is indexed by a number that is no constant: GLSL gives the other arrays a length. {@link io.frameloom.gpu.command.CommandList#bindTable} binds the table for all pipelines of a command
 * list. A number comes from {@link BindlessSlot#index}, by push constants or a buffer.
 *
 * <p>Slots are filled while earlier command lists that have the table bound are recorded and executed. A shader that
 * takes a slot which nothing was put into does anything. So does one that takes a texture or buffer as what it is not:
 * Frameloom does not see which slots a shader takes. For that reason, declare the uses of what changes in the pass, as
 * for bound resources. On the virtual GPU a {@link io.frameloom.gpu.check.HazardChecker} finds what {@linkplain
 * CpuKernel kernels} must not take, closed slots among it. Any thread.
 *
 * <p>Source: "Descriptor Indexing" of the Vulkan specification.
 */
public interface BindlessTable extends AutoCloseable {
    /** What an array has; its place in this order is the number of its binding. */
    enum Kind {
        /** Textures without samplers, GLSL's {@code texture2D} and the like. */
        SAMPLED_TEXTURE,
        /** Samplers, GLSL's {@code sampler} and {@code samplerShadow}. */
        SAMPLER,
        /** Storage textures, GLSL's {@code image2D} and the like. */
        STORAGE_TEXTURE,
        /** Storage blocks. */
        STORAGE_BUFFER
    }

    /** Returns the debug name. */
    String name();

    /** Returns the length of the array of a kind, on this device. */
    int capacity(Kind kind);

    /**
     * Puts in a texture to be sampled; it must be in layout SHADER_RO when shaders take it.
     *
     * @throws IllegalArgumentException if it is of another device or was created without usage SAMPLED
     * @throws io.frameloom.gpu.error.TableFullException if the table is full
     * @throws IllegalStateException if the texture or the table is closed
     */
    BindlessSlot sampledTexture(TextureView view);

    /** Puts in a sampler; errors as {@link #sampledTexture}. */
    BindlessSlot sampler(Sampler sampler);

    /**
     * Puts in a storage texture; it must be in layout GENERAL when shaders take it. Errors as {@link #sampledTexture},
     * for usage STORAGE and a view of one mip.
     */
    BindlessSlot storageTexture(TextureView view);

    /**
     * Puts in a range of a buffer; errors as {@link #sampledTexture}, for usage STORAGE.
     *
     * @param offset first byte, a multiple of {@link io.frameloom.gpu.DeviceCapabilities#storageAlignment}
     * @param bytes length, up to {@link io.frameloom.gpu.DeviceCapabilities#maxStorageRange}
     * @throws IllegalArgumentException if the range is not in the buffer or not aligned
     */
    BindlessSlot storageBuffer(Buffer buffer, long offset, long bytes);

    /** Closes the table with its slots as a {@link io.frameloom.gpu.resource.Resource} is closed, also in use. */
    @Override
    void close();
}
