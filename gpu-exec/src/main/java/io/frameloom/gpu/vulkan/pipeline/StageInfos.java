package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.shader.CompiledShader;
import io.frameloom.gpu.shader.PipelineShaders;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.system.NativeResource;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkPipelineShaderStageCreateInfo;
import org.lwjgl.vulkan.VkShaderModuleCreateInfo;
import org.lwjgl.vulkan.VkSpecializationInfo;
import org.lwjgl.vulkan.VkSpecializationMapEntry;

/**
 * Shader modules of one creation: the driver needs them no longer afterwards. They, their names and constants, of which
 * there may be more than a thread's memory stack holds, are on the heap.
 */
final class StageInfos implements AutoCloseable {
    private final DeviceCore core;
    private final List<Long> modules = new ArrayList<>();
    private final List<ByteBuffer> memory = new ArrayList<>();
    private final List<NativeResource> structures = new ArrayList<>();
    private final VkPipelineShaderStageCreateInfo.Buffer infos;

    StageInfos(DeviceCore core, List<PipelineShaders.Stage> shaders) {
        this.core = core;
        infos = VkPipelineShaderStageCreateInfo.calloc(shaders.size());
        try {
            for (int i = 0; i < shaders.size(); i++) {
                add(shaders.get(i), infos.get(i));
            }
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** Returns what a pipeline is created from. */
    VkPipelineShaderStageCreateInfo.Buffer infos() {
        return infos;
    }

    private void add(PipelineShaders.Stage stage, VkPipelineShaderStageCreateInfo info) {
        CompiledShader shader = stage.shader();
        ByteBuffer code = shader.spirv();
        long module = core.create(
                VK13.VK_OBJECT_TYPE_SHADER_MODULE,
                shader.name(),
                "the module of shader '" + shader.name() + "'",
                (temporary, out) -> VK13.vkCreateShaderModule(
                        core.handle(),
                        VkShaderModuleCreateInfo.calloc(temporary)
                                .sType$Default()
                                .pCode(code),
                        null,
                        out));
        modules.add(module);
        info.sType$Default()
                .stage(PipelineInterface.stage(shader.stage()))
                .module(module)
                .pName(kept(MemoryUtil.memUTF8(shader.entry())));
        if (shader.stage() == ShaderStage.COMPUTE
                && new FullSubgroups(core.capabilities().limits().compute()).areWantedBy(stage)) {
            info.flags(VK13.VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT);
        }
        if (!stage.constants().isEmpty()) {
            info.pSpecializationInfo(specialization(stage.constants()));
        }
    }

    private VkSpecializationInfo specialization(Map<Integer, Integer> constants) {
        VkSpecializationMapEntry.Buffer map = VkSpecializationMapEntry.calloc(constants.size());
        structures.add(map);
        ByteBuffer data = kept(MemoryUtil.memAlloc(constants.size() * Integer.BYTES));
        constants.forEach((id, bits) -> {
            map.get().constantID(id).offset(data.position()).size(Integer.BYTES);
            data.putInt(bits);
        });
        VkSpecializationInfo info = VkSpecializationInfo.calloc();
        structures.add(info);
        return info.pMapEntries(map.flip()).pData(data.flip());
    }

    private ByteBuffer kept(ByteBuffer buffer) {
        memory.add(buffer);
        return buffer;
    }

    @Override
    public void close() {
        modules.forEach(module -> VK13.vkDestroyShaderModule(core.handle(), module, null));
        memory.forEach(MemoryUtil::memFree);
        structures.forEach(NativeResource::free);
        infos.free();
    }
}
