package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An argument that is missing is refused by name where it is passed, and nothing is declared by that call. */
@SuppressWarnings("NullAway") // that is the test
class MissingArgumentsTest {
    private static final TextureDescription PICTURE = TextureDescription.of(8, 8, Format.D24_UNORM_S8_UINT);
    private static final BufferDescription WORDS = BufferDescription.device(64);
    private static final Texture OUTSIDE = FakeResources.texture("outside", 1, 1, Format.R32_UINT);

    /** A graph with a pass whose declaration has begun. */
    private static final class Begun {
        final RenderGraph graph = new RenderGraph("frame");
        final RdgTexture texture = graph.createTexture("picture", PICTURE);
        final RdgBuffer buffer = graph.createBuffer("words", WORDS);
        final OverlapGroup group = graph.overlapGroup("group");
        final PassBuilder pass;

        Begun(PassKind kind) {
            pass = graph.addPass("pass", kind);
        }
    }

    private record Case(PassKind kind, String missing, Consumer<Begun> deed) {
        @Override
        public String toString() {
            return kind + " " + missing;
        }
    }

    private static Case graph(String missing, Consumer<RenderGraph> deed) {
        return declared(missing, begun -> deed.accept(begun.graph));
    }

    private static Case declared(String missing, Consumer<Begun> deed) {
        return new Case(PassKind.COPY, "graph 'frame': " + missing, deed);
    }

    private static Case pass(PassKind kind, String missing, Consumer<Begun> deed) {
        return new Case(kind, "pass 'pass' of graph 'frame': " + missing, deed);
    }

    static List<Case> cases() {
        return Stream.of(ofGraphs(), ofUses(), ofAttachments(), ofBodies())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Case> ofGraphs() {
        return List.of(
                graph("newName", graph -> graph.reset(null)),
                graph("scopeName", graph -> graph.scope((String) null)),
                graph("declaration", graph -> graph.scope("scope", null)),
                graph("groupName", graph -> graph.overlapGroup(null)),
                graph("passName", graph -> graph.addPass(null, PassKind.COPY)),
                graph("passName", graph -> graph.hostPass(null)),
                graph("kind", graph -> graph.addPass("other", null)),
                graph("body", graph -> graph.addPass("other", PassKind.COPY, null)),
                graph("parameters", graph -> graph.addPass("other", PassKind.COPY, null, (context, all) -> {})),
                graph("body", graph -> graph.addPass("other", PassKind.COPY, new Nothing(), null)),
                graph("extentName", graph -> graph.setExtent(null, 8, 8)),
                graph("textureName", graph -> graph.createTexture(null, PICTURE)),
                graph("description", graph -> graph.createTexture("other", null)),
                graph("bufferName", graph -> graph.createBuffer(null, WORDS)),
                graph("description", graph -> graph.createBuffer("other", null)),
                graph("bufferName", graph -> graph.createUniforms(null, ByteBuffer.allocate(4))),
                graph("writer", graph -> graph.createUniforms("other", 4, null)),
                graph("current", graph -> graph.registerExternal(OUTSIDE, null)),
                graph("layout", graph -> graph.registerPassthrough(OUTSIDE, null)),
                declared("access", begun -> begun.graph.finalAccess(begun.texture, null)),
                declared("access", begun -> begun.graph.finalAccess(begun.buffer, null)),
                declared("finalAccess", begun -> begun.graph.extract(begun.texture, null)),
                declared("finalAccess", begun -> begun.graph.extract(begun.buffer, null)));
    }

    private record Nothing() {}

    private static List<Case> ofUses() {
        SubresourceRange range = SubresourceRange.mip(0);
        PassKind kind = PassKind.COPY;
        return List.of(
                pass(kind, "resource", begun -> begun.pass.reads((RdgBuffer) null, Access.COPY_SRC)),
                pass(kind, "resource", begun -> begun.pass.writes((RdgTexture) null, Access.COPY_DST)),
                pass(kind, "access", begun -> begun.pass.reads(begun.buffer, null)),
                pass(kind, "access", begun -> begun.pass.overwrites(begun.texture, null)),
                pass(kind, "range", begun -> begun.pass.reads(begun.texture, null, Access.COPY_SRC)),
                pass(kind, "range", begun -> begun.pass.writes(begun.texture, null, Access.COPY_DST)),
                pass(kind, "range", begun -> begun.pass.writes(begun.texture, null, Access.COPY_DST, begun.group)),
                pass(kind, "range", begun -> begun.pass.overwrites(begun.texture, null, Access.COPY_DST)),
                pass(kind, "access", begun -> begun.pass.reads(begun.texture, range, null)));
    }

    private static List<Case> ofAttachments() {
        PassKind kind = PassKind.RASTER;
        ClearColor black = ClearColor.BLACK_TRANSPARENT;
        return List.of(
                pass(kind, "resource", begun -> begun.pass.color((RdgTexture) null, LoadOp.LOAD, black)),
                pass(kind, "load", begun -> begun.pass.color(begun.texture, null, black)),
                pass(kind, "clear", begun -> begun.pass.color(begun.texture, LoadOp.CLEAR, null)),
                pass(kind, "load", begun -> begun.pass.depth(begun.texture, null, 0)),
                pass(kind, "load", begun -> begun.pass.stencil(begun.texture, null, 0)),
                pass(kind, "mode", begun -> begun.pass.resolve(begun.texture, null)));
    }

    private static List<Case> ofBodies() {
        return List.of(
                pass(PassKind.COPY, "holds", begun -> begun.pass.onlyIf(null)),
                pass(PassKind.COPY, "flag", begun -> begun.pass.flag((PassFlag) null)),
                pass(PassKind.COPY, "commands", begun -> begun.pass.record(null)),
                pass(PassKind.COPY, "commands", begun -> begun.pass.recordParts(2, null)),
                pass(PassKind.COPY, "commands", begun -> begun.pass.recordNative(null)),
                pass(PassKind.HOST, "work", begun -> begun.pass.run(null)));
    }

    @Test
    void aGraphHasAName() {
        assertThatThrownBy(() -> new RenderGraph(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("a graph needs a name: name must not be null");
    }

    @ParameterizedTest
    @MethodSource("cases")
    void isRefusedAndNotDeclared(Object row) {
        Case one = (Case) row;
        Begun begun = new Begun(one.kind());
        assertThatThrownBy(() -> one.deed().accept(begun))
                .isInstanceOf(NullPointerException.class)
                .hasMessage(one.missing() + " must not be null");
        if (one.kind() == PassKind.HOST) {
            begun.pass.flag(PassFlag.NEVER_CULL).run(context -> {});
        } else {
            if (one.kind() == PassKind.RASTER) {
                begun.pass.flag(PassFlag.SKIP_RENDER_PASS);
            }
            begun.pass.flag(PassFlag.NEVER_CULL).record(context -> {});
        }
        FramePlan plan = new RenderGraphCompiler(RdgOptions.defaults())
                .compile(begun.graph, QueueTopology.single(), PlanCase.SIZER);
        assertThat(plan.name()).isEqualTo("frame");
        assertThat(plan.passes()).singleElement().satisfies(pass -> {
            assertThat(pass.name()).isEqualTo("pass");
            assertThat(pass.uses()).isEmpty();
        });
        assertThat(plan.resources()).extracting(FramePlan.ResourcePlan::name).containsExactly("picture", "words");
    }
}
