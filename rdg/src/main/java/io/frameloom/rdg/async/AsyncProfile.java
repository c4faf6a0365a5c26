package io.frameloom.rdg.async;

import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.compile.plan.PlanStructure;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the graphs whose passes have the same names and whose resources have the same shapes. That is the
 * times of their passes, and which of their regions run beside the graphics queue. Reads the times of {@value #WINDOW}
 * frames at once and then changes the form of one region at most. So the time of the frame differs by that region
 * alone. A frame takes from its first pass on, or from the end of the frame before if that is later, until it ends.
 * Builds for the next frame may start long before the graphics of their own. Any thread.
 */
public final class AsyncProfile {
    static final int WINDOW = 16;
    /** Frames after a change that overlap with those before it. */
    static final int SKIPPED = 4;
    /**
     * What the frame took before the device did nothing of it for so long is no measure of what it takes afterwards.
     */
    static final long PAUSE_NANOS = 1_000_000_000L;

    private final List<String> names;
    private final int shapes;
    private final QueueTopology queues;
    private final PassTimes times;
    private final List<RegionState> regions = new ArrayList<>();
    private final BitSet known = new BitSet();
    private @Nullable Object modelled;
    private @Nullable CriticalPath model;
    private long[] durations = new long[0];
    private @Nullable RegionState tried;
    private String unmeasured = "";
    private long frames;
    private long epoch;
    private int skip;
    /** When the last frame ended; that is on the device, as all times. */
    private long ended = Long.MAX_VALUE;

    private volatile AsyncDecision decision;

    /** A profile of graphs with passes of these names and resources of such shapes, of which nothing is known. */
    AsyncProfile(List<String> names, int shapes, QueueTopology queues) {
        this.names = List.copyOf(names);
        this.shapes = shapes;
        this.queues = queues;
        times = new PassTimes(names.size(), WINDOW);
        decision = newDecision();
    }

    List<String> names() {
        return names;
    }

    /** Returns the hash of the shapes of the resources: the same frame in another size takes other times. */
    int shapes() {
        return shapes;
    }

    QueueTopology queues() {
        return queues;
    }

    /** Returns what is decided now; the same object until something changes. */
    public AsyncDecision decision() {
        return decision;
    }

    /**
     * Begins with the regions of another profile of which this one has all passes; {@code place} gives their positions.
     */
    synchronized void adopt(AsyncProfile other, int[] place) {
        synchronized (other) {
            for (RegionState region : other.regions) {
                List<Integer> passes = new ArrayList<>(region.passes.size());
                for (int pass : region.passes) {
                    if (place[pass] >= 0) {
                        passes.add(place[pass]);
                    }
                }
                if (passes.size() == region.passes.size()) {
                    add(new RegionState(region, passes));
                }
            }
            unmeasured = other.unmeasured;
        }
        decision = newDecision();
    }

    private void add(RegionState region) {
        regions.add(region);
        region.passes.forEach(known::set);
    }

    /** Notes that frames end without times, and why. */
    public void unmeasured(String why) {
        if (decision.unmeasured().equals(why)) {
            return;
        }
        synchronized (this) {
            unmeasured = why;
            decision = newDecision();
        }
    }

    /**
     * Takes the times of a frame that has ended.
     *
     * @param structure its plan
     * @param by the decision that it was compiled by
     * @param nanos start and end of each pass of the plan, {@link Long#MIN_VALUE} for what was not measured
     */
    public synchronized void measured(PlanStructure structure, AsyncDecision by, long[] nanos) {
        frames++;
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (int p = 0; p < structure.declaredPasses(); p++) {
            if (isTimed(nanos, p)) {
                first = Math.min(first, nanos[2 * p]);
                last = Math.max(last, nanos[2 * p + 1]);
            }
        }
        if (first < last) {
            if (first > ended && first - ended > PAUSE_NANOS) {
                paused();
            }
            // What starts while the frame before still runs takes no time of its own until that has ended.
            first = ended < last ? Math.max(first, ended) : first;
            ended = last;
        }
        if (by.epoch() != epoch) {
            return;
        }
        if (skip > 0) {
            skip--;
            return;
        }
        for (int p = 0; p < structure.declaredPasses(); p++) {
            times.add(structure.declaredIndex(p), isTimed(nanos, p) ? Math.max(0, nanos[2 * p + 1] - nanos[2 * p]) : 0);
        }
        String untimed = untimed(structure, nanos);
        unmeasured(untimed);
        if (first == Long.MAX_VALUE || !untimed.isEmpty()) {
            return;
        }
        times.endFrame(Math.max(0, last - first));
        if (times.isFull()) {
            evaluate(structure);
            times.clear();
        }
    }

    private static boolean isTimed(long[] nanos, int pass) {
        return nanos[2 * pass] != Long.MIN_VALUE && nanos[2 * pass + 1] != Long.MIN_VALUE;
    }

    private void paused() {
        times.clear();
        if (tried != null) {
            tried.abandonTrial(frames);
            tried = null;
            change();
            decision = newDecision();
        }
    }

    /** Returns what to say of queues of which no pass has a time, such as those of a family without timestamps. */
    private static String untimed(PlanStructure structure, long[] nanos) {
        int queues = structure.queues().queues().size();
        boolean[] used = new boolean[queues];
        boolean[] timed = new boolean[queues];
        boolean any = false;
        for (int p = 0; p < structure.declaredPasses(); p++) {
            int queue = structure.passes().get(p).queue();
            if (queue >= 0 && queue != structure.queues().host()) {
                used[queue] = true;
                timed[queue] |= nanos[2 * p + 1] != Long.MIN_VALUE;
                any |= timed[queue];
            }
        }
        for (int q = 0; q < queues; q++) {
            if (used[q] && !timed[q]) {
                return any
                        ? "no pass on queue '"
                                + structure.queues().queues().get(q).name() + "' has a time"
                        : "the device has no timestamps";
            }
        }
        return "";
    }

    private void evaluate(PlanStructure structure) {
        CriticalPath path = modelOf(structure);
        discover(structure);
        long predictedFrame = predict(structure, path);
        long span = times.medianSpan();
        RegionState onTrial = tried;
        if (onTrial != null) {
            tried = null;
            boolean changed;
            if (onTrial.predicted() == RegionDecision.UNKNOWN) {
                onTrial.giveUpTrial(frames);
                changed = true;
            } else {
                changed = onTrial.endTrial(span, frames);
            }
            regions.forEach(RegionState::unsettle);
            if (changed) {
                change();
            }
        } else {
            RegionState next = next(predictedFrame);
            if (next == null) {
                regions.forEach(RegionState::settle);
            } else {
                tried = next;
                next.beginTrial(span, predictedFrame);
                change();
            }
        }
        decision = newDecision();
    }

    private void change() {
        epoch++;
        skip = SKIPPED;
    }

    /**
     * Returns the region to try: of those that were not, the one that is predicted to gain least; else one that is due.
     */
    private @Nullable RegionState next(long frameNanos) {
        RegionState least = null;
        for (RegionState region : regions) {
            if (region.isUntried(frames)
                    && region.predicted() != RegionDecision.UNKNOWN
                    && (least == null || region.predicted() < least.predicted())) {
                least = region;
            }
        }
        for (int i = 0; least == null && i < regions.size(); i++) {
            least = regions.get(i).isDue(frames, frameNanos) ? regions.get(i) : null;
        }
        return least;
    }

    private CriticalPath modelOf(PlanStructure structure) {
        CriticalPath path = model;
        if (path == null || modelled != structure.arrays()) {
            path = new CriticalPath(structure);
            model = path;
            modelled = structure.arrays();
        }
        return path;
    }

    /** Takes up the regions of passes that are in none; what they were first is what they stay. */
    private void discover(PlanStructure structure) {
        for (RegionPasses region : RegionPasses.of(structure)) {
            List<Integer> unknown = new ArrayList<>(region.passes().size());
            for (int pass : region.passes()) {
                int declared = structure.declaredIndex(pass);
                if (!known.get(declared)) {
                    unknown.add(declared);
                }
            }
            if (!region.named() && !unknown.isEmpty()) {
                add(new RegionState(unknown, region.queue()));
            }
        }
    }

    /** Lets the model say what each region saves while all others are as they are; returns the frame as it is. */
    private long predict(PlanStructure structure, CriticalPath path) {
        int[] onQueue = path.queues();
        int[] place = new int[names.size()];
        if (durations.length < onQueue.length) {
            durations = new long[onQueue.length];
        }
        for (int p = 0; p < onQueue.length; p++) {
            place[structure.declaredIndex(p)] = p;
            durations[p] = times.median(structure.declaredIndex(p));
        }
        for (RegionState region : regions) {
            if (!isPlaced(region, onQueue, place)) {
                region.predict(RegionDecision.UNKNOWN, 0);
                continue;
            }
            long serial = path.nanos(durations, moved(onQueue, region, place, 0));
            long beside = path.nanos(durations, moved(onQueue, region, place, region.queue));
            region.predict(serial - beside, serial);
        }
        return path.nanos(durations, onQueue);
    }

    /**
     * Returns whether a region runs where it should, which no decision brings about for what is not tagged any more.
     */
    private static boolean isPlaced(RegionState region, int[] onQueue, int[] place) {
        int wanted = region.isBeside() ? region.queue : 0;
        boolean placed = false;
        for (int pass : region.passes) {
            placed |= onQueue[place[pass]] == wanted;
        }
        return placed;
    }

    private static int[] moved(int[] onQueue, RegionState region, int[] place, int queue) {
        int[] moved = onQueue.clone();
        for (int pass : region.passes) {
            if (moved[place[pass]] >= 0) {
                moved[place[pass]] = queue;
            }
        }
        return moved;
    }

    private AsyncDecision newDecision() {
        BitSet demoted = new BitSet(0);
        List<RegionDecision> decisions = new ArrayList<>(regions.size());
        for (RegionState region : regions) {
            decisions.add(region.decision());
            if (!region.isBeside()) {
                region.passes.forEach(demoted::set);
            }
        }
        return new AsyncDecision(this, epoch, demoted, decisions, unmeasured);
    }
}
