package io.frameloom.rdg.declare;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgResource;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.declare.DeclaredGraph.Mode;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What one pass uses, in order of declaration. */
public final class PassUses {
    private final PassDeclaration pass;
    private final RedeclaredList<DeclaredGraph.Use> uses = new RedeclaredList<>(4);
    private @Nullable String component;

    PassUses(PassDeclaration pass) {
        this.pass = pass;
    }

    /** Names the component of a record that the next uses come from, for messages; null for none. */
    public void component(@Nullable String from) {
        component = from;
    }

    /** Returns the uses until now, as long as the pass is declared. */
    public List<DeclaredGraph.Use> all() {
        return uses;
    }

    void clear() {
        uses.clear();
        component = null;
    }

    public void texture(RdgTexture texture, @Nullable SubresourceRange range, Access access, Mode mode, int overlap) {
        add(texture, range, 0, -1, access, mode, false, overlap);
    }

    /** {@code bytes} is -1 for all of the buffer. */
    public void buffer(RdgBuffer buffer, long offset, long bytes, Access access, Mode mode, int overlap) {
        add(buffer, null, offset, bytes, access, mode, false, overlap);
    }

    /** Declares a use of an attachment; returns its index. */
    int attachment(RdgTexture texture, SubresourceRange range, Access access, Mode mode) {
        add(texture, range, 0, -1, access, mode, true, -1);
        return uses.size() - 1;
    }

    private void add(
            RdgResource resource,
            @Nullable SubresourceRange range,
            long offset,
            long bytes,
            Access access,
            Mode mode,
            boolean attachment,
            int overlap) {
        DeclarationJournal journal = pass.noting();
        if (pass.isRecorded()) {
            throw new RdgException(pass.subject() + " uses '" + resource.name()
                    + "' after its declaration has ended: declare uses before record");
        }
        int index = index(resource);
        if (index >= 0 && Handle.of(resource).passthrough() != null) {
            requirePassthrough(resource, access);
        }
        String site = component == null ? pass.graph().site() : component;
        DeclaredGraph.Use former = uses.former();
        DeclaredGraph.Use use = former != null
                        && former.resource() == index
                        && former.access() == access
                        && former.mode() == mode
                        && former.attachment() == attachment
                        && former.overlap() == overlap
                        && former.offset() == offset
                        && former.bytes() == bytes
                        && Objects.equals(former.range(), range)
                        && former.resourceName().equals(resource.name())
                        && Objects.equals(former.site(), site)
                ? former
                : new DeclaredGraph.Use(
                        index, resource.name(), range, offset, bytes, access, mode, attachment, overlap, site);
        journal.use(pass.index(), use);
        uses.add(use);
    }

    /** Returns the index of a resource of this frame, or what is wrong with it in its place. */
    private int index(RdgResource resource) {
        GraphDeclaration graph = pass.graph();
        if (Handle.of(resource).graph() != graph) {
            return DeclaredGraph.Use.OF_ANOTHER_GRAPH;
        }
        return graph.resources().has(resource) ? resource.index() : DeclaredGraph.Use.OF_A_FORMER_FRAME;
    }

    /** A passthrough resource is not tracked, so nothing may change it or its layout. */
    private void requirePassthrough(RdgResource resource, Access access) {
        TextureLayout stays = Handle.of(resource).passthrough();
        boolean fits = !access.writes() && (resource instanceof RdgBuffer || access.layout() == stays);
        if (stays != null && !fits) {
            throw new RdgException(pass.subject() + pass.suffix() + " declares " + access + " of '" + resource.name()
                    + "'" + pass.graph().resources().siteSuffix(resource)
                    + ", a passthrough resource that is read in layout " + stays
                    + " and not tracked; register it as an external");
        }
    }
}
