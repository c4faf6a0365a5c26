package io.frameloom.rdg.compile;

import io.frameloom.gpu.Access;
import io.frameloom.gpu.QueueKind;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.PassOrder;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgError;
import io.frameloom.rdg.RdgError.Code;
import io.frameloom.rdg.RdgValidationException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds what is wrong with a declared graph: all of it, not only the first. */
final class Validator {
    private final DeclaredGraph graph;
    private final PassOrder order;
    private final QueueTopology queues;
    private final ResourceShapes shapes;
    private final List<RdgError> errors = new ArrayList<>();
    private final TargetCheck targets;

    private Validator(DeclaredGraph graph, PassOrder order, QueueTopology queues, ResourceShapes shapes) {
        this.graph = graph;
        this.order = order;
        this.queues = queues;
        this.shapes = shapes;
        this.targets = new TargetCheck(graph, (pass, use, code, message, fix) -> error(code, pass, use, message, fix));
    }

    /** A graph that is sound, its passes in order. */
    static final class Checked {
        final DeclaredGraph graph;
        final KnownPasses known;
        final KnownResources resources;
        final SubresourceMap map;
        /** By pass its position before it was brought into order. */
        final int[] declaredIndex;

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
     * @throws RdgValidationException if anything is wrong
     */
    static Checked check(DeclaredGraph graph, PassOrder order, QueueTopology queues, Scratch scratch) {
        long mark = scratch.mark();
        ResourceShapes shapes = new ResourceShapes(graph, scratch);
        Validator validator = new Validator(graph, order, queues, shapes);
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
        int[] declaredIndex = new int[passes.size()];
        for (int p = 0; p < declaredIndex.length; p++) {
            declaredIndex[p] = p;
        }
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
     * Checks one pass and adds its uses of parts to {@code partial}; returns whether all its uses lie within resources of the
     * graph.
     */
    private boolean checkPass(DeclaredGraph.Pass pass, KnownPasses known, IntList partial) {
        if (pass.body() == null) {
            error(
                    Code.NO_BODY,
                    pass,
                    null,
                    "pass '" + pass.name() + "' has no body",
                    "end its declaration with " + (pass.kind() == PassKind.HOST ? "run(...)" : "record(...)"));
        }
        checkFlags(pass);
        HostPassCheck host = pass.kind() == PassKind.HOST
                ? new HostPassCheck(graph, pass, (at, use, code, message, fix) -> error(code, at, use, message, fix))
                : null;
        if (host != null) {
            host.checkPass();
        }
        boolean usable = true;
        boolean async = pass.flags().contains(PassFlag.ASYNC_COMPUTE);
        for (int u = known.useBase[pass.index()], end = known.useBase[pass.index() + 1]; u < end; u++) {
            DeclaredGraph.Use use = known.use[u];
            if (inGraph(pass, use)) {
                if (shapes.isPartial(use)) {
                    partial.add(u);
                }
                if (host != null) {
                    host.checkUse(use);
                } else if (!SoundUses.contains(pass.kind(), async, shapes, use)) {
                    checkUse(pass, use);
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

    private void checkFlags(DeclaredGraph.Pass pass) {
        for (int i = 0; i < pass.after().size(); i++) {
            int earlier = pass.after().get(i);
            if (order == PassOrder.DECLARED && earlier >= pass.index()) {
                error(
                        Code.ORDER,
                        pass,
                        null,
                        "pass '" + pass.name() + "' is to come after pass '"
                                + graph.passes().get(earlier).name() + "', which is declared later",
                        "declare the passes in their order, or compile in the order UNORDERED");
            }
        }
        if (pass.kind() != PassKind.HOST) {
            if (pass.queue() >= 0) {
                checkQueue(pass);
            } else if (!queues.queues().get(0).kind().supports(pass.kind().queue())) {
                error(
                        Code.QUEUE_CAPABILITY,
                        pass,
                        null,
                        "pass '" + pass.name() + "' is a " + pass.kind() + " pass, and no queue does "
                                + pass.kind().queue(),
                        "compile for a device with such a queue, or change the kind");
            }
        }
        if (pass.flags().isEmpty() || pass.kind() == PassKind.HOST) {
            return;
        }
        Set<PassFlag> flags = pass.flags();
        PassKind kind = pass.kind();
        if (flags.contains(PassFlag.ASYNC_COPY) && kind != PassKind.COPY) {
            flag(pass, PassFlag.ASYNC_COPY, "a copy queue does nothing but copies");
        }
        if (flags.contains(PassFlag.ASYNC_COMPUTE) && kind == PassKind.RASTER) {
            flag(pass, PassFlag.ASYNC_COMPUTE, "raster work needs the graphics queue");
        }
        if (flags.contains(PassFlag.UNTRACKED_ACCESS)
                && (flags.contains(PassFlag.ASYNC_COMPUTE)
                        || flags.contains(PassFlag.ASYNC_COPY)
                        || pass.queue() > 0)) {
            error(
                    Code.UNTRACKED_ASYNC,
                    pass,
                    null,
                    "pass '" + pass.name() + "' touches resources that it does not declare and is to run beside the"
                            + " graphics queue",
                    "declare what it uses, or leave it on the graphics queue");
        }
        if (flags.contains(PassFlag.READBACK) && kind != PassKind.COPY) {
            flag(pass, PassFlag.READBACK, "a readback is a copy: make it a COPY pass, or use NEVER_CULL");
        }
        if (flags.contains(PassFlag.SKIP_RENDER_PASS) && kind != PassKind.RASTER) {
            flag(pass, PassFlag.SKIP_RENDER_PASS, "only raster passes have a render pass to skip");
        }
        if (flags.contains(PassFlag.SKIP_RENDER_PASS) && pass.area() != null) {
            flag(pass, PassFlag.SKIP_RENDER_PASS, "it has a render area, which is of the render pass that it skips");
        }
    }

    private void checkQueue(DeclaredGraph.Pass pass) {
        QueueTopology.Queue named =
                pass.queue() < queues.queues().size() ? queues.queues().get(pass.queue()) : null;
        if (named == null || !named.kind().supports(pass.kind().queue())) {
            List<String> able = queues.queues().stream()
                    .filter(queue -> queue.kind().supports(pass.kind().queue()))
                    .map(queue -> queues.queues().indexOf(queue) + " (" + queue.name() + ")")
                    .toList();
            error(
                    Code.QUEUE_CAPABILITY,
                    pass,
                    null,
                    "pass '" + pass.name() + "', a " + pass.kind() + " pass, names queue " + pass.queue()
                            + (named == null
                                    ? ", but the device has " + queues.queues().size()
                                    : " ('" + named.name() + "'), a " + named.kind() + " queue"),
                    "name one of " + String.join(", ", able) + ", or none");
        } else if (!named.kind().supports(QueueKind.GRAPHICS)) {
            checkDepthCopies(pass, named);
        }
    }

    private void checkDepthCopies(DeclaredGraph.Pass pass, QueueTopology.Queue named) {
        DeclaredGraph.Use target = DepthCopies.targetOfBuffers(graph, pass);
        if (target != null) {
            error(
                    Code.QUEUE_CAPABILITY,
                    pass,
                    target,
                    "pass '" + pass.name() + "' copies to '" + target.resourceName()
                            + "', a texture of depth or stencil,"
                            + " which takes a graphics queue, but names queue " + pass.queue() + " ('" + named.name()
                            + "'), a " + named.kind() + " queue",
                    "name a graphics queue, or none");
        }
    }

    private void flag(DeclaredGraph.Pass pass, PassFlag flag, String why) {
        error(
                Code.FLAG_INVALID,
                pass,
                null,
                "pass '" + pass.name() + "' is a " + pass.kind() + " pass and cannot have " + flag + ": " + why,
                "remove the flag or change the kind");
    }

    private boolean inGraph(DeclaredGraph.Pass pass, DeclaredGraph.Use use) {
        if (shapes.contains(use)) {
            return true;
        }
        if (use.resource() == DeclaredGraph.Use.OF_A_FORMER_FRAME) {
            error(
                    Code.FOREIGN_RESOURCE,
                    pass,
                    use,
                    "pass '" + pass.name() + "' uses '" + use.resourceName()
                            + "', a handle of a former frame of the graph, which was reset",
                    "declare the resource again and use the handle that this gives");
            return false;
        }
        if (use.resource() < 0) {
            error(
                    Code.FOREIGN_RESOURCE,
                    pass,
                    use,
                    "pass '" + pass.name() + "' uses '" + use.resourceName() + "', a handle of another graph",
                    "declare the resource in this graph, or extract it there and register it here");
            return false;
        }
        DeclaredGraph.Declared resource = graph.resources().get(use.resource());
        TextureDescription texture = resource.texture();
        error(
                Code.RANGE,
                pass,
                use,
                texture != null
                        ? "pass '" + pass.name() + "' uses " + use.range() + " of '" + resource.name()
                                + "', which has " + texture.mips() + " mips, " + texture.layers() + " layers and "
                                + texture.format().planes() + " planes"
                        : "pass '" + pass.name() + "' uses bytes " + use.offset() + "+" + use.bytes() + " of '"
                                + resource.name() + "', which has "
                                + Objects.requireNonNull(resource.buffer()).bytes() + " bytes",
                "name a range within the " + (texture != null ? "texture" : "buffer"));
        return false;
    }

    private void checkUse(DeclaredGraph.Pass pass, DeclaredGraph.Use use) {
        Access access = use.access();
        if (use.mode() == DeclaredGraph.Mode.READ && access.writes()) {
            error(
                    Code.WRITE_DECLARED_AS_READ,
                    pass,
                    use,
                    subject(pass, use) + " as a read, but it writes",
                    "declare it with writes or overwrites");
        }
        if (use.mode() != DeclaredGraph.Mode.READ && !access.writes()) {
            error(
                    Code.READ_DECLARED_AS_WRITE,
                    pass,
                    use,
                    subject(pass, use) + " as a write, but it only reads",
                    "declare it with reads");
        }
        boolean attachment = access.layout() == TextureLayout.COLOR
                || access.layout() == TextureLayout.DEPTH
                || access.layout() == TextureLayout.DEPTH_RO;
        if (attachment && pass.kind() != PassKind.RASTER) {
            error(
                    Code.ATTACHMENT_OUTSIDE_RASTER,
                    pass,
                    use,
                    subject(pass, use) + ", an attachment, but is a " + pass.kind() + " pass",
                    "make it a RASTER pass or use storage or copy accesses");
        } else if (access.stages() != 0 && !pass.kind().queue().supports(access.queue())) {
            error(
                    Code.QUEUE_CAPABILITY,
                    pass,
                    use,
                    subject(pass, use) + ", which needs a " + access.queue() + " queue, but is a " + pass.kind()
                            + " pass",
                    "use an access of the pass's own stages or change its kind");
        } else if (pass.flags().contains(PassFlag.ASYNC_COMPUTE)
                && pass.kind() != PassKind.RASTER
                && !PassKind.COMPUTE.queue().supports(access.queue())) {
            error(
                    Code.QUEUE_CAPABILITY,
                    pass,
                    use,
                    subject(pass, use) + ", which a compute queue cannot execute, but is marked ASYNC_COMPUTE",
                    "remove the flag or use an access of compute shaders");
        }
        checkUsage(pass, use);
    }

    private static String subject(DeclaredGraph.Pass pass, DeclaredGraph.Use use) {
        return "pass '" + pass.name() + "' declares " + use.access() + " of '" + use.resourceName() + "'";
    }

    private void checkUsage(DeclaredGraph.Pass pass, DeclaredGraph.Use use) {
        DeclaredGraph.Declared resource = graph.resources().get(use.resource());
        Access access = use.access();
        TextureDescription texture = resource.texture();
        if (texture == null) {
            if (access.memoryAccess() == 0 || (access.memoryAccess() & ~SoundUses.BUFFER_ACCESSES) != 0) {
                error(Code.USAGE, pass, use, subject(pass, use) + ", a buffer", "use an access of buffers");
            } else if (resource.isExternal()
                    && resource.buffer() != null
                    && !UsageCompletion.allows(resource.buffer(), access.memoryAccess())) {
                missingUsage(pass, use, resource.buffer().usage());
            }
            return;
        }
        boolean wantsDepth = access.layout() == TextureLayout.DEPTH || access.layout() == TextureLayout.DEPTH_RO;
        if (access.layout() == TextureLayout.UNDEFINED) {
            error(Code.USAGE, pass, use, subject(pass, use) + ", a texture", "use an access of textures");
        } else if (wantsDepth != texture.format().isDepth() && (wantsDepth || access.layout() == TextureLayout.COLOR)) {
            error(
                    Code.USAGE,
                    pass,
                    use,
                    subject(pass, use) + ", whose format is " + texture.format(),
                    "use a texture of a fitting format");
        } else if (resource.isExternal() && !UsageCompletion.allows(texture, access.memoryAccess())) {
            missingUsage(pass, use, texture.usage());
        }
    }

    private void missingUsage(DeclaredGraph.Pass pass, DeclaredGraph.Use use, Set<?> usage) {
        error(
                Code.USAGE,
                pass,
                use,
                subject(pass, use) + ", an external created for " + usage + " only",
                "create the resource with the usage that the access needs");
    }

    private void checkTargets(DeclaredGraph.Pass pass) {
        if (pass.kind() != PassKind.RASTER) {
            return;
        }
        if (pass.attachments().isEmpty() && !pass.flags().contains(PassFlag.SKIP_RENDER_PASS)) {
            error(
                    Code.NO_TARGETS,
                    pass,
                    null,
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
            Code code, DeclaredGraph.Pass pass, DeclaredGraph.@Nullable Use use, String message, String fix) {
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
