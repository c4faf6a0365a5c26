package io.frameloom.rdg.tools.report;

import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.rdg.BarrierSplit;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The barriers in order of submission, each with its reason. */
final class BarrierTable {
    /** Barriers beyond which only the first ones are listed. */
    static final int MAX_ROWS = 5_000;

    private static final List<String> COLUMNS =
            List.of("#", "Where", "Pass", "Queue", "Resource", "Reason", "Range", "Layout", "Waits for", "Holds back");

    private final PlanIndex index;
    private final Markup html = new Markup();
    private int rows;

    BarrierTable(PlanIndex index) {
        this.index = index;
    }

    Markup write() {
        html.sortable("barrier-table", COLUMNS, Set.of());
        // Passes that go on with the render pass of the one before.
        Set<Integer> inside = index.plan.renderPasses().stream()
                .flatMap(shared -> shared.passes().stream().skip(1))
                .collect(Collectors.toSet());
        for (int pass : index.order) {
            PassPlan plan = index.pass(pass);
            String before = inside.contains(pass) ? "before, inside of the render pass" : "before";
            plan.before().forEach(barrier -> row(before, plan, barrier));
            plan.after().forEach(barrier -> row("after", plan, barrier));
        }
        return html.close("tbody").close("table").line();
    }

    private void row(String where, PassPlan pass, PlanBarrier barrier) {
        if (++rows > MAX_ROWS) {
            return;
        }
        ResourcePlan resource = index.plan.resources().get(barrier.resource());
        html.open("tr", "data-pass", pass.index(), "data-resource", resource.index());
        html.element("td", String.valueOf(rows), "data-sort", rows);
        html.element("td", where);
        html.nameCell(pass.name(), "pass", pass.index());
        html.element("td", index.queueName(pass.queue()));
        html.nameCell(resource.name(), "resource", resource.index());
        html.element("td", barrier.reason() + BarrierSplit.describe(index.plan, barrier), "class", "reason");
        html.element("td", range(barrier));
        html.element("td", layouts(resource, barrier), "class", "layout");
        html.element("td", scope(barrier.scope().srcStages(), barrier.scope().srcAccess()), "class", "scope");
        html.element("td", scope(barrier.scope().dstStages(), barrier.scope().dstAccess()), "class", "scope");
        html.close("tr").line();
    }

    private static String scope(int stages, int access) {
        String text = PipelineStage.describe(stages) + (access == 0 ? "" : ": " + MemoryAccess.describe(access));
        return text.replace("|", " | ");
    }

    private static String layouts(ResourcePlan resource, PlanBarrier barrier) {
        String ownership = barrier.ownership() == null
                ? ""
                : ", family " + barrier.ownership().from() + " → "
                        + barrier.ownership().to();
        if (!resource.texture()) {
            return "–" + ownership;
        }
        return (barrier.oldLayout() == barrier.newLayout()
                        ? barrier.newLayout().name()
                        : barrier.oldLayout() + " → " + barrier.newLayout())
                + ownership;
    }

    private String range(PlanBarrier barrier) {
        String part = barrier.part(index.plan);
        return part.isEmpty() ? "all" : part;
    }
}
