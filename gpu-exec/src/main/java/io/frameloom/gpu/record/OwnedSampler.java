package io.frameloom.gpu.record;

import io.frameloom.gpu.resource.Sampler;

/** A sampler that a device has made. Any thread. */
public interface OwnedSampler extends Sampler {
    Object device();
}
