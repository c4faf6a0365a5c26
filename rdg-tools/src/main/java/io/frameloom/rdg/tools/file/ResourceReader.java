package io.frameloom.rdg.tools.file;

import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.tools.file.FileGraph.Res;
import io.frameloom.rdg.tools.file.JsonCursor.Keys;
import java.util.EnumSet;
import java.util.LinkedHashSet;
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
    private static final Keys RESOURCE = Keys.needing(
            2,
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

    /** Reads the resource at the cursor. */
    Res read() {
        Res resource = new Res();
        resource.line = json.line();
        json.object(RESOURCE, name -> {
            switch (name) {
                case "id" -> resource.id = json.name("a resource");
                case "kind" -> resource.texture = json.either("texture", "buffer");
                case "bytes" -> resource.bytes = json.integer(0, MAX_BYTES);
                case "size" -> resource.size = json.integer(1, MAX_BYTES);
                case "memory" -> resource.memory = json.exactConstant(MemoryUsage.class);
                case "memoryTypes" -> resource.memoryTypes = (int) json.integer(0, MAX_TYPES);
                case "final" -> resource.last = AccessNames.known(json);
                case "align" -> resource.align = powerOfTwo();
                case "mips" -> resource.mips = (int) json.integer(1, MAX_MIPS);
                case "layers" -> resource.layers = (int) json.integer(1, MAX_LAYERS);
                case "planes" -> resource.planes = (int) json.integer(1, MAX_PLANES);
                case "width" -> resource.width = (int) json.integer(1, MAX_EDGE);
                case "height" -> resource.height = (int) json.integer(1, MAX_EDGE);
                case "depth" -> resource.depth = (int) json.integer(1, MAX_DEPTH);
                case "cube" -> resource.cube = json.bool();
                case "samples" -> resource.samples = samples();
                case "viewFormats" -> json.array(16, () -> resource.viewFormats.add(json.exactConstant(Format.class)));
                case "usage" -> resource.usage = usage();
                case "format" -> resource.format = json.exactConstant(Format.class);
                case "lifetime" -> resource.life = json.constant(Lifetime.class);
                case "initial" ->
                    json.object(INITIAL, inner -> resource.initial = json.exactConstant(TextureLayout.class));
                case "sharing" -> resource.exclusive = json.either("exclusive", "concurrent");
                case "discardAfter" -> resource.discardedAfter = json.bool();
                case "noAlias" -> resource.alone = json.bool();
                default -> resource.handle = json.name("a native handle");
            }
        });
        if (resource.discardedAfter && resource.life == Lifetime.TRANSIENT) {
            throw json.fail(
                    "\"discardAfter\" of '" + resource.id + "' is for what outlives the frame: leave it out, or name"
                            + " another \"lifetime\" than transient");
        }
        if (resource.texture) {
            requireShape(resource);
        }
        if (resource.texture) {
            resource.textureUsage = usage(resource, TextureUsage.class);
        } else {
            resource.bufferUsage = usage(resource, BufferUsage.class);
        }
        return resource;
    }

    /** What the file does not say of a texture is what no rule refuses. */
    private void requireShape(Res resource) {
        int fallback = defaultExtent(resource.mips);
        int width = resource.width > 0 ? resource.width : fallback;
        int height = resource.height > 0 ? resource.height : fallback;
        int chain = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(resource.depth, Math.max(width, height)));
        if (resource.mips > chain) {
            throw json.fail("texture '" + resource.id + "' of " + width + "x" + height + "x"
                    + Math.max(1, resource.depth) + " has at most " + chain + " mips, got " + resource.mips);
        }
        Format format = resource.format;
        if (format != null && format.planes() != resource.planes) {
            throw json.fail("texture '" + resource.id + "' has \"planes\" " + resource.planes + ", but its format "
                    + format + " has " + format.planes());
        }
        if (resource.depth > 0
                && (resource.cube || resource.layers > 1 || resource.samples > 1 || resource.planes > 1)) {
            throw json.fail("texture '" + resource.id
                    + "' has a depth, so it has one layer, one plane and one sample and" + " is no cube");
        }
        if (resource.cube && (width != height || resource.layers % FACES != 0 || resource.samples > 1)) {
            throw json.fail("texture '" + resource.id + "' is a cube, so it is square, its layers are a multiple of "
                    + FACES + ", and it has one sample");
        }
        boolean compressed = format != null && format.isCompressed();
        if (resource.samples > 1 && (resource.mips > 1 || compressed)) {
            throw json.fail("texture '" + resource.id + "' has " + resource.samples
                    + " samples, so it has one mip and is not compressed");
        }
        if (resource.depth > 0 && format != null && format.isDepth()) {
            throw json.fail("texture '" + resource.id + "' has a depth, so its format cannot be " + format);
        }
        for (Format view : resource.viewFormats) {
            if (format == null || !format.isViewCompatible(view)) {
                throw json.fail("texture '" + resource.id + "' of format " + format + " cannot be seen as " + view);
            }
        }
    }

    /** Returns the extent of a texture whose file says none. */
    static int defaultExtent(int mips) {
        return 1 << Math.max(EXTENT_BITS, mips - 1);
    }

    private Set<String> usage() {
        Set<String> names = new LinkedHashSet<>();
        json.array(32, () -> names.add(json.name("a usage")));
        return names;
    }

    private <E extends Enum<E>> @Nullable Set<E> usage(Res resource, Class<E> type) {
        Set<String> names = resource.usage;
        // A transient that nothing uses has none.
        if (names == null || (names.isEmpty() && resource.life != Lifetime.TRANSIENT)) {
            return null;
        }
        Set<E> result = EnumSet.noneOf(type);
        for (E constant : type.getEnumConstants()) {
            if (names.remove(constant.name())) {
                result.add(constant);
            }
        }
        if (!names.isEmpty()) {
            throw json.fail("unknown usage '" + names.iterator().next() + "' of '" + resource.id + "', known are "
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

    private long powerOfTwo() {
        long value = json.integer(1, 1L << 30);
        if (Long.bitCount(value) != 1) {
            throw json.fail("an alignment is a power of two, got " + value);
        }
        return value;
    }
}
