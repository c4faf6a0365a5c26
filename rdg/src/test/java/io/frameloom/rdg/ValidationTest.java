package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.RdgError.Code;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every misuse is reported with its code, pass and resource, and all of them at once. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ValidationTest {
    private static final ClearColor BLACK = ClearColor.BLACK_TRANSPARENT;
    private static final MemorySizer SIZER = new MemorySizer() {
        @Override
        public MemoryRequirements requirements(TextureDescription description) {
            return new MemoryRequirements(256, 256, 1);
        }

        @Override
        public MemoryRequirements requirements(BufferDescription description) {
            return new MemoryRequirements(256, 256, 1);
        }
    };

    private final RenderGraph graph =
            new RenderGraph("bad", RdgOptions.defaults().withDebug(true));
    private final RdgTexture color = graph.createTexture("color", texture(64, Format.R8G8B8A8_UNORM));
    private final RdgTexture small = graph.createTexture("small", texture(32, Format.R8G8B8A8_UNORM));
    private final RdgTexture depth = graph.createTexture("depth", texture(64, Format.D32_SFLOAT));
    private final RdgBuffer buffer = graph.createBuffer("buffer", BufferDescription.device(256, BufferUsage.STORAGE));

    private static TextureDescription texture(int size, Format format) {
        return TextureDescription.of(size, size, format, TextureUsage.SAMPLED);
    }

    private RdgValidationException refusal() {
        return catchThrowableOfType(
                RdgValidationException.class,
                () -> new RenderGraphCompiler(RdgOptions.defaults())
                        .compile(graph, QueueTopology.graphicsAndCompute(), SIZER));
    }

    private void expect(Code code, String pass, String resource) {
        assertThat(refusal().errors())
                .anySatisfy(error -> assertThat(List.of(error.code(), error.pass(), error.resource()))
                        .isEqualTo(List.of(code, pass, resource)));
    }

    @Test
    void readOfWhatNobodyWrote() {
        graph.addPass("p", PassKind.COMPUTE)
                .reads(color, Access.SAMPLED_COMPUTE)
                .record(context -> {});
        expect(Code.READ_UNWRITTEN, "p", "color");
    }

    /** A pass, its use and the resource may stand on one line. */
    @Test
    void saysOfEachLineOnceThatItDeclares() {
        RdgError error = new RdgError(Code.RANGE, "p", "color", "wrong", "", List.of("A.a:1", "B.b:2", "A.a:1"));
        assertThat(error).hasToString("RANGE: wrong\n    declared at A.a:1\n    declared at B.b:2");
    }

    @Test
    void directionThatDoesNotFitTheAccess() {
        graph.addPass("w", PassKind.COMPUTE)
                .reads(color, Access.STORAGE_WRITE_COMPUTE)
                .writes(buffer, Access.STORAGE_READ_COMPUTE)
                .record(context -> {});
        expect(Code.WRITE_DECLARED_AS_READ, "w", "color");
        expect(Code.READ_DECLARED_AS_WRITE, "w", "buffer");
    }

    @Test
    void rasterWithoutTargets() {
        graph.addPass("p", PassKind.RASTER).record(context -> {});
        expect(Code.NO_TARGETS, "p", "");
    }

    @Test
    void targetsOfThreeDimensions() {
        RdgTexture volume =
                graph.createTexture("volume", texture(64, Format.R8G8B8A8_UNORM).withDepth(4));
        graph.addPass("p", PassKind.RASTER).color(volume, LoadOp.CLEAR, BLACK).record(context -> {});
        expect(Code.USAGE, "p", "volume");
    }

    @Test
    void targetsOfDifferentExtents() {
        graph.addPass("p", PassKind.RASTER)
                .color(color, LoadOp.CLEAR, BLACK)
                .color(small, LoadOp.CLEAR, BLACK)
                .record(context -> {});
        expect(Code.TARGET_EXTENT, "p", "small");
    }

    @Test
    void attachmentsOutsideOfRaster() {
        graph.addPass("p", PassKind.COMPUTE).color(color, LoadOp.CLEAR, BLACK).record(context -> {});
        expect(Code.ATTACHMENT_OUTSIDE_RASTER, "p", "color");
    }

    @Test
    void flagsThatDoNotFitTheKind() {
        graph.addPass("r", PassKind.RASTER)
                .flag(PassFlag.ASYNC_COMPUTE, PassFlag.READBACK)
                .color(color, LoadOp.CLEAR, BLACK)
                .record(context -> {});
        assertThat(refusal().errors()).extracting(RdgError::code).containsExactly(Code.FLAG_INVALID, Code.FLAG_INVALID);
    }

    @Test
    void rangesOutsideOfTheResource() {
        graph.addPass("p", PassKind.COMPUTE)
                .overwrites(color, SubresourceRange.mip(1), Access.STORAGE_WRITE_COMPUTE)
                .overwrites(buffer, 200, 100, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        expect(Code.RANGE, "p", "color");
        expect(Code.RANGE, "p", "buffer");
        assertThat(refusal().errors().get(0).message())
                .isEqualTo("pass 'p' uses mips 1+1, layers 0+1 and planes 0+1 of 'color', which has 1 mip, 1 layer"
                        + " and 1 plane");
    }

    @Test
    void whatALostUseWroteIsNoSecondError() {
        graph.addPass("p", PassKind.COMPUTE)
                .overwrites(color, SubresourceRange.mip(1), Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        graph.addPass("q", PassKind.COMPUTE)
                .reads(color, Access.SAMPLED_COMPUTE)
                .reads(small, Access.SAMPLED_COMPUTE)
                .record(context -> {});
        graph.extract(color, Access.SAMPLED_COMPUTE);

        assertThat(refusal().errors())
                .extracting(RdgError::code, RdgError::resource)
                .containsExactly(tuple(Code.RANGE, "color"), tuple(Code.READ_UNWRITTEN, "small"));
    }

    @Test
    void accessesThatTheQueueCannotExecute() {
        graph.addPass("c", PassKind.COPY)
                .overwrites(buffer, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        expect(Code.QUEUE_CAPABILITY, "c", "buffer");
    }

    @Test
    void usesThatExcludeEachOther() {
        graph.addPass("first", PassKind.COMPUTE)
                .overwrites(color, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        graph.addPass("p", PassKind.RASTER)
                .reads(color, Access.SAMPLED_FRAGMENT)
                .color(color, LoadOp.LOAD, BLACK)
                .record(context -> {});
        expect(Code.CONFLICTING_USES, "p", "color");
    }

    @Test
    void accessesThatDoNotFitTheResource() {
        graph.addPass("p", PassKind.RASTER)
                .color(depth, LoadOp.CLEAR, BLACK)
                .reads(buffer, Access.SAMPLED_FRAGMENT)
                .record(context -> {});
        expect(Code.USAGE, "p", "depth");
        expect(Code.USAGE, "p", "buffer");
    }

    @Test
    void extractionOfWhatNobodyWrote() {
        graph.extract(color, Access.SAMPLED_FRAGMENT);
        expect(Code.EXTRACT_UNWRITTEN, "", "color");
    }

    @Test
    void passWithoutBody() {
        graph.addPass("p", PassKind.COMPUTE).overwrites(buffer, Access.STORAGE_WRITE_COMPUTE);
        expect(Code.NO_BODY, "p", "");
    }

    @Test
    void handleOfAnotherGraph() {
        RdgTexture foreign = new RenderGraph("other").createTexture("theirs", texture(64, Format.R8G8B8A8_UNORM));
        graph.addPass("p", PassKind.COMPUTE)
                .overwrites(foreign, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        expect(Code.FOREIGN_RESOURCE, "p", "theirs");
    }

    /** Of a buffer all is used, or a part. */
    @Test
    void buffersOfOtherGraphs() {
        BufferDescription shape = BufferDescription.readback(64);
        RdgBuffer foreign = new RenderGraph("other").createBuffer("theirs", shape);
        graph.addPass("all", PassKind.COMPUTE)
                .reads(foreign, Access.STORAGE_READ_COMPUTE)
                .record(context -> {});
        graph.addPass("part", PassKind.COMPUTE)
                .overwrites(foreign, 0, 16, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        graph.hostPass("host").reads(foreign, Access.HOST_READ).run(context -> {});
        expect(Code.FOREIGN_RESOURCE, "all", "theirs");
        expect(Code.FOREIGN_RESOURCE, "part", "theirs");
        expect(Code.FOREIGN_RESOURCE, "host", "theirs");
        assertThat(refusal().errors()).hasSize(3);
    }

    @Test
    void allErrorsComeAtOnceWithTheirSites() {
        graph.addPass("one", PassKind.RASTER).record(context -> {});
        graph.addPass("two", PassKind.COMPUTE)
                .reads(color, Access.SAMPLED_COMPUTE)
                .record(context -> {});
        graph.extract(small, Access.SAMPLED_FRAGMENT);
        RdgValidationException refusal = refusal();
        assertThat(refusal.errors())
                .extracting(RdgError::code)
                .containsExactly(Code.NO_TARGETS, Code.READ_UNWRITTEN, Code.EXTRACT_UNWRITTEN);
        assertThat(refusal.errors().get(1).sites())
                .allSatisfy(site -> assertThat(site).contains("ValidationTest"));
        assertThat(refusal)
                .hasMessageContaining("one")
                .hasMessageContaining("two")
                .hasMessageContaining("small");
    }

    @Test
    void misuseOfHandlesIsRefusedAtOnce() {
        RdgTexture external = graph.registerExternal(
                FakeResources.texture("ext", 1, 1, Format.R8G8B8A8_UNORM), TextureLayout.SHADER_RO);
        assertThatThrownBy(() -> graph.extract(external, Access.COPY_SRC)).hasMessageContaining("ext");
        assertThatThrownBy(() -> graph.finalAccess(color, Access.PRESENT)).hasMessageContaining("color");
        PassBuilder pass = graph.addPass("p", PassKind.COPY);
        pass.record(context -> {});
        assertThatThrownBy(() -> pass.reads(external, Access.COPY_SRC)).hasMessageContaining("after its declaration");
    }

    /** Whoever goes on after a refusal has declared nothing by it. */
    @Test
    void anAttachmentThatIsRefusedIsNone() {
        PassBuilder pass = graph.addPass("p", PassKind.RASTER).color(color, LoadOp.CLEAR, BLACK);
        pass.record(context -> {});
        RdgTexture depth = graph.createTexture("depth", texture(64, Format.D32_SFLOAT));
        assertThatThrownBy(() -> pass.color(color, LoadOp.LOAD, BLACK))
                .hasMessageContaining("'color'")
                .hasMessageContaining("after its declaration");
        assertThatThrownBy(() -> pass.depth(depth, LoadOp.CLEAR, 1)).hasMessageContaining("'depth'");
        assertThatThrownBy(() -> pass.depthReadOnly(depth)).hasMessageContaining("'depth'");
        DeclaredGraph declared = graph.declaration().declared();
        assertThat(declared.attachments(0)).hasSize(1);
        assertThat(declared.uses()).isEqualTo(1);
    }

    /** A barrier to PRESENT of any other texture is refused when it is recorded, which is too late. */
    @Test
    void onlyWhatMayBePresentedIsLeftReadyForIt() {
        Texture own = FakeResources.own("own", Format.R8G8B8A8_UNORM);
        RdgTexture external = graph.registerExternal(own, TextureLayout.COLOR);
        assertThatThrownBy(() -> graph.finalAccess(external, Access.PRESENT))
                .isInstanceOf(RdgException.class)
                .hasMessageContaining("'own'")
                .hasMessageContaining("SwapchainImage");
        assertThatThrownBy(() -> graph.extract(color, Access.PRESENT))
                .isInstanceOf(RdgException.class)
                .hasMessageContaining("'color'")
                .hasMessageContaining("SwapchainImage");
        Texture presented = FakeResources.own("presented", Format.R8G8B8A8_UNORM);
        assertThatThrownBy(() -> graph.registerExternal(presented, TextureLayout.PRESENT))
                .isInstanceOf(RdgException.class)
                .hasMessageContaining("'presented'")
                .hasMessageContaining("PRESENT");
        graph.finalAccess(
                graph.registerExternal(
                        FakeResources.imported("engine's", 7, Format.R8G8B8A8_UNORM), TextureLayout.PRESENT),
                Access.PRESENT);
    }
}
