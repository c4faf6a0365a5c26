package io.frameloom.taskgraph.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is to be told when an event completes: a list that many threads add to and that is closed once.
 *
 * <p>Any thread may call any method. {@link #add} either makes the item part of what
 * {@link #popAllAndClose} visits, or returns false because the list was closed before; never both, never
 * neither. Of several closers exactly one visits the items.
 *
 * <p>A Treiber stack ("Systems programming: coping with parallelism") with a sentinel that closes it. The
 * first item is stored without a link, so the common event with one subsequent allocates nothing here.
 *
 * <pre>
 *   head: null | item | Link(item, next) ... | CLOSED
 * </pre>
 *
 * <p><b>Linearization.</b> {@code add} at its successful compare-and-set or at the load that sees CLOSED;
 * {@code popAllAndClose} at its get-and-set; {@link #isClosed} at its load. <b>Memory order.</b> Both
 * updates are volatile read-modify-writes: what a thread did before adding is visible to the closer's
 * visit, and what the closer did before closing is visible to whoever sees the list closed.
 * <b>Progress.</b> {@code add} is lock-free, the others are wait-free.
 *
 * @param <T> type of the items
 */
public final class SubsequentList<T> {
    private static final Object CLOSED = new Object();

    private static final VarHandle HEAD;

    static {
        try {
            HEAD = MethodHandles.lookup().findVarHandle(SubsequentList.class, "head", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable Object head;

    /** Items after the first; {@code next} is another link or the first item itself. */
    private static final class Link {
        final Object item;

        @Nullable
        Object next;

        Link(Object item) {
            this.item = item;
        }
    }

    /** An empty open list. */
    public SubsequentList() {}

    /**
     * Adds an item unless the list is closed.
     *
     * @param item the item; the same one may be added several times
     * @return false if the list is closed
     */
    public boolean add(T item) {
        Object seen = head;
        if (seen == null && casHead(null, item)) {
            return true;
        }
        Link link = null;
        while (true) {
            seen = head;
            // Guards race 1: see list.AddAgainstCloseStress.
            if (seen == CLOSED) {
                return false;
            }
            if (seen == null) {
                if (casHead(null, item)) {
                    return true;
                }
                continue;
            }
            if (link == null) {
                link = new Link(item);
            }
            link.next = seen;
            if (casHead(seen, link)) {
                return true;
            }
        }
    }

    /**
     * Closes the list and visits its items in the order in which they were added. A visitor that throws
     * does not keep the others from being visited; the first failure is thrown at the end.
     *
     * @param visitor called for each item, on this thread, after the list was closed
     * @return false if the list was closed before; then nothing is visited
     */
    public boolean popAllAndClose(Consumer<? super T> visitor) {
        // Guards races 1 and 2, and 7 for a single prerequisite: see list.AddAgainstCloseStress,
        // list.CloseAgainstCloseStress and list.ListVisibilityStress.
        Object chain = HEAD.getAndSet(this, CLOSED);
        if (chain == CLOSED) {
            return false;
        }
        if (chain != null) {
            visitInOrder(chain, visitor);
        }
        return true;
    }

    /** The chain belongs to this thread alone now, so it is reversed in place. */
    @SuppressWarnings("unchecked")
    private static <T> void visitInOrder(Object chain, Consumer<? super T> visitor) {
        Link reversed = null;
        @Nullable Object at = chain;
        while (at instanceof Link link) {
            at = link.next;
            link.next = reversed;
            reversed = link;
        }
        Throwable failure = at == null ? null : visit((T) at, visitor, null);
        while (reversed != null) {
            failure = visit((T) reversed.item, visitor, failure);
            reversed = (Link) reversed.next;
        }
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
    }

    private static <T> @Nullable Throwable visit(T item, Consumer<? super T> visitor, @Nullable Throwable earlier) {
        try {
            visitor.accept(item);
            return earlier;
        } catch (RuntimeException | Error e) {
            if (earlier == null) {
                return e;
            }
            if (earlier != e) {
                earlier.addSuppressed(e);
            }
            return earlier;
        }
    }

    /**
     * Whether the list is closed.
     *
     * @return true once closed
     */
    public boolean isClosed() {
        return head == CLOSED;
    }

    private boolean casHead(@Nullable Object expected, Object desired) {
        // Guards race 1: see list.AddAgainstAddStress.
        return HEAD.compareAndSet(this, expected, desired);
    }
}
