package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.PlanDerivation;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.capture.Capture;
import io.frameloom.rdg.capture.CapturedTexture;
import io.frameloom.rdg.diagnostics.Breakpoint;
import io.frameloom.rdg.diagnostics.NameFilter;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.diagnostics.RdgListener;
import io.frameloom.rdg.diagnostics.RdgWatch;
import io.frameloom.rdg.utility.ClearPasses;
import io.frameloom.rdg.utility.ReadbackPasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Textures are read back as they were behind the write that was named, whatever becomes of them later. */
class CaptureFramesTest {
    private static final TextureDescription PICTURE = TextureDescription.of(
                    8, 4, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED)
            .withMips(2);

    @TempDir
    private Path folder;

    private static RdgDiagnostics capture(String... expressions) {
        return RdgDiagnostics.none()
                .withCaptures(Arrays.stream(expressions).map(Capture::parse).toList());
    }

    private static ClearColor color(double red, double green, double blue) {
        return new ClearColor(red, green, blue, 1);
    }

    private static List<CapturedTexture> captures(DeviceRig rig, RenderGraph graph) {
        return captures(rig, rig.compile(graph));
    }

    private static List<CapturedTexture> captures(DeviceRig rig, FramePlan plan) {
        FrameHandle handle = rig.executor.execute(plan);
        handle.completed().await();
        return handle.captures().stream().map(future -> future.join()).toList();
    }

    private static float[] texel(CapturedTexture texture) {
        return new float[] {
            texture.number(0, 0, 0), texture.number(0, 0, 1), texture.number(0, 0, 2), texture.number(0, 0, 3)
        };
    }

    /** Red, then a green mip 1, then blue all over; what is read after that is read by nobody else. */
    private static RenderGraph threeVersions() {
        RenderGraph graph = new RenderGraph("frame");
        RdgTexture picture = graph.createTexture("picture", PICTURE);
        ClearPasses.texture(graph, picture, color(1, 0, 0));
        ClearPasses.texture(graph, picture.mip(1), color(0, 1, 0));
        ReadbackPasses.texture(graph, picture);
        ReadbackPasses.texture(graph, picture, TextureRegion.mip(PICTURE, 1));
        ClearPasses.texture(graph, picture, color(0, 0, 1));
        ReadbackPasses.texture(graph, picture);
        return graph;
    }

    @ParameterizedTest
    @EnumSource
    void everyVersionIsWhatItsWriterLeft(TestDevice device) {
        everyVersionIsWhatItsWriterLeft(device, true);
    }

    @ParameterizedTest
    @EnumSource
    void everyVersionIsWhatItsWriterLeftWithoutSharedMemory(TestDevice device) {
        everyVersionIsWhatItsWriterLeft(device, false);
    }

    private static void everyVersionIsWhatItsWriterLeft(TestDevice device, boolean aliasing) {
        RdgDiagnostics asked = capture("picture@1", "picture@2:mip=1", "picture@2", "picture@3", "picture")
                .withCaptureAliasing(aliasing);
        device.run(asked, rig -> {
            List<CapturedTexture> pictures = captures(rig, threeVersions());
            assertThat(pictures).hasSize(5);
            assertThat(pictures).extracting(CapturedTexture::version).containsExactly(1, 2, 2, 3, 3);
            assertThat(texel(pictures.get(0))).containsExactly(1, 0, 0, 1);
            assertThat(texel(pictures.get(1))).containsExactly(0, 1, 0, 1);
            assertThat(pictures.get(1).width()).isEqualTo(4);
            assertThat(pictures.get(1).height()).isEqualTo(2);
            assertThat(texel(pictures.get(2))).containsExactly(1, 0, 0, 1);
            assertThat(texel(pictures.get(3))).containsExactly(0, 0, 1, 1);
            assertThat(texel(pictures.get(4))).containsExactly(0, 0, 1, 1);
        });
    }

    @ParameterizedTest
    @EnumSource
    void oneLayerOfManyIsRead(TestDevice device) {
        device.run(capture("layers:layer=1", "layers:layer=2"), rig -> {
            RenderGraph graph = new RenderGraph("frame");
            RdgTexture layers = graph.createTexture("layers", PICTURE.withLayers(3));
            for (int layer = 0; layer < 3; layer++) {
                ClearPasses.texture(graph, layers.layer(layer), color(layer / 2.0, 0, 0));
            }
            ReadbackPasses.texture(graph, layers);
            List<CapturedTexture> pictures = captures(rig, graph);
            assertThat(texel(pictures.get(0))[0]).isBetween(0.49f, 0.51f);
            assertThat(texel(pictures.get(1))[0]).isEqualTo(1);
        });
    }

    @ParameterizedTest
    @EnumSource
    void depthAndStencilAreRead(TestDevice device) {
        device.run(capture("planes", "planes:channel=stencil", "depth"), rig -> {
            Format both = Format.DEPTH_STENCIL.stream()
                    .filter(format -> rig.device.formatSupport(format).depthAttachment())
                    .findFirst()
                    .orElseThrow();
            RenderGraph graph = new RenderGraph("frame");
            RdgTexture planes =
                    graph.createTexture("planes", TextureDescription.of(4, 4, both, TextureUsage.DEPTH_ATTACHMENT));
            RdgTexture depth = graph.createTexture(
                    "depth", TextureDescription.of(4, 4, Format.D32_SFLOAT, TextureUsage.DEPTH_ATTACHMENT));
            ClearPasses.depthStencil(graph, planes, 0.75f, 7);
            ClearPasses.depthStencil(graph, depth, 0.25f, 0);
            ReadbackPasses.texture(graph, planes);
            ReadbackPasses.texture(graph, depth);
            List<CapturedTexture> pictures = captures(rig, graph);
            assertThat(texel(pictures.get(0))[0]).isBetween(0.7499f, 0.7501f);
            assertThat(texel(pictures.get(1))[0]).isEqualTo(7);
            assertThat(texel(pictures.get(2))[0]).isEqualTo(0.25f);
        });
    }

    @ParameterizedTest
    @EnumSource
    void anExternalThatNobodyWritesIsReadAsItIs(TestDevice device) {
        device.run(capture("given"), rig -> {
            try (Texture given = rig.device.createTexture(
                    "given",
                    TextureDescription.of(
                            4,
                            4,
                            Format.R32_SFLOAT,
                            TextureUsage.SAMPLED,
                            TextureUsage.COPY_SRC,
                            TextureUsage.COPY_DST))) {
                fill(rig, given);
                RenderGraph graph = new RenderGraph("frame");
                RdgTexture texture = graph.registerExternal(given, TextureLayout.SHADER_RO);
                graph.finalAccess(texture, Access.SAMPLED_COMPUTE);
                graph.addPass("sample", PassKind.COMPUTE)
                        .reads(texture, Access.SAMPLED_COMPUTE)
                        .flag(PassFlag.NEVER_CULL)
                        .record(context -> {});
                FramePlan plan = rig.compile(graph);
                assertThat(plan.epochs())
                        .filteredOn(epoch -> epoch.resource() == texture.index())
                        .extracting(PlanDerivation.Epoch::layout)
                        .containsExactly(TextureLayout.SHADER_RO, TextureLayout.TRANSFER_SRC);
                for (int frame = 0; frame < 3; frame++) {
                    CapturedTexture picture = captures(rig, plan).get(0);
                    assertThat(picture.version()).isZero();
                    assertThat(texel(picture)[0]).isEqualTo(42);
                }
                rig.executor.close();
            }
        });
    }

    /** Otherwise sampling and copying share the layout GENERAL, of which validation layers warn. */
    @ParameterizedTest
    @EnumSource
    void aCaptureBetweenReadsKeepsTheLayoutOfCopies(TestDevice device) {
        device.run(capture("picture", "picture"), rig -> {
            RenderGraph graph = new RenderGraph("frame");
            RdgTexture picture = graph.createTexture("picture", PICTURE);
            ClearPasses.texture(graph, picture, color(0, 1, 0));
            for (int i = 0; i < 2; i++) {
                graph.addPass("sample " + i, PassKind.COMPUTE)
                        .reads(picture, Access.SAMPLED_COMPUTE)
                        .flag(PassFlag.NEVER_CULL)
                        .record(context -> {});
            }
            FramePlan plan = rig.compile(graph);
            assertThat(plan.epochs())
                    .filteredOn(epoch -> !epoch.write() && epoch.resource() == picture.index())
                    .extracting(PlanDerivation.Epoch::layout)
                    .contains(TextureLayout.TRANSFER_SRC, TextureLayout.SHADER_RO)
                    .doesNotContain(TextureLayout.GENERAL);
            assertThat(captures(rig, plan))
                    .allSatisfy(captured -> assertThat(texel(captured)).containsExactly(0, 1, 0, 1));
        });
    }

    private static void fill(DeviceRig rig, Texture given) {
        RenderGraph graph = new RenderGraph("fill");
        RdgTexture texture = graph.registerExternal(given, TextureLayout.UNDEFINED);
        graph.finalAccess(texture, Access.SAMPLED_COMPUTE);
        ClearPasses.texture(graph, texture, new ClearColor(42, 0, 0, 0));
        rig.executor.execute(rig.compile(graph)).completed().await();
    }

    @ParameterizedTest
    @EnumSource
    void picturesAreWrittenToTheFolder(TestDevice device) throws IOException {
        device.run(capture("picture@2:mip=1", "picture:as=pfm").withCaptureFolder(folder.resolve("deep")), rig -> {
            captures(rig, threeVersions());
        });
        try (Stream<Path> files = Files.list(folder.resolve("deep"))) {
            assertThat(files.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("frame0 picture@2.mip1.png", "frame0 picture@3.pfm");
        }
        byte[] map = Files.readAllBytes(folder.resolve("deep/frame0 picture@3.pfm"));
        assertThat(map).hasSize("PF\n8 4\n-1.0\n".length() + 8 * 4 * 3 * 4);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "pictur|no such texture, the nearest are 'picture'",
                "picture@4|only the versions @1 by 'clear picture', @2 by 'clear picture', @3 by",
                "picture:mip=2|2 mips and 1 layer, the last ones are mip=1 and layer=0",
                "picture:layer=1|2 mips and 1 layer",
                "picture:channel=stencil|has no stencil",
                "unseen|'draw unseen' alone, which was removed: no output of the frame needs what it writes: unseen; extract that",
                "never|no pass writes it"
            })
    void saysWhatCannotBeCaptured(String expression, String part) {
        TestDevice.VIRTUAL.run(capture(expression), rig -> {
            RenderGraph graph = threeVersions();
            RdgTexture unseen = graph.createTexture("unseen", PICTURE);
            graph.createTexture("never", PICTURE);
            graph.addPass("draw unseen", PassKind.RASTER)
                    .color(unseen, LoadOp.CLEAR, color(0, 0, 0))
                    .record(context -> {});
            assertThatThrownBy(() -> rig.compile(graph))
                    .isInstanceOf(RdgException.class)
                    .hasMessageContaining("cannot capture '" + expression + "' in graph 'frame'")
                    .hasMessageContaining(part)
                    .message()
                    .doesNotContain("\n");
        });
    }

    /** A property speaks to a whole program, whose graphs have different textures. */
    @ParameterizedTest
    @EnumSource
    void aPropertyCapturesWhereTheTextureIsAndTellsWhenItWasNowhere(TestDevice device) {
        List<String> told = new ArrayList<>();
        RdgListener listener = new RdgListener() {
            @Override
            public void reached(Breakpoint moment, String graph, String subject) {}

            @Override
            public void transition(String graph, String line) {}

            @Override
            public void notCaptured(Capture capture, String hint) {
                told.add(capture + ": " + hint);
            }
        };
        RdgDiagnostics watched = RdgDiagnostics.none()
                .withCaptureFolder(folder)
                .withWatch(RdgWatch.none().withListener(listener));
        System.setProperty("frameloom.rdg.capture", "picture@1;other;pictur");
        try {
            device.run(watched, rig -> {
                assertThat(captures(rig, threeVersions())).hasSize(1);
                RenderGraph second = new RenderGraph("second");
                RdgTexture other = second.createTexture("other", PICTURE);
                ClearPasses.texture(second, other, color(0, 1, 0));
                ReadbackPasses.texture(second, other);
                List<CapturedTexture> pictures = captures(rig, second);
                assertThat(pictures).hasSize(1);
                assertThat(texel(pictures.get(0))).containsExactly(0, 1, 0, 1);
                assertThat(told).isEmpty();
                rig.executor.close();
                assertThat(told).containsExactly("pictur: the nearest are 'picture', 'other'");
                rig.executor.close();
                assertThat(told).hasSize(1);
            });
        } finally {
            System.clearProperty("frameloom.rdg.capture");
        }
    }

    @ParameterizedTest
    @EnumSource
    void onlyGraphsThatTheFilterChoosesAreCaptured(TestDevice device) {
        RdgDiagnostics asked = capture("picture").withWatch(RdgWatch.none().withGraphs(new NameFilter("!frame")));
        device.run(asked, rig -> assertThat(captures(rig, threeVersions())).isEmpty());
    }

    @ParameterizedTest
    @EnumSource
    void aGraphInAnyOrderIsCapturedInTheOrderOfItsPlan(TestDevice device) {
        device.run(capture("late"), rig -> {
            RenderGraph graph = new RenderGraph("frame");
            RdgTexture late = graph.createTexture("late", PICTURE);
            RdgTexture copy = graph.createTexture("copy", PICTURE);
            graph.addPass("copy", PassKind.COPY)
                    .reads(late, SubresourceRange.mip(0), Access.COPY_SRC)
                    .overwrites(copy, SubresourceRange.mip(0), Access.COPY_DST)
                    .record(context -> context.commands().copyTexture(context.texture(late), context.texture(copy)));
            ClearPasses.texture(graph, late, color(0, 1, 0));
            var pixels = ReadbackPasses.texture(graph, copy);
            assertThat(texel(captures(rig, rig.compileUnordered(graph)).get(0))).containsExactly(0, 1, 0, 1);
            assertThat(pixels.bytes().join().getInt(0)).isEqualTo(0xFF00FF00);
        });
    }
}
