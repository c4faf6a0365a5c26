package io.frameloom.rdg.compile.validate;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.internal.Plural;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgError.Code;
import io.frameloom.rdg.compile.graph.ResourceShapes;
import io.frameloom.rdg.compile.graph.SoundUses;
import io.frameloom.rdg.declare.AccessUsage;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.Objects;
import java.util.Set;

/** The part of validation that holds one use at a time against its pass and its resource. */
final class UseCheck {
    private final DeclaredGraph graph;
    private final ResourceShapes shapes;
    private final TargetCheck.Errors errors;

    UseCheck(DeclaredGraph graph, ResourceShapes shapes, TargetCheck.Errors errors) {
        this.graph = graph;
        this.shapes = shapes;
        this.errors = errors;
    }

    /** Returns whether a use lies within a resource of the graph; else that is an error. */
    boolean inGraph(DeclaredGraph.Pass pass, DeclaredGraph.Use use) {
        if (shapes.contains(use)) {
            return true;
        }
        if (use.resource() == DeclaredGraph.Use.OF_A_FORMER_FRAME) {
            errors.add(
                    pass,
                    use,
                    Code.FOREIGN_RESOURCE,
                    "pass '" + pass.name() + "' uses '" + use.resourceName()
                            + "', a handle of a former frame of the graph, which was reset",
                    "declare the resource again and use the handle that this gives");
            return false;
        }
        if (use.resource() < 0) {
            errors.add(
                    pass,
                    use,
                    Code.FOREIGN_RESOURCE,
                    "pass '" + pass.name() + "' uses '" + use.resourceName() + "', a handle of another graph",
                    "declare the resource in this graph, or extract it there and register it here");
            return false;
        }
        DeclaredGraph.Declared resource = graph.resources().get(use.resource());
        TextureDescription texture = resource.texture();
        errors.add(
                pass,
                use,
                Code.RANGE,
                texture != null
                        ? "pass '" + pass.name() + "' uses " + described(Objects.requireNonNull(use.range())) + " of '"
                                + resource.name()
                                + "', which has " + Plural.of(texture.mips(), "mip") + ", "
                                + Plural.of(texture.layers(), "layer") + " and "
                                + Plural.of(texture.format().planes(), "plane")
                        : "pass '" + pass.name() + "' uses bytes " + use.offset() + "+" + use.bytes() + " of '"
                                + resource.name() + "', which has "
                                + Plural.of(
                                        Objects.requireNonNull(resource.buffer())
                                                .bytes(),
                                        "byte"),
                "name a range within the " + (texture != null ? "texture" : "buffer"));
        return false;
    }

    private static String described(SubresourceRange range) {
        return "mips " + range.baseMip() + "+" + range.mipCount() + ", layers " + range.baseLayer() + "+"
                + range.layerCount() + " and planes " + range.basePlane() + "+" + range.planeCount();
    }

    /** Checks a use within a resource of the graph. */
    void run(DeclaredGraph.Pass pass, DeclaredGraph.Use use) {
        Access access = use.access();
        if (use.mode() == DeclaredGraph.Mode.READ && access.writes()) {
            errors.add(
                    pass,
                    use,
                    Code.WRITE_DECLARED_AS_READ,
                    subject(pass, use) + " as a read, but it writes",
                    "declare it with writes or overwrites");
        }
        if (use.mode() != DeclaredGraph.Mode.READ && !access.writes()) {
            errors.add(
                    pass,
                    use,
                    Code.READ_DECLARED_AS_WRITE,
                    subject(pass, use) + " as a write, but it only reads",
                    "declare it with reads");
        }
        boolean attachment = access.layout() == TextureLayout.COLOR
                || access.layout() == TextureLayout.DEPTH
                || access.layout() == TextureLayout.DEPTH_RO;
        if (attachment && pass.kind() != PassKind.RASTER) {
            errors.add(
                    pass,
                    use,
                    Code.ATTACHMENT_OUTSIDE_RASTER,
                    subject(pass, use) + ", an attachment, but is a " + pass.kind() + " pass",
                    "make it a RASTER pass or use storage or copy accesses");
        } else if (access.stages() != 0 && !pass.kind().queue().supports(access.queue())) {
            errors.add(
                    pass,
                    use,
                    Code.QUEUE_CAPABILITY,
                    subject(pass, use) + ", which needs a " + access.queue() + " queue, but is a " + pass.kind()
                            + " pass",
                    "use an access of the pass's own stages or change its kind");
        } else if (pass.flags().contains(PassFlag.ASYNC_COMPUTE)
                && pass.kind() != PassKind.RASTER
                && !PassKind.COMPUTE.queue().supports(access.queue())) {
            errors.add(
                    pass,
                    use,
                    Code.QUEUE_CAPABILITY,
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
                errors.add(pass, use, Code.USAGE, subject(pass, use) + ", a buffer", "use an access of buffers");
            } else if (resource.isExternal()
                    && resource.buffer() != null
                    && !AccessUsage.allows(resource.buffer(), access.memoryAccess())) {
                missingUsage(pass, use, resource.buffer().usage());
            }
            return;
        }
        boolean wantsDepth = access.layout() == TextureLayout.DEPTH || access.layout() == TextureLayout.DEPTH_RO;
        if (access.layout() == TextureLayout.UNDEFINED) {
            errors.add(pass, use, Code.USAGE, subject(pass, use) + ", a texture", "use an access of textures");
        } else if (wantsDepth != texture.format().isDepth() && (wantsDepth || access.layout() == TextureLayout.COLOR)) {
            errors.add(
                    pass,
                    use,
                    Code.USAGE,
                    subject(pass, use) + ", whose format is " + texture.format(),
                    "use a texture of a fitting format");
        } else if (resource.isExternal() && !AccessUsage.allows(texture, access.memoryAccess())) {
            missingUsage(pass, use, texture.usage());
        }
    }

    private void missingUsage(DeclaredGraph.Pass pass, DeclaredGraph.Use use, Set<?> usage) {
        errors.add(
                pass,
                use,
                Code.USAGE,
                subject(pass, use) + ", an external created for " + usage + " only",
                "create the resource with the usage that the access needs");
    }
}
