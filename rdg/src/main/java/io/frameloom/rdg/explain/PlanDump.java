package io.frameloom.rdg.explain;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.Batch;
import io.frameloom.rdg.FramePlan.BatchWait;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import io.frameloom.rdg.PlanDerivation.Dependency;
import io.frameloom.rdg.diagnostics.PlanDumpMode;
import io.frameloom.rdg.diagnostics.RdgListener;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.ServiceLoader;

/** Draws a plan in the DOT language ("Drawing graphs with dot", E. Gansner, E. Koutsofios, S. North). */
final class PlanDump {
    private final FramePlan plan;
    private final StringBuilder text = new StringBuilder();

    PlanDump(FramePlan plan) {
        this.plan = plan;
    }

    /**
     * Writes {@code <graph>.<mode>.dot} and, if a library provides the format, {@code <graph>.json} into a folder, which
     * is made if it is missing. Reports a file that cannot be written to {@code listener}.
     */
    void write(PlanDumpMode mode, Path folder, RdgListener listener) {
        String name = plan.name().replaceAll("[^\\p{L}\\p{N} ._+-]", "-").replaceAll("^\\.", "-");
        String suffix = mode.name().toLowerCase(Locale.ROOT);
        write(folder, name + "." + suffix + ".dot", listener, out -> out.write(dot(mode)));
        Optional<PlanFormat> format = ServiceLoader.load(PlanFormat.class, PlanFormat.class.getClassLoader())
                .findFirst();
        format.ifPresent(json -> write(folder, name + ".json", listener, out -> json.write(plan, out)));
    }

    /** What writes a file. */
    @FunctionalInterface
    private interface Contents {
        void writeTo(Writer out) throws IOException;
    }

    private void write(Path folder, String name, RdgListener listener, Contents contents) {
        Path file = folder;
        try {
            file = folder.resolve(name);
            Files.createDirectories(folder);
            try (Writer out = Files.newBufferedWriter(file)) {
                contents.writeTo(out);
            }
        } catch (IOException | RuntimeException e) {
            listener.notWritten(
                    file,
                    "the dump of graph '" + plan.name() + "' cannot be written to " + file
                            + "; name another folder with frameloom.rdg.dumpFolder, or switch frameloom.rdg.dump off",
                    UnwrittenFile.cause(e));
        }
    }

    String dot(PlanDumpMode mode) {
        text.append("digraph ").append(quoted(plan.name())).append(" {\n  node [shape=box];\n");
        switch (mode) {
            case DEPENDENCIES -> dependencies();
            case STATES -> states();
            case TIMELINE -> timeline();
            case OFF -> {}
        }
        return text.append("}\n").toString();
    }

    private void dependencies() {
        for (PassPlan pass : plan.passes()) {
            node(pass, pass.culled() ? "removed: " + pass.cullReason() : "");
        }
        for (Dependency dependency : plan.dependencies()) {
            String resource = dependency.resource() < 0
                    ? "as declared"
                    : plan.resources().get(dependency.resource()).name();
            edge("p" + dependency.from(), "p" + dependency.to(), resource);
        }
    }

    private void states() {
        for (PassPlan pass : plan.passes()) {
            if (!pass.culled()) {
                node(pass, barriers("before", pass.before()) + barriers("after", pass.after()));
            }
        }
        for (Batch batch : plan.batches()) {
            chain(batch.passes());
        }
    }

    private void timeline() {
        for (int queue = 0; queue < plan.queues().queues().size(); queue++) {
            text.append("  subgraph cluster_").append(queue).append(" {\n  label=");
            text.append(quoted(plan.queues().queues().get(queue).name())).append(";\n");
            for (Batch batch : plan.batches()) {
                if (batch.queue() == queue) {
                    batch.passes().forEach(pass -> node(plan.passes().get(pass), "batch " + batch.index()));
                    chain(batch.passes());
                }
            }
            text.append("  }\n");
        }
        for (Batch batch : plan.batches()) {
            for (BatchWait wait : batch.waits()) {
                List<Integer> signalling = plan.batches().get(wait.batch()).passes();
                edge(
                        "p" + signalling.get(signalling.size() - 1),
                        "p" + batch.passes().get(0),
                        wait.reason());
            }
        }
    }

    private String barriers(String side, List<PlanBarrier> barriers) {
        StringBuilder lines = new StringBuilder();
        for (PlanBarrier barrier : barriers) {
            lines.append(side)
                    .append(' ')
                    .append(PlanWatch.describe(plan, barrier))
                    .append('\n');
        }
        return lines.toString();
    }

    private void chain(List<Integer> passes) {
        for (int i = 1; i < passes.size(); i++) {
            edge("p" + passes.get(i - 1), "p" + passes.get(i), "");
        }
    }

    private void node(PassPlan pass, String more) {
        String label = more.isEmpty() ? pass.name() : pass.name() + "\n" + more;
        text.append("  p")
                .append(pass.index())
                .append(" [label=")
                .append(quoted(label))
                .append("];\n");
    }

    private void edge(String from, String to, String label) {
        text.append("  ").append(from).append(" -> ").append(to);
        text.append(label.isEmpty() ? ";\n" : " [label=" + quoted(label) + "];\n");
    }

    private static String quoted(String value) {
        return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }
}
