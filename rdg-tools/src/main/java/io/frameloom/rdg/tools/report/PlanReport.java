package io.frameloom.rdg.tools.report;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FrameStatistics;
import java.io.IOException;
import java.io.Writer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A plan as one HTML file. It shows the graph, when its passes run, where its transients lie, its barriers with their
 * reasons, its textures and buffers, and predicted times. If the frame was executed, it shows measured ones. The file
 * needs nothing else, loads nothing, and runs no script but its own. Immutable; any thread.
 */
public final class PlanReport {
    private final FramePlan plan;
    private final @Nullable Execution execution;
    private final Map<String, Thumbnail> thumbnails;
    private final Map<String, String> facts;

    /**
     * That the plan was executed.
     *
     * @param device name of the device
     * @param statistics what the frame took
     */
    record Execution(String device, FrameStatistics statistics) {}

    private PlanReport(
            FramePlan plan,
            @Nullable Execution execution,
            Map<String, Thumbnail> thumbnails,
            Map<String, String> facts) {
        this.plan = plan;
        this.execution = execution;
        this.thumbnails = thumbnails;
        this.facts = facts;
    }

    /** Returns the report of a plan that was not executed. */
    public static PlanReport of(FramePlan plan) {
        return new PlanReport(plan, null, Map.of(), Map.of());
    }

    /**
     * Returns the same report with what a frame of this plan took.
     *
     * @param device name of the device
     * @param statistics statistics of the frame; times of passes that the plan does not have are left out
     */
    public PlanReport withMeasured(String device, FrameStatistics statistics) {
        return new PlanReport(plan, new Execution(device, statistics), thumbnails, facts);
    }

    /** Returns the same report with a picture of a texture. */
    public PlanReport withThumbnail(Thumbnail thumbnail) {
        Map<String, Thumbnail> all = new LinkedHashMap<>(thumbnails);
        all.put(thumbnail.texture(), thumbnail);
        return new PlanReport(plan, execution, all, facts);
    }

    /**
     * Returns the same report with a fact about the frame that the plan does not have, which stands at the end of its head.
     *
     * @param name a word or two; a fact of the same name is replaced
     */
    public PlanReport withFact(String name, String value) {
        Map<String, String> all = new LinkedHashMap<>(facts);
        all.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
        return new PlanReport(plan, execution, thumbnails, all);
    }

    /**
     * Writes the file, to be encoded in UTF-8. Time and size are bounded: of plans beyond some thousand passes parts
     * are left out, and the file says which.
     *
     * @throws IOException if the writer throws it
     */
    public void writeHtml(Writer writer) throws IOException {
        new ReportPage(plan, execution, thumbnails, facts).write(writer);
    }
}
