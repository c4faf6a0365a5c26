package io.frameloom.rdg.utility;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.internal.TransferFit;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferSlice;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassContext;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgResource;
import io.frameloom.rdg.RdgSetupTask;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.declare.FrameUse;
import io.frameloom.rdg.declare.Handle;
import io.frameloom.taskgraph.FailurePolicy;
import io.frameloom.taskgraph.GraphEvent;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Brings textures and buffers from frames of one device to frames of another one. What the first executes first, the
 * other receives first. The devices have executors of one task graph.
 *
 * <pre>{@code
 * crossing.send(first, picture);        // declares a pass of a graph of the one device
 * firstExecutor.run(first);
 * crossing.receive(second, target);     // declares a pass of a graph of the other one
 * secondExecutor.run(second);           // returns at once
 * }</pre>
 *
 * <p>No thread waits: the task that records the receiving pass runs when the sending frame has completed. So does all
 * of its frame that comes later. If the sending frame fails, so does the receiving one, with the same cause; other
 * frames go on. At most 8 frames may be sent and not received.
 *
 * <p>One thread at a time sends, and one receives: those that declare the graphs. Close it after both executors and
 * before the devices.
 */
public final class DeviceCrossing implements AutoCloseable {
    private static final int MOST = 8;

    /** How bytes cross. */
    public enum Way {
        /**
         * In memory that both devices have. They are one physical device with one driver, and both were opened with
         * {@link Capability#EXTERNAL_MEMORY_FD}.
         */
        SHARED_MEMORY,
        /** From the one device to the host, and from there to the other. */
        HOST
    }

    private final String name;
    private final GpuDevice from;
    private final GpuDevice to;
    private final Way way;
    /** What was executed and not received, oldest first. */
    private final ArrayDeque<Sent> underWay = new ArrayDeque<>();
    /** Shared memory that no frame sends or is to receive; the one that was received first comes first. */
    private final List<Shared> idle = new ArrayList<>(0);

    private @Nullable Sent declared;
    private boolean closed;

    /**
     * A crossing from one device to another.
     *
     * @param name name for messages
     * @throws IllegalArgumentException if both are one device, or have different task graphs
     */
    public DeviceCrossing(String name, GpuDevice from, GpuDevice to) {
        this.name = Objects.requireNonNull(name, "a crossing needs a name: name must not be null");
        this.from = Objects.requireNonNull(from, "from must not be null");
        this.to = Objects.requireNonNull(to, "to must not be null");
        if (from == to) {
            throw new IllegalArgumentException(
                    this + " leads to the device that it comes from; use the resource itself there");
        }
        if (from.taskGraph() != to.taskGraph()) {
            throw new IllegalArgumentException(
                    this + " is between devices of two task graphs; open both with the same one");
        }
        way = way(from, to);
    }

    private static Way way(GpuDevice from, GpuDevice to) {
        boolean shared = from instanceof VulkanDevice first
                && to instanceof VulkanDevice second
                && first.capabilities().has(Capability.EXTERNAL_MEMORY_FD)
                && second.capabilities().has(Capability.EXTERNAL_MEMORY_FD)
                && !first.info().uuid().isEmpty()
                && first.info().uuid().equals(second.info().uuid())
                && first.capabilities().driver().equals(second.capabilities().driver());
        return shared ? Way.SHARED_MEMORY : Way.HOST;
    }

    /** Returns how bytes cross, which the devices decide. */
    public Way way() {
        return way;
    }

    /** Sends mip 0 of all layers of a texture; of one with depth and stencil that of depth. */
    public void send(RenderGraph graph, RdgTexture source) {
        send(graph, source, TextureRegion.mip(source.description(), 0));
    }

    /**
     * Sends a region of a texture.
     *
     * @throws RdgException if the texture has several samples, the region is not within it, or its texels are too large
     *     for an array
     * @throws IllegalStateException if the graph sends by this already, 8 frames were sent that are not received, or this
     *     is closed
     */
    public synchronized void send(RenderGraph graph, RdgTexture source, TextureRegion region) {
        Regions.require(TransferFit.texels(source.name(), source.description(), region));
        requireRoom(graph, source);
        Format format = source.description().format();
        if (way == Way.HOST) {
            declare(source, new Sent(texels(format, region), ReadbackPasses.texture(graph, source, region), null));
            return;
        }
        TexelLayout layout = TexelLayout.tight(0);
        Shared memory = memory(layout.totalBytes(format, region));
        RdgBuffer target = graph.registerExternal(memory.ours);
        sending(graph, source, target, memory)
                .reads(source, Regions.range(region), Access.COPY_SRC)
                .record(context -> context.commands()
                        .copyTextureToBuffer(context.texture(source), region, context.buffer(target), layout));
        declare(source, new Sent(texels(format, region), null, memory));
    }

    /** Sends all of a buffer; refuses what {@link #send(RenderGraph, RdgTexture, TextureRegion)} does. */
    public synchronized void send(RenderGraph graph, RdgBuffer source) {
        requireRoom(graph, source);
        long bytes = source.description().bytes();
        if (way == Way.HOST) {
            declare(source, new Sent(bytes(bytes), ReadbackPasses.buffer(graph, source), null));
            return;
        }
        Shared memory = memory(bytes);
        RdgBuffer target = graph.registerExternal(memory.ours);
        sending(graph, source, target, memory)
                .reads(source, Access.COPY_SRC)
                .record(context ->
                        context.commands().copyBuffer(context.buffer(source), 0, context.buffer(target), 0, bytes));
        declare(source, new Sent(bytes(bytes), null, memory));
    }

    /** Receives into mip 0 of all layers of a texture; into one with depth and stencil that of depth. */
    public PassBuilder receive(RenderGraph graph, RdgTexture target) {
        return receive(graph, target, TextureRegion.mip(target.description(), 0));
    }

    /**
     * Receives into a region of a texture what the oldest frame has sent that is not received.
     *
     * @return the pass, for {@link PassBuilder#after}
     * @throws RdgException if it has sent something else than texels of this format and extent, or the texture has
     *     several samples or not this region
     * @throws IllegalStateException if no such frame was executed, or this is closed
     */
    public synchronized PassBuilder receive(RenderGraph graph, RdgTexture target, TextureRegion region) {
        Regions.require(TransferFit.texels(target.name(), target.description(), region));
        Format format = target.description().format();
        Sent sent = oldest(graph, target, "texture", texels(format, region));
        PassBuilder pass = receiving(graph, target, sent);
        Regions.write(pass, target, region, Regions.range(region), Access.COPY_DST);
        record(
                graph,
                pass,
                sent,
                format.planeBytes(region.plane()),
                from -> from.context
                        .commands()
                        .copyBufferToTexture(
                                from.buffer, TexelLayout.tight(from.offset), from.context.texture(target), region));
        return pass;
    }

    /** As {@link #receive(RenderGraph, RdgTexture, TextureRegion)}, all of a buffer. */
    public synchronized PassBuilder receive(RenderGraph graph, RdgBuffer target) {
        long bytes = target.description().bytes();
        Sent sent = oldest(graph, target, "buffer", bytes(bytes));
        PassBuilder pass = receiving(graph, target, sent).overwrites(target, Access.COPY_DST);
        record(
                graph,
                pass,
                sent,
                Integer.BYTES,
                from -> from.context
                        .commands()
                        .copyBuffer(from.buffer, from.offset, from.context.buffer(target), 0, bytes));
        return pass;
    }

    /** Where a pass that receives finds the bytes. */
    private record Arrived(PassContext context, Buffer buffer, long offset) {}

    private static void record(RenderGraph graph, PassBuilder pass, Sent sent, int alignment, Consumer<Arrived> copy) {
        Shared memory = sent.memory;
        if (memory != null) {
            RdgBuffer source = graph.registerExternal(memory.theirs);
            pass.reads(source, Access.COPY_SRC)
                    .record(context -> copy.accept(new Arrived(context, context.buffer(source), 0)));
            return;
        }
        RdgReadback readback = Objects.requireNonNull(sent.readback);
        pass.record(context -> {
            ByteBuffer bytes = readback.unwatchedBytes().join(); // is there: the sending frame has completed
            BufferSlice slice = context.upload(bytes.remaining(), alignment);
            slice.data().put(0, bytes, 0, bytes.remaining());
            copy.accept(new Arrived(context, slice.buffer(), slice.offset()));
        });
    }

    private PassBuilder sending(RenderGraph graph, RdgResource source, RdgBuffer target, Shared memory) {
        PassBuilder pass = graph.addPass("send " + source.name(), PassKind.COPY).overwrites(target, Access.COPY_DST);
        GraphEvent received = memory.received;
        if (received != null && !received.isComplete()) {
            // The frame that receives may fail; this one need not.
            GraphEvent over = from.taskGraph()
                    .task(name + " received", () -> {})
                    .after(FailurePolicy.RUN_ANYWAY, received)
                    .dispatch();
            pass.after(graph.setupTask(from.taskGraph(), "room in crossing " + name, () -> {}, over));
        }
        return pass;
    }

    private PassBuilder receiving(RenderGraph graph, RdgResource target, Sent sent) {
        RdgSetupTask arrival = graph.setupTask(
                to.taskGraph(), "arrival by crossing " + name, () -> {}, Objects.requireNonNull(sent.completed));
        Handle.of(target).graph().bound().addUse(new Receipt(sent));
        return graph.addPass("receive " + target.name(), PassKind.COPY).after(arrival);
    }

    private void declare(RdgResource source, Sent sent) {
        declared = sent;
        Handle.of(source).graph().bound().addUse(sent);
    }

    private Sent oldest(RenderGraph graph, RdgResource target, String kind, String contents) {
        requireOpen(graph.name());
        Sent sent = underWay.peek();
        if (sent == null) {
            throw new IllegalStateException(this + " has nothing for graph '" + graph.name()
                    + "': execute the frame that sends before the one that receives is declared");
        }
        if (!sent.contents.equals(contents)) {
            throw new RdgException(this + " brings " + sent.contents + ", and " + kind + " '" + target.name()
                    + "' of graph '" + graph.name() + "' takes " + contents + "; receive what was sent");
        }
        return sent;
    }

    /** Returns memory of a size that no frame uses, or if there is much of it, that whose frame ends first. */
    private Shared memory(long bytes) {
        idle.removeIf(memory -> memory.bytes() != bytes && memory.closeUnused());
        for (Shared memory : idle) {
            if (memory.bytes() == bytes && (memory.isUnused() || idle.size() + underWay.size() >= MOST)) {
                return memory;
            }
        }
        Shared made = new Shared((VulkanDevice) from, (VulkanDevice) to, name, bytes);
        idle.add(0, made);
        return made;
    }

    private void requireRoom(RenderGraph graph, RdgResource source) {
        requireOpen(graph.name());
        if (declared != null && Handle.of(source).graph().bound().uses().contains(declared)) {
            throw new IllegalStateException("graph '" + graph.name() + "' would send '" + source.name() + "' by " + this
                    + ", and sends by it already; make a crossing for each");
        }
        if (underWay.size() >= MOST) {
            throw new IllegalStateException(this + " takes nothing from graph '" + graph.name() + "', since " + MOST
                    + " frames have sent what was not received; execute frames that receive it");
        }
    }

    private void requireOpen(String graph) {
        if (closed) {
            throw new IllegalStateException(this + " is used by graph '" + graph + "' after it was closed");
        }
    }

    private void requireDevice(String plan, String what, GpuDevice own, GpuDevice device) {
        requireOpen(plan);
        if (device != own) {
            throw new RdgException("plan '" + plan + "' " + what + " by " + this + ", and is executed on device '"
                    + device.capabilities().name() + "'; execute it on the other device of the crossing");
        }
    }

    private static String texels(Format format, TextureRegion region) {
        return region.width() + "x" + region.height() + "x" + region.depth() + " texels of " + format + " in "
                + region.layers() + " layers, plane " + region.plane();
    }

    private static String bytes(long bytes) {
        return bytes + " bytes";
    }

    /** Frees what it has. A second call does nothing. */
    @Override
    public synchronized void close() {
        closed = true;
        underWay.forEach(sent -> {
            if (sent.memory != null) {
                sent.memory.close();
            }
        });
        underWay.clear();
        idle.forEach(Shared::close);
        idle.clear();
    }

    @Override
    public String toString() {
        return "crossing '" + name + "' from device '" + from.capabilities().name() + "' to device '"
                + to.capabilities().name() + "'";
    }

    /** What one graph sends. */
    private final class Sent implements FrameUse {
        private final String contents;
        private final @Nullable RdgReadback readback;
        private final @Nullable Shared memory;
        private @Nullable GraphEvent completed;

        Sent(String contents, @Nullable RdgReadback readback, @Nullable Shared memory) {
            this.contents = contents;
            this.readback = readback;
            this.memory = memory;
        }

        @Override
        public void requireReady(String plan, GpuDevice device) {
            synchronized (DeviceCrossing.this) {
                requireDevice(plan, "sends", from, device);
                if (declared != this) {
                    throw new IllegalStateException("plan '" + plan + "' has sent by " + DeviceCrossing.this
                            + " before, or another graph was declared since that sends; declare a graph per frame and"
                            + " execute it before the next one is declared");
                }
            }
        }

        @Override
        public void launched(GraphEvent frame) {
            synchronized (DeviceCrossing.this) {
                declared = null;
                completed = frame;
                underWay.add(this);
                if (memory != null) {
                    memory.sent = frame;
                    idle.remove(memory);
                }
            }
        }
    }

    /** What one graph receives. */
    private final class Receipt implements FrameUse {
        private final Sent sent;

        Receipt(Sent sent) {
            this.sent = sent;
        }

        @Override
        public void requireReady(String plan, GpuDevice device) {
            synchronized (DeviceCrossing.this) {
                requireDevice(plan, "receives", to, device);
                if (underWay.peek() != sent) {
                    throw new IllegalStateException("plan '" + plan + "' receives by " + DeviceCrossing.this
                            + " what was received before; declare a graph per frame and execute it before the next one"
                            + " is declared");
                }
            }
        }

        @Override
        public void launched(GraphEvent frame) {
            synchronized (DeviceCrossing.this) {
                // A graph may receive the same into several resources.
                if (underWay.remove(sent) && sent.memory != null) {
                    sent.memory.received = frame;
                    idle.add(sent.memory);
                }
            }
        }
    }

    /** One piece of memory as a buffer of each device. */
    private static final class Shared {
        private final Buffer ours;
        private final Buffer theirs;
        /** The completion of the frame that has sent what is in it, or null. */
        private @Nullable GraphEvent sent;
        /** That of the frame that has received it, or null; a culled pass lets it come before the other. */
        private @Nullable GraphEvent received;

        Shared(VulkanDevice from, VulkanDevice to, String name, long bytes) {
            BufferDescription shape = BufferDescription.device(bytes, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);
            ours = from.createSharedBuffer("crossing " + name, shape);
            try {
                theirs = to.importBuffer("crossing " + name, shape, from.share(ours));
            } catch (RuntimeException | Error refused) {
                ours.close();
                throw refused;
            }
        }

        long bytes() {
            return ours.description().bytes();
        }

        boolean isUnused() {
            return isOver(sent) && isOver(received);
        }

        private static boolean isOver(@Nullable GraphEvent frame) {
            return frame == null || frame.isComplete();
        }

        boolean closeUnused() {
            boolean unused = isUnused();
            if (unused) {
                close();
            }
            return unused;
        }

        void close() {
            ours.close();
            theirs.close();
        }
    }
}
