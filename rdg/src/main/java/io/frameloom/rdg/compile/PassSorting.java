package io.frameloom.rdg.compile;

import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.RdgError;
import io.frameloom.rdg.RdgError.Code;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Brings an unordered set of passes into an order: readers after the writer of each cell, and what the application
 * declares. Of the passes that may come next, the one declared first does (A. B. Kahn, "Topological sorting of large
 * networks", 1962), so that the result is one and the same for one set. Circles are found as strongly connected
 * components (R. Tarjan, "Depth-first search and linear graph algorithms", 1972).
 *
 * <p>A cell has one writer, or writers that the declared orders put in a row: a reader then comes after all of them but
 * those that are declared to come after it. A pass with undeclared accesses stays between those that are declared before
 * and behind it.
 */
final class PassSorting {
    private final DeclaredGraph graph;
    private final SubresourceMap map;
    private final List<RdgError> errors;
    /** By pass: those that come after it by a declared order. */
    private final List<List<Integer>> declaredNext = new ArrayList<>();
    /** By pass: those that come after it by any order. */
    private final List<IntList> next = new ArrayList<>();

    private PassSorting(DeclaredGraph graph, SubresourceMap map, List<RdgError> errors) {
        this.graph = graph;
        this.map = map;
        this.errors = errors;
    }

    /** Returns the passes in order; null, and the errors why, if there is no order. */
    static int @Nullable [] sort(DeclaredGraph graph, SubresourceMap map, List<RdgError> errors) {
        PassSorting sorting = new PassSorting(graph, map, errors);
        int before = errors.size();
        sorting.edges();
        if (errors.size() > before) {
            return null;
        }
        int[] order = sorting.order();
        return order.length == graph.passes().size() ? order : null;
    }

    private void edges() {
        int passes = graph.passes().size();
        for (int p = 0; p < passes; p++) {
            next.add(new IntList(4));
            declaredNext.add(new ArrayList<>(0));
        }
        for (DeclaredGraph.Pass pass : graph.passes()) {
            for (int earlier : pass.after()) {
                declared(earlier, pass.index());
            }
        }
        fences();
        BitSet[] declaredAfter = new BitSet[passes];
        Set<Integer> reported = new HashSet<>();
        List<IntList> touches = touchesByCell();
        for (int cell = 0; cell < map.cells(); cell++) {
            IntList all = touches.get(cell);
            for (int i = 0; i < all.size(); i++) {
                int writer = map.touchPass[all.get(i)];
                if ((map.touchFlags[all.get(i)] & SubresourceMap.WRITES) == 0) {
                    continue;
                }
                for (int j = 0; j < all.size(); j++) {
                    int other = map.touchPass[all.get(j)];
                    boolean writes = (map.touchFlags[all.get(j)] & SubresourceMap.WRITES) != 0;
                    if (writes && j > i && !ordered(declaredAfter, writer, other)) {
                        if (reported.add(map.cellResource[cell])) {
                            multiWriter(map.cellResource[cell], writer, other);
                        }
                    } else if (!writes && !reached(declaredAfter, other, writer)) {
                        next.get(writer).add(other);
                    }
                }
            }
        }
    }

    /** Whatever is declared on one side of a pass with undeclared accesses stays there. */
    private void fences() {
        int fence = -1;
        for (int p = 0; p < next.size(); p++) {
            boolean isFence = graph.passes().get(p).flags().contains(PassFlag.UNTRACKED_ACCESS);
            if (fence >= 0) {
                declared(fence, p);
            }
            for (int before = fence + 1; isFence && before < p; before++) {
                declared(before, p);
            }
            fence = isFence ? p : fence;
        }
    }

    private void declared(int earlier, int later) {
        next.get(earlier).add(later);
        declaredNext.get(earlier).add(later);
    }

    private List<IntList> touchesByCell() {
        List<IntList> touches = new ArrayList<>(map.cells());
        for (int cell = 0; cell < map.cells(); cell++) {
            touches.add(new IntList(4));
        }
        for (int t = 0; t < map.touchPass.length; t++) {
            touches.get(map.touchCell[t]).add(t);
        }
        return touches;
    }

    private boolean ordered(BitSet[] declaredAfter, int a, int b) {
        return reached(declaredAfter, a, b) || reached(declaredAfter, b, a);
    }

    /** Returns whether the declared orders alone put {@code to} after {@code from}. */
    private boolean reached(BitSet[] declaredAfter, int from, int to) {
        BitSet reached = declaredAfter[from];
        if (reached == null) {
            reached = new BitSet(next.size());
            Deque<Integer> open = new ArrayDeque<>(declaredNext.get(from));
            while (!open.isEmpty()) {
                int pass = open.removeLast();
                if (!reached.get(pass)) {
                    reached.set(pass);
                    open.addAll(declaredNext.get(pass));
                }
            }
            declaredAfter[from] = reached;
        }
        return reached.get(to);
    }

    private void multiWriter(int resource, int first, int second) {
        String a = graph.passes().get(first).name();
        String b = graph.passes().get(second).name();
        String name = graph.resources().get(resource).name();
        errors.add(new RdgError(
                Code.MULTI_WRITER,
                a,
                name,
                "passes '" + a + "' and '" + b + "' both write '" + name + "', and nothing says which comes first",
                "order them with after(...), or compile in the order DECLARED",
                sites(List.of(first, second)),
                List.of(a, b)));
    }

    private boolean comesAfterItself(int pass) {
        IntList successors = next.get(pass);
        for (int i = 0; i < successors.size(); i++) {
            if (successors.get(i) == pass) {
                return true;
            }
        }
        return false;
    }

    private List<String> sites(List<Integer> passes) {
        List<String> sites = new ArrayList<>();
        for (int pass : passes) {
            String site = graph.passes().get(pass).site();
            if (site != null) {
                sites.add(site);
            }
        }
        return sites;
    }

    private int[] order() {
        int passes = next.size();
        int[] missing = new int[passes];
        for (IntList successors : next) {
            for (int i = 0; i < successors.size(); i++) {
                missing[successors.get(i)]++;
            }
        }
        PriorityQueue<Integer> ready = new PriorityQueue<>();
        for (int p = 0; p < passes; p++) {
            if (missing[p] == 0) {
                ready.add(p);
            }
        }
        IntList order = new IntList(passes);
        while (!ready.isEmpty()) {
            int pass = ready.remove();
            order.add(pass);
            IntList successors = next.get(pass);
            for (int i = 0; i < successors.size(); i++) {
                if (--missing[successors.get(i)] == 0) {
                    ready.add(successors.get(i));
                }
            }
        }
        if (order.size() < passes) {
            circles();
        }
        return order.toArray();
    }

    /** Reports every circle: Tarjan's components, without recursion so that long chains cannot end the stack. */
    private void circles() {
        int passes = next.size();
        int[] number = new int[passes];
        int[] low = new int[passes];
        int[] position = new int[passes];
        Arrays.fill(number, -1);
        boolean[] onStack = new boolean[passes];
        Deque<Integer> stack = new ArrayDeque<>();
        int numbers = 0;
        for (int root = 0; root < passes; root++) {
            if (number[root] >= 0) {
                continue;
            }
            Deque<Integer> path = new ArrayDeque<>();
            path.push(root);
            while (!path.isEmpty()) {
                int p = path.element();
                if (number[p] < 0) {
                    number[p] = numbers;
                    low[p] = numbers++;
                    stack.push(p);
                    onStack[p] = true;
                }
                boolean descends = false;
                while (position[p] < next.get(p).size() && !descends) {
                    int q = next.get(p).get(position[p]);
                    if (number[q] < 0) {
                        path.push(q);
                        descends = true;
                    } else {
                        if (onStack[q]) {
                            low[p] = Math.min(low[p], low[q]);
                        }
                        position[p]++;
                    }
                }
                if (!descends) {
                    path.pop();
                    if (low[p] == number[p]) {
                        component(p, stack, onStack);
                    }
                }
            }
        }
    }

    private void component(int first, Deque<Integer> stack, boolean[] onStack) {
        List<Integer> members = new ArrayList<>();
        int member;
        do {
            member = stack.pop();
            onStack[member] = false;
            members.add(member);
        } while (member != first);
        if (members.size() == 1 && !comesAfterItself(first)) {
            return;
        }
        members.sort(null);
        List<String> names =
                members.stream().map(m -> graph.passes().get(m).name()).toList();
        errors.add(new RdgError(
                Code.CYCLE,
                names.get(0),
                "",
                "passes wait for each other in a circle: " + String.join(", ", names),
                "write to another resource in one of them, or compile in the order DECLARED",
                sites(members),
                names));
    }

    /** Returns the graph with its passes in an order. */
    static DeclaredGraph permuted(DeclaredGraph graph, int[] order) {
        int[] position = new int[order.length];
        for (int i = 0; i < order.length; i++) {
            position[order[i]] = i;
        }
        List<DeclaredGraph.Pass> passes = new ArrayList<>(order.length);
        for (int i = 0; i < order.length; i++) {
            DeclaredGraph.Pass pass = graph.passes().get(order[i]);
            passes.add(pass.at(
                    i, pass.after().stream().map(earlier -> position[earlier]).toList()));
        }
        return graph.withPasses(passes);
    }
}
