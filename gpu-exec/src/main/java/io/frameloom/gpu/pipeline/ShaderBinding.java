package io.frameloom.gpu.pipeline;

import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureViewKind;
import org.jspecify.annotations.Nullable;

/**
 * A resource that a pipeline's shaders use, found by reflection.
 *
 * @param name variable or block name in the shader
 * @param set descriptor set
 * @param binding binding in the set
 * @param kind what must be bound
 * @param written whether a shader may write it (not marked readonly)
 * @param count number of resources: 1, or the length of an array; 0 for one without length, of a {@link BindlessTable}
 * @param storageFormat format that the shader declares for a storage texture, or null for none
 * @param texture the texture type that the shader declares, or null for a buffer or sampler
 * @param minBytes bytes of the block, the least length of a range bound there. An array at its end is left out if its
 *     length is open or a specialization constant. 0 for a texture or sampler
 * @param attachment the attachment that an input attachment reads, GLSL's {@code input_attachment_index}: the number of
 *     a colour attachment, or the number after the last one for depth. -1 for other bindings
 */
public record ShaderBinding(
        String name,
        int set,
        int binding,
        Kind kind,
        boolean written,
        int count,
        @Nullable Format storageFormat,
        @Nullable TextureType texture,
        long minBytes,
        int attachment) {
    /** Of a binding that reads no attachment. */
    private static final int NO_ATTACHMENT = -1;

    /** A binding of anything but an input attachment. */
    public ShaderBinding(
            String name,
            int set,
            int binding,
            Kind kind,
            boolean written,
            int count,
            @Nullable Format storageFormat,
            @Nullable TextureType texture,
            long minBytes) {
        this(name, set, binding, kind, written, count, storageFormat, texture, minBytes, NO_ATTACHMENT);
    }

    /** Returns the same binding with a block of another size. */
    public ShaderBinding withMinBytes(long bytes) {
        return new ShaderBinding(name, set, binding, kind, written, count, storageFormat, texture, bytes, attachment);
    }

    /**
     * The texture type that a shader declares.
     *
     * @param kind kind of the view
     * @param multisampled whether it has several samples
     * @param comparison whether it is sampled by comparing depth
     * @param numbers type of its numbers
     */
    public record TextureType(
            TextureViewKind kind, boolean multisampled, Comparison comparison, Format.NumericKind numbers) {}

    /** Whether a shader samples a texture by comparing depth; its sampler must fit. */
    public enum Comparison {
        /** Never. */
        NEVER,
        /** Always. */
        ALWAYS,
        /** The shader does not say. */
        UNKNOWN
    }

    /** The kind of resource. */
    public enum Kind {
        /** Texture with sampler, GLSL's {@code sampler2D}. */
        SAMPLED_TEXTURE,
        /** Texture that the shader samples with samplers of other bindings, GLSL's {@code texture2D}. */
        SAMPLED_IMAGE,
        /** Sampler for textures of other bindings, GLSL's {@code sampler} and {@code samplerShadow}. */
        SAMPLER,
        /** Storage texture. */
        STORAGE_TEXTURE,
        /** Uniform block. */
        UNIFORM_BUFFER,
        /** Storage block. */
        STORAGE_BUFFER,
        /** Attachment of the render pass, read at the pixel that is drawn, GLSL's {@code subpassInput}. */
        INPUT_ATTACHMENT,
        /** Acceleration structure, GLSL's {@code accelerationStructureEXT}. */
        ACCELERATION_STRUCTURE
    }
}
