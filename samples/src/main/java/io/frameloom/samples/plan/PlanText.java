package io.frameloom.samples.plan;

import io.frameloom.gpu.internal.Plural;
import io.frameloom.rdg.BarrierSplit;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.options.PrintableText;
import io.frameloom.rdg.tools.GraphFile;
import io.frameloom.samples.ByteSize;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Locale;

/** Prints a plan for people. */
final class PlanText {
    private final GraphFile.Compiled compiled;
    private final PrintWriter out;

    PlanText(GraphFile.Compiled compiled, PrintWriter out) {
        this.compiled = compiled;
        this.out = out;
    }

    void print() {
        FramePlan plan = compiled.plan();
        line(compiled.id());
        if (plan == null) {
            compiled.facts().forEach((key, value) -> line("  " + key + ": " + value));
            return;
        }
        if (plan.passes().isEmpty()) {
            line("  no passes: the plan does nothing");
            return;
        }
        out.printf(
                Locale.ROOT,
                "  %s, %d culled, %s; %s, %s, %s in %s%n",
                Plural.of(plan.passes().size() - plan.culledCount(), "pass"),
                plan.culledCount(),
                Plural.of(
                        plan.passes().stream()
                                .mapToInt(pass -> pass.level() + 1)
                                .max()
                                .orElse(0),
                        "level"),
                Plural.of(plan.batches().size(), "batch"),
                Plural.of(plan.waitCount(), "wait"),
                Plural.of(plan.barrierCount(), "barrier"),
                Plural.of(barrierCalls(plan), "call"));
        out.printf(
                Locale.ROOT,
                "  transients: %s, %s without sharing, at least %s%n",
                ByteSize.of(plan.heapBytes()),
                ByteSize.of(plan.transientBytesWithoutAliasing()),
                ByteSize.of(plan.heaps().stream()
                        .mapToLong(FramePlan.HeapPlan::lowerBound)
                        .sum()));
        if (!plan.scheduleRefusal().isEmpty()) {
            line("  in the program's order: " + plan.scheduleRefusal());
        }
        int[] first = firstOfRenderPass(plan);
        for (FramePlan.Batch batch : plan.batches()) {
            line("  batch " + batch.index() + " on "
                    + plan.queues().queues().get(batch.queue()).name() + (batch.signals() ? ", signals" : ""));
            for (FramePlan.BatchWait wait : batch.waits()) {
                line("    waits for batch " + wait.batch() + ": " + wait.reason());
            }
            batch.passes().forEach(pass -> pass(plan, pass, first[pass]));
        }
        for (FramePlan.PassPlan pass : plan.passes()) {
            if (pass.culled()) {
                line("  culled " + pass.name() + ": " + pass.cullReason());
            }
        }
        compiled.warnings().forEach(warning -> line("  warning: " + warning));
    }

    private void pass(FramePlan plan, int index, int first) {
        FramePlan.PassPlan pass = plan.passes().get(index);
        String shared = first == index
                ? ""
                : " (in the render pass of " + plan.passes().get(first).name() + ")";
        line("    " + pass.name() + shared);
        String before = first == index ? "before" : "before, inside of the render pass";
        pass.before().forEach(barrier -> barrier(plan, before, barrier));
        pass.after().forEach(barrier -> barrier(plan, "after", barrier));
    }

    private static long barrierCalls(FramePlan plan) {
        return plan.passes().stream()
                .mapToInt(pass ->
                        (pass.before().isEmpty() ? 0 : 1) + (pass.after().isEmpty() ? 0 : 1))
                .sum();
    }

    /** Returns for each pass the first of its render pass, itself if it has none or begins one. */
    private static int[] firstOfRenderPass(FramePlan plan) {
        int[] first = new int[plan.passes().size()];
        Arrays.setAll(first, pass -> pass);
        for (FramePlan.RenderPassPlan renderPass : plan.renderPasses()) {
            for (int pass : renderPass.passes()) {
                first[pass] = renderPass.passes().get(0);
            }
        }
        return first;
    }

    private void barrier(FramePlan plan, String where, FramePlan.PlanBarrier barrier) {
        String layouts = barrier.oldLayout() == barrier.newLayout()
                ? ""
                : " " + barrier.oldLayout() + " -> " + barrier.newLayout();
        String part = barrier.part(plan);
        line("      " + where + ": " + plan.resources().get(barrier.resource()).name()
                + (part.isEmpty() ? "" : " (" + part + ")") + layouts + ": " + barrier.reason()
                + BarrierSplit.describe(plan, barrier));
    }

    private void line(String text) {
        out.println(PrintableText.of(text));
    }
}
