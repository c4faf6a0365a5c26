package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.internal.Plural;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.CpuKernel;
import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureKind;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.virtual.memory.SeenTexels;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The view of a dispatch for the kernel of a pipeline. Confined to the thread of the virtual GPU. */
final class KernelInvocation implements CpuKernel.Invocation {
    private final DispatchArguments arguments;
    private final @Nullable TableTakes takes;
    private final Set<String> written = new HashSet<>();

    KernelInvocation(DispatchArguments arguments, List<ShaderBinding> bindings, @Nullable TableTakes takes) {
        this.arguments = arguments;
        this.takes = takes;
        for (ShaderBinding binding : bindings) {
            if (binding.written()) {
                written.add(binding.name());
            }
        }
    }

    @Override
    public int groupsX() {
        return arguments.groupsX();
    }

    @Override
    public int groupsY() {
        return arguments.groupsY();
    }

    @Override
    public int groupsZ() {
        return arguments.groupsZ();
    }

    @Override
    public ByteBuffer bytes(String name) {
        BoundResource bound = arguments.bound(name);
        if (bound instanceof BoundResource.Elements) {
            throw new IllegalArgumentException(
                    "an array is bound to '" + name + "'; ask for the bytes of one of its elements");
        }
        return bytes(name, bound);
    }

    @Override
    public ByteBuffer bytes(String name, int index) {
        return bytes(name, element(name, index));
    }

    private BoundResource element(String name, int index) {
        if (takes != null && takes.has(name)) {
            return takes.take(name, index);
        }
        List<BoundResource> elements = arguments.elements(name);
        if (index < 0 || index >= elements.size()) {
            throw new IllegalArgumentException(
                    "'" + name + "' has " + Plural.of(elements.size(), "element") + ", asked for element " + index);
        }
        return elements.get(index);
    }

    private ByteBuffer bytes(String name, BoundResource bound) {
        requireMemory(name, bound);
        if (bound instanceof BoundResource.BufferRange range) {
            VirtualBuffer buffer = (VirtualBuffer) range.buffer();
            return seen(name, buffer.memory().access(buffer.base() + range.offset(), range.bytes()));
        }
        SubresourceRange range = DispatchArguments.range(bound);
        if (range.layerCount() > 1) {
            throw new IllegalArgumentException("a view of " + range.layerCount() + " layers is bound to '" + name
                    + "'; name the layer: bytes(name, index, mip, layer)");
        }
        return seen(name, unmapped(name, bound, 0, 0));
    }

    @Override
    public ByteBuffer bytes(String name, int index, int mip, int layer) {
        BoundResource bound = texture(name, index, mip, layer);
        return seen(name, unmapped(name, bound, mip, layer));
    }

    /** Returns the view bound to an element, which has a mip and layer. */
    private BoundResource texture(String name, int index, int mip, int layer) {
        BoundResource bound = element(name, index);
        requireMemory(name, bound);
        if (bound instanceof BoundResource.BufferRange) {
            throw new IllegalArgumentException("a buffer is bound to '" + name + "', which has no mips and layers");
        }
        SubresourceRange range = DispatchArguments.range(bound);
        if (mip < 0 || mip >= range.mipCount() || layer < 0 || layer >= range.layerCount()) {
            throw new IllegalArgumentException(
                    "the view bound to '" + name + "' has " + Plural.of(range.mipCount(), "mip") + " and "
                            + Plural.of(range.layerCount(), "layer") + ", asked for mip " + mip + " of layer " + layer);
        }
        return bound;
    }

    /** Returns the bytes of a subresource that the view shows as they are. */
    private static ByteBuffer unmapped(String name, BoundResource bound, int mip, int layer) {
        TextureView view = DispatchArguments.view(bound);
        if (!view.components().isIdentity()) {
            throw new IllegalArgumentException(
                    "the view bound to '" + name + "' shows channels " + view.components()
                            + ", of which bytes know nothing; read its texels: texel(name, index, mip, layer, x, y, z, channels)");
        }
        return subresource(bound, mip, layer);
    }

    @Override
    public void texel(String name, int index, int mip, int layer, int x, int y, int z, double[] channels) {
        BoundResource bound = texture(name, index, mip, layer);
        TextureView view = DispatchArguments.view(bound);
        VirtualTexture texture = DispatchArguments.texture(bound);
        SubresourceRange range = view.range();
        var shape = texture.description();
        int own = range.baseMip() + mip;
        if (x < 0
                || y < 0
                || z < 0
                || x >= shape.width(own)
                || y >= shape.height(own)
                || z >= shape.depth(own)
                || view.format().isCompressed()) {
            throw new IllegalArgumentException("the view bound to '" + name + "' has " + shape.width(own) + "x"
                    + shape.height(own) + "x" + shape.depth(own) + " texels of " + view.format() + " in mip " + mip
                    + ", asked for the one at " + x + "," + y + "," + z
                    + (view.format().isCompressed() ? "; compressed ones are not read" : ""));
        }
        int plane = range.basePlane();
        int first = range.baseLayer() + layer;
        int at = (int) (texture.address(own, first, plane, x, y, z) - texture.address(own, first, plane));
        SeenTexels.read(view, subresource(bound, mip, layer), at, channels);
    }

    /** Returns the bytes of a subresource of a view, both counted from its first. */
    private static ByteBuffer subresource(BoundResource bound, int mip, int layer) {
        VirtualTexture texture = DispatchArguments.texture(bound);
        SubresourceRange range = DispatchArguments.range(bound);
        int plane = range.basePlane();
        return texture.memory()
                .access(
                        texture.address(range.baseMip() + mip, range.baseLayer() + layer, plane),
                        texture.mipBytes(range.baseMip() + mip, plane));
    }

    private static void requireMemory(String name, BoundResource bound) {
        if (bound instanceof BoundResource.SeparateSampler) {
            throw new IllegalArgumentException(
                    "a sampler is bound to '" + name + "', which has no bytes and no extent; ask for the sampler");
        }
    }

    @Override
    public SamplerDescription sampler(String name, int index) {
        BoundResource bound = element(name, index);
        if (bound instanceof BoundResource.SeparateSampler separate) {
            return separate.sampler().description();
        }
        if (bound instanceof BoundResource.SampledTexture sampled) {
            return sampled.sampler().description();
        }
        throw new IllegalArgumentException("no sampler is bound to '" + name + "'");
    }

    /** What the shader does not write, its kernel cannot. */
    private ByteBuffer seen(String name, ByteBuffer bytes) {
        boolean writes = (takes != null && takes.has(name)) ? takes.writes(name) : written.contains(name);
        return writes ? bytes : bytes.asReadOnlyBuffer().order(ByteOrder.nativeOrder());
    }

    @Override
    public int[] extent(String name) {
        BoundResource bound = arguments.elements(name).get(0);
        requireMemory(name, bound);
        if (bound instanceof BoundResource.BufferRange) {
            throw new IllegalArgumentException("'" + name + "' is bound to a buffer, which has no extent");
        }
        int mip = DispatchArguments.range(bound).baseMip();
        var description = DispatchArguments.texture(bound).description();
        return description.kind() == TextureKind.THREE_D
                ? new int[] {description.width(mip), description.height(mip), description.depth(mip)}
                : new int[] {description.width(mip), description.height(mip)};
    }

    @Override
    public ByteBuffer pushConstants() {
        return ByteBuffer.wrap(arguments.pushConstants()).asReadOnlyBuffer().order(ByteOrder.nativeOrder());
    }
}
