package io.frameloom.gpu.record;

import static io.frameloom.gpu.record.BadCommand.bad;
import static io.frameloom.gpu.record.BadCommandScene.attachment;

import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.RenderingInfo.DepthAttachment;
import io.frameloom.gpu.command.RenderingInfo.StencilAttachment;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.internal.PassParts;
import io.frameloom.gpu.resource.SubresourceRange;
import java.util.List;

/** Render passes that no driver may see, and what is done in them besides draws. */
final class BadRendering {
    private BadRendering() {}

    static List<BadCommand> rendering() {
        return List.of(
                bad(
                        "beginRendering twice",
                        (s, l) -> {
                            l.beginRendering(s.rendering(s.color));
                            l.beginRendering(s.rendering(s.color));
                        },
                        "endRendering"),
                bad(
                        "beginRendering of a larger area",
                        (s, l) -> l.beginRendering(new RenderingInfo(9, 8, List.of(attachment(s.color, null)), null)),
                        "'color'",
                        "9x8"),
                bad(
                        "beginRendering to a texture without usage",
                        (s, l) -> l.beginRendering(s.rendering(s.onlySampled)),
                        "'only sampled'",
                        "COLOR_ATTACHMENT"),
                bad(
                        "beginRendering to two mips",
                        (s, l) -> l.beginRendering(s.rendering(s.array)),
                        "'array'",
                        "one mip"),
                bad(
                        "beginRendering to too few layers",
                        (s, l) -> l.beginRendering(s.rendering(s.color).withLayers(2)),
                        "'color'",
                        "2 layers"),
                bad(
                        "beginRendering of mixed samples",
                        (s, l) -> l.beginRendering(new RenderingInfo(
                                8, 8, List.of(attachment(s.color, null), attachment(s.many, null)), null)),
                        "'many'",
                        "samples"),
                bad(
                        "beginRendering that resolves one sample",
                        (s, l) ->
                                l.beginRendering(new RenderingInfo(8, 8, List.of(attachment(s.color, s.color)), null)),
                        "'color'",
                        "nothing to resolve"),
                bad(
                        "beginRendering that resolves to another format",
                        (s, l) -> l.beginRendering(
                                new RenderingInfo(8, 8, List.of(attachment(s.many, s.integers)), null)),
                        "'many'",
                        "'integers'"),
                bad(
                        "beginRendering with colour as depth",
                        (s, l) -> l.beginRendering(new RenderingInfo(
                                8,
                                8,
                                List.of(),
                                new DepthAttachment(s.color.view(), LoadOp.CLEAR, StoreOp.STORE, 1, false))),
                        "'color'",
                        "DEPTH_ATTACHMENT"),
                bad(
                        "beginRendering with the stencil plane as depth",
                        (s, l) -> l.beginRendering(new RenderingInfo(
                                8,
                                8,
                                List.of(),
                                new DepthAttachment(
                                        s.depth.view(SubresourceRange.mip(0).plane(1)),
                                        LoadOp.CLEAR,
                                        StoreOp.STORE,
                                        1,
                                        false))),
                        "'depth'",
                        "has no depth"),
                bad(
                        "beginRendering with the depth plane as stencil",
                        (s, l) -> l.beginRendering(new RenderingInfo(8, 8, List.of(), null)
                                .withStencil(new StencilAttachment(
                                        s.depth.view(SubresourceRange.mip(0)), LoadOp.CLEAR, StoreOp.STORE, 1, false))),
                        "'depth'",
                        "has no stencil"),
                bad(
                        "beginRendering of slices",
                        (s, l) -> l.beginRendering(s.rendering(
                                s.rig.texture("slices", s.color.description().withDepth(2)))),
                        "'slices'",
                        "THREE_D"),
                bad(
                        "beginRendering with a clear depth of -1",
                        (s, l) -> l.beginRendering(new RenderingInfo(
                                8,
                                8,
                                List.of(),
                                new DepthAttachment(s.depth.view(), LoadOp.CLEAR, StoreOp.STORE, -1, false))),
                        "0 to 1"),
                bad(
                        "beginRendering of nothing without an area",
                        (s, l) -> l.beginRendering(new RenderingInfo(0, -5, List.of(), null)),
                        "1x1 to",
                        "0x-5"),
                bad(
                        "beginRendering of nothing with an endless area",
                        (s, l) -> l.beginRendering(new RenderingInfo(1 << 30, 1 << 30, List.of(), null)),
                        "1x1 to"),
                bad(
                        "beginRendering of nothing with a million layers",
                        (s, l) -> l.beginRendering(new RenderingInfo(8, 8, List.of(), null).withLayers(1 << 20)),
                        "layers, got 1048576"),
                bad(
                        "beginRendering that clears read-only depth",
                        (s, l) -> l.beginRendering(new RenderingInfo(
                                8,
                                8,
                                List.of(),
                                new DepthAttachment(s.depth.view(), LoadOp.CLEAR, StoreOp.STORE, 1, true))),
                        "'depth'",
                        "read only but cleared"),
                bad(
                        "beginRendering that clears read-only stencil",
                        (s, l) -> l.beginRendering(new RenderingInfo(8, 8, List.of(), null)
                                .withStencil(new StencilAttachment(
                                        s.depth.view(SubresourceRange.mip(0).plane(1)),
                                        LoadOp.CLEAR,
                                        StoreOp.STORE,
                                        1,
                                        true))),
                        "'depth'",
                        "read only but cleared"),
                bad("endRendering without a begin", (s, l) -> l.endRendering(), "beginRendering"),
                bad(
                        "clearColorAttachment outside",
                        (s, l) -> l.clearColorAttachment(0, ClearColor.BLACK_TRANSPARENT, 0, 0, 1, 1),
                        "beginRendering"),
                bad(
                        "clearColorAttachment that is not there",
                        (s, l) -> {
                            l.beginRendering(s.rendering(s.color));
                            l.clearColorAttachment(1, ClearColor.BLACK_TRANSPARENT, 0, 0, 1, 1);
                        },
                        "number 1"),
                bad(
                        "clearColorAttachment beyond the area",
                        (s, l) -> {
                            l.beginRendering(s.rendering(s.color));
                            l.clearColorAttachment(0, ClearColor.BLACK_TRANSPARENT, 4, 4, 5, 1);
                        },
                        "8x8"),
                bad(
                        "clearDepthStencilAttachment that is not there",
                        (s, l) -> {
                            l.beginRendering(s.rendering(s.color));
                            l.clearDepthStencilAttachment(true, 1, false, 0, 0, 0, 1, 1);
                        },
                        "no depth attachment"),
                bad("setViewport without width", (s, l) -> l.setViewport(0, 0, 0, 4), "positive"),
                bad("setViewport without height", (s, l) -> l.setViewport(0, 0, 4, 0), "not 0"),
                bad("setViewport behind depth 1", (s, l) -> l.setViewport(0, 0, 4, 4, 0, 1.5f), "0.0 to 1.5"),
                bad("setViewport before depth 0", (s, l) -> l.setViewport(0, 0, 4, 4, -1, 1), "-1.0 to 1.0"),
                bad("setViewport at no depth", (s, l) -> l.setViewport(0, 0, 4, 4, 0, Float.NaN), "0.0 to NaN"),
                bad("setViewport at no number", (s, l) -> l.setViewport(Float.NaN, 0, 4, 4), "finite corner"),
                bad(
                        "setViewport without end",
                        (s, l) -> l.setViewport(0, 0, Float.POSITIVE_INFINITY, 4),
                        "finite extent"),
                bad("setScissor beyond an int", (s, l) -> l.setScissor(8, 0, Integer.MAX_VALUE, 1), "ends within"),
                bad("setScissor with a negative offset", (s, l) -> l.setScissor(-1, 0, 4, 4), "not negative"),
                bad("setStencilReference of 300", (s, l) -> l.setStencilReference(300), "0 to 255"),
                bad("endLabel without a begin", (s, l) -> l.endLabel(), "none is open"),
                bad(
                        "end with an open label",
                        (s, l) -> {
                            l.beginLabel("open");
                            l.end();
                        },
                        "label 'open' is still open"),
                bad(
                        "endPass with an open label",
                        (s, l) -> {
                            l.beginPass("pass", List.of());
                            l.beginLabel("open");
                            l.endPass();
                        },
                        "of pass 'pass'",
                        "label 'open' is still open"),
                bad(
                        "endLabel of a label around the pass",
                        (s, l) -> {
                            l.beginLabel("around");
                            l.beginPass("pass", List.of());
                            l.endLabel();
                        },
                        "label 'around', which was opened before pass 'pass'"),
                bad("beginPart outside of a pass", (s, l) -> ((PassParts) l).beginPart(), "outside of a pass"),
                bad("endPart without a begin", (s, l) -> ((PassParts) l).endPart(), "none is open"),
                bad(
                        "beginPart in a part",
                        (s, l) -> {
                            l.beginPass("pass", List.of());
                            ((PassParts) l).beginPart();
                            ((PassParts) l).beginPart();
                        },
                        "of pass 'pass' is in a part"),
                bad(
                        "endPass in a part",
                        (s, l) -> {
                            l.beginPass("pass", List.of());
                            ((PassParts) l).beginPart();
                            l.endPass();
                        },
                        "of pass 'pass' is in a part"),
                bad(
                        "endPart with an open label",
                        (s, l) -> {
                            l.beginPass("pass", List.of());
                            ((PassParts) l).beginPart();
                            l.beginLabel("open");
                            ((PassParts) l).endPart();
                        },
                        "of pass 'pass'",
                        "label 'open' is still open"),
                bad(
                        "dispatch with what the part before has bound",
                        (s, l) -> {
                            l.beginPass("pass", List.of());
                            ((PassParts) l).beginPart();
                            l.bindPipeline(s.compute);
                            ((PassParts) l).endPart();
                            l.dispatch(1, 1, 1);
                        },
                        "bind the pipeline first"),
                bad(
                        "end with an open render pass",
                        (s, l) -> {
                            l.beginRendering(s.rendering(s.color));
                            l.end();
                        },
                        "endRendering"));
    }
}
