package io.frameloom.rdg.tools.file;

import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.tools.file.FileGraph.Life;
import io.frameloom.rdg.tools.file.FileGraph.Res;
import io.frameloom.rdg.tools.file.JsonCursor.Keys;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the resources of a graph. One thread. */
final class ResourceReader {
    private static final int MAX_MIPS = 16;
    private static final int MAX_LAYERS = 4096;
    private static final int MAX_PLANES = 2;
    private static final int MAX_EDGE = 1 << 16;
    private static final int MAX_DEPTH = 1 << 14;
    private static final int MAX_SAMPLES = 64;
    private static final int FACES = 6;
    /** Of a texture whose extent the file does not say, as a power of two. */
    private static final int EXTENT_BITS = 10;

    private static final long MAX_BYTES = 1L << 40;
    private static final long MAX_TYPES = 0xFFFF_FFFFL;
    private static final Keys RESOURCE = Keys.of(
            "a resource",
            "id",
            "kind",
            "bytes",
            "size",
            "align",
            "memory",
            "memoryTypes",
            "mips",
            "layers",
            "planes",
            "width",
            "height",
            "depth",
            "cube",
            "samples",
            "viewFormats",
            "usage",
            "format",
            "lifetime",
            "initial",
            "final",
            "sharing",
            "discardAfter",
            "noAlias",
            "native");
    private static final Keys INITIAL = Keys.of("an initial state", "layout");

    private final JsonCursor json;

    ResourceReader(JsonCursor json) {
        this.json = json;
    }

    private static final class ResourceDraft {
        String id = "";

        @Nullable
        Boolean texture;

        long bytes;
        long size;
        long align = 1;
        int memoryTypes = 1;
        MemoryUsage memory = MemoryUsage.DEVICE;
        int mips = 1;
        int layers = 1;
        int planes = 1;
        int width;
        int height;
        int depth;
        boolean cube;
        int samples = 1;
        final List<Format> viewFormats = new ArrayList<>(0);
        final Set<String> usage = new LinkedHashSet<>();
        boolean usageSaid;

        @Nullable
        Format format;

        Life life = Life.TRANSIENT;
        TextureLayout initial = TextureLayout.UNDEFINED;

        @Nullable
        String last;

        boolean exclusive;
        boolean discardedAfter;
        boolean alone;

        @Nullable
        String handle;
    }

    /** Reads the resource at the cursor. */
    Res read() {
        ResourceDraft draft = new ResourceDraft();
        int line = json.line();
        json.object(RESOURCE, name -> {
            switch (name) {
                case "id" -> draft.id = json.name("a resource");
                case "kind" -> draft.texture = isTexture();
                case "bytes" -> draft.bytes = json.integer(0, MAX_BYTES);
                case "size" -> draft.size = json.integer(1, MAX_BYTES);
                case "memory" -> draft.memory = json.exactConstant(MemoryUsage.class);
                case "memoryTypes" -> draft.memoryTypes = (int) json.integer(0, MAX_TYPES);
                case "final" -> draft.last = AccessNames.known(json);
                case "align" -> draft.align = powerOfTwo();
                case "mips" -> draft.mips = (int) json.integer(1, MAX_MIPS);
                case "layers" -> draft.layers = (int) json.integer(1, MAX_LAYERS);
                case "planes" -> draft.planes = (int) json.integer(1, MAX_PLANES);
                case "width" -> draft.width = (int) json.integer(1, MAX_EDGE);
                case "height" -> draft.height = (int) json.integer(1, MAX_EDGE);
                case "depth" -> draft.depth = (int) json.integer(1, MAX_DEPTH);
                case "cube" -> draft.cube = json.bool();
                case "samples" -> draft.samples = samples();
                case "viewFormats" -> json.array(16, () -> draft.viewFormats.add(json.exactConstant(Format.class)));
                case "usage" -> {
                    draft.usageSaid = true;
                    json.array(32, () -> draft.usage.add(json.name("a usage")));
                }
                case "format" -> draft.format = json.exactConstant(Format.class);
                case "lifetime" -> draft.life = json.constant(Life.class);
                case "initial" ->
                    json.object(INITIAL, inner -> draft.initial = json.exactConstant(TextureLayout.class));
                case "sharing" -> draft.exclusive = sharesExclusively();
                case "discardAfter" -> draft.discardedAfter = json.bool();
                case "noAlias" -> draft.alone = json.bool();
                default -> draft.handle = json.name("a native handle");
            }
        });
        if (draft.id.isEmpty() || draft.texture == null) {
            throw json.fail("a resource needs \"id\" and \"kind\"");
        }
        if (draft.discardedAfter && draft.life == Life.TRANSIENT) {
            throw json.fail(
                    "\"discardAfter\" of '" + draft.id + "' is for what outlives the frame: leave it out, or name"
                            + " another \"lifetime\" than transient");
        }
        if (draft.texture) {
            requireShape(draft);
        }
        return new Res(
                draft.id,
                draft.texture,
                draft.bytes,
                draft.size,
                draft.align,
                draft.memoryTypes,
                draft.memory,
                draft.mips,
                draft.layers,
                draft.planes,
                draft.width,
                draft.height,
                draft.depth,
                draft.cube,
                draft.samples,
                List.copyOf(draft.viewFormats),
                draft.texture ? usage(draft, TextureUsage.class) : null,
                draft.texture ? null : usage(draft, BufferUsage.class),
                draft.format,
                draft.life,
                draft.initial,
                draft.last,
                draft.exclusive,
                draft.discardedAfter,
                draft.alone,
                draft.handle,
                line);
    }

    /** What the file does not say of a texture is what no rule refuses. */
    private void requireShape(ResourceDraft draft) {
        int fallback = defaultExtent(draft.mips);
        int width = draft.width > 0 ? draft.width : fallback;
        int height = draft.height > 0 ? draft.height : fallback;
        int chain = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(draft.depth, Math.max(width, height)));
        if (draft.mips > chain) {
            throw json.fail("texture '" + draft.id + "' of " + width + "x" + height + "x" + Math.max(1, draft.depth)
                    + " has at most " + chain + " mips, got " + draft.mips);
        }
        Format format = draft.format;
        if (format != null && format.planes() != draft.planes) {
            throw json.fail("texture '" + draft.id + "' has \"planes\" " + draft.planes + ", but its format " + format
                    + " has " + format.planes());
        }
        if (draft.depth > 0 && (draft.cube || draft.layers > 1 || draft.samples > 1 || draft.planes > 1)) {
            throw json.fail("texture '" + draft.id + "' has a depth, so it has one layer, one plane and one sample and"
                    + " is no cube");
        }
        if (draft.cube && (width != height || draft.layers % FACES != 0 || draft.samples > 1)) {
            throw json.fail("texture '" + draft.id + "' is a cube, so it is square, its layers are a multiple of "
                    + FACES + ", and it has one sample");
        }
        boolean compressed = format != null && format.isCompressed();
        if (draft.samples > 1 && (draft.mips > 1 || compressed)) {
            throw json.fail("texture '" + draft.id + "' has " + draft.samples
                    + " samples, so it has one mip and is not compressed");
        }
        if (draft.depth > 0 && format != null && format.isDepth()) {
            throw json.fail("texture '" + draft.id + "' has a depth, so its format cannot be " + format);
        }
        for (Format view : draft.viewFormats) {
            if (format == null || !format.isViewCompatible(view)) {
                throw json.fail("texture '" + draft.id + "' of format " + format + " cannot be seen as " + view);
            }
        }
    }

    /** Returns the extent of a texture whose file says none. */
    static int defaultExtent(int mips) {
        return 1 << Math.max(EXTENT_BITS, mips - 1);
    }

    private <E extends Enum<E>> @Nullable Set<E> usage(ResourceDraft draft, Class<E> type) {
        // A transient that nothing uses has none.
        if (draft.usage.isEmpty() && !(draft.usageSaid && draft.life == Life.TRANSIENT)) {
            return null;
        }
        Set<E> result = EnumSet.noneOf(type);
        for (E constant : type.getEnumConstants()) {
            if (draft.usage.remove(constant.name())) {
                result.add(constant);
            }
        }
        if (!draft.usage.isEmpty()) {
            throw json.fail("unknown usage '" + draft.usage.iterator().next() + "' of '" + draft.id + "', known are "
                    + EnumSet.allOf(type));
        }
        return result;
    }

    private int samples() {
        int samples = (int) json.integer(1, MAX_SAMPLES);
        if (Integer.bitCount(samples) != 1) {
            throw json.fail("samples are 1, 2, 4 ... " + MAX_SAMPLES + ", got " + samples);
        }
        return samples;
    }

    private boolean isTexture() {
        String text = json.string();
        return switch (text) {
            case "texture" -> true;
            case "buffer" -> false;
            default -> throw json.unknown("value", text, "texture, buffer");
        };
    }

    private boolean sharesExclusively() {
        String text = json.string();
        return switch (text) {
            case "exclusive" -> true;
            case "concurrent" -> false;
            default -> throw json.unknown("value", text, "exclusive, concurrent");
        };
    }

    private long powerOfTwo() {
        long value = json.integer(1, 1L << 30);
        if (Long.bitCount(value) != 1) {
            throw json.fail("an alignment is a power of two, got " + value);
        }
        return value;
    }
}
