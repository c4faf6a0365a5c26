package io.frameloom.gpu.shader;

import static org.lwjgl.util.spvc.Spvc.SPVC_SUCCESS;
import static org.lwjgl.util.spvc.Spvc.spvc_context_create;
import static org.lwjgl.util.spvc.Spvc.spvc_context_destroy;

import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.error.ShaderCompilationException;
import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.pipeline.ShaderStage;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;

/**
 * The declarations of one compiled shader, read from its SPIR-V by SPIRV-Cross.
 *
 * @param bindings bindings ordered by set and binding; textures by variable name, blocks by block name
 * @param pushConstantBytes bytes of the push constant block, rounded up to whole words of 4; 0 for none
 * @param recordBytes bytes of the {@code shaderRecordEXT} block, 0 for none
 * @param constants specialization constants ordered by id
 * @param workgroup size of a workgroup in x, y and z; empty for stages without workgroups
 * @param inputs inputs from the stage before, or from vertex attributes; ordered by location
 * @param outputs outputs to the stage after, or to attachments; ordered by location
 * @param pairs images and samplers, bound separately, that it samples with each other
 * @param mesh what a mesh shader declares of its output; null for other stages
 */
public record ShaderReflection(
        List<ShaderBinding> bindings,
        int pushConstantBytes,
        int recordBytes,
        List<SpecializationConstant> constants,
        List<WorkgroupAxis> workgroup,
        List<StageVariable> inputs,
        List<StageVariable> outputs,
        List<SamplerPair> pairs,
        @Nullable MeshOutputs mesh) {
    public ShaderReflection {
        bindings = List.copyOf(bindings);
        constants = List.copyOf(constants);
        workgroup = List.copyOf(workgroup);
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
        pairs = List.copyOf(pairs);
    }

    /**
     * Reads a shader.
     *
     * @param name name of the shader, for messages
     * @param spirv SPIR-V words in a direct buffer
     * @throws ShaderCompilationException if there is no such entry point, or the shader uses a kind of binding that is
     *     not supported
     */
    static ShaderReflection of(String name, ShaderStage stage, String entry, ByteBuffer spirv) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer out = stack.mallocPointer(1);
            if (spvc_context_create(out) != SPVC_SUCCESS) {
                throw new GpuException("SPIRV-Cross could not be initialised");
            }
            long context = out.get(0);
            try {
                return new ReflectionReader(name, context, spirv).read(stage, entry);
            } finally {
                spvc_context_destroy(context);
            }
        }
    }
}
