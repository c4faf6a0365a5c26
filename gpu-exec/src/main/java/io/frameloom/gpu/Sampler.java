package io.frameloom.gpu;

/** A sampler; owned by its device, equal descriptions give the same object. */
public interface Sampler {
    /** Returns the description. */
    SamplerDescription description();
}
