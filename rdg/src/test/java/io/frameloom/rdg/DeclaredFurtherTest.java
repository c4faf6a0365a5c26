package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A graph keeps what it declared for the next compilation, but not beyond the next declaration, of whatever it is. */
class DeclaredFurtherTest {
    private static final PassBody BODY = context -> {};

    private final RenderGraph graph = new RenderGraph("further");
    private DeclaredGraph former = graph.declaration().declared();

    @Test
    void everyDeclarationIsSeen() {
        List<RdgTexture> textures = new ArrayList<>();
        List<RdgBuffer> buffers = new ArrayList<>();
        List<PassBuilder> passes = new ArrayList<>();
        RdgUniformBuffer uniforms = graph.createUniforms("uniforms", ByteBuffer.allocate(16));
        step(
                "texture",
                () -> textures.add(graph.createTexture(
                        "texture", TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED))));
        step(
                "buffer",
                () -> buffers.add(graph.createBuffer("buffer", BufferDescription.device(64, BufferUsage.STORAGE))));
        step("neverAlias", () -> graph.neverAlias(buffers.get(0)));
        step("scope", () -> graph.scope("scope", () -> passes.add(graph.addPass("draw", PassKind.RASTER))));
        step("target", () -> passes.get(0).color(textures.get(0), LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT));
        step("area", () -> passes.get(0).renderArea(0, 0, 4, 4));
        step("body", () -> passes.get(0).record(BODY));
        step("pass", () -> passes.add(graph.addPass("read", PassKind.COMPUTE)));
        step("read", () -> passes.get(1).reads(textures.get(0), Access.SAMPLED_COMPUTE));
        step("write", () -> passes.get(1).overwrites(buffers.get(0), Access.STORAGE_WRITE_COMPUTE));
        step("uniforms", () -> passes.get(1).uniforms(uniforms));
        step("body of the second", () -> passes.get(1).record(BODY));
        step("flag behind the body", () -> passes.get(1).flag(PassFlag.NEVER_CULL));
        step("queue behind the body", () -> passes.get(1).onQueue(0));
        step("order behind the body", () -> passes.get(1).after(passes.get(0)));
        step("extract", () -> graph.extract(textures.get(0), Access.SAMPLED_FRAGMENT));
        step("final access", () -> graph.finalAccess(textures.get(0), Access.COPY_SRC));
    }

    /** Declares something when the graph keeps what was declared before it. */
    private void step(String what, Runnable declaration) {
        declaration.run();
        DeclaredGraph told = graph.declaration().declared();
        assertThat(told).as(what).isNotEqualTo(former);
        assertThat(graph.declaration().declared()).as("kept behind %s", what).isSameAs(told);
        graph.declaration().noting();
        assertThat(told)
                .as("made anew behind %s", what)
                .isEqualTo(graph.declaration().declared());
        former = graph.declaration().declared();
    }
}
