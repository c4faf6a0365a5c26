package io.frameloom.gpu.record;

import static io.frameloom.gpu.record.BadCommand.bad;

import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Filter;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import java.nio.ByteBuffer;
import java.util.List;

/** Copies, fills, clears, blits and resolves that no driver may see. */
final class BadTransfers {
    private BadTransfers() {}

    static List<BadCommand> buffers() {
        return List.of(
                bad(
                        "copyBuffer behind the end",
                        (s, l) -> l.copyBuffer(s.source, 200, s.target, 0, 100),
                        "'source'",
                        "200+100"),
                bad(
                        "copyBuffer of a negative offset",
                        (s, l) -> l.copyBuffer(s.source, -4, s.target, 0, 4),
                        "'source'"),
                bad("copyBuffer of nothing", (s, l) -> l.copyBuffer(s.source, 0, s.target, 0, 0), "'source'"),
                bad(
                        "copyBuffer of an overflowing range",
                        (s, l) -> l.copyBuffer(s.source, 8, s.target, 0, Long.MAX_VALUE),
                        "'source'"),
                bad(
                        "copyBuffer without COPY_SRC",
                        (s, l) -> l.copyBuffer(s.plain, 0, s.target, 0, 4),
                        "'plain'",
                        "COPY_SRC"),
                bad(
                        "copyBuffer without COPY_DST",
                        (s, l) -> l.copyBuffer(s.source, 0, s.plain, 0, 4),
                        "'plain'",
                        "COPY_DST"),
                bad(
                        "copyBuffer onto itself",
                        (s, l) -> l.copyBuffer(s.source, 0, s.source, 8, 16),
                        "'source'",
                        "overlap"),
                bad(
                        "copyBuffer of another device",
                        (s, l) -> l.copyBuffer(s.foreign, 0, s.target, 0, 4),
                        "'foreign'",
                        "another device"),
                bad(
                        "copyBuffer of a closed one",
                        (s, l) -> l.copyBuffer(s.closed, 0, s.target, 0, 4),
                        "'closed'",
                        "closed"),
                bad(
                        "copyBuffer in a render pass",
                        (s, l) -> {
                            l.beginRendering(s.rendering(s.color));
                            l.copyBuffer(s.source, 0, s.target, 0, 4);
                        },
                        "endRendering"),
                bad("fillBuffer of odd bytes", (s, l) -> l.fillBuffer(s.target, 0, 6, 1), "'target'", "multiples of 4"),
                bad(
                        "fillBuffer at an odd offset",
                        (s, l) -> l.fillBuffer(s.target, 2, 4, 1),
                        "'target'",
                        "multiples of 4"),
                bad("fillBuffer behind the end", (s, l) -> l.fillBuffer(s.target, 256, 4, 1), "'target'"),
                bad(
                        "updateBuffer of odd bytes",
                        (s, l) -> l.updateBuffer(s.target, 0, ByteBuffer.allocate(6)),
                        "'target'"),
                bad(
                        "updateBuffer of nothing",
                        (s, l) -> l.updateBuffer(s.target, 0, ByteBuffer.allocate(0)),
                        "'target'"),
                bad(
                        "updateBuffer behind the end",
                        (s, l) -> l.updateBuffer(s.target, 252, ByteBuffer.allocate(8)),
                        "'target'"),
                bad(
                        "updateBuffer without COPY_DST",
                        (s, l) -> l.updateBuffer(s.plain, 0, ByteBuffer.allocate(8)),
                        "'plain'",
                        "COPY_DST"),
                bad(
                        "updateBuffer of too much",
                        (s, l) -> l.updateBuffer(
                                s.rig.buffer("large", 1 << 17, BufferUsage.COPY_DST), 0, ByteBuffer.allocate(65_540)),
                        "'large'",
                        "allocateUpload"));
    }

    static List<BadCommand> textures() {
        return List.of(
                bad(
                        "copyBufferToTexture outside of the mip",
                        (s, l) -> l.copyBufferToTexture(
                                s.source, TexelLayout.tight(0), s.color, s.all().withRectangle(7, 0, 2, 1)),
                        "'color'",
                        "8x8"),
                bad(
                        "copyBufferToTexture of layers that are not there",
                        (s, l) -> l.copyBufferToTexture(
                                s.source,
                                TexelLayout.tight(0),
                                s.array,
                                s.all().withRectangle(0, 0, 1, 1).withLayers(2, 2)),
                        "'array'",
                        "3 layers"),
                bad(
                        "copyBufferToTexture of a mip that is not there",
                        (s, l) -> l.copyBufferToTexture(s.source, 0, s.color, 1, 0),
                        "'color'",
                        "1 mip,"),
                bad(
                        "copyBufferToTexture of a plane that is not there",
                        (s, l) -> l.copyBufferToTexture(
                                s.source,
                                TexelLayout.tight(0),
                                s.color,
                                s.all().withPlane(1).withRectangle(0, 0, 1, 1)),
                        "'color'",
                        "1 plane"),
                bad(
                        "copyBufferToTexture of too few bytes",
                        (s, l) -> l.copyBufferToTexture(s.source, 4, s.color, 0, 0),
                        "'source'",
                        "4+256"),
                bad(
                        "copyBufferToTexture of a short row pitch",
                        (s, l) -> l.copyBufferToTexture(
                                s.source,
                                new TexelLayout(0, 8, 0),
                                s.color,
                                s.all().withRectangle(0, 0, 4, 2)),
                        "'source'",
                        "row pitch"),
                bad(
                        "copyBufferToTexture of an odd row pitch",
                        (s, l) -> l.copyBufferToTexture(
                                s.source,
                                new TexelLayout(0, 18, 0),
                                s.color,
                                s.all().withRectangle(0, 0, 4, 2)),
                        "'source'",
                        "row pitch"),
                bad(
                        "copyBufferToTexture of a short slice pitch",
                        (s, l) -> l.copyBufferToTexture(
                                s.source,
                                new TexelLayout(0, 16, 16),
                                s.color,
                                s.all().withRectangle(0, 0, 4, 2)),
                        "'source'",
                        "slice pitch"),
                bad(
                        "copyBufferToTexture of a row pitch beyond 31 bits",
                        (s, l) -> l.copyBufferToTexture(
                                s.source,
                                new TexelLayout(0, (1L << 34) + 4, 0),
                                s.color,
                                s.all().withRectangle(0, 0, 1, 1)),
                        "'source'",
                        "row pitch 17179869188",
                        "2147483647 bytes"),
                bad(
                        "copyBufferToTexture of a slice pitch beyond 31 bits",
                        (s, l) -> l.copyBufferToTexture(
                                s.source,
                                new TexelLayout(0, 4, (1L << 34) + 4),
                                s.color,
                                s.all().withRectangle(0, 0, 1, 1)),
                        "'source'",
                        "slice pitch 17179869188",
                        "2147483647 rows"),
                bad(
                        "copyBufferToTexture of an odd offset",
                        (s, l) -> l.copyBufferToTexture(
                                s.source, TexelLayout.tight(2), s.color, s.all().withRectangle(0, 0, 1, 1)),
                        "'source'",
                        "multiples of 4"),
                bad(
                        "copyBufferToTexture of many samples",
                        (s, l) -> l.copyBufferToTexture(s.source, 0, s.many, 0, 0),
                        "'many'",
                        "resolve"),
                bad(
                        "copyBufferToTexture without COPY_DST",
                        (s, l) -> l.copyBufferToTexture(s.source, 0, s.onlySampled, 0, 0),
                        "'only sampled'",
                        "COPY_DST"),
                bad(
                        "copyTextureToBuffer without COPY_SRC",
                        (s, l) -> l.copyTextureToBuffer(s.onlySampled, 0, 0, s.target, 0),
                        "'only sampled'",
                        "COPY_SRC"),
                bad(
                        "copyTextureToBuffer of too few bytes",
                        (s, l) -> l.copyTextureToBuffer(s.color, s.all(), s.target, TexelLayout.tight(4)),
                        "'target'",
                        "4+256"),
                bad(
                        "copyTexture of other extents",
                        (s, l) -> l.copyTexture(
                                s.color, s.all(), s.integers, s.all().withRectangle(0, 0, 4, 4)),
                        "'color'",
                        "'integers'",
                        "extent"),
                bad(
                        "copyTexture between depth and colour",
                        (s, l) -> l.copyTexture(s.depth, s.all(), s.integers, s.all()),
                        "'depth'",
                        "go through a buffer"),
                bad(
                        "copyTexture between planes",
                        (s, l) -> l.copyTexture(
                                s.depth,
                                s.all(),
                                s.rig.texture("other depth", s.depth.description()),
                                s.all().withPlane(1)),
                        "'depth'",
                        "plane"),
                bad(
                        "copyTexture onto itself",
                        (s, l) -> l.copyTexture(
                                s.color,
                                s.all().withRectangle(0, 0, 4, 4),
                                s.color,
                                s.all().withRectangle(3, 3, 4, 4)),
                        "'color'",
                        "overlap"),
                bad(
                        "copyTexture of other samples",
                        (s, l) -> l.copyTexture(s.many, s.all(), s.color, s.all()),
                        "'many'",
                        "4 and 1 samples; resolve them"),
                bad(
                        "blitTexture between integers and floats",
                        (s, l) -> l.blitTexture(s.integers, s.all(), s.color, s.all(), Filter.NEAREST),
                        "'integers'",
                        "UINT"),
                bad(
                        "blitTexture from slices to another layer",
                        (s, l) -> {
                            Texture slices = s.rig.texture(
                                    "slices", s.color.description().withDepth(2));
                            TextureRegion slice = s.all().withSlices(1, 1);
                            l.blitTexture(slices, slice, s.array, s.all().withLayers(1, 1), Filter.NEAREST);
                        },
                        "'slices'",
                        "layer 0"),
                bad(
                        "blitTexture from another layer to slices",
                        (s, l) -> {
                            Texture slices = s.rig.texture(
                                    "slices", s.color.description().withDepth(2));
                            TextureRegion slice = s.all().withSlices(1, 1);
                            l.blitTexture(s.array, s.all().withLayers(1, 1), slices, slice, Filter.NEAREST);
                        },
                        "'slices'",
                        "layer 0"),
                bad(
                        "blitTexture of depth with a filter",
                        (s, l) -> l.blitTexture(
                                s.depth,
                                s.all(),
                                s.rig.texture("depth 2", s.depth.description()),
                                s.all(),
                                Filter.LINEAR),
                        "'depth'",
                        "NEAREST"),
                bad(
                        "blitTexture of integers with a filter",
                        (s, l) -> l.blitTexture(
                                s.integers,
                                s.all(),
                                s.rig.texture("integers 2", s.integers.description()),
                                s.all(),
                                Filter.LINEAR),
                        "'integers'",
                        "LINEAR"),
                bad(
                        "blitTexture of many samples",
                        (s, l) -> l.blitTexture(s.many, s.all(), s.color, s.all(), Filter.NEAREST),
                        "'many'"),
                bad(
                        "blitTexture of other layers",
                        (s, l) -> l.blitTexture(s.array, s.all().withLayers(0, 2), s.color, s.all(), Filter.NEAREST),
                        "'array'",
                        "layers"),
                bad(
                        "resolveTexture of one sample",
                        (s, l) -> l.resolveTexture(s.color, s.all(), s.array, s.all()),
                        "'color'",
                        "one sample"),
                bad(
                        "resolveTexture to another format",
                        (s, l) -> l.resolveTexture(s.many, s.all(), s.integers, s.all()),
                        "'many'",
                        "R32_UINT"),
                bad(
                        "clearTexture of depth",
                        (s, l) -> l.clearTexture(s.depth, SubresourceRange.mip(0), ClearColor.BLACK_TRANSPARENT),
                        "'depth'",
                        "clearDepthStencil"),
                bad(
                        "clearTexture of a range outside",
                        (s, l) -> l.clearTexture(
                                s.color, new SubresourceRange(0, 2, 0, 1, 0, 1), ClearColor.BLACK_TRANSPARENT),
                        "'color'",
                        "1 mip,"),
                bad(
                        "clearDepthStencil of colour",
                        (s, l) -> l.clearDepthStencil(s.color, SubresourceRange.mip(0), 1, 0),
                        "'color'",
                        "clearTexture"),
                bad(
                        "clearDepthStencil to a depth of 2",
                        (s, l) -> l.clearDepthStencil(s.depth, SubresourceRange.mip(0), 2, 0),
                        "0 to 1"),
                bad(
                        "clearDepthStencil to a stencil of 256",
                        (s, l) -> l.clearDepthStencil(s.depth, SubresourceRange.mip(0), 1, 256),
                        "0 to 255"),
                bad(
                        "barrier to PRESENT",
                        (s, l) -> CommandRig.transition(l, s.color, TextureLayout.COLOR, TextureLayout.PRESENT),
                        "'color'",
                        "layout PRESENT",
                        "no image of a swapchain"),
                bad(
                        "barrier from PRESENT",
                        (s, l) -> CommandRig.transition(l, s.color, TextureLayout.PRESENT, TextureLayout.COLOR),
                        "'color'",
                        "layout PRESENT",
                        "no image of a swapchain"));
    }
}
