package io.frameloom.gpu.virtual;

import io.frameloom.gpu.Sampler;
import io.frameloom.gpu.SamplerDescription;

/** A sampler of the virtual device. */
record VirtualSampler(VirtualDevice device, SamplerDescription description) implements Sampler {}
