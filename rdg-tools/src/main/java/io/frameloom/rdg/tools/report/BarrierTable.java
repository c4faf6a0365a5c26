package io.frameloom.rdg.tools.report;

import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.BarrierSplit;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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
        for (int pass : index.order) {
            PassPlan plan = index.pass(pass);
            plan.before().forEach(barrier -> row("before", plan, barrier));
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
        html.open("td", "class", "name")
                .element("button", pass.name(), "type", "button", "class", "link", "data-pass", pass.index());
        html.close("td");
        html.element("td", index.queueName(pass.queue()));
        html.open("td", "class", "name")
                .element(
                        "button",
                        resource.name(),
                        "type",
                        "button",
                        "class",
                        "link",
                        "data-resource",
                        resource.index());
        html.close("td");
        html.element("td", barrier.reason() + BarrierSplit.describe(index.plan, barrier), "class", "reason");
        html.element("td", range(resource, barrier.range(), barrier.offset(), barrier.bytes()));
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

    static String range(ResourcePlan resource, @Nullable SubresourceRange range, long offset, long bytes) {
        TextureDescription texture = resource.textureDescription();
        if (range == null || texture == null) {
            return offset == 0 && bytes == PassCosts.bytes(resource) ? "all" : offset + "+" + bytes + " B";
        }
        if (range.equals(SubresourceRange.all(texture))) {
            return "all";
        }
        StringBuilder text = new StringBuilder();
        part(text, "mip", range.baseMip(), range.mipCount(), texture.mips());
        part(text, "layer", range.baseLayer(), range.layerCount(), texture.layers());
        part(
                text,
                "plane",
                range.basePlane(),
                range.planeCount(),
                texture.format().planes());
        return text.toString();
    }

    private static void part(StringBuilder text, String name, int base, int count, int all) {
        if (base != 0 || count != all) {
            text.append(text.isEmpty() ? "" : ", ").append(name).append(' ').append(base);
            if (count > 1) {
                text.append('–').append(base + count - 1);
            }
        }
    }
}
