package io.frameloom.rdg;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;

/** Passes of a graph that fill buffers, and passes that read them, between which there are barriers. */
final class FilledBuffers {
    static final BufferDescription DATA =
            BufferDescription.device(1024, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);

    private final RenderGraph graph;

    FilledBuffers(RenderGraph graph) {
        this.graph = graph;
    }

    /** Declares a buffer and the pass that fills it. */
    RdgBuffer filled(String name) {
        RdgBuffer buffer = graph.createBuffer(name, DATA);
        graph.addPass("fill " + name, PassKind.COPY)
                .overwrites(buffer, Access.COPY_DST)
                .record(context -> {});
        return buffer;
    }

    /** Begins a pass that reads a buffer and writes one that is extracted. */
    PassBuilder user(String name, RdgBuffer from) {
        RdgBuffer to = graph.createBuffer("to " + name, DATA);
        graph.extract(to, Access.STORAGE_WRITE_COMPUTE);
        return graph.addPass(name, PassKind.COMPUTE)
                .reads(from, Access.STORAGE_READ_COMPUTE)
                .overwrites(to, Access.STORAGE_WRITE_COMPUTE);
    }
}
