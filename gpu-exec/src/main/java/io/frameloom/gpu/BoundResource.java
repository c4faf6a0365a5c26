package io.frameloom.gpu;

/** A resource as bound to a name of a shader. */
public sealed interface BoundResource {
    /**
     * A sampled texture.
     *
     * @param view view
     * @param sampler sampler
     */
    record SampledTexture(TextureView view, Sampler sampler) implements BoundResource {}

    /**
     * A storage texture.
     *
     * @param view view of one mip
     */
    record StorageTexture(TextureView view) implements BoundResource {}

    /**
     * A range of a uniform or storage buffer.
     *
     * @param buffer buffer
     * @param offset first byte, aligned as the device asks
     * @param bytes length
     */
    record BufferRange(Buffer buffer, long offset, long bytes) implements BoundResource {}
}
