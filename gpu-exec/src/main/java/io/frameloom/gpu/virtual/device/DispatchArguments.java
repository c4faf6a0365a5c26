package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.record.PairRules;
import io.frameloom.gpu.resource.ComponentMapping;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.virtual.memory.Mix;
import io.frameloom.gpu.virtual.memory.Pattern;
import io.frameloom.gpu.virtual.memory.VirtualMemory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The arguments of a dispatch; made when it is recorded, read when it runs. */
class DispatchArguments {
    private final int groupsX;
    private final int groupsY;
    private final int groupsZ;
    private final Map<String, BoundResource> bindings;
    private final byte[] pushConstants;

    DispatchArguments(
            int groupsX, int groupsY, int groupsZ, Map<String, BoundResource> bindings, byte[] pushConstants) {
        this.groupsX = groupsX;
        this.groupsY = groupsY;
        this.groupsZ = groupsZ;
        this.bindings = Map.copyOf(bindings);
        this.pushConstants = pushConstants;
    }

    /** Of a dispatch with a bindless table or a condition; the others need no room for them. */
    static final class Special extends DispatchArguments {
        private final @Nullable TableTakes takes;
        private final @Nullable Condition condition;

        Special(DispatchArguments plain, @Nullable TableTakes takes, @Nullable Condition condition) {
            super(plain.groupsX, plain.groupsY, plain.groupsZ, plain.bindings, plain.pushConstants);
            this.takes = takes;
            this.condition = condition;
        }

        @Override
        @Nullable
        TableTakes takes() {
            return takes;
        }

        @Override
        @Nullable
        Condition condition() {
            return condition;
        }

        @Override
        DispatchArguments withGroups(ByteBuffer words) {
            return new Special(super.withGroups(words), takes, condition);
        }
    }

    /** Returns what the dispatch takes of a bindless table, or null if its pipeline has none. */
    @Nullable
    TableTakes takes() {
        return null;
    }

    /** Returns what decides whether the dispatch is done, or null. */
    @Nullable
    Condition condition() {
        return null;
    }

    /** Returns the elements bound to a name that was checked when the dispatch was recorded; one unless an array. */
    List<BoundResource> elements(String name) {
        return elements(bound(name));
    }

    static List<BoundResource> elements(BoundResource bound) {
        return bound instanceof BoundResource.Elements array ? array.elements() : List.of(bound);
    }

    int groupsX() {
        return groupsX;
    }

    int groupsY() {
        return groupsY;
    }

    int groupsZ() {
        return groupsZ;
    }

    byte[] pushConstants() {
        return pushConstants;
    }

    long groups() {
        return (long) groupsX * groupsY * groupsZ;
    }

    /** Returns the same dispatch with the numbers of workgroups from three words. */
    DispatchArguments withGroups(ByteBuffer words) {
        return new DispatchArguments(words.getInt(0), words.getInt(4), words.getInt(8), bindings, pushConstants);
    }

    /** Returns whether each number of workgroups or rays is one that a device of the given limits takes. */
    boolean isWithin(DeviceLimits.Groups most) {
        return groupsX >= 0
                && groupsX <= most.x()
                && groupsY >= 0
                && groupsY <= most.y()
                && groupsZ >= 0
                && groupsZ <= most.z();
    }

    /** Returns a hash of everything but the contents of the bound resources. */
    long digest() {
        return Mix.mix(Mix.mix(groupsX, groupsY), Mix.mix(groupsZ, Arrays.hashCode(pushConstants)));
    }

    /** Returns the same with acceleration structures as the memory that is read. */
    static BoundResource ranges(BoundResource bound) {
        if (bound instanceof BoundResource.Elements array) {
            return new BoundResource.Elements(
                    array.elements().stream().map(DispatchArguments::ranges).toList());
        }
        return bound instanceof BoundResource.Structure structure
                ? VirtualAccelerationStructure.range(structure.structure())
                : bound;
    }

    /** Returns the resource whose memory is bound, null for a sampler alone. */
    static @Nullable Resource resource(BoundResource bound) {
        if (bound instanceof BoundResource.SeparateSampler) {
            return null;
        }
        return bound instanceof BoundResource.BufferRange range ? range.buffer() : texture(bound);
    }

    static long hash(BoundResource bound) {
        if (bound instanceof BoundResource.SeparateSampler) {
            return 0;
        }
        if (bound instanceof BoundResource.BufferRange range) {
            VirtualBuffer buffer = (VirtualBuffer) range.buffer();
            return buffer.memory().hash(buffer.base() + range.offset(), range.bytes());
        }
        long hash = Contents.hash(texture(bound), range(bound));
        ComponentMapping components = view(bound).components();
        return components.isIdentity() ? hash : Mix.mix(hash, components.toString());
    }

    /** Takes contiguous pieces of some memory. */
    @FunctionalInterface
    private interface Visitor {
        void accept(VirtualMemory memory, long offset, long bytes);
    }

    private static void pieces(BoundResource bound, Visitor visitor) {
        if (bound instanceof BoundResource.BufferRange range) {
            VirtualBuffer buffer = (VirtualBuffer) range.buffer();
            visitor.accept(buffer.memory(), buffer.base() + range.offset(), range.bytes());
        } else if (!(bound instanceof BoundResource.SeparateSampler)) {
            VirtualTexture texture = texture(bound);
            texture.pieces(range(bound), (offset, bytes) -> visitor.accept(texture.memory(), offset, bytes));
        }
    }

    static void rewritten(BoundResource bound, long stamp) {
        pieces(bound, (memory, offset, bytes) -> memory.rewritten(offset, bytes, stamp));
    }

    /** Makes the bytes of everything bound exist, so that views taken later stay valid for the whole dispatch. */
    void prepare() {
        bindings.values().forEach(bound -> elements(bound).forEach(element -> pieces(element, VirtualMemory::access)));
    }

    /** As {@link #prepare}, for something that a kernel takes of a table: all of a buffer, since ranges may overlap. */
    static void prepare(BoundResource taken) {
        if (taken instanceof BoundResource.BufferRange range) {
            VirtualBuffer buffer = (VirtualBuffer) range.buffer();
            buffer.memory().access(buffer.base(), buffer.description().bytes());
        } else {
            pieces(taken, VirtualMemory::access);
        }
    }

    static void simulated(BoundResource bound, long stamp) {
        if (bound instanceof BoundResource.BufferRange range) {
            VirtualBuffer buffer = (VirtualBuffer) range.buffer();
            long start = buffer.base() + range.offset();
            buffer.memory().set(start, range.bytes(), Pattern.ofWork(stamp, start));
            return;
        }
        Contents.simulate(texture(bound), range(bound), stamp);
    }

    static VirtualTexture texture(BoundResource bound) {
        return (VirtualTexture) view(bound).texture();
    }

    static SubresourceRange range(BoundResource bound) {
        return view(bound).range();
    }

    static TextureView view(BoundResource bound) {
        return bound instanceof BoundResource.StorageTexture storage ? storage.view() : PairRules.viewOf(bound);
    }

    BoundResource bound(String name) {
        BoundResource bound = bindings.get(name);
        if (bound == null) {
            throw new IllegalArgumentException("nothing is bound to '" + name + "'; bound are " + bindings.keySet());
        }
        return bound;
    }
}
