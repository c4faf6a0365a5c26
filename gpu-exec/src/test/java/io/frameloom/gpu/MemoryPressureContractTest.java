package io.frameloom.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.SubmissionObserver;
import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.taskgraph.TaskGraph;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What finds no memory takes that of what is closed and in use, when the device has done with it; on both backends. */
class MemoryPressureContractTest {
    private static final int MIB = 1 << 20;
    private static final int LIMIT = 40 * MIB;
    private static final int BYTES = 16 * MIB;
    private static final int COPIES = 20;
    private static final BufferDescription WORDS =
            BufferDescription.device(BYTES, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);
    private static final TextureDescription PICTURE =
            TextureDescription.of(2048, 2048, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED);
    private static final BarrierBatch FULL =
            new BarrierBatch(List.of(), List.of(), List.of(BarrierBatch.GlobalBarrier.FULL));

    private final List<TimelinePoint> waits = new ArrayList<>();
    private TaskGraph tasks;

    @BeforeEach
    void buildTaskGraph() {
        tasks = TaskGraph.builder().name("pressure").workers(1).build();
    }

    @AfterEach
    void closeTaskGraph() {
        tasks.close();
    }

    private GpuDevice open(Backend backend) {
        SubmissionObserver observer = new SubmissionObserver() {
            @Override
            public void submitted(SubmissionRecord record) {
                assertThat(record.label()).isEqualTo("long");
            }

            @Override
            public void hostWaited(TimelinePoint point) {
                waits.add(point);
            }
        };
        return backend.open(new DeviceOptions(tasks, "pressure", false, observer).withMemoryLimit(LIMIT));
    }

    /** Submits work that takes a while, and closes what it uses: all memory of the device. */
    private static void closeInUse(GpuDevice device, FrameContext frame) {
        try (Buffer first = device.createBuffer("ping", WORDS);
                Buffer second = device.createBuffer("pong", WORDS)) {
            CommandList list = frame.beginCommands(device.queues().get(0), "long");
            list.beginPass(
                    "copies",
                    List.of(
                            new ResourceUse.OfBuffer(first, 0, BYTES, Access.COPY_DST, true),
                            new ResourceUse.OfBuffer(second, 0, BYTES, Access.COPY_DST, true)));
            list.fillBuffer(first, 0, BYTES, 7);
            for (int i = 0; i < COPIES; i++) {
                list.barrier(FULL);
                list.copyBuffer(i % 2 == 0 ? first : second, 0, i % 2 == 0 ? second : first, 0, BYTES);
            }
            list.endPass();
            list.end();
            device.queues().get(0).submit(new Submission("long", List.of(list), List.of()));
        }
    }

    private void assertFound(Backend backend, Function<GpuDevice, AutoCloseable> maker) throws Exception {
        try (GpuDevice device = open(backend);
                FrameContext frame = device.createFrameContext("frame")) {
            for (int round = 0; round < 3; round++) {
                closeInUse(device, frame);
                maker.apply(device).close();
                // It was the device that waited: the program has not, and knows nothing.
                assertThat(waits).isEmpty();
            }
            device.waitIdle();
            assertThat(device.validationMessages()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void buffers(Backend backend) throws Exception {
        assertFound(backend, device -> device.createBuffer("wanted", WORDS));
    }

    @ParameterizedTest
    @EnumSource
    void textures(Backend backend) throws Exception {
        assertFound(backend, device -> device.createTexture("wanted", PICTURE));
    }

    @ParameterizedTest
    @EnumSource
    void heaps(Backend backend) throws Exception {
        assertFound(backend, device -> {
            MemoryRequirements needs = device.requirements(WORDS);
            return device.createHeap("wanted", needs.bytes(), needs.memoryTypes());
        });
    }

    @ParameterizedTest
    @EnumSource
    void uploadMemoryOfFrames(Backend backend) throws Exception {
        assertFound(backend, device -> {
            FrameContext frame = device.createFrameContext("wanted");
            frame.allocateUpload(BYTES, 4);
            return frame;
        });
    }

    @ParameterizedTest
    @EnumSource
    void whatIsTooLargeAllTheSameIsRefused(Backend backend) throws Exception {
        try (GpuDevice device = open(backend);
                FrameContext frame = device.createFrameContext("frame")) {
            closeInUse(device, frame);
            BufferDescription tooLarge = BufferDescription.device(LIMIT + MIB, BufferUsage.COPY_DST);
            assertThatThrownBy(() -> device.createBuffer("too large", tooLarge))
                    .isInstanceOf(GpuOutOfMemoryException.class)
                    .hasMessageContaining("buffer 'too large'")
                    .hasMessageNotContainingAny("ping", "pong");
            device.createBuffer("wanted", WORDS).close();
            device.waitIdle();
        }
    }
}
