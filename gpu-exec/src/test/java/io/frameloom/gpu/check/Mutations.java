package io.frameloom.gpu.check;

import java.util.ArrayList;
import java.util.List;

/** Programs that differ from another one in one place, which may be a mistake or not. */
final class Mutations {
    private Mutations() {}

    /** Returns the programs in which the barriers behind or before a pass are inside of it, up to or from one of them on. */
    static List<Program> tucked(Program program) {
        List<Program> all = new ArrayList<>();
        for (int b = 0; b < program.batches.size(); b++) {
            List<Program.Step> steps = program.batches.get(b).steps;
            for (int s = 0; s < steps.size(); s++) {
                int first = s;
                while (first > 0 && steps.get(first - 1) instanceof Program.BarrierStep) {
                    first--;
                }
                int last = s;
                while (last + 1 < steps.size() && steps.get(last + 1) instanceof Program.BarrierStep) {
                    last++;
                }
                if (!(steps.get(s) instanceof Program.BarrierStep)) {
                    continue;
                }
                if (first > 0) {
                    Program.PassStep before = (Program.PassStep) steps.get(first - 1);
                    all.add(with(program, b, first - 1, s + 1, inside(before, steps.subList(first, s + 1))));
                }
                if (last + 1 < steps.size()) {
                    Program.PassStep behind = (Program.PassStep) steps.get(last + 1);
                    all.add(with(program, b, s, last + 2, inside(behind, steps.subList(s, last + 1))));
                }
            }
        }
        return all;
    }

    private static List<Program.Step> inside(Program.PassStep pass, List<Program.Step> barriers) {
        List<Program.Step> steps = new ArrayList<>(List.of(pass));
        for (Program.Step barrier : barriers) {
            steps.add(barrier);
            steps.add(new Program.PassStep(pass.spec(), true));
        }
        return steps;
    }

    private static Program with(Program program, int batch, int from, int to, List<Program.Step> steps) {
        Program copy = program.without(-1);
        List<Program.Step> changed = copy.batches.get(batch).steps;
        changed.subList(from, to).clear();
        changed.addAll(from, steps);
        return copy;
    }

    /** Returns the programs without one transfer of a cell, both halves. */
    static List<Program> untransferred(Program program) {
        List<Program> all = new ArrayList<>();
        for (int b = 0; b < program.batches.size(); b++) {
            for (Program.Step step : program.batches.get(b).steps) {
                if (step instanceof Program.BarrierStep barrier && barrier.releases(program.batches.get(b).queue)) {
                    Program copy = program.without(-1);
                    copy.batches.get(b).steps.remove(barrier);
                    if (removeAcquire(copy, b + 1, barrier)) {
                        all.add(copy);
                    }
                }
            }
        }
        return all;
    }

    private static boolean removeAcquire(Program program, int from, Program.BarrierStep release) {
        for (int b = from; b < program.batches.size(); b++) {
            Program.Batch batch = program.batches.get(b);
            boolean removed = batch.steps.removeIf(step -> step instanceof Program.BarrierStep barrier
                    && barrier.acquires(batch.queue)
                    && barrier.resource().equals(release.resource())
                    && barrier.cell() == release.cell());
            if (removed) {
                return true;
            }
        }
        return false;
    }

    /** Returns the programs in which the host does not wait for one batch before it submits another. */
    static List<Program> hasty(Program program) {
        List<Program> all = new ArrayList<>();
        for (int b = 0; b < program.batches.size(); b++) {
            for (int w = 0; w < program.batches.get(b).hostWaits.size(); w++) {
                Program copy = program.without(-1);
                copy.batches.get(b).hostWaits.remove(w);
                all.add(copy);
            }
        }
        return all;
    }

    /** Returns the programs in which a wait for a point of the other timeline is one for the point before. */
    static List<Program> tooLow(Program program) {
        List<Program> all = new ArrayList<>();
        for (int b = 0; b < program.batches.size(); b++) {
            List<Program.BatchWait> waits = program.batches.get(b).waits;
            for (int w = 0; w < waits.size(); w++) {
                if (waits.get(w).external() && waits.get(w).batch() > 0) {
                    Program copy = program.without(-1);
                    copy.batches
                            .get(b)
                            .waits
                            .set(w, waits.get(w).forBatch(waits.get(w).batch() - 1));
                    all.add(copy);
                }
            }
        }
        return all;
    }
}
