package io.frameloom.gpu.record;

import static io.frameloom.gpu.record.BadCommand.bad;

import io.frameloom.gpu.command.IndexType;
import java.util.List;

/** Draws and dispatches that no driver may see. */
final class BadDraws {
    private BadDraws() {}

    static List<BadCommand> draws() {
        return List.of(
                bad(
                        "draw outside of a render pass",
                        (s, l) -> {
                            l.bindPipeline(s.graphics);
                            l.draw(3, 1, 0, 0);
                        },
                        "beginRendering"),
                bad(
                        "draw without a pipeline",
                        (s, l) -> {
                            l.beginRendering(s.rendering(s.color));
                            l.draw(3, 1, 0, 0);
                        },
                        "bindPipeline"),
                bad(
                        "draw with a compute pipeline",
                        (s, l) -> {
                            l.beginRendering(s.rendering(s.color));
                            l.bindPipeline(s.compute);
                            l.draw(3, 1, 0, 0);
                        },
                        "'write'",
                        "graphics pipeline"),
                bad(
                        "draw without its vertex buffer",
                        (s, l) -> {
                            l.beginRendering(s.rendering(s.color));
                            l.bindPipeline(s.graphics);
                            l.draw(3, 1, 0, 0);
                        },
                        "'triangles'",
                        "vertex buffer 0"),
                bad(
                        "draw of more vertices than there are",
                        (s, l) -> {
                            s.draws(l);
                            l.bindVertexBuffer(0, s.target, 32);
                            l.draw(14, 1, 0, 0);
                            l.draw(12, 1, 3, 0);
                        },
                        "'triangles' reads vertices 0 to 15 of vertex buffer 0",
                        "'target' has 224 bytes after its offset, which are 14"),
                bad(
                        "draw from a negative instance on",
                        (s, l) -> {
                            s.draws(l);
                            l.draw(3, 1, 0, -5);
                        },
                        "not negative",
                        "from -5 on"),
                bad(
                        "drawIndexed from a negative instance on",
                        (s, l) -> {
                            s.draws(l);
                            l.bindIndexBuffer(s.target, 0, IndexType.UINT16);
                            l.drawIndexed(3, 1, 0, 0, -1);
                        },
                        "not negative",
                        "from -1 on"),
                bad(
                        "draw of vertices at an offset that their attributes cannot have",
                        (s, l) -> {
                            s.draws(l);
                            l.bindVertexBuffer(0, s.target, 6);
                            l.draw(3, 1, 0, 0);
                        },
                        "'triangles'",
                        "vertex buffer 0 at an offset that must be a multiple of 4"),
                bad(
                        "draw to other formats",
                        (s, l) -> {
                            l.beginRendering(s.rendering(s.integers));
                            l.bindPipeline(s.graphics);
                            l.bindVertexBuffer(0, s.target, 0);
                            l.draw(3, 1, 0, 0);
                        },
                        "'triangles'",
                        "R32_UINT"),
                bad(
                        "draw of a negative count",
                        (s, l) -> {
                            s.draws(l);
                            l.draw(-1, 1, 0, 0);
                        },
                        "not negative"),
                bad(
                        "drawIndexed without indices",
                        (s, l) -> {
                            s.draws(l);
                            l.drawIndexed(3, 1, 0, 0, 0);
                        },
                        "bindIndexBuffer"),
                bad(
                        "drawIndexed behind the indices",
                        (s, l) -> {
                            s.draws(l);
                            l.bindIndexBuffer(s.target, 250, IndexType.UINT16);
                            l.drawIndexed(3, 1, 1, 0, 0);
                        },
                        "'target'",
                        "has 3"),
                bad(
                        "bindIndexBuffer at an odd offset",
                        (s, l) -> l.bindIndexBuffer(s.target, 2, IndexType.UINT32),
                        "'target'",
                        "multiples of 4"),
                bad(
                        "bindIndexBuffer without usage",
                        (s, l) -> l.bindIndexBuffer(s.source, 0, IndexType.UINT32),
                        "'source'",
                        "INDEX"),
                bad(
                        "bindVertexBuffer without usage",
                        (s, l) -> l.bindVertexBuffer(0, s.source, 0),
                        "'source'",
                        "VERTEX"),
                bad("bindVertexBuffer at the end", (s, l) -> l.bindVertexBuffer(0, s.target, 256), "'target'"),
                bad("bindVertexBuffer of a negative number", (s, l) -> l.bindVertexBuffer(-1, s.target, 0), "got -1"),
                bad(
                        "drawIndirect without usage",
                        (s, l) -> {
                            s.draws(l);
                            l.drawIndirect(s.source, 0, 1, 16);
                        },
                        "'source'",
                        "INDIRECT"),
                bad(
                        "drawIndirect behind the end",
                        (s, l) -> {
                            s.draws(l);
                            l.drawIndirect(s.target, 16, 16, 16);
                        },
                        "'target'",
                        "16+256"),
                bad(
                        "drawIndirect at an odd offset",
                        (s, l) -> {
                            s.draws(l);
                            l.drawIndirect(s.target, 2, 1, 16);
                        },
                        "'target'",
                        "multiples of 4"),
                bad(
                        "drawIndirect with a short stride",
                        (s, l) -> {
                            s.draws(l);
                            l.drawIndirect(s.target, 0, 2, 12);
                        },
                        "at least 16"),
                bad(
                        "drawIndexedIndirect without indices",
                        (s, l) -> {
                            s.draws(l);
                            l.drawIndexedIndirect(s.target, 0, 1, 20);
                        },
                        "bindIndexBuffer"),
                bad(
                        "drawIndirectCount at an odd offset",
                        (s, l) -> {
                            s.draws(l);
                            l.drawIndirectCount(s.target, 0, s.target, 250, 1, 16);
                        },
                        "'target'",
                        "multiples of 4"),
                bad(
                        "drawIndirectCount of one draw without a stride",
                        (s, l) -> {
                            s.draws(l);
                            l.drawIndirectCount(s.target, 0, s.target, 64, 1, 0);
                        },
                        "at least 16"),
                bad(
                        "dispatch in a render pass",
                        (s, l) -> {
                            l.beginRendering(s.rendering(s.color));
                            l.bindPipeline(s.compute);
                            l.dispatch(1, 1, 1);
                        },
                        "endRendering"),
                bad(
                        "dispatch of too many groups",
                        (s, l) -> {
                            s.computes(l);
                            l.dispatch(1, -1, 1);
                        },
                        "workgroups"),
                bad(
                        "dispatch with a graphics pipeline",
                        (s, l) -> {
                            l.bindPipeline(s.graphics);
                            l.dispatch(1, 1, 1);
                        },
                        "'triangles'",
                        "compute pipeline"),
                bad(
                        "dispatchIndirect behind the end",
                        (s, l) -> {
                            s.computes(l);
                            l.dispatchIndirect(s.target, 248);
                        },
                        "'target'",
                        "248+12"));
    }
}
