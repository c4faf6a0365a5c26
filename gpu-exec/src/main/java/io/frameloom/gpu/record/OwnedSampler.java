package io.frameloom.gpu.record;

import io.frameloom.gpu.resource.Sampler;

/** A sampler that a device has made. Any thread. */
public interface OwnedSampler extends Sampler {
    /** Returns what the device is known by. */
    Object device();
}
