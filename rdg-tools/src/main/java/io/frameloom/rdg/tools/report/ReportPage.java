package io.frameloom.rdg.tools.report;

import io.frameloom.gpu.internal.Plural;
import io.frameloom.rdg.AsyncGains;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.HeapPlan;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.diagnostics.PlanWarning;
import io.frameloom.rdg.tools.report.PassGraph.EdgeKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Puts the parts of a report together. */
final class ReportPage {
    /** Lines beyond which lists are cut. */
    private static final int MAX_LISTED = 1_000;

    private static final String NOT_EXECUTED = "not executed";

    private final FramePlan plan;
    private final PlanReport.@Nullable Execution execution;
    private final Map<String, Thumbnail> thumbnails;
    private final Map<String, String> facts;
    private final PlanIndex index;
    private final Schedule predicted;
    private final @Nullable Schedule measured;
    private final Markup html = new Markup();

    ReportPage(
            FramePlan plan,
            PlanReport.@Nullable Execution execution,
            Map<String, Thumbnail> thumbnails,
            Map<String, String> facts) {
        this.plan = plan;
        this.execution = execution;
        this.thumbnails = thumbnails;
        this.facts = facts;
        this.index = new PlanIndex(plan);
        this.predicted = Schedule.predicted(plan, new PassCosts(plan));
        this.measured = execution == null ? null : Schedule.measured(plan, execution.statistics());
    }

    void write(Writer writer) throws IOException {
        String style = resource("report.css");
        String script = resource("report.js");
        html.raw("<!DOCTYPE html>\n");
        html.open("html", "lang", "en").open("head").line();
        html.raw("<meta charset=\"utf-8\">\n");
        html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        html.raw("<meta name=\"color-scheme\" content=\"light dark\">\n");
        html.raw("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src '"
                + sha256(style) + "'; script-src '" + sha256(script) + "'\">\n");
        html.element("title", plan.name() + " – frame plan").line();
        html.open("style")
                .raw(style)
                .close("style")
                .line()
                .close("head")
                .open("body")
                .line();
        header();
        html.open("div", "class", "columns").open("main").line();
        graph();
        timeline();
        memory();
        barriers();
        culled();
        resources();
        times();
        warnings();
        html.close("main").line();
        details();
        html.close("div").line();
        html.open("script", "type", "application/json", "id", "plan-data")
                .raw(new PageData(index).json())
                .close("script")
                .line();
        html.open("script").raw(script).close("script").line();
        html.close("body").close("html").line();
        writer.write(html.toString());
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = ReportPage.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing beside " + ReportPage.class.getName());
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String sha256(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "sha256-" + Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }

    private void header() {
        html.open("header");
        html.element("a", "Skip to the barriers", "class", "skip", "href", "#barriers");
        html.element("h1", plan.name());
        html.open("dl", "class", "summary");
        fact("passes", plan.passes().size() - plan.culledCount() + " run, " + plan.culledCount() + " culled");
        fact("batches", String.valueOf(plan.batches().size()));
        fact("queue waits", String.valueOf(plan.waitCount()));
        fact("barriers", String.valueOf(plan.barrierCount()));
        fact("render passes", String.valueOf(plan.renderPasses().size()));
        fact("transient memory", Units.bytes(plan.heapBytes()));
        fact(
                "executed",
                execution == null
                        ? "no: the plan alone"
                        : "on " + execution.device() + ", "
                                + (measured == null
                                        ? "without timestamps"
                                        : Units.time((double)
                                                        execution.statistics().gpuNanos()) + " on the device"));
        facts.forEach(this::fact);
        html.close("dl");
        html.open("nav", "aria-label", "Sections").open("ul");
        for (String section :
                List.of("Graph", "Timeline", "Memory", "Barriers", "Culled", "Resources", "Times", "Warnings")) {
            html.open("li")
                    .element("a", section, "href", "#" + section.toLowerCase(Locale.ROOT))
                    .close("li");
        }
        html.close("ul").close("nav").close("header").line();
    }

    private void fact(String name, String value) {
        html.open("div").element("dt", name).element("dd", value).close("div");
    }

    private void section(String id, String title, String... sentences) {
        html.open("section", "id", id, "aria-labelledby", id + "-title");
        html.element("h2", title, "id", id + "-title");
        for (String sentence : sentences) {
            if (!sentence.isEmpty()) {
                html.element("p", sentence);
            }
        }
    }

    private void scroll(String label, String target, Markup drawing) {
        html.open("div", "class", "zoom");
        for (String[] button : new String[][] {{"out", "−"}, {"in", "+"}, {"fit", "fit"}, {"full", "1 : 1"}}) {
            html.element(
                    "button",
                    button[1],
                    "type",
                    "button",
                    "data-zoom",
                    button[0],
                    "data-target",
                    target,
                    "aria-label",
                    "zoom " + button[0] + ": " + label);
        }
        html.close("div");
        html.open("div", "class", "scroll drawing", "tabindex", 0, "role", "region", "aria-label", label)
                .line();
        html.add(drawing).close("div").line();
    }

    private void graph() {
        PassGraph graph = new PassGraph(index);
        if (!GraphDrawing.fits(graph)) {
            section(
                    "graph",
                    "Graph",
                    "The graph has " + graph.nodes().size() + " nodes and "
                            + graph.edges().size()
                            + " edges, more than the " + GraphDrawing.MAX_ELEMENTS
                            + " that are laid out; it is shown by levels only: how many passes each has on each queue.");
            legend(List.of());
            html.scroll("levels");
            html.add(new LevelDrawing(index).draw())
                    .close("div")
                    .close("section")
                    .line();
            return;
        }
        section(
                "graph",
                "Graph",
                "Passes are boxes, versions of resources are rounded for textures and square for buffers. Select a pass or a"
                        + " resource to see what belongs to it and why.");
        legend(List.of(EdgeKind.values()));
        scroll("graph", "graph-svg", new GraphDrawing(index, graph).draw());
        html.close("section").line();
    }

    private void legend(List<EdgeKind> kinds) {
        html.open("ul", "class", "legend");
        for (int q = 0; q < plan.queues().queues().size(); q++) {
            html.open("li").open("svg", "width", 14, "height", 14, "aria-hidden", "true");
            html.open("g", "class", Palette.queueClass(q)).empty("rect", "class", "swatch", "width", 14, "height", 14);
            boolean host = q == index.plan.queues().host();
            html.close("g")
                    .close("svg")
                    .text(host ? " the host" : " queue " + index.queueName(q))
                    .close("li");
        }
        for (EdgeKind kind : kinds) {
            html.open("li").open("svg", "width", 30, "height", 10, "aria-hidden", "true");
            html.open("g", "class", "edge " + kind.name().toLowerCase(Locale.ROOT));
            html.empty("path", "d", "M0 5 H30").close("g").close("svg");
            html.text(" " + kind.words()).close("li");
        }
        html.close("ul").line();
    }

    private void timeline() {
        section("timeline", "Timeline");
        html.element("h3", "Predicted");
        html.element(
                "p",
                "By a model, not by a device: " + Units.time(PassCosts.PASS_NANOS) + " for each pass, "
                        + Units.time(PassCosts.BARRIER_NANOS)
                        + " for each group of barriers, and the bytes of the ranges"
                        + " that a pass uses at " + PassCosts.BYTES_PER_NANO
                        + " GB/s, with one pass at a time on a queue. Arrows are waits between queues; dashed are times in"
                        + " which a queue can only wait.");
        timeline("timeline-predicted", "predicted timeline", predicted);
        html.element("h3", "Measured");
        if (measured != null && execution != null) {
            html.element(
                    "p",
                    "Frame " + execution.statistics().frame() + ", on " + execution.device()
                            + ", by timestamps before and after the commands of each pass.");
            timeline("timeline-measured", "measured timeline", measured);
        } else {
            html.element(
                    "p",
                    execution == null
                            ? "Not executed: a plan alone has no measured times."
                            : "The device has no timestamps.",
                    "class",
                    "absent");
        }
        html.close("section").line();
    }

    private void timeline(String id, String label, Schedule schedule) {
        TimelineDrawing drawing = new TimelineDrawing(index, schedule, id);
        if (drawing.isCut()) {
            cut(TimelineDrawing.MAX_DRAWN, "passes and waits are drawn");
        }
        scroll(label, id, drawing.draw());
    }

    private void cut(int shown, String what) {
        html.element("p", "Only the first " + shown + " " + what + ".", "class", "absent");
    }

    private void memory() {
        long bound = plan.heaps().stream().mapToLong(HeapPlan::lowerBound).sum();
        section(
                "memory",
                "Memory",
                plan.heapBytes() == 0
                        ? "The plan places no transients."
                        : "Transients take " + Units.bytes(plan.heapBytes()) + " ("
                                + Units.bytes(plan.transientBytesWithoutAliasing())
                                + " if none shared memory). No placement can take less than " + Units.bytes(bound)
                                + ": "
                                + gap(plan.heapBytes(), bound)
                                + ". Across: order of submission. Up: offset in the heap. Dashed: the lower bound.");
        for (int heap = 0; heap < plan.heaps().size(); heap++) {
            HeapPlan one = plan.heaps().get(heap);
            if (one.bytes() == 0) {
                continue;
            }
            html.element(
                    "h3",
                    "Heap " + heap + ": " + Units.bytes(one.bytes()) + ", lower bound " + Units.bytes(one.lowerBound())
                            + ", " + gap(one.bytes(), one.lowerBound()));
            html.scroll("heap " + heap);
            html.add(new HeapDrawing(index, heap).draw()).close("div").line();
        }
        html.close("section").line();
    }

    private void culled() {
        section("culled", "Culled passes", plan.culledCount() == 0 ? "None." : "");
        if (plan.culledCount() > 0) {
            html.open("ul", "id", "culled-list");
            plan.passes().stream()
                    .filter(PassPlan::culled)
                    .limit(MAX_LISTED)
                    .forEach(pass -> html.open("li")
                            .link(pass.name(), "pass", pass.index())
                            .text(": " + pass.cullReason())
                            .close("li")
                            .line());
            html.close("ul");
            if (plan.culledCount() > MAX_LISTED) {
                cut(MAX_LISTED, "of " + plan.culledCount() + " are listed");
            }
        }
        html.close("section").line();
    }

    private static String gap(long bytes, long bound) {
        return bound <= 0 || bytes <= bound ? "gap 0 %" : "gap " + Units.percent((double) (bytes - bound) / bound);
    }

    private void barriers() {
        section("barriers", "Barriers");
        if (plan.barrierCount() > BarrierTable.MAX_ROWS) {
            cut(BarrierTable.MAX_ROWS, "of " + Plural.of(plan.barrierCount(), "barrier") + " are listed");
        }
        html.open("div", "class", "filter");
        html.element("label", "Filter ", "for", "barrier-filter");
        html.empty(
                "input",
                "id",
                "barrier-filter",
                "type",
                "search",
                "autocomplete",
                "off",
                "placeholder",
                "words in a row");
        html.open("label")
                .empty("input", "id", "barrier-selected", "type", "checkbox")
                .text(" of the selection only");
        html.close("label");
        html.element("output", "", "id", "barrier-count", "for", "barrier-filter barrier-selected");
        html.close("div").line();
        html.scroll("barrier table");
        html.add(new BarrierTable(index).write()).close("div").close("section").line();
    }

    private void resources() {
        section("resources", "Textures and buffers");
        if (plan.resources().size() > ResourceTable.MAX_ROWS) {
            cut(ResourceTable.MAX_ROWS, "textures and buffers are listed");
        }
        String withoutPicture = execution == null ? NOT_EXECUTED : "not captured";
        html.add(new ResourceTable(index, thumbnails, withoutPicture).write())
                .close("section")
                .line();
    }

    private void times() {
        section(
                "times",
                "Predicted and measured times",
                "Shares are of the sum over all passes; the difference is measured share less predicted share.");
        if (predicted.spans().size() > TimesTable.MAX_ROWS) {
            cut(TimesTable.MAX_ROWS, "passes are listed");
        }
        html.scroll("times");
        html.add(new TimesTable(index, predicted, measured).write());
        asyncGains();
        if (execution != null && !execution.statistics().passCounts().isEmpty()) {
            html.add(new CountsTable(index, execution.statistics().passCounts()).write());
        }
        if (!plan.compileTimes().isEmpty()) {
            html.add(new CompileTable(plan.compileTimes()).write());
        }
        html.close("div").close("section").line();
    }

    /** What is gained is found by the times of whole frames, once for each region. */
    private void asyncGains() {
        if (execution == null || measured == null || plan.passes().size() > TimesTable.MAX_ROWS) {
            return;
        }
        AsyncGains gains = AsyncGains.of(plan, execution.statistics());
        if (gains.regions().isEmpty()) {
            return;
        }
        html.element(
                "p",
                "The longest chain of passes takes " + Units.time(gains.criticalNanos())
                        + ", on the graphics queue alone " + Units.time(gains.serialNanos())
                        + ". A predicted gain is the most that a region can save: passes that run at once may hold"
                        + " each other up, and waits count nothing.");
        if (gains.regions().size() > AsyncTable.MAX_ROWS) {
            cut(AsyncTable.MAX_ROWS, "regions beside the graphics queue are listed");
        }
        html.add(new AsyncTable(gains).write());
    }

    private void warnings() {
        List<PlanWarning> warnings = plan.warnings();
        section("warnings", "Warnings", warnings.isEmpty() ? "None." : "");
        if (!warnings.isEmpty()) {
            html.open("ul", "id", "warning-list");
            for (PlanWarning warning : warnings.subList(0, Math.min(MAX_LISTED, warnings.size()))) {
                html.open("li")
                        .element("code", warning.code().name())
                        .text(" " + warning.message())
                        .close("li");
            }
            html.close("ul");
            if (warnings.size() > MAX_LISTED) {
                cut(MAX_LISTED, "of " + warnings.size() + " are listed");
            }
        }
        html.close("section").line();
    }

    private void details() {
        html.open("aside", "id", "details", "aria-label", "Selection");
        html.open("p").element("label", "Find ", "for", "search");
        html.empty("input", "id", "search", "type", "search", "autocomplete", "off", "placeholder", "part of a name");
        html.element("output", "", "id", "found", "for", "search").close("p");
        html.open("p").element("label", "Show ", "for", "jump");
        html.open("select", "id", "jump")
                .element("option", "pass or resource …", "value", "")
                .close("select");
        html.element("button", "clear", "type", "button", "id", "clear").close("p");
        html.open("div", "aria-live", "polite");
        html.element("h2", "Nothing selected", "id", "details-title");
        html.open("ul", "id", "details-lines").close("ul");
        html.close("div").close("aside").line();
    }
}
