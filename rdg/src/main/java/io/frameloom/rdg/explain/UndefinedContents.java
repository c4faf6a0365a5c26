package io.frameloom.rdg.explain;

import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.FramePlan.UsePlan;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.RdgError;
import io.frameloom.rdg.RdgValidationException;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.declare.ConditionalPass;
import io.frameloom.rdg.diagnostics.PlanWarning;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Follows the contents of the resources of a plan through its passes. Finds passes that read, load or keep what no pass
 * wrote. Textures are followed by mip, layer and plane, buffers by ranges of bytes. A range that is partly written
 * counts as written, since its contents are often shorter. One thread.
 */
public final class UndefinedContents {
    private final CompiledPlan plan;
    private final List<Finding> findings = new ArrayList<>();
    private final Set<Long> reported = new HashSet<>();
    /** By resource what has contents: the subresources of a texture, of a buffer nothing or bit 0 for all of it. */
    private final BitSet[] defined;

    /** By resource the bytes of a buffer that are written: ends by begins, of which no two touch. */
    private final List<TreeMap<Long, Long>> bytesWritten = new ArrayList<>();

    private final int[] firstPass;

    /**
     * A pass that takes over what no pass wrote.
     *
     * @param code {@link PlanWarning.Code#UNDEFINED_CONTENTS} or {@link PlanWarning.Code#ALIASED_CONTENTS}
     * @param fix what to do about it
     * @param sites where the pass and the use were declared, if that is kept
     */
    record Finding(
            PlanWarning.Code code,
            PassPlan pass,
            ResourcePlan resource,
            String message,
            String fix,
            List<String> sites) {
        PlanWarning warning() {
            return new PlanWarning(code, resource.name(), message + "; " + fix, sites);
        }

        RdgError error() {
            return new RdgError(RdgError.Code.UNDEFINED_CONTENTS, pass.name(), resource.name(), message, fix, sites);
        }
    }

    private UndefinedContents(CompiledPlan plan) {
        this.plan = plan;
        int resources = plan.resources().size();
        defined = new BitSet[resources];
        firstPass = new int[resources];
        for (ResourcePlan resource : plan.resources()) {
            BitSet all = new BitSet();
            if (startsWithContents(resource)) {
                all.set(0, cells(resource));
            }
            defined[resource.index()] = all;
            firstPass[resource.index()] = Integer.MAX_VALUE;
            bytesWritten.add(new TreeMap<>());
        }
        for (PassPlan pass : plan.passes()) {
            for (UsePlan use : pass.culled() ? List.<UsePlan>of() : pass.uses()) {
                firstPass[use.resource()] = Math.min(firstPass[use.resource()], pass.index());
            }
        }
    }

    static List<Finding> of(CompiledPlan plan) {
        UndefinedContents contents = new UndefinedContents(plan);
        for (PassPlan pass : plan.passes()) {
            if (!pass.culled()) {
                contents.follow(pass);
            }
        }
        return contents.findings;
    }

    /**
     * Refuses a plan with a pass that reads undefined contents.
     *
     * @throws RdgValidationException that names each of them
     */
    public static void refuse(CompiledPlan plan) {
        List<RdgError> errors = of(plan).stream()
                .filter(finding -> finding.code == PlanWarning.Code.UNDEFINED_CONTENTS)
                .map(Finding::error)
                .toList();
        if (!errors.isEmpty()) {
            throw new RdgValidationException(plan.name(), errors);
        }
    }

    private void follow(PassPlan pass) {
        // What a pass writes that may be left out keeps what was there, which is no wish to read it.
        boolean mayBeLeftOut = plan.body(pass.index()) instanceof ConditionalPass;
        for (int u = 0; u < pass.uses().size(); u++) {
            UsePlan use = pass.uses().get(u);
            if (!use.discard() && !(mayBeLeftOut && use.access().writes())) {
                judge(pass, use, u);
            }
        }
        for (UsePlan use : pass.uses()) {
            SubresourceRange range = use.range();
            if (use.access().writes() && range != null) {
                define(use, range);
            } else if (use.access().writes()) {
                write(bytesWritten.get(use.resource()), use.offset(), use.offset() + use.bytes());
            }
        }
    }

    private void judge(PassPlan pass, UsePlan use, int index) {
        ResourcePlan resource = plan.resources().get(use.resource());
        String part = undefinedPart(resource, use);
        if (part == null) {
            return;
        }
        boolean reads = use.access().reads();
        ResourcePlan former = part.isEmpty() ? formerInMemory(resource) : null;
        if ((!reads && former == null) || !reported.add((long) pass.index() << Integer.SIZE | resource.index())) {
            return;
        }
        String what = reads ? (use.access().writes() ? "' loads or reads '" : "' reads '") : "' keeps what is in '";
        StringBuilder message = new StringBuilder("pass '")
                .append(pass.name())
                .append(what)
                .append(resource.name())
                .append("' (")
                .append(use.access())
                .append("), ");
        if (former != null) {
            message.append("whose memory '").append(former.name()).append("' had before");
        } else if (resource.external() != null && resource.initialLayout() == TextureLayout.UNDEFINED) {
            message.append("which comes into the frame in layout UNDEFINED, without contents");
        } else {
            message.append("which no earlier pass writes");
        }
        if (!part.isEmpty()) {
            message.append(": of ").append(part).append(" nothing is defined");
        }
        String fix = reads
                ? resource.lifetime() == Lifetime.EXTERNAL
                        ? "register it in the layout of its last use, or clear it before"
                        : "clear or write it before"
                : "declare the pass with overwrites if it writes all of it, or clear it before";
        findings.add(new Finding(
                reads ? PlanWarning.Code.UNDEFINED_CONTENTS : PlanWarning.Code.ALIASED_CONTENTS,
                pass,
                resource,
                message.toString(),
                fix,
                plan.sitesOf(pass.index(), index)));
    }

    /** Returns which part of a use no pass wrote: null for none, an empty text for all of it. */
    private @Nullable String undefinedPart(ResourcePlan resource, UsePlan use) {
        BitSet known = defined[resource.index()];
        SubresourceRange range = use.range();
        TextureDescription texture = resource.textureDescription();
        if (range == null || texture == null) {
            Map.Entry<Long, Long> below = bytesWritten.get(resource.index()).lowerEntry(use.offset() + use.bytes());
            return known.get(0) || (below != null && below.getValue() > use.offset()) ? null : "";
        }
        // Views for reading show one plane, whichever of those that are declared.
        int undefined = 0;
        SubresourceRange first = null;
        for (int mip = range.baseMip(); mip < range.baseMip() + range.mipCount(); mip++) {
            for (int layer = range.baseLayer(); layer < range.baseLayer() + range.layerCount(); layer++) {
                boolean any = false;
                for (int plane = range.basePlane(); plane < range.basePlane() + range.planeCount(); plane++) {
                    any |= known.get(cell(texture, mip, layer, plane));
                }
                if (!any) {
                    undefined++;
                    first = first == null ? SubresourceRange.of(mip, layer) : first;
                }
            }
        }
        if (first == null) {
            return null;
        }
        return undefined == range.mipCount() * range.layerCount()
                ? ""
                : "mip " + first.baseMip() + " of layer " + first.baseLayer()
                        + (undefined == 1 ? "" : " and " + (undefined - 1) + " more");
    }

    private static void write(NavigableMap<Long, Long> written, long from, long to) {
        Map.Entry<Long, Long> below = written.floorEntry(to);
        long end = below == null ? to : Math.max(to, below.getValue());
        Map.Entry<Long, Long> first = written.floorEntry(from);
        long begin = first != null && first.getValue() >= from ? first.getKey() : from;
        written.subMap(begin, true, to, true).clear();
        written.put(begin, end);
    }

    /** Returns the transient that was last first used in the memory of another before it, or null. */
    private @Nullable ResourcePlan formerInMemory(ResourcePlan resource) {
        ResourcePlan found = null;
        for (ResourcePlan other : plan.resources()) {
            if (resource.heap() >= 0
                    && PlacementReasons.overlap(resource, other)
                    && firstPass[other.index()] < firstPass[resource.index()]
                    && (found == null || firstPass[found.index()] < firstPass[other.index()])) {
                found = other;
            }
        }
        return found;
    }

    private static boolean startsWithContents(ResourcePlan resource) {
        return resource.lifetime() == Lifetime.EXTERNAL
                && (!resource.texture() || resource.initialLayout() != TextureLayout.UNDEFINED);
    }

    private void define(UsePlan use, SubresourceRange range) {
        TextureDescription texture = plan.resources().get(use.resource()).textureDescription();
        for (int mip = range.baseMip(); texture != null && mip < range.baseMip() + range.mipCount(); mip++) {
            for (int layer = range.baseLayer(); layer < range.baseLayer() + range.layerCount(); layer++) {
                for (int plane = range.basePlane(); plane < range.basePlane() + range.planeCount(); plane++) {
                    defined[use.resource()].set(cell(texture, mip, layer, plane));
                }
            }
        }
    }

    private static int cells(ResourcePlan resource) {
        TextureDescription texture = resource.textureDescription();
        return texture == null
                ? 1
                : texture.mips() * texture.layers() * texture.format().planes();
    }

    private static int cell(TextureDescription texture, int mip, int layer, int plane) {
        return (plane * texture.layers() + layer) * texture.mips() + mip;
    }
}
