package io.frameloom.gpu.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.gpu.error.NoSuchDeviceException;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.transfer.Readback;
import io.frameloom.gpu.transfer.Readbacks;
import io.frameloom.gpu.virtual.VirtualGpuOptions.Order;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskGraph;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the options of the virtual GPU do. */
class VirtualOptionsTest {
    private static final int WORDS = 16;
    private static final VirtualGpuOptions PLAIN = new VirtualGpuOptions(3, 1);

    /** Returns what is executed, one command after the other, of submissions on three queues that nothing orders. */
    private static List<String> trace(VirtualGpuOptions options) {
        List<String> executed = new ArrayList<>();
        try (VirtualRig rig = new VirtualRig(options, null)) {
            rig.device.onExecuted(executed::add);
            for (int i = 0; i < 6; i++) {
                int number = i;
                Buffer buffer = rig.buffer("b" + i, WORDS);
                rig.submit(rig.queue(i % 3), List.of(), list -> rig.fillPass(list, "fill" + number, buffer, number));
            }
            rig.device.waitIdle();
        }
        return executed.stream().filter(line -> line.contains("/ fill")).toList();
    }

    @Test
    void inOrderIsTheOrderOfSubmission() {
        assertThat(trace(PLAIN.withOrder(Order.IN_ORDER)))
                .containsExactly(
                        "graphics:fill0 / fill",
                        "compute:fill1 / fill",
                        "copy:fill2 / fill",
                        "graphics:fill3 / fill",
                        "compute:fill4 / fill",
                        "copy:fill5 / fill");
    }

    @Test
    void whatItDoesNotSimulateIsRefusedByNameOrLeftOff() {
        try (TaskGraph tasks =
                TaskGraph.builder().name("capabilities").workers(1).build()) {
            DeviceOptions options = DeviceOptions.of(tasks, "meshes");
            assertThatThrownBy(() -> VirtualDevice.open(PLAIN, options.require(Capability.SHADER_OBJECTS)))
                    .isInstanceOf(NoSuchDeviceException.class)
                    .hasMessageStartingWith("the virtual GPU does not simulate SHADER_OBJECTS, required by 'meshes'; of"
                            + " capabilities, it has ")
                    .hasMessageEndingWith("; open a Vulkan device, or prefer them and do without");
            try (GpuDevice device = VirtualDevice.open(PLAIN, options.prefer(Capability.SHADER_OBJECTS))) {
                assertThat(device.capabilities().on()).isEmpty();
                assertThatThrownBy(() -> device.createBindlessTable("all"))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageStartingWith("bindless table 'all' needs DESCRIPTOR_INDEXING, which is off in device"
                                + " 'Frameloom virtual GPU'");
                ShaderSource indexed = new ShaderSource("indexed.comp", ShaderStage.COMPUTE, """
                        #version 450
                        #extension GL_EXT_nonuniform_qualifier : require
                        layout(local_size_x = 1) in;
                        layout(set = 0, binding = 3) buffer Words { uint words[]; } buffers[];
                        void main() { buffers[gl_WorkGroupID.x].words[0] = 1; }
                        """);
                assertThatThrownBy(() ->
                                device.createComputePipeline(new ComputePipelineDescription("indexed", indexed, null)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageStartingWith("pipeline 'indexed' takes a bindless table as set 0, which needs"
                                + " DESCRIPTOR_INDEXING, which is off in device");
            }
        }
    }

    @Test
    void reverseIsTheOtherWayRound() {
        assertThat(trace(PLAIN.withOrder(Order.REVERSE)))
                .containsExactly(
                        "copy:fill5 / fill",
                        "compute:fill4 / fill",
                        "graphics:fill3 / fill",
                        "copy:fill2 / fill",
                        "compute:fill1 / fill",
                        "graphics:fill0 / fill");
    }

    @Test
    void freshAndDiscardedMemoryIsGarbageOnlyIfAskedFor() {
        for (boolean clobber : new boolean[] {true, false}) {
            try (VirtualRig rig = new VirtualRig(PLAIN.withClobber(clobber), null)) {
                Buffer buffer = rig.buffer("buffer", WORDS);
                Buffer result = rig.readback("result", WORDS * 8L);
                assertThat(rig.words(result)[0] == 0).isEqualTo(!clobber);
                rig.await(rig.submit(rig.queue(0), List.of(), list -> {
                    list.copyBuffer(buffer, 0, result, 0, WORDS * 4L);
                    list.barrier(VirtualRig.full());
                    rig.fillPass(list, "fill", buffer, 7);
                    list.barrier(VirtualRig.full());
                    list.beginPass("discard", List.of(VirtualRig.use(buffer, Access.COPY_DST, true)));
                    list.fillBuffer(buffer, 0, 4, 9);
                    list.endPass();
                    list.barrier(VirtualRig.full());
                    list.copyBuffer(buffer, 0, result, WORDS * 4L, WORDS * 4L);
                }));
                int[] words = rig.words(result);
                assertThat(words[1] == 0).as("fresh memory").isEqualTo(!clobber);
                assertThat(words[WORDS]).isEqualTo(9);
                assertThat(words[WORDS + 1] == 7).as("discarded contents stay").isEqualTo(!clobber);
            }
        }
    }

    @Test
    void workCostsItsShareOfTheModel() {
        long whole = nanos(PLAIN);
        assertThat(whole).isPositive();
        assertThat(nanos(PLAIN.withCostPercent(50))).isEqualTo(whole / 2);
        assertThat(nanos(PLAIN.withCostPercent(0))).isZero();
    }

    private static long nanos(VirtualGpuOptions options) {
        try (VirtualRig rig = new VirtualRig(options, null)) {
            assertThat(rig.device.capabilities().timestamps()).isTrue();
            Buffer buffer = rig.buffer("buffer", 1 << 16);
            TimestampSet stamps = rig.keep(rig.device.createTimestampSet("stamps", 2));
            rig.await(rig.submit(rig.queue(0), List.of(), list -> {
                list.writeTimestamp(stamps, 0);
                list.barrier(VirtualRig.full());
                rig.fillPass(list, "fill", buffer, 1);
                list.writeTimestamp(stamps, 1);
            }));
            return stamps.readNanos()[1] - stamps.readNanos()[0];
        }
    }

    @Test
    void aReadbackOfALostDeviceSaysSo() {
        VirtualRig rig = new VirtualRig(PLAIN.withLossAt(1), null);
        Buffer buffer = rig.buffer("buffer", 64);
        try (Readbacks readbacks = new Readbacks(rig.device, rig.queue(0), "readbacks", 1 << 16);
                Readback readback = readbacks.read(buffer, 0, 64)) {
            assertThatThrownBy(() -> readback.event().await(VirtualRig.LONG))
                    .hasCauseInstanceOf(DeviceLostException.class);
            assertThatThrownBy(readback::bytes).isInstanceOf(DeviceLostException.class);
        }
        rig.close();
    }

    @Test
    void theDeviceIsLostAtTheSubmissionChosen() {
        VirtualRig rig = new VirtualRig(PLAIN.withLossAt(3), null);
        List<GraphEvent> events = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            TimelinePoint point = rig.submit(rig.queue(i), List.of(), list -> {});
            rig.await(point);
            events.add(rig.queue(i).timeline().reached(point.value()));
        }
        TimelinePoint fatal = rig.submit(rig.queue(2), List.of(), list -> {});
        GraphEvent failed = rig.queue(2).timeline().reached(fatal.value());
        assertThatThrownBy(() -> failed.await(VirtualRig.LONG))
                .hasRootCauseMessage("its options say that submission 3 loses it, which is 'submission'");
        assertThat(failed.failure()).isInstanceOf(DeviceLostException.class).hasMessageContaining("open a new one");
        assertThat(events).noneMatch(GraphEvent::isFailed);
        assertThatThrownBy(() -> rig.queue(0).submit(new Submission("late", List.of(), List.of())))
                .isInstanceOf(DeviceLostException.class);
        assertThatThrownBy(() -> rig.device.waitIdle()).isInstanceOf(DeviceLostException.class);
        rig.close();
        try (VirtualRig next = new VirtualRig(PLAIN, null)) {
            next.await(next.submit(next.queue(2), List.of(), list -> {}));
        }
    }

    @Test
    void theAllocationChosenFindsNoMemoryAndLaterOnesDo() {
        VirtualGpuOptions second = PLAIN.withOutOfMemoryAt(2);
        try (VirtualRig rig = new VirtualRig(second, null)) {
            rig.buffer("first", WORDS);
            assertThatThrownBy(() -> rig.buffer("second", WORDS))
                    .isInstanceOf(GpuOutOfMemoryException.class)
                    .hasMessageContaining("'second' of 64 bytes")
                    .hasMessageContaining("allocation 2");
            rig.buffer("second", WORDS);
        }
        try (VirtualRig rig = new VirtualRig(second, null)) {
            rig.buffer("first", WORDS);
            assertThatThrownBy(() -> rig.device.createHeap("heap", 1024, 1))
                    .isInstanceOf(GpuOutOfMemoryException.class);
        }
        try (VirtualRig rig = new VirtualRig(second, null)) {
            rig.buffer("first", WORDS);
            assertThatThrownBy(() -> rig.frame.allocateUpload(16, 4)).isInstanceOf(GpuOutOfMemoryException.class);
            assertThat(rig.frame.allocateUpload(16, 4).bytes()).isEqualTo(16);
        }
        try (VirtualRig rig = new VirtualRig(second, null)) {
            rig.readback("first", 16);
            assertThatThrownBy(() -> rig.readback("second", 16)).isInstanceOf(GpuOutOfMemoryException.class);
            rig.device
                    .createBuffer("third", BufferDescription.device(16, BufferUsage.UNIFORM))
                    .close();
        }
    }

    /** Events are asked for where submissions are made, and awaited elsewhere: the timing of threads changes nothing. */
    @Test
    void oneSeedGivesOneOrderHoweverThreadsRun() {
        List<String> first = threaded();
        assertThat(first).hasSizeGreaterThan(100);
        for (int run = 1; run < 100; run++) {
            assertThat(threaded()).as("run %d", run).isEqualTo(first);
        }
    }

    private static List<String> threaded() {
        List<String> executed = new ArrayList<>();
        try (VirtualRig rig = new VirtualRig(PLAIN.withSeed(42), null)) {
            rig.device.onExecuted(executed::add);
            List<Buffer> buffers = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                buffers.add(rig.buffer("b" + i, WORDS));
            }
            List<GraphEvent> consumers = new ArrayList<>();
            List<TimelinePoint> points = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                int number = i;
                List<Submission.Wait> waits = i % 5 == 4 ? List.of(VirtualRig.wait(points.get(i - 3))) : List.of();
                points.add(rig.submit(rig.queue(i % 3), waits, list -> {
                    rig.fillPass(list, "fill" + number, buffers.get(number % 5), number);
                    if (number % 2 == 0) {
                        list.barrier(VirtualRig.full());
                    }
                    rig.fillPass(list, "again" + number, buffers.get((number + 1) % 5), number);
                }));
                if (i % 7 == 6) {
                    TimelinePoint asked = points.get(i - 2);
                    GraphEvent reached = asked.queue().timeline().reached(asked.value());
                    consumers.add(rig.tasks
                            .task("consume " + i, () -> asked.queue().timeline().await(asked.value(), VirtualRig.LONG))
                            .after(reached)
                            .dispatch());
                }
            }
            rig.device.waitIdle();
            consumers.forEach(GraphEvent::await);
        }
        return executed;
    }
}
