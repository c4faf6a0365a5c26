package io.frameloom.gpu.vulkan.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.shader.PipelineShaders;
import io.frameloom.gpu.shader.ShaderCompiler;
import io.frameloom.gpu.vulkan.ValidatedDevice;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.lwjgl.system.MemoryStack;

@Timeout(60)
class StageInfosTest {
    private static final int SHADERS = 100;
    /** Enough for one shader module, too little for a structure of each shader. */
    private static final int LEFT_BYTES = 2048;

    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice();

    @Test
    void shadersWithConstantsTakeNoStack() {
        try (ShaderCompiler compiler = new ShaderCompiler();
                MemoryStack stack = MemoryStack.stackPush()) {
            PipelineShaders.Stage stage = new PipelineShaders.Stage(
                    compiler.compile(new ShaderSource("c.comp", ShaderStage.COMPUTE, """
                            #version 450
                            layout(constant_id = 3) const uint SIZE = 1;
                            layout(set = 0, binding = 0) buffer Target { uint target; };
                            void main() { target = SIZE; }
                            """)), Map.of(3, 7));
            stack.nmalloc(stack.getPointer() - LEFT_BYTES);
            try (StageInfos infos = new StageInfos(gpu.device().core(), Collections.nCopies(SHADERS, stage))) {
                var last = infos.infos().get(SHADERS - 1).pSpecializationInfo();
                assertThat(last.pMapEntries().get(0).constantID()).isEqualTo(3);
                assertThat(last.pData().getInt(0)).isEqualTo(7);
            }
        }
    }
}
