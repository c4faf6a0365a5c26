package io.frameloom.stress;

import io.frameloom.stress.list.OpenList;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The closable list is linearizable: add until closed, one close that takes everything in order. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SubsequentListLincheckTest {
    private static final int ITEMS = 4;

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

        /** Closes if there is nothing to be visited. */
        @Operation
        public boolean closeIfEmpty() {
            return list.closeIfEmpty();
        }

        /** Whether it is closed. */
        @Operation
        public boolean isClosed() {
            return list.closed();
        }
    }

    /** As {@link Shipped}, with one place left in the chunk: adding uses it up, and goes on in the next one. */
    public static class AlmostFull extends Shipped {
        /** Four items are in. */
        public AlmostFull() {
            for (int item = 1; item <= ITEMS; item++) {
                add(item);
            }
        }
    }

    /** The same as {@link AlmostFull} by one thread. */
    public static class SequentialAlmostFull extends Sequential {
        /** Four items are in. */
        public SequentialAlmostFull() {
            for (int item = 1; item <= ITEMS; item++) {
                add(item);
            }
        }
    }

    /** As {@link Shipped}, with the first item in: the next two adds make the first chunk. */
    public static class OneItem extends Shipped {
        /** One item is in. */
        public OneItem() {
            add(1);
        }
    }

    /** The same as {@link OneItem} by one thread. */
    public static class SequentialOneItem extends Sequential {
        /** One item is in. */
        public SequentialOneItem() {
            add(1);
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

        /** Closes if there is nothing to be visited. */
        public boolean closeIfEmpty() {
            boolean closes = open != null && open.isEmpty();
            open = closes ? null : open;
            return closes;
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

    @Test
    void everyInterleavingAtTheEndOfAChunkIsLinearizable() {
        LincheckRuns.modelCheck(AlmostFull.class, SequentialAlmostFull.class);
    }

    /** The first chunk is closed before the adder of the second item, which is in it, has looked whether it keeps it. */
    @Test
    void theSecondItemOfAClosedChunkIsKept() throws NoSuchMethodException {
        Method add = OneItem.class.getMethod("add", int.class);
        Actor close = new Actor(OneItem.class.getMethod("close"), List.of());
        ExecutionScenario scenario = new ExecutionScenario(
                List.of(),
                List.of(List.of(new Actor(add, List.of(2))), List.of(new Actor(add, List.of(3)), close)),
                List.of(),
                null);
        LincheckRuns.modelCheck(OneItem.class, SequentialOneItem.class, scenario);
    }
}
