package io.frameloom.gpu.virtual;

import io.frameloom.gpu.BoundResource;
import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.Sampler;
import io.frameloom.gpu.ShaderBinding;
import io.frameloom.gpu.TextureView;
import io.frameloom.gpu.record.BindingRules;
import io.frameloom.gpu.shader.PipelineShaders;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the shaders of a pipeline use, and the checks of what is bound to it. */
final class PipelineInterface {
    private final BindingRules rules;
    private final List<ShaderBinding> bindings;
    private final int pushConstantBytes;

    /** A binding of a set without its name: pipelines whose slots are equal there share binding sets. */
    record Slot(int binding, ShaderBinding.Kind kind, int count) {}

    PipelineInterface(VirtualDevice device, String pipeline, PipelineShaders shaders) {
        this.bindings = shaders.bindings();
        this.pushConstantBytes = shaders.pushConstantBytes();
        this.rules = new BindingRules(pipeline, bindings, device.capabilities(), new OwnedBy(device));
    }

    List<ShaderBinding> bindings() {
        return bindings;
    }

    int pushConstantBytes() {
        return pushConstantBytes;
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
        rules.checkSet(name, set, resources);
        Map<Integer, BoundResource> numbered = new HashMap<>();
        resources.forEach((binding, resource) ->
                numbered.put(bindings.get(rules.slot(binding)).binding(), resource));
        return numbered;
    }

    /** Checks that {@code resource} can be bound to an element of {@code name}. */
    ShaderBinding check(String name, int index, BoundResource resource) {
        return bindings.get(rules.check(name, index, resource));
    }

    /** What a device has made. */
    private record OwnedBy(VirtualDevice device) implements BindingRules.Owner {
        @Override
        public boolean owns(Buffer buffer) {
            return buffer instanceof VirtualBuffer own && own.device() == device;
        }

        @Override
        public boolean owns(TextureView view) {
            return view.texture() instanceof VirtualTexture own && own.device() == device;
        }

        @Override
        public boolean owns(Sampler sampler) {
            return sampler instanceof VirtualSampler own && own.device() == device;
        }
    }
}
