package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.ResolveMode;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.compile.validate.PassErrors;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The compiler checks only passes in full that a quick look finds suspect, and finds what it would find in all. */
class SuspectPassesTest {
    private static final ClearColor BLACK = ClearColor.BLACK_TRANSPARENT;
    private static final Format DEPTH_STENCIL = Format.D32_SFLOAT_S8_UINT;
    private static final List<QueueTopology> DEVICES = List.of(
            QueueTopology.single(),
            QueueTopology.graphicsAndCompute(),
            new QueueTopology(List.of(new QueueTopology.Queue("compute", QueueKind.COMPUTE, 0))));

    private final RenderGraph graph = new RenderGraph("suspects", RdgOptions.defaults());
    private final RdgBuffer outside = graph.registerExternal(FakeResources.buffer("outside", 64));

    private int passes;

    private PassBuilder pass(PassKind kind) {
        return graph.addPass("pass " + passes++, kind);
    }

    private static void end(PassBuilder pass, PassKind kind) {
        if (kind == PassKind.HOST) {
            pass.run(context -> {});
        } else {
            pass.record(context -> {});
        }
    }

    /** Some declarations are refused at once. */
    private void tried(PassKind kind, Consumer<PassBuilder> declaration) {
        PassBuilder pass = pass(kind);
        try {
            declaration.accept(pass);
        } catch (RdgException refused) {
            assertThat(refused).isNotInstanceOf(RdgValidationException.class);
        }
        end(pass, kind);
    }

    /** Returns how many errors there are on any device. */
    private int requireSameErrors() {
        int count = 0;
        DeclaredGraph declared = graph.declaration().declared();
        for (QueueTopology queues : DEVICES) {
            for (PassOrder order : PassOrder.values()) {
                for (int mostColors = 0; mostColors < 3; mostColors++) {
                    List<String> expected = PassErrors.ofAll(declared, order, queues, mostColors);
                    assertThat(PassErrors.ofSuspects(declared, order, queues, mostColors))
                            .isEqualTo(expected);
                    count += expected.size();
                }
            }
        }
        return count;
    }

    private static TextureDescription texture(Format format) {
        return TextureDescription.of(64, 64, format);
    }

    @Test
    void everyUseOfEveryKindOfResource() {
        Set<TextureUsage> sampled = EnumSet.of(TextureUsage.SAMPLED);
        List<RdgTexture> textures = new ArrayList<>();
        for (Format format : List.of(Format.R8G8B8A8_UNORM, Format.D32_SFLOAT, DEPTH_STENCIL, Format.S8_UINT)) {
            textures.add(graph.createTexture(format.name(), texture(format)));
            textures.add(graph.registerExternal(
                    FakeResources.texture("any " + format, 1, 1, format), TextureLayout.GENERAL));
            textures.add(graph.registerExternal(
                    FakeResources.made("some " + format, texture(format).withUsage(sampled)), TextureLayout.GENERAL));
        }
        List<RdgBuffer> buffers = List.of(
                outside,
                graph.createBuffer("device", BufferDescription.device(64)),
                graph.createBuffer("mapped", BufferDescription.upload(64)),
                graph.registerExternal(FakeResources.buffer("some", BufferDescription.device(64, BufferUsage.UNIFORM))),
                graph.registerExternal(FakeResources.buffer(
                        "some mapped",
                        new BufferDescription(64, EnumSet.of(BufferUsage.COPY_DST), MemoryUsage.READBACK))));
        for (PassKind kind : PassKind.values()) {
            for (Access access : Access.values()) {
                for (RdgTexture texture : textures) {
                    tried(kind, pass -> pass.reads(texture, access));
                    tried(kind, pass -> pass.writes(texture, access).flag(PassFlag.ASYNC_COMPUTE));
                }
                for (RdgBuffer buffer : buffers) {
                    tried(kind, pass -> pass.reads(buffer, access).flag(PassFlag.ASYNC_COMPUTE));
                    tried(kind, pass -> pass.overwrites(buffer, access));
                }
            }
        }
        assertThat(requireSameErrors()).isGreaterThan(1000);
    }

    @Test
    void everyPairOfTargets() {
        TextureDescription plain = texture(Format.R8G8B8A8_UNORM);
        RdgTexture color = graph.createTexture("color", plain.withMips(2).withLayers(2));
        RdgTexture small = graph.createTexture("small", TextureDescription.of(32, 32, Format.R8G8B8A8_UNORM));
        RdgTexture samples = graph.createTexture("samples", plain.withSamples(4));
        RdgTexture volume = graph.createTexture("volume", plain.withDepth(4));
        RdgTexture depth = graph.createTexture("depth", texture(Format.D32_SFLOAT));
        RdgTexture both = graph.createTexture("both", texture(DEPTH_STENCIL));
        RdgTexture stencil = graph.createTexture("stencil", texture(Format.S8_UINT));
        RdgTexture foreign = new RenderGraph("other", RdgOptions.defaults()).createTexture("foreign", plain);
        List<Consumer<PassBuilder>> targets = List.of(
                pass -> {},
                pass -> pass.color(color, LoadOp.CLEAR, BLACK),
                pass -> pass.color(color, 1, 0, LoadOp.CLEAR, BLACK),
                pass -> pass.color(color, 0, 1, LoadOp.LOAD, BLACK),
                pass -> pass.color(color, 2, 0, LoadOp.CLEAR, BLACK),
                pass -> pass.color(color.view(new SubresourceRange(0, 1, 0, 2, 0, 1)), LoadOp.CLEAR, BLACK),
                pass -> pass.color(color.view(), LoadOp.CLEAR, BLACK),
                pass -> pass.color(small, LoadOp.CLEAR, BLACK),
                pass -> pass.color(samples, LoadOp.CLEAR, BLACK),
                pass -> pass.color(volume, LoadOp.CLEAR, BLACK),
                pass -> pass.colorSlices(volume, 0, 1, 2, LoadOp.CLEAR, BLACK),
                pass -> pass.color(foreign, LoadOp.CLEAR, BLACK),
                pass -> pass.color(depth, LoadOp.CLEAR, BLACK),
                pass -> pass.depth(color, LoadOp.CLEAR, 1),
                pass -> pass.depth(depth, LoadOp.CLEAR, 1),
                pass -> pass.depthReadOnly(depth),
                pass -> pass.depth(both, LoadOp.CLEAR, 1),
                pass -> pass.depth(stencil, LoadOp.CLEAR, 1),
                pass -> pass.stencil(depth, LoadOp.CLEAR, 1),
                pass -> pass.stencil(both, LoadOp.CLEAR, 1),
                pass -> pass.stencil(stencil, LoadOp.CLEAR, 1),
                pass -> pass.resolve(small),
                pass -> pass.resolve(depth, ResolveMode.SAMPLE_ZERO),
                pass -> pass.renderArea(0, 0, 48, 48),
                pass -> pass.flag(PassFlag.SKIP_RENDER_PASS),
                pass -> pass.onlyIf(() -> true));
        for (PassKind kind : List.of(PassKind.RASTER, PassKind.COMPUTE)) {
            for (Consumer<PassBuilder> first : targets) {
                for (Consumer<PassBuilder> second : targets) {
                    tried(kind, first.andThen(second));
                }
            }
        }
        assertThat(requireSameErrors()).isGreaterThan(500);
    }

    @Test
    void everyFlagAndQueueOfEveryKind() {
        for (PassKind kind : PassKind.values()) {
            for (PassFlag flag : PassFlag.values()) {
                for (PassFlag other : PassFlag.values()) {
                    end(pass(kind).flag(flag).flag(other), kind);
                }
                PassBuilder late = pass(kind);
                end(late, kind);
                late.flag(flag);
            }
            for (int queue = 0; queue < 4; queue++) {
                end(pass(kind).onQueue(queue), kind);
            }
            PassBuilder early = pass(kind);
            early.after(pass(kind));
            end(early, kind);
        }
        assertThat(requireSameErrors()).isGreaterThan(100);
    }

    /** Otherwise the compiler would look at each pass of each frame. */
    @Test
    void nothingIsSuspectAboutOrdinaryPasses() {
        RdgTexture color = graph.createTexture("color", texture(Format.R8G8B8A8_UNORM));
        RdgTexture normals = graph.createTexture("normals", texture(Format.R16G16B16A16_SFLOAT));
        RdgTexture depth = graph.createTexture("depth", texture(Format.D32_SFLOAT));
        RdgBuffer lights = graph.createBuffer("lights", BufferDescription.device(64));
        TextureDescription shown = texture(Format.R8G8B8A8_UNORM).withUsage(EnumSet.of(TextureUsage.COLOR_ATTACHMENT));
        RdgTexture screen = graph.registerExternal(FakeResources.made("screen", shown), TextureLayout.UNDEFINED);
        pass(PassKind.RASTER)
                .color(color, LoadOp.CLEAR, BLACK)
                .color(normals, LoadOp.CLEAR, BLACK)
                .depth(depth, LoadOp.CLEAR, 1)
                .record(context -> {});
        pass(PassKind.COMPUTE)
                .flag(PassFlag.ASYNC_COMPUTE)
                .reads(depth, Access.SAMPLED_COMPUTE)
                .overwrites(lights, 0, 32, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        pass(PassKind.RASTER)
                .reads(normals, Access.SAMPLED_FRAGMENT)
                .reads(lights, Access.STORAGE_READ_FRAGMENT)
                .color(screen, LoadOp.DONT_CARE, BLACK)
                .depthReadOnly(depth)
                .record(context -> {});
        pass(PassKind.COPY)
                .flag(PassFlag.READBACK)
                .reads(lights, Access.COPY_SRC)
                .writes(outside, Access.COPY_DST)
                .record(context -> {});
        DeclaredGraph declared = graph.declaration().declared();
        assertThat(IntStream.range(0, declared.passes())).noneMatch(pass -> PassErrors.isSuspect(declared, pass));
        assertThat(PassErrors.ofAll(declared, PassOrder.DECLARED, QueueTopology.single(), 8))
                .isEmpty();
        assertThat(requireSameErrors()).isGreaterThan(0);
    }
}
