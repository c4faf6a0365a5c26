package io.frameloom.gpu.virtual;

import io.frameloom.gpu.BoundResource;
import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.BufferUsage;
import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.Format;
import io.frameloom.gpu.ShaderBinding;
import io.frameloom.gpu.TextureUsage;
import io.frameloom.gpu.TextureView;
import io.frameloom.gpu.shader.PipelineShaders;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the shaders of a pipeline use, and the checks of what is bound to it. */
final class PipelineInterface {
    private final VirtualDevice device;
    private final String pipeline;
    private final List<ShaderBinding> bindings;
    private final Map<String, ShaderBinding> byName = new HashMap<>();
    private final int pushConstantBytes;

    /** A binding of a set without its name: pipelines whose slots are equal there share binding sets. */
    record Slot(int binding, ShaderBinding.Kind kind, int count) {}

    PipelineInterface(VirtualDevice device, String pipeline, PipelineShaders shaders) {
        this.device = device;
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

    /** Returns what a set has, in the order of the numbers. */
    List<Slot> slots(int set) {
        return bindings.stream()
                .filter(binding -> binding.set() == set)
                .map(binding -> new Slot(binding.binding(), binding.kind(), binding.count()))
                .sorted(Comparator.comparingInt(Slot::binding))
                .toList();
    }

    /** Checks the resources of a binding set, and returns them by the numbers of their bindings. */
    Map<Integer, BoundResource> checkSet(String name, int set, Map<String, BoundResource> resources) {
        if (slots(set).isEmpty()) {
            throw new IllegalArgumentException("binding set '" + name + "' is for set " + set + " of pipeline '"
                    + pipeline + "', which has nothing there; its bindings are " + bindings);
        }
        Map<Integer, BoundResource> numbered = new HashMap<>();
        resources.forEach((binding, resource) -> {
            ShaderBinding found = check(binding, resource);
            if (found.set() != set) {
                throw new IllegalArgumentException("binding set '" + name + "' fills set " + set + ", but '" + binding
                        + "' of pipeline '" + pipeline + "' is in set " + found.set());
            }
            numbered.put(found.binding(), resource);
        });
        for (ShaderBinding binding : bindings) {
            if (binding.set() == set && !numbered.containsKey(binding.binding())) {
                throw new IllegalArgumentException("binding set '" + name + "' lacks '" + binding.name() + "' of set "
                        + set + " of pipeline '" + pipeline + "'");
            }
        }
        return numbered;
    }

    /** Checks that {@code resource} can be bound to {@code name}. */
    ShaderBinding check(String name, BoundResource resource) {
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
        } else {
            checkOne(name, binding, resource);
        }
        return binding;
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
        if (resource instanceof BoundResource.BufferRange range) {
            checkBuffer(binding, range);
        } else if (resource instanceof BoundResource.SampledTexture sampled) {
            texture(binding, sampled.view(), TextureUsage.SAMPLED);
            if (!(sampled.sampler() instanceof VirtualSampler sampler) || sampler.device() != device) {
                throw new IllegalArgumentException("the sampler bound to '" + name + "' is of another device");
            }
        } else if (resource instanceof BoundResource.StorageTexture storage) {
            checkStorage(binding, storage.view());
        }
    }

    private void checkBuffer(ShaderBinding binding, BoundResource.BufferRange range) {
        Buffer bound = range.buffer();
        if (!(bound instanceof VirtualBuffer buffer) || buffer.device() != device) {
            throw new IllegalArgumentException(
                    "buffer '" + bound.name() + "' bound to '" + binding.name() + "' is of another device");
        }
        buffer.checkOpen("bound to '" + binding.name() + "' of pipeline '" + pipeline + "'");
        BufferUsage needed =
                binding.kind() == ShaderBinding.Kind.UNIFORM_BUFFER ? BufferUsage.UNIFORM : BufferUsage.STORAGE;
        if (!buffer.description().usage().contains(needed)) {
            throw new IllegalArgumentException("buffer '" + buffer.name() + "' bound to '" + binding.name()
                    + "' of pipeline '" + pipeline + "' was created without usage " + needed);
        }
        if (range.offset() < 0 || range.offset() % VirtualCapabilities.ALIGNMENT != 0) {
            throw new IllegalArgumentException("offset " + range.offset() + " of buffer '" + buffer.name()
                    + "' bound to '" + binding.name() + "' must be a multiple of " + VirtualCapabilities.ALIGNMENT);
        }
        long size = buffer.description().bytes();
        if (range.bytes() < 1 || range.offset() > size - range.bytes()) {
            throw new IllegalArgumentException("range " + range.offset() + "+" + range.bytes() + " bound to '"
                    + binding.name() + "' is not within buffer '" + buffer.name() + "' of " + size + " bytes");
        }
        DeviceCapabilities capabilities = device.capabilities();
        long most = needed == BufferUsage.UNIFORM
                ? capabilities.limits().memory().maxUniformRange()
                : capabilities.maxStorageRange();
        if (range.bytes() > most) {
            throw new IllegalArgumentException("range " + range.offset() + "+" + range.bytes() + " of buffer '"
                    + buffer.name() + "' bound to '" + binding.name() + "' of pipeline '" + pipeline
                    + "' is larger than the " + most + " bytes that the device allows; bind a part of it");
        }
    }

    private void texture(ShaderBinding binding, TextureView view, TextureUsage needed) {
        if (!(view.texture() instanceof VirtualTexture texture) || texture.device() != device) {
            throw new IllegalArgumentException(
                    "texture '" + view.texture().name() + "' bound to '" + binding.name() + "' is of another device");
        }
        texture.checkOpen("bound to '" + binding.name() + "' of pipeline '" + pipeline + "'");
        if (!texture.description().usage().contains(needed)) {
            throw new IllegalArgumentException("texture '" + texture.name() + "' bound to '" + binding.name()
                    + "' of pipeline '" + pipeline + "' was created without usage " + needed);
        }
    }

    private void checkStorage(ShaderBinding binding, TextureView view) {
        texture(binding, view, TextureUsage.STORAGE);
        Format declared = binding.storageFormat();
        if (declared != null && declared != view.format()) {
            throw new IllegalArgumentException("texture '" + view.texture().name() + "' bound to '" + binding.name()
                    + "' of pipeline '" + pipeline + "' is seen as " + view.format() + ", the shader declares "
                    + declared
                    + "; use a view or a texture of that format");
        }
        if (view.range().mipCount() != 1) {
            throw new IllegalArgumentException("texture '" + view.texture().name() + "' bound to '" + binding.name()
                    + "' of pipeline '" + pipeline + "' as storage needs a view of one mip, got " + view.range());
        }
    }
}
