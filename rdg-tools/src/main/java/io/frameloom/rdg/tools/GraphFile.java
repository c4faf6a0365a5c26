package io.frameloom.rdg.tools;

import io.frameloom.gpu.internal.Plural;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.AsyncCompute;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.RdgError;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgValidationException;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.compile.PlanCompiler;
import io.frameloom.rdg.declare.BoundFrame;
import io.frameloom.rdg.declare.DeclaredGraph;
import io.frameloom.rdg.explain.PlanWatch;
import io.frameloom.rdg.tools.facts.PlanFacts;
import io.frameloom.rdg.tools.file.FileGraph;
import io.frameloom.rdg.tools.file.FileNames;
import io.frameloom.rdg.tools.file.FixedGraph;
import io.frameloom.rdg.tools.file.GraphBuilding;
import io.frameloom.rdg.tools.file.GraphReader;
import io.frameloom.rdg.tools.file.JsonValues;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A graph in a file of the form {@code rdg-case/1}, which {@link PlanJson} writes too: compiled on queues that
 * the file names, without a device. Immutable; any thread.
 */
public final class GraphFile {
    /** Files beyond this are refused before they are read. */
    public static final long MAX_BYTES = 64L << 20;

    private static final char BYTE_ORDER_MARK = '\ufeff';

    private final String file;
    private final FileGraph source;

    private GraphFile(String file, FileGraph source) {
        this.file = file;
        this.source = source;
    }

    /**
     * Reads a graph from UTF-8 text, with or without a byte-order mark. Memory and time are bounded whatever the file
     * holds.
     *
     * @throws GraphFileException in one line: the file cannot be read, is too large, or holds no such graph
     */
    public static GraphFile read(Path path) {
        String name = path.toString();
        try {
            if (!Files.isRegularFile(path)) {
                throw new GraphFileException(name + (Files.exists(path) ? " is not a file" : ": no such file"));
            }
            if (Files.size(path) > MAX_BYTES) {
                throw new GraphFileException(name + " has " + Plural.of(Files.size(path), "byte")
                        + "; a graph has at most " + MAX_BYTES + " (and " + GraphReader.MAX_PASSES + " passes)");
            }
            try (Reader text = new BufferedReader(new InputStreamReader(
                    Files.newInputStream(path),
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .onMalformedInput(CodingErrorAction.REPORT)
                            .onUnmappableCharacter(CodingErrorAction.REPORT)))) {
                skipByteOrderMark(text);
                return new GraphFile(name, GraphReader.read(name, text));
            }
        } catch (CharacterCodingException e) {
            throw new GraphFileException(name + " is not UTF-8 text", e);
        } catch (IOException e) {
            throw new GraphFileException(name + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** RFC 8259 lets readers of JSON pass over the mark that some editors put first. */
    private static void skipByteOrderMark(Reader text) throws IOException {
        text.mark(1);
        if (text.read() != BYTE_ORDER_MARK) {
            text.reset();
        }
    }

    /** Returns the name of the graph. */
    public String id() {
        return source.id;
    }

    /** Returns the options that the file asks for. */
    public RdgOptions options() {
        return source.mode.options;
    }

    /**
     * Compiles the graph.
     *
     * @param change what to change of {@link #options}, which the system properties named at {@link RdgOptions} have
     *     overridden before
     * @throws GraphFileException if the file uses a name that it does not declare; if it gives the order of each queue
     *     itself and an option was changed, which would change nothing; or if {@link AsyncCompute#MEASURED} is asked
     *     for, since a file has no times
     * @throws RdgValidationException with every error of the graph
     */
    public Compiled compile(UnaryOperator<RdgOptions> change) {
        FileNames names = new FileNames(file, source);
        GraphBuilding building = new GraphBuilding(source, names);
        RdgOptions asked = options().withSystemProperties();
        RdgOptions changed = change.apply(asked);
        RdgOptions options = PlanCompiler.implied(changed);
        if (options.async() == AsyncCompute.MEASURED) {
            throw new GraphFileException(
                    file + " has no measured times to decide by which passes pay beside graphics; ask for async off,"
                            + " tagged or all");
        }
        if (source.mode.order == FileGraph.Order.FIXED) {
            if (!options.policy().schedule().equals(asked.policy().schedule())) {
                throw new GraphFileException(
                        file + " gives the order of each queue itself (mode order fixed), so it cannot"
                                + " take another one");
            }
            if (!changed.equals(asked)) {
                throw new GraphFileException(
                        file + " gives the order of each queue itself (mode order fixed), so nothing is moved to other"
                                + " queues, culled, merged or aliased; leave the options for that out");
            }
            Map<String, Object> facts = new FixedGraph(source, names).facts();
            return new Compiled(id(), null, List.of(), () -> facts);
        }
        BoundFrame bound = new BoundFrame();
        DeclaredGraph graph = building.graph(options.async(), bound);
        MemorySizer sizes = new FileSizes(source.mode.tiler);
        FramePlan plan = PlanCompiler.compile(graph, bound, options, names.topology(), sizes);
        PlanWatch.compiled(plan);
        return new Compiled(
                id(),
                plan,
                PlanFacts.warnings(plan, source),
                () -> PlanFacts.of(
                        plan, source, CompiledPlan.of(plan).structure().arrays()::after));
    }

    /**
     * Sizes are what the file says.
     *
     * @param tiler whether the file is for a device that keeps attachments on tiles
     */
    private record FileSizes(boolean tiler) implements MemorySizer {
        @Override
        public boolean lazyMemory() {
            return tiler;
        }

        @Override
        public MemoryRequirements requirements(TextureDescription description) {
            throw new IllegalStateException("files say the sizes of their resources");
        }

        @Override
        public MemoryRequirements requirements(BufferDescription description) {
            throw new IllegalStateException("files say the sizes of their resources");
        }
    }

    /** A compiled graph. Immutable; any thread. */
    public static final class Compiled {
        private final String id;
        private final @Nullable FramePlan plan;
        private final List<String> warnings;
        private final Supplier<Map<String, Object>> deciding;
        /** Found on request, which may take longer than compiling. */
        private volatile @Nullable Map<String, Object> facts;

        private Compiled(
                String id, @Nullable FramePlan plan, List<String> warnings, Supplier<Map<String, Object>> deciding) {
            this.id = id;
            this.plan = plan;
            this.warnings = warnings;
            this.deciding = deciding;
        }

        /** Returns the name of the graph. */
        public String id() {
            return id;
        }

        /** Returns the plan; null where the file gives all orders, so that only waits and batches were to be found. */
        public @Nullable FramePlan plan() {
            return plan;
        }

        /** Returns what looks like a mistake, one line each, but for removed passes. */
        public List<String> warnings() {
            return warnings;
        }

        /** Returns what was decided, by the keys of the form: maps, lists, strings, numbers and booleans. */
        public Map<String, Object> facts() {
            Map<String, Object> known = facts;
            if (known == null) {
                known = deciding.get();
                facts = known;
            }
            return known;
        }

        /**
         * Says of every pass and resource of a name why it is as it is: {@link FramePlan#explain}.
         *
         * @throws GraphFileException in one line if nothing has the name
         */
        public List<String> explain(String name) {
            if (plan == null) {
                throw new GraphFileException(
                        "the file gives the order of each queue itself (mode order fixed), so there"
                                + " is nothing to explain");
            }
            try {
                return plan.explain(name);
            } catch (IllegalArgumentException e) {
                throw new GraphFileException(String.valueOf(e.getMessage()), e);
            }
        }

        /**
         * Writes the facts as one line of JSON.
         *
         * @throws IOException if the writer throws it
         */
        public void writeJson(Writer writer) throws IOException {
            Map<String, Object> all = new LinkedHashMap<>();
            all.put("id", id);
            all.putAll(facts());
            JsonValues.writeLine(all, writer);
        }
    }

    private static final RdgError UNTOLD = new RdgError(
            RdgError.Code.INPUT,
            "",
            "",
            "the graph was refused without an error",
            "report this as a defect",
            List.of());

    /**
     * Writes what is wrong with a graph as one line of JSON: the first error by itself, then all of them.
     *
     * @throws IOException if the writer throws it
     */
    public static void writeErrors(String id, List<RdgError> errors, Writer writer) throws IOException {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("id", id);
        all.put("error", errorFacts(errors.isEmpty() ? UNTOLD : errors.get(0)));
        all.put("errors", errors.stream().map(GraphFile::errorFacts).toList());
        JsonValues.writeLine(all, writer);
    }

    private static Map<String, Object> errorFacts(RdgError error) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("code", error.code().name());
        facts.put("message", error.message() + (error.fix().isEmpty() ? "" : "; " + error.fix()));
        if (!error.pass().isEmpty()) {
            facts.put("pass", error.pass());
        }
        if (!error.resource().isEmpty()) {
            facts.put("resource", error.resource());
        }
        if (!error.handle().isEmpty()) {
            facts.put("native", error.handle());
        }
        if (!error.passes().isEmpty()) {
            facts.put(error.code() == RdgError.Code.CYCLE ? "members" : "passes", error.passes());
        }
        return facts;
    }
}
