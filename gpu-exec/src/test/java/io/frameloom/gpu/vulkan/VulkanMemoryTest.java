package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.ValidatedDevice.memory;
import static io.frameloom.gpu.vulkan.ValidatedDevice.transition;
import static io.frameloom.gpu.vulkan.ValidatedDevice.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.BarrierBatch.Scope;
import io.frameloom.gpu.command.BarrierBatch.TextureBarrier;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryHeap;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.QueueSharing;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.vulkan.resource.MemoryAllocator;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(60)
class VulkanMemoryTest {
    private static final TextureDescription COLOR = TextureDescription.of(
            32, 32, Format.R8G8B8A8_UNORM, TextureUsage.COPY_SRC, TextureUsage.COPY_DST, TextureUsage.SAMPLED);
    private static final BufferDescription WORDS =
            BufferDescription.device(4096, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);

    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice();

    private MemoryHeap heap(long bytes) {
        int types = gpu.device().requirements(COLOR).memoryTypes()
                & gpu.device().requirements(WORDS).memoryTypes();
        return gpu.own(gpu.device().createHeap("heap", bytes, types));
    }

    @Test
    void requirementsAreRememberedByDescription() {
        MemoryRequirements first = gpu.device().requirements(COLOR);
        assertThat(first.bytes()).isGreaterThanOrEqualTo(32 * 32 * 4);
        assertThat(Long.bitCount(first.alignment())).isOne();
        assertThat(gpu.device().requirements(COLOR.withMips(1))).isSameAs(first);
        assertThat(gpu.device().requirements(WORDS).bytes()).isGreaterThanOrEqualTo(4096);
    }

    /** Both kinds have requirements of their own; where there is one family they are alike in everything. */
    @Test
    void exclusiveResourcesHaveMemoryOfTheirOwnOrOfAHeap() {
        TextureDescription picture = COLOR.withSharing(QueueSharing.EXCLUSIVE);
        BufferDescription data = WORDS.withSharing(QueueSharing.EXCLUSIVE);
        MemoryRequirements texels = gpu.device().requirements(picture);
        assertThat(texels).isNotSameAs(gpu.device().requirements(COLOR));
        assertThat(gpu.device().requirements(data)).isNotSameAs(gpu.device().requirements(WORDS));
        MemoryHeap heap =
                heap(Math.max(texels.bytes(), gpu.device().requirements(data).bytes()));
        assertThat(List.of(
                        gpu.own(heap.placeTexture("placed texture", picture, 0)),
                        gpu.own(heap.placeBuffer("placed buffer", data, 0)),
                        gpu.own(gpu.device().createTexture("texture", picture)),
                        gpu.own(gpu.device().createBuffer("buffer", data))))
                .allMatch(Resource::isExclusive);
    }

    @Test
    void budgetsAreAskedForWithEveryFrameAndBeforeTheyAreTold() {
        MemoryAllocator memory = gpu.device().memory();
        FrameContext frame = gpu.own(gpu.device().createFrameContext("frame"));
        int before = memory.frames();
        frame.reset();
        assertThat(memory.frames()).isEqualTo(before + 1);
        gpu.device().memoryStatistics();
        assertThat(memory.frames()).isEqualTo(before + 2);
    }

    @Test
    void resourcesShareTheBytesOfAHeapOneAfterTheOther() {
        MemoryRequirements texels = gpu.device().requirements(COLOR);
        MemoryRequirements words = gpu.device().requirements(WORDS);
        MemoryHeap heap = heap(Math.max(texels.bytes(), words.bytes()));
        Texture texture = gpu.own(heap.placeTexture("aliased texture", COLOR, 0));
        Buffer buffer = gpu.own(heap.placeBuffer("aliased buffer", WORDS, 0));
        Resource.Placement first = Objects.requireNonNull(texture.placement());
        Resource.Placement second = Objects.requireNonNull(buffer.placement());
        assertThat(first.overlaps(second)).isTrue();
        Buffer fromBuffer = gpu.own(gpu.device().createBuffer("from buffer", BufferDescription.readback(4096)));
        Buffer fromTexture = gpu.own(gpu.device().createBuffer("from texture", BufferDescription.readback(4096)));

        gpu.execute("aliased", list -> {
            list.fillBuffer(buffer, 0, 4096, 0x11111111);
            list.barrier(
                    memory(PipelineStage.COPY, MemoryAccess.COPY_WRITE, PipelineStage.COPY, MemoryAccess.COPY_READ));
            list.copyBuffer(buffer, 0, fromBuffer, 0, 4096);
            list.barrier(new BarrierBatch(
                    List.of(new TextureBarrier(
                            texture,
                            SubresourceRange.all(COLOR),
                            new Scope(
                                    PipelineStage.COPY.bit(),
                                    MemoryAccess.COPY_WRITE.bit(),
                                    PipelineStage.COPY.bit(),
                                    MemoryAccess.COPY_WRITE.bit()),
                            TextureLayout.UNDEFINED,
                            TextureLayout.TRANSFER_DST,
                            null)),
                    List.of(),
                    List.of()));
            list.clearTexture(texture, SubresourceRange.all(COLOR), new ClearColor(0, 1, 0, 1));
            list.barrier(transition(texture, TextureLayout.TRANSFER_DST, TextureLayout.TRANSFER_SRC));
            list.copyTextureToBuffer(texture, 0, 0, fromTexture, 0);
        });

        assertThat(words(fromBuffer)).containsOnly(0x11111111);
        assertThat(words(fromTexture)).containsOnly(0xff00ff00);
    }

    @Test
    void neighboursInAHeapKeepTheirContents() {
        MemoryRequirements words = gpu.device().requirements(WORDS);
        long step = (words.bytes() + words.alignment() - 1) / words.alignment() * words.alignment();
        MemoryHeap heap = heap(2 * step);
        Buffer left = gpu.own(heap.placeBuffer("left", WORDS, 0));
        Buffer right = gpu.own(heap.placeBuffer("right", WORDS, step));
        Buffer readback = gpu.own(gpu.device().createBuffer("readback", BufferDescription.readback(8192)));
        gpu.execute("neighbours", list -> {
            list.fillBuffer(left, 0, 4096, 1);
            list.fillBuffer(right, 0, 4096, 2);
            list.barrier(
                    memory(PipelineStage.COPY, MemoryAccess.COPY_WRITE, PipelineStage.COPY, MemoryAccess.COPY_READ));
            list.copyBuffer(left, 0, readback, 0, 4096);
            list.copyBuffer(right, 0, readback, 4096, 4096);
        });
        int[] result = words(readback);
        for (int i = 0; i < result.length; i++) {
            assertThat(result[i]).isEqualTo(i < 1024 ? 1 : 2);
        }
    }

    @Test
    void badPlacementsAreRefused() {
        MemoryRequirements needs = gpu.device().requirements(WORDS);
        MemoryHeap heap = heap(needs.bytes());
        assertThatThrownBy(() -> heap.placeBuffer("odd", WORDS, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'odd'")
                .hasMessageContaining("multiple of " + needs.alignment());
        assertThatThrownBy(() -> heap.placeBuffer("outside", WORDS, needs.alignment()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("does not fit heap 'heap'");
        assertThatThrownBy(() -> heap.placeBuffer("mapped", BufferDescription.readback(4), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("READBACK");
        assertThatThrownBy(() -> gpu.device().createHeap("typeless", 16, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'typeless'");
    }

    @Test
    void aHeapIsClosedAfterItsResidents() {
        MemoryHeap heap = heap(gpu.device().requirements(WORDS).bytes());
        Buffer resident = heap.placeBuffer("resident", WORDS, 0);
        assertThatThrownBy(heap::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("resident");
        resident.close();
        assertThat(resident.isClosed()).isTrue();
        heap.close();
        heap.close();
    }

    @Test
    void equalViewsAreOneObject() {
        Texture texture = gpu.own(gpu.device().createTexture("viewed", COLOR.withMips(3)));
        assertThat(texture.view()).isSameAs(texture.view());
        assertThat(texture.view(SubresourceRange.mip(1))).isSameAs(texture.view(SubresourceRange.mip(1)));
        assertThatThrownBy(() -> texture.view(SubresourceRange.mip(3)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'viewed'");
    }
}
