package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.FramePlan.UsePlan;
import java.util.EnumSet;
import java.util.Set;

/**
 * Judges the layouts in which passes find textures: each is one that its access may have, by a table that the compiler does
 * not know, and one that serves several kinds of reading is there only where the texture is read in several ways.
 */
final class LayoutJudge {
    private final GraphModel model;
    private final FramePlan plan;

    LayoutJudge(GraphModel model, FramePlan plan) {
        this.model = model;
        this.plan = plan;
    }

    void judge() {
        for (PassPlan pass : plan.passes()) {
            for (UsePlan use : pass.uses()) {
                ResourcePlan resource = plan.resources().get(use.resource());
                if (!pass.culled() && resource.texture()) {
                    assertThat(use.layout())
                            .as("layout of %s for %s of '%s'", resource.name(), use.access(), pass.name())
                            .isIn(layouts(pass, use, isDepth(use)));
                }
            }
        }
        for (ResourcePlan resource : plan.resources()) {
            // A texture that passes through stays as it is, however it is read.
            if (resource.texture() && model.resources().get(resource.index()).role() != GraphModel.Role.PASSTHROUGH) {
                shared(resource);
            }
        }
    }

    /** Where all reads want one layout no pass finds another. */
    private void shared(ResourcePlan resource) {
        Set<TextureLayout> wanted = EnumSet.noneOf(TextureLayout.class);
        Set<TextureLayout> found = EnumSet.noneOf(TextureLayout.class);
        for (PassPlan pass : plan.passes()) {
            for (UsePlan use : pass.uses()) {
                if (!pass.culled() && use.resource() == resource.index() && isRead(use.access())) {
                    wanted.add(best(use.access()));
                    found.add(use.layout());
                }
            }
        }
        if (wanted.size() == 1) {
            assertThat(found).as("layouts in which %s is read", resource.name()).isEqualTo(wanted);
        }
    }

    private boolean isDepth(UsePlan use) {
        return model.resources().get(use.resource()).depth();
    }

    private static boolean isRead(Access access) {
        return switch (access) {
            case DEPTH_READ,
                    STENCIL_READ,
                    INPUT_ATTACHMENT,
                    SAMPLED_FRAGMENT,
                    SAMPLED_VERTEX,
                    SAMPLED_COMPUTE,
                    SAMPLED_RAYS,
                    STORAGE_READ_VERTEX,
                    STORAGE_READ_FRAGMENT,
                    STORAGE_READ_COMPUTE,
                    STORAGE_READ_RAYS,
                    COPY_SRC,
                    BLIT_SRC -> true;
            default -> false;
        };
    }

    /** The layout that serves an access and, if it reads, no other. */
    private static TextureLayout best(Access access) {
        return switch (access) {
            case COLOR_WRITE, COLOR_READ_WRITE, RESOLVE_DST -> TextureLayout.COLOR;
            case DEPTH_WRITE,
                    DEPTH_READ_WRITE,
                    STENCIL_WRITE,
                    STENCIL_READ_WRITE,
                    DEPTH_RESOLVE_SRC,
                    DEPTH_RESOLVE_DST -> TextureLayout.DEPTH;
            case DEPTH_READ, STENCIL_READ -> TextureLayout.DEPTH_RO;
            case INPUT_ATTACHMENT -> TextureLayout.LOCAL_READ;
            case SAMPLED_FRAGMENT, SAMPLED_VERTEX, SAMPLED_COMPUTE, SAMPLED_RAYS -> TextureLayout.SHADER_RO;
            case STORAGE_READ_VERTEX,
                    STORAGE_READ_FRAGMENT,
                    STORAGE_READ_WRITE_FRAGMENT,
                    STORAGE_READ_COMPUTE,
                    STORAGE_WRITE_COMPUTE,
                    STORAGE_READ_WRITE_COMPUTE,
                    STORAGE_READ_RAYS,
                    STORAGE_WRITE_RAYS,
                    STORAGE_READ_WRITE_RAYS,
                    HOST_READ,
                    HOST_WRITE -> TextureLayout.GENERAL;
            case COPY_SRC, BLIT_SRC -> TextureLayout.TRANSFER_SRC;
            case COPY_DST, BLIT_DST -> TextureLayout.TRANSFER_DST;
            case PRESENT -> TextureLayout.PRESENT;
            case UNIFORM_GRAPHICS,
                    UNIFORM_COMPUTE,
                    UNIFORM_RAYS,
                    VERTEX,
                    INDEX,
                    INDIRECT,
                    ACCELERATION_STRUCTURE_INPUT,
                    ACCELERATION_STRUCTURE_OUTPUT,
                    ACCELERATION_STRUCTURE_SCRATCH,
                    ACCELERATION_STRUCTURE_BUILD_READ,
                    ACCELERATION_STRUCTURE_BUILD_WRITE,
                    ACCELERATION_STRUCTURE_BUILD_READ_WRITE,
                    ACCELERATION_STRUCTURE_TRACE_GRAPHICS,
                    ACCELERATION_STRUCTURE_TRACE_COMPUTE,
                    ACCELERATION_STRUCTURE_TRACE_RAYS,
                    SHADER_BINDING_TABLE -> throw new IllegalArgumentException(access + " is of buffers");
        };
    }

    private boolean isReadOnTiles(int resource) {
        return plan.passes().stream()
                .flatMap(pass -> pass.uses().stream())
                .anyMatch(use -> use.resource() == resource && use.access() == Access.INPUT_ATTACHMENT);
    }

    private static boolean isSampled(PassPlan pass, int resource) {
        return pass.uses().stream()
                .anyMatch(use -> use.resource() == resource && best(use.access()) == TextureLayout.SHADER_RO);
    }

    /** The layouts that an access may have: Vulkan lets shaders and copies read in others than their own. */
    private Set<TextureLayout> layouts(PassPlan pass, UsePlan use, boolean depth) {
        TextureLayout best = best(use.access());
        boolean attached = best == TextureLayout.COLOR
                || best == TextureLayout.DEPTH
                || (best == TextureLayout.DEPTH_RO && !isSampled(pass, use.resource()));
        boolean resolved = use.access() == Access.RESOLVE_DST
                || use.access() == Access.DEPTH_RESOLVE_SRC
                || use.access() == Access.DEPTH_RESOLVE_DST;
        if (attached && !resolved && isReadOnTiles(use.resource())) {
            return EnumSet.of(TextureLayout.LOCAL_READ);
        }
        if (best == TextureLayout.SHADER_RO && depth) {
            return EnumSet.of(best, TextureLayout.DEPTH_RO, TextureLayout.GENERAL);
        }
        return best == TextureLayout.SHADER_RO || best == TextureLayout.TRANSFER_SRC || best == TextureLayout.DEPTH_RO
                ? EnumSet.of(best, TextureLayout.GENERAL)
                : EnumSet.of(best);
    }
}
