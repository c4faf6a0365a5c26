package io.frameloom.rdg;

import io.frameloom.rdg.declare.DeclarationSite;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Values that the features of a renderer leave for each other while they declare one graph. There is one for each type,
 * such as a record with the textures of a g-buffer. Unreal's FRDGBlackboard. The thread that declares the graph.
 */
public final class RdgBlackboard {
    private final RenderGraph graph;
    private final Map<Class<?>, Entry> entries = new LinkedHashMap<>();

    private record Entry(Object value, @Nullable String site) {}

    RdgBlackboard(RenderGraph graph) {
        this.graph = graph;
    }

    void clear() {
        entries.clear();
    }

    /**
     * Puts a value under its type and returns it.
     *
     * @throws RdgException if there is one of this type already
     */
    public <T> T put(Class<T> type, T value) {
        Entry present = entries.get(type);
        if (present != null) {
            throw new RdgException("graph '" + graph.name() + "': the blackboard has a " + type.getName() + " already"
                    + DeclarationSite.suffix(present.site) + "; put each type once, or ask for it with find");
        }
        entries.put(type, new Entry(type.cast(value), graph.declaration().site()));
        return value;
    }

    /**
     * Returns the value of a type.
     *
     * @throws RdgException if there is none, naming what there is
     */
    public <T> T get(Class<T> type) {
        T found = find(type);
        if (found == null) {
            TreeSet<String> present = new TreeSet<>();
            entries.keySet().forEach(known -> present.add(known.getName()));
            throw new RdgException("graph '" + graph.name() + "': the blackboard has no " + type.getName() + ", only "
                    + present + "; let the feature that provides it declare its passes first");
        }
        return found;
    }

    /** Returns the value of a type, or null if there is none. */
    public <T> @Nullable T find(Class<T> type) {
        Entry entry = entries.get(type);
        return entry == null ? null : type.cast(entry.value);
    }

    /** Returns the value of a type; makes and puts it first if there is none. */
    public <T> T getOrCreate(Class<T> type, Supplier<T> maker) {
        T found = find(type);
        return found == null ? put(type, maker.get()) : found;
    }
}
