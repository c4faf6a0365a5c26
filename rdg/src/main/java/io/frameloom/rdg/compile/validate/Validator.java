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
import io.frameloom.rdg.compile.graph.Scratch;
import io.frameloom.rdg.compile.graph.SubresourceMap;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;

/** Finds what is wrong with a declared graph: all of it, not only the first. */
public final class Validator {
    private final DeclaredGraph graph;
    private final List<RdgError> errors = new ArrayList<>();
    private final PassCheck passes;
    private final UseCheck uses;
    private final TargetCheck targets;

    Validator(DeclaredGraph graph, PassOrder order, QueueTopology queues, int mostColors) {
        this.graph = graph;
        this.passes = new PassCheck(graph, order, queues, this::error);
        this.uses = new UseCheck(graph, this::error);
        this.targets = new TargetCheck(graph, mostColors, this::error);
    }

    /** A graph that is sound, its passes in order. */
    public static final class Checked {
        public final DeclaredGraph graph;
        public final SubresourceMap map;
        /** By pass its position in the graph as declared; empty if the passes are in that order. */
        public final int[] declaredIndex;

        private Checked(DeclaredGraph graph, SubresourceMap map, int[] declaredIndex) {
            this.graph = graph;
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
        Validator validator = new Validator(graph, order, queues, mostColors);
        boolean usable = validator.checkPasses(new SoundPasses(graph, order, queues, mostColors)::mayBeWrong);
        if (graph.anyFinalAccess()) {
            validator.checkOutputs();
        }
        DeclaredGraph checked = graph;
        BitSet uncertain = new BitSet();
        if (!usable) {
            // What lies outside of resources is left out, so that the rest can be checked.
            checked = graph.usable();
            validator.addOutside(uncertain);
        }
        // Its scopes lie in scratch memory from here on, for all later phases.
        SubresourceMap map = new SubresourceMap(checked, scratch);
        int[] declaredIndex = {};
        if (order == PassOrder.UNORDERED) {
            int[] sorted = PassSorting.sort(checked, map, validator.errors);
            if (sorted == null) {
                throw new RdgValidationException(graph.name(), validator.errors);
            }
            declaredIndex = sorted;
            checked = checked.permuted(sorted);
            map = new SubresourceMap(checked, scratch);
        }
        // Only then can anything be wrong with contents.
        if (map.readsFirst || map.conflicts.length > 0 || graph.anyExtracted()) {
            new ContentsCheck(checked, map, uncertain, validator.errors, scratch).run();
        }
        if (!validator.errors.isEmpty()) {
            throw new RdgValidationException(graph.name(), validator.errors);
        }
        return new Checked(checked, map, declaredIndex);
    }

    /** Checks some passes; returns whether all their uses lie within resources of the graph. */
    boolean checkPasses(IntPredicate some) {
        boolean usable = true;
        for (int p = 0, n = graph.passes(); p < n; p++) {
            if (some.test(p)) {
                usable &= checkPass(p);
            }
        }
        return usable;
    }

    List<RdgError> errors() {
        return errors;
    }

    /** Checks one pass; returns whether all its uses lie within resources of the graph. */
    private boolean checkPass(int pass) {
        passes.run(pass);
        PassKind kind = graph.kind(pass);
        HostPassCheck host = kind == PassKind.HOST ? new HostPassCheck(graph, pass, this::error) : null;
        if (host != null) {
            host.checkPass();
        }
        boolean usable = true;
        for (int use = graph.firstUse(pass), end = graph.firstUse(pass + 1); use < end; use++) {
            if (!uses.inGraph(pass, use)) {
                usable = false;
            } else if (host != null) {
                host.checkUse(use);
            } else {
                uses.run(pass, use);
            }
        }
        checkTargets(pass, kind);
        return usable;
    }

    /** Adds the resources of the graph that are used outside of what they are. */
    private void addOutside(BitSet uncertain) {
        for (int use = 0; use < graph.uses(); use++) {
            if (graph.isOutside(use) && graph.resource(use) >= 0) {
                uncertain.set(graph.resource(use));
            }
        }
    }

    private void checkTargets(int pass, PassKind kind) {
        if (kind != PassKind.RASTER) {
            return;
        }
        boolean any = graph.firstAttachment(pass) < graph.firstAttachment(pass + 1);
        if (!any && !graph.has(pass, PassFlag.SKIP_RENDER_PASS)) {
            error(
                    pass,
                    TargetCheck.NO_USE,
                    Code.NO_TARGETS,
                    "raster pass '" + graph.names().pass(pass) + "' has no render target",
                    "add color(...) or depth(...), or the flag SKIP_RENDER_PASS");
        }
        targets.run(pass);
    }

    private void checkOutputs() {
        for (int r = 0; r < graph.resources(); r++) {
            Access access = graph.finalAccess(r);
            if (access != null && graph.isTexture(r) && access.layout() == TextureLayout.UNDEFINED) {
                String name = graph.names().resource(r);
                String site = graph.resourceSite(r);
                errors.add(new RdgError(
                        Code.USAGE,
                        "",
                        name,
                        "texture '" + name + "' is to be left ready for " + access + ", an access of buffers",
                        "name an access of textures",
                        site == null ? List.of() : List.of(site)));
            }
        }
    }

    private void error(int pass, int use, Code code, String message, String fix) {
        boolean ofUse = use != TargetCheck.NO_USE;
        List<String> sites = ContentsCheck.sites(graph.site(pass), ofUse ? graph.useSite(use) : null);
        errors.add(new RdgError(
                code, graph.names().pass(pass), ofUse ? graph.resourceName(use) : "", message, fix, sites));
    }
}
