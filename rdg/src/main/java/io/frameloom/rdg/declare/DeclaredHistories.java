package io.frameloom.rdg.declare;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.BufferHistory;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.TextureHistory;
import io.frameloom.rdg.utility.ClearPasses;
import java.util.EnumSet;
import java.util.Set;

/** Takes histories into a graph: both halves, and the clear of what no former frame has written. */
public final class DeclaredHistories {
    private DeclaredHistories() {}

    public static TextureHistory.Frame declare(
            RenderGraph graph,
            GraphDeclaration declaration,
            HistoryState<Texture, TextureDescription> history,
            ClearColor initial,
            TextureDescription shape) {
        DeclaredResources resources = declaration.resources();
        Access rest = history.rest();
        Set<TextureUsage> usage = EnumSet.of(TextureUsage.COPY_DST);
        usage.addAll(AccessUsage.textureUsage(rest.memoryAccess()));
        usage.addAll(shape.usage());
        history.prepare(shape.withUsage(usage));
        boolean kept = history.hasContents();
        String site = declaration.site();
        RdgTexture previous = resources.history(
                history.name() + " (previous)",
                history.previous(),
                Lifetime.EXTERNAL,
                kept ? rest.layout() : TextureLayout.UNDEFINED,
                rest,
                new HistoryUse(history, false, site));
        RdgTexture current = resources.history(
                history.name(),
                history.current(),
                Lifetime.HISTORY,
                TextureLayout.UNDEFINED,
                rest,
                new HistoryUse(history, true, site));
        if (!kept && shape.format().isDepth()) {
            ClearPasses.depthStencil(graph, previous, (float) initial.red(), 0);
        } else if (!kept) {
            ClearPasses.texture(graph, previous, initial);
        }
        return new TextureHistory.Frame(previous, current, kept);
    }

    public static BufferHistory.Frame declare(
            RenderGraph graph,
            GraphDeclaration declaration,
            HistoryState<Buffer, BufferDescription> history,
            int initial,
            BufferDescription shape) {
        DeclaredResources resources = declaration.resources();
        Access rest = history.rest();
        Set<BufferUsage> usage = EnumSet.of(BufferUsage.COPY_DST);
        usage.addAll(AccessUsage.bufferUsage(rest.memoryAccess()));
        usage.addAll(shape.usage());
        history.prepare(shape.withUsage(usage));
        boolean kept = history.hasContents();
        String site = declaration.site();
        RdgBuffer previous = resources.history(
                history.name() + " (previous)",
                history.previous(),
                Lifetime.EXTERNAL,
                rest,
                new HistoryUse(history, false, site));
        RdgBuffer current = resources.history(
                history.name(), history.current(), Lifetime.HISTORY, rest, new HistoryUse(history, true, site));
        if (!kept) {
            ClearPasses.buffer(graph, previous, initial);
        }
        return new BufferHistory.Frame(previous, current, kept);
    }
}
