package io.frameloom.rdg;

import io.frameloom.gpu.Access;
import io.frameloom.gpu.LoadOp;
import io.frameloom.gpu.RenderingInfo.ClearColor;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.rdg.compile.DeclaredGraph;
import io.frameloom.rdg.compile.DeclaredGraph.Mode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The declaration of one pass; finished by {@link #record}. The thread that declares the graph.
 *
 * <p>A mistake in a declaration is reported by the compiler, together with all others.
 */
public final class PassBuilder {
    private final RenderGraph graph;
    private final int index;
    private final String name;
    private final PassKind kind;
    private final @Nullable String site;
    private final Set<PassFlag> flags = EnumSet.noneOf(PassFlag.class);
    private final List<DeclaredGraph.Use> uses = new ArrayList<>(4);
    private final List<DeclaredGraph.Attachment> attachments = new ArrayList<>(2);
    private final List<Integer> after = new ArrayList<>(0);
    private @Nullable PassBody body;

    PassBuilder(RenderGraph graph, int index, String name, PassKind kind, @Nullable String site) {
        this.graph = graph;
        this.index = index;
        this.name = name;
        this.kind = kind;
        this.site = site;
    }

    /** Declares that the pass reads all of a texture. */
    public PassBuilder reads(RdgTexture texture, Access access) {
        return use(texture, null, 0, -1, access, Mode.READ, false);
    }

    /** Declares that the pass reads a range of a texture. */
    public PassBuilder reads(RdgTexture texture, SubresourceRange range, Access access) {
        return use(texture, range, 0, -1, access, Mode.READ, false);
    }

    /** Declares that the pass reads all of a buffer. */
    public PassBuilder reads(RdgBuffer buffer, Access access) {
        return use(buffer, null, 0, -1, access, Mode.READ, false);
    }

    /** Declares that the pass reads {@code bytes} bytes of a buffer from {@code offset} on. */
    public PassBuilder reads(RdgBuffer buffer, long offset, long bytes, Access access) {
        return use(buffer, null, offset, bytes, access, Mode.READ, false);
    }

    /** Declares that the pass writes into a texture and keeps what it does not write. */
    public PassBuilder writes(RdgTexture texture, Access access) {
        return use(texture, null, 0, -1, access, Mode.WRITE, false);
    }

    /** Declares that the pass writes into a range of a texture and keeps what it does not write. */
    public PassBuilder writes(RdgTexture texture, SubresourceRange range, Access access) {
        return use(texture, range, 0, -1, access, Mode.WRITE, false);
    }

    /** Declares that the pass writes into a buffer and keeps what it does not write. */
    public PassBuilder writes(RdgBuffer buffer, Access access) {
        return use(buffer, null, 0, -1, access, Mode.WRITE, false);
    }

    /** Declares that the pass writes into {@code bytes} bytes of a buffer and keeps what it does not write. */
    public PassBuilder writes(RdgBuffer buffer, long offset, long bytes, Access access) {
        return use(buffer, null, offset, bytes, access, Mode.WRITE, false);
    }

    /**
     * Declares that the pass writes into a texture at places where no other pass of {@code group} reads or writes: the
     * passes of a group need no order and no barrier among each other.
     */
    public PassBuilder writes(RdgTexture texture, Access access, OverlapGroup group) {
        return use(texture, null, 0, -1, access, Mode.WRITE, false, group.number(graph));
    }

    /** Declares that the pass writes into a range of a texture where no other pass of {@code group} reads or writes. */
    public PassBuilder writes(RdgTexture texture, SubresourceRange range, Access access, OverlapGroup group) {
        return use(texture, range, 0, -1, access, Mode.WRITE, false, group.number(graph));
    }

    /** Declares that the pass writes into a buffer at places where no other pass of {@code group} reads or writes. */
    public PassBuilder writes(RdgBuffer buffer, Access access, OverlapGroup group) {
        return use(buffer, null, 0, -1, access, Mode.WRITE, false, group.number(graph));
    }

    /** Declares that the pass writes into bytes of a buffer where no other pass of {@code group} reads or writes. */
    public PassBuilder writes(RdgBuffer buffer, long offset, long bytes, Access access, OverlapGroup group) {
        return use(buffer, null, offset, bytes, access, Mode.WRITE, false, group.number(graph));
    }

    /** Declares that the pass writes all of a texture; earlier writers are not needed. */
    public PassBuilder overwrites(RdgTexture texture, Access access) {
        return use(texture, null, 0, -1, access, Mode.OVERWRITE, false);
    }

    /** Declares that the pass writes all of a range; earlier writers of it are not needed. */
    public PassBuilder overwrites(RdgTexture texture, SubresourceRange range, Access access) {
        return use(texture, range, 0, -1, access, Mode.OVERWRITE, false);
    }

    /** Declares that the pass writes all of a buffer; earlier writers are not needed. */
    public PassBuilder overwrites(RdgBuffer buffer, Access access) {
        return use(buffer, null, 0, -1, access, Mode.OVERWRITE, false);
    }

    /** Declares that the pass writes all of {@code bytes} bytes of a buffer; earlier writers of them are not needed. */
    public PassBuilder overwrites(RdgBuffer buffer, long offset, long bytes, Access access) {
        return use(buffer, null, offset, bytes, access, Mode.OVERWRITE, false);
    }

    /** Adds mip 0 of layer 0 as the next colour attachment. */
    public PassBuilder color(RdgTexture texture, LoadOp load, ClearColor clear) {
        return color(texture, 0, 0, load, clear);
    }

    /** Adds one mip of one layer as the next colour attachment. */
    public PassBuilder color(RdgTexture texture, int mip, int layer, LoadOp load, ClearColor clear) {
        attachments.add(new DeclaredGraph.Attachment(uses.size(), load, clear, 0, false, false));
        return use(
                texture,
                new SubresourceRange(mip, 1, layer, 1, 0, 1),
                0,
                -1,
                load == LoadOp.LOAD ? Access.COLOR_READ_WRITE : Access.COLOR_WRITE,
                load == LoadOp.LOAD ? Mode.WRITE : Mode.OVERWRITE,
                true);
    }

    /** Sets mip 0 of layer 0 as the depth attachment, written by the pass. */
    public PassBuilder depth(RdgTexture texture, LoadOp load, float clear) {
        return depth(texture, 0, 0, load, clear);
    }

    /** Sets one mip of one layer as the depth attachment, written by the pass. */
    public PassBuilder depth(RdgTexture texture, int mip, int layer, LoadOp load, float clear) {
        attachments.add(
                new DeclaredGraph.Attachment(uses.size(), load, ClearColor.BLACK_TRANSPARENT, clear, true, false));
        return use(
                texture,
                depthRange(texture, mip, layer),
                0,
                -1,
                load == LoadOp.LOAD ? Access.DEPTH_READ_WRITE : Access.DEPTH_WRITE,
                load == LoadOp.LOAD ? Mode.WRITE : Mode.OVERWRITE,
                true);
    }

    /** Sets mip 0 of layer 0 as the depth attachment, tested but not written. */
    public PassBuilder depthReadOnly(RdgTexture texture) {
        return depthReadOnly(texture, 0, 0);
    }

    /** Sets one mip of one layer as the depth attachment, tested but not written. */
    public PassBuilder depthReadOnly(RdgTexture texture, int mip, int layer) {
        attachments.add(
                new DeclaredGraph.Attachment(uses.size(), LoadOp.LOAD, ClearColor.BLACK_TRANSPARENT, 0, true, true));
        return use(texture, depthRange(texture, mip, layer), 0, -1, Access.DEPTH_READ, Mode.READ, true);
    }

    /**
     * Declares that the pass comes after another one whatever the two use.
     *
     * @throws RdgException if the other pass belongs to another graph or is this one
     */
    public PassBuilder after(PassBuilder earlier) {
        if (earlier.graph != graph || earlier == this) {
            throw new RdgException("pass '" + name + "' of graph '" + graph.name() + "' cannot come after pass '"
                    + earlier.name + "' of graph '" + earlier.graph.name() + "': name another pass of the same graph");
        }
        after.add(earlier.index);
        return this;
    }

    /** Sets flags; flags set before stay. */
    public PassBuilder flag(PassFlag... more) {
        flags.addAll(List.of(more));
        return this;
    }

    /**
     * Gives the pass its body and ends its declaration.
     *
     * @throws RdgException if the pass has a body already
     */
    public void record(PassBody commands) {
        if (body != null) {
            throw new RdgException("pass '" + name + "' of graph '" + graph.name()
                    + "' has a body already: call record once, or add another pass");
        }
        body = commands;
    }

    DeclaredGraph.Pass declared() {
        return new DeclaredGraph.Pass(
                index,
                name,
                kind,
                -1,
                Set.copyOf(flags),
                List.copyOf(uses),
                List.copyOf(attachments),
                List.copyOf(after),
                body,
                site);
    }

    private static SubresourceRange depthRange(RdgTexture texture, int mip, int layer) {
        return new SubresourceRange(
                mip, 1, layer, 1, 0, texture.description().format().planes());
    }

    private PassBuilder use(
            RdgResource resource,
            @Nullable SubresourceRange range,
            long offset,
            long bytes,
            Access access,
            Mode mode,
            boolean attachment) {
        return use(resource, range, offset, bytes, access, mode, attachment, -1);
    }

    private PassBuilder use(
            RdgResource resource,
            @Nullable SubresourceRange range,
            long offset,
            long bytes,
            Access access,
            Mode mode,
            boolean attachment,
            int overlap) {
        if (body != null) {
            throw new RdgException("pass '" + name + "' of graph '" + graph.name() + "' uses '" + resource.name()
                    + "' after its declaration has ended: declare uses before record");
        }
        int resourceIndex = resource.graph() == graph ? resource.index() : -1;
        uses.add(new DeclaredGraph.Use(
                resourceIndex, resource.name(), range, offset, bytes, access, mode, attachment, overlap, graph.site()));
        return this;
    }
}
