package io.frameloom.gpu.check;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.resource.TextureLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The slow truth: for every pair of conflicting accesses, follows the earlier one through all commands between, by sets.
 * Shares nothing with the checker but the specification.
 */
final class Reference {
    static final int HOST = PipelineStage.HOST.bit();
    private final Program program;

    private Reference(Program program) {
        this.program = program;
    }

    /** An access of a cell: by a pass, in one stage, or by a transition (stage null). */
    record Event(
            int batch,
            int step,
            int queue,
            Cells resource,
            int id,
            boolean write,
            int stages,
            int access,
            int group,
            BarrierBatch.Scope scope,
            boolean acquires,
            boolean moves,
            Program.@Nullable Spec pass) {
        boolean sameStep(Event other) {
            return batch == other.batch && step == other.step;
        }

        /** The parts of a pass between barriers inside of it are not ordered among each other. */
        boolean samePass(Event other) {
            return pass != null && pass.equals(other.pass);
        }

        boolean isOfHost() {
            return stages == HOST;
        }
    }

    /** Returns whether the program is correct. */
    static boolean correct(Program program) {
        return new Reference(program).correct();
    }

    private boolean correct() {
        Map<Integer, List<Event>> byCell = new HashMap<>();
        Map<Integer, TextureLayout> layouts = new HashMap<>();
        Map<Integer, Owner> owners = new HashMap<>();
        BarrierBatch.Scope none = new BarrierBatch.Scope(0, 0, 0, 0);
        for (int b = 0; b < program.batches.size(); b++) {
            Program.Batch batch = program.batches.get(b);
            for (int s = 0; s < batch.steps.size(); s++) {
                Program.Step step = batch.steps.get(s);
                if (step instanceof Program.BarrierStep barrier
                        && !barrier.global()
                        && !Owner.of(owners, barrier.resource(), barrier.cell()).allows(batch.queue, barrier)) {
                    return false;
                }
                if (step instanceof Program.BarrierStep barrier && barrier.rewrites()) {
                    int id = barrier.resource().id(barrier.cell());
                    TextureLayout is = layouts.getOrDefault(id, TextureLayout.UNDEFINED);
                    if (barrier.from() != TextureLayout.UNDEFINED && is != barrier.from()) {
                        return false;
                    }
                    if (!barrier.releases(batch.queue)) {
                        layouts.put(id, barrier.to());
                    }
                    byCell.computeIfAbsent(id, i -> new ArrayList<>())
                            .add(new Event(
                                    b,
                                    s,
                                    batch.queue,
                                    barrier.resource(),
                                    id,
                                    true,
                                    0,
                                    0,
                                    -1,
                                    barrier.scope(),
                                    barrier.acquires(batch.queue),
                                    barrier.transfer() == null,
                                    null));
                } else if (step instanceof Program.BarrierStep barrier
                        && barrier.resource().isTexture()
                        && !barrier.global()) {
                    int id = barrier.resource().id(barrier.cell());
                    if (layouts.getOrDefault(id, TextureLayout.UNDEFINED) != barrier.from()) {
                        return false;
                    }
                } else if (step instanceof Program.PassStep pass) {
                    if (!Owner.allows(owners, batch.queue, pass)) {
                        return false;
                    }
                    for (Program.Touch touch : pass.spec().touches()) {
                        for (int cell = touch.from(); cell < touch.to(); cell++) {
                            int id = touch.resource().id(cell);
                            if (touch.resource().isTexture()
                                    && layouts.getOrDefault(id, TextureLayout.UNDEFINED) != touch.layout()) {
                                return false;
                            }
                            byCell.computeIfAbsent(id, i -> new ArrayList<>())
                                    .add(new Event(
                                            b,
                                            s,
                                            batch.queue,
                                            touch.resource(),
                                            id,
                                            touch.access().writes(),
                                            touch.access().stages(),
                                            touch.access().memoryAccess(),
                                            touch.group(),
                                            none,
                                            false,
                                            false,
                                            pass.spec()));
                        }
                    }
                }
            }
        }
        return byCell.values().stream().map(Reference::steps).allMatch(this::correct);
    }

    /** Which family a cell belongs to; nobody's before the first transfer, or the first use of what was made exclusive. */
    private static final class Owner {
        private final boolean madeExclusive;
        private int family = -1;
        /** The first half of a transfer whose second half has not come yet. */
        private Program.@Nullable BarrierStep released;

        private Owner(boolean madeExclusive) {
            this.madeExclusive = madeExclusive;
        }

        static Owner of(Map<Integer, Owner> owners, Cells resource, int cell) {
            return owners.computeIfAbsent(
                    resource.id(cell), i -> new Owner(resource.resource().isExclusive()));
        }

        private boolean isFree(int queue) {
            return released == null && (family < 0 || family == queue);
        }

        private boolean use(int queue) {
            if (!isFree(queue)) {
                return false;
            }
            family = madeExclusive ? queue : family;
            return true;
        }

        boolean allows(int queue, Program.BarrierStep barrier) {
            Program.BarrierStep first = released;
            if (barrier.transfer() == null) {
                boolean discards = barrier.from() == TextureLayout.UNDEFINED && barrier.rewrites();
                return discards ? discard(queue) : isFree(queue);
            }
            if (barrier.releases(queue)) {
                boolean free = isFree(queue);
                released = barrier;
                return free;
            }
            released = null;
            family = queue;
            return barrier.acquires(queue)
                    && first != null
                    && barrier.transfer().equals(first.transfer())
                    && barrier.from() == first.from()
                    && barrier.to() == first.to();
        }

        /** The uses of a pass do not follow each other: what needs contents needs those from before the pass. */
        static boolean allows(Map<Integer, Owner> owners, int queue, Program.PassStep pass) {
            for (boolean discarding : new boolean[] {false, true}) {
                for (Program.Touch touch : pass.spec().touches()) {
                    boolean discards =
                            touch.access().writes() && !touch.access().reads();
                    for (int cell = touch.from(); discards == discarding && cell < touch.to(); cell++) {
                        Owner owner = of(owners, touch.resource(), cell);
                        if (!(discards ? owner.discard(queue) : owner.use(queue))) {
                            return false;
                        }
                    }
                }
            }
            return true;
        }

        /** Whoever needs no contents takes what it is given. */
        private boolean discard(int queue) {
            family = isFree(queue) && !madeExclusive ? family : queue;
            released = null;
            return true;
        }
    }

    /** Cuts the accesses of a cell into those of one pass each, which are not ordered among each other. */
    private static List<List<Event>> steps(List<Event> events) {
        List<List<Event>> steps = new ArrayList<>();
        for (Event event : events) {
            if (steps.isEmpty() || !steps.get(steps.size() - 1).get(0).sameStep(event)) {
                steps.add(new ArrayList<>());
            }
            steps.get(steps.size() - 1).add(event);
        }
        return steps;
    }

    private boolean correct(List<List<Event>> steps) {
        for (int later = 0; later < steps.size(); later++) {
            for (Event second : steps.get(later)) {
                int earlier = later - 1;
                while (earlier >= 0 && steps.get(earlier).get(0).samePass(second)) {
                    earlier--;
                }
                while (earlier >= 0 && second.write && second.group >= 0 && isOfGroup(steps.get(earlier), second)) {
                    earlier--;
                }
                boolean done = false;
                for (; earlier >= 0 && !done; earlier--) {
                    List<Event> firsts = steps.get(earlier);
                    for (Event first : firsts) {
                        if ((first.write || second.write) && !first.samePass(second) && !ordered(first, second)) {
                            return false;
                        }
                    }
                    done = firsts.stream().anyMatch(Event::write)
                            && !firsts.get(0).samePass(second)
                            && !(earlier > 0
                                    && firsts.get(0).group >= 0
                                    && isOfGroup(firsts, firsts.get(0))
                                    && isOfGroup(steps.get(earlier - 1), firsts.get(0)));
                }
            }
        }
        return true;
    }

    /** Whether all that a pass does with a cell is to write it in the group of {@code other}. */
    private static boolean isOfGroup(List<Event> step, Event other) {
        return step.stream()
                .allMatch(event -> event.write && event.group == other.group && event.resource.equals(other.resource));
    }

    private boolean ordered(Event first, Event second) {
        if (first.isOfHost() && first.write) {
            // It was done before the submission.
            return true;
        }
        if (first.moves && second.moves && first.queue == second.queue) {
            // Layout transitions of one queue are executed in submission order.
            return true;
        }
        if (first.stages == 0) {
            return new ReferenceWalk(program, first, 0, second).reaches();
        }
        for (int rest = first.stages; rest != 0; rest &= rest - 1) {
            if (!new ReferenceWalk(program, first, Integer.lowestOneBit(rest), second).reaches()) {
                return false;
            }
        }
        return true;
    }
}
