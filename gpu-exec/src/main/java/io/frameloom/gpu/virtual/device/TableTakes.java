package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.pipeline.BindlessTable.Kind;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.virtual.memory.Mix;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What one dispatch takes of a bindless table. Made by the thread that records, then the virtual GPU's. */
final class TableTakes implements SubmissionRecord.TableContents {
    private final VirtualBindlessTable table;
    /** By name in the shader. */
    private final Map<String, ShaderBinding> arrays = new HashMap<>();
    /** What the kernel may have written. */
    private final Set<BoundResource> written = new LinkedHashSet<>();

    private @Nullable VirtualQueue queue;
    private long value;

    TableTakes(VirtualBindlessTable table, VirtualPipeline pipeline) {
        this.table = table;
        pipeline.tableArrays().forEach(array -> arrays.put(array.name(), array));
    }

    @Override
    public String table() {
        return table.name();
    }

    @Override
    public List<ResourceUse> reads() {
        List<ResourceUse> reads = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            if (arrays.values().stream().anyMatch(array -> array.binding() == kind.ordinal())) {
                table.addReads(kind, reads);
            }
        }
        return reads;
    }

    /** Begins the dispatch, of the submission that lets a queue reach a value. */
    void begin(VirtualQueue by, long reaches) {
        queue = by;
        value = reaches;
    }

    boolean has(String name) {
        return arrays.containsKey(name);
    }

    boolean writes(String name) {
        ShaderBinding array = arrays.get(name);
        return array != null && array.written();
    }

    /**
     * Returns what has a number, also where its slot was closed too early: a device would find that, too.
     *
     * @throws IllegalArgumentException if no slot has had the number
     */
    BoundResource take(String name, int number) {
        ShaderBinding array = arrays.get(name);
        VirtualQueue by = queue;
        if (array == null || by == null) {
            throw new IllegalStateException("'" + name + "' is taken of no dispatch");
        }
        Kind kind = Kind.values()[array.binding()];
        VirtualBindlessTable.Content content = table.at(kind, number);
        String slot = "number " + number + " of " + kind;
        if (content == null) {
            throw new IllegalArgumentException(
                    slot + " in " + table + " is taken of '" + name + "', and no slot has it");
        }
        BoundResource bound = content.bound();
        ResourceUse read = VirtualBindlessTable.read(kind, bound);
        boolean freed = content.isFreedBefore(by, value);
        if (read != null) {
            table.device().queuing().feed().taken(this, slot, read, freed);
        } else if (freed) {
            throw new IllegalArgumentException(slot + " in " + table + " is taken of '" + name
                    + "', and its slot was closed before the submission");
        }
        DispatchArguments.prepare(bound);
        if (array.written()) {
            written.add(bound);
        }
        return bound;
    }

    /** Ends the dispatch: what was written has other contents than before. */
    void rewritten(long stamp) {
        written.forEach(bound -> DispatchArguments.rewritten(bound, Mix.mix(stamp, 1)));
        written.clear();
    }
}
