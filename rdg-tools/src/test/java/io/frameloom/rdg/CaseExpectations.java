package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.PlanDerivation.DependencyKind;
import io.frameloom.rdg.tools.facts.UnrealCulling;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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
            case "culledUe4" -> sameSet(new UnrealCulling(plan).culled(), strings(expected));
            case "levels" -> levels(expected);
            case "levelCount" -> assertThat(levelCount()).isEqualTo(expected.asInt());
            case "criticalPath" -> assertThat(levelCount()).isEqualTo(expected.asInt());
            case "hazards" -> sameSet(hazards(), pairs(expected));
            case "mustPrecede" -> eachPair(expected, (a, b) -> precedes(a, b));
            case "mayReorder", "mustNotOrder" -> eachPair(expected, (a, b) -> !precedes(a, b) && !precedes(b, a));
            case "order" -> assertThat(liveOrder()).isEqualTo(strings(expected));
            case "topological" -> assertThat(liveOrder()).isEqualTo(strings(expected));
            case "syncs" -> sameSet(syncs(true), pairs(expected));
            case "syncsNarrow" -> sameSet(syncs(true), pairs(expected));
            case "culledSyncs" -> sameSet(syncs(false), pairs(expected));
            case "batches" -> batches(expected);
            case "signals" -> assertThat(signals()).isEqualTo(expected.asInt());
            case "waits" -> assertThat(plan.waitCount()).isEqualTo(expected.asInt());
            case "epochs" -> epochs(expected, -1);
            case "epochsPerMip" -> epochs(expected, 0);
            case "epochsPerPlane" -> epochs(expected, 2);
            case "layoutsOf" ->
                expected.properties()
                        .forEach(e -> assertThat(layouts(e.getKey())).isEqualTo(strings(e.getValue())));
            case "finalLayoutOf" ->
                expected.properties()
                        .forEach(e -> assertThat(plan.resources()
                                        .get(resource(e.getKey()))
                                        .finalLayout()
                                        .name())
                                .isEqualTo(e.getValue().asText()));
            case "noAlias" -> assertThat(plan.transientBytesWithoutAliasing()).isEqualTo(expected.asLong());
            case "lowerBound" -> assertThat(lowerBound()).isEqualTo(expected.asLong());
            case "optimum" -> assertThat(plan.heapBytes()).isEqualTo(expected.asLong());
            case "mustNotAlias" -> eachPair(expected, (a, b) -> !shareBytes(a, b));
            case "mayAlias" -> eachPair(expected, this::shareBytes);
            case "aliasable" -> sameSet(placed(), strings(expected));
            case "recordGroups" -> assertThat(recordGroups()).isEqualTo(lists(expected));
            case "serialGroups" -> assertThat(serialGroups()).isEqualTo(ints(expected));
            case "renderPassesStrict" ->
                assertThat(plan.renderPasses().stream()
                                .map(renderPass -> names(renderPass.passes()))
                                .toList())
                        .isEqualTo(lists(expected));
            case "renderPasses" ->
                assertThat(plan.forkRuleRenderPasses().stream().map(this::names).toList())
                        .isEqualTo(lists(expected));
            case "lazilyAllocated" ->
                sameSet(
                        plan.resources().stream()
                                .filter(FramePlan.ResourcePlan::lazy)
                                .map(FramePlan.ResourcePlan::name)
                                .toList(),
                        strings(expected));
            case "transientBytes" -> assertThat(plan.heapBytes()).isEqualTo(expected.asLong());
            case "planReuse" -> planReuse(expected.asBoolean());
            case "witness" -> witness(expected);
            case "loadOps" -> attachmentOps(expected, true);
            case "storeOps" -> attachmentOps(expected, false);
            default -> {
                return new CaseBarriers(plan, root).check(key, expected)
                        || new CaseQueues(plan, root).check(key, expected)
                        || new CaseSchedule(plan).check(key, expected);
            }
        }
        return true;
    }

    /** An equal graph gets the same plan, one of which a pass is recorded otherwise does not. */
    private void planReuse(boolean expected) {
        assertThat(CaseGraph.sharesPlan(root, root)).isEqualTo(expected);
        ObjectNode other = root.deepCopy();
        ObjectNode pass = (ObjectNode) other.get("passes").get(0);
        pass.withArray("flags").add("neverParallel");
        assertThat(CaseGraph.sharesPlan(root, other)).isFalse();
        for (JsonNode variant : root.path("variants")) {
            String change = variant.get("change").asText();
            assertThat(CaseGraph.sharesPlan(root, CaseVariants.changed(root, change)))
                    .as(change)
                    .isEqualTo(variant.get("samePlan").asBoolean());
        }
    }

    /** The offsets are a placement by the lifetimes of the plan, and reach what the case says is the least. */
    private void witness(JsonNode expected) {
        PlanOrder order = new PlanOrder(plan);
        long end = 0;
        for (Map.Entry<String, JsonNode> a : expected.properties()) {
            FramePlan.ResourcePlan first = plan.resources().get(resource(a.getKey()));
            long begin = a.getValue().asLong();
            end = Math.max(end, begin + first.bytes());
            for (Map.Entry<String, JsonNode> b : expected.properties()) {
                FramePlan.ResourcePlan second = plan.resources().get(resource(b.getKey()));
                boolean apart = begin + first.bytes() <= b.getValue().asLong()
                        || b.getValue().asLong() + second.bytes() <= begin;
                assertThat(apart
                                || first.index() == second.index()
                                || entirelyBefore(order, first, second)
                                || entirelyBefore(order, second, first))
                        .as(a.getKey() + " and " + b.getKey())
                        .isTrue();
            }
        }
        assertThat(end).isEqualTo(root.get("expect").get("optimum").asLong());
    }

    private boolean entirelyBefore(PlanOrder order, FramePlan.ResourcePlan a, FramePlan.ResourcePlan b) {
        return users(a).allMatch(first -> users(b).allMatch(second -> order.before(first, second)));
    }

    private IntStream users(FramePlan.ResourcePlan resource) {
        return plan.passes().stream()
                .filter(pass -> !pass.culled())
                .filter(pass -> pass.uses().stream().anyMatch(use -> use.resource() == resource.index()))
                .mapToInt(PassPlan::index);
    }

    private List<String> names(List<Integer> passes) {
        return passes.stream().map(this::name).toList();
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
