package io.frameloom.gpu.virtual;

import io.frameloom.gpu.BoundResource;
import io.frameloom.gpu.CpuKernel;
import io.frameloom.gpu.ShaderBinding;
import io.frameloom.gpu.SubresourceRange;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What the kernel of a pipeline sees of a dispatch. Confined to the thread of the virtual GPU. */
final class KernelInvocation implements CpuKernel.Invocation {
    private final DispatchArguments arguments;
    private final Set<String> written = new HashSet<>();

    KernelInvocation(DispatchArguments arguments, List<ShaderBinding> bindings) {
        this.arguments = arguments;
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
        List<BoundResource> elements = arguments.elements(name);
        if (index < 0 || index >= elements.size()) {
            throw new IllegalArgumentException(
                    "'" + name + "' has " + elements.size() + " elements, asked for element " + index);
        }
        return elements.get(index);
    }

    private ByteBuffer bytes(String name, BoundResource bound) {
        if (bound instanceof BoundResource.BufferRange range) {
            VirtualBuffer buffer = (VirtualBuffer) range.buffer();
            return seen(name, buffer.memory().access(buffer.base() + range.offset(), range.bytes()));
        }
        SubresourceRange range = DispatchArguments.range(bound);
        if (range.layerCount() > 1) {
            throw new IllegalArgumentException("a view of " + range.layerCount() + " layers is bound to '" + name
                    + "'; name the layer: bytes(name, index, mip, layer)");
        }
        return subresource(name, bound, 0, 0);
    }

    @Override
    public ByteBuffer bytes(String name, int index, int mip, int layer) {
        BoundResource bound = element(name, index);
        if (bound instanceof BoundResource.BufferRange) {
            throw new IllegalArgumentException("a buffer is bound to '" + name + "', which has no mips and layers");
        }
        SubresourceRange range = DispatchArguments.range(bound);
        if (mip < 0 || mip >= range.mipCount() || layer < 0 || layer >= range.layerCount()) {
            throw new IllegalArgumentException("the view bound to '" + name + "' has " + range.mipCount() + " mips and "
                    + range.layerCount() + " layers, asked for mip " + mip + " of layer " + layer);
        }
        return subresource(name, bound, mip, layer);
    }

    /** Returns the bytes of a subresource of a view, both counted from its first. */
    private ByteBuffer subresource(String name, BoundResource bound, int mip, int layer) {
        VirtualTexture texture = DispatchArguments.texture(bound);
        SubresourceRange range = DispatchArguments.range(bound);
        int plane = range.basePlane();
        return seen(
                name,
                texture.memory()
                        .access(
                                texture.address(range.baseMip() + mip, range.baseLayer() + layer, plane),
                                texture.mipBytes(range.baseMip() + mip, plane)));
    }

    /** What the shader does not write, its kernel cannot. */
    private ByteBuffer seen(String name, ByteBuffer bytes) {
        return written.contains(name) ? bytes : bytes.asReadOnlyBuffer().order(ByteOrder.nativeOrder());
    }

    @Override
    public int[] extent(String name) {
        BoundResource bound = arguments.elements(name).get(0);
        if (bound instanceof BoundResource.BufferRange) {
            throw new IllegalArgumentException("'" + name + "' is bound to a buffer, which has no extent");
        }
        int mip = DispatchArguments.range(bound).baseMip();
        var description = DispatchArguments.texture(bound).description();
        return new int[] {description.width(mip), description.height(mip)};
    }

    @Override
    public ByteBuffer pushConstants() {
        return ByteBuffer.wrap(arguments.pushConstants()).asReadOnlyBuffer().order(ByteOrder.nativeOrder());
    }
}
