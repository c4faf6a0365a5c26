package io.frameloom.rdg;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.compile.UsageCompletion;
import io.frameloom.rdg.utility.ClearPasses;
import java.util.Set;

/** Takes histories into a graph: both halves, and the clear of what no former frame has written. */
final class DeclaredHistories {
    private DeclaredHistories() {}

    static TextureHistory.Frame declare(
            RenderGraph graph, DeclaredResources resources, TextureHistory history, TextureDescription shape) {
        Access rest = history.rest();
        Set<TextureUsage> usage = UsageCompletion.textureUsage(rest.memoryAccess());
        usage.addAll(shape.usage());
        usage.add(TextureUsage.COPY_DST);
        history.prepare(shape.withUsage(usage));
        boolean kept = history.hasContents();
        String site = graph.site();
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
            ClearPasses.depthStencil(graph, previous, (float) history.initial().red(), 0);
        } else if (!kept) {
            ClearPasses.texture(graph, previous, history.initial());
        }
        return new TextureHistory.Frame(previous, current, kept);
    }

    static BufferHistory.Frame declare(
            RenderGraph graph, DeclaredResources resources, BufferHistory history, BufferDescription shape) {
        Access rest = history.rest();
        Set<BufferUsage> usage = UsageCompletion.bufferUsage(rest.memoryAccess());
        usage.addAll(shape.usage());
        usage.add(BufferUsage.COPY_DST);
        history.prepare(shape.withUsage(usage));
        boolean kept = history.hasContents();
        String site = graph.site();
        RdgBuffer previous = resources.history(
                history.name() + " (previous)",
                history.previous(),
                Lifetime.EXTERNAL,
                rest,
                new HistoryUse(history, false, site));
        RdgBuffer current = resources.history(
                history.name(), history.current(), Lifetime.HISTORY, rest, new HistoryUse(history, true, site));
        if (!kept) {
            ClearPasses.buffer(graph, previous, history.initial());
        }
        return new BufferHistory.Frame(previous, current, kept);
    }
}
