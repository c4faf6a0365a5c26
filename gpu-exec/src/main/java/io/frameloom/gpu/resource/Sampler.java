package io.frameloom.gpu.resource;

/** A sampler; owned by its device. Equal descriptions give equal objects, which stay usable as long as the device. */
public interface Sampler {
    /** Returns the description. */
    SamplerDescription description();
}
