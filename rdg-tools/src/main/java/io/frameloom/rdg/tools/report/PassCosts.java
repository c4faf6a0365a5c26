package io.frameloom.rdg.tools.report;

import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.FramePlan.UsePlan;

/**
 * What passes are predicted to take, from declarations alone: {@value #PASS_NANOS} ns for a pass, {@value
 * #BARRIER_NANOS} ns for a group of barriers, and the bytes of the ranges that it uses at {@value #BYTES_PER_NANO}
 * GB/s. It compares passes; it knows neither shaders nor draws.
 */
final class PassCosts {
    static final long PASS_NANOS = 2_000;
    static final long BARRIER_NANOS = 500;
    static final long BYTES_PER_NANO = 100;

    private final FramePlan plan;

    PassCosts(FramePlan plan) {
        this.plan = plan;
    }

    /** Returns the time of a pass in nanoseconds. */
    double nanos(PassPlan pass) {
        double nanos = PlanIndex.isAdded(pass) ? 0 : PASS_NANOS;
        nanos += pass.before().isEmpty() ? 0 : BARRIER_NANOS;
        nanos += pass.after().isEmpty() ? 0 : BARRIER_NANOS;
        for (UsePlan use : pass.uses()) {
            double bytes = bytes(use);
            boolean both = use.access().reads() && use.access().writes();
            nanos += (both ? 2 : 1) * bytes / BYTES_PER_NANO;
        }
        return nanos;
    }

    /** Returns the bytes of a resource: what it takes in its heap, else what its description says. */
    static long bytes(ResourcePlan resource) {
        TextureDescription texture = resource.textureDescription();
        BufferDescription buffer = resource.bufferDescription();
        if (resource.bytes() > 0 || texture == null) {
            return resource.bytes() > 0 || buffer == null ? resource.bytes() : buffer.bytes();
        }
        double texels = 0;
        for (int mip = 0; mip < texture.mips(); mip++) {
            texels += (double) texture.width(mip) * texture.height(mip) * texture.depth(mip);
        }
        int blockTexels = texture.format().blockWidth() * texture.format().blockHeight();
        return Math.round(
                texels * texture.layers() * texture.samples() * texture.format().blockBytes() / blockTexels);
    }

    private double bytes(UsePlan use) {
        ResourcePlan resource = plan.resources().get(use.resource());
        TextureDescription texture = resource.textureDescription();
        SubresourceRange range = use.range();
        if (texture == null || range == null) {
            return use.bytes();
        }
        double all = 0;
        double used = 0;
        for (int mip = 0; mip < texture.mips(); mip++) {
            double texels = (double) texture.width(mip) * texture.height(mip) * texture.depth(mip);
            all += texels;
            if (mip >= range.baseMip() && mip < range.baseMip() + range.mipCount()) {
                used += texels;
            }
        }
        double layers = (double) range.layerCount() / texture.layers();
        double planes = (double) range.planeCount() / texture.format().planes();
        return bytes(resource) * (used / all) * layers * planes;
    }
}
