package io.frameloom.gpu.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferSlice;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.shader.Bindings;
import io.frameloom.taskgraph.GraphEvent;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the virtual GPU computes and copies, when, and in which memory. */
class VirtualExecutionTest {
    private static final int WORDS = 64;

    @Test
    void runsKernelsOnUploadedData() {
        try (VirtualRig rig = new VirtualRig(1, 1, null)) {
            Buffer source = rig.buffer("source", WORDS);
            Buffer target = rig.buffer("target", WORDS);
            Buffer result = rig.readback("result", WORDS * 4);
            BufferSlice upload = rig.frame.allocateUpload(WORDS * 4, 4);
            for (int i = 0; i < WORDS; i++) {
                upload.data().putInt(i * 4, i);
            }
            TimelinePoint done = rig.submit(rig.queue(0), List.of(), list -> {
                list.beginPass("upload", List.of(VirtualRig.use(source, Access.COPY_DST, true)));
                list.copyBuffer(upload.buffer(), upload.offset(), source, 0, WORDS * 4);
                list.endPass();
                rig.fillPass(list, "clear", target, 100);
                list.barrier(VirtualRig.full());
                rig.scalePass(list, "scale", source, target, WORDS, 3);
                list.barrier(VirtualRig.full());
                rig.copyPass(list, "read", target, result);
                list.barrier(VirtualRig.toHost());
            });
            rig.await(done);
            int[] expected = new int[WORDS];
            Arrays.setAll(expected, i -> 100 + 3 * i);
            assertThat(rig.words(result)).isEqualTo(expected);
        }
    }

    @Test
    void copiesTexturesThroughMipsAndLayers() {
        try (VirtualRig rig = new VirtualRig(1, 3, null)) {
            TextureDescription shape = TextureDescription.of(
                            8, 4, Format.R8G8B8A8_UNORM, TextureUsage.COPY_SRC, TextureUsage.COPY_DST)
                    .withMips(3)
                    .withLayers(2);
            Texture texture = rig.keep(rig.device.createTexture("texture", shape));
            Texture other = rig.keep(rig.device.createTexture("other", shape));
            Buffer result = rig.readback("result", 8 * 4 * 4 + 4 * 2 * 4);
            BufferSlice upload = rig.frame.allocateUpload(4 * 2 * 4, 4);
            for (int i = 0; i < 8; i++) {
                upload.data().putInt(i * 4, 1000 + i);
            }
            rig.await(rig.submit(rig.queue(0), List.of(), list -> {
                list.clearTexture(texture, SubresourceRange.all(shape), new RenderingInfo.ClearColor(1, 0.5f, 0, 1));
                list.barrier(VirtualRig.full());
                list.copyBufferToTexture(upload.buffer(), upload.offset(), texture, 1, 1);
                list.copyTexture(texture, other);
                list.barrier(VirtualRig.full());
                list.copyTextureToBuffer(other, 0, 0, result, 0);
                list.copyTextureToBuffer(texture, 1, 1, result, 8 * 4 * 4);
            }));
            int[] words = rig.words(result);
            int clear = ByteBuffer.wrap(new byte[] {-1, (byte) 128, 0, -1})
                    .order(ByteOrder.nativeOrder())
                    .getInt();
            assertThat(Arrays.copyOf(words, 32)).containsOnly(clear);
            assertThat(Arrays.copyOfRange(words, 32, 40))
                    .containsExactly(1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007);
        }
    }

    @Test
    void placedResourcesShareBytesAndBecomeLiveClobbered() {
        try (VirtualRig rig = new VirtualRig(1, 3, null)) {
            var shape = rig.buffer("shape", 64).description();
            var heap = rig.keep(rig.device.createHeap("heap", 1024, 1));
            Buffer first = rig.keep(heap.placeBuffer("first", shape, 0));
            Buffer second = rig.keep(heap.placeBuffer("second", shape, 0));
            Buffer apart = rig.keep(heap.placeBuffer("apart", shape, 256));
            Buffer result = rig.readback("result", 256);
            rig.await(rig.submit(rig.queue(0), List.of(), list -> {
                rig.fillPass(list, "first", first, 1);
                list.barrier(VirtualRig.full());
                rig.fillPass(list, "apart", apart, 3);
                rig.copyPass(list, "read", second, result);
            }));
            assertThat(rig.words(result)).containsOnly(1);
            rig.await(rig.submit(rig.queue(0), List.of(), list -> {
                list.beginPass("live", List.of(VirtualRig.use(second, Access.COPY_DST, true)));
                list.fillBuffer(second, 0, 4, 9);
                list.endPass();
                list.barrier(VirtualRig.full());
                rig.copyPass(list, "read", second, result);
            }));
            int[] words = rig.words(result);
            assertThat(words[0]).isEqualTo(9);
            assertThat(Arrays.copyOfRange(words, 1, words.length)).doesNotContain(1, 9);
        }
    }

    @Test
    void eventsCompleteWithTheTimelineAndCloseFinishesPendingWork() {
        VirtualRig rig = new VirtualRig(2, 5, null);
        Buffer result = rig.readback("result", 64);
        TimelinePoint first = rig.submit(rig.queue(1), List.of(), list -> rig.fillPass(list, "one", result, 1));
        GraphEvent event = rig.queue(1).timeline().reached(first.value());
        assertThat(event.await(VirtualRig.LONG)).isTrue();
        assertThat(rig.queue(1).timeline().completed()).isEqualTo(first.value());
        assertThat(rig.queue(1).timeline().reached(first.value()).isComplete()).isTrue();
        assertThatThrownBy(() -> rig.queue(0).timeline().reached(1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not submitted");
        rig.submit(rig.queue(1), List.of(), list -> rig.fillPass(list, "two", result, 2));
        ByteBuffer mapped = result.mapped();
        assertThatThrownBy(rig.device::close).hasMessageContaining("frame context 'frame', buffer 'result'");
        rig.close();
        assertThat(mapped.getInt(0)).isEqualTo(2);
    }

    @Test
    void aFailingKernelLosesTheDevice() {
        VirtualRig rig = new VirtualRig(2, 5, null);
        var pipeline = rig.pipeline("broken", "#version 450\nvoid main() {}\n", invocation -> {
            throw new IllegalStateException("out of bounds");
        });
        TimelinePoint point = rig.submit(rig.queue(1), List.of(), list -> {
            list.beginPass("simulate", List.of());
            list.bindPipeline(pipeline);
            list.dispatch(1, 1, 1);
            list.endPass();
        });
        GraphEvent event = rig.queue(1).timeline().reached(point.value());
        assertThatThrownBy(() -> event.await()).hasRootCauseMessage("out of bounds");
        assertThat(event.failure())
                .isInstanceOf(DeviceLostException.class)
                .hasMessageContaining("simulate")
                .hasMessageContaining("broken");
        assertThatThrownBy(() -> rig.submit(rig.queue(0), List.of(), list -> {}))
                .isInstanceOf(DeviceLostException.class);
        rig.close();
    }

    @Test
    void timestampsFollowTheSimulatedClock() {
        try (VirtualRig rig = new VirtualRig(1, 5, null)) {
            Buffer big = rig.buffer("big", 1 << 20);
            TimestampSet stamps = rig.keep(rig.device.createTimestampSet("stamps", 3));
            long before = System.nanoTime();
            rig.await(rig.submit(rig.queue(0), List.of(), list -> {
                list.writeTimestamp(stamps, 0);
                rig.fillPass(list, "fill", big, 1);
                list.writeTimestamp(stamps, 1);
            }));
            long[] nanos = stamps.readNanos();
            assertThat(nanos[0]).isGreaterThanOrEqualTo(before);
            assertThat(nanos[1] - nanos[0]).isGreaterThan((4L << 20) / 20);
            assertThat(nanos[2]).isEqualTo(Long.MIN_VALUE);
            stamps.reset();
            assertThat(stamps.readNanos()).containsOnly(Long.MIN_VALUE);
        }
    }

    /** Simulated time goes on for a queue that waits, whether the host has seen what it waits for or not. */
    @Test
    void waitsTakeTheSimulatedTimeOfWhatTheyWaitFor() {
        try (VirtualRig rig = new VirtualRig(2, 5, null)) {
            Texture output = VirtualRasterTest.output(rig);
            var pipeline = rig.keep(rig.device.createGraphicsPipeline(VirtualValidationTest.triangle()));
            TimestampSet stamps = rig.keep(rig.device.createTimestampSet("stamps", 2));
            TimelinePoint point = rig.submit(rig.queue(0), List.of(), list -> {
                list.beginPass(
                        "draw", List.of(VirtualValidationTest.use(output, Access.COLOR_WRITE, TextureLayout.COLOR)));
                list.beginRendering(VirtualValidationTest.target(output));
                list.bindPipeline(pipeline);
                list.draw(Integer.MAX_VALUE, Integer.MAX_VALUE, 0, 0);
                list.endRendering();
                list.endPass();
                list.writeTimestamp(stamps, 0);
            });
            rig.await(rig.submit(rig.queue(0), List.of(), list -> {}));
            rig.await(
                    rig.submit(rig.queue(1), List.of(VirtualRig.wait(point)), list -> list.writeTimestamp(stamps, 1)));
            long[] nanos = stamps.readNanos();
            assertThat(nanos[1]).isGreaterThanOrEqualTo(nanos[0]);
        }
    }

    @Test
    void reflectsBindings() {
        try (VirtualRig rig = new VirtualRig(1, 5, null)) {
            assertThat(rig.scale().bindings())
                    .containsExactly(
                            Bindings.binding("Source", 0, 0, ShaderBinding.Kind.STORAGE_BUFFER, false),
                            Bindings.binding("Target", 0, 1, ShaderBinding.Kind.STORAGE_BUFFER, true));
            assertThat(rig.scale().pushConstantBytes()).isEqualTo(4);
        }
    }
}
