package io.frameloom.rdg.tools.file;

import io.frameloom.gpu.command.QueueKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgError;
import io.frameloom.rdg.RdgError.Code;
import io.frameloom.rdg.RdgValidationException;
import io.frameloom.rdg.options.NearestNames;
import io.frameloom.rdg.tools.GraphFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The names of a file, which are identities there, and what they stand for. Immutable; any thread. */
public final class FileNames {
    private final String file;
    private final FileGraph source;
    private final Map<String, Integer> resources = new HashMap<>();
    private final Map<String, Integer> passes = new HashMap<>();
    private final Map<String, Integer> queues = new HashMap<>();
    private final List<FileGraph.Queue> queueOrder = new ArrayList<>();

    /**
     * Collects the names.
     *
     * @param file name of the file for messages
     * @throws GraphFileException if two queues or resources have one name, or if it orders queues that
     *     the compiler orders
     * @throws RdgValidationException if two passes have one name, or two resources one identity
     */
    public FileNames(String file, FileGraph source) {
        this.file = file;
        this.source = source;
        names();
    }

    /** Returns the queues. */
    public QueueTopology topology() {
        List<QueueTopology.Queue> result = new ArrayList<>();
        for (FileGraph.Queue queue : queueOrder) {
            result.add(new QueueTopology.Queue(queue.id, queue.kind, queue.family));
        }
        return new QueueTopology(result);
    }

    /** Returns the index of a resource that a line names. */
    int resource(String name, int line) {
        return known(resources, name, "resource", line);
    }

    /** Returns the index of a pass. */
    int pass(FileGraph.Name name) {
        return known(passes, name.text(), "pass", name.line());
    }

    /** Returns the index of a queue. */
    int queue(FileGraph.Name name) {
        return known(queues, name.text(), "queue", name.line());
    }

    /** Returns whether a queue shows images and executes nothing. */
    boolean presents(int queue) {
        return queueOrder.get(queue).presents;
    }

    /** Returns the queue of a pass. */
    int queueOf(FileGraph.Pass pass) {
        return pass.queue == null ? 0 : queue(pass.queue);
    }

    /** Returns what to throw about a line. */
    GraphFileException fail(int line, String message) {
        return new GraphFileException(file + ", line " + line + ": " + message);
    }

    /** Returns what to throw about a pass. */
    GraphFileException fail(FileGraph.Pass pass, Code code, String message) {
        return new GraphFileException(file + ", line " + pass.line + ": " + message, code, pass.id);
    }

    private int known(Map<String, Integer> names, String name, String what, int line) {
        Integer index = names.get(name);
        if (index == null) {
            throw fail(
                    line,
                    "unknown " + what + " '" + name + "'; "
                            + (names.isEmpty()
                                    ? "the file declares none"
                                    : "the nearest are " + NearestNames.of(name, List.copyOf(names.keySet()))));
        }
        return index;
    }

    /** Returns whether a queue that shows images is the first beside the others that seems to copy alone. */
    boolean showsInPlaceOfCopies() {
        return queueOrder.stream()
                .skip(1)
                .filter(queue -> queue.kind == QueueKind.COPY)
                .findFirst()
                .map(queue -> queue.presents)
                .orElse(false);
    }

    /**
     * Returns the queues, the most capable first, and those that only show images last, unless they stand as the file
     * gives their orders.
     */
    private static List<FileGraph.Queue> ordered(FileGraph source) {
        if (source.mode.order == FileGraph.Order.FIXED) {
            return source.queues;
        }
        List<FileGraph.Queue> all = source.queues;
        int main = 0;
        for (int q = 1; q < all.size(); q++) {
            FileGraph.Queue queue = all.get(q);
            boolean same = queue.kind == all.get(main).kind;
            main = (same && all.get(main).presents) || (!same && queue.kind.supports(all.get(main).kind)) ? q : main;
        }
        List<FileGraph.Queue> result = new ArrayList<>();
        result.add(all.get(main));
        for (boolean presents : new boolean[] {false, true}) {
            for (int q = 0; q < all.size(); q++) {
                if (q != main && all.get(q).presents == presents) {
                    result.add(all.get(q));
                }
            }
        }
        return result;
    }

    private void names() {
        List<RdgError> errors = new ArrayList<>();
        for (FileGraph.Queue queue : ordered(source)) {
            if (queues.putIfAbsent(queue.id, queueOrder.size()) != null) {
                throw fail(queue.line, "two queues are called '" + queue.id + "'");
            }
            queueOrder.add(queue);
        }
        Map<String, String> handles = new HashMap<>();
        for (FileGraph.Res resource : source.resources) {
            if (resources.putIfAbsent(resource.id, resources.size()) != null) {
                throw fail(resource.line, "two resources are called '" + resource.id + "'");
            }
            String first = resource.handle == null ? null : handles.putIfAbsent(resource.handle, resource.id);
            if (first != null) {
                errors.add(new RdgError(
                        Code.DUPLICATE_EXTERNAL,
                        "",
                        resource.id,
                        "'" + first + "' and '" + resource.id + "' are both the outside resource '" + resource.handle
                                + "'",
                        "register it once and use the one handle",
                        List.of(),
                        List.of(),
                        String.valueOf(resource.handle)));
            }
        }
        if (source.mode.order != FileGraph.Order.FIXED && !source.queueOrder.isEmpty()) {
            throw fail(
                    source.queueOrder.get(0).queue().line(),
                    "the file gives the order of a queue (\"queueOrder\"), which needs \"mode\": {\"order\": \"fixed\"}");
        }
        for (FileGraph.Pass pass : source.passes) {
            if (passes.putIfAbsent(pass.id, passes.size()) != null) {
                errors.add(new RdgError(
                        Code.DUPLICATE_PASS,
                        pass.id,
                        "",
                        "two passes are called '" + pass.id + "'",
                        "in a file names are identities: rename one",
                        List.of()));
            }
        }
        if (!errors.isEmpty()) {
            throw new RdgValidationException(source.id, errors);
        }
    }
}
