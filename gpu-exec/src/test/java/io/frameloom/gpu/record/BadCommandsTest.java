package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.BufferUsage;
import io.frameloom.gpu.CommandList;
import io.frameloom.gpu.ComputePipeline;
import io.frameloom.gpu.Filter;
import io.frameloom.gpu.Format;
import io.frameloom.gpu.GpuQueue;
import io.frameloom.gpu.GraphicsPipeline;
import io.frameloom.gpu.GraphicsPipelineDescription;
import io.frameloom.gpu.IndexType;
import io.frameloom.gpu.LoadOp;
import io.frameloom.gpu.QueueKind;
import io.frameloom.gpu.RenderingFormats;
import io.frameloom.gpu.RenderingInfo;
import io.frameloom.gpu.RenderingInfo.ClearColor;
import io.frameloom.gpu.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.RenderingInfo.DepthAttachment;
import io.frameloom.gpu.RenderingInfo.StencilAttachment;
import io.frameloom.gpu.SamplerDescription;
import io.frameloom.gpu.ShaderSource;
import io.frameloom.gpu.ShaderStage;
import io.frameloom.gpu.StoreOp;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.TexelLayout;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.TextureRegion;
import io.frameloom.gpu.TextureUsage;
import io.frameloom.gpu.record.CommandRig.Backend;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Commands that no driver may see: each is refused on each backend with a message that names what is at stake, so that the
 * validation layer, where there is one, has nothing to say of any of them.
 */
@Timeout(120)
class BadCommandsTest {
    private static final String WRITE = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) buffer Target { int target[]; };
            layout(set = 0, binding = 1, rgba8) uniform writeonly image2D image;
            layout(set = 0, binding = 2) uniform sampler2D pair[2];
            void main() { target[0] = int(texture(pair[1], vec2(0)).x); imageStore(image, ivec2(0), vec4(1)); }
            """;

    private static final ShaderSource VERTEX = new ShaderSource("bad.vert", ShaderStage.VERTEX, """
            #version 450
            layout(location = 0) in vec4 position;
            void main() { gl_Position = position; }
            """);

    private static final ShaderSource FRAGMENT = new ShaderSource("bad.frag", ShaderStage.FRAGMENT, """
            #version 450
            layout(location = 0) out vec4 color;
            void main() { color = vec4(1); }
            """);

    /** A list with everything that bad commands are made of. */
    private static final class Scene implements AutoCloseable {
        private final CommandRig rig;
        private final CommandRig other;
        private final Buffer source;
        private final Buffer target;
        private final Buffer plain;
        private final Buffer foreign;
        private final Buffer closed;
        private final Texture color;
        private final Texture array;
        private final Texture integers;
        private final Texture depth;
        private final Texture many;
        private final Texture onlySampled;
        private final Texture floats;
        private final ComputePipeline compute;
        private final GraphicsPipeline graphics;
        private final Backend backend;

        Scene(Backend backend) {
            this.backend = backend;
            rig = new CommandRig(backend, backend == Backend.VULKAN && CommandRig.layerInstalled());
            other = new CommandRig(Backend.VIRTUAL);
            source = rig.buffer("source", 256, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);
            target = rig.buffer(
                    "target",
                    256,
                    BufferUsage.COPY_DST,
                    BufferUsage.INDIRECT,
                    BufferUsage.STORAGE,
                    BufferUsage.INDEX,
                    BufferUsage.VERTEX);
            plain = rig.buffer("plain", 256, BufferUsage.UNIFORM);
            foreign = other.buffer("foreign", 256, BufferUsage.COPY_SRC);
            closed = rig.buffer("closed", 256, BufferUsage.COPY_SRC);
            closed.close();
            TextureUsage[] copies = {TextureUsage.COPY_DST, TextureUsage.COLOR_ATTACHMENT};
            color = rig.texture(
                    "color", TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.COPY_SRC, copies));
            array = rig.texture("array", color.description().withLayers(3).withMips(2));
            integers = rig.texture(
                    "integers", TextureDescription.of(8, 8, Format.R32_UINT, TextureUsage.COPY_SRC, copies));
            depth = rig.texture(
                    "depth",
                    TextureDescription.of(
                            8,
                            8,
                            rig.device.firstSupported(TextureUsage.DEPTH_ATTACHMENT, Format.DEPTH_STENCIL),
                            TextureUsage.COPY_SRC,
                            TextureUsage.COPY_DST,
                            TextureUsage.DEPTH_ATTACHMENT));
            many = rig.texture("many", color.description().withSamples(4));
            onlySampled = rig.texture(
                    "only sampled", TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED));
            floats = rig.texture("floats", TextureDescription.of(8, 8, Format.R32_SFLOAT, TextureUsage.STORAGE));
            compute = rig.compute("write", WRITE, invocation -> {});
            graphics = rig.own(rig.device.createGraphicsPipeline(new GraphicsPipelineDescription(
                    "triangles",
                    VERTEX,
                    FRAGMENT,
                    List.of(new GraphicsPipelineDescription.VertexBuffer(
                            16,
                            false,
                            List.of(new GraphicsPipelineDescription.VertexAttribute(
                                    0, Format.R32G32B32A32_SFLOAT, 0)))),
                    GraphicsPipelineDescription.CullMode.NONE,
                    null,
                    GraphicsPipelineDescription.Blend.NONE,
                    List.of(Format.R8G8B8A8_UNORM),
                    null)));
        }

        RenderingInfo rendering(Texture texture) {
            return new RenderingInfo(
                    8,
                    8,
                    List.of(new ColorAttachment(
                            texture.view(), LoadOp.DONT_CARE, StoreOp.STORE, ClearColor.BLACK_TRANSPARENT)),
                    null);
        }

        TextureRegion all() {
            return TextureRegion.mip(color.description(), 0);
        }

        @Override
        public void close() {
            rig.close();
            other.close();
        }
    }

    /** A row of the table: a command and what is wrong with it, how it is recorded, and words of its refusal. */
    private record Bad(String name, BiConsumer<Scene, CommandList> body, List<String> words) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Bad bad(String name, BiConsumer<Scene, CommandList> body, String... words) {
        return new Bad(name, body, List.of(words));
    }

    private static void draws(Scene scene, CommandList list) {
        list.beginRendering(scene.rendering(scene.color));
        list.bindPipeline(scene.graphics);
        list.bindVertexBuffer(0, scene.target, 0);
    }

    private static void computes(Scene scene, CommandList list) {
        list.bindPipeline(scene.compute);
        list.bindBuffer("Target", scene.target, 0, 256);
    }

    private static ColorAttachment attachment(Texture texture, @Nullable Texture resolve) {
        return new ColorAttachment(
                texture.view(),
                LoadOp.DONT_CARE,
                StoreOp.STORE,
                ClearColor.BLACK_TRANSPARENT,
                resolve == null ? null : resolve.view());
    }

    private static List<Bad> buffers() {
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

    private static List<Bad> textures() {
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
                        "1 mips"),
                bad(
                        "copyBufferToTexture of a plane that is not there",
                        (s, l) -> l.copyBufferToTexture(
                                s.source,
                                TexelLayout.tight(0),
                                s.color,
                                s.all().withPlane(1).withRectangle(0, 0, 1, 1)),
                        "'color'",
                        "1 planes"),
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
                        "blitTexture"),
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
                        "resolveTexture"),
                bad(
                        "blitTexture between integers and floats",
                        (s, l) -> l.blitTexture(s.integers, s.all(), s.color, s.all(), Filter.NEAREST),
                        "'integers'",
                        "UINT"),
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
                        "1 mips"),
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
                        "0 to 255"));
    }

    private static List<Bad> rendering() {
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
                        "beginRendering with a clear depth of -1",
                        (s, l) -> l.beginRendering(new RenderingInfo(
                                8,
                                8,
                                List.of(),
                                new DepthAttachment(s.depth.view(), LoadOp.CLEAR, StoreOp.STORE, -1, false))),
                        "0 to 1"),
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
                bad("setViewport without extent", (s, l) -> l.setViewport(0, 0, 0, 4), "positive"),
                bad("setScissor with a negative offset", (s, l) -> l.setScissor(-1, 0, 4, 4), "not negative"),
                bad("setStencilReference of 300", (s, l) -> l.setStencilReference(300), "0 to 255"),
                bad("endLabel without a begin", (s, l) -> l.endLabel(), "none is open"),
                bad(
                        "end with an open label",
                        (s, l) -> {
                            l.beginLabel("open");
                            l.end();
                        },
                        "labels"),
                bad(
                        "end with an open render pass",
                        (s, l) -> {
                            l.beginRendering(s.rendering(s.color));
                            l.end();
                        },
                        "endRendering"));
    }

    private static List<Bad> draws() {
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
                            draws(s, l);
                            l.draw(-1, 1, 0, 0);
                        },
                        "not negative"),
                bad(
                        "drawIndexed without indices",
                        (s, l) -> {
                            draws(s, l);
                            l.drawIndexed(3, 1, 0, 0, 0);
                        },
                        "bindIndexBuffer"),
                bad(
                        "drawIndexed behind the indices",
                        (s, l) -> {
                            draws(s, l);
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
                            draws(s, l);
                            l.drawIndirect(s.source, 0, 1, 16);
                        },
                        "'source'",
                        "INDIRECT"),
                bad(
                        "drawIndirect behind the end",
                        (s, l) -> {
                            draws(s, l);
                            l.drawIndirect(s.target, 16, 16, 16);
                        },
                        "'target'",
                        "16+256"),
                bad(
                        "drawIndirect at an odd offset",
                        (s, l) -> {
                            draws(s, l);
                            l.drawIndirect(s.target, 2, 1, 16);
                        },
                        "'target'",
                        "multiples of 4"),
                bad(
                        "drawIndirect with a short stride",
                        (s, l) -> {
                            draws(s, l);
                            l.drawIndirect(s.target, 0, 2, 12);
                        },
                        "at least 16"),
                bad(
                        "drawIndexedIndirect without indices",
                        (s, l) -> {
                            draws(s, l);
                            l.drawIndexedIndirect(s.target, 0, 1, 20);
                        },
                        "bindIndexBuffer"),
                bad(
                        "drawIndirectCount at an odd offset",
                        (s, l) -> {
                            draws(s, l);
                            l.drawIndirectCount(s.target, 0, s.target, 250, 1, 16);
                        },
                        "'target'",
                        "multiples of 4"),
                bad(
                        "drawIndirectCount of one draw without a stride",
                        (s, l) -> {
                            draws(s, l);
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
                            computes(s, l);
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
                            computes(s, l);
                            l.dispatchIndirect(s.target, 248);
                        },
                        "'target'",
                        "248+12"));
    }

    private static List<Bad> bindings() {
        return List.of(
                bad(
                        "dispatch without an element of an array",
                        (s, l) -> {
                            computes(s, l);
                            l.dispatch(1, 1, 1);
                        },
                        "'write'",
                        "'image'"),
                bad(
                        "bindTexture to an element that is not there",
                        (s, l) -> {
                            computes(s, l);
                            l.bindTexture(
                                    "pair",
                                    2,
                                    s.onlySampled.view(),
                                    s.rig.device.sampler(SamplerDescription.NEAREST_CLAMP));
                        },
                        "'pair'",
                        "2 elements"),
                bad(
                        "bindTexture without usage",
                        (s, l) -> {
                            computes(s, l);
                            l.bindTexture(
                                    "pair", s.color.view(), s.rig.device.sampler(SamplerDescription.NEAREST_CLAMP));
                        },
                        "'color'",
                        "SAMPLED"),
                bad(
                        "bindTexture with a sampler of another device",
                        (s, l) -> {
                            computes(s, l);
                            l.bindTexture("pair", s.onlySampled.view(), () -> SamplerDescription.NEAREST_CLAMP);
                        },
                        "another device"),
                bad(
                        "bindStorageTexture of another format",
                        (s, l) -> {
                            computes(s, l);
                            l.bindStorageTexture("image", s.floats.view());
                        },
                        "'floats'",
                        "R8G8B8A8_UNORM"),
                bad(
                        "bindStorageTexture to a buffer",
                        (s, l) -> {
                            computes(s, l);
                            l.bindStorageTexture("Target", s.floats.view());
                        },
                        "'Target'",
                        "STORAGE_BUFFER"),
                bad(
                        "bindBuffer to no name",
                        (s, l) -> {
                            computes(s, l);
                            l.bindBuffer("Tarket", s.target, 0, 4);
                        },
                        "'Tarket'",
                        "Target"),
                bad(
                        "bindBuffer without usage",
                        (s, l) -> {
                            computes(s, l);
                            l.bindBuffer("Target", s.plain, 0, 4);
                        },
                        "'plain'",
                        "STORAGE"),
                bad(
                        "bindPipeline of another device",
                        (s, l) -> l.bindPipeline(s.other.compute("foreign", WRITE, i -> {})),
                        "'foreign'",
                        "another device"),
                bad(
                        "execute of a primary list",
                        (s, l) -> l.execute(List.of(s.rig.frame.beginCommands(s.rig.queue(), "primary"))),
                        "'primary'",
                        "beginSecondary"),
                bad(
                        "execute of an open list",
                        (s, l) ->
                                l.execute(List.of(s.rig.frame.beginSecondary(s.rig.queue(), "open", null, List.of()))),
                        "'open'",
                        "end it first"),
                bad(
                        "execute twice",
                        (s, l) -> {
                            CommandList second = s.rig.frame.beginSecondary(s.rig.queue(), "second", null, List.of());
                            second.end();
                            l.execute(List.of(second));
                            l.execute(List.of(second));
                        },
                        "'second'",
                        "second time"),
                bad(
                        "execute in a render pass with its own commands",
                        (s, l) -> {
                            l.beginRendering(s.rendering(s.color));
                            l.execute(List.of());
                        },
                        "withSecondaries"),
                bad(
                        "execute of another render pass's list",
                        (s, l) -> {
                            CommandList second = s.rig.frame.beginSecondary(
                                    s.rig.queue(),
                                    "second",
                                    new RenderingFormats(List.of(Format.R32_UINT), null, null, 1),
                                    List.of());
                            second.end();
                            l.beginRendering(s.rendering(s.color).withSecondaries());
                            l.execute(List.of(second));
                        },
                        "'second'",
                        "R32_UINT"),
                bad(
                        "draw in a render pass of secondary lists",
                        (s, l) -> {
                            l.bindPipeline(s.graphics);
                            l.beginRendering(s.rendering(s.color).withSecondaries());
                            l.draw(3, 1, 0, 0);
                        },
                        "withSecondaries"),
                bad(
                        "bindPipeline in a render pass of secondary lists",
                        (s, l) -> {
                            l.beginRendering(s.rendering(s.color).withSecondaries());
                            l.bindPipeline(s.graphics);
                        },
                        "withSecondaries"),
                bad(
                        "draw in a secondary list without a viewport",
                        (s, l) -> {
                            CommandList second = s.rig.frame.beginSecondary(
                                    s.rig.queue(),
                                    "bad list",
                                    s.rendering(s.color).formats(),
                                    List.of());
                            second.bindPipeline(s.graphics);
                            second.bindVertexBuffer(0, s.target, 0);
                            // One that is refused is none.
                            assertThatThrownBy(() -> second.setViewport(0, 0, 0, 8))
                                    .isInstanceOf(IllegalArgumentException.class);
                            second.draw(3, 1, 0, 0);
                        },
                        "setViewport"));
    }

    private static List<Arguments> table() {
        List<Arguments> all = new ArrayList<>();
        for (Backend backend : Backend.values()) {
            for (List<Bad> group : List.of(buffers(), textures(), rendering(), draws(), bindings())) {
                group.forEach(bad -> all.add(Arguments.of(backend, bad)));
            }
        }
        return all;
    }

    private static final List<Scene> SCENES = new ArrayList<>();

    private static Scene scene(Backend backend) {
        for (Scene scene : SCENES) {
            if (scene.backend == backend) {
                return scene;
            }
        }
        Scene scene = new Scene(backend);
        SCENES.add(scene);
        return scene;
    }

    @AfterAll
    static void closeScenes() {
        SCENES.forEach(Scene::close);
        SCENES.clear();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("table")
    void badCommandsAreRefusedByName(Backend backend, Bad bad) {
        Scene scene = scene(backend);
        CommandList list = scene.rig.frame.beginCommands(scene.rig.queue(), "bad list");
        try {
            Throwable refusal = catchThrowable(() -> bad.body.accept(scene, list));
            assertThat(refusal).isInstanceOfAny(IllegalArgumentException.class, IllegalStateException.class);
            for (String word : bad.words) {
                assertThat(refusal).hasMessageContaining(word);
            }
            // What is bound belongs to a pipeline, which is named instead of the list.
            if (!bad.name.matches("bind(Texture|StorageTexture|Buffer) .*")) {
                assertThat(refusal).hasMessageContaining("'bad list'");
            }
            assertThat(scene.rig.device.validationMessages()).isEmpty();
        } finally {
            scene.rig.frame.reset();
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void queuesRefuseWhatTheyCannotExecute(Backend backend) {
        Scene scene = scene(backend);
        List<GpuQueue> copies = scene.rig.device.queues().stream()
                .filter(queue -> queue.kind() == QueueKind.COPY)
                .toList();
        assumeTrue(!copies.isEmpty(), "the device has no copy queue");
        CommandList list = scene.rig.frame.beginCommands(copies.get(0), "copies");
        try {
            List<Runnable> refused = List.of(
                    () -> list.bindPipeline(scene.compute),
                    () -> list.bindPipeline(scene.graphics),
                    () -> list.beginRendering(scene.rendering(scene.color)),
                    () -> list.clearTexture(scene.color, SubresourceRange.mip(0), ClearColor.BLACK_TRANSPARENT),
                    () -> list.clearDepthStencil(scene.depth, SubresourceRange.mip(0), 1, 0),
                    () -> list.blitTexture(scene.color, scene.all(), scene.array, scene.all(), Filter.NEAREST),
                    () -> list.resolveTexture(scene.many, scene.all(), scene.color, scene.all()),
                    () -> list.copyBufferToTexture(scene.source, 0, scene.depth, 0, 0));
            for (Runnable command : refused) {
                assertThatThrownBy(command::run)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("'copies'")
                        .hasMessageContaining("COPY queue");
            }
        } finally {
            scene.rig.frame.reset();
        }
    }
}
