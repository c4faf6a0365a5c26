package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.DynamicState;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.RayTracingPipeline;
import io.frameloom.gpu.pipeline.RayTracingPipeline.RecordLimits;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.pipeline.ShaderSlot;
import io.frameloom.gpu.record.BindingRules;
import io.frameloom.gpu.record.RecordedPipeline;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.VulkanObject;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lwjgl.vulkan.VK13;

/** The common part of all kinds of pipelines. */
public abstract class VulkanPipeline extends VulkanObject implements RecordedPipeline {
    private final PipelineInterface layout;
    private final long handle;

    private VulkanPipeline(DeviceCore core, PipelineInterface layout, long handle) {
        super(core, layout.rules().pipeline());
        this.layout = layout;
        this.handle = handle;
        core.names().name(VK13.VK_OBJECT_TYPE_PIPELINE, handle, name());
    }

    public static final class Compute extends VulkanPipeline implements ComputePipeline {
        private final ComputePipelineDescription description;

        Compute(DeviceCore core, PipelineInterface layout, long handle, ComputePipelineDescription description) {
            super(core, layout, handle);
            this.description = description;
        }

        @Override
        public ComputePipelineDescription description() {
            return description;
        }
    }

    public static final class RayTracing extends VulkanPipeline implements RayTracingPipeline {
        private final RayTracingPipelineDescription description;
        private final RecordLimits recordLimits;
        private final Map<String, Integer> recordBytes;
        private final ByteBuffer handles;
        private final Runnable end;

        /**
         * @param end follows the destruction of the native pipeline
         */
        RayTracing(
                DeviceCore core,
                PipelineInterface layout,
                long handle,
                RayTracingPipelineDescription description,
                Map<String, Integer> recordBytes,
                ByteBuffer handles,
                Runnable end) {
            super(core, layout, handle);
            this.description = description;
            this.recordLimits = core.capabilities().limits().rayTracing().records();
            this.recordBytes = recordBytes;
            this.handles = handles;
            this.end = end;
        }

        @Override
        void destroyHandles() {
            super.destroyHandles();
            end.run();
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
        public RayTracingPipelineDescription description() {
            return description;
        }

        @Override
        public ByteBuffer handles() {
            return handles.asReadOnlyBuffer();
        }
    }

    public static final class Graphics extends VulkanPipeline implements GraphicsPipeline {
        private final GraphicsPipelineDescription description;
        private final int dynamicStates;
        /** The forms of one that is linked from parts; null for a whole one. */
        private final @Nullable LinkedPipeline linked;

        Graphics(DeviceCore core, PipelineInterface layout, long handle, GraphicsPipelineDescription description) {
            this(core, layout, handle, null, description);
        }

        /** A pipeline that is linked from parts. */
        Graphics(
                DeviceCore core,
                PipelineInterface layout,
                LinkedPipeline linked,
                GraphicsPipelineDescription description) {
            this(core, layout, linked.handle(), linked, description);
        }

        private Graphics(
                DeviceCore core,
                PipelineInterface layout,
                long handle,
                @Nullable LinkedPipeline linked,
                GraphicsPipelineDescription description) {
            super(core, layout, handle);
            this.linked = linked;
            this.description = description;
            dynamicStates = description.dynamicStates().stream()
                    .mapToInt(state -> 1 << state.ordinal())
                    .sum();
        }

        @Override
        public long handle() {
            return linked == null ? super.handle() : linked.handle();
        }

        @Override
        public boolean isOptimised() {
            return linked == null || linked.isOptimised();
        }

        @Override
        void destroyHandles() {
            if (linked == null) {
                super.destroyHandles();
            } else {
                linked.free();
            }
        }

        /** Returns the states that command lists set, a bit of {@link DynamicState#ordinal} each. */
        public int dynamicStates() {
            return dynamicStates;
        }

        @Override
        public GraphicsPipelineDescription description() {
            return description;
        }
    }

    /** Returns the VkPipeline to bind now. It lives as long as this pipeline, but a later call may return another. */
    public long handle() {
        return handle;
    }

    public PipelineInterface layout() {
        return layout;
    }

    @Override
    public BindingRules rules() {
        return layout.rules();
    }

    /** Returns the resources that the shaders use, ordered by set and binding. */
    public List<ShaderBinding> bindings() {
        return rules().bindings();
    }

    public ShaderSlot slot(String name, int index) {
        return rules().handle(name, index);
    }

    /** Returns the bytes of push constants, 0 for none. */
    public int pushConstantBytes() {
        return rules().pushConstantBytes();
    }

    @Override
    protected void free() {
        destroyHandles();
        layout.close();
    }

    void destroyHandles() {
        VK13.vkDestroyPipeline(core.handle(), handle, null);
    }
}
