package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.CpuKernel;
import io.frameloom.gpu.pipeline.DynamicState;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthState;
import io.frameloom.gpu.pipeline.RayTracingPipeline;
import io.frameloom.gpu.pipeline.RayTracingPipeline.RecordLimits;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.pipeline.ShaderSlot;
import io.frameloom.gpu.record.BindingRules;
import io.frameloom.gpu.record.BindingSlot;
import io.frameloom.gpu.record.RecordedPipeline;
import io.frameloom.gpu.shader.PipelineShaders;
import io.frameloom.gpu.virtual.memory.Mix;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The common part of all kinds of pipeline of the virtual device. Any thread. */
abstract class VirtualPipeline extends VirtualObject implements RecordedPipeline {
    private final BindingRules rules;
    /** By set. */
    private final List<List<BindingSlot>> slots;
    /** The set that a bindless table fills, or -1. */
    private final int tableSet;

    private final List<ShaderBinding> tableArrays;

    private VirtualPipeline(SimulatedDevice device, String name, PipelineShaders shaders) {
        super(device, name);
        this.rules = new BindingRules(name, shaders, device);
        int sets = bindings().stream().mapToInt(ShaderBinding::set).max().orElse(-1) + 1;
        this.tableSet = shaders.tableSet();
        this.tableArrays = shaders.tableArrays();
        this.slots = IntStream.range(0, sets).mapToObj(this::slotsOf).toList();
    }

    static final class Compute extends VirtualPipeline implements ComputePipeline {
        private final ComputePipelineDescription description;

        Compute(SimulatedDevice device, ComputePipelineDescription description, PipelineShaders shaders) {
            super(device, description.name(), shaders);
            this.description = description;
        }

        @Override
        public ComputePipelineDescription description() {
            return description;
        }

        @Override
        @Nullable
        CpuKernel kernel() {
            return description.kernel();
        }
    }

    static final class RayTracing extends VirtualPipeline implements RayTracingPipeline {
        private static final long HANDLES = 0x4A7D1E5L;

        private final RayTracingPipelineDescription description;
        private final RecordLimits recordLimits;
        private final Map<String, Integer> recordBytes;
        private final ByteBuffer handles;

        RayTracing(SimulatedDevice device, RayTracingPipelineDescription description, PipelineShaders shaders) {
            super(device, description.name(), shaders);
            this.description = description;
            this.recordBytes = shaders.recordBytes(description);
            this.recordLimits = device.capabilities().limits().rayTracing().records();
            int bytes = recordLimits.handle();
            this.handles = ByteBuffer.allocate(bytes * description.groups().size());
            for (int i = 0; i < description.groups().size(); i++) {
                // Of names alone, so that tables are the same in each run.
                long name = Mix.mix(
                        Mix.mix(HANDLES, description.name()),
                        description.groups().get(i).name());
                for (int word = 0; word < bytes / Long.BYTES; word++) {
                    handles.putLong(i * bytes + word * Long.BYTES, Mix.mix(name, word));
                }
            }
        }

        @Override
        public RayTracingPipelineDescription description() {
            return description;
        }

        @Override
        public RecordLimits recordLimits() {
            return recordLimits;
        }

        @Override
        public Map<String, Integer> recordBytes() {
            return recordBytes;
        }

        @Override
        public ByteBuffer handles() {
            return handles.asReadOnlyBuffer();
        }
    }

    static final class Graphics extends VirtualPipeline implements GraphicsPipeline {
        private final GraphicsPipelineDescription description;
        private final int inputs;
        private final int outputs;

        Graphics(SimulatedDevice device, GraphicsPipelineDescription description, PipelineShaders shaders) {
            super(device, description.name(), shaders);
            this.description = description;
            int read = 0;
            for (ShaderBinding binding : shaders.bindings()) {
                read |= binding.attachment() < 0 ? 0 : 1 << binding.attachment();
            }
            inputs = read;
            int written = 0;
            for (int i = 0; i < description.blends().size(); i++) {
                written |= description.blends().get(i).writeMask() == 0 ? 0 : 1 << i;
            }
            DepthState depth = description.depth();
            boolean setDepth = description.dynamicStates().contains(DynamicState.DEPTH_TEST);
            boolean writesDepth = setDepth || (depth != null && depth.write());
            outputs = written | (writesDepth ? 1 << description.blends().size() : 0);
        }

        /** Returns the attachments that shaders read, a bit for each colour and one after them for depth. */
        int inputs() {
            return inputs;
        }

        /** Returns the attachments that draws may write, as {@link #inputs}. */
        int outputs() {
            return outputs;
        }

        @Override
        public GraphicsPipelineDescription description() {
            return description;
        }
    }

    /** Returns what runs instead of the shaders, or null: work is simulated by its cost alone. */
    @Nullable
    CpuKernel kernel() {
        return null;
    }

    private List<BindingSlot> slotsOf(int set) {
        return bindings().stream()
                .filter(binding -> binding.set() == set)
                .map(BindingSlot::of)
                .toList();
    }

    /** Returns what a set has, in the order of the numbers. */
    final List<BindingSlot> slots(int set) {
        return set < slots.size() ? slots.get(set) : List.of();
    }

    @Override
    public final BindingRules rules() {
        return rules;
    }

    public final List<ShaderBinding> bindings() {
        return rules.bindings();
    }

    /** Returns the set that a bindless table fills, or -1. */
    final int tableSet() {
        return tableSet;
    }

    final List<ShaderBinding> tableArrays() {
        return tableArrays;
    }

    public final ShaderSlot slot(String binding, int index) {
        return rules.handle(binding, index);
    }

    public final int pushConstantBytes() {
        return rules.pushConstantBytes();
    }
}
