package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuTimeline;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.resource.UploadSlice;
import io.frameloom.gpu.vulkan.ValidatedDevice;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.testing.ThreadAllocation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.SynchronousQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Recording allocates nothing once the pools have grown and the JVM has compiled it, by the JVM's per-thread counter:
 * every kind of command, in thousands. From JDK 25 on LWJGL makes an object of 40 bytes for each call of the driver, which
 * the second of the JVM's compilers leaves out: frames are recorded until one allocates nothing. That compiler takes what is
 * called some thousand times, so no command is recorded once a frame alone: it would keep its object in every frame.
 */
@Timeout(300)
class RecordingAllocationTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    /** Many times what the JVM takes to compile what is recorded. */
    private static final int MOST_FRAMES = 2_000;

    private static final int MOST_FRAMES_OF_FEW_COMMANDS = 200_000;

    /** Of a {@link io.frameloom.gpu.command.TimelinePoint}: its header, a reference and a number. */
    private static final int BYTES_OF_A_POINT = 24;

    /** How many lists each thread records for a frame. */
    private static final int LISTS = 3;

    private final Deque<AutoCloseable> owned = new ArrayDeque<>();

    private TaskGraph tasks;
    private GpuDevice device;
    private EveryCommand scene;

    private <T extends AutoCloseable> T own(T thing) {
        owned.push(thing);
        return thing;
    }

    @BeforeEach
    void open() {
        ValidatedDevice.assumeDriver();
        tasks = TaskGraph.builder().name("allocation").workers(1).build();
        device = VulkanDevices.open(
                "", new DeviceOptions(tasks, "allocation", false, null).prefer(Capability.PUSH_DESCRIPTORS));
        scene = new EveryCommand(device, owned);
    }

    @AfterEach
    void close() throws Exception {
        if (tasks == null) {
            return;
        }
        while (!owned.isEmpty()) {
            owned.pop().close();
        }
        device.close();
        tasks.close();
    }

    @Test
    void uploadMemoryInAKeptSliceMakesNoObjects() {
        FrameContext frame = own(device.createFrameContext("frame"));
        UploadSlice slice = new UploadSlice();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < MOST_FRAMES_OF_FEW_COMMANDS && least > 0; round++) {
            long before = ThreadAllocation.bytes();
            for (int i = 0; i < EveryCommand.ROUNDS; i++) {
                frame.allocateUpload(256, 16, slice);
                slice.data().putInt(i);
            }
            frame.reset();
            least = Math.min(least, ThreadAllocation.bytes() - before);
        }
        assertThat(least).isZero();
    }

    @Test
    void aFrameOfThousandsOfCommandsAllocatesNothing() {
        assumeTrue(device.capabilities().limits().drawing().drawIndirectCount(), "no counts from buffers");
        FrameContext frame = own(device.createFrameContext("frame"));
        long least = Long.MAX_VALUE;
        for (int i = 0; i < MOST_FRAMES && least > 0; i++) {
            CommandList list = frame.beginCommands(scene.queue, "list");
            scene.stamps.reset();
            scene.queries.reset();
            scene.events.reset();
            long before = ThreadAllocation.bytes();
            scene.record(list);
            long bytes = ThreadAllocation.bytes() - before;
            least = Math.min(least, bytes);
            list.end();
            frame.reset();
        }
        assertThat(least)
                .as("bytes for " + EveryCommand.ROUNDS + " rounds of every command")
                .isZero();
    }

    @Test
    void pushingAllocatesNothing() {
        assumeTrue(device.capabilities().has(Capability.PUSH_DESCRIPTORS), "no device has PUSH_DESCRIPTORS");
        ComputePipeline pushing =
                own(device.createComputePipeline(scene.filling.description().withPushDescriptorSet(0)));
        FrameContext frame = own(device.createFrameContext("frame"));
        long least = Long.MAX_VALUE;
        for (int i = 0; i < MOST_FRAMES && least > 0; i++) {
            CommandList list = frame.beginCommands(scene.queue, "list");
            long before = ThreadAllocation.bytes();
            list.bindPipeline(pushing);
            for (int round = 0; round < EveryCommand.ROUNDS; round++) {
                list.bindBuffer("Target", scene.target, 256L * (round & 1), 256);
                list.dispatch(1, 1, 1);
            }
            least = Math.min(least, ThreadAllocation.bytes() - before);
            list.end();
            frame.reset();
        }
        assertThat(least).as("bytes for " + EveryCommand.ROUNDS + " pushes").isZero();
    }

    /** The threads of a frame with what each of them records, several lists a frame; made and started once. */
    private final class Recorder extends Thread {
        private final FrameContext frame;
        private final CommandList[] parts = new CommandList[1];
        private final List<CommandList> executed = Arrays.asList(parts);
        private final SynchronousQueue<Boolean> turns = new SynchronousQueue<>();
        private final SynchronousQueue<Boolean> done = new SynchronousQueue<>();
        private volatile long bytes;
        private volatile @Nullable Throwable failure;

        private Recorder(FrameContext frame) {
            this.frame = frame;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (turns.take()) {
                    try {
                        long before = ThreadAllocation.bytes();
                        for (int i = 0; i < LISTS; i++) {
                            recordLists(i);
                        }
                        bytes = ThreadAllocation.bytes() - before;
                    } catch (RuntimeException | Error e) {
                        failure = e;
                    }
                    done.put(true);
                }
            } catch (InterruptedException e) {
                failure = e;
            }
        }

        private void recordLists(int number) {
            EveryCommand s = scene;
            CommandList part = frame.beginSecondary(s.queue, "part", s.formats, s.uses);
            part.setViewport(0, 0, 8, 8);
            part.setScissor(0, 0, 8, 8);
            part.bindPipeline(s.graphics);
            part.bindVertexBuffer(0, s.vertices, 0);
            part.pushConstants(s.push);
            part.draw(3, 1, 0, 0);
            part.end();
            parts[0] = part;
            CommandList list = frame.beginCommands(s.queue, "list");
            list.beginPass("pass", s.uses);
            list.barrier(s.full);
            list.bindPipeline(s.filling);
            list.bindBuffer("Target", s.target, 256L * number, 256);
            list.dispatch(1, 1, 1);
            list.barrier(s.full);
            list.endPass();
            list.barrier(s.attach);
            list.beginRendering(s.executing);
            list.execute(executed);
            list.endRendering();
            list.barrier(s.full);
            list.end();
        }
    }

    @Test
    void listsOfSeveralThreadsAllocateNothing() throws InterruptedException {
        FrameContext frame = own(device.createFrameContext("frame"));
        List<Recorder> recorders = List.of(new Recorder(frame), new Recorder(frame), new Recorder(frame));
        recorders.forEach(Thread::start);
        long least = Long.MAX_VALUE;
        for (int i = 0; i < MOST_FRAMES_OF_FEW_COMMANDS && least > 0; i++) {
            for (Recorder recorder : recorders) {
                recorder.turns.put(true);
            }
            long bytes = 0;
            for (Recorder recorder : recorders) {
                recorder.done.take();
                assertThat(recorder.failure).isNull();
                bytes += recorder.bytes;
            }
            long before = ThreadAllocation.bytes();
            frame.reset();
            bytes += ThreadAllocation.bytes() - before;
            least = Math.min(least, bytes);
        }
        for (Recorder recorder : recorders) {
            recorder.turns.put(false);
            recorder.join();
        }
        assertThat(least).as("bytes of a frame on all its threads").isZero();
    }

    /**
     * The record of the submission is the application's. So is the point that is returned; the JVM may leave it out, which
     * depends on what it happens to inline.
     */
    @Test
    void beginningSubmittingWaitingAndRecyclingAllocateNoMoreThanThePoint() {
        FrameContext frame = own(device.createFrameContext("frame"));
        GpuTimeline timeline = scene.queue.timeline();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < MOST_FRAMES_OF_FEW_COMMANDS && least > BYTES_OF_A_POINT; i++) {
            long before = ThreadAllocation.bytes();
            CommandList list = frame.beginCommands(scene.queue, "list");
            list.end();
            long ended = ThreadAllocation.bytes() - before;
            Submission submission = new Submission("frame", List.of(list), List.of());
            before = ThreadAllocation.bytes();
            long point = scene.queue.submit(submission).value();
            timeline.await(point, LONG);
            timeline.completed();
            frame.reset();
            least = Math.min(least, ended + ThreadAllocation.bytes() - before);
        }
        assertThat(least).as("bytes to begin, submit, wait and recycle").isLessThanOrEqualTo(BYTES_OF_A_POINT);
    }

    @Test
    void secondaryListsAllocateNothing() {
        FrameContext frame = own(device.createFrameContext("frame"));
        CommandList[] parts = new CommandList[16];
        List<CommandList> all = Arrays.asList(parts);
        long least = Long.MAX_VALUE;
        for (int i = 0; i < MOST_FRAMES_OF_FEW_COMMANDS && least > 0; i++) {
            long before = ThreadAllocation.bytes();
            for (int p = 0; p < parts.length; p++) {
                CommandList part = frame.beginSecondary(scene.queue, "part", scene.formats, scene.uses);
                part.setViewport(0, 0, 8, 8);
                part.setScissor(0, 0, 8, 8);
                part.end();
                parts[p] = part;
            }
            CommandList list = frame.beginCommands(scene.queue, "list");
            list.beginRendering(scene.executing);
            list.execute(all);
            list.endRendering();
            list.end();
            frame.reset();
            least = Math.min(least, ThreadAllocation.bytes() - before);
        }
        assertThat(least).as("bytes for 16 lists and their execution").isZero();
    }
}
