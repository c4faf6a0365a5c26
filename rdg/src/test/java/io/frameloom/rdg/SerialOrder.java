package io.frameloom.rdg;

import java.util.ArrayList;
import java.util.List;

/** The order in which the passes of a model happen if one happens after the other. */
final class SerialOrder {
    private SerialOrder() {}

    /**
     * Returns the passes in an order that their declaration allows: as declared, or, where that says nothing, as {@code
     * after} says, and readers behind the writers that they do not come before.
     *
     * @throws IllegalArgumentException if there is none
     */
    static GraphModel of(GraphModel model, PassOrder order) {
        if (order == PassOrder.DECLARED) {
            return model;
        }
        int count = model.passes().size();
        boolean[][] before = said(model);
        boolean[][] said = said(model);
        for (int a = 0; a < count; a++) {
            for (int b = 0; b < count; b++) {
                before[a][b] |= !said[b][a]
                        && feeds(model.passes().get(a), model.passes().get(b));
            }
        }
        List<Integer> sorted = new ArrayList<>();
        while (sorted.size() < count) {
            int next = first(before, sorted, count);
            if (next < 0) {
                throw new IllegalArgumentException("the passes go round in a circle");
            }
            sorted.add(next);
        }
        return model.ordered(sorted.stream().mapToInt(Integer::intValue).toArray());
    }

    private static int first(boolean[][] before, List<Integer> done, int count) {
        for (int pass = 0; pass < count; pass++) {
            boolean free = !done.contains(pass);
            for (int other = 0; other < count; other++) {
                free &= !before[other][pass] || done.contains(other);
            }
            if (free) {
                return pass;
            }
        }
        return -1;
    }

    private static boolean[][] said(GraphModel model) {
        int count = model.passes().size();
        boolean[][] said = new boolean[count][count];
        for (int b = 0; b < count; b++) {
            for (int a : model.passes().get(b).after()) {
                said[a][b] = true;
            }
        }
        for (int k = 0; k < count; k++) {
            for (int i = 0; i < count; i++) {
                for (int j = 0; said[i][k] && j < count; j++) {
                    said[i][j] |= said[k][j];
                }
            }
        }
        return said;
    }

    private static boolean feeds(GraphModel.Pass writer, GraphModel.Pass reader) {
        return writer.uses().stream()
                .filter(use -> use.access().writes())
                .anyMatch(a -> reader.uses().stream().anyMatch(b -> !b.access().writes() && a.meets(b)));
    }
}
