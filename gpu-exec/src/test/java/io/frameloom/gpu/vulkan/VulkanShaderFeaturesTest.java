package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.Blend;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.CullMode;
import io.frameloom.gpu.pipeline.Pipeline;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.vulkan.driver.DeviceFeatures;
import io.frameloom.taskgraph.TaskGraph;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkPhysicalDeviceProperties2;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan11Properties;

/** Shaders that use more than the least: what a device has is on where it is opened, and refused where it is off. */
@Timeout(60)
class VulkanShaderFeaturesTest {
    private static final String VERTEX = "void main() { gl_Position = vec4(0, 0, 0, 1); }";
    private static final String FRAGMENT = "layout(location = 0) out vec4 o; void main() { o = vec4(1); }";
    private static final String PICK = """
        layout(local_size_x = 1) in;
        layout(binding = 0) readonly buffer In { uint value; } values[3];
        layout(binding = 1) buffer Out { uint index; uint found; };
        void main() { found = values[index].value; }
        """;

    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice();

    private static ShaderSource shader(ShaderStage stage, String body) {
        return new ShaderSource("some." + stage, stage, "#version 450\n" + body);
    }

    private static ComputePipeline compute(GpuDevice device, String body) {
        return device.createComputePipeline(
                new ComputePipelineDescription("some", shader(ShaderStage.COMPUTE, body), null));
    }

    private static Pipeline graphics(GpuDevice device, String vertex, String fragment) {
        return device.createGraphicsPipeline(new GraphicsPipelineDescription(
                "some",
                shader(ShaderStage.VERTEX, vertex),
                shader(ShaderStage.FRAGMENT, fragment),
                List.of(),
                CullMode.NONE,
                null,
                Blend.NONE,
                List.of(Format.R8G8B8A8_UNORM),
                null));
    }

    @Test
    void elementsOfBindingArraysAreTakenByNumbersFromBuffers() {
        ComputePipeline pipeline = gpu.own(compute(gpu.device(), PICK));
        Buffer out = gpu.own(gpu.device().createBuffer("out", BufferDescription.upload(8, BufferUsage.STORAGE)));
        out.mapped().putInt(0, 2);
        Buffer[] values = new Buffer[3];
        for (int i = 0; i < values.length; i++) {
            values[i] = gpu.own(gpu.device().createBuffer("in " + i, BufferDescription.upload(4, BufferUsage.STORAGE)));
            values[i].mapped().putInt(0, 10 + i);
        }
        gpu.execute("pick", list -> {
            list.bindPipeline(pipeline);
            for (int i = 0; i < values.length; i++) {
                list.bindBuffer("In", i, values[i], 0, 4);
            }
            list.bindBuffer("Out", out, 0, 8);
            list.dispatch(1, 1, 1);
        });
        assertThat(out.mapped().getInt(4)).isEqualTo(12);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "out float gl_ClipDistance[1]; void main() { gl_Position = vec4(0); gl_ClipDistance[0] = 1; }",
                "out float gl_CullDistance[1]; void main() { gl_Position = vec4(0); gl_CullDistance[0] = 1; }"
            })
    void verticesAreClippedAndCulledByDistances(String vertex) {
        gpu.own(graphics(gpu.device(), vertex, FRAGMENT));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "layout(location = 0) out vec4 o; void main() { o = vec4(gl_PrimitiveID); }",
                "layout(location = 0) out vec4 o; void main() { o = vec4(gl_SampleID); }",
                "layout(location = 0) out vec4 o; void main() { o = vec4(gl_Layer); }"
            })
    void fragmentShadersKnowWhatTheyDraw(String fragment) {
        gpu.own(graphics(gpu.device(), VERTEX, fragment));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "uniform sampler2D t; layout(binding = 1) buffer O { ivec2 i; vec4 o; };"
                        + " void main() { o = textureGatherOffset(t, vec2(0.5), i); }",
                "buffer O { double o; }; void main() { o = o * 2; }"
            })
    void computeShadersUseWhatTheDeviceHas(String body) {
        gpu.own(compute(gpu.device(), "layout(local_size_x = 1) in;\nlayout(binding = 0) " + body));
    }

    @Test
    void elementsThatAreNotUniformAreTakenOrRefusedByTheNameOfTheFeature() {
        String body = "#extension GL_EXT_nonuniform_qualifier : require\nlayout(local_size_x = 1) in;\n"
                + "layout(binding = 0) uniform sampler2D t[4]; layout(binding = 1) buffer O { int i; vec4 o; };"
                + " void main() { o = texture(t[nonuniformEXT(i)], vec2(0.5)); }";
        if (DeviceFeatures.supported(gpu.device().handles().physicalDevice())
                .v12()
                .shaderSampledImageArrayNonUniformIndexing()) {
            gpu.own(compute(gpu.device(), body));
        } else {
            assertThatThrownBy(() -> compute(gpu.device(), body))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("does not have feature shaderSampledImageArrayNonUniformIndexing");
        }
    }

    @Test
    void subgroupsOfAStageWithoutThemAreRefused() {
        assumeTrue((subgroups().subgroupSupportedStages() & VK13.VK_SHADER_STAGE_VERTEX_BIT) == 0);
        String vertex = "#extension GL_KHR_shader_subgroup_arithmetic : require\n"
                + "void main() { gl_Position = vec4(subgroupAdd(1.0)); }";
        assertThatThrownBy(() -> graphics(gpu.device(), vertex, FRAGMENT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'some.VERTEX' has operations of subgroups")
                .hasMessageContaining("does not have in stage VERTEX");
    }

    @Test
    void subgroupOperationsThatTheDeviceLacksAreRefused() {
        assumeTrue((subgroups().subgroupSupportedOperations() & VK13.VK_SUBGROUP_FEATURE_CLUSTERED_BIT) == 0);
        String body = "#extension GL_KHR_shader_subgroup_clustered : require\nlayout(local_size_x = 1) in;\n"
                + "layout(binding = 0) buffer O { uint o; }; void main() { o = subgroupClusteredAdd(o, 4u); }";
        assertThatThrownBy(() -> compute(gpu.device(), body))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'some.COMPUTE' has operations of GL_KHR_shader_subgroup_clustered");
    }

    @ParameterizedTest
    @CsvSource({
        "GL_EXT_shader_atomic_float, float, atomicAdd(o; 1.0), SPV_EXT_shader_atomic_float_add",
        "GL_ARB_shader_ballot, uint, o = uint(ballotARB(true)), SPV_KHR_shader_ballot",
        "GL_EXT_shader_realtime_clock, uint, o = clockRealtime2x32EXT().x, SPV_KHR_shader_clock"
    })
    void whatNeedsAnExtensionIsRefusedByItsName(String extension, String type, String statement, String named) {
        assertThatThrownBy(() -> compute(gpu.device(), extended(extension, type, statement)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'some.COMPUTE' declares SPIR-V extension " + named)
                .hasMessageContaining("write the shader without it, or open the device with DeviceOptions.require or");
    }

    private static String extended(String extension, String type, String statement) {
        return "#extension " + extension + " : require\n#extension GL_ARB_gpu_shader_int64 : enable\n"
                + "layout(local_size_x = 1) in; layout(binding = 0) buffer O { " + type + " o; };"
                + " void main() { " + statement.replace(';', ',') + "; }";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#extension GL_KHR_shader_subgroup_ballot : require\n"
                        + "layout(local_size_x = 1) in; layout(binding = 0) buffer O { uint o; };"
                        + " void main() { o = subgroupBallot(true).x; }",
                "#extension GL_EXT_shader_8bit_storage : require\n"
                        + "#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
                        + "layout(local_size_x = 1) in; layout(binding = 0) buffer O { uint8_t o; };"
                        + " void main() { o = uint8_t(3); }",
                "#pragma use_vulkan_memory_model\n#extension GL_KHR_memory_scope_semantics : require\n"
                        + "layout(local_size_x = 1) in; layout(binding = 0) buffer O { uint o; };"
                        + " void main() { atomicAdd(o, 1, gl_ScopeWorkgroup, 0, 0); }"
            })
    void extensionsThatVulkanHasTakenInAreTaken(String body) {
        gpu.own(compute(gpu.device(), body));
    }

    private VkPhysicalDeviceVulkan11Properties subgroups() {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var v11 = VkPhysicalDeviceVulkan11Properties.create().sType$Default();
            VK13.vkGetPhysicalDeviceProperties2(
                    gpu.device().handles().physicalDevice(),
                    VkPhysicalDeviceProperties2.calloc(stack).sType$Default().pNext(v11));
            return v11;
        }
    }

    @Test
    void whatAnEngineHasNotSwitchedOnIsRefusedByItsName() {
        try (TaskGraph tasks = TaskGraph.builder().name("engine").workers(1).build();
                TestEngine engine = new TestEngine();
                VulkanDevice adopted = VulkanDevices.adopt(
                        engine.description
                                .ownQueue(QueueKind.GRAPHICS, engine.queue, TestEngine.FAMILY)
                                .build(),
                        new DeviceOptions(tasks, "unused", true, null))) {
            assertThatThrownBy(() -> compute(adopted, PICK))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'some.COMPUTE' takes elements of an array of STORAGE_BUFFER by a number")
                    .hasMessageContaining("shaderStorageBufferArrayDynamicIndexing")
                    .hasMessageContaining("was not switched on when the device was created");
            compute(adopted, PICK.replace("values[index]", "values[2]")).close();
            assertThatThrownBy(() -> compute(
                            adopted,
                            "layout(local_size_x = 1) in; layout(binding = 0) buffer O { double o; };"
                                    + " void main() { o = o * 2; }"))
                    .hasMessageContaining("shaderFloat64")
                    .hasMessageContaining("was not switched on");
            String buffer = "layout(binding = 0) buffer B { uint x; };\n";
            assertThatThrownBy(
                            () -> graphics(adopted, buffer + "void main() { x = 1; gl_Position = vec4(0); }", FRAGMENT))
                    .hasMessageContaining("'some.VERTEX' may write 'B'")
                    .hasMessageContaining("vertexPipelineStoresAndAtomics")
                    .hasMessageContaining("was not switched on");
            assertThatThrownBy(() -> graphics(adopted, VERTEX, buffer + FRAGMENT.replace("o = ", "x = 1; o = ")))
                    .hasMessageContaining("'some.FRAGMENT' may write 'B'")
                    .hasMessageContaining("fragmentStoresAndAtomics");
            assertThatThrownBy(() ->
                            compute(adopted, extended("GL_EXT_shader_atomic_float", "float", "atomicAdd(o; 1.0)")))
                    .hasMessageContaining("declares SPIR-V extension SPV_EXT_shader_atomic_float_add")
                    .hasMessageContaining("was not switched on");
            assertThatThrownBy(() -> compute(
                            adopted,
                            "#extension GL_EXT_shader_8bit_storage : require\nlayout(local_size_x = 1) in;"
                                    + " layout(binding = 0) buffer O { uint8_t o; }; void main() { o = uint8_t(3); }"))
                    .hasMessageContaining("storageBuffer8BitAccess")
                    .hasMessageContaining("was not switched on");
            graphics(adopted, "readonly " + buffer + "void main() { gl_Position = vec4(x); }", FRAGMENT)
                    .close();
            assertThat(engine.messages()).isEmpty();
        }
    }
}
