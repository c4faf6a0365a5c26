package io.frameloom.stress;

import io.frameloom.stress.list.OpenList;
import java.util.ArrayList;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The closable list is linearizable: add until closed, one close that takes everything in order. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SubsequentListLincheckTest {
    /** The shipped list. */
    public static class Shipped {
        private final OpenList<Integer> list = new OpenList<>();

        /** Adds an item. */
        @Operation
        public boolean add(@Param(gen = IntGen.class, conf = "1:4") int item) {
            return list.add(item);
        }

        /** Closes; what was visited, or null if the list was closed before. */
        @Operation
        public @Nullable List<Integer> close() {
            List<Integer> visited = new ArrayList<>();
            return list.popAllAndClose(visited::add) ? visited : null;
        }

        /** Whether it is closed. */
        @Operation
        public boolean isClosed() {
            return list.closed();
        }
    }

    /** The same by one thread. */
    public static class Sequential {
        private @Nullable List<Integer> open = new ArrayList<>();

        /** Adds an item. */
        public boolean add(int item) {
            return open != null && open.add(item);
        }

        /** Closes. */
        public @Nullable List<Integer> close() {
            List<Integer> items = open;
            open = null;
            return items == null || items.isEmpty() ? null : items;
        }

        /** Whether it is closed. */
        public boolean isClosed() {
            return open == null;
        }
    }

    @Test
    void everyInterleavingIsLinearizable() {
        LincheckRuns.modelCheck(Shipped.class, Sequential.class);
    }
}
