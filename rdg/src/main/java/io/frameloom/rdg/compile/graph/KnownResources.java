package io.frameloom.rdg.compile.graph;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The declared resources, read once, but for the numbers in {@link ResourceShapes}. Nothing that is bound to them for
 * one frame is here, so a plan may keep it. Immutable; any thread.
 */
public final class KnownResources {
    private static final int TEXTURE = 1;
    private static final int EXTERNAL = 2;
    private static final int OUTPUT = 4;
    private static final int EXCLUSIVE = 8;
    private static final int DISCARDED_AFTER = 16;

    /** Shapes of the textures as declared. */
    public final @Nullable TextureDescription[] texture;

    public final Lifetime[] lifetime;
    public final TextureLayout[] initialLayout;
    /** Whether any resource belongs to one queue family at a time. */
    final boolean anyExclusive;
    /** Whether any resource is shared by some queue families alone. */
    public final boolean anyRefused;

    private final byte[] traits;
    /** Of no resource unless one has any. */
    private final @Nullable Access[] finalAccess;

    public KnownResources(DeclaredGraph graph) {
        List<DeclaredGraph.Declared> resources = graph.resources();
        int count = resources.size();
        texture = new TextureDescription[count];
        lifetime = new Lifetime[count];
        initialLayout = new TextureLayout[count];
        traits = new byte[count];
        @Nullable Access[] accesses = {};
        boolean exclusive = false;
        boolean refused = false;
        for (int r = 0; r < count; r++) {
            DeclaredGraph.Declared resource = resources.get(r);
            texture[r] = resource.texture();
            lifetime[r] = resource.lifetime();
            initialLayout[r] = resource.initialLayout();
            int has = (resource.isTexture() ? TEXTURE : 0)
                    | (resource.isExternal() ? EXTERNAL : 0)
                    | (resource.isOutput() ? OUTPUT : 0);
            DeclaredGraph.Sharing sharing = resource.sharing();
            has |= (sharing.exclusive() ? EXCLUSIVE : 0) | (resource.discardedAfter() ? DISCARDED_AFTER : 0);
            exclusive |= sharing.exclusive();
            refused |= !sharing.families().isEmpty();
            traits[r] = (byte) has;
            if (resource.finalAccess() != null) {
                accesses = accesses.length == 0 ? new Access[count] : accesses;
                accesses[r] = resource.finalAccess();
            }
        }
        finalAccess = accesses;
        anyExclusive = exclusive;
        anyRefused = refused;
    }

    public int count() {
        return lifetime.length;
    }

    /** As {@link DeclaredGraph.Declared#isTexture}. */
    public boolean isTexture(int resource) {
        return (traits[resource] & TEXTURE) != 0;
    }

    /** As {@link DeclaredGraph.Declared#isExternal}. */
    public boolean isExternal(int resource) {
        return (traits[resource] & EXTERNAL) != 0;
    }

    /** As {@link DeclaredGraph.Declared#isOutput}. */
    public boolean isOutput(int resource) {
        return (traits[resource] & OUTPUT) != 0;
    }

    /** As {@link DeclaredGraph.Declared#discardedAfter}. */
    public boolean isDiscardedAfter(int resource) {
        return (traits[resource] & DISCARDED_AFTER) != 0;
    }

    /** Returns whether any resource is to be left ready for an access. */
    public boolean anyFinalAccess() {
        return finalAccess.length > 0;
    }

    /** Returns whether a resource belongs to one queue family at a time. */
    public boolean isExclusive(int resource) {
        return (traits[resource] & EXCLUSIVE) != 0;
    }

    /** Returns the access to leave a resource ready for, or null for any. */
    public @Nullable Access finalAccess(int resource) {
        return finalAccess.length == 0 ? null : finalAccess[resource];
    }
}
