package io.frameloom.gpu.virtual;

import io.frameloom.gpu.BoundResource;
import io.frameloom.gpu.CpuKernel;
import io.frameloom.gpu.Resource;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.TextureView;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a kernel sees of its dispatch; made when it is recorded, read when it runs. */
final class DispatchArguments implements CpuKernel.Invocation {
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

    /** Returns the elements bound to a name that was checked when the dispatch was recorded; one unless an array. */
    List<BoundResource> elements(String name) {
        return elements(bound(name));
    }

    static List<BoundResource> elements(BoundResource bound) {
        return bound instanceof BoundResource.Elements array ? array.elements() : List.of(bound);
    }

    /** Returns the number of workgroups. */
    long groups() {
        return (long) groupsX * groupsY * groupsZ;
    }

    /** Returns the same dispatch with the numbers of workgroups from three words. */
    DispatchArguments withGroups(ByteBuffer words) {
        return new DispatchArguments(words.getInt(0), words.getInt(4), words.getInt(8), bindings, pushConstants);
    }

    /** Returns a hash of everything but the contents of the bound resources. */
    long digest() {
        return Mix.mix(Mix.mix(groupsX, groupsY), Mix.mix(groupsZ, Arrays.hashCode(pushConstants)));
    }

    static Resource resource(BoundResource bound) {
        return bound instanceof BoundResource.BufferRange range ? range.buffer() : texture(bound);
    }

    @Override
    public int groupsX() {
        return groupsX;
    }

    @Override
    public int groupsY() {
        return groupsY;
    }

    @Override
    public int groupsZ() {
        return groupsZ;
    }

    @Override
    public ByteBuffer bytes(String name) {
        return bytes(bound(name));
    }

    @Override
    public ByteBuffer bytes(String name, int index) {
        return bytes(elements(name).get(index));
    }

    @Override
    public int[] extent(String name) {
        TextureView view = view(bound(name));
        if (view == null) {
            throw new IllegalArgumentException("'" + name + "' is bound to a buffer, which has no extent");
        }
        int mip = view.range().baseMip();
        var description = view.texture().description();
        return new int[] {description.width(mip), description.height(mip)};
    }

    @Override
    public ByteBuffer pushConstants() {
        return ByteBuffer.wrap(pushConstants).order(ByteOrder.nativeOrder());
    }

    /** Makes the bytes of everything bound exist, so that views taken later stay valid for the whole dispatch. */
    void prepare() {
        bindings.values().forEach(bound -> elements(bound).forEach(DispatchArguments::bytes));
    }

    static ByteBuffer bytes(BoundResource bound) {
        if (bound instanceof BoundResource.Elements) {
            throw new IllegalArgumentException("an array is bound; ask for the bytes of one of its elements");
        }
        if (bound instanceof BoundResource.BufferRange range) {
            VirtualBuffer buffer = (VirtualBuffer) range.buffer();
            return buffer.memory().access(buffer.base() + range.offset(), range.bytes());
        }
        VirtualTexture texture = texture(bound);
        SubresourceRange range = range(bound);
        return texture.memory()
                .access(
                        texture.address(range.baseMip(), range.baseLayer(), range.basePlane()),
                        texture.mipBytes(range.baseMip(), range.basePlane()));
    }

    static long hash(BoundResource bound) {
        if (bound instanceof BoundResource.BufferRange range) {
            VirtualBuffer buffer = (VirtualBuffer) range.buffer();
            return buffer.memory().hash(buffer.base() + range.offset(), range.bytes());
        }
        return Contents.hash(texture(bound), range(bound));
    }

    static void rewritten(BoundResource bound, long stamp) {
        if (bound instanceof BoundResource.BufferRange range) {
            VirtualBuffer buffer = (VirtualBuffer) range.buffer();
            buffer.memory().rewritten(buffer.base() + range.offset(), range.bytes(), stamp);
            return;
        }
        VirtualTexture texture = texture(bound);
        SubresourceRange range = range(bound);
        texture.memory()
                .rewritten(
                        texture.address(range.baseMip(), range.baseLayer(), range.basePlane()),
                        texture.mipBytes(range.baseMip(), range.basePlane()),
                        stamp);
    }

    static void simulated(BoundResource bound, long stamp) {
        if (bound instanceof BoundResource.BufferRange range) {
            VirtualBuffer buffer = (VirtualBuffer) range.buffer();
            long start = buffer.base() + range.offset();
            buffer.memory().set(start, range.bytes(), Pattern.ofStamp(stamp, start));
            return;
        }
        Contents.simulate(texture(bound), range(bound), stamp);
    }

    private static VirtualTexture texture(BoundResource bound) {
        if (bound instanceof BoundResource.SampledTexture sampled) {
            return (VirtualTexture) sampled.view().texture();
        }
        return (VirtualTexture) ((BoundResource.StorageTexture) bound).view().texture();
    }

    private static SubresourceRange range(BoundResource bound) {
        if (bound instanceof BoundResource.SampledTexture sampled) {
            return sampled.view().range();
        }
        return ((BoundResource.StorageTexture) bound).view().range();
    }

    private static @Nullable TextureView view(BoundResource bound) {
        if (bound instanceof BoundResource.SampledTexture sampled) {
            return sampled.view();
        }
        return bound instanceof BoundResource.StorageTexture storage ? storage.view() : null;
    }

    private BoundResource bound(String name) {
        BoundResource bound = bindings.get(name);
        if (bound == null) {
            throw new IllegalArgumentException("nothing is bound to '" + name + "'; bound are " + bindings.keySet());
        }
        return bound;
    }
}
