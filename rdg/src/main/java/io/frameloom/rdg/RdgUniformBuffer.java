package io.frameloom.rdg;

import io.frameloom.rdg.declare.DeclarationSite;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Constants of one frame for the shaders of its passes, in the frame's ring of upload memory. The first pass that
 * records with it writes it, once. It is gone when the frame has completed. Passes declare it by {@link
 * PassBuilder#uniforms} and take it by {@link PassContext#uniforms}. Unreal's TRDGUniformBufferRef.
 *
 * <p>Made by {@link RenderGraph#createUniforms}; immutable, any thread.
 */
public final class RdgUniformBuffer {
    private final RenderGraph graph;
    private final long frame;
    private final int index;
    private final String name;
    private final int bytes;
    private final Consumer<ByteBuffer> writer;
    private final @Nullable String site;

    RdgUniformBuffer(
            RenderGraph graph, int index, String name, int bytes, Consumer<ByteBuffer> writer, @Nullable String site) {
        this.graph = graph;
        this.frame = graph.frame();
        this.index = index;
        this.name = name;
        this.bytes = bytes;
        this.writer = writer;
        this.site = site;
    }

    /** Returns the debug name. */
    public String name() {
        return name;
    }

    /** Returns the size. */
    public int bytes() {
        return bytes;
    }

    /** Returns the position among the uniform buffers of its graph. */
    public int index() {
        return index;
    }

    /**
     * Writes the contents; the executor calls it once per frame.
     *
     * @param target mapped memory of {@link #bytes} bytes in native order, position 0
     */
    public void write(ByteBuffer target) {
        writer.accept(target);
    }

    RenderGraph graph() {
        return graph;
    }

    /** Returns the frame of the graph that it is of, {@link RenderGraph#frame}. */
    long frame() {
        return frame;
    }

    String described() {
        return "'" + name + "'" + DeclarationSite.suffix(site);
    }

    @Override
    public String toString() {
        return name;
    }
}
