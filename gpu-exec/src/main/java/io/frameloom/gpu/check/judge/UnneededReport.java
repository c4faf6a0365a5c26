package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.check.UnneededSync;
import io.frameloom.gpu.command.SubmissionRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The waits and barriers found not to be needed: each of a submission of some label once, counted. */
public final class UnneededReport implements UnneededSearch.Findings {
    private static final int MAX_DISTINCT = 10_000;

    private final Map<Key, Entry> entries = new LinkedHashMap<>();

    private record Key(UnneededSync.Kind kind, String submission, String what) {}

    private static final class Entry {
        private final UnneededSync finding;
        private long count;

        Entry(UnneededSync finding) {
            this.finding = finding;
        }
    }

    @Override
    public void unneeded(SubmissionRecord record, SyncElement element, boolean implied) {
        String what = element.describe(record);
        Key key = new Key(element.kind(), record.label(), what);
        Entry entry = entries.get(key);
        if (entry == null) {
            if (entries.size() == MAX_DISTINCT) {
                return;
            }
            String explanation = "submission '" + record.label() + "' on queue '"
                    + record.queue().name() + "' does not need " + what + ": " + why(element, implied);
            entry = new Entry(new UnneededSync(element.kind(), record.label(), what, explanation));
            entries.put(key, entry);
        }
        entry.count++;
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
        List<UnneededSync> all = new ArrayList<>(entries.size());
        entries.values().forEach(entry -> all.add(entry.finding));
        return List.copyOf(all);
    }

    public long occurrences(UnneededSync finding) {
        Entry entry = entries.get(new Key(finding.kind(), finding.submission(), finding.what()));
        return entry == null ? 0 : entry.count;
    }
}
