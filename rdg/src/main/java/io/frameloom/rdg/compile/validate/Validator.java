package io.frameloom.rdg.compile.validate;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.PassOrder;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgError;
import io.frameloom.rdg.RdgError.Code;
import io.frameloom.rdg.RdgValidationException;
import io.frameloom.rdg.compile.graph.IntList;
import io.frameloom.rdg.compile.graph.KnownPasses;
import io.frameloom.rdg.compile.graph.KnownResources;
import io.frameloom.rdg.compile.graph.ResourceShapes;
import io.frameloom.rdg.compile.graph.Scratch;
import io.frameloom.rdg.compile.graph.SoundUses;
import io.frameloom.rdg.compile.graph.SubresourceMap;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds what is wrong with a declared graph: all of it, not only the first. */
public final class Validator {
    private final DeclaredGraph graph;
    private final ResourceShapes shapes;
    private final List<RdgError> errors = new ArrayList<>();
    private final PassCheck passes;
    private final UseCheck uses;
    private final TargetCheck targets;

    private Validator(
            DeclaredGraph graph, PassOrder order, QueueTopology queues, int mostColors, ResourceShapes shapes) {
        this.graph = graph;
        this.shapes = shapes;
        this.passes = new PassCheck(graph, order, queues, this::error);
        this.uses = new UseCheck(graph, shapes, this::error);
        this.targets = new TargetCheck(graph, mostColors, this::error);
    }

    /** A graph that is sound, its passes in order. */
    public static final class Checked {
        public final DeclaredGraph graph;
        public final KnownPasses known;
        public final KnownResources resources;
        public final SubresourceMap map;
        /** By pass its position in the graph as declared; empty if the passes are in that order. */
        public final int[] declaredIndex;

        private Checked(
                DeclaredGraph graph,
                KnownPasses known,
                KnownResources resources,
                SubresourceMap map,
                int[] declaredIndex) {
            this.graph = graph;
            this.known = known;
            this.resources = resources;
            this.map = map;
            this.declaredIndex = declaredIndex;
        }
    }

    /**
     * Checks a graph, brings its passes into order and returns its cells.
     *
     * @param mostColors most colour targets of a pass
     * @throws RdgValidationException if anything is wrong
     */
    public static Checked check(
            DeclaredGraph graph, PassOrder order, QueueTopology queues, int mostColors, Scratch scratch) {
        long mark = scratch.mark();
        ResourceShapes shapes = new ResourceShapes(graph, scratch);
        Validator validator = new Validator(graph, order, queues, mostColors, shapes);
        boolean usable = true;
        IntList partial = scratch.list();
        KnownPasses known = new KnownPasses(graph);
        KnownResources resources = new KnownResources(graph);
        List<DeclaredGraph.Pass> passes = graph.passes();
        for (int p = 0, n = passes.size(); p < n; p++) {
            usable &= validator.checkPass(passes.get(p), known, partial);
        }
        if (resources.anyFinalAccess()) {
            validator.checkOutputs();
        }
        DeclaredGraph checked = graph;
        BitSet uncertain = new BitSet();
        if (!usable) {
            checked = validator.usablePart(uncertain);
            known = new KnownPasses(checked);
            partial.clear();
            shapes.partial(known, partial);
        }
        SubresourceMap map = new SubresourceMap(known, shapes, partial, scratch);
        int[] declaredIndex = {};
        if (order == PassOrder.UNORDERED) {
            int[] sorted = PassSorting.sort(checked, map, validator.errors);
            if (sorted == null) {
                throw new RdgValidationException(graph.name(), validator.errors);
            }
            declaredIndex = sorted;
            checked = PassSorting.permuted(checked, sorted);
            known = new KnownPasses(checked);
            map = new SubresourceMap(known, shapes, scratch);
        }
        new ContentsCheck(checked, resources, map, uncertain, validator.errors, scratch).run();
        scratch.release(mark);
        if (!validator.errors.isEmpty()) {
            throw new RdgValidationException(graph.name(), validator.errors);
        }
        return new Checked(checked, known, resources, map, declaredIndex);
    }

    /**
     * Checks one pass and adds its uses of parts to {@code partial}; returns whether all its uses lie within resources
     * of the graph.
     */
    private boolean checkPass(DeclaredGraph.Pass pass, KnownPasses known, IntList partial) {
        passes.run(pass);
        HostPassCheck host = pass.kind() == PassKind.HOST ? new HostPassCheck(graph, pass, this::error) : null;
        if (host != null) {
            host.checkPass();
        }
        boolean usable = true;
        boolean async = pass.flags().contains(PassFlag.ASYNC_COMPUTE);
        for (int u = known.useBase[pass.index()], end = known.useBase[pass.index() + 1]; u < end; u++) {
            DeclaredGraph.Use use = known.use[u];
            if (uses.inGraph(pass, use)) {
                if (shapes.isPartial(use)) {
                    partial.add(u);
                }
                if (host != null) {
                    host.checkUse(use);
                } else if (!SoundUses.contains(pass.kind(), async, shapes, use)) {
                    uses.run(pass, use);
                }
            } else {
                usable = false;
            }
        }
        checkTargets(pass);
        return usable;
    }

    /**
     * The passes without the uses that lie outside of resources of the graph, so that the rest can be checked.
     *
     * @param uncertain receives the resources of the graph of which uses were left out
     */
    private DeclaredGraph usablePart(BitSet uncertain) {
        List<DeclaredGraph.Pass> sound = new ArrayList<>(graph.passes().size());
        for (DeclaredGraph.Pass pass : graph.passes()) {
            List<DeclaredGraph.Use> kept =
                    pass.uses().stream().filter(shapes::contains).toList();
            pass.uses().stream()
                    .filter(use -> use.resource() >= 0 && !shapes.contains(use))
                    .forEach(use -> uncertain.set(use.resource()));
            sound.add(
                    kept.size() == pass.uses().size()
                            ? pass
                            : new DeclaredGraph.Pass(
                                    pass.index(),
                                    pass.name(),
                                    pass.kind(),
                                    pass.queue(),
                                    pass.flags(),
                                    kept,
                                    List.of(),
                                    pass.after(),
                                    pass.body(),
                                    pass.site()));
        }
        return graph.withPasses(sound);
    }

    private void checkTargets(DeclaredGraph.Pass pass) {
        if (pass.kind() != PassKind.RASTER) {
            return;
        }
        if (pass.attachments().isEmpty() && !pass.flags().contains(PassFlag.SKIP_RENDER_PASS)) {
            error(
                    pass,
                    null,
                    Code.NO_TARGETS,
                    "raster pass '" + pass.name() + "' has no render target",
                    "add color(...) or depth(...), or the flag SKIP_RENDER_PASS");
        }
        targets.run(pass);
    }

    private void checkOutputs() {
        for (DeclaredGraph.Declared resource : graph.resources()) {
            Access access = resource.finalAccess();
            if (access != null && resource.isTexture() && access.layout() == TextureLayout.UNDEFINED) {
                List<String> sites = resource.site() == null ? List.of() : List.of(resource.site());
                errors.add(new RdgError(
                        Code.USAGE,
                        "",
                        resource.name(),
                        "texture '" + resource.name() + "' is to be left ready for " + access
                                + ", an access of buffers",
                        "name an access of textures",
                        sites));
            }
        }
    }

    private void error(
            DeclaredGraph.Pass pass, DeclaredGraph.@Nullable Use use, Code code, String message, String fix) {
        List<String> sites = new ArrayList<>(2);
        if (pass.site() != null) {
            sites.add(pass.site());
        }
        if (use != null && use.site() != null) {
            sites.add(use.site());
        }
        errors.add(new RdgError(code, pass.name(), use == null ? "" : use.resourceName(), message, fix, sites));
    }
}
