package io.frameloom.samples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.gpu.vulkan.VulkanDeviceInfo;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.capture.Capture;
import io.frameloom.rdg.capture.CapturedTexture;
import io.frameloom.samples.frame.DeferredFrame;
import io.frameloom.samples.gltf.GltfLoader;
import io.frameloom.samples.gltf.SmallModel;
import io.frameloom.samples.scene.DrawItem;
import io.frameloom.samples.scene.FrameSnapshot;
import io.frameloom.samples.scene.FrameView;
import io.frameloom.samples.scene.Scene;
import io.frameloom.samples.scene.Simulation;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.trace.TraceRecorder;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import org.assertj.core.api.SoftAssertions;
import org.joml.Vector3f;
import org.joml.Vector4f;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What shaders and pipelines make of a glTF model: one picture of a square for each thing, compared texel by texel. */
final class ModelPictureTest {
    private static final int WIDTH = 160;
    private static final int HEIGHT = 120;

    @TempDir
    private Path root;

    private final SmallModel model = new SmallModel();
    private final List<String> nodes = new ArrayList<>();
    private final List<String> meshes = new ArrayList<>();
    private final List<String> materials = new ArrayList<>();

    /** Adds a square in a place of its own, whose vertices have these attributes. */
    private void square(String name, String node, String material, String attributes) {
        square(name, node, material, attributes, nodes.size(), 0);
    }

    private void square(String name, String node, String material, String attributes, int place, double z) {
        nodes.add("{\"mesh\":%d,\"translation\":[%d,%d,%s]%s}"
                .formatted(meshes.size(), 3 * (place % 4), 3 * (place / 4), z, node));
        meshes.add("{\"name\":\"%s\",\"primitives\":[{\"mode\":5,\"material\":%d,\"attributes\":{\"POSITION\":%d%s}}]}"
                .formatted(
                        name,
                        materials.size(),
                        model.floats("VEC3", -1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0),
                        attributes));
        materials.add("{\"name\":\"%s\"%s}".formatted(name, material));
    }

    private String all(String attribute, double... vertex) {
        double[] values = new double[4 * vertex.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = vertex[i % vertex.length];
        }
        return ",\"%s\":%d".formatted(attribute, model.floats("VEC" + vertex.length, values));
    }

    private static byte[] png(int... rgb) throws IOException {
        int side = rgb.length == 1 ? 1 : 2;
        BufferedImage image = new BufferedImage(side, side, BufferedImage.TYPE_INT_RGB);
        image.setRGB(0, 0, side, side, rgb, 0, side);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ImageIO.write(image, "png", out);
        return out.toByteArray();
    }

    private static String textured(String more) {
        return ",\"pbrMetallicRoughness\":{\"metallicFactor\":0,\"baseColorTexture\":{\"index\":%s}}".formatted(more);
    }

    private static String colored(double red, double green, double blue) {
        return ",\"pbrMetallicRoughness\":{\"metallicFactor\":0,\"baseColorFactor\":[%s,%s,%s,1]}"
                .formatted(red, green, blue);
    }

    @Test
    void showsEachThing() throws Exception {
        boolean usable = VulkanDevices.list().stream().anyMatch(VulkanDeviceInfo::usable);
        assumeTrue(usable, "no usable Vulkan device: " + VulkanDevices.unavailableReason());
        String front = all("NORMAL", 0, 0, 1);
        String back = ",\"rotation\":[0,1,0,0]";
        String uv = ",\"TEXCOORD_0\":" + model.floats("VEC2", 0, 1, 1, 1, 0, 0, 1, 0);
        String mirroredUv = ",\"TEXCOORD_0\":" + model.floats("VEC2", 1, 1, 0, 1, 1, 0, 0, 0);
        square("colour", "", colored(1, 0.5, 1), front + all("COLOR_0", 0.5, 1, 0));
        square(
                "second coordinates",
                "",
                textured("0,\"texCoord\":1"),
                front + all("TEXCOORD_0", 0.25, 0.25) + all("TEXCOORD_1", 0.75, 0.25));
        square("sampler", "", textured("1"), front + all("TEXCOORD_0", 1.25, 3));
        square("mirrored", ",\"scale\":[-1,1,1]", colored(0, 0, 1), front);
        square("behind", "", colored(0, 1, 0), front, 4, -0.2);
        square("one-sided", back, colored(1, 0, 0) + ",\"alphaMode\":\"MASK\",\"alphaCutoff\":0.1", front, 4, 0);
        square("two-sided", back, colored(1, 1, 0) + ",\"doubleSided\":true", front, 5, 0);
        square("occluded", "", ",\"occlusionTexture\":{\"index\":2,\"strength\":0.5}", front + uv, 6, 0);
        square("green up", "", ",\"normalTexture\":{\"index\":3}", front + uv, 7, 0);
        square("green up, mirrored", "", ",\"normalTexture\":{\"index\":3}", front + mirroredUv, 8, 0);
        square("flat", "", colored(0, 1, 1), "", 9, 0);
        square(
                "transformed",
                "",
                textured("0,\"extensions\":{\"KHR_texture_transform\":{\"offset\":[1,0.5],\"scale\":[-2,2],"
                        + "\"rotation\":1.57079632679}}"),
                front + all("TEXCOORD_0", 0.125, 0.125),
                10,
                0);
        byte[] glb = model.glb(("\"nodes\":[%s],\"meshes\":[%s],\"materials\":[%s],"
                        + "\"textures\":[{\"source\":0,\"sampler\":0},{\"source\":0,\"sampler\":1},{\"source\":1},{\"source\":2}],"
                        + "\"samplers\":[{\"magFilter\":9728,\"minFilter\":9728},"
                        + "{\"magFilter\":9728,\"minFilter\":9728,\"wrapS\":33648,\"wrapT\":33071}],"
                        + "\"images\":[%s]")
                .formatted(
                        String.join(",", nodes),
                        String.join(",", meshes),
                        String.join(",", materials),
                        String.join(
                                ",",
                                image(png(0xFF0000, 0x00FF00, 0x0000FF, 0xFFFFFF)),
                                image(png(0x400000)),
                                image(png(0x80DADA)))));
        Path file = Files.write(root.resolve("squares.glb"), glb);
        Scene scene = GltfLoader.load(file, note -> {});
        FrameView view = new FrameView();
        List<CapturedTexture> captured = render(scene, view);
        SoftAssertions all = new SoftAssertions();
        CapturedTexture albedo = captured.get(0);
        CapturedTexture normal = captured.get(1);
        check(all, scene, view, albedo, "colour", 0.5f, 0.5f, 0);
        check(all, scene, view, albedo, "second coordinates", 0, 1, 0);
        check(all, scene, view, albedo, "sampler", 1, 1, 1);
        // (0.125, 0.125) scaled by (-2, 2), turned and moved is (1.25, 0.75).
        check(all, scene, view, albedo, "transformed", 0, 0, 1);
        check(all, scene, view, albedo, "mirrored", 0, 0, 1);
        check(all, scene, view, normal, "mirrored", 0, 0, 1);
        check(all, scene, view, albedo, "behind", 0, 1, 0);
        check(all, scene, view, albedo, "two-sided", 1, 1, 0);
        check(all, scene, view, normal, "two-sided", 0, 0, 1);
        // Its length is 1 without occlusion and 0.5 with all of it; half of three quarters is left here.
        check(all, scene, view, normal, "occluded", 0, 0, 0.8125f);
        check(all, scene, view, normal, "green up", 0, 0.707f, 0.707f);
        check(all, scene, view, normal, "green up, mirrored", 0, 0.707f, 0.707f);
        check(all, scene, view, normal, "flat", 0, 0, 1);
        all.assertAll();
    }

    /** Renders two frames; returns albedo and normals, and where the camera was. */
    private static List<CapturedTexture> render(Scene scene, FrameView view) {
        try (TaskGraph tasks = TaskGraph.builder().workers(1).build()) {
            tasks.attach(NamedThread.GAME);
            tasks.start(NamedThread.RENDER);
            tasks.start(NamedThread.RHI);
            try (GpuDevice device = GpuDevices.open(
                            new DeviceSelector.Auto(), new DeviceOptions(tasks, "model picture", true, null));
                    FrameLoop loop = new FrameLoop(
                            device, tasks, new TraceRecorder(), scene, WIDTH, HEIGHT, 1, RdgOptions.defaults(), 0)) {
                assertThat(loop.run(() -> false, begun -> {})).isTrue();
                List<CapturedTexture> captured = loop.capture(
                        List.of(Capture.parse("g-buffer albedo"), Capture.parse("g-buffer normal")), warning -> {});
                assertThat(device.validationMessages()).isEmpty();
                FrameSnapshot snapshot = new FrameSnapshot(scene);
                new Simulation(scene, tasks, WIDTH, HEIGHT, DeferredFrame.SHADOW_EXTENT).simulate(snapshot, 0, 0, 0);
                view.viewProjection.set(snapshot.view.viewProjection);
                return captured;
            } finally {
                tasks.detach(NamedThread.GAME);
            }
        }
    }

    private String image(byte[] png) {
        return "{\"bufferView\":%d,\"mimeType\":\"image/png\"}".formatted(model.view(png));
    }

    private static void check(
            SoftAssertions all, Scene scene, FrameView view, CapturedTexture texture, String mesh, float... expected) {
        DrawItem draw = scene.draws().stream()
                .filter(item -> scene.meshes().get(item.mesh()).name().equals(mesh))
                .findFirst()
                .orElseThrow();
        Vector3f center = draw.transform().transformPosition(new Vector3f());
        Vector4f clip = view.viewProjection.transform(new Vector4f(center, 1));
        int x = (int) ((clip.x / clip.w + 1) / 2 * WIDTH);
        int y = (int) ((clip.y / clip.w + 1) / 2 * HEIGHT);
        all.assertThat(new float[] {texture.number(x, y, 0), texture.number(x, y, 1), texture.number(x, y, 2)})
                .as("%s at %d, %d", mesh, x, y)
                .containsExactly(expected, within(0.02f));
    }
}
