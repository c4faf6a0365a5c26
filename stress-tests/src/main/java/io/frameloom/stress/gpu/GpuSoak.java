package io.frameloom.stress.gpu;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.stress.gpu.SoakWork.Expected;
import io.frameloom.stress.gpu.queues.FamilyHandOver;
import io.frameloom.taskgraph.GraphEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Frames of random submissions on all queues of a device, with resources of every kind created and closed meanwhile, and
 * now and then buffers that are handed from one queue family to another. All that is read back is held against a model, and
 * the hazard checker sees every submission. One thread.
 */
public final class GpuSoak implements AutoCloseable {
    private static final int FRAMES_IN_FLIGHT = 3;
    private static final int PIPELINE_FRAMES = 500;
    private static final int CONTEXT_FRAMES = 97;
    private static final int HAND_OVER_FRAMES = 61;
    private static final int MOST_HOPS = 8;
    private static final Duration LONG = Duration.ofMinutes(2);

    private final GpuDevice device;
    private final HazardChecker checker;
    private final SplittableRandom random;
    private final SoakStock stock;
    private final SoakWork work;
    private final List<Slot> slots = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final long[] submissionsOfQueue;
    private final @Nullable FamilyHandOver handOver;
    private SoakPipelines pipelines;
    private long frames;
    private long wordsChecked;

    /** What one frame in flight uses and leaves to be checked and closed. */
    private static final class Slot {
        private FrameContext context;
        private TimestampSet stamps;
        private final List<TimelinePoint> points = new ArrayList<>();
        private final List<GraphEvent> events = new ArrayList<>();
        private final List<Expected> expected = new ArrayList<>();
        private final List<AutoCloseable> retired = new ArrayList<>();

        Slot(FrameContext context, TimestampSet stamps) {
            this.context = context;
            this.stamps = stamps;
        }
    }

    /**
     * A soak on a device.
     *
     * @param checker its observer
     */
    public GpuSoak(GpuDevice device, HazardChecker checker, long seed) {
        this.device = device;
        this.checker = checker;
        this.random = new SplittableRandom(seed);
        this.stock = new SoakStock(device, random);
        this.work = new SoakWork(device, stock, random);
        this.submissionsOfQueue = new long[device.queues().size()];
        this.handOver = device instanceof VulkanDevice vulkan && FamilyHandOver.isPossible(device.queues())
                ? new FamilyHandOver(vulkan, random.split())
                : null;
        this.pipelines = new SoakPipelines(device, 0);
        for (int i = 0; i < FRAMES_IN_FLIGHT; i++) {
            slots.add(new Slot(device.createFrameContext("soak " + i), device.createTimestampSet("soak " + i, 2)));
        }
    }

    /** Runs one frame. */
    public void frame() {
        Slot slot = slots.get((int) (frames % FRAMES_IN_FLIGHT));
        complete(slot);
        if (frames % PIPELINE_FRAMES == PIPELINE_FRAMES - 1) {
            slot.retired.add(pipelines);
            pipelines = new SoakPipelines(device, (int) (frames / PIPELINE_FRAMES));
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            stock.churn(slot.retired::add);
        }
        slot.stamps.reset();
        int count = 1 + random.nextInt(6);
        for (int i = 0; i < count; i++) {
            submit(slot, i == 0);
        }
        if (handOver != null && frames % HAND_OVER_FRAMES == HAND_OVER_FRAMES - 1) {
            problems.addAll(handOver.run(1 + random.nextInt(MOST_HOPS)));
        }
        frames++;
        notHazards();
    }

    private void submit(Slot slot, boolean first) {
        List<GpuQueue> queues = device.queues();
        GpuQueue queue = queues.get(random.nextInt(queues.size()));
        String label = "frame " + frames % FRAMES_IN_FLIGHT;
        SoakList list = new SoakList(queue, queues, slot.context.beginCommands(queue, label), random);
        if (first) {
            list.commands().writeTimestamp(slot.stamps, 0);
        }
        for (int pass = random.nextInt(6); pass > 0; pass--) {
            work.pass(list, slot.context, pipelines, slot.expected::add, slot.retired::add);
        }
        TimelinePoint point = list.submit(label);
        slot.points.add(point);
        if (random.nextBoolean()) {
            slot.events.add(queue.timeline().reached(point.value()));
        }
        submissionsOfQueue[queue.index()]++;
    }

    /** Waits for a frame, checks what it has read back, and closes what was given up in it. */
    private void complete(Slot slot) {
        for (TimelinePoint point : slot.points) {
            if (!point.queue().timeline().await(point.value(), LONG)) {
                throw new IllegalStateException("queue '" + point.queue().name() + "' does not reach " + point.value());
            }
        }
        slot.events.forEach(GraphEvent::await);
        for (Expected expected : slot.expected) {
            check(expected);
        }
        if (device.capabilities().timestamps() && slot.points.size() > 0) {
            slot.stamps.readNanos();
        }
        slot.points.clear();
        slot.events.clear();
        slot.expected.clear();
        slot.retired.forEach(GpuSoak::close);
        slot.retired.clear();
        slot.context.reset();
        if (frames % CONTEXT_FRAMES == CONTEXT_FRAMES - 1) {
            slot.context.close();
            slot.stamps.close();
            slot.context = device.createFrameContext("soak");
            slot.stamps = device.createTimestampSet("soak", 2);
        }
    }

    private void check(Expected expected) {
        Buffer buffer = expected.buffer();
        var found = buffer.mapped().asIntBuffer();
        for (int i = 0; i < expected.words().length; i++) {
            if (found.get(i) != expected.words()[i]) {
                problems.add("word " + i + " of '" + expected.source() + "' is 0x" + Integer.toHexString(found.get(i))
                        + " instead of 0x" + Integer.toHexString(expected.words()[i]));
                break;
            }
        }
        wordsChecked += expected.words().length;
        buffer.close();
    }

    private void notHazards() {
        for (Hazard hazard : checker.hazards()) {
            problems.add(hazard.kind() + ": " + hazard.explanation());
        }
    }

    private static void close(AutoCloseable object) {
        try {
            object.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns what was wrong so far, each in a line. */
    public List<String> problems() {
        return List.copyOf(problems);
    }

    /** Returns the number of frames so far. */
    public long frames() {
        return frames;
    }

    /** Returns the number of submissions so far, those of hand-overs apart. */
    public long submissions() {
        return LongStream.of(submissionsOfQueue).sum();
    }

    /** Returns the number of submissions to a queue so far, those of hand-overs apart. */
    public long submissions(GpuQueue queue) {
        return submissionsOfQueue[queue.index()];
    }

    /** Returns how often a buffer was handed from one queue family to another. */
    public long transfers() {
        return handOver == null ? 0 : handOver.transfers();
    }

    /** Returns the number of words read back and compared so far. */
    public long wordsChecked() {
        return wordsChecked;
    }

    /** Returns the number of resources created so far, readbacks apart. */
    public long created() {
        return stock.created();
    }

    /** Returns the number of resources alive. */
    public int alive() {
        return stock.size();
    }

    /** Completes all frames and closes everything but the device. */
    @Override
    public void close() {
        stock.clear(slots.get(0).retired::add);
        device.waitIdle();
        for (Slot slot : slots) {
            for (Expected expected : slot.expected) {
                check(expected);
            }
            slot.expected.clear();
        }
        for (Slot slot : slots) {
            slot.retired.forEach(GpuSoak::close);
            slot.context.close();
            slot.stamps.close();
        }
        pipelines.close();
        if (handOver != null) {
            handOver.close();
        }
    }
}
