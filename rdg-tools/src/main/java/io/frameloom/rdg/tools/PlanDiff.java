package io.frameloom.rdg.tools;

import io.frameloom.rdg.AsyncCompute;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.diagnostics.PlanWarning;
import io.frameloom.rdg.options.PrintableText;
import io.frameloom.rdg.tools.file.JsonValues;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The differences between two plans: passes with their flags, uses and targets, order, waits, barriers, render passes,
 * recording, resources, memory, warnings. Bodies, external resources and options are not compared. Passes and resources
 * are the same if their names are. Of several with one name, the first is the same as the first, and so on. External
 * resources whose names differ in a number alone may only have changed places, as the halves of a history do from frame
 * to frame. That is reported as one change. Immutable; any thread.
 */
public final class PlanDiff {
    /** What a difference is about. */
    public enum Subject {
        /** A pass: whether it runs, its queue and its level. */
        PASS,
        /** The flags of a pass, and what it declares: uses and scope. */
        DECLARATION,
        /** A render target: what is loaded, cleared and stored. */
        TARGET,
        /** The order of submission of the passes that both plans run. */
        ORDER,
        /** A wait of a queue for another one. */
        WAIT,
        /** A barrier before or after a pass. */
        BARRIER,
        /** A render pass that several passes share. */
        RENDER_PASS,
        /** The passes that one task records. */
        RECORDING,
        /** A resource: lifetime, shape, usage, layouts before and after the frame. */
        RESOURCE,
        /** Where a transient lies. */
        PLACEMENT,
        /** A {@link PlanWarning}. */
        WARNING,
        /** A number of the plan as a whole. */
        TOTAL
    }

    /**
     * A difference.
     *
     * @param subject what it is about
     * @param name what it is of, such as a pass in quotes
     * @param before how it was, as far as it differs; null if there was none or nothing of it is gone
     * @param after how it is, as far as it differs; null if there is none or nothing of it is new
     */
    public record Change(
            Subject subject,
            String name,
            @Nullable String before,
            @Nullable String after) {
        /**
         * Returns one line, with control characters written as escapes: {@code +} for what is new, {@code -} for what
         * is gone, {@code ~} for what changed.
         */
        @Override
        public String toString() {
            return PrintableText.of(line());
        }

        private String line() {
            String what = subject.name().toLowerCase(Locale.ROOT).replace('_', ' ') + " " + name;
            if (before == null) {
                return "+ " + what + said(after);
            }
            return after == null ? "- " + what + said(before) : "~ " + what + ": " + before + " -> " + after;
        }

        private static String said(@Nullable String value) {
            return value == null || value.isEmpty() ? "" : ": " + value;
        }
    }

    /** A name in quotes with a number at its end. */
    private static final Pattern NUMBERED = Pattern.compile("'(.*?)[ _.-]?(\\d+)'");

    private final FramePlan before;
    private final FramePlan after;
    private final List<Change> changes = new ArrayList<>();

    private PlanDiff(FramePlan before, FramePlan after) {
        this.before = before;
        this.after = after;
    }

    /** Compares two plans. */
    public static PlanDiff between(FramePlan before, FramePlan after) {
        PlanDiffSide from = new PlanDiffSide(before);
        PlanDiffSide to = new PlanDiffSide(after);
        PlanDiff diff = new PlanDiff(before, after);
        to = to.renamed(diff.addPlaces(from.roles(), to.roles()));
        for (Subject subject : Subject.values()) {
            if (subject == Subject.ORDER) {
                diff.addOrder(from.order(), to.order());
            } else {
                diff.add(subject, from.of(subject), to.of(subject));
            }
        }
        return diff;
    }

    /** Returns whether nothing that is compared differs. */
    public boolean isEmpty() {
        return changes.isEmpty();
    }

    /** Returns in words why nothing that is compared differs; nothing if something does. */
    public String sameBecause() {
        if (!isEmpty()) {
            return "";
        }
        AsyncCompute one = before.options().async();
        AsyncCompute other = after.options().async();
        if (one != other) {
            String modes = "async compute is " + word(one) + " in one and " + word(other) + " in the other, but ";
            if (after.queues().queues().size() == 1) {
                return modes + "there is one queue, on which all passes run";
            }
            return modes + "each pass is on the same queue in both";
        }
        return before.options().equals(after.options())
                ? "both are the same graph under the same options"
                : "the options differ, but not in what they do to this graph";
    }

    private static String word(AsyncCompute mode) {
        return mode.name().toLowerCase(Locale.ROOT);
    }

    /** Returns the differences, by subject in the order of {@link Subject}. */
    public List<Change> changes() {
        return List.copyOf(changes);
    }

    /**
     * Writes one line of JSON: the names of the plans, and the differences, where {@code before} or {@code after} is
     * absent if there was or is none.
     *
     * @throws IOException if the writer throws it
     */
    public void writeJson(Writer writer) throws IOException {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Change change : changes) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("subject", change.subject().name());
            row.put("name", change.name());
            if (change.before() != null) {
                row.put("before", change.before());
            }
            if (change.after() != null) {
                row.put("after", change.after());
            }
            rows.add(row);
        }
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("before", before.name());
        all.put("after", after.name());
        all.put("changes", rows);
        JsonValues.writeLine(all, writer);
    }

    private void add(Subject subject, Map<String, List<String>> from, Map<String, List<String>> to) {
        from.forEach((name, value) -> {
            List<String> now = to.get(name);
            if (now == null) {
                changes.add(new Change(subject, name, joined(value), null));
            } else if (!value.equals(now)) {
                addParts(subject, name, value, now);
            }
        });
        to.forEach((name, value) -> {
            if (!from.containsKey(name)) {
                changes.add(new Change(subject, name, null, joined(value)));
            }
        });
    }

    /** Adds what differs of two lists: place by place if they are as long, else what is gone and what is new. */
    private void addParts(Subject subject, String name, List<String> from, List<String> to) {
        List<String> gone = new ArrayList<>();
        List<String> made = new ArrayList<>();
        if (from.size() == to.size()) {
            for (int i = 0; i < from.size(); i++) {
                if (!from.get(i).equals(to.get(i))) {
                    gone.add(from.get(i));
                    made.add(to.get(i));
                }
            }
        } else {
            gone = without(from, to);
            made = without(to, from);
        }
        changes.add(
                new Change(subject, name, gone.isEmpty() ? null : joined(gone), made.isEmpty() ? null : joined(made)));
    }

    /** Returns what is left of a list if each of the others takes away the first that equals it. */
    private static List<String> without(List<String> all, List<String> others) {
        Map<String, Integer> taken = new HashMap<>();
        others.forEach(other -> taken.merge(other, 1, Integer::sum));
        return all.stream()
                .filter(each -> taken.merge(each, -1, Integer::sum) < 0)
                .toList();
    }

    private static String joined(List<String> parts) {
        return String.join(", ", parts);
    }

    /**
     * Adds which resources have changed places, and returns by their names those that had these places before. They
     * have one name but for a number at its end.
     */
    private Map<String, String> addPlaces(Map<String, String> from, Map<String, String> to) {
        Map<String, List<String>> families = new LinkedHashMap<>();
        from.forEach((name, role) -> {
            String now = to.get(name);
            Matcher numbered = NUMBERED.matcher(name);
            if (now != null && !now.equals(role) && numbered.matches()) {
                families.computeIfAbsent("'" + numbered.group(1) + "'", family -> new ArrayList<>())
                        .add(name);
            }
        });
        Map<String, String> places = new HashMap<>();
        families.forEach((family, names) -> {
            Map<String, Queue<String>> byRole = new HashMap<>();
            names.forEach(name -> byRole.computeIfAbsent(from.getOrDefault(name, ""), role -> new ArrayDeque<>())
                    .add(name));
            Map<String, String> former = new HashMap<>();
            for (String name : names) {
                Queue<String> there = byRole.get(to.getOrDefault(name, ""));
                String other = there == null ? null : there.poll();
                if (other != null) {
                    former.put(name, other);
                }
            }
            if (former.size() == names.size()) {
                places.putAll(former);
                List<String> now =
                        names.stream().map(former::get).map(PlanDiff::number).toList();
                changes.add(new Change(
                        Subject.RESOURCE,
                        "places of " + family,
                        joined(names.stream().map(PlanDiff::number).toList()),
                        joined(now)));
            }
        });
        return places;
    }

    private static String number(String name) {
        Matcher numbered = NUMBERED.matcher(name);
        return numbered.matches() ? numbered.group(2) : name;
    }

    /** The first place at which the order of what both plans run differs. */
    private void addOrder(List<String> from, List<String> to) {
        List<String> kept = new ArrayList<>(from);
        kept.retainAll(Set.copyOf(to));
        List<String> now = new ArrayList<>(to);
        now.retainAll(Set.copyOf(from));
        for (int i = 0; i < kept.size(); i++) {
            if (!kept.get(i).equals(now.get(i))) {
                String where = i == 0 ? "at the start" : "after " + kept.get(i - 1);
                changes.add(new Change(Subject.ORDER, where, kept.get(i), now.get(i)));
                return;
            }
        }
    }
}
