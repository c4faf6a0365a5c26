package io.frameloom.rdg.declare;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.ResolveMode;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.QueueSharing;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.Extraction;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgSetupTask;
import io.frameloom.rdg.RdgUniformBuffer;
import io.frameloom.rdg.RenderTargets;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A graph as it was declared. The compiler reads nothing else.
 *
 * @param name name of the graph
 * @param passes passes in order of declaration
 * @param resources resources in order of declaration
 * @param scopes scopes of passes in order of declaration
 */
public record DeclaredGraph(
        String name, List<Pass> passes, List<Declared> resources, List<FramePlan.ScopePlan> scopes) {
    /** Copies the lists. */
    public DeclaredGraph {
        passes = List.copyOf(passes);
        resources = List.copyOf(resources);
        scopes = List.copyOf(scopes);
    }

    /** A graph without scopes. */
    public DeclaredGraph(String name, List<Pass> passes, List<Declared> resources) {
        this(name, passes, resources, List.of());
    }

    /** Returns the same graph with other passes. */
    public DeclaredGraph withPasses(List<Pass> other) {
        return new DeclaredGraph(name, other, resources, scopes);
    }

    /** What the declaration says about the old contents. */
    public enum Mode {
        /** Only read. */
        READ,
        /** Written; the old contents are kept where nothing is written. */
        WRITE,
        /** Written; the old contents are not needed. */
        OVERWRITE,
        /**
         * Written by a pass that may be left out: if it runs it needs none of the old contents, which are kept if not.
         */
        OVERWRITE_IF_RUN
    }

    /**
     * A use of a resource by a pass.
     *
     * @param resource index of the resource, or {@link #OF_ANOTHER_GRAPH} or {@link #OF_A_FORMER_FRAME}
     * @param resourceName name of the resource
     * @param range range of a texture, or null for everything or a buffer
     * @param offset first byte of a buffer
     * @param bytes length in a buffer, or -1 for all
     * @param access access
     * @param mode direction as declared
     * @param attachment whether the use comes from a render target
     * @param overlap number of the group whose writes may overlap, or -1, or {@link #ALONE}
     * @param site where it was declared, or null
     */
    public record Use(
            int resource,
            String resourceName,
            @Nullable SubresourceRange range,
            long offset,
            long bytes,
            Access access,
            Mode mode,
            boolean attachment,
            int overlap,
            @Nullable String site) {
        /** In place of a resource: the handle belongs to another graph. */
        public static final int OF_ANOTHER_GRAPH = -1;

        /** In place of a resource: the handle belongs to what the graph declared before it was reset. */
        public static final int OF_A_FORMER_FRAME = -2;

        /** In place of a group: a read that shares its state with no other, and so keeps its own layout. */
        public static final int ALONE = -2;

        /** Returns the same use with another access and mode. */
        public Use with(Access other, Mode otherMode) {
            return new Use(resource, resourceName, range, offset, bytes, other, otherMode, attachment, overlap, site);
        }

        /** Returns whether what was there before has to be kept: the pass reads, or writes without a discard. */
        public boolean needsContents() {
            return mode != Mode.OVERWRITE;
        }

        /** Returns whether the pass, if it runs, needs what was there before. */
        public boolean needsContentsIfRun() {
            return mode != Mode.OVERWRITE && mode != Mode.OVERWRITE_IF_RUN;
        }
    }

    /** What of a texture an attachment is. */
    public enum Aspect {
        /** Colour. */
        COLOR,
        /** Depth. */
        DEPTH,
        /** Stencil. */
        STENCIL
    }

    /**
     * A render area in texels.
     *
     * @param x left edge
     * @param y upper edge
     * @param width width
     * @param height height
     */
    public record Area(int x, int y, int width, int height) {
        /** Returns whether it is all of a texture's mip. */
        boolean covers(TextureDescription shape, int mip) {
            return x == 0 && y == 0 && width == shape.width(mip) && height == shape.height(mip);
        }

        /** Returns whether it lies within a texture's mip. */
        public boolean isWithin(TextureDescription shape, int mip) {
            return x <= shape.width(mip) - width && y <= shape.height(mip) - height;
        }
    }

    /**
     * An attachment of a raster pass.
     *
     * @param use index of its use in the pass
     * @param aspect what it is
     * @param load load operation as declared
     * @param clear clear colour
     * @param clearDepth clear depth
     * @param clearStencil clear value of stencil
     * @param readOnly whether it is tested but not written
     * @param resolve index of the use of the texture that its samples are resolved to, or -1
     * @param mode how depth or stencil is resolved, or null
     * @param slices the slices that are attached of a texture of three dimensions, null for those of others
     */
    public record Attachment(
            int use,
            Aspect aspect,
            LoadOp load,
            ClearColor clear,
            float clearDepth,
            int clearStencil,
            boolean readOnly,
            int resolve,
            @Nullable ResolveMode mode,
            RenderTargets.@Nullable Slices slices) {
        /** Returns the same attachment, resolved. */
        public Attachment resolvedTo(int target, @Nullable ResolveMode by) {
            return new Attachment(use, aspect, load, clear, clearDepth, clearStencil, readOnly, target, by, slices);
        }

        /** Returns the same attachment, which loads what is there. */
        public Attachment loading() {
            return new Attachment(
                    use, aspect, LoadOp.LOAD, clear, clearDepth, clearStencil, readOnly, resolve, mode, slices);
        }
    }

    /**
     * A pass.
     *
     * @param index position
     * @param name name
     * @param kind kind
     * @param queue index of the queue it was declared for, or -1 if the compiler chooses
     * @param flags flags
     * @param uses uses in order of declaration
     * @param attachments attachments in order of declaration
     * @param after indices of the passes that it must come after whatever it uses
     * @param body body, or null if none was given
     * @param site where it was declared, or null
     * @param scope index of the innermost scope around it, or -1
     * @param uniforms uniform buffers of the frame that it reads
     * @param area render area of a raster pass, or null for all of its targets
     * @param setups setup tasks that it is recorded after
     */
    public record Pass(
            int index,
            String name,
            PassKind kind,
            int queue,
            Set<PassFlag> flags,
            List<Use> uses,
            List<Attachment> attachments,
            List<Integer> after,
            @Nullable PassBody body,
            @Nullable String site,
            int scope,
            List<RdgUniformBuffer> uniforms,
            @Nullable Area area,
            List<RdgSetupTask> setups)
            implements BoundPass {
        /** A pass that renders to all of its targets and waits for nothing of the host. */
        public Pass(
                int index,
                String name,
                PassKind kind,
                int queue,
                Set<PassFlag> flags,
                List<Use> uses,
                List<Attachment> attachments,
                List<Integer> after,
                @Nullable PassBody body,
                @Nullable String site,
                int scope,
                List<RdgUniformBuffer> uniforms) {
            this(
                    index,
                    name,
                    kind,
                    queue,
                    flags,
                    uses,
                    attachments,
                    after,
                    body,
                    site,
                    scope,
                    uniforms,
                    null,
                    List.of());
        }

        /** Returns the same pass at another position, after others. */
        public Pass at(int position, List<Integer> passes) {
            return new Pass(
                    position,
                    name,
                    kind,
                    queue,
                    flags,
                    uses,
                    attachments,
                    passes,
                    body,
                    site,
                    scope,
                    uniforms,
                    area,
                    setups);
        }

        /** Returns the same pass with another body. */
        public Pass with(@Nullable PassBody otherBody) {
            return new Pass(
                    index,
                    name,
                    kind,
                    queue,
                    flags,
                    uses,
                    attachments,
                    after,
                    otherBody,
                    site,
                    scope,
                    uniforms,
                    area,
                    setups);
        }

        /** Returns the same pass with other uses and attachments. */
        public Pass with(List<Use> otherUses, List<Attachment> otherAttachments) {
            return new Pass(
                    index,
                    name,
                    kind,
                    queue,
                    flags,
                    otherUses,
                    otherAttachments,
                    after,
                    body,
                    site,
                    scope,
                    uniforms,
                    area,
                    setups);
        }

        /** A pass outside of all scopes, without uniform buffers of the frame. */
        public Pass(
                int index,
                String name,
                PassKind kind,
                int queue,
                Set<PassFlag> flags,
                List<Use> uses,
                List<Attachment> attachments,
                List<Integer> after,
                @Nullable PassBody body,
                @Nullable String site) {
            this(index, name, kind, queue, flags, uses, attachments, after, body, site, -1, List.of());
        }
    }

    /**
     * Which queue families may use a resource.
     *
     * @param exclusive whether it belongs to one family at a time, which hands it over to the next. At the start and
     *     end of the frame, a resource from outside belongs to the family of the graphics queue; so does one that the
     *     frame gives away, at its end
     * @param families the families that share it, empty for all of the device
     */
    public record Sharing(boolean exclusive, Set<Integer> families) {
        /** All families of the device, as for what Frameloom makes unless its description says otherwise. */
        public static final Sharing CONCURRENT = new Sharing(false, Set.of());

        /** One family at a time. */
        public static final Sharing EXCLUSIVE = new Sharing(true, Set.of());

        /** Copies the set. */
        public Sharing {
            families = Set.copyOf(families);
        }

        /** Returns how a resource of the application is shared. */
        public static Sharing of(Resource external) {
            if (external.isExclusive()) {
                return EXCLUSIVE;
            }
            Set<Integer> families = external.sharedFamilies();
            return families.isEmpty() ? CONCURRENT : new Sharing(false, families);
        }

        /** Returns how a resource of the graph is shared. */
        public static Sharing of(QueueSharing description) {
            return description == QueueSharing.EXCLUSIVE ? EXCLUSIVE : CONCURRENT;
        }

        /** Returns whether queues of a family may use it, handed over or not. */
        public boolean allows(int family) {
            return families.isEmpty() || families.contains(family);
        }
    }

    /**
     * A resource.
     *
     * @param index position
     * @param name name
     * @param texture shape of a texture, or null for a buffer
     * @param buffer shape of a buffer, or null for a texture
     * @param lifetime lifetime
     * @param external the application's resource, or null
     * @param initialLayout layout at the start of the frame
     * @param finalAccess access to leave the resource ready for, or null for any
     * @param extraction where the resource goes, or null
     * @param memory what placing it takes, or null to ask the device
     * @param sharesMemory whether a transient may share memory with others
     * @param site where it was declared, or null
     * @param sharing which queue families may use it
     * @param discardedAfter whether its contents are not needed after the frame, though it is not of the frame alone
     */
    public record Declared(
            int index,
            String name,
            @Nullable TextureDescription texture,
            @Nullable BufferDescription buffer,
            Lifetime lifetime,
            @Nullable Resource external,
            TextureLayout initialLayout,
            @Nullable Access finalAccess,
            @Nullable Extraction extraction,
            @Nullable MemoryRequirements memory,
            boolean sharesMemory,
            @Nullable String site,
            Sharing sharing,
            boolean discardedAfter) {
        /** A resource whose contents after the frame are as its lifetime says. */
        public Declared(
                int index,
                String name,
                @Nullable TextureDescription texture,
                @Nullable BufferDescription buffer,
                Lifetime lifetime,
                @Nullable Resource external,
                TextureLayout initialLayout,
                @Nullable Access finalAccess,
                @Nullable Extraction extraction,
                @Nullable MemoryRequirements memory,
                boolean sharesMemory,
                @Nullable String site,
                Sharing sharing) {
            this(
                    index,
                    name,
                    texture,
                    buffer,
                    lifetime,
                    external,
                    initialLayout,
                    finalAccess,
                    extraction,
                    memory,
                    sharesMemory,
                    site,
                    sharing,
                    false);
        }

        /** A resource that the families of all queues share. */
        public Declared(
                int index,
                String name,
                @Nullable TextureDescription texture,
                @Nullable BufferDescription buffer,
                Lifetime lifetime,
                @Nullable Resource external,
                TextureLayout initialLayout,
                @Nullable Access finalAccess,
                @Nullable Extraction extraction,
                @Nullable MemoryRequirements memory,
                boolean sharesMemory,
                @Nullable String site) {
            this(
                    index,
                    name,
                    texture,
                    buffer,
                    lifetime,
                    external,
                    initialLayout,
                    finalAccess,
                    extraction,
                    memory,
                    sharesMemory,
                    site,
                    Sharing.CONCURRENT);
        }

        /** Returns whether it exists before the frame: its shape and usage are what they are. */
        public boolean isExternal() {
            return lifetime == Lifetime.EXTERNAL || lifetime == Lifetime.HISTORY;
        }

        /** Returns whether the contents matter after the frame. */
        public boolean isOutput() {
            return lifetime != Lifetime.TRANSIENT && !discardedAfter;
        }

        /** Returns whether this is a texture. */
        public boolean isTexture() {
            return texture != null;
        }
    }
}
