package io.frameloom.stress.gpu;

import io.frameloom.gpu.DeviceKind;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryHeap;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The resources that are alive, created and given up at random. One thread. */
final class SoakStock {
    private static final int MOST = 48;
    private static final int LARGEST_GROUPS = 64;
    private static final int LARGEST_EXTENT = 64;

    private final GpuDevice device;
    private final SplittableRandom random;
    private final List<SoakResource> alive = new ArrayList<>();
    private long created;

    SoakStock(GpuDevice device, SplittableRandom random) {
        this.device = device;
        this.random = random;
    }

    /** Creates or gives up something; {@code later} closes it when the device has done with it. */
    void churn(Consumer<AutoCloseable> later) {
        if (alive.size() < 4 || random.nextInt(MOST) >= alive.size()) {
            switch (random.nextInt(4)) {
                case 0 -> alive.add(ownTexture());
                case 1 -> placed();
                default -> alive.add(ownBuffer());
            }
        } else {
            giveUp(alive.get(random.nextInt(alive.size())), later);
        }
    }

    /** Gives up everything. */
    void clear(Consumer<AutoCloseable> later) {
        while (!alive.isEmpty()) {
            giveUp(alive.get(0), later);
        }
    }

    /** What shares a heap goes together, and the heap last. */
    private void giveUp(SoakResource resource, Consumer<AutoCloseable> later) {
        MemoryHeap heap = resource.heap();
        List<SoakResource> together = alive.stream()
                .filter(other -> other.equals(resource) || (heap != null && heap.equals(other.heap())))
                .toList();
        alive.removeAll(together);
        together.forEach(other -> later.accept(other.resource()));
        if (heap != null) {
            later.accept(heap);
        }
    }

    private SoakResource ownBuffer() {
        BufferDescription description = bufferShape();
        Buffer buffer = device.createBuffer("buffer " + created++, description);
        return new SoakResource(buffer, new SoakMemory(), null, (int) description.bytes() / 4);
    }

    private SoakResource ownTexture() {
        TextureDescription description = textureShape();
        return texture(device.createTexture("texture " + created++, description), new SoakMemory(), null);
    }

    /**
     * A heap with two buffers and a texture in the same place. On a software device the texture lies beside them: Mesa's
     * (22.3) draws on threads of its own, and barriers do not wait for those where another resource has the memory.
     */
    private void placed() {
        BufferDescription first = bufferShape();
        BufferDescription second = bufferShape();
        TextureDescription third = textureShape();
        List<MemoryRequirements> needs =
                List.of(device.requirements(first), device.requirements(second), device.requirements(third));
        long bytes = needs.stream().mapToLong(MemoryRequirements::bytes).max().orElseThrow();
        int types = needs.stream().mapToInt(MemoryRequirements::memoryTypes).reduce(-1, (a, b) -> a & b);
        boolean fits = types != 0;
        boolean beside = device.capabilities().kind() == DeviceKind.CPU;
        long step =
                needs.stream().mapToLong(MemoryRequirements::alignment).max().orElseThrow();
        long place = beside ? (bytes + step - 1) / step * step : 0;
        if (!fits) {
            // This device keeps buffers and textures apart.
            types = needs.get(0).memoryTypes() & needs.get(1).memoryTypes();
            bytes = Math.max(needs.get(0).bytes(), needs.get(1).bytes());
        }
        long number = created++;
        MemoryHeap heap = device.createHeap("heap " + number, fits ? place + bytes : bytes, types);
        SoakMemory shared = new SoakMemory();
        alive.add(new SoakResource(
                heap.placeBuffer("placed " + number + " a", first, 0), shared, heap, (int) first.bytes() / 4));
        alive.add(new SoakResource(
                heap.placeBuffer("placed " + number + " b", second, 0), shared, heap, (int) second.bytes() / 4));
        if (fits) {
            Texture texture = heap.placeTexture("placed " + number + " c", third, place);
            alive.add(texture(texture, beside ? new SoakMemory() : shared, heap));
        }
    }

    private static SoakResource texture(Texture texture, SoakMemory memory, @Nullable MemoryHeap heap) {
        int words = 0;
        for (int mip = 0; mip < texture.description().mips(); mip++) {
            words += texture.description().width(mip) * texture.description().height(mip);
        }
        return new SoakResource(texture, memory, heap, words);
    }

    private BufferDescription bufferShape() {
        long words = (long) SoakPipelines.GROUP * (1 + random.nextInt(LARGEST_GROUPS));
        return BufferDescription.device(4 * words, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);
    }

    private TextureDescription textureShape() {
        int width = 4 + random.nextInt(LARGEST_EXTENT);
        int height = 4 + random.nextInt(LARGEST_EXTENT);
        return TextureDescription.of(
                        width,
                        height,
                        Format.R8G8B8A8_UNORM,
                        TextureUsage.COLOR_ATTACHMENT,
                        TextureUsage.SAMPLED,
                        TextureUsage.COPY_SRC,
                        TextureUsage.COPY_DST)
                .withMips(1 + random.nextInt(3));
    }

    /** Returns a random resource of a kind, null if there is none. */
    @Nullable
    SoakResource any(Predicate<SoakResource> kind) {
        List<SoakResource> some = alive.stream().filter(kind).toList();
        return some.isEmpty() ? null : some.get(random.nextInt(some.size()));
    }

    int size() {
        return alive.size();
    }

    long created() {
        return created;
    }
}
