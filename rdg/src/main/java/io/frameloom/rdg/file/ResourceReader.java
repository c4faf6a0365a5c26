package io.frameloom.rdg.file;

import io.frameloom.gpu.Format;
import io.frameloom.gpu.MemoryUsage;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.rdg.file.FileGraph.Life;
import io.frameloom.rdg.file.FileGraph.Res;
import io.frameloom.rdg.file.JsonCursor.Keys;
import org.jspecify.annotations.Nullable;

/** Reads the resources of a graph. One thread. */
final class ResourceReader {
    private static final int MAX_MIPS = 16;
    private static final int MAX_LAYERS = 4096;
    private static final int MAX_PLANES = 2;
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
            "samples",
            "format",
            "lifetime",
            "initial",
            "final",
            "sharing",
            "noAlias",
            "native");
    private static final long MAX_SAMPLES = 64;
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
        int samples = 1;

        @Nullable
        Format format;

        Life life = Life.TRANSIENT;
        TextureLayout initial = TextureLayout.UNDEFINED;

        @Nullable
        String last;

        boolean exclusive;
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
                case "width" -> draft.width = (int) json.integer(1, 1 << 16);
                case "height" -> draft.height = (int) json.integer(1, 1 << 16);
                case "samples" -> draft.samples = samples();
                case "format" -> draft.format = json.exactConstant(Format.class);
                case "lifetime" -> draft.life = json.constant(Life.class);
                case "initial" ->
                    json.object(INITIAL, inner -> draft.initial = json.exactConstant(TextureLayout.class));
                case "sharing" -> draft.exclusive = sharesExclusively();
                case "noAlias" -> draft.alone = json.bool();
                case "native" -> draft.handle = json.name("a native handle");
                default -> json.skip();
            }
        });
        if (draft.id.isEmpty() || draft.texture == null) {
            throw json.fail("a resource needs \"id\" and \"kind\"");
        }
        if (draft.samples > 1 && draft.mips > 1) {
            throw json.fail("a texture of " + draft.samples + " samples has one mip, not " + draft.mips);
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
                draft.samples,
                draft.format,
                draft.life,
                draft.initial,
                draft.last,
                draft.exclusive,
                draft.alone,
                draft.handle,
                line);
    }

    private boolean isTexture() {
        String text = json.string();
        return switch (text) {
            case "texture" -> true;
            case "buffer" -> false;
            default -> throw json.fail("unknown value, known are texture, buffer");
        };
    }

    private boolean sharesExclusively() {
        String text = json.string();
        return switch (text) {
            case "exclusive" -> true;
            case "concurrent" -> false;
            default -> throw json.fail("unknown value, known are exclusive, concurrent");
        };
    }

    private int samples() {
        long value = json.integer(1, MAX_SAMPLES);
        if (Long.bitCount(value) != 1) {
            throw json.fail("samples are 1, 2, 4 ... " + MAX_SAMPLES + ", got " + value);
        }
        return (int) value;
    }

    private long powerOfTwo() {
        long value = json.integer(1, 1L << 30);
        if (Long.bitCount(value) != 1) {
            throw json.fail("an alignment is a power of two, got " + value);
        }
        return value;
    }
}
