package io.frameloom.rdg.tools.file;

import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.ResolveMode;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.AsyncCompute;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassSchedule;
import io.frameloom.rdg.declare.DeclaredGraph.Aspect;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A graph as a file says it; names are not resolved yet.
 *
 * @param id name of the graph
 * @param mode how it is meant
 * @param queues queues in order
 * @param resources resources in order
 * @param passes passes in order
 * @param dependencies declared orders, earlier and later pass
 * @param queueOrder order of submission by queue, where the file gives it
 * @param dumped whether the file carries the plan of a frame
 */
public record FileGraph(
        String id,
        Mode mode,
        List<Queue> queues,
        List<Res> resources,
        List<Pass> passes,
        List<Dependency> dependencies,
        List<QueueOrder> queueOrder,
        boolean dumped) {

    /** What the order of the passes means. */
    public enum Order {
        /** It gives the hazards. */
        DECLARED,
        /** Nothing: passes are a set. */
        UNORDERED,
        /** Only the declared orders count, and queues execute in the order given. */
        FIXED
    }

    /** How long contents live. */
    public enum Life {
        /** Inside the frame. */
        TRANSIENT,
        /** The application's. */
        EXTERNAL,
        /** Handed out after the frame. */
        EXTRACTED,
        /** Kept for the next frame. */
        HISTORY
    }

    /**
     * How the graph is meant.
     *
     * @param order what the order of the passes means
     * @param cull whether passes that no output needs go
     * @param overlapStorageWrites whether writes of one group overlap
     * @param tiler whether the device keeps attachments on tiles
     * @param async which passes leave the graphics queue; tagged ones stay on the queues that the file names
     * @param mergeRenderPasses whether raster passes share render passes
     * @param aliasing whether transients share memory
     * @param passMin shortest recording group worth a task
     * @param passMax longest recording group
     * @param exactWaits whether the file asks for waits of exact stages
     * @param hoistBarriers whether barriers are issued where others are issued before
     * @param splitBarriers whether barriers are issued in two halves where passes lie between
     * @param schedule which of the orders that mean the same is taken
     * @param actuallyUsed what passes take of what they declare, or null if the file does not say it
     */
    public record Mode(
            Order order,
            boolean cull,
            boolean overlapStorageWrites,
            boolean tiler,
            AsyncCompute async,
            boolean mergeRenderPasses,
            boolean aliasing,
            int passMin,
            int passMax,
            boolean exactWaits,
            boolean hoistBarriers,
            boolean splitBarriers,
            PassSchedule schedule,
            @Nullable List<Taken> actuallyUsed) {
        /** Declared order, everything on. */
        public static final Mode DEFAULT = new Mode(
                Order.DECLARED,
                true,
                true,
                false,
                AsyncCompute.TAGGED,
                true,
                true,
                1,
                32,
                false,
                false,
                false,
                PassSchedule.PROGRAM,
                null);
    }

    /**
     * What passes take of what they declare.
     *
     * @param pass the pass, or null for all of them together
     * @param resources the resources
     */
    public record Taken(@Nullable Name pass, List<Name> resources) {}

    /**
     * A queue.
     *
     * @param id name
     * @param family queue family
     * @param kind what it executes
     * @param presents whether it shows images and executes nothing
     * @param line where it stands
     */
    public record Queue(String id, int family, QueueKind kind, boolean presents, int line) {}

    /**
     * A resource.
     *
     * @param id name
     * @param texture whether it is a texture
     * @param bytes bytes that it takes in memory
     * @param size bytes of a buffer's contents, or 0 if they are as many
     * @param align alignment of its placement
     * @param memoryTypes mask of the memory types that it can be in
     * @param memory where a buffer lives
     * @param mips mip levels
     * @param layers array layers
     * @param planes planes
     * @param width width of mip 0, or 0 if not said
     * @param height height of mip 0, or 0 if not said
     * @param depth depth of mip 0 of a texture of three dimensions, or 0 for one of two
     * @param cube whether its layers are the faces of cubes
     * @param samples samples of each texel
     * @param viewFormats further formats of its views
     * @param textureUsage usage of a texture; null for any
     * @param bufferUsage usage of a buffer; null for any
     * @param format format, or null if not said
     * @param life lifetime
     * @param initial layout when the frame starts
     * @param last name of the access that it is left ready for, or null
     * @param exclusive whether one queue family owns it at a time
     * @param discardedAfter whether its contents are not needed after the frame, whatever its lifetime
     * @param alone whether it must not share memory
     * @param handle identity outside of the graph, or null
     * @param line where it stands
     */
    public record Res(
            String id,
            boolean texture,
            long bytes,
            long size,
            long align,
            int memoryTypes,
            MemoryUsage memory,
            int mips,
            int layers,
            int planes,
            int width,
            int height,
            int depth,
            boolean cube,
            int samples,
            List<Format> viewFormats,
            @Nullable Set<TextureUsage> textureUsage,
            @Nullable Set<BufferUsage> bufferUsage,
            @Nullable Format format,
            Life life,
            TextureLayout initial,
            @Nullable String last,
            boolean exclusive,
            boolean discardedAfter,
            boolean alone,
            @Nullable String handle,
            int line) {}

    /**
     * An interval.
     *
     * @param from first
     * @param to after the last
     */
    public record Interval(long from, long to) {}

    /**
     * A use.
     *
     * @param resource name of the resource
     * @param access name of the access
     * @param mip mips, or null for all
     * @param layer layers, or null for all
     * @param plane planes, or null for all
     * @param bytes bytes of a buffer, or null for all
     * @param discard whether the old contents are not needed
     * @param group group whose writes may overlap, or null
     * @param alone whether a read shares its state with no other
     * @param line where it names the resource
     */
    public record Use(
            String resource,
            String access,
            @Nullable Interval mip,
            @Nullable Interval layer,
            @Nullable Interval plane,
            @Nullable Interval bytes,
            boolean discard,
            @Nullable String group,
            boolean alone,
            int line) {
        /** Returns whether it is of the whole resource. */
        public boolean isWhole() {
            return mip == null && layer == null && plane == null && bytes == null;
        }
    }

    /**
     * A render target.
     *
     * @param resource name of the texture
     * @param load what happens to its contents at the beginning
     * @param aspect what it is
     * @param readOnly whether it is only tested against
     * @param mip its mip, or null if the uses say it
     * @param layer its layers, or null if the uses say it
     * @param plane its plane, or null for that of its aspect
     * @param slice its slices, or null for a texture without
     * @param clear what a colour target is cleared to
     * @param clearDepth what a depth target is cleared to
     * @param clearStencil what a stencil target is cleared to
     * @param resolve where its samples are resolved to, or null
     * @param line where it names the texture
     */
    public record Target(
            String resource,
            LoadOp load,
            Aspect aspect,
            boolean readOnly,
            @Nullable Interval mip,
            @Nullable Interval layer,
            @Nullable Interval plane,
            @Nullable Interval slice,
            ClearColor clear,
            float clearDepth,
            int clearStencil,
            @Nullable Resolve resolve,
            int line) {}

    /**
     * Where a render target is resolved to.
     *
     * @param resource name of the texture
     * @param mode how, or null for colours
     * @param mip its mip, or null for the first
     * @param layer its layers, or null for all
     * @param plane its plane, or null for that of its aspect
     * @param line where it names the texture
     */
    public record Resolve(
            String resource,
            @Nullable ResolveMode mode,
            @Nullable Interval mip,
            @Nullable Interval layer,
            @Nullable Interval plane,
            int line) {}

    /** What a pass does. */
    public enum Kind {
        /** Draws. */
        RASTER,
        /** Dispatches. */
        COMPUTE,
        /** Copies. */
        COPY,
        /** Shows an image. */
        PRESENT,
        /** Work of the host. */
        HOST
    }

    /** What is special about a pass. */
    public enum Flag {
        /** Never culled. */
        NEVER_CULL(PassFlag.NEVER_CULL),
        /** The host reads the result. */
        READBACK(PassFlag.READBACK),
        /** Begins its render passes itself. */
        SKIP_RENDER_PASS(PassFlag.SKIP_RENDER_PASS),
        /** Never shares a render pass. */
        NEVER_MERGE(PassFlag.NEVER_MERGE),
        /** Recorded alone. */
        NEVER_PARALLEL(PassFlag.NEVER_PARALLEL),
        /** Touches what it does not declare. */
        UNTRACKED(PassFlag.UNTRACKED_ACCESS),
        /** May run on a copy queue, whatever its queue. */
        ASYNC_COPY(PassFlag.ASYNC_COPY),
        /**
         * Stays on its queue, like a pass that names it. That is the graphics queue where all compute passes leave it,
         * another one where none may leave it.
         */
        QUEUE_FIXED(null),
        /** May be skipped when it is recorded; says something of what the pass writes. */
        CONDITIONAL(null);

        private final @Nullable PassFlag flag;

        Flag(@Nullable PassFlag flag) {
            this.flag = flag;
        }

        /** Returns the flag of the declared pass, or null if there is none. */
        public @Nullable PassFlag flag() {
            return flag;
        }

        /** Returns the name in files of a flag, or null if a file says it in another way. */
        public static @Nullable String nameOf(PassFlag flag) {
            for (Flag known : values()) {
                if (known.flag == flag) {
                    return known.inFiles();
                }
            }
            return null;
        }

        /** Returns the name in files. */
        public String inFiles() {
            return JsonCursor.camelCase(name());
        }
    }

    /**
     * A pass.
     *
     * @param id name
     * @param queue its queue, or null for the first
     * @param kind kind
     * @param flags flags
     * @param uses uses
     * @param targets render targets, or null if the file is silent about them
     * @param area left, top, width and height of the render area, or null for all of the targets
     * @param condition number of its condition, which passes with the same one share, or null for one of its own
     * @param async whether it may run beside the graphics queue, whatever its queue
     * @param stages mask of the stages that it uses where the accesses do not say them, or 0
     * @param touches names of resources that its commands touch
     * @param versions by name of a resource: the versions of it that it reads and makes
     * @param line where it stands
     */
    public record Pass(
            String id,
            @Nullable Name queue,
            Kind kind,
            Set<Flag> flags,
            List<Use> uses,
            @Nullable List<Target> targets,
            @Nullable List<Integer> area,
            @Nullable Integer condition,
            boolean async,
            int stages,
            List<Name> touches,
            Map<Name, Version> versions,
            int line) {}

    /**
     * The versions of a resource at a pass, of which at least one is said.
     *
     * @param before the version that it finds, or null if the file does not say it
     * @param after the version that it makes, of one that only reads the same as that, or null if the file does not say
     *     it
     */
    public record Version(
            @Nullable Integer before, @Nullable Integer after) {
        /** Returns the version of a pass that writes, or else of one that reads. */
        int of(boolean writes) {
            Integer said = writes ? after : before;
            Integer other = writes ? before : after;
            if (said != null) {
                return said;
            }
            return other == null ? 0 : writes ? other + 1 : other;
        }
    }

    /**
     * A name of something that is declared elsewhere in the file.
     *
     * @param text name
     * @param line where it stands
     */
    public record Name(String text, int line) {}

    /**
     * A declared order.
     *
     * @param earlier the earlier pass
     * @param later the later pass
     */
    public record Dependency(Name earlier, Name later) {}

    /**
     * The order of submission of a queue.
     *
     * @param queue the queue
     * @param passes its passes
     */
    public record QueueOrder(Name queue, List<Name> passes) {}
}
