package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.CancellationToken;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/** What a {@link CancellationToken} is. Any thread may call any method. */
public final class TokenState {
    /** Called at the cancellation. */
    public interface Listener {
        /** Called by the thread that cancels, once for each cancelled token. */
        void cancelled(TokenState token);
    }

    private final @Nullable TokenState parent;
    /** What ends the delays of bound tasks; null if there was none. Written under the lock of this object. */
    private volatile @Nullable Set<Listener> listeners;

    private volatile boolean cancelled;

    public TokenState(@Nullable TokenState parent) {
        this.parent = parent;
    }

    /** Cancels, for good. Calling it again does nothing. */
    public void cancel() {
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
    public synchronized void callWhenCancelled(Listener listener) {
        Set<Listener> known = listeners;
        if (known == null) {
            known = Collections.newSetFromMap(new WeakHashMap<>());
            listeners = known;
        }
        known.add(listener);
    }

    /** The token that cancels this one, too, or null. */
    public @Nullable TokenState parent() {
        return parent;
    }

    public boolean isCancelled() {
        for (TokenState at = this; at != null; at = at.parent) {
            if (at.cancelled) {
                return true;
            }
        }
        return false;
    }
}
