package io.frameloom.gpu.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.DeviceEventSet;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.testing.TestEffort;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A split barrier takes effect anywhere between its halves, and a texture on its way is garbage. */
@Timeout(60)
class VirtualSplitBarrierTest {
    private static final int SEEDS = TestEffort.of(50, 100);
    private static final int GREEN = 0xFF00FF00;
    private static final TextureDescription SHAPE =
            TextureDescription.of(4, 4, Format.R8G8B8A8_UNORM, TextureUsage.COPY_SRC, TextureUsage.COPY_DST);
    private static final SubresourceRange ALL = SubresourceRange.all(SHAPE);
    private static final BarrierBatch.Scope COPIES = new BarrierBatch.Scope(
            PipelineStage.COPY.bit(),
            MemoryAccess.COPY_WRITE.bit(),
            PipelineStage.COPY.bit(),
            MemoryAccess.COPY_WRITE.bit() | MemoryAccess.COPY_READ.bit());

    private static BarrierBatch transition(Texture texture, TextureLayout from, TextureLayout to) {
        return new BarrierBatch(
                List.of(new BarrierBatch.TextureBarrier(texture, ALL, COPIES, from, to, null)), List.of(), List.of());
    }

    private static void read(CommandList list, String pass, Texture texture, TextureLayout layout, Buffer readback) {
        list.beginPass(
                pass,
                List.of(
                        new ResourceUse.OfTexture(texture, ALL, Access.COPY_SRC, false, layout),
                        VirtualRig.use(readback, Access.COPY_DST, true)));
        list.copyTextureToBuffer(texture, 0, 0, readback, 0);
        list.endPass();
    }

    /** A texel read between the halves and one behind them; whether the second half is there, and in its place. */
    private static int[] texels(long seed, boolean readsBetween, boolean waits, boolean setsBehindTheClear) {
        try (VirtualRig rig = new VirtualRig(1, seed, null);
                DeviceEventSet events = rig.device.createDeviceEventSet("events", 1)) {
            Texture texture = rig.keep(rig.device.createTexture("texture", SHAPE));
            Buffer between = rig.readback("between", 64);
            Buffer behind = rig.readback("behind", 64);
            BarrierBatch change = transition(texture, TextureLayout.GENERAL, TextureLayout.TRANSFER_SRC);
            rig.await(rig.submit(rig.queue(0), List.of(), list -> {
                list.barrier(transition(texture, TextureLayout.UNDEFINED, TextureLayout.GENERAL));
                if (!setsBehindTheClear) {
                    list.setEvent(events, 0, change);
                }
                list.beginPass(
                        "clear",
                        List.of(new ResourceUse.OfTexture(texture, ALL, Access.COPY_DST, true, TextureLayout.GENERAL)));
                list.clearTexture(texture, ALL, new RenderingInfo.ClearColor(0, 1, 0, 1));
                list.endPass();
                if (setsBehindTheClear) {
                    list.setEvent(events, 0, change);
                }
                if (readsBetween) {
                    list.barrier(VirtualRig.full());
                    read(list, "between", texture, TextureLayout.GENERAL, between);
                }
                if (waits) {
                    list.waitEvent(events, 0, change);
                }
                read(list, "behind", texture, TextureLayout.TRANSFER_SRC, behind);
            }));
            return new int[] {rig.words(between)[0], rig.words(behind)[0]};
        }
    }

    private static List<Long> otherThanGreen(int place, boolean readsBetween, boolean waits, boolean behindTheClear) {
        List<Long> seeds = new ArrayList<>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            if (texels(seed, readsBetween, waits, behindTheClear)[place] != GREEN) {
                seeds.add(seed);
            }
        }
        return seeds;
    }

    @Test
    void whatWasWrittenBeforeItIsReadBehindIt() {
        assertThat(otherThanGreen(1, false, true, true)).isEmpty();
    }

    @Test
    void whoReadsInBetweenFindsGarbageUnderSomeSeed() {
        assertThat(otherThanGreen(0, true, true, true)).isNotEmpty().hasSizeLessThan(SEEDS);
    }

    @Test
    void withoutTheSecondHalfGarbageIsReadUnderSomeSeed() {
        assertThat(otherThanGreen(1, false, false, true)).isNotEmpty();
    }

    @Test
    void aFirstHalfInFrontOfTheWriteSpoilsItUnderSomeSeed() {
        assertThat(otherThanGreen(1, false, true, false)).isNotEmpty();
    }

    /** Whether the second of two fills of one buffer, behind a split barrier of memory, is always the later one. */
    private static boolean isLast(long seed, boolean waits) {
        try (VirtualRig rig = new VirtualRig(1, seed, null);
                DeviceEventSet events = rig.device.createDeviceEventSet("events", 1)) {
            Buffer data = rig.buffer("data", 4);
            Buffer readback = rig.readback("readback", 16);
            BarrierBatch batch = new BarrierBatch(
                    List.of(), List.of(new BarrierBatch.BufferBarrier(data, 0, 16, COPIES, null)), List.of());
            rig.await(rig.submit(rig.queue(0), List.of(), list -> {
                rig.fillPass(list, "first", data, 1);
                list.setEvent(events, 0, batch);
                if (waits) {
                    list.waitEvent(events, 0, batch);
                }
                rig.fillPass(list, "second", data, 2);
                list.barrier(VirtualRig.full());
                rig.copyPass(list, "copy", data, readback);
                list.barrier(VirtualRig.toHost());
            }));
            return rig.words(readback)[0] == 2;
        }
    }

    @Test
    void memoryIsOrderedByBothHalvesAlone() {
        List<Long> wrong = new ArrayList<>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            assertThat(isLast(seed, true)).as("seed %d", seed).isTrue();
            if (!isLast(seed, false)) {
                wrong.add(seed);
            }
        }
        assertThat(wrong).isNotEmpty();
    }

    @Test
    void aSetInUseIsNotReset() throws InterruptedException {
        try (VirtualRig rig = new VirtualRig(1, 3, null);
                DeviceEventSet events = rig.device.createDeviceEventSet("events", 1)) {
            Buffer data = rig.buffer("data", 4);
            HeldDispatch held = new HeldDispatch();
            TimelinePoint first = held.submit(rig, data);
            BarrierBatch batch = VirtualRig.full();
            TimelinePoint point = rig.submit(rig.queue(0), List.of(VirtualRig.wait(first)), list -> {
                list.setEvent(events, 0, batch);
                list.waitEvent(events, 0, batch);
            });
            rig.queue(0).timeline().reached(point.value());
            held.awaitRunning();
            assertThatThrownBy(events::reset)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("device event set 'events' cannot be reset")
                    .hasMessageContaining("queue 'graphics' has not completed its submission " + point.value());
            held.release();
            rig.await(point);
            events.reset();
        }
    }
}
