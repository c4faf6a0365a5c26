package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Compares the barriers of a plan with the expectations of a case, by value. This compiler puts a change of layout behind
 * its writer where a case has it before the first reader; between the two it makes no difference.
 */
final class CaseBarriers {
    /** All of what has neither mips nor layers nor planes. */
    private static final String WHOLE = "0+1,0+1,0+1";

    private final FramePlan plan;
    private final JsonNode root;
    private final PlanOrder order;
    private final List<Placed> all = new ArrayList<>();

    /** A barrier before or behind a pass. */
    private record Placed(PassPlan pass, boolean after, PlanBarrier barrier) {}

    CaseBarriers(FramePlan plan, JsonNode root) {
        this.plan = plan;
        this.root = root;
        order = new PlanOrder(plan);
        for (PassPlan pass : plan.passes()) {
            pass.before().forEach(barrier -> all.add(new Placed(pass, false, barrier)));
            pass.after().forEach(barrier -> all.add(new Placed(pass, true, barrier)));
        }
    }

    /** Compares one key; returns false if there is no comparator for it. */
    boolean check(String key, JsonNode expected) {
        switch (key) {
            case "barrierCountOf" ->
                expected.properties()
                        .forEach(e ->
                                assertThat(of(e.getKey())).hasSize(e.getValue().asInt()));
            case "dstStagesOf" ->
                expected.properties()
                        .forEach(e -> assertThat(lastStages(e.getKey()))
                                .containsExactlyInAnyOrderElementsOf(strings(e.getValue())));
            case "barriers" -> {
                assertThat(rows()).containsExactlyInAnyOrderElementsOf(rows(expected));
            }
            case "barrierCount" -> assertThat(rows()).hasSize(expected.asInt());
            case "barrierBatches" ->
                assertThat(rows().stream().map(row -> row.get(0)).distinct()).hasSize(expected.asInt());
            case "transitions", "transitionHosts" ->
                expected.forEach(row -> transition(row, key.equals("transitions")));
            case "mustPrecedeWithTransitions" ->
                expected.forEach(pair -> assertThat(
                                precedes(pair.get(0).asText(), pair.get(1).asText()))
                        .as(pair.toString())
                        .isTrue());
            case "split" -> assertThat(splits()).containsExactlyInAnyOrderElementsOf(splits(expected));
            case "noSplit" -> assertThat(whole()).containsExactlyInAnyOrderElementsOf(whole(expected));
            case "crossQueueSyncs" -> assertThat(waits()).containsExactlyInAnyOrderElementsOf(pairs(expected));
            default -> {
                return false;
            }
        }
        return true;
    }

    private List<Placed> of(String resource) {
        return all.stream()
                .filter(placed -> placed.barrier.resource() == resource(resource))
                .toList();
    }

    private Set<String> lastStages(String resource) {
        List<Placed> own = of(resource);
        return stages(own.get(own.size() - 1).barrier.scope().dstStages());
    }

    private static Set<String> stages(int mask) {
        Set<String> names = new TreeSet<>();
        for (PipelineStage stage : PipelineStage.values()) {
            if ((mask & stage.bit()) != 0) {
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

    /** Of what, behind and before which pass, and how many passes of the queue lie between. */
    private List<List<Object>> splits() {
        List<List<Object>> rows = new ArrayList<>();
        for (Placed placed : all) {
            BarrierSplit split = placed.barrier.split();
            if (split != null && split.begin() >= 0) {
                List<Integer> queue = plan.batches().stream()
                        .filter(batch -> batch.queue() == placed.pass.queue())
                        .flatMap(batch -> batch.passes().stream())
                        .toList();
                rows.add(List.of(
                        plan.resources().get(placed.barrier.resource()).name(),
                        name(split.begin()),
                        placed.pass.name(),
                        queue.indexOf(placed.pass.index()) - queue.indexOf(split.begin()) - 1));
            }
        }
        return rows;
    }

    private static List<List<Object>> splits(JsonNode expected) {
        List<List<Object>> rows = new ArrayList<>();
        expected.forEach(row -> rows.add(List.of(
                row.path("r").asText(),
                row.path("begin").asText(),
                row.path("end").asText(),
                row.path("gap").asInt())));
        return rows;
    }

    /** Barriers between two states of the frame that stay whole, and why. */
    private List<List<String>> whole() {
        List<List<String>> rows = new ArrayList<>();
        for (Placed placed : all) {
            BarrierSplit split = placed.barrier.split();
            SplitRefusal refusal = split == null ? null : split.refusal();
            if (refusal == SplitRefusal.ADJACENT
                    || refusal == SplitRefusal.UNTRACKED
                    || refusal == SplitRefusal.CROSS_QUEUE) {
                rows.add(List.of(
                        plan.resources().get(placed.barrier.resource()).name(),
                        placed.pass.name(),
                        refusal.name().toLowerCase(Locale.ROOT).replace('_', '-')));
            }
        }
        return rows;
    }

    private static List<List<String>> whole(JsonNode expected) {
        List<List<String>> rows = new ArrayList<>();
        expected.forEach(row -> rows.add(List.of(
                row.path("r").asText(), row.path("at").asText(), row.path("why").asText())));
        return rows;
    }

    /** Where, of what, from and to which layout; and waits of other queues for buffers, which need no barrier. */
    private List<List<String>> rows() {
        List<List<String>> rows = new ArrayList<>();
        for (Placed placed : all) {
            PlanBarrier barrier = placed.barrier;
            SubresourceRange range = barrier.range();
            String part = range == null
                    ? WHOLE
                    : range.baseMip() + "+" + range.mipCount() + "," + range.baseLayer() + "+" + range.layerCount()
                            + "," + range.basePlane() + "+" + range.planeCount();
            boolean texture = plan.resources().get(barrier.resource()).texture();
            rows.add(List.of(
                    placed.after ? name(firstBehind(placed)) : placed.pass.name(),
                    plan.resources().get(barrier.resource()).name(),
                    texture ? barrier.oldLayout() + " to " + barrier.newLayout() : "",
                    part));
        }
        for (PlanDerivation.Epoch epoch : plan.epochs()) {
            int reader = epoch.passes().get(0);
            int writer = former(epoch);
            if (epoch.range() == null && writer >= 0 && isAcross(writer, reader) && order.before(writer, reader)) {
                rows.add(List.of(
                        name(reader), plan.resources().get(epoch.resource()).name(), "", WHOLE));
            }
        }
        return rows;
    }

    /** Returns a pass of the state of a buffer before another one, or -1. */
    private int former(PlanDerivation.Epoch epoch) {
        int at = plan.epochs().indexOf(epoch);
        if (at == 0) {
            return -1;
        }
        PlanDerivation.Epoch before = plan.epochs().get(at - 1);
        boolean same = before.resource() == epoch.resource() && before.offset() == epoch.offset();
        return same ? before.passes().get(0) : -1;
    }

    private boolean isAcross(int a, int b) {
        return plan.passes().get(a).queue() != plan.passes().get(b).queue();
    }

    /** Returns the first pass that finds what a barrier behind another pass has changed. */
    private int firstBehind(Placed placed) {
        return plan.epochs().stream()
                .filter(epoch -> epoch.resource() == placed.barrier.resource())
                .filter(epoch -> epoch.layout() == placed.barrier.newLayout())
                .map(epoch -> epoch.passes().get(0))
                .filter(pass -> pass > placed.pass.index())
                .min(Integer::compare)
                .orElseThrow(() -> new AssertionError("nothing is behind " + placed));
    }

    private List<List<String>> rows(JsonNode expected) {
        List<List<String>> rows = new ArrayList<>();
        for (JsonNode row : expected) {
            boolean texture =
                    plan.resources().get(resource(row.get("r").asText())).texture();
            JsonNode mip = row.get("sub").get("mip");
            JsonNode layer = row.get("sub").get("layer");
            rows.add(List.of(
                    row.get("before").asText(),
                    row.get("r").asText(),
                    texture ? row.get("from").asText() + " to " + row.get("to").asText() : "",
                    interval(mip) + "," + interval(layer) + ","
                            + row.get("sub").get("plane").get(0).asInt() + "+"
                            + row.get("sub").get("plane").size()));
        }
        return rows;
    }

    private static String interval(JsonNode pair) {
        return pair.get(0).asInt() + "+" + (pair.get(1).asInt() - pair.get(0).asInt());
    }

    private void transition(JsonNode row, boolean counted) {
        List<Placed> matching = of(row.get("r").asText()).stream()
                .filter(placed ->
                        placed.barrier.oldLayout().name().equals(row.get("from").asText())
                                && placed.barrier
                                        .newLayout()
                                        .name()
                                        .equals(row.get("to").asText()))
                .filter(placed -> isBetween(placed, strings(row.get("after")), strings(row.get("before"))))
                .toList();
        if (counted) {
            assertThat(matching).as(row.toString()).hasSize(row.path("count").asInt(1));
        } else {
            assertThat(matching).as(row.toString()).isNotEmpty();
        }
        List<Access> former = accesses(row.get("r").asText(), strings(row.get("after")));
        List<Access> next = accesses(row.get("r").asText(), strings(row.get("before")));
        if (row.has("dstStages")) {
            for (Placed placed : matching) {
                assertThat(stages(reached(placed, row.get("r").asText(), strings(row.get("before")))))
                        .containsExactlyInAnyOrderElementsOf(strings(row.get("dstStages")));
            }
        }
        int host = host(strings(row.get("before")), Stream.concat(former.stream(), next.stream()));
        boolean moved = strings(row.get("before")).stream()
                .anyMatch(pass -> plan.passes().get(pass(pass)).queue() != host);
        assertThat(row.get("onQueue").asText())
                .isEqualTo(plan.queues().queues().get(host).name());
        assertThat(row.get("rerouted").asBoolean()).isEqualTo(moved);
        for (Placed placed : matching) {
            // The tail of the writer's queue is as good as the place of the level-wise rule.
            boolean behindWriter = placed.after && strings(row.get("after")).contains(placed.pass.name());
            assertThat(behindWriter || placed.pass.queue() == host)
                    .as("'%s' carries %s", placed.pass.name(), row)
                    .isTrue();
        }
    }

    /** Returns the stages before which a barrier comes: its own, and on other queues, which wait for it, those of the readers. */
    private int reached(Placed placed, String resource, List<String> readers) {
        int stages = placed.barrier.scope().dstStages();
        for (String reader : readers) {
            if (plan.passes().get(pass(reader)).queue() != placed.pass.queue()) {
                for (Access access : accesses(resource, List.of(reader))) {
                    stages |= access.stages();
                }
            }
        }
        return stages;
    }

    private List<Access> accesses(String resource, List<String> passes) {
        return passes.stream()
                .flatMap(pass -> plan.passes().get(pass(pass)).uses().stream())
                .filter(use -> use.resource() == resource(resource))
                .map(FramePlan.UsePlan::access)
                .toList();
    }

    /** Returns the queue of the readers if it is one that can do all, otherwise the first that can. */
    private int host(List<String> readers, Stream<Access> accesses) {
        List<Access> all = accesses.toList();
        List<Integer> queues = new ArrayList<>();
        readers.stream()
                .map(pass -> plan.passes().get(pass(pass)).queue())
                .distinct()
                .forEach(queues::add);
        if (queues.size() > 1) {
            queues.clear();
        }
        for (int queue = 0; queue < plan.queues().queues().size(); queue++) {
            queues.add(queue);
        }
        for (int queue : queues) {
            QueueKind kind = plan.queues().queues().get(queue).kind();
            if (all.stream().allMatch(access -> kind.supports(access.queue()))) {
                return queue;
            }
        }
        throw new AssertionError("no queue can do " + all);
    }

    private boolean isBetween(Placed placed, List<String> after, List<String> before) {
        return after.stream().allMatch(pass -> isAfter(placed, pass(pass)))
                && before.stream().allMatch(pass -> isBefore(placed, pass(pass)));
    }

    private boolean isAfter(Placed placed, int pass) {
        return placed.pass.index() == pass ? placed.after : order.before(pass, placed.pass.index());
    }

    private boolean isBefore(Placed placed, int pass) {
        return placed.pass.index() == pass ? !placed.after : order.before(placed.pass.index(), pass);
    }

    private boolean precedes(String a, String b) {
        if (a.startsWith("T:")) {
            return of(a.substring(2)).stream().anyMatch(placed -> !isFirst(placed) && isBefore(placed, pass(b)));
        }
        if (b.startsWith("T:")) {
            return of(b.substring(2)).stream().anyMatch(placed -> !isFirst(placed) && isAfter(placed, pass(a)));
        }
        return order.before(pass(a), pass(b));
    }

    private static boolean isFirst(Placed placed) {
        return placed.barrier.oldLayout() == TextureLayout.UNDEFINED;
    }

    /** Waits by the last pass of one and the first of the other batch; a node for a change of layout is {@code T:x}. */
    private List<List<String>> waits() {
        List<List<String>> waits = new ArrayList<>();
        for (FramePlan.Batch batch : plan.batches()) {
            for (FramePlan.BatchWait wait : batch.waits()) {
                List<Integer> source = plan.batches().get(wait.batch()).passes();
                waits.add(List.of(
                        nodeName(source.get(source.size() - 1)),
                        nodeName(batch.passes().get(0))));
            }
        }
        return waits;
    }

    private String nodeName(int node) {
        PassPlan pass = plan.passes().get(node);
        Set<String> changed = new LinkedHashSet<>();
        for (PlanBarrier barrier : pass.after()) {
            changed.add("T:" + plan.resources().get(barrier.resource()).name());
        }
        if (pass.level() < 0) {
            return pass.name().replaceFirst("^transition:", "T:");
        }
        return changed.size() == 1 ? changed.iterator().next() : pass.name();
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

    private int resource(String name) {
        return plan.resources().stream()
                .filter(resource -> resource.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no resource " + name + " in " + root.get("id")))
                .index();
    }

    private static List<String> strings(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }

    private static List<List<String>> pairs(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(CaseBarriers::strings)
                .toList();
    }
}
