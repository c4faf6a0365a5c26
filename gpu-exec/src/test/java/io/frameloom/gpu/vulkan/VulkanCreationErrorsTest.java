package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryHeap;
import io.frameloom.gpu.resource.MemoryStatistics;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.vulkan.driver.DebugNames;
import io.frameloom.gpu.vulkan.pipeline.PipelineFactory;
import io.frameloom.gpu.vulkan.pipeline.VulkanPipeline;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lwjgl.system.MemoryStack;

/** An error half-way through making something leaves nothing behind, and names may be of any length. */
@Timeout(60)
class VulkanCreationErrorsTest {
    private static final BufferDescription WORDS =
            BufferDescription.device(4096, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);
    private static final TextureDescription COLOR =
            TextureDescription.of(32, 32, Format.R8G8B8A8_UNORM, TextureUsage.COPY_DST, TextureUsage.SAMPLED);
    private static final ShaderSource COMPUTE = new ShaderSource("sets.comp", ShaderStage.COMPUTE, """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) buffer First { uint first; };
            layout(set = 1, binding = 0) buffer Second { uint second[2]; };
            layout(set = 2, binding = 1) buffer Third { uint third[2]; };
            void main() { first = second[0] + third[1]; }
            """);
    private static final ShaderSource VERTEX = new ShaderSource(
            "corner.vert", ShaderStage.VERTEX, "#version 450\nvoid main() { gl_Position = vec4(0, 0, 0, 1); }\n");
    private static final ShaderSource FRAGMENT = new ShaderSource("red.frag", ShaderStage.FRAGMENT, """
            #version 450
            layout(set = 1, binding = 0) uniform Tint { vec4 tint; };
            layout(location = 0) out vec4 color;
            void main() { color = tint; }
            """);

    /** Long enough for the name to be what does not fit any more. */
    private static final String NAME = "n".repeat(200);

    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice();

    private MemoryHeap heap(String name) {
        int types = gpu.device().requirements(COLOR).memoryTypes()
                & gpu.device().requirements(WORDS).memoryTypes();
        return gpu.device().createHeap(name, 1 << 20, types);
    }

    /**
     * Makes something, so that all classes are there, and then makes it with more and more room on the stack of native structures, until there is enough; what is made is
     * closed.
     */
    private void starve(Supplier<? extends AutoCloseable> creation) throws Exception {
        creation.get().close();
        MemoryStack stack = MemoryStack.stackGet();
        int failures = 0;
        AutoCloseable made = null;
        for (int left = 0; made == null; left += 32) {
            stack.push();
            try {
                stack.nmalloc(1, stack.getPointer() - left);
                made = creation.get();
            } catch (OutOfMemoryError e) {
                assertThat(e).hasMessageContaining("stack");
                failures++;
            } finally {
                stack.pop();
            }
        }
        made.close();
        assertThat(failures).isPositive();
        MemoryStatistics left = gpu.device().memoryStatistics();
        assertThat(left.allocations()).isEmpty();
        assertThat(left.heaps()).allSatisfy(heap -> assertThat(heap.occupied()).isZero());
    }

    @Test
    void resourcesAreGivenBack() throws Exception {
        starve(() -> gpu.device().createBuffer(NAME, WORDS));
        starve(() -> gpu.device().createTexture(NAME, COLOR));
        starve(() -> heap(NAME));
    }

    @Test
    void heapsHoldNothingThatWasNotPlaced() throws Exception {
        for (boolean texture : new boolean[] {false, true}) {
            boolean placed = false;
            MemoryHeap heap = heap("heap");
            MemoryStack stack = MemoryStack.stackGet();
            for (int left = 0; !placed; left += 32) {
                AutoCloseable made = null;
                stack.push();
                try {
                    stack.nmalloc(1, stack.getPointer() - left);
                    made = texture ? heap.placeTexture("texture", COLOR, 0) : heap.placeBuffer("buffer", WORDS, 0);
                    placed = true;
                } catch (OutOfMemoryError e) {
                    assertThat(e).hasMessageContaining("stack");
                } finally {
                    stack.pop();
                }
                if (made != null) {
                    made.close();
                }
            }
            heap.close();
        }
    }

    @Test
    void pipelinesAreGivenBack() throws Exception {
        starve(() -> gpu.device().createComputePipeline(new ComputePipelineDescription("compute", COMPUTE, null)));
        starve(() -> gpu.device()
                .createGraphicsPipeline(new GraphicsPipelineDescription(
                        "graphics",
                        VERTEX,
                        FRAGMENT,
                        List.of(),
                        GraphicsPipelineDescription.CullMode.NONE,
                        null,
                        GraphicsPipelineDescription.Blend.NONE,
                        List.of(Format.R8G8B8A8_UNORM),
                        null)));
    }

    @Test
    void setLayoutsThatAnotherPipelineHasAreLetGo() throws Exception {
        try (PipelineFactory factory = new PipelineFactory(gpu.device().core(), null, gpu.tasks())) {
            ComputePipelineDescription description = new ComputePipelineDescription("compute", COMPUTE, null);
            VulkanPipeline other = factory.create(description);
            starve(() -> factory.create(description));
            other.close();
            assertThat(factory.setLayouts()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "\u00e4", "\uD83D\uDE00"})
    void namesMayBeOfAnyLength(String character) {
        String name = character.repeat(70_000);
        try (Buffer buffer = gpu.device().createBuffer(name, WORDS);
                var texture = gpu.device().createTexture(name, COLOR);
                MemoryHeap heap = heap(name);
                Buffer placed = heap.placeBuffer(name, WORDS, 0)) {
            assertThat(List.of(buffer.name(), texture.name(), heap.name(), placed.name()))
                    .containsOnly(name);
            gpu.execute(name, list -> {
                list.beginPass(name, List.of());
                list.insertLabel(name);
                list.endPass();
            });
        }
        assertThat(gpu.device().memoryStatistics().allocations()).isEmpty();
    }

    @Test
    void namesAreCutBetweenCharacters() {
        assertThat(DebugNames.cut("n".repeat(255))).hasSize(255);
        assertThat(DebugNames.cut("n".repeat(256))).hasSize(255);
        assertThat(DebugNames.cut("\uD83D\uDE00".repeat(200))).isEqualTo("\uD83D\uDE00".repeat(127));
        assertThat(DebugNames.cut("n" + "\uD83D\uDE00".repeat(200))).isEqualTo("n" + "\uD83D\uDE00".repeat(127));
    }
}
