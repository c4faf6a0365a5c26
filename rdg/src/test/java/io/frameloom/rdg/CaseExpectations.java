package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.frameloom.gpu.PipelineStage;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import io.frameloom.rdg.PlanDerivation.DependencyKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/** Compares a plan with the expectations of a case, one comparator per key; knows the compiler by its plan only. */
final class CaseExpectations {
    private final FramePlan plan;
    private final JsonNode root;

    CaseExpectations(FramePlan plan, JsonNode root) {
        this.plan = plan;
        this.root = root;
    }

    /** Compares one key; returns false if there is no comparator for it. */
    boolean check(String key, JsonNode expected) {
        switch (key) {
            case "culled" -> sameSet(culled(), strings(expected));
            case "levels" -> levels(expected);
            case "levelCount" -> assertThat(levelCount()).isEqualTo(expected.asInt());
            case "criticalPath" -> assertThat(levelCount()).isEqualTo(expected.asInt());
            case "hazards" -> sameSet(hazards(), pairs(expected));
            case "mustPrecede" -> eachPair(expected, (a, b) -> precedes(a, b));
            case "mayReorder" -> eachPair(expected, (a, b) -> !precedes(a, b) && !precedes(b, a));
            case "order" -> assertThat(liveOrder()).isEqualTo(strings(expected));
            case "topological" -> assertThat(liveOrder()).isEqualTo(strings(expected));
            case "syncs" -> sameSet(syncs(true), pairs(expected));
            case "syncsNarrow" -> sameSet(syncs(true), pairs(expected));
            case "waitStages" -> assertThat(waitStages()).isEqualTo(rows(expected));
            case "culledSyncs" -> sameSet(syncs(false), pairs(expected));
            case "crossQueueSyncs" -> sameSet(syncs(true), pairs(withoutTransitions(expected)));
            case "batches" -> batches(expected);
            case "signals" -> assertThat(signals()).isEqualTo(expected.asInt());
            case "waits" -> assertThat(plan.waitCount()).isEqualTo(expected.asInt());
            case "epochs" -> epochs(expected, -1);
            case "epochsPerMip" -> epochs(expected, 0);
            case "epochsPerPlane" -> epochs(expected, 2);
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
            case "layoutsOf" ->
                expected.properties()
                        .forEach(e -> assertThat(layouts(e.getKey())).isEqualTo(strings(e.getValue())));
            case "barrierCountOf" ->
                expected.properties()
                        .forEach(e -> assertThat(barriersOf(e.getKey()))
                                .hasSize(e.getValue().asInt()));
            case "dstStagesOf" ->
                expected.properties()
                        .forEach(e -> assertThat(dstStages(e.getKey()))
                                .containsExactlyInAnyOrderElementsOf(strings(e.getValue())));
            case "finalLayoutOf" ->
                expected.properties()
                        .forEach(e -> assertThat(plan.resources()
                                        .get(resource(e.getKey()))
                                        .finalLayout())
                                .isEqualTo(TextureLayout.valueOf(e.getValue().asText())));
            case "noAlias" -> assertThat(plan.transientBytesWithoutAliasing()).isEqualTo(expected.asLong());
            case "lowerBound" -> assertThat(lowerBound()).isEqualTo(expected.asLong());
            case "optimum" -> assertThat(plan.heapBytes()).isEqualTo(expected.asLong());
            case "mustNotAlias" -> eachPair(expected, (a, b) -> !shareBytes(a, b));
            case "mayAlias" -> eachPair(expected, this::shareBytes);
            case "aliasable" -> sameSet(placed(), strings(expected));
            case "recordGroups" -> assertThat(recordGroups()).isEqualTo(lists(expected));
            case "serialGroups" -> assertThat(serialGroups()).isEqualTo(ints(expected));
            case "overlapsWith" ->
                expected.properties()
                        .forEach(e -> e.getValue()
                                .forEach(other -> assertThat(ordered(e.getKey(), other.asText()))
                                        .isFalse()));
            case "endOfFrameJoin" ->
                expected.forEach(pass -> assertThat(isAwaited(pass.asText())).isFalse());
            case "renderPassesStrict" ->
                assertThat(plan.renderPasses().stream()
                                .map(renderPass -> names(renderPass.passes()))
                                .toList())
                        .isEqualTo(lists(expected));
            case "renderPasses" ->
                assertThat(plan.forkRuleRenderPasses().stream().map(this::names).toList())
                        .isEqualTo(lists(expected));
            case "fork" -> regions(expected, PlanDerivation.AsyncRegion::fork, "<prologue>");
            case "join" -> regions(expected, PlanDerivation.AsyncRegion::join, "<epilogue>");
            case "forks" ->
                assertThat(plan.asyncRegions().stream()
                                .filter(region -> region.fork() >= 0)
                                .map(region -> name(region.fork()))
                                .distinct()
                                .toList())
                        .isEqualTo(strings(expected));
            case "transitions" -> expected.forEach(this::transition);
            case "loadOps" -> attachmentOps(expected, true);
            case "storeOps" -> attachmentOps(expected, false);
            default -> {
                return false;
            }
        }
        return true;
    }

    private List<String> names(List<Integer> passes) {
        return passes.stream().map(this::name).toList();
    }

    private void regions(JsonNode expected, ToIntFunction<PlanDerivation.AsyncRegion> end, String none) {
        Map<String, String> actual = new TreeMap<>();
        for (PlanDerivation.AsyncRegion region : plan.asyncRegions()) {
            int pass = end.applyAsInt(region);
            actual.put(name(region.pass()), pass < 0 ? none : name(pass));
        }
        Map<String, String> wanted = new TreeMap<>();
        expected.properties().forEach(e -> wanted.put(e.getKey(), e.getValue().asText()));
        assertThat(actual).isEqualTo(wanted);
    }

    private interface PairTest {
        boolean holds(String a, String b);
    }

    private static void eachPair(JsonNode expected, PairTest test) {
        for (JsonNode pair : expected) {
            String a = pair.get(0).asText();
            String b = pair.get(1).asText();
            assertThat(test.holds(a, b)).as(a + ", " + b).isTrue();
        }
    }

    private static void sameSet(List<String> actual, List<String> expected) {
        assertThat(actual).containsExactlyInAnyOrderElementsOf(expected);
    }

    private List<String> culled() {
        return plan.passes().stream()
                .filter(PassPlan::culled)
                .map(PassPlan::name)
                .toList();
    }

    private List<String> liveOrder() {
        return plan.passes().stream()
                .filter(pass -> pass.level() >= 0)
                .map(PassPlan::name)
                .toList();
    }

    private void levels(JsonNode expected) {
        Map<String, Integer> actual = new TreeMap<>();
        for (PassPlan pass : plan.passes()) {
            if (pass.level() >= 0) {
                actual.put(pass.name(), pass.level());
            }
        }
        Map<String, Integer> wanted = new TreeMap<>();
        expected.properties().forEach(e -> wanted.put(e.getKey(), e.getValue().asInt()));
        assertThat(actual).isEqualTo(wanted);
    }

    private int levelCount() {
        return plan.passes().stream().mapToInt(PassPlan::level).max().orElse(-1) + 1;
    }

    private List<String> hazards() {
        List<String> result = new ArrayList<>();
        for (PlanDerivation.Dependency dependency : plan.dependencies()) {
            for (DependencyKind kind : dependency.kinds()) {
                String code = switch (kind) {
                    case READ_AFTER_WRITE -> "RAW";
                    case WRITE_AFTER_READ -> "WAR";
                    case WRITE_AFTER_WRITE -> "WAW";
                    case LAYOUT -> "LAYOUT";
                    case DECLARED -> "DECLARED";
                };
                result.add(name(dependency.from()) + " " + name(dependency.to()) + " " + code);
            }
        }
        return result;
    }

    private List<String> syncs(boolean waited) {
        return plan.dependencies().stream()
                .filter(d -> d.crossQueue() && d.waited() == waited)
                .map(d -> name(d.from()) + " " + name(d.to()))
                .toList();
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

    /** Reads a transition {@code T:x} that sits at the tail of its writer's submission as that writer. */
    private JsonNode withoutTransitions(JsonNode expected) {
        ArrayNode result = JsonNodeFactory.instance.arrayNode();
        for (JsonNode pair : expected) {
            ArrayNode mapped = result.addArray();
            for (JsonNode end : pair) {
                String name = end.asText();
                mapped.add(name.startsWith("T:") ? lastWriter(name.substring(2)) : name);
            }
        }
        return result;
    }

    private String lastWriter(String resource) {
        for (PlanDerivation.Epoch epoch : plan.epochs()) {
            if (epoch.resource() == resource(resource) && epoch.write()) {
                return name(epoch.passes().get(0));
            }
        }
        throw new AssertionError("no writer of " + resource);
    }

    private void batches(JsonNode expected) {
        Map<String, List<List<String>>> actual = new LinkedHashMap<>();
        for (FramePlan.Batch batch : plan.batches()) {
            actual.computeIfAbsent(plan.queues().queues().get(batch.queue()).name(), q -> new ArrayList<>())
                    .add(batch.passes().stream().map(this::name).toList());
        }
        Map<String, List<List<String>>> wanted = new LinkedHashMap<>();
        expected.properties().forEach(e -> wanted.put(e.getKey(), lists(e.getValue())));
        assertThat(actual).isEqualTo(wanted);
    }

    private int signals() {
        return (int) plan.batches().stream().filter(FramePlan.Batch::signals).count();
    }

    private void epochs(JsonNode expected, int axis) {
        expected.properties().forEach(e -> {
            int resource = resource(e.getKey());
            if (axis < 0) {
                assertThat(epochsAt(resource, -1, 0)).isEqualTo(lists(e.getValue()));
            } else {
                e.getValue()
                        .properties()
                        .forEach(slice -> assertThat(epochsAt(resource, axis, Integer.parseInt(slice.getKey())))
                                .isEqualTo(lists(slice.getValue())));
            }
        });
    }

    private List<List<String>> epochsAt(int resource, int axis, int at) {
        return plan.epochs().stream()
                .filter(epoch -> epoch.resource() == resource)
                .filter(epoch -> axis < 0 || (epoch.range() != null && contains(epoch.range(), axis, at)))
                .map(epoch -> epoch.passes().stream().map(this::name).toList())
                .toList();
    }

    private static boolean contains(SubresourceRange range, int axis, int at) {
        int base = axis == 0 ? range.baseMip() : range.basePlane();
        int count = axis == 0 ? range.mipCount() : range.planeCount();
        return base <= at && at < base + count;
    }

    private List<String> layouts(String resource) {
        return plan.epochs().stream()
                .filter(epoch -> epoch.resource() == resource(resource))
                .map(epoch -> epoch.layout().name())
                .toList();
    }

    private List<PlanBarrier> barriersOf(String resource) {
        List<PlanBarrier> result = new ArrayList<>();
        for (PassPlan pass : plan.passes()) {
            result.addAll(pass.before());
            result.addAll(pass.after());
        }
        result.removeIf(barrier -> barrier.resource() != resource(resource));
        return result;
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
        return (int) barriersOf(resource).stream()
                .filter(CaseExpectations::isTransition)
                .count();
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
                pass.before().stream()
                        .filter(CaseExpectations::isTransition)
                        .forEach(b -> order.add(
                                "T:" + plan.resources().get(b.resource()).name()));
                if (pass.level() >= 0) {
                    order.add(pass.name());
                }
                pass.after().stream()
                        .filter(CaseExpectations::isTransition)
                        .forEach(b -> order.add(
                                "T:" + plan.resources().get(b.resource()).name()));
            }
        }
        return order;
    }

    /** The pass that carries the last barrier of a resource. */
    private String barrierHost(String resource) {
        String host = "";
        for (FramePlan.Batch batch : plan.batches()) {
            for (int p : batch.passes()) {
                PassPlan pass = plan.passes().get(p);
                boolean carries = pass.before().stream().anyMatch(b -> b.resource() == resource(resource))
                        || pass.after().stream().anyMatch(b -> b.resource() == resource(resource));
                host = carries ? pass.name() : host;
            }
        }
        return host;
    }

    private Set<String> dstStages(String resource) {
        List<PlanBarrier> barriers = barriersOf(resource);
        return stageNames(barriers.get(barriers.size() - 1).scope().dstStages());
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

    private long lowerBound() {
        return plan.heaps().stream().mapToLong(FramePlan.HeapPlan::lowerBound).sum();
    }

    private List<String> placed() {
        return plan.resources().stream()
                .filter(r -> r.heap() >= 0)
                .map(FramePlan.ResourcePlan::name)
                .toList();
    }

    private boolean shareBytes(String a, String b) {
        FramePlan.ResourcePlan first = plan.resources().get(resource(a));
        FramePlan.ResourcePlan second = plan.resources().get(resource(b));
        return first.heap() >= 0
                && first.heap() == second.heap()
                && first.offset() < second.offset() + second.bytes()
                && second.offset() < first.offset() + first.bytes();
    }

    private List<List<String>> recordGroups() {
        return plan.recordingGroups().stream()
                .map(group -> group.passes().stream().map(this::name).toList())
                .toList();
    }

    private List<Integer> serialGroups() {
        return plan.recordingGroups().stream()
                .filter(FramePlan.RecordingGroup::serial)
                .map(FramePlan.RecordingGroup::index)
                .toList();
    }

    /** Whether dependencies order the passes; the order of a queue does not count. */
    private boolean precedes(String a, String b) {
        boolean[] reached = new boolean[plan.passes().size()];
        reached[pass(a)] = true;
        for (PlanDerivation.Dependency dependency : plan.dependencies()) {
            reached[dependency.to()] |= reached[dependency.from()];
        }
        return reached[pass(b)] && pass(a) != pass(b);
    }

    /** Whether queues and waits order the passes. */
    private boolean ordered(String a, String b) {
        PlanOrder order = new PlanOrder(plan);
        return order.before(pass(a), pass(b)) || order.before(pass(b), pass(a));
    }

    private boolean isAwaited(String pass) {
        return plan.batches().stream()
                .filter(batch -> batch.passes().contains(pass(pass)))
                .anyMatch(FramePlan.Batch::signals);
    }

    private void transition(JsonNode expected) {
        List<PlanBarrier> matching = barriersOf(expected.get("r").asText()).stream()
                .filter(b -> b.oldLayout().name().equals(expected.get("from").asText())
                        && b.newLayout().name().equals(expected.get("to").asText()))
                .toList();
        assertThat(matching).hasSize(expected.path("count").asInt(1));
        PlanOrder order = new PlanOrder(plan);
        for (JsonNode after : expected.get("after")) {
            for (JsonNode before : expected.get("before")) {
                assertThat(order.before(pass(after.asText()), pass(before.asText())))
                        .isTrue();
            }
        }
    }

    private void attachmentOps(JsonNode expected, boolean load) {
        expected.properties().forEach(e -> {
            List<String> actual = new ArrayList<>();
            for (PassPlan pass : plan.passes()) {
                RenderTargets targets = pass.targets();
                if (targets == null) {
                    continue;
                }
                for (RenderTargets.Color color : targets.colors()) {
                    if (color.resource() == resource(e.getKey())) {
                        actual.add(load ? color.load().name() : color.store().name());
                    }
                }
                RenderTargets.Depth depth = targets.depth();
                if (depth != null && depth.resource() == resource(e.getKey())) {
                    actual.add(load ? depth.load().name() : depth.store().name());
                }
            }
            assertThat(actual.stream().map(String::toLowerCase).collect(Collectors.toSet()))
                    .isEqualTo(Set.of(e.getValue().asText()));
        });
    }

    private String name(int pass) {
        return plan.passes().get(pass).name();
    }

    private int pass(String name) {
        for (PassPlan pass : plan.passes()) {
            if (pass.name().equals(name)) {
                return pass.index();
            }
        }
        throw new AssertionError("no pass " + name + " in " + root.get("id"));
    }

    private int resource(String name) {
        for (FramePlan.ResourcePlan resource : plan.resources()) {
            if (resource.name().equals(name)) {
                return resource.index();
            }
        }
        throw new AssertionError("no resource " + name + " in " + root.get("id"));
    }

    private static List<String> strings(JsonNode array) {
        List<String> result = new ArrayList<>();
        array.forEach(node -> result.add(node.asText()));
        return result;
    }

    private static List<Integer> ints(JsonNode array) {
        List<Integer> result = new ArrayList<>();
        array.forEach(node -> result.add(node.asInt()));
        return result;
    }

    private static List<List<String>> lists(JsonNode array) {
        List<List<String>> result = new ArrayList<>();
        array.forEach(node -> result.add(strings(node)));
        return result;
    }

    private static List<String> pairs(JsonNode array) {
        return lists(array).stream().map(pair -> String.join(" ", pair)).toList();
    }
}
