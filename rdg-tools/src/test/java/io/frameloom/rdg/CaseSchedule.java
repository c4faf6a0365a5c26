package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Compares the order of passes and barriers, and the stages that wait, with the expectations of a case. */
final class CaseSchedule {
    private final FramePlan plan;

    CaseSchedule(FramePlan plan) {
        this.plan = plan;
    }

    /** Compares one key; returns false if there is no comparator for it. */
    boolean check(String key, JsonNode expected) {
        switch (key) {
            case "waitStages" -> assertThat(waitStages()).isEqualTo(rows(expected));
            case "kindSwitches" -> assertThat(kindSwitches()).isEqualTo(expected.asInt());
            case "transitionCountOf" ->
                expected.properties()
                        .forEach(e -> assertThat(transitions(e.getKey()))
                                .isEqualTo(e.getValue().asInt()));
            case "transitionOrder" -> assertThat(withTransitions()).isEqualTo(strings(expected));
            case "barrierHost" ->
                expected.properties()
                        .forEach(e -> assertThat(barrierHost(e.getKey()))
                                .isEqualTo(e.getValue().asText()));
            default -> {
                return false;
            }
        }
        return true;
    }

    private List<String> waitStages() {
        List<String> rows = new ArrayList<>();
        for (FramePlan.Batch batch : plan.batches()) {
            for (FramePlan.BatchWait wait : batch.waits()) {
                List<Integer> source = plan.batches().get(wait.batch()).passes();
                rows.add(name(source.get(source.size() - 1)) + " "
                        + name(batch.passes().get(0)) + " " + stageNames(wait.stages()));
            }
        }
        return rows;
    }

    private static List<String> rows(JsonNode expected) {
        List<String> rows = new ArrayList<>();
        expected.forEach(row -> rows.add(row.get("after").asText() + " "
                + row.get("before").asText() + " " + new TreeSet<>(strings(row.get("stages")))));
        return rows;
    }

    private static Set<String> stageNames(int stages) {
        Set<String> names = new TreeSet<>();
        for (PipelineStage stage : PipelineStage.values()) {
            if ((stages & stage.bit()) != 0) {
                names.add(
                        switch (stage) {
                            case COMPUTE_SHADER -> "COMP";
                            case FRAGMENT_SHADER -> "FRAG";
                            case VERTEX_SHADER -> "VERT";
                            case COLOR_OUTPUT -> "COLOR_OUT";
                            default -> stage.name();
                        });
            }
        }
        return names;
    }

    private int kindSwitches() {
        Map<Integer, PassKind> last = new TreeMap<>();
        int switches = 0;
        for (FramePlan.Batch batch : plan.batches()) {
            for (int p : batch.passes()) {
                PassKind kind = plan.passes().get(p).kind();
                PassKind before = plan.passes().get(p).level() < 0 ? null : last.put(batch.queue(), kind);
                switches += before == null || before == kind ? 0 : 1;
            }
        }
        return switches;
    }

    /** Changes of layout of a resource that keep its contents. */
    private int transitions(String resource) {
        return (int) plan.passes().stream()
                .flatMap(pass -> Stream.concat(pass.before().stream(), pass.after().stream()))
                .filter(barrier -> isOf(barrier, resource) && isTransition(barrier))
                .count();
    }

    private boolean isOf(PlanBarrier barrier, String resource) {
        return plan.resources().get(barrier.resource()).name().equals(resource);
    }

    private static boolean isTransition(PlanBarrier barrier) {
        return barrier.oldLayout() != TextureLayout.UNDEFINED && barrier.oldLayout() != barrier.newLayout();
    }

    /** The passes in order of submission, the changes of layout between them by the names of their resources. */
    private List<String> withTransitions() {
        List<String> order = new ArrayList<>();
        for (FramePlan.Batch batch : plan.batches()) {
            for (int p : batch.passes()) {
                PassPlan pass = plan.passes().get(p);
                addTransitions(order, pass.before());
                if (pass.level() >= 0) {
                    order.add(pass.name());
                }
                addTransitions(order, pass.after());
            }
        }
        return order;
    }

    private void addTransitions(List<String> order, List<PlanBarrier> barriers) {
        barriers.stream()
                .filter(CaseSchedule::isTransition)
                .forEach(barrier -> order.add(
                        "T:" + plan.resources().get(barrier.resource()).name()));
    }

    /** The pass that carries the last barrier of a resource. */
    private String barrierHost(String resource) {
        String host = "";
        for (FramePlan.Batch batch : plan.batches()) {
            for (int p : batch.passes()) {
                PassPlan pass = plan.passes().get(p);
                boolean carries = Stream.concat(pass.before().stream(), pass.after().stream())
                        .anyMatch(barrier -> isOf(barrier, resource));
                host = carries ? pass.name() : host;
            }
        }
        return host;
    }

    private String name(int pass) {
        return plan.passes().get(pass).name();
    }

    private static List<String> strings(JsonNode array) {
        List<String> names = new ArrayList<>();
        array.forEach(node -> names.add(node.asText()));
        return names;
    }
}
