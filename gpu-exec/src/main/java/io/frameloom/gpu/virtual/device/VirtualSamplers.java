package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.record.ResourceLimits;
import io.frameloom.gpu.resource.SamplerDescription;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The samplers of a virtual device, one for each description. An application may have any number of descriptions, so
 * the least recently requested sampler is forgotten. It stays usable, and is equal to a new one of the same
 * description. Any thread.
 */
final class VirtualSamplers {
    private static final int MOST = 1024;

    private final SimulatedDevice device;
    /** In the order of use, the longest unused first. With the lock. */
    private final Map<SamplerDescription, VirtualSampler> samplers = new LinkedHashMap<>(16, 0.75f, true);

    VirtualSamplers(SimulatedDevice device) {
        this.device = device;
    }

    synchronized VirtualSampler get(SamplerDescription description) {
        VirtualSampler sampler = samplers.computeIfAbsent(description, this::create);
        if (samplers.size() > MOST) {
            samplers.remove(samplers.keySet().iterator().next());
        }
        return sampler;
    }

    private VirtualSampler create(SamplerDescription description) {
        ResourceLimits.check(description, device.capabilities());
        return new VirtualSampler(device, description);
    }
}
