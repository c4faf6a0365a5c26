package io.frameloom.rdg.declare;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.QueueSharing;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.Extraction;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgResource;
import io.frameloom.rdg.RdgTexture;
import org.jspecify.annotations.Nullable;

/**
 * One resource of a graph as declared until now. Used again for another one in the next frame, so no code outside keeps
 * it.
 */
final class DeclaredResource {
    private RdgResource handle;
    private TextureLayout initialLayout = TextureLayout.UNDEFINED;
    private @Nullable String site;

    @Nullable
    Resource external;

    Lifetime lifetime = Lifetime.TRANSIENT;

    @Nullable
    Access finalAccess;

    @Nullable
    Extraction extraction;

    boolean discardedAfter;
    boolean sharesMemory = true;

    DeclaredResource(RdgResource handle) {
        this.handle = handle;
    }

    /** Becomes a resource of which nothing more is declared. */
    void begin(
            RdgResource by,
            Lifetime life,
            @Nullable Resource from,
            TextureLayout initial,
            @Nullable String declaredAt) {
        handle = by;
        initialLayout = initial;
        site = declaredAt;
        external = from;
        lifetime = life;
        finalAccess = null;
        extraction = null;
        discardedAfter = false;
        sharesMemory = true;
    }

    /** Keeps no object of the application any longer. */
    void letGo() {
        external = null;
        extraction = null;
    }

    RdgResource handle() {
        return handle;
    }

    TextureLayout initialLayout() {
        return initialLayout;
    }

    @Nullable
    String site() {
        return site;
    }

    /** Returns the description of the texture or buffer. */
    Object shape() {
        return handle instanceof RdgTexture texture ? texture.description() : ((RdgBuffer) handle).description();
    }

    /** Returns how queue families share it. */
    DeclaredGraph.Sharing sharing() {
        Resource known = external;
        if (known != null) {
            return DeclaredGraph.Sharing.of(known);
        }
        QueueSharing described = handle instanceof RdgTexture texture
                ? texture.description().sharing()
                : ((RdgBuffer) handle).description().sharing();
        return DeclaredGraph.Sharing.of(described);
    }

    DeclaredGraph.Declared declared() {
        TextureDescription texture = handle instanceof RdgTexture t ? t.description() : null;
        BufferDescription buffer = handle instanceof RdgBuffer b ? b.description() : null;
        return new DeclaredGraph.Declared(
                handle.index(),
                handle.name(),
                texture,
                buffer,
                lifetime,
                external,
                initialLayout,
                finalAccess,
                extraction,
                null,
                sharesMemory,
                site,
                sharing(),
                discardedAfter);
    }
}
