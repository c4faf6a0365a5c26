package io.frameloom.rdg.compile.validate;

import io.frameloom.rdg.RdgError;
import io.frameloom.rdg.RdgError.Code;
import io.frameloom.rdg.compile.graph.IntList;
import io.frameloom.rdg.compile.graph.SubresourceMap;
import io.frameloom.rdg.compile.graph.Successors;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Brings an unordered set of passes into an order: readers after the writer of each cell, and what the application
 * declares. Of the passes that may come next, the one declared first does ({@link Successors#sorted}), so that the
 * result is one and the same for one set. Circles are found as strongly connected
 * components (R. Tarjan, "Depth-first search and linear graph algorithms", 1972).
 *
 * <p>A cell has one writer, or writers that the declared orders put in a row. A reader then comes after all of them but
 * those that are declared to come after it. A pass with undeclared accesses stays between those that are declared
 * before and after it.
 */
final class PassSorting {
    private final DeclaredGraph graph;
    private final SubresourceMap map;
    private final List<RdgError> errors;
    /** By pass: those that come after it, at first by the declared orders alone. */
    private final Successors next;
    /** First writer of each cell, and the number of all at the end. */
    private final int[] writerBase;

    private int[] writers = {};

    private PassSorting(DeclaredGraph graph, SubresourceMap map, List<RdgError> errors) {
        this.graph = graph;
        this.map = map;
        this.errors = errors;
        this.writerBase = new int[map.cells() + 1];
        this.next = Successors.declared(graph);
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
        return order.length == graph.passes() ? order : null;
    }

    /** An edge for each order that others do not imply: at most one for each declared order and each touch. */
    private void edges() {
        DeclaredReach declared = new DeclaredReach(next);
        // The circle is the error then.
        if (declared.order.length == next.passes()) {
            cellEdges(declared);
        }
    }

    private void cellEdges(DeclaredReach declared) {
        writers(declared);
        int[] firstWriter = new int[graph.resources()];
        int[] secondWriter = new int[firstWriter.length];
        Arrays.fill(firstWriter, -1);
        int[] last = new int[next.passes()];
        Arrays.fill(last, -1);
        List<IntList> readers = new ArrayList<>();
        for (int p = 0; p < next.passes(); p++) {
            readers.add(new IntList(0));
        }
        for (int i = 0; i < declared.order.length; i++) {
            if (i % DeclaredReach.ROWS == 0) {
                declared.rows(i);
            }
            int pass = declared.order[i];
            for (int t = map.touchBase[pass]; t < map.touchBase[pass + 1]; t++) {
                int cell = map.touchCell[t];
                if (!writes(t)) {
                    int behind = firstAfter(declared, pass, cell) - 1;
                    if (behind >= writerBase[cell] && last[writers[behind]] != pass) {
                        last[writers[behind]] = pass;
                        readers.get(writers[behind]).add(pass);
                    }
                } else {
                    int following = positionInRow(declared, pass, cell) + 1;
                    int resource = map.cellResource[cell];
                    if (following < writerBase[cell + 1]
                            && firstWriter[resource] < 0
                            && !declared.reaches(pass, writers[following])) {
                        firstWriter[resource] = Math.min(pass, writers[following]);
                        secondWriter[resource] = Math.max(pass, writers[following]);
                    }
                }
            }
        }
        for (int r = 0; r < firstWriter.length; r++) {
            if (firstWriter[r] >= 0) {
                multiWriter(r, firstWriter[r], secondWriter[r]);
            }
        }
        for (int p = 0; p < next.passes(); p++) {
            for (int i = 0; i < readers.get(p).size(); i++) {
                next.add(p, readers.get(p).get(i));
            }
        }
    }

    /** Lists the writers of each cell in a row that the declared orders allow. */
    private void writers(DeclaredReach declared) {
        for (int t = 0; t < map.touches(); t++) {
            writerBase[map.touchCell[t] + 1] += writes(t) ? 1 : 0;
        }
        for (int cell = 0; cell < map.cells(); cell++) {
            writerBase[cell + 1] += writerBase[cell];
        }
        writers = new int[writerBase[map.cells()]];
        int[] end = Arrays.copyOf(writerBase, map.cells());
        for (int pass : declared.order) {
            for (int t = map.touchBase[pass]; t < map.touchBase[pass + 1]; t++) {
                if (writes(t)) {
                    writers[end[map.touchCell[t]]++] = pass;
                }
            }
        }
    }

    private boolean writes(int touch) {
        return (map.touchTraits[touch] & SubresourceMap.WRITES) != 0;
    }

    private int positionInRow(DeclaredReach declared, int writer, int cell) {
        int low = writerBase[cell];
        int high = writerBase[cell + 1] - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (declared.place[writers[middle]] < declared.place[writer]) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * Returns the position of the first writer of a cell that is declared to come after a reader; all after it are,
     * too.
     */
    private int firstAfter(DeclaredReach declared, int reader, int cell) {
        int low = writerBase[cell];
        int high = writerBase[cell + 1];
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (declared.reaches(reader, writers[middle])) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    private void multiWriter(int resource, int first, int second) {
        String a = graph.names().pass(first);
        String b = graph.names().pass(second);
        String name = graph.names().resource(resource);
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
        IntList successors = next.of(pass);
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
            String site = graph.site(pass);
            if (site != null) {
                sites.add(site);
            }
        }
        return sites;
    }

    private int[] order() {
        int[] order = next.sorted();
        if (order.length < next.passes()) {
            circles();
        }
        return order;
    }

    /** Reports every circle: Tarjan's components, without recursion so that long chains cannot end the stack. */
    private void circles() {
        int passes = next.passes();
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
                while (position[p] < next.of(p).size() && !descends) {
                    int q = next.of(p).get(position[p]);
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
        List<String> names = members.stream().map(graph.names()::pass).toList();
        errors.add(new RdgError(
                Code.CYCLE,
                names.get(0),
                "",
                "passes wait for each other in a circle: " + String.join(", ", names),
                "write to another resource in one of them, or compile in the order DECLARED",
                sites(members),
                names));
    }
}
