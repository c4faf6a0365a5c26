package io.frameloom.overlay;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.IndexType;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.Blend;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexAttribute;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexBuffer;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.BufferSlice;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.transfer.Uploader;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassContext;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lwjgl.nuklear.NkAllocator;
import org.lwjgl.nuklear.NkBuffer;
import org.lwjgl.nuklear.NkContext;
import org.lwjgl.nuklear.NkConvertConfig;
import org.lwjgl.nuklear.NkDrawCommand;
import org.lwjgl.nuklear.NkDrawNullTexture;
import org.lwjgl.nuklear.NkDrawVertexLayoutElement;
import org.lwjgl.nuklear.NkFont;
import org.lwjgl.nuklear.NkFontAtlas;
import org.lwjgl.nuklear.NkHandle;
import org.lwjgl.nuklear.NkPluginAlloc;
import org.lwjgl.nuklear.NkPluginFree;
import org.lwjgl.nuklear.NkUserFont;
import org.lwjgl.nuklear.Nuklear;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;

/**
 * Draws a GUI of Nuklear, an immediate-mode GUI, over a texture of a render graph: one raster pass. In each frame call
 * {@link #takeInput}, describe the GUI with {@link #context} and Nuklear's functions, and call {@link #addTo}. Text is in
 * the font that Nuklear has built in. An image whose handle has the id {@code n}, from 1 on, shows the n-th texture
 * that {@link #addTo} is given.
 *
 * <p>All methods but those of {@link #input} are called by the thread that declares the graphs. Frames under way keep
 * what they draw, so the next GUI may be described while they are recorded.
 */
public final class NuklearPass implements AutoCloseable {
    private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);
    private static final float FONT_HEIGHT = 13;
    private static final int VERTEX_BYTES = 20;
    private static final int PLACE_OFFSET = 8;
    private static final int TINT_OFFSET = 16;
    private static final long BUFFER_BYTES = 64 << 10;
    private static final int CONSTANT_BYTES = 20;
    private static final int CURVE_SEGMENTS = 12;

    /** The bits of the push constant {@code mode} in gui.frag. */
    private static final int SHOWN = 1;

    private static final int ONE_CHANNEL = 2;
    private static final int LINEAR_SOURCE = 4;
    private static final int LINEAR_TARGET = 8;

    private final NkPluginAlloc allocate =
            NkPluginAlloc.create((user, old, bytes) -> MemoryUtil.nmemAllocChecked(bytes));
    private final NkPluginFree free = NkPluginFree.create((user, address) -> MemoryUtil.nmemFree(address));
    private final NkAllocator allocator = NkAllocator.create().alloc(allocate).mfree(free);
    private final NkContext context = NkContext.create();
    private final NkFontAtlas atlas = NkFontAtlas.create();
    private final NkDrawNullTexture blank = NkDrawNullTexture.create();
    private final NkDrawVertexLayoutElement.Buffer layout = NkDrawVertexLayoutElement.create(4);
    private final NkBuffer commands = NkBuffer.create();
    private final NkBuffer vertices = NkBuffer.create();
    private final NkBuffer indices = NkBuffer.create();
    private final NkUserFont font;
    private final InputQueue input = new InputQueue();
    private final Texture glyphs;
    private final Sampler sampler;
    private final GraphicsPipeline pipeline;
    private final boolean linearTarget;

    /** A run of triangles within a rectangle; picture 0 is that of the glyphs. */
    private record Draw(int picture, int indices, int x, int y, int width, int height) {}

    /** What one frame draws. */
    private static final class Shapes {
        private final byte[] vertices;
        private final byte[] indices;
        private final List<Draw> draws;

        Shapes(byte[] vertices, byte[] indices, List<Draw> draws) {
            this.vertices = vertices;
            this.indices = indices;
            this.draws = draws;
        }
    }

    /**
     * Bakes the font, uploads it and compiles the pipeline; waits for the device.
     *
     * @param target format of the textures that the GUI is drawn over; sRGB or not, the GUI has the same colours
     */
    public NuklearPass(GpuDevice device, Format target) {
        linearTarget = target.isSrgb();
        sampler = device.sampler(SamplerDescription.NEAREST_CLAMP);
        Nuklear.nk_font_atlas_init(atlas, allocator);
        Texture baked = null;
        try {
            Nuklear.nk_font_atlas_begin(atlas);
            font = builtInFont().handle();
            baked = bake(device);
            glyphs = baked;
            pipeline = pipeline(device, target);
        } catch (RuntimeException | Error failure) {
            if (baked != null) {
                baked.close();
            }
            freeAtlas();
            throw failure;
        }
        Nuklear.nk_init(context, allocator, font);
        Nuklear.nk_buffer_init(commands, allocator, BUFFER_BYTES);
        Nuklear.nk_buffer_init(vertices, allocator, BUFFER_BYTES);
        Nuklear.nk_buffer_init(indices, allocator, BUFFER_BYTES);
        layout.get(0).set(Nuklear.NK_VERTEX_POSITION, Nuklear.NK_FORMAT_FLOAT, 0);
        layout.get(1).set(Nuklear.NK_VERTEX_TEXCOORD, Nuklear.NK_FORMAT_FLOAT, PLACE_OFFSET);
        layout.get(2).set(Nuklear.NK_VERTEX_COLOR, Nuklear.NK_FORMAT_R8G8B8A8, TINT_OFFSET);
        layout.get(3).set(Nuklear.NK_VERTEX_ATTRIBUTE_COUNT, Nuklear.NK_FORMAT_COUNT, 0);
    }

    private static GraphicsPipeline pipeline(GpuDevice device, Format target) {
        return device.createGraphicsPipeline(GraphicsPipelineDescription.of(
                        "overlay", shader("gui.vert"), shader("gui.frag"), target)
                .withVertexBuffers(new VertexBuffer(
                        VERTEX_BYTES,
                        false,
                        List.of(
                                new VertexAttribute(0, Format.R32G32_SFLOAT, 0),
                                new VertexAttribute(1, Format.R32G32_SFLOAT, PLACE_OFFSET),
                                new VertexAttribute(2, Format.R8G8B8A8_UNORM, TINT_OFFSET))))
                .withBlend(Blend.ALPHA));
    }

    private NkFont builtInFont() {
        NkFont added = Nuklear.nk_font_atlas_add_default(atlas, FONT_HEIGHT, null);
        if (added == null) {
            throw new IllegalStateException("Nuklear has no font built in");
        }
        return added;
    }

    private Texture bake(GpuDevice device) {
        int[] width = new int[1];
        int[] height = new int[1];
        ByteBuffer texels = Nuklear.nk_font_atlas_bake(atlas, width, height, Nuklear.NK_FONT_ATLAS_RGBA32);
        if (texels == null) {
            throw new IllegalStateException("Nuklear cannot bake its font");
        }
        Texture texture = null;
        try (Uploader uploader = new Uploader(device, "overlay glyphs")) {
            texture = device.createTexture(
                    "overlay glyphs",
                    TextureDescription.of(
                            width[0], height[0], Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED, TextureUsage.COPY_DST));
            uploader.upload(texture, 0, 0, texels, TextureLayout.SHADER_RO);
            TimelinePoint last = uploader.flush();
            last.queue().timeline().await(last.value(), FOREVER);
            return texture;
        } catch (RuntimeException | Error failure) {
            if (texture != null) {
                texture.close();
            }
            throw failure;
        } finally {
            // Frees the texels.
            try (MemoryStack stack = MemoryStack.stackPush()) {
                Nuklear.nk_font_atlas_end(atlas, Nuklear.nk_handle_id(0, NkHandle.malloc(stack)), blank);
            }
            Nuklear.nk_font_atlas_cleanup(atlas);
        }
    }

    private static ShaderSource shader(String file) {
        ShaderStage stage = file.endsWith(".vert") ? ShaderStage.VERTEX : ShaderStage.FRAGMENT;
        try (InputStream in = NuklearPass.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("the overlay has no shader " + file);
            }
            return new ShaderSource(file, stage, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("shader " + file + " of the overlay cannot be read", e);
        }
    }

    /** Returns what a GUI is described with. */
    public NkContext context() {
        return context;
    }

    /** Returns the font that text is written in. */
    public NkUserFont font() {
        return font;
    }

    /** Returns what is to be told of the user's doings. */
    public OverlayInput input() {
        return input;
    }

    /** Takes what the user did since the last frame; before the GUI is described. */
    public void takeInput() {
        input.takeInto(context);
    }

    /** Drops what the user did since the last frame; all keys and buttons are up for the next {@link #takeInput}. */
    void dropInput() {
        input.drop();
    }

    /**
     * Adds the pass that draws the GUI as it was described, and forgets the GUI. Nothing is added if it has no shapes.
     *
     * @param target what it is drawn over; its contents stay where there is no GUI
     * @param textures what images of the GUI show
     * @throws IllegalArgumentException if an image has another id
     */
    public void addTo(RenderGraph graph, RdgTexture target, List<ShownTexture> textures) {
        Shapes shapes;
        try {
            shapes = shapes(target, textures.size());
        } finally {
            Nuklear.nk_clear(context);
        }
        if (shapes.draws.isEmpty()) {
            return;
        }
        List<ShownTexture> shown = List.copyOf(textures);
        RdgTexture font = graph.registerExternal(glyphs, TextureLayout.SHADER_RO);
        graph.finalAccess(font, Access.SAMPLED_FRAGMENT);
        PassBuilder pass = graph.addPass("overlay", PassKind.RASTER).reads(font, Access.SAMPLED_FRAGMENT);
        shown.forEach(texture -> pass.reads(texture.view(), Access.SAMPLED_FRAGMENT));
        pass.color(target, LoadOp.LOAD, ClearColor.BLACK_TRANSPARENT)
                .record(recorded -> draw(recorded, shapes, font, shown));
    }

    private Shapes shapes(RdgTexture target, int pictures) {
        Nuklear.nk_buffer_clear(commands);
        Nuklear.nk_buffer_clear(vertices);
        Nuklear.nk_buffer_clear(indices);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            NkConvertConfig config = NkConvertConfig.calloc(stack)
                    .global_alpha(1)
                    // Rectangles, most of it all, take half as many vertices so.
                    .line_AA(Nuklear.NK_ANTI_ALIASING_ON)
                    .shape_AA(Nuklear.NK_ANTI_ALIASING_OFF)
                    .circle_segment_count(CURVE_SEGMENTS)
                    .arc_segment_count(CURVE_SEGMENTS)
                    .curve_segment_count(CURVE_SEGMENTS)
                    .tex_null(blank)
                    .vertex_layout(layout)
                    .vertex_size(VERTEX_BYTES)
                    .vertex_alignment(Float.BYTES);
            Nuklear.nk_convert(context, commands, vertices, indices, config);
        }
        List<Draw> draws = new ArrayList<>();
        int width = target.description().width();
        int height = target.description().height();
        for (NkDrawCommand each = Nuklear.nk__draw_begin(context, commands);
                each != null;
                each = Nuklear.nk__draw_next(each, commands, context)) {
            int left = Math.max(0, (int) each.clip_rect().x());
            int top = Math.max(0, (int) each.clip_rect().y());
            int right = (int)
                    Math.min(width, each.clip_rect().x() + each.clip_rect().w());
            int bottom = (int)
                    Math.min(height, each.clip_rect().y() + each.clip_rect().h());
            int picture = each.texture().id();
            if (picture < 0 || picture > pictures) {
                throw new IllegalArgumentException("the GUI has an image with id " + picture
                        + "; ids are 1 to the number of textures, " + pictures);
            }
            draws.add(new Draw(picture, each.elem_count(), left, top, right - left, bottom - top));
        }
        return new Shapes(bytes(vertices), bytes(indices), draws);
    }

    private static byte[] bytes(NkBuffer buffer) {
        byte[] bytes = new byte[Math.toIntExact(buffer.allocated())];
        if (bytes.length > 0) {
            MemoryUtil.memByteBuffer(Nuklear.nk_buffer_memory_const(buffer), bytes.length)
                    .get(bytes);
        }
        return bytes;
    }

    private void draw(PassContext recorded, Shapes shapes, RdgTexture font, List<ShownTexture> shown) {
        CommandList list = recorded.commands();
        list.bindPipeline(pipeline);
        BufferSlice corners = uploaded(recorded, shapes.vertices);
        list.bindVertexBuffer(0, corners.buffer(), corners.offset());
        BufferSlice order = uploaded(recorded, shapes.indices);
        list.bindIndexBuffer(order.buffer(), order.offset(), IndexType.UINT16);
        int bound = -1;
        int first = 0;
        try (MemoryStack stack = MemoryStack.stackPush()) {
            ByteBuffer constants = stack.malloc(Float.BYTES, CONSTANT_BYTES);
            for (Draw draw : shapes.draws) {
                if (draw.width > 0 && draw.height > 0) {
                    if (draw.picture != bound) {
                        bound = draw.picture;
                        bind(recorded, constants, bound == 0 ? null : shown.get(bound - 1), font);
                    }
                    list.setScissor(draw.x, draw.y, draw.width, draw.height);
                    list.drawIndexed(draw.indices, 1, first, 0, 0);
                }
                first += draw.indices;
            }
        }
    }

    private static BufferSlice uploaded(PassContext recorded, byte[] bytes) {
        BufferSlice slice = recorded.upload(bytes.length, Float.BYTES);
        slice.data().put(bytes);
        return slice;
    }

    private void bind(PassContext recorded, ByteBuffer constants, @Nullable ShownTexture shown, RdgTexture font) {
        int mode = linearTarget ? LINEAR_TARGET : 0;
        float low = 0;
        float high = 1;
        if (shown != null) {
            Format format = shown.view().format();
            mode |= SHOWN | (format.channels() == 1 ? ONE_CHANNEL : 0) | (format.isSrgb() ? LINEAR_SOURCE : 0);
            low = shown.low();
            high = shown.high();
        }
        constants
                .clear()
                .putFloat(2f / recorded.width())
                .putFloat(2f / recorded.height())
                .putFloat(low)
                .putFloat(1 / (high - low))
                .putInt(mode)
                .flip();
        recorded.commands().pushConstants(constants);
        recorded.commands()
                .bindTexture("picture", shown == null ? recorded.view(font) : recorded.view(shown.view()), sampler);
    }

    /** Frees everything; when all frames that draw it have been submitted. */
    @Override
    public void close() {
        pipeline.close();
        glyphs.close();
        Nuklear.nk_buffer_free(commands);
        Nuklear.nk_buffer_free(vertices);
        Nuklear.nk_buffer_free(indices);
        Nuklear.nk_free(context);
        freeAtlas();
    }

    private void freeAtlas() {
        Nuklear.nk_font_atlas_clear(atlas);
        allocate.free();
        free.free();
    }
}
