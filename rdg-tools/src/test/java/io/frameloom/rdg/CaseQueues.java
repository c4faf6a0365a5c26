package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.frameloom.rdg.PlanDerivation.AsyncRegion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.stream.StreamSupport;

/** Compares what runs beside the graphics queue with the expectations of a case. */
final class CaseQueues {
    private final FramePlan plan;
    private final JsonNode root;
    private final PlanOrder order;

    CaseQueues(FramePlan plan, JsonNode root) {
        this.plan = plan;
        this.root = root;
        order = new PlanOrder(plan);
    }

    /** Compares one key; returns false if there is no comparator for it. */
    boolean check(String key, JsonNode expected) {
        switch (key) {
            case "fork" -> regions(expected, AsyncRegion::fork, "<prologue>");
            case "join" -> regions(expected, AsyncRegion::join, "<epilogue>");
            case "forks" ->
                assertThat(plan.asyncRegions().stream()
                                .filter(region -> region.fork() >= 0)
                                .map(region -> name(region.fork()))
                                .distinct()
                                .toList())
                        .isEqualTo(strings(expected));
            case "forkFences" -> assertThat(forkFences()).containsExactlyInAnyOrderElementsOf(pairs(expected));
            case "joinFencesUe" -> assertThat(joinFences()).containsExactlyInAnyOrderElementsOf(pairs(expected));
            case "extendedLifetime" ->
                expected.properties()
                        .forEach(e ->
                                assertThat(spans(e.getKey())).as(e.getKey()).containsExactly(strings(e.getValue())));
            case "overlapsWith" ->
                expected.properties()
                        .forEach(e -> e.getValue()
                                .forEach(other -> assertThat(overlap(e.getKey(), other.asText()))
                                        .as(other.asText())
                                        .isTrue()));
            case "endOfFrameJoin" -> assertThat(notAwaited()).isEqualTo(strings(expected));
            default -> {
                return false;
            }
        }
        return true;
    }

    private void regions(JsonNode expected, ToIntFunction<AsyncRegion> end, String none) {
        Map<String, String> actual = new TreeMap<>();
        for (AsyncRegion region : plan.asyncRegions()) {
            int pass = end.applyAsInt(region);
            actual.put(name(region.pass()), pass < 0 ? none : name(pass));
        }
        Map<String, String> wanted = new TreeMap<>();
        expected.properties().forEach(e -> wanted.put(e.getKey(), e.getValue().asText()));
        assertThat(actual).isEqualTo(wanted);
    }

    /** The first pass of each run of passes with one fork waits for it. */
    private List<List<String>> forkFences() {
        List<List<String>> fences = new ArrayList<>();
        int before = -1;
        for (AsyncRegion region : plan.asyncRegions()) {
            if (region.fork() >= 0 && region.fork() != before) {
                fences.add(List.of(name(region.fork()), name(region.pass())));
            }
            before = region.fork();
        }
        return fences;
    }

    /** As Unreal 4.26 has it: a join is emitted when the next pass has another one, the last at the end of the frame. */
    private List<List<String>> joinFences() {
        List<List<String>> fences = new ArrayList<>();
        List<AsyncRegion> regions = plan.asyncRegions();
        for (int i = 0; i < regions.size(); i++) {
            boolean last = i + 1 == regions.size();
            int join = last ? -1 : regions.get(i).join();
            if (last || regions.get(i + 1).join() != join) {
                fences.add(List.of(name(regions.get(i).pass()), join < 0 ? "<epilogue>" : name(join)));
            }
        }
        return fences;
    }

    /** Returns from which fork to which join the passes beside the graphics queue use a resource. */
    private List<List<String>> spans(String resource) {
        return plan.asyncRegions().stream()
                .filter(region -> plan.passes().get(region.pass()).uses().stream()
                        .anyMatch(use ->
                                plan.resources().get(use.resource()).name().equals(resource)))
                .map(region -> List.of(name(region.fork()), name(region.join())))
                .distinct()
                .toList();
    }

    private boolean overlap(String a, String b) {
        int first = pass(a);
        int second = pass(b);
        return plan.passes().get(first).queue() != plan.passes().get(second).queue()
                && !order.before(first, second)
                && !order.before(second, first);
    }

    /** Returns the last passes of queues that no pass of the graphics queue comes after. */
    private List<String> notAwaited() {
        List<String> result = new ArrayList<>();
        for (int queue = 1; queue < plan.queues().queues().size(); queue++) {
            int last = -1;
            for (FramePlan.Batch batch : plan.batches()) {
                last = batch.queue() == queue
                        ? batch.passes().get(batch.passes().size() - 1)
                        : last;
            }
            int end = last;
            boolean awaited = plan.passes().stream()
                    .anyMatch(pass -> pass.queue() == 0 && end >= 0 && order.before(end, pass.index()));
            if (last >= 0 && !awaited) {
                result.add(name(last));
            }
        }
        return result;
    }

    private String name(int pass) {
        return plan.passes().get(pass).name();
    }

    private int pass(String name) {
        return plan.passes().stream()
                .filter(pass -> pass.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no pass " + name + " in " + root.get("id")))
                .index();
    }

    private static List<String> strings(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }

    private static List<List<String>> pairs(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(CaseQueues::strings)
                .toList();
    }
}
