package io.frameloom.gpu;

/**
 * A resource that a pipeline's shaders use, found by reflection.
 *
 * @param name variable or block name in the shader
 * @param set descriptor set
 * @param binding binding in the set
 * @param kind what must be bound
 * @param written whether a shader may write it (not marked readonly)
 * @param count number of resources: 1, or the length of an array
 */
public record ShaderBinding(String name, int set, int binding, Kind kind, boolean written, int count) {
    /** A binding of one resource. */
    public ShaderBinding(String name, int set, int binding, Kind kind, boolean written) {
        this(name, set, binding, kind, written, 1);
    }

    /** The kind of resource. */
    public enum Kind {
        /** Texture with sampler. */
        SAMPLED_TEXTURE,
        /** Storage texture. */
        STORAGE_TEXTURE,
        /** Uniform block. */
        UNIFORM_BUFFER,
        /** Storage block. */
        STORAGE_BUFFER
    }
}
