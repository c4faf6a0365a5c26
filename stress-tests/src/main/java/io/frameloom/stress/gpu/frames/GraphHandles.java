package io.frameloom.stress.gpu.frames;

import io.frameloom.rdg.BufferHistory;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.stress.gpu.frames.GraphShape.Life;
import io.frameloom.stress.gpu.frames.GraphShape.Resource;
import io.frameloom.stress.gpu.frames.GraphShape.Texels;
import io.frameloom.stress.gpu.frames.GraphShape.Words;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The resources of one frame, declared when they are used first, but for the history. One thread. */
final class GraphHandles {
    private final RenderGraph graph;
    private final GraphShape shape;
    private final KeptResources kept;
    private final boolean texturesApart;
    private final Map<Integer, RdgBuffer> buffers = new HashMap<>();
    private final Map<Integer, RdgTexture> textures = new HashMap<>();
    private BufferHistory.@Nullable Frame history;

    GraphHandles(RenderGraph graph, GraphShape shape, KeptResources kept, boolean texturesApart) {
        this.graph = graph;
        this.shape = shape;
        this.kept = kept;
        this.texturesApart = texturesApart;
    }

    /** Declares the history, whose first contents come from a pass that has to stand before those that read them. */
    void declareHistory() {
        for (int i = 0; i < shape.resources().size(); i++) {
            if (shape.resources().get(i).life() == Life.PREVIOUS) {
                buffer(i);
            }
        }
    }

    RdgBuffer buffer(int index) {
        RdgBuffer known = buffers.get(index);
        if (known != null) {
            return known;
        }
        Words words = (Words) shape.resources().get(index);
        RdgBuffer made = switch (words.life()) {
            case EXTERNAL, EXCLUSIVE -> graph.registerExternal(kept.buffer(index));
            case PREVIOUS -> history(words).previous();
            case CURRENT -> history(words).current();
            case TRANSIENT -> graph.createBuffer(words.name(), KeptResources.description(words));
        };
        buffers.put(index, made);
        return made;
    }

    private BufferHistory.Frame history(Words words) {
        BufferHistory.Frame known = history;
        if (known == null) {
            known = graph.history(kept.history(), KeptResources.description(words));
            history = known;
        }
        return known;
    }

    RdgTexture texture(int index) {
        RdgTexture known = textures.get(index);
        if (known != null) {
            return known;
        }
        Resource resource = shape.resources().get(index);
        RdgTexture made;
        if (resource.life() == Life.EXTERNAL) {
            made = graph.registerExternal(kept.texture(index), kept.layout(index));
        } else {
            made = graph.createTexture(resource.name(), KeptResources.description((Texels) resource));
            apart(made);
        }
        textures.put(index, made);
        return made;
    }

    /** Gives a transient texture memory of its own where the device needs that. */
    void apart(RdgTexture made) {
        if (texturesApart) {
            graph.neverAlias(made);
        }
    }

    /** Takes notice of the layouts in which the compiled graph leaves what frames share. */
    void compiled(FramePlan plan) {
        textures.forEach((index, texture) -> {
            if (shape.resources().get(index).life() == Life.EXTERNAL) {
                kept.layout(index, plan.finalLayout(texture));
            }
        });
    }
}
