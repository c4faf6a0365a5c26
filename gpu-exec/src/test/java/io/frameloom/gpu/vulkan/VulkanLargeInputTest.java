package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.pipeline.SpecializationValue;
import io.frameloom.gpu.shader.ShaderCompiler;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is larger than a thread's memory stack, 64 KiB, reaches the driver all the same. */
class VulkanLargeInputTest {
    private static final int CONSTANTS = 4_000;
    private static final int CHARACTERS = 100_000;
    private static final int OP_ENTRY_POINT = 15;
    private static final int HEADER_WORDS = 5;
    private static final int NAME = 3;

    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice();

    @Test
    void specializationConstants() {
        StringBuilder text = new StringBuilder("#version 450\nlayout(local_size_x = 1) in;\n");
        StringBuilder body = new StringBuilder("void main() {\n");
        for (int i = 0; i < CONSTANTS; i++) {
            text.append("layout(constant_id = ")
                    .append(i)
                    .append(") const uint c")
                    .append(i)
                    .append(" = 0;\n");
            body.append("sum += c").append(i).append(";\n");
        }
        text.append("layout(set = 0, binding = 0) buffer Result { uint sum; };\n")
                .append(body)
                .append("}\n");
        ShaderSource shader = new ShaderSource("constants.comp", ShaderStage.COMPUTE, text.toString());
        for (int i = 0; i < CONSTANTS; i++) {
            shader = shader.withConstant(i, SpecializationValue.ofUint(1));
        }
        gpu.own(gpu.device().createComputePipeline(new ComputePipelineDescription("constants", shader, null)));
    }

    @Test
    void entryPoints() {
        String entry = "e".repeat(CHARACTERS);
        ShaderSource shader = ShaderSource.spirv("entry.comp", ShaderStage.COMPUTE, withEntry(entry), entry);
        // The validation layer takes names of 256 characters, so no pipeline is made of it.
        try (ShaderCompiler compiler = new ShaderCompiler()) {
            assertThat(compiler.compile(shader).entry()).isEqualTo(entry);
        }
    }

    /** Returns a shader whose entry point has another name. */
    private static int[] withEntry(String entry) {
        try (ShaderCompiler compiler = new ShaderCompiler()) {
            ByteBuffer code = compiler.compile(new ShaderSource(
                            "main.comp",
                            ShaderStage.COMPUTE,
                            "#version 450\nlayout(local_size_x = 1) in;\nvoid main() {}\n"))
                    .spirv();
            int at = HEADER_WORDS;
            while ((code.getInt(at * Integer.BYTES) & 0xffff) != OP_ENTRY_POINT) {
                at += code.getInt(at * Integer.BYTES) >>> 16;
            }
            int length = code.getInt(at * Integer.BYTES) >>> 16;
            int nameWords = entry.length() / Integer.BYTES + 1;
            // "main" and its zero take two words; there is no interface behind them.
            assertThat(length).isEqualTo(NAME + 2);
            ByteBuffer changed = ByteBuffer.allocate(code.remaining() + (nameWords - 2) * Integer.BYTES)
                    .order(ByteOrder.nativeOrder());
            changed.put(code.duplicate().limit((at + NAME) * Integer.BYTES));
            changed.putInt(at * Integer.BYTES, (NAME + nameWords) << 16 | OP_ENTRY_POINT);
            changed.put(entry.getBytes(StandardCharsets.US_ASCII)).position((at + NAME + nameWords) * Integer.BYTES);
            changed.put(code.duplicate().position((at + length) * Integer.BYTES))
                    .flip();
            int[] words = new int[changed.remaining() / Integer.BYTES];
            changed.asIntBuffer().get(words);
            return words;
        }
    }

    @Test
    void namesOfApplications() {
        try (GpuDevice device =
                VulkanDevices.open("", new DeviceOptions(gpu.tasks(), "a".repeat(CHARACTERS), false, null))) {
            assertThat(device.queues()).isNotEmpty();
        }
    }
}
