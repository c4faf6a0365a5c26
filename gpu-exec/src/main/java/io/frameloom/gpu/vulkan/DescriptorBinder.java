package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.Resource;
import io.frameloom.gpu.Sampler;
import io.frameloom.gpu.TextureView;
import io.frameloom.gpu.record.Mentions;
import io.frameloom.gpu.record.PipelineLimits;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkCommandBuffer;

/**
 * Turns what a command list binds by name into descriptor sets, at the draw or dispatch that needs them. A set whose
 * contents equal those last written for its number is bound again instead of written anew. One thread at a time.
 */
final class DescriptorBinder implements AutoCloseable {
    /** As many as a mask of them holds. */
    static final int MAX_SETS = PipelineLimits.MOST_SETS;

    private final BindingValues values;
    private final DescriptorPools pools;
    private final CommandScratch scratch;
    private final SamplerUses samplers = new SamplerUses();
    private final @Nullable VulkanBindingSet[] prepared = new @Nullable VulkanBindingSet[MAX_SETS];
    private final Written[] written = new Written[MAX_SETS];
    private @Nullable PipelineInterface pipeline;
    /** Bit mask of the sets whose bind command is due. */
    private int due;

    /** A set as last written; without a layout if none was. */
    private static final class Written {
        private @Nullable SetLayout layout;
        private long handle;
        private long[] values = {};

        void set(SetLayout newLayout, long newHandle, BindingValues source, int set) {
            int words = source.words(set);
            if (values.length < words) {
                values = new long[2 * words];
            }
            source.copy(set, values);
            layout = newLayout;
            handle = newHandle;
        }
    }

    DescriptorBinder(DeviceCore core, DescriptorPools pools, CommandScratch scratch) {
        this.values = new BindingValues(core);
        this.pools = pools;
        this.scratch = scratch;
        Arrays.setAll(written, set -> new Written());
    }

    /** Forgets everything, for a new command list. */
    void begin() {
        bind(null);
    }

    /** Forgets the sets written, whose pools are about to be emptied, and the samplers that they name. */
    void forgetWritten() {
        for (Written set : written) {
            set.layout = null;
        }
        samplers.release();
    }

    /** Forgets what was bound and takes another pipeline. */
    void bind(@Nullable PipelineInterface next) {
        pipeline = next;
        values.reset(next, samplers);
        Arrays.fill(prepared, null);
        int sets = next == null ? 0 : next.setCount();
        due = sets == 0 ? 0 : -1 >>> (MAX_SETS - sets);
    }

    void texture(String name, int index, TextureView view, Sampler sampler, int layout) {
        due |= 1 << values.texture(name, index, view, sampler, layout);
    }

    void storageTexture(String name, int index, TextureView view, int layout) {
        due |= 1 << values.storageTexture(name, index, view, layout);
    }

    void buffer(String name, int index, Buffer buffer, long offset, long bytes) {
        due |= 1 << values.buffer(name, index, buffer, offset, bytes);
    }

    void set(VulkanBindingSet set) {
        PipelineInterface current = pipeline;
        if (current == null) {
            throw new IllegalStateException(
                    "binding set '" + set.name() + "' is bound before any pipeline; bind the pipeline first");
        }
        if (set.isClosed()) {
            throw new IllegalStateException("binding set '" + set.name() + "' is closed");
        }
        Resource gone = set.firstClosed();
        if (gone != null) {
            throw new IllegalStateException("binding set '" + set.name() + "' has '" + gone.name()
                    + "', which is closed; make another set, and close the resource behind both");
        }
        if (set.set() >= current.setCount() || current.setLayout(set.set()) != set.layout()) {
            throw new IllegalArgumentException("binding set '" + set.name() + "' does not fit set " + set.set()
                    + " of pipeline '" + current.pipeline() + "'; make it for a pipeline with the same bindings there: "
                    + current.bindings());
        }
        prepared[set.set()] = set;
        due |= 1 << set.set();
    }

    /**
     * Binds what is due.
     *
     * @param mentions takes what the sets name
     * @param command names the draw or dispatch for messages
     */
    void flush(VkCommandBuffer commands, Mentions mentions, String list, String command) {
        PipelineInterface current = pipeline;
        if (current == null || due == 0) {
            return;
        }
        for (int set = 0; set < current.setCount(); set++) {
            if ((due & 1 << set) != 0 && !current.isEmpty(set)) {
                bind(commands, current, set, handleOf(current, set, mentions, list, command));
            }
        }
        due = 0;
    }

    private long handleOf(PipelineInterface current, int set, Mentions mentions, String list, String command) {
        VulkanBindingSet fixed = prepared[set];
        if (fixed != null) {
            int named = values.firstBound(set);
            if (named >= 0) {
                throw new IllegalStateException(command + " in command list '" + list + "': set " + set
                        + " of pipeline '" + current.pipeline() + "' is filled by binding set '" + fixed.name()
                        + "' and by name ('" + current.bindings().get(named).name() + "'); use one of them");
            }
            if (fixed.isClosed()) {
                throw closed(command, list, "binding set '" + fixed.name() + "'");
            }
            Resource gone = fixed.firstClosed();
            if (gone != null) {
                throw closed(command, list, "'" + gone.name() + "' in binding set '" + fixed.name() + "'");
            }
            mentions.add(fixed);
            return fixed.handle();
        }
        if (!values.isComplete(set)) {
            throw new IllegalStateException(command + " in command list '" + list + "': pipeline '" + current.pipeline()
                    + "' still needs " + values.missing(set) + "; bind it before");
        }
        Resource closed = values.firstClosed(set);
        if (closed != null) {
            throw closed(command, list, "'" + closed.name() + "'");
        }
        values.mention(set, mentions);
        Written last = written[set];
        if (last.layout == current.setLayout(set) && values.equalTo(set, last.values)) {
            return last.handle;
        }
        SetLayout layout = current.setLayout(set);
        long handle = pools.allocate(layout.handle(), current.setNeeds(set));
        values.write(set, handle);
        last.set(layout, handle, values, set);
        return handle;
    }

    private static IllegalStateException closed(String command, String list, String what) {
        return new IllegalStateException(command + " in command list '" + list + "': " + what
                + " was closed after it was bound; close it when the device has executed the list");
    }

    private void bind(VkCommandBuffer commands, PipelineInterface current, int set, long handle) {
        long sets = scratch.zeroed(Long.BYTES);
        MemoryUtil.memPutLong(sets, handle);
        VK13.nvkCmdBindDescriptorSets(
                commands, current.bindPoint(), current.layout(), set, 1, sets, 0, MemoryUtil.NULL);
    }

    @Override
    public void close() {
        samplers.release();
        values.close();
    }
}
