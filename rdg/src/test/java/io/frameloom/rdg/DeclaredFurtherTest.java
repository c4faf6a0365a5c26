package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.declare.Attachment;
import io.frameloom.rdg.declare.DeclaredGraph;
import io.frameloom.rdg.declare.Mode;
import io.frameloom.rdg.declare.Sharing;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A kept plan is not that of a graph that declares anything more, of whatever it is. */
class DeclaredFurtherTest {
    private static final PassBody BODY = context -> {};

    private final RenderGraph graph = new RenderGraph("further");
    private DeclaredGraph former = graph.declaration().declared().copy();

    @Test
    void everyDeclarationIsSeen() {
        List<RdgTexture> textures = new ArrayList<>();
        List<RdgBuffer> buffers = new ArrayList<>();
        List<PassBuilder> passes = new ArrayList<>();
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
        step("body of the second", () -> passes.get(1).record(BODY));
        step("flag behind the body", () -> passes.get(1).flag(PassFlag.NEVER_CULL));
        step("queue behind the body", () -> passes.get(1).onQueue(0));
        step("order behind the body", () -> passes.get(1).after(passes.get(0)));
        step("order of another pass", () -> passes.get(0).after(passes.get(1)));
        step("pass in between", () -> passes.add(graph.addPass("late", PassKind.RASTER)));
        step("condition", () -> passes.get(2).onlyIf(() -> true));
        step(
                "end of a pass that may be left out",
                () -> passes.get(2)
                        .color(textures.get(0), LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                        .record(BODY));
        step("parts", () -> graph.addPass("parts", PassKind.COMPUTE).recordParts(2, (context, part) -> {}));
        step("extract", () -> graph.extract(textures.get(0), Access.SAMPLED_FRAGMENT));
        step("final access", () -> graph.finalAccess(textures.get(0), Access.COPY_SRC));
    }

    /** The same in another order of calls: passes are declared further after later ones were added. */
    @Test
    void interleavedDeclarationsAreThoseOfOnePassAfterTheOther() {
        RenderGraph other = new RenderGraph("further");
        List<PassBuilder> interleaved = new ArrayList<>();
        for (RenderGraph each : List.of(graph, other)) {
            RdgTexture texture = each.createTexture(
                    "texture", TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED));
            RdgBuffer buffer = each.createBuffer("buffer", BufferDescription.device(64, BufferUsage.STORAGE));
            List<PassBuilder> passes = new ArrayList<>();
            for (int p = 0; p < 3; p++) {
                passes.add(each.addPass("pass " + p, PassKind.RASTER));
                if (each == other) {
                    declare(passes.get(p), passes.get(0), texture, buffer);
                }
            }
            interleaved = each == graph ? passes : interleaved;
            if (each == graph) {
                for (int p : new int[] {1, 0, 2}) {
                    declare(passes.get(p), passes.get(0), texture, buffer);
                }
            }
        }
        DeclaredGraph one = graph.declaration().declared();
        assertThat(DeclaredWords.of(one))
                .isEqualTo(DeclaredWords.of(other.declaration().declared()));
        assertThat(one.isEqualTo(other.declaration().declared())).isTrue();
        interleaved
                .get(0)
                .reads(graph.createBuffer("more", BufferDescription.device(8, BufferUsage.STORAGE)), Access.VERTEX);
        assertThat(DeclaredWords.uses(one, 0)).hasSize(4);
        assertThat(DeclaredWords.uses(one, 1))
                .isEqualTo(DeclaredWords.uses(other.declaration().declared(), 1));
    }

    @Test
    void anotherOrderAndBackIsTheSameGraph() {
        int count = 40;
        RdgBuffer buffer = graph.createBuffer("buffer", BufferDescription.device(64, BufferUsage.STORAGE));
        PassBuilder first = graph.addPass("first", PassKind.COMPUTE);
        for (int p = 1; p < count; p++) {
            RdgTexture texture = graph.createTexture(
                    "texture " + p, TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED));
            declare(graph.addPass("pass " + p, PassKind.RASTER), first, texture, buffer);
        }
        int[] reversed = IntStream.range(0, count).map(p -> count - 1 - p).toArray();
        DeclaredGraph declared = graph.declaration().declared();
        DeclaredGraph back = declared.permuted(reversed).permuted(reversed);
        assertThat(DeclaredWords.of(back)).isEqualTo(DeclaredWords.of(declared));
        assertThat(back.isEqualTo(declared)).isTrue();
        assertThat(declared.permuted(reversed).isEqualTo(declared)).isFalse();
        assertThat(DeclaredWords.of(declared.usable())).isEqualTo(DeclaredWords.of(declared));
    }

    @Test
    void aFrameHasMillionsOfOverlapGroupsAtMost() {
        DeclaredGraph many = new DeclaredGraph("many");
        int buffer = many.addResource(
                "buffer",
                BufferDescription.device(64, BufferUsage.STORAGE),
                Lifetime.TRANSIENT,
                TextureLayout.UNDEFINED,
                Sharing.CONCURRENT,
                null);
        int pass = many.addPass("pass", PassKind.COMPUTE, -1, null);
        for (int group : new int[] {DeclaredGraph.ALONE, DeclaredGraph.NO_GROUP, 0, 2_000_000}) {
            Access access = Access.STORAGE_WRITE_COMPUTE;
            many.addUse(pass, buffer, 0, 8, access, Mode.WRITE, group, null);
            int last = many.uses() - 1;
            assertThat(many.overlap(last)).isEqualTo(group);
            assertThat(many.access(last)).isEqualTo(access);
            assertThat(many.mode(last)).isEqualTo(Mode.WRITE);
            assertThat(many.isPartial(last)).isTrue();
        }
        assertThatThrownBy(
                        () -> many.addUse(pass, buffer, 0, 8, Access.STORAGE_WRITE_COMPUTE, Mode.WRITE, 1 << 22, null))
                .isInstanceOf(RdgException.class)
                .hasMessageContaining("overlap groups");
    }

    private static void declare(PassBuilder pass, PassBuilder first, RdgTexture texture, RdgBuffer buffer) {
        pass.color(texture, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT).reads(buffer, 0, 32, Access.VERTEX);
        if (pass != first) {
            pass.after(first);
        }
        pass.reads(buffer, 32, 32, Access.INDEX);
    }

    /** Names and sites decide nothing, and what a frame binds is not declared here. */
    private void step(String what, Runnable declaration) {
        List<String> words = DeclaredWords.of(former);
        declaration.run();
        DeclaredGraph now = graph.declaration().declared();
        assertThat(former.isEqualTo(now)).as(what).isFalse();
        assertThat(now.isEqualTo(former)).as(what).isFalse();
        assertThat(DeclaredWords.of(former)).as("before %s", what).isEqualTo(words);
        former = now.copy();
        assertThat(former.isEqualTo(now) && now.isEqualTo(former))
                .as("copied after %s", what)
                .isTrue();
        assertThat(DeclaredWords.of(former)).isEqualTo(DeclaredWords.of(now));
    }

    @Test
    void attachmentsOfAFileTakeTheRoomThatTheyNeed() {
        RdgTexture texture = graph.createTexture(
                "texture", TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED));
        graph.addPass("draw", PassKind.RASTER).color(texture, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT);
        DeclaredGraph declared = graph.declaration().declared();
        Attachment one = declared.attachment(0);
        for (int more = 0; more < 40; more++) {
            declared.addAttachment(0, one);
        }
        assertThat(declared.attachments(0)).hasSize(41).containsOnly(one);
    }
}
