package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Textures of one shape that are used alike share one completed description, and no others do. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SharedDescriptionsTest {
    private final RenderGraph graph = new RenderGraph("shapes", RdgOptions.defaults());

    @Test
    void equalShapesOfEqualUseShareADescription() {
        draw(texture(256));
        draw(texture(256));
        List<FramePlan.ResourcePlan> resources = compile();
        assertThat(resources.get(0).textureDescription())
                .isSameAs(resources.get(1).textureDescription());
    }

    @Test
    void everyTextureGetsItsOwnShapeAndUsage() {
        List<TextureDescription> shapes = new ArrayList<>();
        List<Set<TextureUsage>> usages = new ArrayList<>();
        for (int round = 0; round < 2; round++) {
            for (int width = 1; width <= 300; width++) {
                RdgTexture texture = texture(width);
                shapes.add(texture.description());
                Set<TextureUsage> usage = EnumSet.of(TextureUsage.SAMPLED);
                switch (width % 3) {
                    case 0 -> {
                        draw(texture);
                        usage.add(TextureUsage.COLOR_ATTACHMENT);
                    }
                    case 1 -> {
                        write(texture, PassKind.COMPUTE, Access.STORAGE_WRITE_COMPUTE);
                        usage.add(TextureUsage.STORAGE);
                    }
                    default -> {
                        write(texture, PassKind.COPY, Access.COPY_DST);
                        usage.add(TextureUsage.COPY_DST);
                    }
                }
                usages.add(usage);
            }
        }
        List<FramePlan.ResourcePlan> resources = compile();
        for (int r = 0; r < shapes.size(); r++) {
            assertThat(resources.get(r).textureDescription())
                    .isEqualTo(shapes.get(r).withUsage(usages.get(r)));
        }
    }

    @Test
    void oneShapeOfManyUsesKeepsThemApart() {
        draw(texture(64));
        write(texture(64), PassKind.COMPUTE, Access.STORAGE_WRITE_COMPUTE);
        RdgTexture both = texture(64);
        draw(both);
        write(both, PassKind.COPY, Access.COPY_DST);
        List<FramePlan.ResourcePlan> resources = compile();
        assertThat(resources)
                .extracting(resource -> usage(resource.textureDescription()))
                .containsExactly(
                        Set.of(TextureUsage.SAMPLED, TextureUsage.COLOR_ATTACHMENT),
                        Set.of(TextureUsage.SAMPLED, TextureUsage.STORAGE),
                        Set.of(TextureUsage.SAMPLED, TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_DST));
    }

    /** A driver takes long to say what an image needs. */
    @Test
    void aSizerIsAskedOnceForOneDescription() {
        draw(texture(256));
        draw(texture(256));
        draw(texture(128));
        List<Integer> asked = new ArrayList<>();
        MemorySizer counting = new MemorySizer() {
            @Override
            public MemoryRequirements requirements(TextureDescription description) {
                asked.add(description.width());
                return PlanPropertiesTest.SIZER.requirements(description);
            }

            @Override
            public MemoryRequirements requirements(BufferDescription description) {
                return PlanPropertiesTest.SIZER.requirements(description);
            }
        };
        List<FramePlan.ResourcePlan> resources = new RenderGraphCompiler(RdgOptions.defaults())
                .compile(graph, QueueTopology.graphicsAndCompute(), counting)
                .resources();
        assertThat(asked).containsExactly(256, 128);
        assertThat(resources).allSatisfy(resource -> {
            MemoryRequirements own = counting.requirements(Objects.requireNonNull(resource.textureDescription()));
            assertThat(resource.bytes()).isEqualTo(own.bytes());
            assertThat(resource.heap()).isZero();
        });
    }

    private static Set<TextureUsage> usage(@Nullable TextureDescription description) {
        return description == null ? Set.of() : description.usage();
    }

    private RdgTexture texture(int width) {
        return graph.createTexture(
                "t", TextureDescription.of(width, width, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED));
    }

    private void draw(RdgTexture texture) {
        graph.addPass("draw", PassKind.RASTER)
                .color(texture, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> {});
    }

    private void write(RdgTexture texture, PassKind kind, Access access) {
        graph.addPass("write", kind)
                .overwrites(texture, access)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> {});
    }

    private List<FramePlan.ResourcePlan> compile() {
        return new RenderGraphCompiler(RdgOptions.defaults())
                .compile(graph, QueueTopology.graphicsAndCompute(), PlanPropertiesTest.SIZER)
                .resources();
    }
}
