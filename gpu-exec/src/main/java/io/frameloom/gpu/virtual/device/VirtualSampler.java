package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.record.OwnedSampler;
import io.frameloom.gpu.resource.SamplerDescription;

/** A sampler of the virtual device. */
record VirtualSampler(SimulatedDevice device, SamplerDescription description) implements OwnedSampler {}
