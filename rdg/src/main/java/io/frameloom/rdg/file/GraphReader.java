package io.frameloom.rdg.file;

import io.frameloom.gpu.Format;
import io.frameloom.gpu.LoadOp;
import io.frameloom.gpu.QueueKind;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.rdg.file.FileGraph.Dependency;
import io.frameloom.rdg.file.FileGraph.Flag;
import io.frameloom.rdg.file.FileGraph.Kind;
import io.frameloom.rdg.file.FileGraph.Life;
import io.frameloom.rdg.file.FileGraph.Mode;
import io.frameloom.rdg.file.FileGraph.Order;
import io.frameloom.rdg.file.FileGraph.Pass;
import io.frameloom.rdg.file.FileGraph.Queue;
import io.frameloom.rdg.file.FileGraph.Res;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the form {@code rdg-case/1}. Keys that it does not know are passed over, so that files may carry notes and
 * expectations; values that mean nothing are errors.
 */
public final class GraphReader {
    /** More than a frame ever had; keeps memory and time within bounds. */
    public static final int MAX_PASSES = 20_000;

    static final int MAX_RESOURCES = 20_000;
    private static final int MAX_QUEUES = 16;
    private static final int MAX_USES = 4096;
    private static final int MAX_MIPS = 16;
    private static final int MAX_LAYERS = 4096;
    private static final int MAX_PLANES = 2;
    private static final long MAX_BYTES = 1L << 40;
    private static final String SCHEMA = "rdg-case/1";

    private final JsonCursor json;
    private String id = "";
    private Mode mode = Mode.DEFAULT;
    private final List<Queue> queues = new ArrayList<>();
    private final List<Res> resources = new ArrayList<>();
    private final List<Pass> passes = new ArrayList<>();
    private final List<Dependency> dependencies = new ArrayList<>();
    private final Map<String, List<String>> queueOrder = new LinkedHashMap<>();
    private boolean hasPasses;

    private GraphReader(JsonCursor json) {
        this.json = json;
    }

    /**
     * Reads a graph.
     *
     * @param file name of the file for messages
     * @throws io.frameloom.rdg.GraphFileException if it is no such graph
     * @throws IOException if the text cannot be read
     */
    public static FileGraph read(String file, Reader text) throws IOException {
        try (JsonCursor json = new JsonCursor(file, text)) {
            GraphReader reader = new GraphReader(json);
            json.object(reader::member);
            if (!reader.hasPasses) {
                throw json.fail("a graph needs \"passes\"");
            }
            json.end();
            return reader.graph(file);
        }
    }

    private FileGraph graph(String file) {
        if (queues.isEmpty()) {
            queues.add(new Queue("graphics", 0, QueueKind.GRAPHICS));
        }
        return new FileGraph(id.isEmpty() ? file : id, mode, queues, resources, passes, dependencies, queueOrder);
    }

    private void member(String name) {
        switch (name) {
            case "schema" -> {
                String schema = json.string();
                if (!schema.equals(SCHEMA)) {
                    throw json.fail("unknown schema, expected " + SCHEMA);
                }
            }
            case "id" -> id = json.name("a graph");
            case "mode" -> mode = mode();
            case "queues" -> json.array(MAX_QUEUES, () -> queues.add(queue()));
            case "resources" -> json.array(MAX_RESOURCES, () -> resources.add(resource()));
            case "passes" -> {
                hasPasses = true;
                json.array(MAX_PASSES, () -> passes.add(pass()));
            }
            case "explicitDeps" -> json.array(MAX_PASSES * 4, () -> dependencies.add(dependency()));
            case "queueOrder" ->
                json.object(queue -> {
                    List<String> order = new ArrayList<>();
                    json.array(MAX_PASSES, () -> order.add(json.name("a pass")));
                    queueOrder.put(queue, order);
                });
            default -> json.skip();
        }
    }

    private static final class ModeDraft {
        Order order = Order.DECLARED;
        boolean cull = true;
        boolean overlap = true;
        boolean tiler;
        boolean async = true;
        int passMin = 1;
        int passMax = 32;
    }

    private Mode mode() {
        ModeDraft draft = new ModeDraft();
        json.object(name -> {
            switch (name) {
                case "order" -> draft.order = json.constant(Order.class);
                case "cull" -> draft.cull = cull();
                case "overlapUavs" -> draft.overlap = json.bool();
                case "tiler" -> draft.tiler = json.bool();
                case "asyncPolicy" -> draft.async = json.integer(0, 2) != 0;
                case "passMin" -> draft.passMin = (int) json.integer(1, MAX_PASSES);
                case "passMax" -> draft.passMax = (int) json.integer(1, MAX_PASSES);
                default -> json.skip();
            }
        });
        if (draft.passMax < draft.passMin) {
            throw json.fail("passMax is smaller than passMin");
        }
        return new Mode(draft.order, draft.cull, draft.overlap, draft.tiler, draft.async, draft.passMin, draft.passMax);
    }

    private boolean cull() {
        String text = json.string();
        return switch (text) {
            case "data" -> true;
            case "off" -> false;
            default -> throw json.fail("unknown value, known are data, off");
        };
    }

    private static final class QueueDraft {
        String id = "";
        int family;

        @Nullable
        QueueKind kind;
    }

    private Queue queue() {
        QueueDraft draft = new QueueDraft();
        json.object(name -> {
            switch (name) {
                case "id" -> draft.id = json.name("a queue");
                case "family" -> draft.family = (int) json.integer(0, 1 << 16);
                case "caps" -> json.array(8, () -> draft.kind = better(draft.kind, capability()));
                default -> json.skip();
            }
        });
        if (draft.id.isEmpty() || draft.kind == null) {
            throw json.fail("a queue needs \"id\" and \"caps\"");
        }
        return new Queue(draft.id, draft.family, draft.kind);
    }

    private @Nullable QueueKind capability() {
        String text = json.string();
        return switch (text) {
            case "graphics" -> QueueKind.GRAPHICS;
            case "compute" -> QueueKind.COMPUTE;
            case "copy" -> QueueKind.COPY;
            case "present" -> null;
            default -> throw json.fail("unknown value, known are graphics, compute, copy, present");
        };
    }

    private static @Nullable QueueKind better(@Nullable QueueKind a, @Nullable QueueKind b) {
        return a == null ? b : b == null || a.supports(b) ? a : b;
    }

    private static final class ResourceDraft {
        String id = "";

        @Nullable
        Boolean texture;

        long bytes;
        long align = 1;
        int mips = 1;
        int layers = 1;
        int planes = 1;
        int width;
        int height;

        @Nullable
        Format format;

        Life life = Life.TRANSIENT;
        TextureLayout initial = TextureLayout.UNDEFINED;
        boolean exclusive;
        boolean alone;

        @Nullable
        String handle;
    }

    private Res resource() {
        ResourceDraft draft = new ResourceDraft();
        json.object(name -> {
            switch (name) {
                case "id" -> draft.id = json.name("a resource");
                case "kind" -> draft.texture = isTexture();
                case "bytes" -> draft.bytes = json.integer(0, MAX_BYTES);
                case "align" -> draft.align = powerOfTwo();
                case "mips" -> draft.mips = (int) json.integer(1, MAX_MIPS);
                case "layers" -> draft.layers = (int) json.integer(1, MAX_LAYERS);
                case "planes" -> draft.planes = (int) json.integer(1, MAX_PLANES);
                case "width" -> draft.width = (int) json.integer(1, 1 << 16);
                case "height" -> draft.height = (int) json.integer(1, 1 << 16);
                case "format" -> draft.format = json.exactConstant(Format.class);
                case "lifetime" -> draft.life = json.constant(Life.class);
                case "initial" ->
                    json.object(inner -> {
                        if (inner.equals("layout")) {
                            draft.initial = json.exactConstant(TextureLayout.class);
                        } else {
                            json.skip();
                        }
                    });
                case "sharing" -> draft.exclusive = sharesExclusively();
                case "noAlias" -> draft.alone = json.bool();
                case "native" -> draft.handle = json.name("a native handle");
                default -> json.skip();
            }
        });
        if (draft.id.isEmpty() || draft.texture == null) {
            throw json.fail("a resource needs \"id\" and \"kind\"");
        }
        return new Res(
                draft.id,
                draft.texture,
                draft.bytes,
                draft.align,
                draft.mips,
                draft.layers,
                draft.planes,
                draft.width,
                draft.height,
                draft.format,
                draft.life,
                draft.initial,
                draft.exclusive,
                draft.alone,
                draft.handle);
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

    private long powerOfTwo() {
        long value = json.integer(1, 1L << 30);
        if (Long.bitCount(value) != 1) {
            throw json.fail("an alignment is a power of two, got " + value);
        }
        return value;
    }

    private static final class PassDraft {
        String id = "";

        @Nullable
        String queue;

        @Nullable
        Kind kind;

        final EnumSet<Flag> flags = EnumSet.noneOf(Flag.class);
        final List<FileGraph.Use> uses = new ArrayList<>(4);

        @Nullable
        List<FileGraph.Target> targets;
    }

    private Pass pass() {
        PassDraft draft = new PassDraft();
        json.object(name -> {
            switch (name) {
                case "id" -> draft.id = json.name("a pass");
                case "queue" -> draft.queue = json.name("a queue");
                case "kind" -> draft.kind = json.constant(Kind.class);
                case "flags" -> json.array(16, () -> draft.flags.add(json.constant(Flag.class)));
                case "uses" -> json.array(MAX_USES, () -> draft.uses.add(use()));
                case "rt" -> draft.targets = targets();
                default -> json.skip();
            }
        });
        if (draft.id.isEmpty() || draft.kind == null) {
            throw json.fail("a pass needs \"id\" and \"kind\"");
        }
        return new Pass(
                draft.id,
                draft.queue,
                draft.kind,
                draft.flags,
                List.copyOf(draft.uses),
                draft.targets == null ? null : List.copyOf(draft.targets));
    }

    private static final class UseDraft {
        String resource = "";
        String access = "";
        FileGraph.@Nullable Interval mip;
        FileGraph.@Nullable Interval layer;
        FileGraph.@Nullable Interval plane;
        boolean discard;

        @Nullable
        String group;
    }

    private FileGraph.Use use() {
        UseDraft draft = new UseDraft();
        json.object(name -> {
            switch (name) {
                case "r" -> draft.resource = json.name("a resource");
                case "a" -> draft.access = AccessNames.known(json);
                case "sub" ->
                    json.object(axis -> {
                        switch (axis) {
                            case "mip" -> draft.mip = interval();
                            case "layer" -> draft.layer = interval();
                            case "plane" -> draft.plane = interval();
                            default -> json.skip();
                        }
                    });
                case "discard" -> draft.discard = json.bool();
                case "uavGroup" ->
                    draft.group =
                            json.isNumber() ? Long.toString(json.integer(0, Integer.MAX_VALUE)) : json.name("a group");
                default -> json.skip();
            }
        });
        if (draft.resource.isEmpty() || draft.access.isEmpty()) {
            throw json.fail("a use needs \"r\" and \"a\"");
        }
        return new FileGraph.Use(
                draft.resource, draft.access, draft.mip, draft.layer, draft.plane, draft.discard, draft.group);
    }

    private FileGraph.Interval interval() {
        if (!json.isArray()) {
            int at = (int) json.integer(0, MAX_LAYERS);
            return new FileGraph.Interval(at, at + 1);
        }
        List<Integer> ends = new ArrayList<>(2);
        json.array(2, () -> ends.add((int) json.integer(0, MAX_LAYERS)));
        if (ends.size() != 2 || ends.get(0) >= ends.get(1)) {
            throw json.fail("an interval is a number, or [from, behind the last] with from below that");
        }
        return new FileGraph.Interval(ends.get(0), ends.get(1));
    }

    private List<FileGraph.Target> targets() {
        List<FileGraph.Target> targets = new ArrayList<>(4);
        json.object(name -> {
            switch (name) {
                case "color" -> json.array(64, () -> targets.add(target(false)));
                case "depth" -> targets.add(target(true));
                default -> json.skip();
            }
        });
        return targets;
    }

    private static final class TargetDraft {
        String resource = "";
        LoadOp load = LoadOp.LOAD;
        boolean readOnly;
    }

    private FileGraph.Target target(boolean depth) {
        TargetDraft draft = new TargetDraft();
        json.object(name -> {
            switch (name) {
                case "r" -> draft.resource = json.name("a resource");
                case "load" -> draft.load = load();
                case "access" -> draft.readOnly = readsOnly();
                default -> json.skip();
            }
        });
        if (draft.resource.isEmpty()) {
            throw json.fail("a render target needs \"r\"");
        }
        return new FileGraph.Target(draft.resource, draft.load, depth, draft.readOnly);
    }

    private LoadOp load() {
        String text = json.string().toLowerCase(Locale.ROOT);
        return switch (text) {
            case "load" -> LoadOp.LOAD;
            case "clear" -> LoadOp.CLEAR;
            case "dontcare" -> LoadOp.DONT_CARE;
            default -> throw json.fail("unknown value, known are load, clear, dontcare");
        };
    }

    private boolean readsOnly() {
        String text = json.string();
        return switch (text) {
            case "r" -> true;
            case "w", "rw" -> false;
            default -> throw json.fail("unknown value, known are r, w");
        };
    }

    private Dependency dependency() {
        List<String> ends = new ArrayList<>(2);
        json.array(2, () -> ends.add(json.name("a pass")));
        if (ends.size() != 2) {
            throw json.fail("an order is [earlier pass, later pass]");
        }
        return new Dependency(ends.get(0), ends.get(1));
    }
}
