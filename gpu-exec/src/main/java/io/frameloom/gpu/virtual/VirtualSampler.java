package io.frameloom.gpu.virtual;

import io.frameloom.gpu.Sampler;
import io.frameloom.gpu.SamplerDescription;

/** A sampler of the virtual device. */
record VirtualSampler(SimulatedDevice device, SamplerDescription description) implements Sampler {}
