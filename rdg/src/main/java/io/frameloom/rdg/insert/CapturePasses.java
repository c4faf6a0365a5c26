package io.frameloom.rdg.insert;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.internal.Plural;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.capture.Capture;
import io.frameloom.rdg.capture.CaptureChannel;
import io.frameloom.rdg.declare.DeclaredGraph;
import io.frameloom.rdg.declare.GraphDeclaration;
import io.frameloom.rdg.declare.Mode;
import io.frameloom.rdg.options.NearestNames;
import java.util.ArrayList;
import java.util.List;

/** Reads textures back after one of their writes: a copy into a staging buffer for each capture. */
public record CapturePasses(GraphDeclaration handles, FramePlan plan, PassInsertion into) {
    public boolean knows(Capture capture) {
        for (FramePlan.ResourcePlan resource : plan.resources()) {
            if (resource.texture() && resource.name().equals(capture.texture())) {
                return true;
            }
        }
        return false;
    }

    /**
     * Inserts the copy of one capture, and returns the index of its texture.
     *
     * @throws RdgException if the graph has no such texture, version or part of it, or it cannot be copied
     */
    public int insert(Capture capture) {
        FramePlan.ResourcePlan resource = texture(capture);
        TextureDescription shape = shape(resource, capture);
        List<FramePlan.PassPlan> writers = writers(resource);
        int version = capture.version() == 0 ? writers.size() : capture.version();
        if (version > writers.size()) {
            throw refused(capture, versions(resource, writers));
        }
        if (version == 0 && resource.lifetime() != Lifetime.EXTERNAL) {
            throw refused(capture, notWritten(resource));
        }
        int plane = plane(capture, shape.format());
        TextureRegion region = TextureRegion.mip(shape, capture.mip())
                .withLayers(capture.layer(), 1)
                .withPlane(plane);
        TexelLayout layout = TexelLayout.tight(0);
        long bytes = layout.totalBytes(shape.format(), region);
        if (bytes > Integer.MAX_VALUE) {
            throw refused(capture, "its " + bytes + " bytes are more than an array holds; capture a smaller mip");
        }
        RdgBuffer staging = into.extracted(
                "capture " + capture,
                BufferDescription.readback(bytes),
                new CaptureUse(capture, version, region.width(), region.height(), shape.format(), plane, (int) bytes));
        RdgTexture source = (RdgTexture) handles.handle(resource.index());
        int copy = into.addPass(
                "capture " + capture,
                PassKind.COPY,
                context -> context.commands()
                        .copyTextureToBuffer(context.texture(source), region, context.buffer(staging), layout),
                PassFlag.READBACK);
        DeclaredGraph graph = into.graph();
        graph.addUse(
                copy,
                resource.index(),
                new SubresourceRange(capture.mip(), 1, capture.layer(), 1, plane, 1),
                Access.COPY_SRC,
                Mode.READ,
                DeclaredGraph.ALONE,
                null);
        graph.addUse(copy, staging.index(), 0, -1, Access.COPY_DST, Mode.OVERWRITE, DeclaredGraph.NO_GROUP, null);
        if (version == 0) {
            into.last(copy);
        } else {
            into.after(writers.get(version - 1), copy);
        }
        return resource.index();
    }

    private FramePlan.ResourcePlan texture(Capture capture) {
        List<String> names = new ArrayList<>();
        for (FramePlan.ResourcePlan resource : plan.resources()) {
            if (resource.texture() && resource.name().equals(capture.texture())) {
                return resource;
            }
            if (resource.texture()) {
                names.add(resource.name());
            }
        }
        throw refused(
                capture,
                "there is no such texture, "
                        + (names.isEmpty()
                                ? "and no other either"
                                : "the nearest are " + NearestNames.of(capture.texture(), names))
                        + "; the system property frameloom.rdg.graphFilter limits captures to a graph");
    }

    private TextureDescription shape(FramePlan.ResourcePlan resource, Capture capture) {
        TextureDescription shape = ((RdgTexture) handles.handle(resource.index())).description();
        if (capture.mip() >= shape.mips() || capture.layer() >= shape.layers()) {
            throw refused(
                    capture,
                    "it has " + Plural.of(shape.mips(), "mip") + " and " + Plural.of(shape.layers(), "layer")
                            + ", the last ones are mip=" + (shape.mips() - 1) + " and layer=" + (shape.layers() - 1));
        }
        if (shape.samples() > 1 || shape.format().isCompressed() || shape.depth() > 1) {
            throw refused(
                    capture,
                    "it is " + (shape.samples() > 1 ? "multisampled" : shape.depth() > 1 ? "a volume" : "compressed")
                            + " and cannot be shown; capture what it is resolved or copied to");
        }
        boolean own = resource.lifetime() == Lifetime.TRANSIENT || resource.lifetime() == Lifetime.EXTRACTED;
        if (!own && !shape.usage().contains(TextureUsage.COPY_SRC)) {
            throw refused(capture, "it was created without the usage COPY_SRC; create it with that");
        }
        return shape;
    }

    private List<FramePlan.PassPlan> writers(FramePlan.ResourcePlan resource) {
        List<FramePlan.PassPlan> writers = new ArrayList<>();
        for (FramePlan.PassPlan pass : into.livePasses()) {
            if (writes(pass, resource)) {
                writers.add(pass);
            }
        }
        return writers;
    }

    private static boolean writes(FramePlan.PassPlan pass, FramePlan.ResourcePlan resource) {
        return pass.uses().stream()
                .anyMatch(use ->
                        use.resource() == resource.index() && use.access().writes());
    }

    private static String versions(FramePlan.ResourcePlan resource, List<FramePlan.PassPlan> writers) {
        if (writers.isEmpty()) {
            return "no pass that runs writes it; write '" + resource.name() + "' without a version";
        }
        StringBuilder text = new StringBuilder("it has only the versions ");
        for (int i = 0; i < writers.size(); i++) {
            text.append(i == 0 ? "@" : ", @")
                    .append(i + 1)
                    .append(" by '")
                    .append(writers.get(i).name())
                    .append('\'');
        }
        return text.toString();
    }

    private String notWritten(FramePlan.ResourcePlan resource) {
        for (FramePlan.PassPlan pass : plan.passes()) {
            if (pass.culled() && writes(pass, resource)) {
                return "it is written by '" + pass.name() + "' alone, which was removed: " + pass.cullReason();
            }
        }
        return "no pass writes it";
    }

    private int plane(Capture capture, Format format) {
        boolean stencil = capture.channel() == CaptureChannel.STENCIL;
        if (stencil && !format.hasStencil()) {
            throw refused(capture, "its format " + format + " has no stencil; leave channel=stencil out");
        }
        return stencil ? format.planes() - 1 : 0;
    }

    private RdgException refused(Capture capture, String why) {
        return new RdgException("cannot capture '" + capture + "' in graph '" + plan.name() + "': " + why);
    }
}
