package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.pipeline.BindlessSlot;
import io.frameloom.gpu.pipeline.BindlessTable;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.record.Perishable;
import io.frameloom.gpu.record.SlotsByKind;
import io.frameloom.gpu.record.TableRules;
import io.frameloom.gpu.record.TableSlot;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.TextureView;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A bindless table of the virtual device. It remembers what closed slots had, and gives their numbers again only when
 * there are no others. So a kernel that takes the number of a closed slot is found.
 */
final class VirtualBindlessTable extends VirtualObject implements BindlessTable {
    private static final int CAPACITY = 1 << 16;

    private final SlotsByKind slots;
    /** By kind and number: what the slots have, or had. With the lock of the slots. */
    private final Map<Kind, List<Content>> contents = new EnumMap<>(Kind.class);

    /** What a slot has, until its number is given again. */
    static final class Content {
        private final BoundResource bound;
        /** By queue: the newest submission when the slot was closed; null while it is open. */
        private volatile long @Nullable [] closedAfter;

        private Content(BoundResource bound) {
            this.bound = bound;
        }

        /**
         * Returns what is left when no submission in order takes the number: the name, and memory of which nothing
         * exists until somebody takes it yet.
         */
        private Content remembered() {
            Content left = new Content(withoutMemory(bound));
            left.closedAfter = closedAfter;
            return left;
        }

        private static BoundResource withoutMemory(BoundResource bound) {
            if (bound instanceof BoundResource.BufferRange range) {
                VirtualBuffer buffer = (VirtualBuffer) range.buffer();
                return new BoundResource.BufferRange(buffer.withoutMemory(), range.offset(), range.bytes());
            }
            if (bound instanceof BoundResource.SampledImage image) {
                VirtualTexture texture = (VirtualTexture) image.view().texture();
                return new BoundResource.SampledImage(texture.withoutMemory().view());
            }
            if (bound instanceof BoundResource.StorageTexture storage) {
                VirtualTexture texture = (VirtualTexture) storage.view().texture();
                return new BoundResource.StorageTexture(texture.withoutMemory().view());
            }
            return bound;
        }

        BoundResource bound() {
            return bound;
        }

        /** Returns whether the slot was closed before the submission that lets a queue reach a value. */
        boolean isFreedBefore(VirtualQueue queue, long value) {
            long[] values = closedAfter;
            return values != null && value > values[queue.index()];
        }
    }

    VirtualBindlessTable(SimulatedDevice device, String name) {
        super(device, name);
        slots = new SlotsByKind(name, kind -> CAPACITY, true, device.closings());
        for (Kind kind : Kind.values()) {
            contents.put(kind, new ArrayList<>());
        }
    }

    @Override
    public int capacity(Kind kind) {
        return slots.of(kind).capacity();
    }

    private List<Content> contentsOf(Kind kind) {
        return Objects.requireNonNull(contents.get(kind));
    }

    /** Returns what the slot of a number has, or had last; null if there was none. */
    @Nullable
    Content at(Kind kind, int number) {
        synchronized (slots) {
            List<Content> all = contentsOf(kind);
            return number < 0 || number >= all.size() ? null : all.get(number);
        }
    }

    void addReads(Kind kind, List<ResourceUse> reads) {
        synchronized (slots) {
            for (Content content : contentsOf(kind)) {
                ResourceUse read = content.closedAfter == null ? read(kind, content.bound) : null;
                if (read != null) {
                    reads.add(read);
                }
            }
        }
    }

    /** Returns what a kernel that takes a slot reads; null of a sampler. */
    static @Nullable ResourceUse read(Kind kind, BoundResource bound) {
        if (bound instanceof BoundResource.BufferRange range) {
            return new ResourceUse.OfBuffer(
                    range.buffer(), range.offset(), range.bytes(), Access.STORAGE_READ_COMPUTE, false);
        }
        if (kind == Kind.SAMPLER) {
            return null;
        }
        Access access = kind == Kind.SAMPLED_TEXTURE ? Access.SAMPLED_COMPUTE : Access.STORAGE_READ_COMPUTE;
        return new ResourceUse.OfTexture(
                DispatchArguments.texture(bound), DispatchArguments.range(bound), access, false, access.layout());
    }

    @Override
    public BindlessSlot sampledTexture(TextureView view) {
        TableRules.texture(this, device, view, Kind.SAMPLED_TEXTURE);
        return put(Kind.SAMPLED_TEXTURE, (VirtualTexture) view.texture(), new BoundResource.SampledImage(view));
    }

    @Override
    public BindlessSlot sampler(Sampler sampler) {
        TableRules.sampler(this, device, sampler);
        return put(Kind.SAMPLER, null, new BoundResource.SeparateSampler(sampler));
    }

    @Override
    public BindlessSlot storageTexture(TextureView view) {
        TableRules.texture(this, device, view, Kind.STORAGE_TEXTURE);
        return put(Kind.STORAGE_TEXTURE, (VirtualTexture) view.texture(), new BoundResource.StorageTexture(view));
    }

    @Override
    public BindlessSlot storageBuffer(Buffer buffer, long offset, long bytes) {
        TableRules.buffer(this, device, buffer, offset, bytes);
        return put(Kind.STORAGE_BUFFER, (VirtualBuffer) buffer, new BoundResource.BufferRange(buffer, offset, bytes));
    }

    private BindlessSlot put(Kind kind, @Nullable Perishable resource, BoundResource bound) {
        return device.gate().inside(() -> {
            device.queuing().retired().sweep();
            synchronized (slots) {
                requireOpen("filled");
                int index = slots.of(kind).take(resource);
                Content content = new Content(bound);
                List<Content> all = contentsOf(kind);
                if (index == all.size()) {
                    all.add(content);
                } else {
                    all.set(index, content);
                }
                return new Slot(kind, index, content);
            }
        });
    }

    private final class Slot extends TableSlot {
        private final Content content;

        Slot(Kind kind, int index, Content content) {
            super(VirtualBindlessTable.this, kind, index);
            this.content = content;
        }

        @Override
        protected void free(int number) {
            content.closedAfter = device.queuing().all().stream()
                    .mapToLong(queue -> queue.timeline().newest())
                    .toArray();
            synchronized (slots) {
                slots.of(kind()).forget(number);
            }
            device.queuing().retired().add(() -> {
                synchronized (slots) {
                    contentsOf(kind()).set(number, content.remembered());
                    slots.of(kind()).give(number);
                }
            });
        }
    }

    @Override
    public @Nullable Resource firstClosed() {
        return slots.firstClosed();
    }

    @Override
    void retire() {
        super.retire();
        slots.clear();
    }
}
