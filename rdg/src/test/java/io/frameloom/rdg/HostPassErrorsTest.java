package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.QueueSharing;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What may not be declared of passes of the host: each refusal names the pass, the resource and the way out. */
@Timeout(60)
class HostPassErrorsTest {
    private static final long BYTES = 256;
    private static final BufferDescription DEVICE =
            BufferDescription.device(BYTES, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);
    private static final BufferDescription UPLOAD = BufferDescription.upload(BYTES, BufferUsage.COPY_SRC);

    private final RenderGraph graph =
            new RenderGraph("frame", RdgOptions.defaults().withDebug(true));
    private final RdgBuffer result = graph.createBuffer("result", BufferDescription.readback(BYTES));
    private final RdgBuffer upload = graph.createBuffer("upload", UPLOAD);
    private final RdgBuffer out = graph.createBuffer("out", DEVICE);

    private PassBuilder compute() {
        PassBuilder pass = graph.addPass("compute", PassKind.COPY).overwrites(result, Access.COPY_DST);
        pass.record(context -> {});
        return pass;
    }

    private PassBuilder decide() {
        PassBuilder pass =
                graph.hostPass("decide").reads(result, Access.HOST_READ).overwrites(upload, Access.HOST_WRITE);
        pass.run(context -> {});
        return pass;
    }

    private PassBuilder use() {
        PassBuilder pass = graph.addPass("use", PassKind.COPY)
                .reads(upload, Access.COPY_SRC)
                .overwrites(out, Access.COPY_DST);
        pass.record(context -> {});
        graph.extract(out);
        return pass;
    }

    private List<RdgError> errors() {
        try {
            new RenderGraphCompiler(RdgOptions.defaults())
                    .compile(graph, QueueTopology.graphicsAndCompute(), PlanCase.SIZER);
        } catch (RdgValidationException refused) {
            return refused.errors();
        }
        throw new AssertionError("the graph is not refused");
    }

    @Test
    void otherUsesAreRefused() {
        RdgTexture texture =
                graph.createTexture("texture", TextureDescription.of(4, 4, Format.R8_UNORM, TextureUsage.COPY_DST));
        RdgBuffer hidden = graph.createBuffer("hidden", DEVICE);
        graph.hostPass("wrong")
                .reads(texture, Access.HOST_READ)
                .overwrites(hidden, Access.HOST_WRITE)
                .overwrites(upload, Access.COPY_DST)
                .writes(result, Access.HOST_READ)
                .reads(upload, Access.HOST_WRITE)
                .flag(PassFlag.NEVER_CULL)
                .run(context -> {});
        assertThat(errors())
                .filteredOn(error -> error.pass().equals("wrong"))
                .extracting(RdgError::code, RdgError::resource)
                .contains(
                        tuple(RdgError.Code.USAGE, "texture"),
                        tuple(RdgError.Code.USAGE, "hidden"),
                        tuple(RdgError.Code.USAGE, "upload"),
                        tuple(RdgError.Code.READ_DECLARED_AS_WRITE, "result"),
                        tuple(RdgError.Code.WRITE_DECLARED_AS_READ, "upload"));
        assertThat(errors()).allSatisfy(error -> {
            assertThat(error.message()).contains("'wrong'");
            assertThat(error.fix()).isNotEmpty();
            assertThat(error.sites()).isNotEmpty().allMatch(site -> site.contains("HostPassErrorsTest"));
        });
        assertThat(errors())
                .filteredOn(error -> error.resource().equals("hidden"))
                .singleElement()
                .satisfies(error -> assertThat(error.message() + error.fix())
                        .contains("DEVICE memory")
                        .contains("READBACK"));
    }

    @Test
    void importedBuffersOfOneFamilyAreRefused() {
        Buffer exclusive = FakeResources.exclusive(
                "imported", new BufferDescription(BYTES, EnumSet.of(BufferUsage.COPY_SRC), MemoryUsage.UPLOAD));
        RdgBuffer imported = graph.registerExternal(exclusive);
        graph.hostPass("write").overwrites(imported, Access.HOST_WRITE).run(context -> {});
        assertThat(errors()).singleElement().satisfies(error -> {
            assertThat(error.code()).isEqualTo(RdgError.Code.USAGE);
            assertThat(error.message()).contains("'imported'").contains("queue family");
        });
    }

    @Test
    void flagsAndQueuesAreRefused() {
        PassBuilder pass = decide();
        use();
        pass.flag(
                PassFlag.ASYNC_COMPUTE,
                PassFlag.ASYNC_COPY,
                PassFlag.READBACK,
                PassFlag.SKIP_RENDER_PASS,
                PassFlag.UNTRACKED_ACCESS);
        pass.onQueue(0);
        compute();
        List<RdgError> errors = errors();
        assertThat(errors)
                .filteredOn(error -> error.code() == RdgError.Code.FLAG_INVALID)
                .hasSize(5)
                .allSatisfy(error ->
                        assertThat(error.message()).contains("'decide'").contains("HOST"));
        assertThat(errors)
                .filteredOn(error -> error.code() == RdgError.Code.QUEUE_CAPABILITY)
                .singleElement()
                .satisfies(error ->
                        assertThat(error.message()).contains("'decide'").contains("queue 0"));
    }

    @Test
    void renderTargetsAreRefused() {
        RdgTexture target = graph.createTexture(
                "target", TextureDescription.of(4, 4, Format.R8_UNORM, TextureUsage.COLOR_ATTACHMENT));
        graph.hostPass("draw")
                .color(target, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                .flag(PassFlag.NEVER_CULL)
                .run(context -> {});
        assertThat(errors()).anySatisfy(error -> {
            assertThat(error.pass()).isEqualTo("draw");
            assertThat(error.resource()).isEqualTo("target");
        });
    }

    /** The host is of no queue family, so nothing could be handed over to it. */
    @Test
    void whatBelongsToOneFamilyAtATimeIsRefused() {
        RdgBuffer exclusive = graph.createBuffer(
                "exclusive", BufferDescription.readback(BYTES).withSharing(QueueSharing.EXCLUSIVE));
        graph.hostPass("decide").reads(exclusive, Access.HOST_READ).run(context -> {});
        assertThat(errors()).anySatisfy(error -> {
            assertThat(error.resource()).isEqualTo("exclusive");
            assertThat(error.toString()).contains("one queue family at a time", "create it for concurrent use");
        });
    }

    @Test
    void onlyItsOwnBodyFits() {
        assertThatThrownBy(() -> graph.hostPass("recorded").record(context -> {}))
                .isInstanceOf(RdgException.class)
                .hasMessageContaining("'recorded'")
                .hasMessageContaining("HostPassErrorsTest")
                .hasMessageContaining("with run");
        assertThatThrownBy(() -> graph.hostPass("parts").recordParts(2, (context, part) -> {}))
                .isInstanceOf(RdgException.class)
                .hasMessageContaining("'parts'");
        assertThatThrownBy(() -> graph.addPass("lambda", PassKind.HOST, context -> {}))
                .isInstanceOf(RdgException.class)
                .hasMessageContaining("'lambda'");
        assertThatThrownBy(() -> graph.addPass("copied", PassKind.COPY).run(context -> {}))
                .isInstanceOf(RdgException.class)
                .hasMessageContaining("'copied'")
                .hasMessageContaining("COPY pass");
        RdgUniformBuffer uniforms = graph.createUniforms("uniforms", 16, target -> {});
        assertThatThrownBy(() -> graph.hostPass("binds").uniforms(uniforms))
                .isInstanceOf(RdgException.class)
                .hasMessageContaining("'binds'");
        PassBuilder twice = decide();
        assertThatThrownBy(() -> twice.run(context -> {}))
                .isInstanceOf(RdgException.class)
                .hasMessageContaining("has a body already");
    }

    @Test
    void oneWithoutABodyIsRefused() {
        graph.hostPass("empty").flag(PassFlag.NEVER_CULL);
        assertThat(errors()).singleElement().satisfies(error -> {
            assertThat(error.code()).isEqualTo(RdgError.Code.NO_BODY);
            assertThat(error.fix()).contains("run(...)");
        });
    }
}
