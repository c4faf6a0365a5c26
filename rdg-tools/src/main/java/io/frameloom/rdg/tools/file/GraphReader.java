package io.frameloom.rdg.tools.file;

import io.frameloom.gpu.command.QueueKind;
import io.frameloom.rdg.AsyncCompute;
import io.frameloom.rdg.HeapSearch;
import io.frameloom.rdg.PassOrder;
import io.frameloom.rdg.PassSchedule;
import io.frameloom.rdg.PlanPolicy;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.WaitStageScope;
import io.frameloom.rdg.tools.file.FileGraph.Dependency;
import io.frameloom.rdg.tools.file.FileGraph.Mode;
import io.frameloom.rdg.tools.file.FileGraph.Order;
import io.frameloom.rdg.tools.file.FileGraph.Queue;
import io.frameloom.rdg.tools.file.FileGraph.QueueOrder;
import io.frameloom.rdg.tools.file.JsonCursor.Keys;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

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
    private static final Keys GRAPH = Keys.needing(
            1,
            "a graph",
            "passes",
            "schema",
            "id",
            "mode",
            "queues",
            "resources",
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
            "heapSearch",
            "actuallyUsed");
    private static final Keys QUEUE = Keys.needing(2, "a queue", "id", "caps", "family");

    private final JsonCursor json;
    private final ResourceReader resourceReader;
    private final PassReader passReader;
    private final FileGraph graph = new FileGraph();

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
            json.end();
            return reader.completed(file);
        }
    }

    private FileGraph completed(String file) {
        if (graph.queues.isEmpty()) {
            Queue only = new Queue();
            only.id = "graphics";
            only.kind = QueueKind.GRAPHICS;
            only.line = 1;
            graph.queues.add(only);
        }
        graph.id = graph.id.isEmpty() ? file : graph.id;
        return graph;
    }

    private void member(String name) {
        switch (name) {
            case "schema" -> {
                String schema = json.string();
                if (!schema.equals(SCHEMA)) {
                    throw json.fail("unknown schema '" + JsonCursor.shortened(schema) + "', expected " + SCHEMA);
                }
            }
            case "id" -> graph.id = json.name("a graph");
            case "mode" -> mode(graph.mode);
            case "queues" -> json.array(MAX_QUEUES, () -> graph.queues.add(queue()));
            case "resources" -> json.array(MAX_RESOURCES, () -> graph.resources.add(resourceReader.read()));
            case "passes" -> json.array(MAX_PASSES, () -> graph.passes.add(passReader.read()));
            case "explicitDeps" -> json.array(MAX_PASSES * 4, () -> graph.dependencies.add(dependency()));
            case "queueOrder" ->
                json.namedObject(queue -> {
                    FileGraph.Name named = new FileGraph.Name(queue, json.line());
                    List<FileGraph.Name> order = new ArrayList<>();
                    json.array(MAX_PASSES, () -> order.add(json.reference("a pass")));
                    graph.queueOrder.add(new QueueOrder(named, order));
                });
            case "plan" -> {
                graph.dumped = true;
                json.skip();
            }
            default -> json.skip();
        }
    }

    private void mode(Mode mode) {
        int[] limits = {mode.options.passMin(), mode.options.passMax()};
        json.object(MODE, name -> {
            RdgOptions options = mode.options;
            PlanPolicy policy = options.policy();
            switch (name) {
                case "order" -> mode.order = json.constant(Order.class);
                case "cull" -> mode.options = options.withCullPasses(json.either("data", "off"));
                case "overlapUavs" -> mode.options = options.withOverlapStorageWrites(json.bool());
                case "tiler" -> mode.tiler = json.bool();
                case "asyncPolicy" -> mode.options = options.withAsync(AsyncCompute.values()[(int) json.integer(0, 2)]);
                case "mergeRenderPasses" -> mode.options = options.withMergeRenderPasses(json.bool());
                case "aliasing" -> mode.options = options.withAliasing(json.bool());
                case "passMin" -> limits[0] = (int) json.integer(1, MAX_PASSES);
                case "passMax" -> limits[1] = (int) json.integer(1, MAX_PASSES);
                case "waitStageScope" ->
                    mode.options = options.withPolicy(policy.withWaitStageScope(
                            json.either("all", "exact") ? WaitStageScope.ALL : WaitStageScope.EXACT));
                case "hoistBarriers" -> mode.options = options.withPolicy(policy.withHoistBarriers(json.bool()));
                case "splitBarriers" -> mode.options = options.withPolicy(policy.withSplitBarriers(json.bool()));
                case "heapSearch" ->
                    mode.options = options.withPolicy(policy.withHeapSearch(json.constant(HeapSearch.class)));
                case "schedule" -> mode.options = options.withPolicy(policy.withSchedule(schedule()));
                default -> mode.actuallyUsed = taken();
            }
        });
        if (mode.order == Order.FIXED && !mode.options.policy().schedule().equals(PassSchedule.PROGRAM)) {
            throw json.fail(
                    "a mode whose order is fixed has no other \"schedule\" than program, since the file gives the"
                            + " order of each queue");
        }
        if (limits[1] < limits[0]) {
            throw json.fail("passMax is smaller than passMin");
        }
        mode.options = mode.options
                .withPassLimits(limits[0], limits[1])
                .withOrder(mode.order == Order.UNORDERED ? PassOrder.UNORDERED : PassOrder.DECLARED);
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

    private Queue queue() {
        Queue queue = new Queue();
        queue.line = json.line();
        Set<QueueKind> kinds = EnumSet.noneOf(QueueKind.class);
        json.object(QUEUE, name -> {
            switch (name) {
                case "id" -> queue.id = json.name("a queue");
                case "family" -> queue.family = (int) json.integer(0, 1 << 16);
                default -> json.array(8, () -> capability(queue, kinds));
            }
        });
        if (kinds.isEmpty() && !queue.presents) {
            throw json.fail(QUEUE.need());
        }
        if (!kinds.isEmpty()) {
            queue.presents = false;
            // The most capable comes first.
            queue.kind = kinds.iterator().next();
        }
        return queue;
    }

    private void capability(Queue queue, Set<QueueKind> kinds) {
        String text = json.string();
        switch (text) {
            case "graphics" -> kinds.add(QueueKind.GRAPHICS);
            case "compute" -> kinds.add(QueueKind.COMPUTE);
            case "copy" -> kinds.add(QueueKind.COPY);
            case "present" -> queue.presents = true;
            default -> throw json.unknown("value", text, "graphics, compute, copy, present");
        }
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
