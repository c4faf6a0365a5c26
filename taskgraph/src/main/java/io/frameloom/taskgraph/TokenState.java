package io.frameloom.taskgraph;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/** What a {@link CancellationToken} is. Any thread may call any method. */
final class TokenState {
    /** Somebody who does something at the cancellation. */
    interface Listener {
        /** Called by the thread that cancels, once for each cancelled token. */
        void cancelled(TokenState token);
    }

    private final @Nullable TokenState parent;
    /** What ends the delays of bound tasks; null if there was none. Written under the lock of this object. */
    private volatile @Nullable Set<Listener> listeners;

    private volatile boolean cancelled;

    TokenState(@Nullable TokenState parent) {
        this.parent = parent;
    }

    /** Cancels, for good. Calling it again does nothing. */
    void cancel() {
        cancelled = true;
        if (listeners != null) {
            for (Listener listener : takeListeners()) {
                listener.cancelled(this);
            }
        }
    }

    private synchronized Collection<Listener> takeListeners() {
        Collection<Listener> taken = listeners == null ? List.of() : listeners;
        listeners = null;
        return taken;
    }

    /**
     * Has a timer called when this is cancelled. A caller that sees the token cancelled afterwards must end its delay
     * itself.
     */
    synchronized void callWhenCancelled(Listener listener) {
        Set<Listener> known = listeners;
        if (known == null) {
            known = Collections.newSetFromMap(new WeakHashMap<>());
            listeners = known;
        }
        known.add(listener);
    }

    /** The token that cancels this one, too, or null. */
    @Nullable
    TokenState parent() {
        return parent;
    }

    boolean isCancelled() {
        for (TokenState at = this; at != null; at = at.parent) {
            if (at.cancelled) {
                return true;
            }
        }
        return false;
    }
}
