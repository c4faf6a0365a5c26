package io.frameloom.rdg;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What differs between two plans: passes with their flags, uses and targets, order, waits, barriers, render passes,
 * recording, resources, memory, warnings; not bodies, external resources and what options say. Passes and resources
 * are the same if their names are; of several with one name, the first is the same as the first, and so on. Immutable; any
 * thread.
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
        /** A barrier before or behind a pass. */
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
     * @param before how it was; null if there was none
     * @param after how it is; null if there is none
     */
    public record Change(
            Subject subject,
            String name,
            @Nullable String before,
            @Nullable String after) {
        /**
         * Returns one line, as {@link PrintableText}: {@code +} for what is new, {@code -} for what is gone, {@code ~} for
         * what changed.
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
        diff.add(Subject.PASS, from.passes(), to.passes());
        diff.add(Subject.DECLARATION, from.declarations(), to.declarations());
        diff.add(Subject.TARGET, from.targets(), to.targets());
        diff.addOrder(from.order(), to.order());
        diff.add(Subject.WAIT, from.waits(), to.waits());
        diff.add(Subject.BARRIER, from.barriers(), to.barriers());
        diff.add(Subject.RENDER_PASS, from.renderPasses(), to.renderPasses());
        diff.add(Subject.RECORDING, from.recording(), to.recording());
        diff.add(Subject.RESOURCE, from.resources(), to.resources());
        diff.add(Subject.PLACEMENT, from.placements(), to.placements());
        diff.add(Subject.WARNING, from.warnings(), to.warnings());
        diff.add(Subject.TOTAL, from.totals(), to.totals());
        return diff;
    }

    /** Returns whether nothing that is compared differs. */
    public boolean isEmpty() {
        return changes.isEmpty();
    }

    /** Returns the differences, by subject in the order of {@link Subject}. */
    public List<Change> changes() {
        return List.copyOf(changes);
    }

    /**
     * Writes one line of JSON: the names of the plans, and the differences, where {@code before} or {@code after} is absent
     * if there was or is none.
     *
     * @throws IOException if the writer throws it
     */
    public void writeJson(Writer writer) throws IOException {
        JsonFactory factory = JsonFactory.builder().build().disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
        try (JsonGenerator json = factory.createGenerator(writer)) {
            json.writeStartObject();
            json.writeStringField("before", before.name());
            json.writeStringField("after", after.name());
            json.writeArrayFieldStart("changes");
            for (Change change : changes) {
                json.writeStartObject();
                json.writeStringField("subject", change.subject().name());
                json.writeStringField("name", change.name());
                if (change.before() != null) {
                    json.writeStringField("before", change.before());
                }
                if (change.after() != null) {
                    json.writeStringField("after", change.after());
                }
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        writer.write('\n');
    }

    private void add(Subject subject, Map<String, String> from, Map<String, String> to) {
        from.forEach((name, value) -> {
            String now = to.get(name);
            if (!value.equals(now)) {
                changes.add(new Change(subject, name, value, now));
            }
        });
        to.forEach((name, value) -> {
            if (!from.containsKey(name)) {
                changes.add(new Change(subject, name, null, value));
            }
        });
    }

    /** The first place at which the order of what both plans run differs. */
    private void addOrder(List<String> from, List<String> to) {
        List<String> kept = new ArrayList<>(from);
        kept.retainAll(Set.copyOf(to));
        List<String> now = new ArrayList<>(to);
        now.retainAll(Set.copyOf(from));
        for (int i = 0; i < kept.size(); i++) {
            if (!kept.get(i).equals(now.get(i))) {
                String where = i == 0 ? "at the start" : "behind " + kept.get(i - 1);
                changes.add(new Change(Subject.ORDER, where, kept.get(i), now.get(i)));
                return;
            }
        }
    }
}
