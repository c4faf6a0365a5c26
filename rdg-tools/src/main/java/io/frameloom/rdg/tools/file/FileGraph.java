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
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.declare.Aspect;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A graph as a file says it; names are not resolved yet. It begins with what holds where the file is silent. The
 * readers fill it, and nothing changes it afterwards.
 */
public final class FileGraph {
    public String id = "";
    public final Mode mode = new Mode();
    public final List<Queue> queues = new ArrayList<>();
    public final List<Res> resources = new ArrayList<>();
    public final List<Pass> passes = new ArrayList<>();
    public final List<Dependency> dependencies = new ArrayList<>();
    /** Order of submission by queue, where the file gives it. */
    public final List<QueueOrder> queueOrder = new ArrayList<>();
    /** Whether the file carries the plan of a frame. */
    public boolean dumped;

    FileGraph() {}

    /** What the order of the passes means. */
    public enum Order {
        /** It gives the hazards. */
        DECLARED,
        /** Nothing: passes are a set. */
        UNORDERED,
        /** Only the declared orders count, and queues execute in the order given. */
        FIXED
    }

    /** How the graph is meant. */
    public static final class Mode {
        public Order order = Order.DECLARED;
        /** Of {@link AsyncCompute#TAGGED} passes stay on the queues that the file names. */
        public RdgOptions options = RdgOptions.defaults();
        /** Whether the device keeps attachments on tiles. */
        public boolean tiler;
        /** What passes take of what they declare, or null if the file does not say it. */
        public @Nullable List<Taken> actuallyUsed;

        Mode() {}
    }

    /**
     * What passes take of what they declare.
     *
     * @param pass the pass, or null for all of them together
     * @param resources the resources
     */
    public record Taken(@Nullable Name pass, List<Name> resources) {}

    /** A queue. */
    public static final class Queue {
        public String id = "";
        public int family;
        public QueueKind kind = QueueKind.COPY;
        /** Whether it shows images and executes nothing. */
        public boolean presents;

        public int line;

        Queue() {}
    }

    /** A resource. */
    public static final class Res {
        public String id = "";
        public boolean texture;
        /** Bytes that it takes in memory. */
        public long bytes;
        /** Bytes of a buffer's contents, or 0 if they are as many. */
        public long size;

        public long align = 1;
        public int memoryTypes = 1;
        /** Where a buffer lives. */
        public MemoryUsage memory = MemoryUsage.DEVICE;

        public int mips = 1;
        public int layers = 1;
        public int planes = 1;
        /** Extent of mip 0, each 0 if not said. */
        public int width;

        public int height;
        /** 0 for a texture of two dimensions. */
        public int depth;
        /** Whether the layers are the faces of cubes. */
        public boolean cube;

        public int samples = 1;
        public final List<Format> viewFormats = new ArrayList<>(0);
        /** As the file names it; null if it does not. */
        @Nullable
        Set<String> usage;
        /** Null for any. */
        public @Nullable Set<TextureUsage> textureUsage;

        public @Nullable Set<BufferUsage> bufferUsage;
        /** Null if not said. */
        public @Nullable Format format;

        public Lifetime life = Lifetime.TRANSIENT;
        /** When the frame starts. */
        public TextureLayout initial = TextureLayout.UNDEFINED;
        /** Name of the access that it is left ready for, or null. */
        public @Nullable String last;
        /** Whether one queue family owns it at a time. */
        public boolean exclusive;
        /** Whether its contents are not needed after the frame, whatever its lifetime. */
        public boolean discardedAfter;
        /** Whether it must not share memory. */
        public boolean alone;
        /** Identity outside of the graph, or null. */
        public @Nullable String handle;

        public int line;

        Res() {}
    }

    /**
     * An interval.
     *
     * @param from first
     * @param to after the last
     */
    public record Interval(long from, long to) {}

    /** A part of a resource; each interval is null for all, or for what else says it. */
    public abstract static class Part {
        public String resource = "";
        public @Nullable Interval mip;
        public @Nullable Interval layer;
        public @Nullable Interval plane;
        /** Where the file names the resource. */
        public int line;
    }

    /** A use. */
    public static final class Use extends Part {
        /** Name of the access. */
        public String access = "";
        /** Of a buffer. */
        public @Nullable Interval bytes;
        /** Whether the old contents are not needed. */
        public boolean discard;
        /** Group whose writes may overlap, or null. */
        public @Nullable String group;
        /** Whether a read shares its state with no other. */
        public boolean alone;

        Use() {}
    }

    /** A render target. The uses say the mip and the layers if it does not, its aspect the plane. */
    public static final class Target extends Part {
        public final Aspect aspect;
        public LoadOp load = LoadOp.LOAD;
        /** Whether it is only tested against. */
        public boolean readOnly;
        /** Null for a texture without slices. */
        public @Nullable Interval slice;

        public ClearColor clear = ClearColor.BLACK_TRANSPARENT;
        public float clearDepth;
        public int clearStencil;
        /** Where its samples are resolved to, or null. */
        public @Nullable Resolve resolve;

        Target(Aspect aspect) {
            this.aspect = aspect;
        }
    }

    /** Where a render target is resolved to: the first mip of all layers unless it says others. */
    public static final class Resolve extends Part {
        /** Null for colours. */
        public @Nullable ResolveMode mode;

        Resolve() {}
    }

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
        /** Each draw goes to all layers. */
        MULTIVIEW(PassFlag.MULTIVIEW),
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

    /** A pass. */
    public static final class Pass {
        public String id = "";
        /** Null for the first. */
        public @Nullable Name queue;

        public Kind kind = Kind.COPY;
        public final Set<Flag> flags = EnumSet.noneOf(Flag.class);
        public final List<Use> uses = new ArrayList<>(4);
        /** Null if the file is silent about them. */
        public @Nullable List<Target> targets;
        /** Left, top, width and height of the render area, or null for all of the targets. */
        public @Nullable List<Integer> area;
        /** Number of its condition, which passes with the same one share, or null for one of its own. */
        public @Nullable Integer condition;
        /** Whether it may run beside the graphics queue, whatever its queue. */
        public boolean async;
        /** Mask of the stages that it uses where the accesses do not say them, or 0. */
        public int stages;
        /** Resources that its commands touch. */
        public final List<Name> touches = new ArrayList<>(0);
        /** By resource the versions of it that it reads and makes. */
        public Map<Name, Version> versions = Map.of();

        public int line;

        Pass() {}

        /** Returns whether it may be skipped when it is recorded. */
        boolean isConditional() {
            return flags.contains(Flag.CONDITIONAL);
        }
    }

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
