package io.frameloom.rdg.compile.validate;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.internal.Plural;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgError.Code;
import io.frameloom.rdg.declare.AccessUsage;
import io.frameloom.rdg.declare.Attachment;
import io.frameloom.rdg.declare.DeclaredGraph;
import io.frameloom.rdg.declare.Mode;
import java.util.Objects;
import java.util.Set;

/** The part of validation that holds one use at a time against its pass and its resource. */
record UseCheck(DeclaredGraph graph, TargetCheck.Errors errors) {
    /** Returns whether a use lies within a resource of the graph; else that is an error. */
    boolean inGraph(int pass, int use) {
        if (!graph.isOutside(use)) {
            return true;
        }
        String name = graph.names().pass(pass);
        if (graph.isOfFormerFrame(use)) {
            errors.add(
                    pass,
                    use,
                    Code.FOREIGN_RESOURCE,
                    "pass '" + name + "' uses '" + graph.resourceName(use)
                            + "', a handle of a former frame of the graph, which was reset",
                    "declare the resource again and use the handle that this gives");
            return false;
        }
        if (graph.resource(use) < 0) {
            errors.add(
                    pass,
                    use,
                    Code.FOREIGN_RESOURCE,
                    "pass '" + name + "' uses '" + graph.resourceName(use) + "', a handle of another graph",
                    "declare the resource in this graph, or extract it there and register it here");
            return false;
        }
        int resource = graph.resource(use);
        TextureDescription texture = graph.texture(resource);
        errors.add(
                pass,
                use,
                Code.RANGE,
                texture != null
                        ? "pass '" + name + "' uses " + described(Objects.requireNonNull(graph.range(use))) + " of '"
                                + graph.names().resource(resource)
                                + "', which has " + Plural.of(texture.mips(), "mip") + ", "
                                + Plural.of(texture.layers(), "layer") + " and "
                                + Plural.of(texture.format().planes(), "plane")
                        : "pass '" + name + "' uses bytes " + graph.offset(use) + "+" + graph.bytes(use) + " of '"
                                + graph.names().resource(resource) + "', which has "
                                + Plural.of(
                                        Objects.requireNonNull(graph.buffer(resource))
                                                .bytes(),
                                        "byte"),
                "name a range within the " + (texture != null ? "texture" : "buffer"));
        return false;
    }

    private static String described(SubresourceRange range) {
        return "mips " + range.baseMip() + "+" + range.mipCount() + ", layers " + range.baseLayer() + "+"
                + range.layerCount() + " and planes " + range.basePlane() + "+" + range.planeCount();
    }

    void run(int pass, int use) {
        Access access = graph.access(use);
        PassKind kind = graph.kind(pass);
        boolean reads = graph.mode(use) == Mode.READ;
        if (reads && access.writes()) {
            errors.add(
                    pass,
                    use,
                    Code.WRITE_DECLARED_AS_READ,
                    subject(pass, use) + " as a read, but it writes",
                    "declare it with writes or overwrites");
        }
        if (!reads && !access.writes()) {
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
        if (attachment && kind != PassKind.RASTER) {
            errors.add(
                    pass,
                    use,
                    Code.ATTACHMENT_OUTSIDE_RASTER,
                    subject(pass, use) + ", an attachment, but is a " + kind + " pass",
                    "make it a RASTER pass or use storage or copy accesses");
        } else if (access.stages() != 0 && !kind.queue().supports(access.queue())) {
            errors.add(
                    pass,
                    use,
                    Code.QUEUE_CAPABILITY,
                    subject(pass, use) + ", which needs a " + access.queue() + " queue, but is a " + kind + " pass",
                    "use an access of the pass's own stages or change its kind");
        } else if (graph.has(pass, PassFlag.ASYNC_COMPUTE)
                && kind != PassKind.RASTER
                && !PassKind.COMPUTE.queue().supports(access.queue())) {
            errors.add(
                    pass,
                    use,
                    Code.QUEUE_CAPABILITY,
                    subject(pass, use) + ", which a compute queue cannot execute, but is marked ASYNC_COMPUTE",
                    "remove the flag or use an access of compute shaders");
        }
        if (access == Access.INPUT_ATTACHMENT && !isAttachedToRead(pass, use)) {
            errors.add(
                    pass,
                    use,
                    Code.USAGE,
                    subject(pass, use) + ", which it does not attach to be read only",
                    "attach it by colorInput or depthReadOnly in the same pass, or sample it as SAMPLED_FRAGMENT");
        }
        checkUsage(pass, use);
    }

    /** A pass that begins its render passes itself attaches what it likes. */
    private boolean isAttachedToRead(int pass, int use) {
        if (graph.has(pass, PassFlag.SKIP_RENDER_PASS)) {
            return true;
        }
        for (int a = graph.firstAttachment(pass), end = graph.firstAttachment(pass + 1); a < end; a++) {
            Attachment one = graph.attachment(a);
            int attached = graph.useOf(pass, one);
            SubresourceRange range = graph.range(attached);
            SubresourceRange read = graph.range(use);
            if (one.readOnly()
                    && graph.resource(attached) == graph.resource(use)
                    && range != null
                    && (read == null ? !graph.isPartial(attached) : range.contains(read))) {
                return true;
            }
        }
        return false;
    }

    private String subject(int pass, int use) {
        return "pass '" + graph.names().pass(pass) + "' declares " + graph.access(use) + " of '"
                + graph.resourceName(use) + "'";
    }

    private void checkUsage(int pass, int use) {
        int resource = graph.resource(use);
        Access access = graph.access(use);
        TextureDescription texture = graph.texture(resource);
        if (texture == null) {
            if (access.memoryAccess() == 0 || (access.memoryAccess() & ~SoundUses.BUFFER_ACCESSES) != 0) {
                errors.add(pass, use, Code.USAGE, subject(pass, use) + ", a buffer", "use an access of buffers");
                return;
            }
            if (!graph.isExternal(resource) && AccessUsage.isOfStructures(access)) {
                errors.add(
                        pass,
                        use,
                        Code.USAGE,
                        subject(pass, use) + ", a transient",
                        "register an acceleration structure that the device has created");
                return;
            }
            BufferDescription buffer = graph.buffer(resource);
            if (graph.isExternal(resource) && buffer != null && !AccessUsage.allows(buffer, access)) {
                missingUsage(pass, use, buffer.usage());
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
        } else if (graph.isExternal(resource) && !AccessUsage.allows(texture, AccessUsage.of(access))) {
            missingUsage(pass, use, texture.usage());
        }
    }

    private void missingUsage(int pass, int use, Set<?> usage) {
        errors.add(
                pass,
                use,
                Code.USAGE,
                subject(pass, use) + ", an external created for " + usage + " only",
                "create the resource, or describe the history, with the usage that the access needs");
    }
}
