package io.frameloom.gpu.virtual;

import io.frameloom.gpu.BoundResource;
import io.frameloom.gpu.BufferUsage;
import io.frameloom.gpu.Format;
import io.frameloom.gpu.ShaderBinding;
import io.frameloom.gpu.TextureUsage;
import io.frameloom.gpu.shader.PipelineShaders;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the shaders of a pipeline use, and the checks of what is bound to it. */
final class PipelineInterface {
    private final String pipeline;
    private final List<ShaderBinding> bindings;
    private final Map<String, ShaderBinding> byName = new HashMap<>();
    private final int pushConstantBytes;

    PipelineInterface(String pipeline, PipelineShaders shaders) {
        this.pipeline = pipeline;
        this.bindings = shaders.bindings();
        this.pushConstantBytes = shaders.pushConstantBytes();
        bindings.forEach(binding -> byName.put(binding.name(), binding));
    }

    List<ShaderBinding> bindings() {
        return bindings;
    }

    int pushConstantBytes() {
        return pushConstantBytes;
    }

    @Nullable
    ShaderBinding find(String name) {
        return byName.get(name);
    }

    /** Checks that {@code resource} can be bound to {@code name}. */
    void check(String name, BoundResource resource) {
        ShaderBinding binding = byName.get(name);
        if (binding == null) {
            throw new IllegalArgumentException(
                    "pipeline '" + pipeline + "' has no binding '" + name + "'; it has " + byName.keySet());
        }
        if (resource instanceof BoundResource.Elements array) {
            if (array.elements().size() != binding.count()) {
                throw new IllegalArgumentException("binding '" + name + "' of pipeline '" + pipeline + "' has "
                        + binding.count() + " elements, " + array.elements().size() + " are given");
            }
            array.elements().forEach(element -> checkOne(name, binding, element));
            return;
        }
        checkOne(name, binding, resource);
    }

    private void checkOne(String name, ShaderBinding binding, BoundResource resource) {
        boolean matches = switch (binding.kind()) {
            case SAMPLED_TEXTURE -> resource instanceof BoundResource.SampledTexture;
            case STORAGE_TEXTURE -> resource instanceof BoundResource.StorageTexture;
            case UNIFORM_BUFFER, STORAGE_BUFFER -> resource instanceof BoundResource.BufferRange;
        };
        if (!matches) {
            throw new IllegalArgumentException("binding '" + name + "' of pipeline '" + pipeline + "' is a "
                    + binding.kind() + ", but a " + resource.getClass().getSimpleName() + " is bound; bind its kind");
        }
        checkUsage(binding, resource);
    }

    private void checkUsage(ShaderBinding binding, BoundResource resource) {
        if (resource instanceof BoundResource.BufferRange range) {
            BufferUsage needed =
                    binding.kind() == ShaderBinding.Kind.UNIFORM_BUFFER ? BufferUsage.UNIFORM : BufferUsage.STORAGE;
            if (!range.buffer().description().usage().contains(needed)) {
                throw new IllegalArgumentException("buffer '" + range.buffer().name() + "' is bound to '"
                        + binding.name() + "' of pipeline '" + pipeline + "' but was created without usage " + needed);
            }
            if (!(range.buffer() instanceof VirtualBuffer buffer)) {
                throw foreign(range.buffer().name());
            }
            buffer.checkRange(range.offset(), range.bytes(), "bound to '" + binding.name() + "'");
            return;
        }
        var view = resource instanceof BoundResource.SampledTexture sampled
                ? sampled.view()
                : ((BoundResource.StorageTexture) resource).view();
        TextureUsage needed =
                resource instanceof BoundResource.SampledTexture ? TextureUsage.SAMPLED : TextureUsage.STORAGE;
        if (!view.texture().description().usage().contains(needed)) {
            throw new IllegalArgumentException("texture '" + view.texture().name() + "' is bound to '" + binding.name()
                    + "' of pipeline '" + pipeline + "' but was created without usage " + needed);
        }
        if (!(view.texture() instanceof VirtualTexture texture)) {
            throw foreign(view.texture().name());
        }
        texture.checkOpen("bound to '" + binding.name() + "'");
        Format declared = binding.storageFormat();
        if (resource instanceof BoundResource.StorageTexture && declared != null && declared != view.format()) {
            throw new IllegalArgumentException("texture '" + view.texture().name() + "' bound to '" + binding.name()
                    + "' of pipeline '" + pipeline + "' is seen as " + view.format() + ", the shader declares "
                    + declared
                    + "; use a view or a texture of that format");
        }
        if (resource instanceof BoundResource.StorageTexture && view.range().mipCount() != 1) {
            throw new IllegalArgumentException("texture '" + view.texture().name() + "' bound to '" + binding.name()
                    + "' of pipeline '" + pipeline + "' as storage needs a view of one mip, got " + view.range());
        }
    }

    private static IllegalArgumentException foreign(String resource) {
        return new IllegalArgumentException("'" + resource + "' is of another device");
    }
}
