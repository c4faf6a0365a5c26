package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.record.NamedObjects;
import io.frameloom.gpu.record.Perishable;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.vulkan.resource.SamplerCache.Live;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A descriptor set that lists bind for their bindings by name, with what was last written into it. The slot that has
 * made it writes it; once published in {@link KeptSets} it is not written until its context has been reset.
 */
final class KeptSet implements NamedObjects {
    private final SetLayout layout;
    private final DescriptorPools.Allocation allocation;
    private final long[] words;
    private final @Nullable Resource[] resources;
    private final @Nullable Live[] samplers;
    private int hash;
    /**
     * The round of the context that used it last. Threads of one round may store it at the same time, and then the same
     * number.
     */
    private int used;

    /** A set of nothing yet; keeps its layout. */
    KeptSet(SetLayout layout, DescriptorPools.Allocation allocation, int elements) {
        this.layout = layout;
        this.allocation = allocation;
        words = new long[elements * BindingValues.WIDTH];
        resources = new @Nullable Resource[elements];
        samplers = new @Nullable Live[elements];
        layout.retain();
    }

    SetLayout layout() {
        return layout;
    }

    long handle() {
        return allocation.handle();
    }

    int hash() {
        return hash;
    }

    /** Takes what is being written into it, and keeps the samplers. */
    void fill(BindingValues source, int set, int newHash) {
        source.copy(set, words, resources, samplers);
        hash = newHash;
        for (Live sampler : samplers) {
            if (sampler != null) {
                sampler.retain();
            }
        }
    }

    /** Lets go of its contents, which no list uses any more. */
    void empty() {
        Arrays.fill(resources, null);
        for (int i = 0; i < samplers.length; i++) {
            Live sampler = samplers[i];
            if (sampler != null) {
                sampler.release();
                samplers[i] = null;
            }
        }
    }

    void free(DescriptorPools pools) {
        pools.free(allocation, "a set of a frame");
        layout.release();
    }

    /** Returns whether it has these contents. Its samplers are kept, so that equal handles are equal samplers. */
    boolean has(SetLayout wanted, BindingValues values, int set) {
        return layout == wanted && values.equalTo(set, words);
    }

    @Override
    public @Nullable String closedPart() {
        for (Resource resource : resources) {
            String closed = resource instanceof Perishable named ? named.closedPart() : null;
            if (closed != null) {
                return closed;
            }
        }
        return null;
    }

    void use(int round) {
        if (used != round) {
            used = round;
        }
    }

    /** Returns the rounds that have ended since it was used, 0 if it was used in this one. */
    int idle(int round) {
        return round - used;
    }
}
