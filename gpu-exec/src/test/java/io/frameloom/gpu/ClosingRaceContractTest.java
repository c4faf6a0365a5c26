package io.frameloom.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryHeap;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.testing.TestEffort;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A device is closed while other threads ask it for things: each gets what it asked for, or is told that it is closed. */
class ClosingRaceContractTest {
    private static final int ROUNDS = TestEffort.of(4, 8);
    private static final int THREADS = 3;
    private static final BufferDescription WORDS = BufferDescription.device(64, BufferUsage.STORAGE);
    private static final TextureDescription TEXELS =
            TextureDescription.of(16, 16, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED);

    private TaskGraph tasks;

    @BeforeEach
    void buildTaskGraph() {
        tasks = TaskGraph.builder().name("closing race").workers(2).build();
    }

    @AfterEach
    void closeTaskGraph() {
        tasks.close();
    }

    /** What a thread does again and again until it is refused; the number differs each time. */
    private interface Work {
        void run(GpuDevice device, String thing) throws Exception;
    }

    /**
     * Asks with some threads while the device is closed.
     *
     * @param keeps whether the work leaves the first things of each thread open, which the device then reports
     */
    private void race(Backend backend, int round, boolean keeps, Work work) throws InterruptedException {
        GpuDevice device = backend.open(new DeviceOptions(tasks, "closing race", false, null));
        CountDownLatch busy = new CountDownLatch(THREADS * (1 + round % 4));
        Set<String> answers = ConcurrentHashMap.newKeySet();
        Set<String> kept = ConcurrentHashMap.newKeySet();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            int number = t;
            Thread thread = new Thread(() -> {
                Throwable refusal = null;
                for (int i = 0; refusal == null; i++) {
                    boolean keep = i < 3;
                    String name = (keep ? "kept-" : "brief-") + number + "-" + i;
                    refusal = refusal(device, name, work);
                    if (refusal == null && keep) {
                        kept.add(name);
                    }
                    busy.countDown();
                }
                answers.add(refusal.toString());
            });
            thread.start();
            threads.add(thread);
        }
        busy.await();
        Throwable report = catchThrowable(device::close);
        for (Thread thread : threads) {
            thread.join();
        }
        Set<String> reported = names(report == null ? "" : Objects.toString(report.getMessage(), ""));
        Set<String> brief = new TreeSet<>(reported);
        brief.removeIf(name -> !name.startsWith("brief"));
        // Whoever was closing something when the device was closed may have left it to the device.
        assertThat(brief).hasSizeLessThanOrEqualTo(THREADS);
        reported.removeAll(brief);
        if (keeps) {
            assertThat(reported).isNotEmpty().isEqualTo(new TreeSet<>(kept));
        }
        assertThat(device.validationMessages()).isEmpty();
        assertThat(answers)
                .as("the refusals of %s", device.capabilities().name())
                .allSatisfy(answer -> assertThat(answer)
                        .startsWith("java.lang.IllegalStateException")
                        .contains("device '" + device.capabilities().name() + "' is closed"));
    }

    private static Set<String> names(String report) {
        Set<String> names = new TreeSet<>();
        Matcher found = Pattern.compile("(kept|brief)-\\d+-\\d+").matcher(report);
        while (found.find()) {
            names.add(found.group());
        }
        return names;
    }

    private void raceOften(Backend backend, Work work) throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            race(backend, round, false, work);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatWasCreatedIsReportedAndTheRestRefused(Backend backend) throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            race(backend, round, true, (device, name) -> {
                Buffer buffer = device.createBuffer(name, WORDS);
                if (name.startsWith("brief")) {
                    buffer.close();
                }
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void resourcesViewsAndHeaps(Backend backend) throws InterruptedException {
        raceOften(backend, (device, name) -> {
            MemoryRequirements needs = device.requirements(TEXELS);
            MemoryHeap heap = device.createHeap(name + " heap", needs.bytes(), needs.memoryTypes());
            Texture placed = heap.placeTexture(name + " placed", TEXELS, 0);
            Texture texture = device.createTexture(name + " texture", TEXELS);
            texture.view();
            placed.close();
            texture.close();
            heap.close();
        });
    }

    @ParameterizedTest
    @EnumSource
    void pipelines(Backend backend) throws InterruptedException {
        raceOften(backend, (device, name) -> {
            ShaderSource shader = new ShaderSource(
                    name,
                    ShaderStage.COMPUTE,
                    "#version 450\nlayout(local_size_x = 1) in;\n"
                            + "layout(set = 0, binding = 0) buffer B { uint x; } b;\nvoid main() { b.x = "
                            + Math.floorMod(name.hashCode(), 1_000_000) + "u; }");
            ComputePipeline pipeline =
                    device.createComputePipeline(new ComputePipelineDescription(name + " pipeline", shader, null));
            pipeline.close();
        });
    }

    @ParameterizedTest
    @EnumSource
    void questions(Backend backend) throws InterruptedException {
        raceOften(backend, (device, name) -> {
            int size = 1 + Math.floorMod(name.hashCode(), 1000);
            device.requirements(BufferDescription.device(4L * size, BufferUsage.STORAGE));
            device.requirements(TextureDescription.of(size, 8, Format.R8_UNORM, TextureUsage.SAMPLED));
            device.formatSupport(Format.values()[size % Format.values().length]);
            device.sampler(SamplerDescription.LINEAR_CLAMP.withLod(0, SamplerDescription.EVERY_MIP, size / 1000f));
            device.memoryStatistics();
        });
    }

    @ParameterizedTest
    @EnumSource
    void framesAndTimestamps(Backend backend) throws InterruptedException {
        raceOften(backend, (device, name) -> {
            FrameContext frame = device.createFrameContext(name + " frame");
            TimestampSet stamps = device.createTimestampSet(name + " stamps", 4);
            CommandList list = frame.beginCommands(device.queues().get(0), name);
            list.end();
            frame.allocateUpload(64, 16);
            stamps.readNanos();
            stamps.reset();
            frame.reset();
            stamps.close();
            frame.close();
        });
    }

    /** What the device got to first says itself that it is closed; the device says so then as well. */
    private static @Nullable Throwable refusal(GpuDevice device, String name, Work work) {
        Throwable refusal = catchThrowable(() -> work.run(device, name));
        Throwable asked = refusal instanceof IllegalStateException ? catchThrowable(device::memoryStatistics) : null;
        return asked == null ? refusal : asked;
    }
}
