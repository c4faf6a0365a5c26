package io.frameloom.stress.gpu.litmus;

import io.frameloom.gpu.command.QueueKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Two pieces of work on the same words.
 *
 * @param hazard what each does
 * @param first the first
 * @param between unrelated work in the same list after the first and before the barrier, null for none; drivers that keep
 *     book of what is still running can lose the first over it
 * @param second the second
 */
record Experiment(Hazard hazard, Work first, @Nullable Work between, Work second) {
    /** Returns all that a queue of a kind can run. */
    static List<Experiment> on(QueueKind kind) {
        List<@Nullable Work> decoys = new ArrayList<>(List.of(Work.values()));
        decoys.add(0, null);
        List<Experiment> all = new ArrayList<>();
        for (Hazard hazard : Hazard.values()) {
            for (Work first : Work.values()) {
                for (Work second : Work.values()) {
                    for (Work between : decoys) {
                        Experiment experiment = new Experiment(hazard, first, between, second);
                        if (experiment.isPossible() && experiment.runsOn(kind)) {
                            all.add(experiment);
                        }
                    }
                }
            }
        }
        return all;
    }

    private boolean isPossible() {
        return (hazard.firstWrites() || first.canRead()) && (hazard.secondWrites() || second.canRead());
    }

    private boolean runsOn(QueueKind kind) {
        return first.runsOn(kind) && second.runsOn(kind) && (between == null || between.runsOn(kind));
    }

    @Override
    public String toString() {
        String text = "%s: %s, %s%s"
                .formatted(
                        hazard.name().replace('_', ' '),
                        first.name() + (hazard.firstWrites() ? " writes" : " reads"),
                        between == null ? "" : "unrelated " + between + ", ",
                        second.name() + (hazard.secondWrites() ? " writes" : " reads"));
        return text.toLowerCase(Locale.ROOT);
    }
}
