package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.record.BindingRules;
import io.frameloom.gpu.record.BindingSlot;
import io.frameloom.gpu.record.PairRules;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.shader.PipelineShaders;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The resources that the shaders of a pipeline use, and the checks of bindings against them. */
final class PipelineInterface {
    private final BindingRules rules;
    private final List<ShaderBinding> bindings;
    /** By set. */
    private final List<List<BindingSlot>> slots;

    private final int pushConstantBytes;

    PipelineInterface(SimulatedDevice device, String pipeline, PipelineShaders shaders) {
        this.bindings = shaders.bindings();
        int sets = bindings.stream().mapToInt(ShaderBinding::set).max().orElse(-1) + 1;
        this.slots = IntStream.range(0, sets).mapToObj(this::slotsOf).toList();
        this.pushConstantBytes = shaders.pushConstantBytes();
        this.rules = new BindingRules(pipeline, shaders, device.capabilities(), new OwnedBy(device));
    }

    BindingRules rules() {
        return rules;
    }

    List<ShaderBinding> bindings() {
        return bindings;
    }

    int pushConstantBytes() {
        return pushConstantBytes;
    }

    /** Returns what a set has, in the order of the numbers. */
    List<BindingSlot> slots(int set) {
        return set < slots.size() ? slots.get(set) : List.of();
    }

    private List<BindingSlot> slotsOf(int set) {
        return bindings.stream()
                .filter(binding -> binding.set() == set)
                .map(BindingSlot::of)
                .sorted(Comparator.comparingInt(BindingSlot::binding))
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

    /** Returns the values of a binding set that {@link #checkRanges} needs. */
    long[] ranges(int set, Map<String, BoundResource> resources) {
        return rules.ranges(set, resources);
    }

    /** Checks the ranges of a binding set that fits. */
    void checkRanges(VirtualBindingSet set) {
        rules.checkRanges(set.name(), set.set(), set.ranges());
    }

    /** Returns the checks of what draws and dispatches sample with each other; its slots are places of bindings. */
    PairRules pairs() {
        return rules.pairs();
    }

    /** What a device has made. */
    private record OwnedBy(SimulatedDevice device) implements BindingRules.Owner {
        @Override
        public boolean supports(Format format, TextureUsage usage) {
            return VirtualFormats.support(format).supports(usage);
        }

        @Override
        public boolean filters(Format format) {
            return VirtualFormats.filters(format);
        }

        @Override
        public boolean reduces(Format format) {
            return VirtualFormats.reduces(format);
        }

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
