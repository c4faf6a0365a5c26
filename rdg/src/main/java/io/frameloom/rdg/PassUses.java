package io.frameloom.rdg;

import io.frameloom.gpu.Access;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.rdg.compile.DeclaredGraph;
import io.frameloom.rdg.compile.DeclaredGraph.Mode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one pass uses, in order of declaration. */
final class PassUses {
    private final PassBuilder pass;
    private final List<DeclaredGraph.Use> uses = new ArrayList<>(4);
    private @Nullable String component;

    PassUses(PassBuilder pass) {
        this.pass = pass;
    }

    /** Names the component of a record that the next uses come from, for messages; null for none. */
    void component(@Nullable String from) {
        component = from;
    }

    List<DeclaredGraph.Use> all() {
        return uses;
    }

    void texture(RdgTexture texture, @Nullable SubresourceRange range, Access access, Mode mode, int overlap) {
        add(texture, range, 0, -1, access, mode, false, overlap);
    }

    /** {@code bytes} is -1 for all of the buffer. */
    void buffer(RdgBuffer buffer, long offset, long bytes, Access access, Mode mode, int overlap) {
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
        RenderGraph graph = pass.graph();
        if (pass.isRecorded()) {
            throw new RdgException(pass.subject() + " uses '" + resource.name()
                    + "' after its declaration has ended: declare uses before record");
        }
        int resourceIndex = resource.graph() == graph ? resource.index() : -1;
        if (resourceIndex >= 0 && resource.passthrough() != null) {
            requirePassthrough(resource, access);
        }
        DeclaredGraph.Use use = new DeclaredGraph.Use(
                resourceIndex,
                resource.name(),
                range,
                offset,
                bytes,
                access,
                mode,
                attachment,
                overlap,
                component == null ? graph.site() : component);
        graph.noting().use(pass.index(), use);
        uses.add(use);
    }

    /** A passthrough resource is not tracked, so nothing may change it or its layout. */
    private void requirePassthrough(RdgResource resource, Access access) {
        TextureLayout stays = resource.passthrough();
        boolean fits = !access.writes() && (resource instanceof RdgBuffer || access.layout() == stays);
        if (stays != null && !fits) {
            throw new RdgException(pass.subject() + pass.suffix() + " declares " + access + " of '" + resource.name()
                    + "'" + pass.graph().siteOf(resource) + ", a passthrough resource that is read in layout " + stays
                    + " and not tracked; register it as an external");
        }
    }
}
