package io.frameloom.gpu.record;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.IndexType;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.TextureLayout;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A command, what it names and is closed, and the words for that.
 *
 * @param what for the name of the test
 * @param recording records the command, and whatever it needs
 * @param gone what is closed
 * @param words that the refusal says of it
 */
record Naming(String what, Recording recording, Gone gone, String words) {
    @FunctionalInterface
    interface Recording {
        void record(MentionScene scene, CommandList list);
    }

    @FunctionalInterface
    interface Gone {
        AutoCloseable of(MentionScene scene);
    }

    private static final BarrierBatch.Scope FULL = BarrierBatch.GlobalBarrier.FULL.scope();

    private static final Gone WORDS = scene -> scene.words;
    private static final Gone COLOR = scene -> scene.color;

    /** Outside of render passes. */
    static final List<Naming> OUTSIDE = List.of(
            new Naming("copy from", (s, list) -> list.copyBuffer(s.words, 0, s.more, 0, 16), WORDS, "'words'"),
            new Naming("copy to", (s, list) -> list.copyBuffer(s.more, 0, s.words, 0, 16), WORDS, "'words'"),
            new Naming(
                    "copy buffer to texture",
                    (s, list) -> list.copyBufferToTexture(s.words, TexelLayout.tight(0), s.color, s.all()),
                    COLOR,
                    "'color'"),
            new Naming(
                    "copy texture to buffer",
                    (s, list) -> list.copyTextureToBuffer(s.color, 0, 0, s.words, 0),
                    WORDS,
                    "'words'"),
            new Naming("copy texture", (s, list) -> list.copyTexture(s.color, s.image), COLOR, "'color'"),
            new Naming("fill", (s, list) -> list.fillBuffer(s.words, 0, 16, 1), WORDS, "'words'"),
            new Naming(
                    "update",
                    (s, list) -> list.updateBuffer(s.words, 0, ByteBuffer.allocateDirect(16)),
                    WORDS,
                    "'words'"),
            new Naming(
                    "clear",
                    (s, list) -> list.clearTexture(
                            s.color, SubresourceRange.mip(0), RenderingInfo.ClearColor.BLACK_TRANSPARENT),
                    COLOR,
                    "'color'"),
            new Naming(
                    "copy from another context's upload memory",
                    (s, list) -> list.copyBuffer(s.chunk, 0, s.words, 0, 16),
                    scene -> scene.uploads,
                    "uploads"),
            new Naming(
                    "texture barrier",
                    (s, list) -> CommandRig.transition(list, s.color, TextureLayout.UNDEFINED, TextureLayout.GENERAL),
                    COLOR,
                    "'color'"),
            new Naming(
                    "buffer barrier",
                    (s, list) -> list.barrier(new BarrierBatch(
                            List.of(), List.of(new BarrierBatch.BufferBarrier(s.words, 0, 16, FULL, null)), List.of())),
                    WORDS,
                    "'words'"),
            new Naming("bound pipeline", (s, list) -> list.bindPipeline(s.fill), s -> s.fill, "pipeline 'fill'"),
            new Naming(
                    "dispatch by a pipeline", (s, list) -> s.dispatch(list, s.words), s -> s.fill, "pipeline 'fill'"),
            new Naming("dispatch", (s, list) -> s.dispatch(list, s.words), WORDS, "'words'"),
            new Naming(
                    "dispatch with another bound afterwards",
                    (s, list) -> {
                        s.dispatch(list, s.words);
                        s.dispatch(list, s.more);
                    },
                    WORDS,
                    "'words'"),
            new Naming(
                    "indirect dispatch",
                    (s, list) -> {
                        s.dispatch(list, s.more);
                        CommandRig.full(list);
                        list.dispatchIndirect(s.words, 0);
                    },
                    WORDS,
                    "'words'"),
            new Naming("sampled texture", (s, list) -> s.sampled(list), COLOR, "'color'"),
            new Naming("storage texture", (s, list) -> s.sampled(list), s -> s.image, "'image'"),
            new Naming("binding set", (s, list) -> s.fixed(list), s -> s.set, "binding set 'set'"),
            new Naming("in a binding set", (s, list) -> s.fixed(list), WORDS, "'words' in binding set 'set'"),
            new Naming(
                    "queries",
                    (s, list) -> {
                        list.beginQuery(s.queries, 0);
                        list.endQuery(s.queries);
                    },
                    s -> s.queries,
                    "query set 'queries'"),
            new Naming(
                    "timestamps",
                    (s, list) -> list.writeTimestamp(s.stamps, 0),
                    s -> s.stamps,
                    "timestamp set 'stamps'"));

    /** Render passes and what is in them. */
    static final List<Naming> RENDERING = List.of(
            new Naming("attachment", (s, list) -> s.draw(list, () -> {}), COLOR, "'color'"),
            new Naming(
                    "resolve target",
                    (s, list) -> {
                        list.beginRendering(s.rendering(s.many, s.color));
                        list.endRendering();
                    },
                    COLOR,
                    "'color'"),
            new Naming(
                    "draw",
                    (s, list) -> s.draw(list, () -> list.draw(3, 1, 0, 0)),
                    s -> s.triangle,
                    "pipeline 'triangle'"),
            new Naming(
                    "vertex buffer",
                    (s, list) -> s.draw(list, () -> list.bindVertexBuffer(0, s.words, 0)),
                    WORDS,
                    "'words'"),
            new Naming(
                    "index buffer",
                    (s, list) -> s.draw(list, () -> list.bindIndexBuffer(s.words, 0, IndexType.UINT16)),
                    WORDS,
                    "'words'"),
            new Naming(
                    "indirect draw",
                    (s, list) -> s.draw(list, () -> list.drawIndirect(s.words, 0, 1, 16)),
                    WORDS,
                    "'words'"),
            new Naming(
                    "indexed indirect draw",
                    (s, list) -> s.draw(list, () -> {
                        list.bindIndexBuffer(s.more, 0, IndexType.UINT16);
                        list.drawIndexedIndirect(s.words, 0, 1, 20);
                    }),
                    WORDS,
                    "'words'"));

    @Override
    public String toString() {
        return what;
    }
}
