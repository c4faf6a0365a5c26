package io.frameloom.rdg.tools.file;

import io.frameloom.gpu.command.QueueKind;
import io.frameloom.rdg.AsyncCompute;
import io.frameloom.rdg.PassSchedule;
import io.frameloom.rdg.tools.file.FileGraph.Dependency;
import io.frameloom.rdg.tools.file.FileGraph.Mode;
import io.frameloom.rdg.tools.file.FileGraph.Order;
import io.frameloom.rdg.tools.file.FileGraph.Pass;
import io.frameloom.rdg.tools.file.FileGraph.Queue;
import io.frameloom.rdg.tools.file.FileGraph.QueueOrder;
import io.frameloom.rdg.tools.file.FileGraph.Res;
import io.frameloom.rdg.tools.file.JsonCursor.Keys;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the form {@code rdg-case/1}. A key that the form does not have is an error, since what it was meant to change
 * would stay as it is. Notes, expectations and the plan that a dump carries are passed over. A graph without passes is
 * a graph: its plan does nothing.
 */
public final class GraphReader {
    /**
     * More than a frame ever had; keeps memory and time within bounds. Only files have it, which may come from
     * anywhere.
     */
    public static final int MAX_PASSES = 20_000;

    static final int MAX_RESOURCES = 20_000;
    /** As many as the virtual device has at most; adapters show fewer than thirty. */
    private static final int MAX_QUEUES = 64;

    private static final String SCHEMA = "rdg-case/1";
    private static final Keys GRAPH = Keys.of(
            "a graph",
            "schema",
            "id",
            "mode",
            "queues",
            "resources",
            "passes",
            "explicitDeps",
            "queueOrder",
            "title",
            "origin",
            "notes",
            "variants",
            "expect",
            "plan");
    private static final Keys MODE = Keys.of(
            "a mode",
            "order",
            "cull",
            "overlapUavs",
            "tiler",
            "asyncPolicy",
            "mergeRenderPasses",
            "aliasing",
            "passMin",
            "passMax",
            "waitStageScope",
            "schedule",
            "hoistBarriers",
            "splitBarriers",
            "actuallyUsed");
    private static final Keys QUEUE = Keys.of("a queue", "id", "family", "caps");

    private final JsonCursor json;
    private final ResourceReader resourceReader;
    private final PassReader passReader;
    private String id = "";
    private Mode mode = Mode.DEFAULT;
    private final List<Queue> queues = new ArrayList<>();
    private final List<Res> resources = new ArrayList<>();
    private final List<Pass> passes = new ArrayList<>();
    private final List<Dependency> dependencies = new ArrayList<>();
    private final List<QueueOrder> queueOrder = new ArrayList<>();
    private boolean hasPasses;
    private boolean dumped;

    private GraphReader(JsonCursor json) {
        this.json = json;
        resourceReader = new ResourceReader(json);
        passReader = new PassReader(json);
    }

    /**
     * Reads a graph.
     *
     * @param file name of the file for messages
     * @throws io.frameloom.rdg.tools.GraphFileException if it is no such graph
     * @throws IOException if the text cannot be read
     */
    public static FileGraph read(String file, Reader text) throws IOException {
        try (JsonCursor json = new JsonCursor(file, text)) {
            GraphReader reader = new GraphReader(json);
            json.object(GRAPH, reader::member);
            if (!reader.hasPasses) {
                throw json.fail("a graph needs \"passes\"");
            }
            json.end();
            return reader.graph(file);
        }
    }

    private FileGraph graph(String file) {
        if (queues.isEmpty()) {
            queues.add(new Queue("graphics", 0, QueueKind.GRAPHICS, false, 1));
        }
        return new FileGraph(
                id.isEmpty() ? file : id, mode, queues, resources, passes, dependencies, queueOrder, dumped);
    }

    private void member(String name) {
        switch (name) {
            case "schema" -> {
                String schema = json.string();
                if (!schema.equals(SCHEMA)) {
                    throw json.fail("unknown schema '" + JsonCursor.shortened(schema) + "', expected " + SCHEMA);
                }
            }
            case "id" -> id = json.name("a graph");
            case "mode" -> mode = mode();
            case "queues" -> json.array(MAX_QUEUES, () -> queues.add(queue()));
            case "resources" -> json.array(MAX_RESOURCES, () -> resources.add(resourceReader.read()));
            case "passes" -> {
                hasPasses = true;
                json.array(MAX_PASSES, () -> passes.add(passReader.read()));
            }
            case "explicitDeps" -> json.array(MAX_PASSES * 4, () -> dependencies.add(dependency()));
            case "queueOrder" ->
                json.namedObject(queue -> {
                    FileGraph.Name named = new FileGraph.Name(queue, json.line());
                    List<FileGraph.Name> order = new ArrayList<>();
                    json.array(MAX_PASSES, () -> order.add(json.reference("a pass")));
                    queueOrder.add(new QueueOrder(named, order));
                });
            case "plan" -> {
                dumped = true;
                json.skip();
            }
            default -> json.skip();
        }
    }

    private static final class ModeDraft {
        Order order = Order.DECLARED;
        boolean cull = true;
        boolean overlap = true;
        boolean tiler;
        AsyncCompute async = AsyncCompute.TAGGED;
        boolean merge = true;
        boolean alias = true;
        int passMin = 1;
        int passMax = 32;
        boolean exactWaits;
        boolean hoistBarriers;
        boolean splitBarriers;
        PassSchedule schedule = PassSchedule.PROGRAM;

        @Nullable
        List<FileGraph.Taken> actuallyUsed;
    }

    private Mode mode() {
        ModeDraft draft = new ModeDraft();
        json.object(MODE, name -> {
            switch (name) {
                case "order" -> draft.order = json.constant(Order.class);
                case "cull" -> draft.cull = cull();
                case "overlapUavs" -> draft.overlap = json.bool();
                case "tiler" -> draft.tiler = json.bool();
                case "asyncPolicy" -> draft.async = AsyncCompute.values()[(int) json.integer(0, 2)];
                case "mergeRenderPasses" -> draft.merge = json.bool();
                case "aliasing" -> draft.alias = json.bool();
                case "passMin" -> draft.passMin = (int) json.integer(1, MAX_PASSES);
                case "passMax" -> draft.passMax = (int) json.integer(1, MAX_PASSES);
                case "waitStageScope" -> draft.exactWaits = exactWaits();
                case "hoistBarriers" -> draft.hoistBarriers = json.bool();
                case "splitBarriers" -> draft.splitBarriers = json.bool();
                case "schedule" -> draft.schedule = schedule();
                default -> draft.actuallyUsed = taken();
            }
        });
        if (draft.order == Order.FIXED && !draft.schedule.equals(PassSchedule.PROGRAM)) {
            throw json.fail(
                    "a mode whose order is fixed has no other \"schedule\" than program, since the file gives the"
                            + " order of each queue");
        }
        if (draft.passMax < draft.passMin) {
            throw json.fail("passMax is smaller than passMin");
        }
        return new Mode(
                draft.order,
                draft.cull,
                draft.overlap,
                draft.tiler,
                draft.async,
                draft.merge,
                draft.alias,
                draft.passMin,
                draft.passMax,
                draft.exactWaits,
                draft.hoistBarriers,
                draft.splitBarriers,
                draft.schedule,
                draft.actuallyUsed);
    }

    /** Of all passes together, or of each that is named. */
    private List<FileGraph.Taken> taken() {
        if (json.isArray()) {
            return List.of(new FileGraph.Taken(null, namedResources()));
        }
        if (!json.isObject()) {
            throw json.fail("expected an array of resources, or an object with one for each of some passes");
        }
        List<FileGraph.Taken> byPass = new ArrayList<>();
        json.namedObject(pass -> {
            FileGraph.Name named = new FileGraph.Name(pass, json.line());
            byPass.add(new FileGraph.Taken(named, namedResources()));
        });
        return byPass;
    }

    private List<FileGraph.Name> namedResources() {
        List<FileGraph.Name> names = new ArrayList<>();
        json.array(MAX_RESOURCES, () -> names.add(json.reference("a resource")));
        return names;
    }

    private PassSchedule schedule() {
        String text = json.string();
        try {
            return PassSchedule.parse(text);
        } catch (IllegalArgumentException e) {
            throw json.fail("unknown value, it " + e.getMessage());
        }
    }

    private boolean exactWaits() {
        String text = json.string();
        return switch (text) {
            case "all" -> false;
            case "exact" -> true;
            default -> throw json.unknown("value", text, "all, exact");
        };
    }

    private boolean cull() {
        String text = json.string();
        return switch (text) {
            case "data" -> true;
            case "off" -> false;
            default -> throw json.unknown("value", text, "data, off");
        };
    }

    private static final class QueueDraft {
        String id = "";
        int family;

        @Nullable
        QueueKind kind;

        boolean presents;
    }

    private Queue queue() {
        QueueDraft draft = new QueueDraft();
        int line = json.line();
        json.object(QUEUE, name -> {
            switch (name) {
                case "id" -> draft.id = json.name("a queue");
                case "family" -> draft.family = (int) json.integer(0, 1 << 16);
                default -> json.array(8, () -> capability(draft));
            }
        });
        if (draft.id.isEmpty() || (draft.kind == null && !draft.presents)) {
            throw json.fail("a queue needs \"id\" and \"caps\"");
        }
        return draft.kind == null
                ? new Queue(draft.id, draft.family, QueueKind.COPY, true, line)
                : new Queue(draft.id, draft.family, draft.kind, false, line);
    }

    private void capability(QueueDraft draft) {
        String text = json.string();
        switch (text) {
            case "graphics" -> draft.kind = QueueKind.GRAPHICS;
            case "compute" -> draft.kind = better(draft.kind, QueueKind.COMPUTE);
            case "copy" -> draft.kind = better(draft.kind, QueueKind.COPY);
            case "present" -> draft.presents = true;
            default -> throw json.unknown("value", text, "graphics, compute, copy, present");
        }
    }

    private static QueueKind better(@Nullable QueueKind a, QueueKind b) {
        return a == null || b.supports(a) ? b : a;
    }

    private Dependency dependency() {
        List<FileGraph.Name> ends = new ArrayList<>(2);
        json.array(2, () -> ends.add(json.reference("a pass")));
        if (ends.size() != 2) {
            throw json.fail("an order is [earlier pass, later pass]");
        }
        if (ends.get(0).text().equals(ends.get(1).text())) {
            throw json.fail("a pass cannot come after itself; name two passes");
        }
        return new Dependency(ends.get(0), ends.get(1));
    }
}
