package io.frameloom.rdg.tools.file;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.QueueSharing;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureKind;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.declare.AccessUsage;
import io.frameloom.rdg.declare.Aspect;
import io.frameloom.rdg.declare.DeclaredGraph;
import io.frameloom.rdg.declare.Sharing;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Declares the resources of a file, of which it leaves to the passes what these decide: formats, memory, lifetimes. */
final class ResourceBuilding {
    /** A usage that leaves out all others is not asked for. */
    private static final Set<TextureUsage> ANY_USAGE =
            Set.copyOf(EnumSet.complementOf(EnumSet.of(TextureUsage.TRANSIENT_ATTACHMENT)));

    private final FileNames names;
    private final boolean[] depth;
    /** By resource the memory in which passes of the host reach it, null if none uses it. */
    private final @Nullable MemoryUsage[] onHost;

    /** By resource whether a pass that may be left out writes it, so that what was there before must be its own. */
    private final boolean[] skippable;

    private final Set<String> written = new HashSet<>();
    private final Set<String> readFirst = new HashSet<>();

    /** Knows the number of resources and no pass yet. */
    ResourceBuilding(FileNames names, int resources) {
        this.names = names;
        depth = new boolean[resources];
        onHost = new MemoryUsage[resources];
        skippable = new boolean[resources];
    }

    /** Declares the resources, when all passes are known. */
    void declare(List<FileGraph.Res> resources, DeclaredGraph graph) {
        for (FileGraph.Res resource : resources) {
            declare(graph.resources(), resource, graph);
        }
    }

    /** Notes what the uses of a pass decide; passes in order. */
    void noteUses(FileGraph.Pass pass) {
        for (FileGraph.Use use : pass.uses) {
            note(pass, use);
        }
    }

    private void note(FileGraph.Pass pass, FileGraph.Use use) {
        int resource = names.resource(use.resource, use.line);
        Access access = AccessNames.access(pass, use);
        if (pass.kind == FileGraph.Kind.HOST && onHost[resource] != MemoryUsage.READBACK) {
            onHost[resource] = access == Access.HOST_READ ? MemoryUsage.READBACK : MemoryUsage.UPLOAD;
        }
        depth[resource] |= use.access.startsWith("depth") || use.access.startsWith("stencil");
        if (access.writes()) {
            skippable[resource] |= pass.isConditional();
            written.add(use.resource);
        } else if (!written.contains(use.resource)) {
            readFirst.add(use.resource);
        }
    }

    /** Notes what render targets of a pass decide. */
    void noteTargets(FileGraph.Pass pass, List<FileGraph.Target> targets) {
        for (FileGraph.Target target : targets) {
            int resource = names.resource(target.resource, target.line);
            depth[resource] |= target.aspect != Aspect.COLOR;
            skippable[resource] |= !target.readOnly && pass.isConditional();
        }
    }

    private void declare(int index, FileGraph.Res resource, DeclaredGraph graph) {
        Object description = resource.texture ? shape(index, resource) : buffer(index, resource);
        graph.addResource(resource.id, description, lifetime(resource), resource.initial, sharing(resource), null);
        if (resource.last != null) {
            graph.setFinalAccess(index, AccessNames.access(resource.last, false));
        }
        if (resource.alone || skippable[index]) {
            graph.keepApart(index);
        }
        if (resource.discardedAfter) {
            graph.discardAfter(index);
        }
        graph.setMemory(index, new MemoryRequirements(resource.bytes, resource.align, resource.memoryTypes));
    }

    private BufferDescription buffer(int index, FileGraph.Res resource) {
        return new BufferDescription(
                Math.max(1, resource.size > 0 ? resource.size : resource.bytes),
                resource.bufferUsage == null ? AccessUsage.OF_ANY_BUFFER : resource.bufferUsage,
                memory(index, resource),
                resource.exclusive ? QueueSharing.EXCLUSIVE : QueueSharing.CONCURRENT);
    }

    /** A buffer that passes of the host use is in memory that the host reaches, whether the file says so or not. */
    private MemoryUsage memory(int index, FileGraph.Res resource) {
        MemoryUsage reached = onHost[index];
        return resource.memory == MemoryUsage.DEVICE && reached != null ? reached : resource.memory;
    }

    private static Sharing sharing(FileGraph.Res resource) {
        return resource.exclusive ? Sharing.EXCLUSIVE : Sharing.CONCURRENT;
    }

    private TextureDescription shape(int index, FileGraph.Res resource) {
        int extent = ResourceReader.defaultExtent(resource.mips);
        Format format = format(index, resource);
        if (resource.depth > 0 && format.isDepth()) {
            throw names.fail(
                    resource.line, "texture '" + resource.id + "' has a depth, so it cannot be a depth target");
        }
        return new TextureDescription(
                resource.depth > 0 ? TextureKind.THREE_D : resource.cube ? TextureKind.CUBE : TextureKind.TWO_D,
                resource.width > 0 ? resource.width : extent,
                resource.height > 0 ? resource.height : extent,
                Math.max(1, resource.depth),
                resource.mips,
                resource.layers,
                resource.samples,
                format,
                Set.copyOf(resource.viewFormats),
                resource.textureUsage == null ? ANY_USAGE : resource.textureUsage,
                resource.exclusive ? QueueSharing.EXCLUSIVE : QueueSharing.CONCURRENT);
    }

    private Format format(int index, FileGraph.Res resource) {
        if (resource.format != null) {
            return resource.format;
        }
        if (resource.planes == 2) {
            return Format.D32_SFLOAT_S8_UINT;
        }
        return depth[index] ? Format.D32_SFLOAT : Format.R8G8B8A8_UNORM;
    }

    /** What was kept from the frame before and is read before it is written has contents when the frame starts. */
    private Lifetime lifetime(FileGraph.Res resource) {
        boolean kept = resource.life == Lifetime.HISTORY && readFirst.contains(resource.id);
        return kept ? Lifetime.EXTERNAL : resource.life;
    }
}
