package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.ValidatedDevice.memory;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.ValidationMessage;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Proof that the harness of the other tests can fail: barriers left out are reported. */
@Timeout(60)
class VulkanValidationTest {
    private static final String COPY = """
            #version 450
            layout(local_size_x = 64) in;
            layout(set = 0, binding = 0) readonly buffer Input { uint values[]; } source;
            layout(set = 0, binding = 1) writeonly buffer Output { uint values[]; } target;
            void main() { target.values[gl_GlobalInvocationID.x] = source.values[gl_GlobalInvocationID.x]; }
            """;

    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice();

    private ComputePipeline copy;

    private Buffer buffer(String name) {
        return gpu.own(gpu.device().createBuffer(name, BufferDescription.device(256, BufferUsage.STORAGE)));
    }

    private void dispatch(CommandList list, Buffer from, Buffer to) {
        list.bindPipeline(copy);
        list.bindBuffer("Input", from, 0, 256);
        list.bindBuffer("Output", to, 0, 256);
        list.dispatch(1, 1, 1);
    }

    @BeforeEach
    void createPipeline() {
        copy = gpu.own(gpu.device()
                .createComputePipeline(new ComputePipelineDescription(
                        "copy", new ShaderSource("copy.comp", ShaderStage.COMPUTE, COPY), null)));
    }

    private void assertHazard(String kind) {
        assertThat(gpu.messages()).anySatisfy(message -> {
            assertThat(message.severity()).isEqualTo(ValidationMessage.Severity.ERROR);
            assertThat(message.id()).contains(kind);
        });
    }

    @Test
    void aReadThatDoesNotWaitForTheWriteIsReported() {
        gpu.expectMessages();
        Buffer a = buffer("a");
        Buffer b = buffer("b");
        Buffer c = buffer("c");
        gpu.execute("missing RAW barrier", list -> {
            dispatch(list, a, b);
            dispatch(list, b, c);
        });
        assertHazard("SYNC-HAZARD-READ-AFTER-WRITE");
    }

    @Test
    void aWriteThatDoesNotWaitForTheReadIsReported() {
        gpu.expectMessages();
        Buffer a = buffer("a");
        Buffer b = buffer("b");
        Buffer c = buffer("c");
        gpu.execute("missing WAR barrier", list -> {
            dispatch(list, a, b);
            dispatch(list, c, a);
        });
        assertHazard("SYNC-HAZARD-WRITE-AFTER-READ");
    }

    @Test
    void theSameDispatchesWithBarriersAreSilent() {
        Buffer a = buffer("a");
        Buffer b = buffer("b");
        Buffer c = buffer("c");
        gpu.execute("with barriers", list -> {
            dispatch(list, a, b);
            list.barrier(memory(
                    PipelineStage.COMPUTE_SHADER,
                    MemoryAccess.STORAGE_WRITE,
                    PipelineStage.COMPUTE_SHADER,
                    MemoryAccess.STORAGE_READ));
            dispatch(list, b, c);
        });
        assertThat(gpu.messages()).isEmpty();
    }

    @Test
    void aHostWaitOrdersTheNextSubmission() {
        Buffer a = buffer("a");
        Buffer b = buffer("b");
        Buffer c = buffer("c");
        for (int i = 0; i < 3; i++) {
            gpu.execute("first " + i, list -> dispatch(list, a, b));
            gpu.execute("second " + i, list -> dispatch(list, b, c));
        }
        assertThat(gpu.messages()).isEmpty();
    }

    @Test
    void aUsageThatTheBufferLacksIsRefusedBeforeTheLayerSeesIt() {
        Buffer a = buffer("a");
        gpu.execute(
                "copy without usage",
                list -> assertThatThrownBy(() -> list.fillBuffer(a, 0, 256, 1))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("'a'")
                        .hasMessageContaining("COPY_DST"));
        assertThat(gpu.messages()).isEmpty();
    }
}
