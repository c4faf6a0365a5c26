package io.frameloom.gpu.record;

import static io.frameloom.gpu.record.CommandRig.transition;
import static io.frameloom.gpu.record.CommandRig.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.BarrierBatch.Scope;
import io.frameloom.gpu.command.BarrierBatch.TextureBarrier;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.command.RenderingInfo.DepthAttachment;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.pipeline.DynamicState;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthCompare;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthState;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.pipeline.TargetBlend;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.vulkan.VulkanDevice;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Render passes whose later draws read at the same pixel what earlier ones have written. */
@Timeout(60)
class LocalReadContractTest {
    private static final int SIZE = 8;
    private static final TargetBlend KEPT = TargetBlend.KEPT;
    private static final ShaderSource TRIANGLE = new ShaderSource("all.vert", ShaderStage.VERTEX, """
            #version 450
            void main() {
                vec2 at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4 - 1;
                gl_Position = vec4(at, 0.25, 1);
            }
            """);
    private static final ShaderSource WRITE = new ShaderSource("write.frag", ShaderStage.FRAGMENT, """
            #version 450
            layout(location = 0) out vec4 albedo;
            void main() { albedo = vec4(floor(gl_FragCoord.xy) / 255, 0, 1); }
            """);
    private static final ShaderSource READ = new ShaderSource("read.frag", ShaderStage.FRAGMENT, """
            #version 450
            layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInput albedo;
            layout(input_attachment_index = 2, set = 0, binding = 1) uniform subpassInput depth;
            layout(location = 1) out vec4 lit;
            void main() { lit = vec4(subpassLoad(albedo).rg, subpassLoad(depth).r, 1); }
            """);

    private final HazardChecker checker = new HazardChecker();

    /** What is drawn with. */
    private static final class Scene {
        final CommandRig rig;
        final Texture albedo;
        final Texture lit;
        final Texture depth;
        final GraphicsPipeline write;
        final GraphicsPipeline read;
        final Buffer texels;

        Scene(CommandRig rig) {
            this(rig, -1);
        }

        Scene(CommandRig rig, int pushDescriptorSet) {
            this.rig = rig;
            albedo = texture(
                    "albedo", Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT, TextureUsage.INPUT_ATTACHMENT);
            lit = texture("lit", Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_SRC);
            depth = texture("depth", Format.D32_SFLOAT, TextureUsage.DEPTH_ATTACHMENT, TextureUsage.INPUT_ATTACHMENT);
            write = pipeline("write", WRITE, TargetBlend.REPLACE, KEPT, true, -1);
            read = pipeline("read", READ, KEPT, TargetBlend.REPLACE, false, pushDescriptorSet);
            texels = rig.readback(4 * SIZE * SIZE);
        }

        private Texture texture(String name, Format format, TextureUsage... usages) {
            return rig.texture(name, TextureDescription.of(SIZE, SIZE, format, usages[0], usages[1]));
        }

        GraphicsPipeline pipeline(
                String name,
                ShaderSource fragment,
                TargetBlend albedoBlend,
                TargetBlend litBlend,
                boolean depthWrite,
                int pushDescriptorSet) {
            return rig.own(rig.device.createGraphicsPipeline(GraphicsPipelineDescription.of(
                            name, TRIANGLE, fragment, Format.R8G8B8A8_UNORM, Format.R8G8B8A8_UNORM)
                    .withBlends(List.of(albedoBlend, litBlend))
                    .withDepth(new DepthState(DepthCompare.ALWAYS, depthWrite, 0, 0), Format.D32_SFLOAT)
                    .withPushDescriptorSet(pushDescriptorSet)));
        }

        RenderingInfo targets(boolean begins, boolean reads) {
            LoadOp load = begins ? LoadOp.CLEAR : LoadOp.LOAD;
            ClearColor black = ClearColor.BLACK_TRANSPARENT;
            return new RenderingInfo(
                    SIZE,
                    SIZE,
                    List.of(
                            reads
                                    ? ColorAttachment.input(albedo.view())
                                    : new ColorAttachment(albedo.view(), load, StoreOp.STORE, black),
                            new ColorAttachment(lit.view(), load, StoreOp.STORE, black)),
                    new DepthAttachment(depth.view(), load, StoreOp.STORE, 1, reads));
        }

        void layouts(CommandList list) {
            transition(list, albedo, TextureLayout.UNDEFINED, TextureLayout.LOCAL_READ);
            transition(list, depth, TextureLayout.UNDEFINED, TextureLayout.LOCAL_READ);
            transition(list, lit, TextureLayout.UNDEFINED, TextureLayout.COLOR);
        }

        List<ResourceUse> written() {
            return List.of(
                    use(albedo, Access.COLOR_WRITE, true),
                    use(lit, Access.COLOR_WRITE, true),
                    use(depth, Access.DEPTH_WRITE, true));
        }

        List<ResourceUse> all() {
            return List.of(
                    use(albedo, Access.COLOR_WRITE, true),
                    use(lit, Access.COLOR_WRITE, true),
                    use(depth, Access.DEPTH_WRITE, true),
                    use(albedo, Access.INPUT_ATTACHMENT, false),
                    use(depth, Access.INPUT_ATTACHMENT, false));
        }

        List<ResourceUse> read() {
            return List.of(
                    use(albedo, Access.INPUT_ATTACHMENT, false),
                    use(lit, Access.COLOR_READ_WRITE, false),
                    use(depth, Access.DEPTH_READ, false),
                    use(depth, Access.INPUT_ATTACHMENT, false));
        }

        ResourceUse use(Texture texture, Access access, boolean discard) {
            return new ResourceUse.OfTexture(
                    texture,
                    SubresourceRange.mip(0),
                    access,
                    discard,
                    texture == lit ? TextureLayout.COLOR : TextureLayout.LOCAL_READ,
                    null);
        }

        void draw(CommandList list, boolean reads) {
            list.bindPipeline(reads ? read : write);
            if (reads) {
                list.bindTexture("albedo", albedo.view());
                list.bindTexture("depth", depth.view());
            }
            list.draw(3, 1, 0, 0);
        }

        void copy(CommandList list) {
            transition(list, lit, TextureLayout.COLOR, TextureLayout.TRANSFER_SRC);
            list.beginPass(
                    "copy",
                    List.of(use(lit), new ResourceUse.OfBuffer(texels, 0, 4L * SIZE * SIZE, Access.COPY_DST, true)));
            list.copyTextureToBuffer(lit, 0, 0, texels, 0);
            list.endPass();
        }

        private ResourceUse use(Texture texture) {
            return new ResourceUse.OfTexture(
                    texture, SubresourceRange.mip(0), Access.COPY_SRC, false, TextureLayout.TRANSFER_SRC);
        }

        /** In one render pass, with or without the barrier inside. */
        int[] merged(boolean barrier) {
            rig.execute(list -> {
                layouts(list);
                list.beginPass("both", all());
                list.beginRendering(targets(true, false));
                draw(list, false);
                if (barrier) {
                    list.barrier(local());
                }
                draw(list, true);
                list.endRendering();
                list.endPass();
                copy(list);
            });
            return words(texels);
        }

        BarrierBatch local() {
            return new BarrierBatch(
                    List.of(
                            local(albedo, PipelineStage.COLOR_OUTPUT, MemoryAccess.COLOR_WRITE),
                            local(depth, PipelineStage.DEPTH_TESTS, MemoryAccess.DEPTH_WRITE)),
                    List.of(),
                    List.of());
        }

        TextureBarrier local(Texture texture, PipelineStage stage, MemoryAccess write) {
            return new TextureBarrier(
                    texture,
                    SubresourceRange.mip(0),
                    new Scope(
                            stage.bit(),
                            write.bit(),
                            Access.INPUT_ATTACHMENT.stages() | PipelineStage.DEPTH_TESTS.bit(),
                            Access.INPUT_ATTACHMENT.memoryAccess() | MemoryAccess.DEPTH_READ.bit()),
                    TextureLayout.LOCAL_READ,
                    TextureLayout.LOCAL_READ,
                    null);
        }

        /** In two render passes. */
        int[] apart() {
            rig.execute(list -> {
                layouts(list);
                list.beginPass("write", written());
                list.beginRendering(targets(true, false));
                draw(list, false);
                list.endRendering();
                list.endPass();
                transition(list, albedo, TextureLayout.LOCAL_READ, TextureLayout.LOCAL_READ);
                transition(list, depth, TextureLayout.LOCAL_READ, TextureLayout.LOCAL_READ);
                transition(list, lit, TextureLayout.COLOR, TextureLayout.COLOR);
                list.beginPass("read", read());
                list.beginRendering(targets(false, true));
                draw(list, true);
                list.endRendering();
                list.endPass();
                copy(list);
            });
            return words(texels);
        }
    }

    private CommandRig rig(Backend backend) {
        return CommandRig.ofLocalReads(backend, checker);
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void drawsReadWhatEarlierOnesOfTheRenderPassHaveWritten(Backend backend) {
        try (CommandRig rig = rig(backend)) {
            Scene scene = new Scene(rig);
            int[] merged = scene.merged(true);
            if (backend == Backend.VULKAN) {
                assertThat(merged).isEqualTo(scene.apart());
                for (int i = 0; i < merged.length; i++) {
                    assertThat(merged[i]).isEqualTo(0xff400000 | (i / SIZE) << 8 | i % SIZE);
                }
            }
        }
        assertThat(checker.hazards()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void inputAttachmentsArePushed(Backend backend) {
        try (CommandRig rig = CommandRig.ofLocalReads(backend, checker, Capability.PUSH_DESCRIPTORS)) {
            int[] pushed = new Scene(rig, 0).merged(true);
            if (backend == Backend.VULKAN) {
                assertThat(pushed).isEqualTo(new Scene(rig).merged(true));
            }
        }
        assertThat(checker.hazards()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aRenderPassOfItsOwnReadsWhatWasStored(Backend backend) {
        try (CommandRig rig = rig(backend)) {
            new Scene(rig).apart();
        }
        assertThat(checker.hazards()).isEmpty();
    }

    /** The next one may have others, or none. */
    @ParameterizedTest
    @EnumSource(Backend.class)
    void inputAttachmentsEndWithTheirRenderPass(Backend backend) {
        try (CommandRig rig = rig(backend)) {
            Scene scene = new Scene(rig);
            rig.execute(list -> {
                scene.layouts(list);
                list.beginPass("both", scene.all());
                list.beginRendering(scene.targets(true, false));
                scene.draw(list, false);
                list.barrier(scene.local());
                scene.draw(list, true);
                list.endRendering();
                list.endPass();
                transition(list, scene.albedo, TextureLayout.LOCAL_READ, TextureLayout.LOCAL_READ);
                transition(list, scene.depth, TextureLayout.LOCAL_READ, TextureLayout.LOCAL_READ);
                transition(list, scene.lit, TextureLayout.COLOR, TextureLayout.COLOR);
                list.beginPass("read", scene.read());
                list.beginRendering(scene.targets(false, true));
                assertThatThrownBy(() -> list.draw(3, 1, 0, 0))
                        .hasMessageContaining("pipeline 'read' still needs binding 'albedo'")
                        .hasMessageContaining("binding 'depth'");
                list.bindTexture("albedo", scene.albedo.view());
                list.bindTexture("depth", scene.depth.view());
                list.draw(3, 1, 0, 0);
                list.endRendering();
                list.endPass();
            });
        }
        assertThat(checker.hazards()).isEmpty();
    }

    /** A read in GENERAL is ordered by no barrier inside of the render pass. */
    @Test
    void onlyTheLayoutOfLocalReadsIsForInputAttachments() {
        try (CommandRig rig = rig(Backend.VIRTUAL)) {
            Texture albedo = new Scene(rig).albedo;
            PassLayouts layouts = new PassLayouts();
            layouts.take(List.of(new ResourceUse.OfTexture(
                    albedo, SubresourceRange.mip(0), Access.INPUT_ATTACHMENT, false, TextureLayout.GENERAL)));
            assertThat(layouts.input(albedo, SubresourceRange.mip(0))).isNull();
            rig.execute(list -> {
                transition(list, albedo, TextureLayout.UNDEFINED, TextureLayout.GENERAL);
                list.beginPass(
                        "general",
                        List.of(new ResourceUse.OfTexture(
                                albedo,
                                SubresourceRange.mip(0),
                                Access.INPUT_ATTACHMENT,
                                false,
                                TextureLayout.GENERAL)));
                list.endPass();
            });
        }
        assertThat(checker.hazards()).extracting(Hazard::kind).contains(Hazard.Kind.WRONG_LAYOUT);
    }

    @Test
    void withoutTheBarrierTheReadFindsOtherContentsAndTheCheckerReportsIt() {
        try (CommandRig rig = rig(Backend.VIRTUAL)) {
            Scene scene = new Scene(rig);
            int[] ordered = scene.merged(true);
            assertThat(scene.merged(true)).isEqualTo(ordered);
            assertThat(checker.hazards()).isEmpty();
            assertThat(scene.merged(false)).isNotEqualTo(ordered);
        }
        assertThat(checker.hazards()).extracting(Hazard::kind).containsOnly(Hazard.Kind.READ_AFTER_WRITE);
        assertThat(checker.hazards().get(0).toString())
                .contains("pass 'both' reads 'albedo' as INPUT_ATTACHMENT, which it writes as COLOR_WRITE");
    }

    @Test
    void mistakesAreRefusedByName() {
        try (CommandRig rig = rig(Backend.VIRTUAL)) {
            Scene scene = new Scene(rig);
            rig.execute(list -> {
                scene.layouts(list);
                list.bindPipeline(scene.read);
                assertThatThrownBy(() -> list.bindTexture("albedo", scene.albedo.view()))
                        .hasMessageContaining(
                                "input attachment 'albedo' of pipeline 'read' is bound outside of a render");
                list.beginRendering(scene.targets(true, false));
                assertThatThrownBy(() -> list.bindTexture("albedo", scene.albedo.view()))
                        .hasMessageContaining("is bound where no pass says what it uses");
                list.endRendering();
                list.beginPass("both", scene.all());
                list.beginRendering(scene.targets(true, false));
                assertThatThrownBy(() -> list.bindTexture("albedo", scene.depth.view()))
                        .hasMessageContaining("is not attachment 0 of the render pass")
                        .hasMessageContaining("which is of 'albedo'");
                assertThatThrownBy(() -> list.barrier(
                                new BarrierBatch(List.of(), List.of(), List.of(BarrierBatch.GlobalBarrier.FULL))))
                        .hasMessageContaining("barriers are of its attachments in layout LOCAL_READ");
                list.endRendering();
                list.endPass();
                list.beginPass("undeclared", List.of(scene.use(scene.lit, Access.COLOR_WRITE, true)));
                list.beginRendering(scene.targets(true, false));
                assertThatThrownBy(() -> scene.draw(list, true))
                        .hasMessageContaining("the pass has texture 'albedo' in no layout, in which")
                        .hasMessageContaining("is no input attachment");
                list.endRendering();
                list.endPass();
                list.beginPass("read", scene.read());
                list.beginRendering(scene.targets(false, true));
                list.bindPipeline(scene.write);
                assertThatThrownBy(() -> list.draw(3, 1, 0, 0))
                        .hasMessageContaining("pipeline 'write' writes colour 0, but the colour 0 attachment");
                assertThatThrownBy(() -> list.clearColorAttachment(0, ClearColor.BLACK_TRANSPARENT, 0, 0, 1, 1))
                        .hasMessageContaining("the colour attachment of the render pass is read only");
                list.endRendering();
                list.endPass();
            });
            int most = rig.device.capabilities().limits().shaders().maxInputAttachments();
            StringBuilder many = new StringBuilder("#version 450\nlayout(location = 1) out vec4 lit;\n");
            for (int i = 0; i <= most; i++) {
                many.append("layout(input_attachment_index = 0, set = 0, binding = ")
                        .append(i);
                many.append(") uniform subpassInput in").append(i).append(";\n");
            }
            ShaderSource tooMany = new ShaderSource(
                    "many.frag",
                    ShaderStage.FRAGMENT,
                    many.append("void main() { lit = vec4(0); }").toString());
            assertThatThrownBy(() -> scene.pipeline("many", tooMany, KEPT, TargetBlend.REPLACE, false, -1))
                    .hasMessageContaining(
                            "has " + (most + 1) + " bindings of INPUT_ATTACHMENT with the elements of arrays");
            assertThatThrownBy(() -> scene.pipeline("bad", READ, TargetBlend.REPLACE, TargetBlend.REPLACE, false, -1))
                    .hasMessageContaining("reads attachment 0, but the pipeline writes that as well");
            TextureDescription alone = TextureDescription.of(
                    SIZE, SIZE, Format.R8G8B8A8_UNORM, TextureUsage.INPUT_ATTACHMENT, TextureUsage.SAMPLED);
            assertThatThrownBy(() -> rig.device.createTexture("alone", alone))
                    .hasMessageContaining("texture 'alone' for INPUT_ATTACHMENT is no attachment");
            GraphicsPipelineDescription loose = GraphicsPipelineDescription.of(
                            "loose", TRIANGLE, READ, Format.R8G8B8A8_UNORM, Format.R8G8B8A8_UNORM)
                    .withBlends(List.of(KEPT, TargetBlend.REPLACE))
                    .withDepth(new DepthState(DepthCompare.ALWAYS, false, 0, 0), Format.D32_SFLOAT)
                    .withDynamicStates(Set.of(DynamicState.DEPTH_TEST));
            assertThatThrownBy(() -> rig.device.createGraphicsPipeline(loose))
                    .hasMessageContaining("reads depth, but the pipeline leaves its depth test to command lists");
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aDeviceWithoutTheCapabilitySaysWhatItTakes(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            TextureDescription shape = TextureDescription.of(
                    SIZE, SIZE, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT, TextureUsage.INPUT_ATTACHMENT);
            assertThatThrownBy(() -> rig.device.createTexture("albedo", shape))
                    .hasMessageContaining("takes DYNAMIC_RENDERING_LOCAL_READ, which is off in device")
                    .hasMessageContaining("sample the texture");
            if (rig.device instanceof VulkanDevice vulkan) {
                assertThatThrownBy(() -> vulkan.importTexture("theirs", 1, shape, TextureLayout.UNDEFINED))
                        .hasMessageContaining("texture 'theirs' for INPUT_ATTACHMENT takes");
            }
            assertThatThrownBy(() -> rig.device.createGraphicsPipeline(GraphicsPipelineDescription.of(
                                    "read", TRIANGLE, READ, Format.R8G8B8A8_UNORM, Format.R8G8B8A8_UNORM)
                            .withBlends(List.of(KEPT, TargetBlend.REPLACE))))
                    .hasMessageContaining("binding 'albedo' (INPUT_ATTACHMENT, set 0 binding 0)")
                    .hasMessageContaining("takes DYNAMIC_RENDERING_LOCAL_READ");
        }
    }
}
