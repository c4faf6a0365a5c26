package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.check.UnneededSync;
import io.frameloom.gpu.command.SubmissionRecord;
import java.util.List;

/** The waits and barriers found not to be needed: each of a submission of some label once, counted. */
public final class UnneededReport implements UnneededSearch.Findings {
    private final Counted<Key, UnneededSync> found = new Counted<>();

    private record Key(UnneededSync.Kind kind, String submission, String what) {}

    @Override
    public void unneeded(SubmissionRecord record, SyncElement element, boolean implied) {
        String what = element.describe(record);
        found.add(
                new Key(element.kind(), record.label(), what),
                () -> new UnneededSync(
                        element.kind(),
                        record.label(),
                        what,
                        "submission '" + record.label() + "' on queue '"
                                + record.queue().name() + "' does not need " + what + ": " + why(element, implied)));
    }

    private static String why(SyncElement element, boolean implied) {
        boolean wait = element.target() == SyncElement.Target.NONE;
        if (implied) {
            return wait
                    ? "all that it orders is ordered already, by other waits or because the host has seen it"
                    : "what it orders is ordered already, the memory is available and visible already, and no layout"
                            + " changes";
        }
        return wait
                ? "nothing that came later had to come after what it waits for, or something else orders that"
                : "no later use needed its order, its memory operations or its layout";
    }

    public List<UnneededSync> findings() {
        return found.list();
    }

    public long occurrences(UnneededSync finding) {
        return found.count(finding);
    }
}
