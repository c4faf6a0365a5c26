package io.frameloom.streaming;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.pipeline.BindlessTable;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.CpuKernel;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryStatistics.Allocation;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FrameSync;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassContext;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.streaming.Ktx2Files.Packing;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A camera flies along a row of textures, the near ones wished fine. A shader samples 16 texels of each that is in
 * sight; all are known, so a texel of a wrong level, or of one that is not in memory, is found.
 */
final class Flight implements AutoCloseable {
    /** Levels that are in sight. */
    private static final int SEEN_LEVELS = 6;

    private static final int TEXELS = 16;
    private static final int WORDS = TEXELS + 1;

    private static final String SHADER = """
            #version 450
            #extension GL_GOOGLE_include_directive : require
            #extension GL_EXT_nonuniform_qualifier : require
            #include "streamed.glsl"
            layout(local_size_x = 16) in;
            layout(std430, set = 0, binding = 2) writeonly buffer Picture { uint picture[]; };
            #ifdef TABLE
            layout(set = 1, binding = 0) uniform texture2D textures[];
            layout(set = 1, binding = 1) uniform sampler samplers[];
            #define FETCHED sampler2D(textures[streamedSlot(number)], samplers[near])
            #else
            layout(set = 0, binding = 3) uniform sampler2D fetched;
            #define FETCHED fetched
            #endif
            layout(push_constant) uniform Camera { int position; int perLevel; uint first; uint size; uint near; };
            void main() {
                uint number = first + gl_WorkGroupID.x;
                uint wish = uint(abs(int(number) - position) / perLevel);
                if (wish >= 6) {
                    return;
                }
                streamedWish(number, float(wish));
                uint finest = uint(streamedFinest(number));
                uint level = max(wish, finest);
                ivec2 at = ivec2(gl_LocalInvocationID.x % 4, gl_LocalInvocationID.x / 4) * int((size >> level) / 4);
                picture[number * 17] = finest;
                picture[number * 17 + 1 + gl_LocalInvocationID.x] =
                        packUnorm4x8(texelFetch(FETCHED, at, int(level - finest)));
            }
            """;

    final GpuDevice device;
    final TextureStreamer streamer;
    final List<StreamedTexture> textures = new ArrayList<>();
    final HazardChecker checker = new HazardChecker();
    final int count;
    final int size;
    private final int perLevel;
    private final int levels;
    private final TaskGraph tasks =
            TaskGraph.builder().name("flight").workers(2).build();
    private final FrameExecutor executor;
    private final @Nullable BindlessTable table;
    private final ComputePipeline pipeline;
    private final Sampler near;
    private final int nearSlot;
    private final long budget;
    private final boolean isSparse;
    private final Deque<Shot> shots = new ArrayDeque<>();

    /** A frame whose picture is not looked at yet. */
    private record Shot(int position, int[] finest, RdgReadback picture, FrameHandle frame) {}

    /** Writes the files of flights. */
    static void write(Path folder, int count, int size) {
        int levels = 32 - Integer.numberOfLeadingZeros(size);
        for (int i = 0; i < count; i++) {
            int number = i;
            Packing packing = i % 2 == 0 ? Packing.NONE : Packing.ZSTANDARD;
            Ktx2Files.write(
                    path(folder, i),
                    size,
                    size,
                    levels,
                    Format.R8G8B8A8_UNORM,
                    packing,
                    level -> texels(number, size, level));
        }
    }

    private static Path path(Path folder, int number) {
        return folder.resolve("picture" + number + ".ktx2");
    }

    /** Opens a device with what is needed: the table is used with {@link Capability#DESCRIPTOR_INDEXING}. */
    Flight(Path folder, int count, int size, Set<Capability> needed, Function<DeviceOptions, GpuDevice> open) {
        this.count = count;
        this.size = size;
        this.perLevel = count / 16;
        this.levels = 32 - Integer.numberOfLeadingZeros(size);
        tasks.start(NamedThread.RHI);
        DeviceOptions options = new DeviceOptions(tasks, "flight", true, checker);
        for (Capability each : needed) {
            options = options.require(each);
        }
        boolean isBindless = needed.contains(Capability.DESCRIPTOR_INDEXING);
        device = open.apply(options);
        executor = new FrameExecutor(device, tasks);
        table = isBindless ? device.createBindlessTable("flight") : null;
        near = device.sampler(SamplerDescription.NEAREST_CLAMP);
        nearSlot = table == null ? 0 : table.sampler(near).index();
        ShaderSource shader = new ShaderSource(
                        "flight.comp", ShaderStage.COMPUTE, SHADER, isBindless ? Map.of("TABLE", "") : Map.of())
                .withIncludes(TextureStreamer.includes());
        pipeline = device.createComputePipeline(new ComputePipelineDescription("flight", shader, kernel()));
        TextureDescription shape = new TextureDescription(
                size,
                size,
                levels,
                1,
                Format.R8G8B8A8_UNORM,
                EnumSet.of(TextureUsage.SAMPLED, TextureUsage.COPY_DST, TextureUsage.COPY_SRC));
        isSparse = needed.contains(Capability.SPARSE_RESIDENCY);
        budget = count
                * (isSparse ? sparseBytes(shape) : device.requirements(shape).bytes() / 4);
        streamer = new TextureStreamer(device, budget, 4 * size * size, table);
        for (int i = 0; i < count; i++) {
            textures.add(streamer.register(path(folder, i), 0));
        }
    }

    /** Returns the bytes of a tail and of a sixth of the levels before it: those in sight at two places do not fit. */
    private long sparseBytes(TextureDescription shape) {
        try (Texture sparse = device.createSparseTexture("measured", shape)) {
            List<Long> bytes = Objects.requireNonNull(sparse.sparse()).bytes();
            int first = Residency.tail(shape, bytes.size() - 1);
            long all = bytes.stream().mapToLong(Long::longValue).sum();
            long tail = bytes.stream().skip(first).mapToLong(Long::longValue).sum();
            return tail + (all - tail) / 6;
        }
    }

    private static byte[] texels(int number, int size, int level) {
        int extent = size >> level;
        byte[] texels = new byte[4 * extent * extent];
        for (int y = 0; y < extent; y++) {
            for (int x = 0; x < extent; x++) {
                ByteBuffer.wrap(texels)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(4 * (y * extent + x), texel(number, level, x, y));
            }
        }
        return texels;
    }

    private static int texel(int number, int level, int x, int y) {
        return 1 + level | number << 8 | (x * 31 + y * 57 + level * 11 & 0xff) << 16 | 0xff << 24;
    }

    private static int wish(int number, int position, int perLevel) {
        int wish = Math.abs(number - position) / perLevel;
        return wish >= SEEN_LEVELS ? -1 : wish;
    }

    /** The shader, for the virtual GPU. */
    private static CpuKernel kernel() {
        return invocation -> {
            ByteBuffer camera = invocation.pushConstants();
            ByteBuffer residency = invocation.bytes("StreamedResidency");
            ByteBuffer feedback = invocation.bytes("StreamedFeedback");
            ByteBuffer picture = invocation.bytes("Picture");
            for (int number = 0; number < invocation.groupsX(); number++) {
                int wish = wish(number, camera.getInt(0), camera.getInt(4));
                if (wish < 0) {
                    continue;
                }
                int before = feedback.getInt(4 * number);
                feedback.putInt(4 * number, Integer.compareUnsigned(wish, before) < 0 ? wish : before);
                int finest = residency.getInt(8 * number + 4);
                int level = Math.max(wish, finest);
                ByteBuffer texels = invocation.bytes("textures", residency.getInt(8 * number), level - finest, 0);
                int extent = camera.getInt(12) >> level;
                picture.putInt(4 * number * WORDS, finest);
                for (int i = 0; i < TEXELS; i++) {
                    int at = (i / 4 * (extent / 4)) * extent + i % 4 * (extent / 4);
                    picture.putInt(4 * (number * WORDS + 1 + i), texels.getInt(4 * at));
                }
            }
        };
    }

    /** Declares and launches a frame, and looks at those that have ended. */
    void frame(int position) {
        RenderGraph graph = new RenderGraph("flight");
        StreamedFrame streamed = streamer.addTo(graph);
        assertThat(streamer.residentBytes()).isLessThanOrEqualTo(budget);
        int[] finest =
                textures.stream().mapToInt(StreamedTexture::residentLevel).toArray();
        RdgBuffer picture = graph.createBuffer("picture", BufferDescription.device(4L * count * WORDS));
        PassBuilder pass = graph.addPass("look", PassKind.COMPUTE).overwrites(picture, Access.STORAGE_WRITE_COMPUTE);
        if (table == null) {
            streamed.sampledBy(pass, ShaderStage.COMPUTE, textures.toArray(new StreamedTexture[0]));
        } else {
            streamed.sampledBy(pass, ShaderStage.COMPUTE).readsTable(table);
        }
        pass.record(context -> look(context, streamed, picture, position));
        RdgReadback read = ReadbackPasses.buffer(graph, picture);
        FrameSync sync = FrameSync.none().after(List.of(streamer.uploaded()));
        shots.add(new Shot(position, finest, read, executor.execute(executor.compile(graph), sync)));
        while (shots.size() > 3) {
            check(shots.removeFirst());
        }
    }

    private void look(PassContext context, StreamedFrame streamed, RdgBuffer picture, int position) {
        context.commands().bindPipeline(pipeline);
        streamed.bind(context);
        context.commands().bindBuffer("Picture", context.buffer(picture), 0, 4L * count * WORDS);
        for (int first = 0; first < count; first += table == null ? 1 : count) {
            ByteBuffer camera = ByteBuffer.allocate(20).order(ByteOrder.nativeOrder());
            camera.putInt(position)
                    .putInt(perLevel)
                    .putInt(first)
                    .putInt(size)
                    .putInt(nearSlot)
                    .flip();
            context.commands().pushConstants(camera);
            if (table != null) {
                context.commands().dispatch(count, 1, 1);
            } else if (wish(first, position, perLevel) >= 0) {
                context.commands().bindTexture("fetched", streamed.view(textures.get(first)), near);
                context.commands().dispatch(1, 1, 1);
            }
        }
    }

    /** Returns whether all that is in sight has the levels that are wished. */
    private boolean check(Shot shot) {
        ByteBuffer picture = shot.picture.bytes().join();
        boolean isFull = true;
        for (int number = 0; number < count; number++) {
            int wish = wish(number, shot.position, perLevel);
            if (wish < 0) {
                continue;
            }
            int finest = picture.getInt(4 * number * WORDS);
            assertThat(finest).as("finest level of %d", number).isEqualTo(shot.finest[number]);
            isFull &= finest <= wish;
            for (int i = 0; i < TEXELS; i++) {
                int level = Math.max(wish, finest);
                int step = (size >> level) / 4;
                int expected = level == levels ? 0xff7f7f7f : texel(number, level, i % 4 * step, i / 4 * step);
                int seen = picture.getInt(4 * (number * WORDS + 1 + i));
                if (seen != expected) {
                    throw new AssertionError("texel %d of texture %d at level %d (wished %d): %x, not %x"
                            .formatted(i, number, level, wish, seen, expected));
                }
            }
        }
        return isFull;
    }

    /** Looks at all frames under way; returns whether the last has the levels that are wished. */
    boolean isFull() {
        boolean isFull = false;
        while (!shots.isEmpty()) {
            isFull = check(shots.removeFirst());
        }
        return isFull;
    }

    /** Stands still until all is as fine as it is wished. */
    void settle(int position) {
        do {
            for (int i = 0; i < 4; i++) {
                frame(position);
            }
        } while (!isFull());
    }

    /** Returns the bytes that the device says its images of streamed textures take. */
    long assertWithinBudget() {
        long bytes = device.memoryStatistics().allocations().stream()
                .filter(each -> each.name().contains(isSparse ? " sparse" : " from level "))
                .mapToLong(Allocation::bytes)
                .sum();
        assertThat(bytes).isLessThanOrEqualTo(budget);
        assertThat(bytes).isLessThanOrEqualTo(streamer.residentBytes());
        return bytes;
    }

    void assertClean() {
        assertThat(checker.hazards()).isEmpty();
        assertThat(checker.undeclared()).isEmpty();
        assertThat(device.validationMessages()).isEmpty();
    }

    @Override
    public void close() {
        shots.forEach(each -> each.frame.completed().awaitCompletion());
        executor.close();
        streamer.close();
        pipeline.close();
        if (table != null) {
            table.close();
        }
        device.close();
        tasks.close();
    }
}
