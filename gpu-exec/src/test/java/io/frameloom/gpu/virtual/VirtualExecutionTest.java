package io.frameloom.gpu.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.Access;
import io.frameloom.gpu.BarrierBatch;
import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.BufferSlice;
import io.frameloom.gpu.CommandList;
import io.frameloom.gpu.DeviceLostException;
import io.frameloom.gpu.Format;
import io.frameloom.gpu.LoadOp;
import io.frameloom.gpu.MultisampleState;
import io.frameloom.gpu.RenderingInfo;
import io.frameloom.gpu.ResourceUse;
import io.frameloom.gpu.ShaderBinding;
import io.frameloom.gpu.StoreOp;
import io.frameloom.gpu.Submission;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.gpu.TextureUsage;
import io.frameloom.gpu.TextureViewKind;
import io.frameloom.gpu.TimelinePoint;
import io.frameloom.gpu.TimestampSet;
import io.frameloom.taskgraph.GraphEvent;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the virtual GPU computes, in the orders that correct and incorrect programs allow. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class VirtualExecutionTest {
    private static final int WORDS = 64;
    private static final int SEEDS = 200;

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
    void barriersMakeEverySeedEqualToSerialOrder() {
        int[] serial = chain(1, 0, true);
        for (long seed = 0; seed < SEEDS; seed++) {
            assertThat(chain(seed, 0, true)).as("seed %d", seed).isEqualTo(serial);
        }
    }

    @Test
    void aMissingBarrierShowsUnderSomeSeed() {
        int[] serial = chain(1, 0, true);
        for (int missing = 1; missing <= 3; missing++) {
            int different = 0;
            for (long seed = 0; seed < SEEDS; seed++) {
                different += Arrays.equals(chain(seed, missing, true), serial) ? 0 : 1;
            }
            assertThat(different).as("barrier %d missing", missing).isPositive();
        }
    }

    @Test
    void waitsAcrossQueuesMakeEverySeedEqual() {
        int[] serial = chain(1, 0, false);
        for (long seed = 0; seed < SEEDS; seed++) {
            assertThat(chain(seed, 0, false)).as("seed %d", seed).isEqualTo(serial);
        }
    }

    @Test
    void aMissingWaitShowsUnderSomeSeed() {
        int[] serial = chain(1, 0, false);
        for (int missing = 1; missing <= 3; missing++) {
            int different = 0;
            for (long seed = 0; seed < SEEDS; seed++) {
                different += Arrays.equals(chain(seed, missing, false), serial) ? 0 : 1;
            }
            assertThat(different).as("wait %d missing", missing).isPositive();
        }
    }

    /**
     * fill source, scale into target, scale target into source, read source back; ordered by barriers on one queue or by
     * waits across queues, of which {@code missing} (1 to 3) is left out.
     */
    private static int[] chain(long seed, int missing, boolean oneQueue) {
        try (VirtualRig rig = new VirtualRig(3, seed, null)) {
            Buffer source = rig.buffer("source", WORDS);
            Buffer target = rig.buffer("target", WORDS);
            Buffer result = rig.readback("result", WORDS * 4);
            List<java.util.function.Consumer<CommandList>> steps = List.of(
                    list -> {
                        rig.fillPass(list, "fill source", source, 5);
                        rig.fillPass(list, "fill target", target, 7);
                    },
                    list -> rig.scalePass(list, "forward", source, target, WORDS, 2),
                    list -> rig.scalePass(list, "back", target, source, WORDS, 10),
                    list -> rig.copyPass(list, "read", source, result));
            TimelinePoint last = null;
            if (oneQueue) {
                last = rig.submit(rig.queue(0), List.of(), list -> {
                    for (int i = 0; i < steps.size(); i++) {
                        if (i > 0 && i != missing) {
                            list.barrier(VirtualRig.full());
                        }
                        steps.get(i).accept(list);
                    }
                });
            } else {
                List<TimelinePoint> points = new ArrayList<>();
                int[] queues = {0, 1, 0, 2};
                for (int i = 0; i < steps.size(); i++) {
                    List<Submission.Wait> waits =
                            i == 0 || i == missing ? List.of() : List.of(VirtualRig.wait(points.get(i - 1)));
                    last = rig.submit(rig.queue(queues[i]), waits, steps.get(i));
                    points.add(last);
                }
                points.forEach(rig::await);
            }
            rig.await(java.util.Objects.requireNonNull(last));
            return rig.words(result);
        }
    }

    @Test
    void aBarrierOfOtherStagesOrdersNothing() {
        BarrierBatch wrong = new BarrierBatch(
                List.of(),
                List.of(),
                List.of(new BarrierBatch.GlobalBarrier(new BarrierBatch.Scope(
                        io.frameloom.gpu.PipelineStage.FRAGMENT_SHADER.bit(),
                        0,
                        io.frameloom.gpu.PipelineStage.COMPUTE_SHADER.bit(),
                        0))));
        boolean stale = false;
        for (long seed = 0; seed < SEEDS && !stale; seed++) {
            try (VirtualRig rig = new VirtualRig(1, seed, null)) {
                Buffer source = rig.buffer("source", 4);
                Buffer result = rig.readback("result", 16);
                rig.await(rig.submit(rig.queue(0), List.of(), list -> {
                    rig.fillPass(list, "fill", source, 5);
                    list.barrier(wrong);
                    rig.copyPass(list, "read", source, result);
                }));
                stale = rig.words(result)[0] != 5;
            }
        }
        assertThat(stale).isTrue();
    }

    @Test
    void equalSeedsGiveEqualOrders() {
        List<String> first = order(7);
        assertThat(order(7)).isEqualTo(first);
        boolean other = false;
        for (long seed = 8; seed < 20; seed++) {
            other |= !order(seed).equals(first);
        }
        assertThat(other).as("some other seed gives another order").isTrue();
    }

    private static List<String> order(long seed) {
        List<String> executed = new ArrayList<>();
        try (VirtualRig rig = new VirtualRig(3, seed, null)) {
            rig.device.onExecuted(executed::add);
            Buffer[] buffers = new Buffer[6];
            for (int i = 0; i < buffers.length; i++) {
                buffers[i] = rig.buffer("b" + i, 16);
            }
            List<TimelinePoint> points = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                int number = i;
                List<Submission.Wait> waits = i % 4 == 3 ? List.of(VirtualRig.wait(points.get(i - 2))) : List.of();
                points.add(rig.submit(rig.queue(i % 3), waits, list -> {
                    rig.fillPass(list, "fill" + number, buffers[number % 6], number);
                    if (number % 2 == 0) {
                        list.barrier(VirtualRig.full());
                    }
                    rig.fillPass(list, "again" + number, buffers[(number + 1) % 6], number);
                }));
                if (i == 5) {
                    rig.await(points.get(4));
                }
            }
            rig.device.waitIdle();
        }
        return executed;
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
        assertThatThrownBy(rig.device::close).hasMessageContaining("buffer 'result', frame context 'frame'");
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
            Texture output = output(rig);
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
    void rasterResultsDependOnWhatThePassReads() {
        int[] correct = raster(1, true);
        boolean different = false;
        for (long seed = 0; seed < SEEDS; seed++) {
            assertThat(raster(seed, true)).as("seed %d", seed).isEqualTo(correct);
            different |= !Arrays.equals(raster(seed, false), correct);
        }
        assertThat(different)
                .as("without the barrier some seed renders something else")
                .isTrue();
    }

    private static int[] raster(long seed, boolean ordered) {
        try (VirtualRig rig = new VirtualRig(1, seed, null)) {
            Texture input = rig.keep(rig.device.createTexture(
                    "input",
                    TextureDescription.of(16, 16, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED, TextureUsage.COPY_DST)));
            Texture output = rig.keep(rig.device.createTexture(
                    "output",
                    TextureDescription.of(
                            16, 16, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_SRC)));
            var pipeline = rig.keep(rig.device.createGraphicsPipeline(VirtualValidationTest.triangle()));
            Buffer result = rig.readback("result", 16 * 16 * 4);
            rig.await(rig.submit(rig.queue(0), List.of(), list -> {
                list.clearTexture(
                        input, SubresourceRange.all(input.description()), RenderingInfo.ClearColor.BLACK_TRANSPARENT);
                if (ordered) {
                    list.barrier(VirtualRig.full());
                }
                list.beginPass(
                        "draw",
                        List.of(
                                VirtualValidationTest.use(input, Access.SAMPLED_FRAGMENT, TextureLayout.SHADER_RO),
                                VirtualValidationTest.use(output, Access.COLOR_WRITE, TextureLayout.COLOR)));
                list.beginRendering(VirtualValidationTest.target(output));
                list.bindPipeline(pipeline);
                list.draw(3, 1, 0, 0);
                list.endRendering();
                list.endPass();
                list.barrier(VirtualRig.full());
                list.copyTextureToBuffer(output, 0, 0, result, 0);
            }));
            return rig.words(result);
        }
    }

    @Test
    void drawsOfMoreVerticesThanThereAreNumbersTakeTime() {
        try (VirtualRig rig = new VirtualRig(1, 5, null)) {
            Texture output = output(rig);
            var pipeline = rig.keep(rig.device.createGraphicsPipeline(VirtualValidationTest.triangle()));
            TimestampSet stamps = rig.keep(rig.device.createTimestampSet("stamps", 2));
            rig.await(rig.submit(rig.queue(0), List.of(), list -> {
                list.writeTimestamp(stamps, 0);
                list.beginPass(
                        "draw", List.of(VirtualValidationTest.use(output, Access.COLOR_WRITE, TextureLayout.COLOR)));
                list.beginRendering(VirtualValidationTest.target(output));
                list.bindPipeline(pipeline);
                for (int i = 0; i < 3; i++) {
                    list.draw(Integer.MAX_VALUE, Integer.MAX_VALUE, 0, 0);
                }
                list.endRendering();
                list.endPass();
                list.writeTimestamp(stamps, 1);
            }));
            long[] nanos = stamps.readNanos();
            assertThat(nanos[1]).isGreaterThan(nanos[0]);
        }
    }

    @Test
    void aBarrierInsideOfAPassComesBehindItsDraws() {
        for (long seed = 0; seed < SEEDS; seed++) {
            try (VirtualRig rig = new VirtualRig(1, seed, null)) {
                Texture output = output(rig);
                Buffer drawn = rig.buffer("drawn", WORDS);
                Buffer between = rig.readback("between", WORDS * 4);
                Buffer after = rig.readback("after", WORDS * 4);
                var pipeline = rig.keep(rig.device.createGraphicsPipeline(VirtualValidationTest.triangle()));
                rig.await(rig.submit(rig.queue(0), List.of(), list -> {
                    rig.fillPass(list, "fill", drawn, 5);
                    list.barrier(VirtualRig.full());
                    list.beginPass(
                            "draw",
                            List.of(
                                    VirtualValidationTest.use(output, Access.COLOR_WRITE, TextureLayout.COLOR),
                                    VirtualRig.use(drawn, Access.STORAGE_READ_WRITE_FRAGMENT, false),
                                    VirtualRig.use(drawn, Access.COPY_SRC, false),
                                    VirtualRig.use(between, Access.COPY_DST, true)));
                    list.beginRendering(VirtualValidationTest.target(output));
                    list.bindPipeline(pipeline);
                    list.draw(3, 1, 0, 0);
                    list.endRendering();
                    list.barrier(VirtualRig.full());
                    list.copyBuffer(drawn, 0, between, 0, WORDS * 4);
                    list.endPass();
                    list.barrier(VirtualRig.full());
                    rig.copyPass(list, "read", drawn, after);
                    list.barrier(VirtualRig.toHost());
                }));
                assertThat(rig.words(between)).as("seed %d", seed).isEqualTo(rig.words(after));
            }
        }
    }

    /** Both parts of the pass render to their own attachment, and each attachment is that of one part alone. */
    @Test
    void drawsBehindABarrierLeaveWhatThoseBeforeItHaveDrawn() {
        try (VirtualRig rig = new VirtualRig(1, 5, null)) {
            Texture first = output(rig);
            Texture second = output(rig);
            Buffer alone = rig.readback("alone", 16 * 16 * 4);
            Buffer divided = rig.readback("divided", 16 * 16 * 4);
            var pipeline = rig.keep(rig.device.createGraphicsPipeline(VirtualValidationTest.triangle()));
            for (Buffer result : List.of(alone, divided)) {
                rig.await(rig.submit(rig.queue(0), List.of(), list -> {
                    list.beginPass(
                            "draw",
                            List.of(
                                    new ResourceUse.OfTexture(
                                            first,
                                            SubresourceRange.mip(0),
                                            Access.COLOR_WRITE,
                                            true,
                                            TextureLayout.COLOR),
                                    new ResourceUse.OfTexture(
                                            second,
                                            SubresourceRange.mip(0),
                                            Access.COLOR_WRITE,
                                            true,
                                            TextureLayout.COLOR)));
                    list.bindPipeline(pipeline);
                    list.beginRendering(VirtualValidationTest.target(first));
                    list.draw(3, 1, 0, 0);
                    list.endRendering();
                    list.barrier(VirtualRig.full());
                    if (result == divided) {
                        list.beginRendering(VirtualValidationTest.target(second));
                        list.draw(3, 1, 0, 0);
                        list.endRendering();
                    }
                    list.endPass();
                    list.barrier(VirtualRig.full());
                    list.copyTextureToBuffer(first, 0, 0, result, 0);
                }));
            }
            assertThat(rig.words(divided)).isEqualTo(rig.words(alone));
        }
    }

    @Test
    void samplesThatDifferAreAveragedAsTheyAreSeen() {
        try (VirtualRig rig = new VirtualRig(1, 5, null)) {
            TextureDescription shape = TextureDescription.of(
                            16, 16, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_SRC)
                    .withViewFormats(Format.R8G8B8A8_SRGB);
            Texture many = rig.keep(rig.device.createTexture("many", shape.withSamples(4)));
            Texture one = rig.keep(rig.device.createTexture("one", shape));
            Buffer linear = rig.readback("linear", 16 * 16 * 4);
            Buffer encoded = rig.readback("encoded", 16 * 16 * 4);
            var pipeline = rig.keep(rig.device.createGraphicsPipeline(
                    VirtualValidationTest.triangle().withMultisample(MultisampleState.of(4))));
            rig.await(rig.submit(rig.queue(0), List.of(), list -> {
                list.beginRendering(VirtualValidationTest.target(many));
                list.bindPipeline(pipeline);
                list.draw(3, 1, 0, 0);
                list.endRendering();
                resolve(list, many, one, Format.R8G8B8A8_UNORM, linear);
                resolve(list, many, one, Format.R8G8B8A8_SRGB, encoded);
            }));
            assertThat(rig.words(encoded)).isNotEqualTo(rig.words(linear));
        }
    }

    private static void resolve(CommandList list, Texture many, Texture one, Format format, Buffer result) {
        list.barrier(VirtualRig.full());
        list.beginRendering(new RenderingInfo(
                16,
                16,
                List.of(new RenderingInfo.ColorAttachment(
                        many.view(SubresourceRange.mip(0), TextureViewKind.TWO_D, format),
                        LoadOp.LOAD,
                        StoreOp.STORE,
                        RenderingInfo.ClearColor.BLACK_TRANSPARENT,
                        one.view(SubresourceRange.mip(0), TextureViewKind.TWO_D, format))),
                null));
        list.endRendering();
        list.barrier(VirtualRig.full());
        list.copyTextureToBuffer(one, 0, 0, result, 0);
    }

    private static Texture output(VirtualRig rig) {
        return rig.keep(rig.device.createTexture(
                "output",
                TextureDescription.of(
                        16, 16, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_SRC)));
    }

    @Test
    void reflectsBindings() {
        try (VirtualRig rig = new VirtualRig(1, 5, null)) {
            assertThat(rig.scale().bindings())
                    .containsExactly(
                            new ShaderBinding("Source", 0, 0, ShaderBinding.Kind.STORAGE_BUFFER, false),
                            new ShaderBinding("Target", 0, 1, ShaderBinding.Kind.STORAGE_BUFFER, true));
            assertThat(rig.scale().pushConstantBytes()).isEqualTo(4);
        }
    }
}
