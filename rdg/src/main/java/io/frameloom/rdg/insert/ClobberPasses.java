package io.frameloom.rdg.insert;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Format.Encoding;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.declare.DeclaredGraph;
import io.frameloom.rdg.declare.GraphDeclaration;
import io.frameloom.rdg.declare.Mode;
import io.frameloom.rdg.diagnostics.Clobber;
import io.frameloom.rdg.diagnostics.NameFilter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Fills the transients of a plan before their first use, which then keeps what it does not write. So the pattern shows
 * where a pass promises to overwrite everything and does not. Mapped buffers are left alone: what the host has written
 * into them comes before the frame.
 */
public record ClobberPasses(GraphDeclaration handles, Clobber clobber) {
    /** What depth is cleared to: far from what scenes have at the near and at the far plane. */
    private static final float DEPTH = 0.456f;

    /** What stencil is cleared to. */
    private static final int STENCIL = 123;

    private static final int WORD = 4;
    private static final int INTEGER = 123;

    public void insert(PassInsertion into, FramePlan plan, NameFilter names) {
        Map<Integer, List<FramePlan.UsePlan>> touched = new HashMap<>();
        for (FramePlan.PassPlan user : into.livePasses()) {
            Set<Integer> untouched = new HashSet<>();
            for (int at = 0; at < user.uses().size(); at++) {
                FramePlan.UsePlan use = user.uses().get(at);
                FramePlan.ResourcePlan resource = plan.resources().get(use.resource());
                if (!names.matches(resource.name()) || !isFillable(resource)) {
                    continue;
                }
                List<FramePlan.UsePlan> earlier = touched.get(resource.index());
                if (earlier == null) {
                    earlier = new ArrayList<>();
                    touched.put(resource.index(), earlier);
                    into.before(user, pass(into, resource));
                }
                if (earlier.stream().noneMatch(other -> CompiledPlan.overlap(use, other))) {
                    untouched.add(at);
                }
                earlier.add(use);
            }
            if (!untouched.isEmpty()) {
                FillKeeping.keep(into.graph(), user.index(), untouched);
            }
        }
    }

    private static boolean isFillable(FramePlan.ResourcePlan resource) {
        if (resource.lifetime() != Lifetime.TRANSIENT && resource.lifetime() != Lifetime.EXTRACTED) {
            return false;
        }
        TextureDescription texture = resource.textureDescription();
        BufferDescription buffer = resource.bufferDescription();
        return texture != null
                ? !texture.format().isCompressed()
                : buffer != null && buffer.memory() == MemoryUsage.DEVICE && buffer.bytes() >= WORD;
    }

    private int pass(PassInsertion into, FramePlan.ResourcePlan resource) {
        TextureDescription texture = resource.textureDescription();
        boolean planes = texture != null && texture.format().isDepth();
        int pass = into.addPass(
                "clobber " + resource.name(),
                planes ? PassKind.RASTER : PassKind.COMPUTE,
                texture == null ? buffer(resource) : planes ? depthStencil(resource) : color(resource, texture),
                PassFlag.NEVER_CULL);
        if (planes) {
            into.graph().flag(pass, PassFlag.SKIP_RENDER_PASS);
        }
        into.graph()
                .addUse(
                        pass,
                        resource.index(),
                        null,
                        planes ? Access.BLIT_DST : Access.COPY_DST,
                        Mode.OVERWRITE,
                        DeclaredGraph.NO_GROUP,
                        null);
        return pass;
    }

    private PassBody buffer(FramePlan.ResourcePlan resource) {
        RdgBuffer handle = (RdgBuffer) handles.handle(resource.index());
        long bytes = handle.description().bytes() / WORD * WORD;
        int word = Float.floatToIntBits(clobber.value());
        return context -> context.commands().fillBuffer(context.buffer(handle), 0, bytes, word);
    }

    private PassBody depthStencil(FramePlan.ResourcePlan resource) {
        RdgTexture handle = (RdgTexture) handles.handle(resource.index());
        return context -> context.commands()
                .clearDepthStencil(context.texture(handle), SubresourceRange.all(handle.description()), DEPTH, STENCIL);
    }

    private PassBody color(FramePlan.ResourcePlan resource, TextureDescription shape) {
        RdgTexture handle = (RdgTexture) handles.handle(resource.index());
        ClearColor color = color(shape.format().encoding());
        return context -> context.commands()
                .clearTexture(context.texture(handle), SubresourceRange.all(handle.description()), color);
    }

    /** Normalised and integer formats cannot hold what floats can. */
    private ClearColor color(Encoding encoding) {
        return switch (encoding) {
            case FLOAT -> new ClearColor(clobber.value(), clobber.value(), clobber.value(), clobber.value());
            case UINT, SINT -> new ClearColor(INTEGER, INTEGER, INTEGER, INTEGER);
            default -> clobber == Clobber.NAN ? new ClearColor(1, 0, 1, 1) : new ClearColor(1, 1, 1, 1);
        };
    }
}
