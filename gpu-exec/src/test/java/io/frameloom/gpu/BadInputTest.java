package io.frameloom.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.QueryKind;
import io.frameloom.gpu.command.QuerySet;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryHeap;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.MemoryStatistics;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.taskgraph.TaskGraph;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The table of bad input: every backend refuses it with the same kind of exception, which names the object, and is left as
 * it was: nothing half-created, nothing leaked, nothing said by the validation layer.
 */
@Timeout(60)
class BadInputTest {
    private static final TextureDescription PICTURE =
            TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.COPY_DST, TextureUsage.COLOR_ATTACHMENT);
    private static final BufferDescription WORDS = BufferDescription.device(64, BufferUsage.COPY_DST);

    /** A device with another one beside it, and resources of both. */
    private static final class Rig {
        final GpuDevice device;
        final GpuDevice other;
        final FrameContext frame;
        final Buffer buffer;
        final Texture texture;
        final Buffer foreign;
        final FrameContext foreignFrame;

        Rig(GpuDevice device, GpuDevice other) {
            this.device = device;
            this.other = other;
            frame = device.createFrameContext("frame");
            buffer = device.createBuffer("words", WORDS);
            texture = device.createTexture("picture", PICTURE);
            foreign = other.createBuffer("foreign words", WORDS);
            foreignFrame = other.createFrameContext("foreign frame");
        }

        GpuQueue queue() {
            return device.queues().get(0);
        }

        DeviceLimits limits() {
            return device.capabilities().limits();
        }

        TextureDescription shape(int width, int layers) {
            return PICTURE.withLayers(layers).width() == width
                    ? PICTURE.withLayers(layers)
                    : new TextureDescription(width, 1, 1, layers, PICTURE.format(), PICTURE.usage());
        }

        void close() {
            foreignFrame.close();
            foreign.close();
            texture.close();
            buffer.close();
            frame.close();
        }
    }

    @FunctionalInterface
    private interface Deed {
        void run(Rig rig);
    }

    private record Case(String name, Class<? extends Exception> type, Deed deed, List<String> words) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Case argument(String name, Deed deed, String... words) {
        return new Case(name, IllegalArgumentException.class, deed, List.of(words));
    }

    private static Case state(String name, Deed deed, String... words) {
        return new Case(name, IllegalStateException.class, deed, List.of(words));
    }

    private static Case unnamed(String what, Deed deed) {
        return new Case(
                what + " without a name",
                NullPointerException.class,
                deed,
                List.of(what + " needs a name: name must not be null"));
    }

    @SuppressWarnings("NullAway") // that is the test
    private static void addUnnamed(List<Case> cases) {
        cases.add(unnamed("a texture", rig -> rig.device.createTexture(null, PICTURE)));
        cases.add(unnamed("a buffer", rig -> rig.device.createBuffer(null, WORDS)));
        cases.add(unnamed("a heap", rig -> rig.device.createHeap(null, 64, 1)));
        cases.add(unnamed("a frame context", rig -> rig.device.createFrameContext(null)));
        cases.add(unnamed("a query set", rig -> rig.device.createQuerySet(null, QueryKind.ANY_SAMPLE, 1)));
        cases.add(unnamed("a timestamp set", rig -> rig.device.createTimestampSet(null, 1)));
        cases.add(unnamed("a device event set", rig -> rig.device.createDeviceEventSet(null, 1)));
        cases.add(unnamed("a surface", rig -> rig.device.createHeadlessSurface(null, 8, 8)));
        cases.add(unnamed(
                "a pipeline",
                rig -> rig.device.createComputePipeline(new ComputePipelineDescription(
                        null,
                        new ShaderSource(
                                "nothing",
                                ShaderStage.COMPUTE,
                                "#version 450\nlayout(local_size_x = 1) in;\nvoid main() {}\n"),
                        null))));
        cases.add(unnamed("a buffer", rig -> {
            MemoryRequirements needs = rig.device.requirements(WORDS);
            try (MemoryHeap heap = rig.device.createHeap("home", needs.bytes(), needs.memoryTypes())) {
                heap.placeBuffer(null, WORDS, 0);
            }
        }));
        cases.add(unnamed("a texture", rig -> {
            MemoryRequirements needs = rig.device.requirements(PICTURE);
            try (MemoryHeap heap = rig.device.createHeap("home", needs.bytes(), needs.memoryTypes())) {
                heap.placeTexture(null, PICTURE, 0);
            }
        }));
    }

    private static List<Case> table() {
        List<Case> cases = new ArrayList<>();
        addUnnamed(cases);
        cases.add(argument(
                "buffer above the limit",
                rig -> rig.device.createBuffer(
                        "huge",
                        BufferDescription.device(rig.limits().memory().maxBufferBytes() + 1, BufferUsage.COPY_DST)),
                "buffer 'huge'",
                "maxBufferBytes"));
        cases.add(argument(
                "texture above the limit",
                rig -> rig.device.createTexture(
                        "wide", rig.shape(rig.device.capabilities().maxTextureExtent() + 1, 1)),
                "texture 'wide'",
                "maxTextureExtent"));
        cases.add(argument(
                "layers above the limit",
                rig -> rig.device.createTexture(
                        "deep", rig.shape(8, rig.limits().textures().maxLayers() + 1)),
                "texture 'deep'",
                "maxLayers"));
        cases.add(argument(
                "heap above the limit",
                rig -> rig.device.createHeap("huge", rig.limits().memory().maxAllocationBytes() + 1, 1),
                "heap 'huge'",
                "maxAllocationBytes"));
        cases.add(argument(
                "texture for nothing",
                rig -> rig.device.createTexture("idle", TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM)),
                "texture 'idle'",
                "no usage"));
        cases.add(argument(
                "buffer for nothing",
                rig -> rig.device.createBuffer("idle", BufferDescription.device(16)),
                "buffer 'idle'",
                "no usage"));
        cases.add(argument("empty heap", rig -> rig.device.createHeap("none", 0, 1), "heap 'none'", "1 byte"));
        cases.add(argument(
                "heap of no memory type", rig -> rig.device.createHeap("none", 64, 0), "heap 'none'", "memory type"));
        cases.add(argument(
                "no timestamps", rig -> rig.device.createTimestampSet("none", 0), "timestamp set 'none'", "got 0"));
        cases.add(argument(
                "too many timestamps",
                rig -> rig.device.createTimestampSet("many", 1 << 30),
                "timestamp set 'many'",
                "65536"));
        cases.add(argument(
                "texture used against its flags",
                rig -> inPass(
                        rig,
                        new ResourceUse.OfTexture(
                                rig.texture,
                                SubresourceRange.all(PICTURE),
                                Access.SAMPLED_FRAGMENT,
                                false,
                                TextureLayout.SHADER_RO)),
                "texture 'picture'",
                "SAMPLED_FRAGMENT",
                "usage SAMPLED",
                "pass 'wrong'"));
        cases.add(argument(
                "buffer used against its flags",
                rig -> inPass(rig, new ResourceUse.OfBuffer(rig.buffer, 0, 64, Access.STORAGE_READ_COMPUTE, false)),
                "buffer 'words'",
                "usage STORAGE"));
        cases.add(argument(
                "buffer of another device",
                rig -> recorded(rig, list -> list.fillBuffer(rig.foreign, 0, 64, 1)),
                "'foreign words'",
                "another device"));
        cases.add(argument(
                "list for a queue of another device",
                rig -> rig.frame.beginCommands(rig.other.queues().get(0), "list"),
                "'list'",
                "another device"));
        cases.add(argument(
                "list of another device",
                rig -> {
                    CommandList list =
                            rig.foreignFrame.beginCommands(rig.other.queues().get(0), "foreign list");
                    list.end();
                    rig.queue().submit(new Submission("mixed", List.of(list), List.of()));
                },
                "'mixed'",
                "'foreign list'"));
        cases.add(argument(
                "wait for another device",
                rig -> rig.queue()
                        .submit(new Submission(
                                "mixed",
                                List.of(),
                                List.of(new Submission.Wait(
                                        rig.other
                                                .queues()
                                                .get(0)
                                                .submit(new Submission("its own", List.of(), List.of())),
                                        PipelineStage.ALL_COMMANDS.bit())))),
                "'mixed'",
                "another device"));
        cases.add(argument(
                "wait for what was not submitted",
                rig -> rig.queue()
                        .submit(new Submission(
                                "early",
                                List.of(),
                                List.of(new Submission.Wait(
                                        new TimelinePoint(rig.queue(), 99), PipelineStage.ALL_COMMANDS.bit())))),
                "'early'",
                "99"));
        cases.add(argument(
                "wait at no stage", rig -> waiting(rig, PipelineStage.NONE), "'odd'", "queue 'graphics'", "NONE"));
        cases.add(argument(
                "wait at the host stage",
                rig -> waiting(rig, PipelineStage.mask(PipelineStage.COPY, PipelineStage.HOST)),
                "'odd'",
                "HOST"));
        cases.add(argument(
                "query set of another device",
                rig -> {
                    try (QuerySet queries = rig.other.createQuerySet("foreign queries", QueryKind.ANY_SAMPLE, 1)) {
                        recorded(rig, list -> list.beginQuery(queries, 0));
                    }
                },
                "'list'",
                "query set",
                "another device"));
        cases.add(argument(
                "timestamp set of another device",
                rig -> {
                    TimestampSet stamps = rig.other.createTimestampSet("foreign stamps", 1);
                    try {
                        recorded(rig, list -> list.writeTimestamp(stamps, 0));
                    } finally {
                        stamps.close();
                    }
                },
                "'list'",
                "timestamp set",
                "another device"));
        cases.add(argument(
                "signal by the host stage",
                rig -> rig.queue()
                        .submit(new Submission("odd", List.of(), List.of()).signalling(PipelineStage.HOST.bit())),
                "'odd'",
                "HOST",
                "'graphics'"));
        cases.add(argument(
                "signal by nothing",
                rig -> rig.queue().submit(new Submission("odd", List.of(), List.of()).signalling(0)),
                "'odd'",
                "NONE"));
        cases.add(argument("event of the future", rig -> rig.queue().timeline().reached(1_000), "1000", "graphics"));
        cases.add(argument("event of the past", rig -> rig.queue().timeline().reached(-1), "-1", "graphics"));
        cases.add(argument(
                "wait of the host for the future", rig -> rig.queue().timeline().await(1_000, Duration.ZERO), "1000"));
        cases.add(argument("upload of nothing", rig -> rig.frame.allocateUpload(0, 16), "upload", "got 0"));
        cases.add(argument(
                "upload above the limit", rig -> rig.frame.allocateUpload(1L << 31, 16), "upload", "2147483648"));
        cases.add(argument(
                "negative alignment", rig -> rig.frame.allocateUpload(16, Integer.MIN_VALUE), "1 or more", "-2147"));
        cases.add(argument("no alignment", rig -> rig.frame.allocateUpload(16, 0), "1 or more", "aligned to 0"));
        cases.add(state(
                "closed buffer in a list",
                rig -> {
                    Buffer closed = rig.device.createBuffer("short-lived", WORDS);
                    closed.close();
                    recorded(rig, list -> list.fillBuffer(closed, 0, 64, 1));
                },
                "'short-lived'",
                "closed"));
        cases.add(state(
                "closed mapped buffer",
                rig -> {
                    Buffer closed = rig.device.createBuffer("short-lived", BufferDescription.readback(4));
                    closed.close();
                    closed.mapped();
                },
                "'short-lived'",
                "closed"));
        cases.add(state("device memory is not mapped", rig -> rig.buffer.mapped(), "buffer 'words'", "READBACK"));
        cases.add(state(
                "closed heap",
                rig -> {
                    MemoryRequirements needs = rig.device.requirements(WORDS);
                    MemoryHeap heap = rig.device.createHeap("short-lived", needs.bytes(), needs.memoryTypes());
                    heap.close();
                    heap.placeBuffer("late", WORDS, 0);
                },
                "'short-lived'",
                "closed"));
        cases.add(state(
                "heap with residents",
                rig -> {
                    MemoryRequirements needs = rig.device.requirements(WORDS);
                    MemoryHeap heap = rig.device.createHeap("home", needs.bytes(), needs.memoryTypes());
                    Buffer resident = heap.placeBuffer("resident", WORDS, 0);
                    try {
                        heap.close();
                    } finally {
                        resident.close();
                        heap.close();
                    }
                },
                "heap 'home'",
                "resident"));
        cases.add(state(
                "closed frame",
                rig -> {
                    FrameContext closed = rig.device.createFrameContext("short-lived");
                    closed.close();
                    closed.beginCommands(rig.queue(), "late");
                },
                "'short-lived'",
                "closed"));
        return cases;
    }

    private static void waiting(Rig rig, int stages) {
        TimelinePoint point = rig.queue().submit(new Submission("first", List.of(), List.of()));
        rig.queue().submit(new Submission("odd", List.of(), List.of(new Submission.Wait(point, stages))));
    }

    private static void inPass(Rig rig, ResourceUse use) {
        CommandList list = rig.frame.beginCommands(rig.queue(), "list");
        try {
            list.beginPass("wrong", List.of(use));
        } finally {
            list.end();
        }
    }

    private static void recorded(Rig rig, java.util.function.Consumer<CommandList> recording) {
        CommandList list = rig.frame.beginCommands(rig.queue(), "list");
        try {
            recording.accept(list);
        } finally {
            list.end();
        }
    }

    static Stream<Arguments> cases() {
        return Arrays.stream(Backend.values())
                .flatMap(backend -> table().stream().map(one -> Arguments.of(backend, one)));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("cases")
    void isRefusedAndLeavesNothing(Backend backend, Object row) {
        Case one = (Case) row;
        try (TaskGraph tasks = TaskGraph.builder().name("bad input").workers(1).build()) {
            DeviceOptions options = new DeviceOptions(tasks, "bad input", false, null);
            try (GpuDevice device = backend.open(options);
                    GpuDevice other = backend.open(options)) {
                Rig rig = new Rig(device, other);
                Set<MemoryStatistics.Allocation> before =
                        Set.copyOf(device.memoryStatistics().allocations());
                assertThatThrownBy(() -> one.deed.run(rig))
                        .isInstanceOf(one.type)
                        .message()
                        .contains(one.words);
                assertThat(Set.copyOf(device.memoryStatistics().allocations())).isEqualTo(before);
                // The device still works.
                recorded(rig, list -> list.fillBuffer(rig.buffer, 0, 64, 1));
                device.waitIdle();
                rig.close();
                rig.close();
                assertThat(device.validationMessages()).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("backends")
    void aClosedDeviceRefusesEverythingAndIsClosedAgainInPeace(Backend backend) {
        try (TaskGraph tasks = TaskGraph.builder().name("closed").workers(1).build()) {
            GpuDevice device = backend.open(new DeviceOptions(tasks, "closed", false, null));
            device.close();
            device.close();
            List<Runnable> deeds = List.of(
                    () -> device.createBuffer("late", WORDS),
                    () -> device.createTexture("late", PICTURE),
                    () -> device.createHeap("late", 64, 1),
                    () -> device.createFrameContext("late"),
                    () -> device.createTimestampSet("late", 1),
                    device::memoryStatistics,
                    device::waitIdle);
            assertThat(deeds)
                    .allSatisfy(deed -> assertThatThrownBy(deed::run)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("closed"));
        }
    }

    static Stream<Backend> backends() {
        return Arrays.stream(Backend.values());
    }
}
