package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.record.BindingRules;
import io.frameloom.gpu.shader.PipelineShaders;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.EXTMeshShader;
import org.lwjgl.vulkan.KHRPushDescriptor;
import org.lwjgl.vulkan.KHRRayTracingPipeline;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkPipelineLayoutCreateInfo;
import org.lwjgl.vulkan.VkPushConstantRange;

/**
 * The needs of a pipeline: bindings, their slots, set layouts and push constants, merged from all of its shaders. The
 * slot of a binding is its position in the order of sets and bindings. Immutable but for the number of its users: the
 * pipeline, and parts that were made for it.
 */
public final class PipelineInterface implements AutoCloseable {
    private final DeviceCore core;
    private final BindingRules rules;
    private final int[] setStarts;
    /** By slot: the number of the binding's first element; after the last slot the number of elements. */
    private final int[] elementStarts;

    /** By set: the number of its first element; after the last set the number of elements. */
    private final int[] setElements;

    /** By slot: the set of the binding. */
    private final int[] slotSets;

    private final SetLayout[] setLayouts;
    /** By set: how many descriptors of each type it has. */
    private final int[][] setNeeds;

    /** By set: the name of a descriptor set that a frame makes for it. */
    private final String[] setNames;
    /** Bit masks of the sets that have bindings, and of those that have textures. */
    private final int filledSets;

    private final int textureSets;
    /** The set of a bindless table, or -1. */
    private final int tableSet;

    private final int pushConstantStages;
    private final int bindPoint;
    private final long layout;
    /** Writes the pushed set into a command list; null without one. */
    private final long pushTemplate;

    private final AtomicInteger uses = new AtomicInteger(1);

    PipelineInterface(DeviceCore core, SetLayoutCache cache, String pipeline, int bindPoint, PipelineShaders shaders) {
        this.core = core;
        this.bindPoint = bindPoint;
        rules = new BindingRules(pipeline, shaders, core);
        List<ShaderBinding> bindings = shaders.bindings();
        elementStarts = new int[bindings.size() + 1];
        slotSets = new int[bindings.size()];
        for (int i = 0; i < bindings.size(); i++) {
            elementStarts[i + 1] = elementStarts[i] + bindings.get(i).count();
            slotSets[i] = bindings.get(i).set();
        }
        tableSet = shaders.tableSet();
        int bound = bindings.isEmpty() ? 0 : bindings.get(bindings.size() - 1).set() + 1;
        int sets = Math.max(bound, tableSet + 1);
        setStarts = new int[sets + 1];
        setElements = new int[sets + 1];
        setLayouts = new SetLayout[sets];
        setNeeds = new int[sets][];
        setNames = new String[sets];
        for (int set = 0, slot = 0; set < sets; set++) {
            setStarts[set] = slot;
            while (slot < bindings.size() && bindings.get(slot).set() == set) {
                slot++;
            }
            setStarts[set + 1] = slot;
            setElements[set + 1] = elementStarts[slot];
            setNames[set] = pipeline + " set " + set;
            setNeeds[set] = DescriptorPools.needs(bindings.subList(setStarts[set], slot));
        }
        int withBindings = tableSet < 0 ? 0 : 1 << tableSet;
        int withTextures = 0;
        for (ShaderBinding binding : bindings) {
            boolean texture = binding.texture() != null;
            withBindings |= 1 << binding.set();
            withTextures |= texture ? 1 << binding.set() : 0;
        }
        filledSets = withBindings;
        textureSets = withTextures;
        int stages = 0;
        for (ShaderStage stage : shaders.pushConstantStages()) {
            stages |= stage(stage);
        }
        pushConstantStages = stages;
        layout = createLayout(cache);
        pushTemplate = createTemplate();
    }

    private long createLayout(SetLayoutCache cache) {
        int acquired = 0;
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var handles = stack.mallocLong(setLayouts.length);
            for (; acquired < setLayouts.length; acquired++) {
                SetLayout set = acquired == tableSet
                        ? cache.table()
                        : cache.acquire(
                                bindings().subList(setStarts[acquired], setStarts[acquired + 1]),
                                acquired == rules.pushedSet());
                setLayouts[acquired] = set;
                handles.put(acquired, set.handle());
            }
            VkPipelineLayoutCreateInfo info = VkPipelineLayoutCreateInfo.calloc(stack)
                    .sType$Default()
                    .setLayoutCount(setLayouts.length)
                    .pSetLayouts(handles);
            if (rules.pushConstantBytes() > 0) {
                VkPushConstantRange.Buffer range = VkPushConstantRange.calloc(1, stack);
                range.get(0).stageFlags(pushConstantStages).size(rules.pushConstantBytes());
                info.pPushConstantRanges(range);
            }
            return core.create(
                    VK13.VK_OBJECT_TYPE_PIPELINE_LAYOUT,
                    rules.pipeline(),
                    "the layout of pipeline '" + rules.pipeline() + "'",
                    (nested, out) -> VK13.vkCreatePipelineLayout(core.handle(), info, null, out));
        } catch (RuntimeException | Error e) {
            for (int set = 0; set < acquired; set++) {
                setLayouts[set].release();
            }
            throw e;
        }
    }

    private long createTemplate() {
        int set = rules.pushedSet();
        if (set < 0) {
            return VK13.VK_NULL_HANDLE;
        }
        try {
            return SetLayoutCache.template(
                    core,
                    setLayouts[set].slots(),
                    info -> info.templateType(KHRPushDescriptor.VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR)
                            .pipelineBindPoint(bindPoint)
                            .pipelineLayout(layout)
                            .set(set));
        } catch (RuntimeException | Error e) {
            destroyLayouts();
            throw e;
        }
    }

    static int stage(ShaderStage stage) {
        return switch (stage) {
            case VERTEX -> VK13.VK_SHADER_STAGE_VERTEX_BIT;
            case FRAGMENT -> VK13.VK_SHADER_STAGE_FRAGMENT_BIT;
            case COMPUTE -> VK13.VK_SHADER_STAGE_COMPUTE_BIT;
            case TASK -> EXTMeshShader.VK_SHADER_STAGE_TASK_BIT_EXT;
            case MESH -> EXTMeshShader.VK_SHADER_STAGE_MESH_BIT_EXT;
            case RAY_GENERATION -> KHRRayTracingPipeline.VK_SHADER_STAGE_RAYGEN_BIT_KHR;
            case ANY_HIT -> KHRRayTracingPipeline.VK_SHADER_STAGE_ANY_HIT_BIT_KHR;
            case CLOSEST_HIT -> KHRRayTracingPipeline.VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR;
            case MISS -> KHRRayTracingPipeline.VK_SHADER_STAGE_MISS_BIT_KHR;
            case INTERSECTION -> KHRRayTracingPipeline.VK_SHADER_STAGE_INTERSECTION_BIT_KHR;
            case CALLABLE -> KHRRayTracingPipeline.VK_SHADER_STAGE_CALLABLE_BIT_KHR;
        };
    }

    List<ShaderBinding> bindings() {
        return rules.bindings();
    }

    /** Returns the checks of bindings; their slots are those of this interface. */
    public BindingRules rules() {
        return rules;
    }

    int setCount() {
        return setLayouts.length;
    }

    /** Returns the first slot of a set; that of {@code setCount()} is the number of slots. */
    int setStart(int set) {
        return setStarts[set];
    }

    /** Returns the number of a slot's first element; that of the number of slots is the number of elements. */
    int elementStart(int slot) {
        return elementStarts[slot];
    }

    int setOf(int slot) {
        return slotSets[slot];
    }

    int elements() {
        return setElements[setLayouts.length];
    }

    /** Returns the number of a set's first element; that of {@code setCount()} is the number of elements. */
    int elementOfSet(int set) {
        return setElements[set];
    }

    int elements(int set) {
        return setElements[set + 1] - setElements[set];
    }

    /** Returns the set that a bindless table fills, or -1. */
    int tableSet() {
        return tableSet;
    }

    /** Returns the VkDescriptorUpdateTemplate that writes the pushed set into a command list; null without one. */
    long pushTemplate() {
        return pushTemplate;
    }

    int filledSets() {
        return filledSets;
    }

    int textureSets() {
        return textureSets;
    }

    public boolean readsAttachments() {
        return rules.readsAttachments();
    }

    public SetLayout setLayout(int set) {
        return setLayouts[set];
    }

    /** Returns the needs of a set for {@link DescriptorPools}. Not to be changed. */
    int[] setNeeds(int set) {
        return setNeeds[set];
    }

    String setName(int set) {
        return setNames[set];
    }

    public long layout() {
        return layout;
    }

    public int bindPoint() {
        return bindPoint;
    }

    public int pushConstantStages() {
        return pushConstantStages;
    }

    /** Counts one more user, who closes it as well. The caller knows that it is in use. */
    void retain() {
        uses.incrementAndGet();
    }

    /** Ends a use; the last one destroys the layout and the template. */
    @Override
    public void close() {
        if (uses.decrementAndGet() > 0) {
            return;
        }
        VK13.vkDestroyDescriptorUpdateTemplate(core.handle(), pushTemplate, null);
        destroyLayouts();
    }

    private void destroyLayouts() {
        VK13.vkDestroyPipelineLayout(core.handle(), layout, null);
        for (SetLayout set : setLayouts) {
            set.release();
        }
    }
}
