package io.frameloom.samples.demo;

import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.rdg.capture.Png;
import io.frameloom.rdg.options.PrintableText;
import io.frameloom.rdg.tools.range.FrameFolder;
import io.frameloom.rdg.tools.range.FrameFolderException;
import io.frameloom.rdg.tools.range.FrameRange;
import io.frameloom.samples.IoReasons;
import io.frameloom.samples.Progress;
import io.frameloom.samples.frame.MeshletForm;
import io.frameloom.samples.gltf.GltfLoader;
import io.frameloom.samples.gltf.ModelException;
import io.frameloom.samples.scene.Scene;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** Writes the pictures of a range of frames that a folder lacks. On GAME. */
final class RangeRun {
    private final DemoOptions options;
    private final FrameRange range;
    private final PrintWriter out;

    RangeRun(DemoOptions options, FrameRange range, PrintWriter out) {
        this.options = options;
        this.range = range;
        this.out = out;
    }

    /**
     * Renders what is missing. What was written stays, whatever happens.
     *
     * @param loop makes the loop, if there is something to render
     * @param failed receives what ends the loop, before it is closed
     * @return whether nothing is missing any more; it is after a stop
     * @throws UsageException if the device renders no pictures, or the folder is of no use
     */
    boolean render(
            GpuDevice device,
            Supplier<FrameLoop> loop,
            BiConsumer<FrameLoop, Throwable> failed,
            Scene scene,
            StopSignal stop)
            throws UsageException {
        DeviceCapabilities capabilities = device.capabilities();
        if (!capabilities.renders()) {
            throw new UsageException("--frames " + range + " writes pictures, and " + capabilities.name()
                    + " renders none; install a Vulkan driver (Debian, Ubuntu: apt install libvulkan1"
                    + " mesa-vulkan-drivers), or name another --device");
        }
        try {
            FrameFolder folder = FrameFolder.open(options.out(), range, "png", settings(capabilities, scene));
            int lacking = folder.missing().size();
            List<FrameRange.Step> steps = folder.steps();
            boolean complete = steps.isEmpty() || render(steps, folder, loop, failed, stop);
            int left = folder.missing().size();
            out.println("frames   " + range + ": " + (range.count() - lacking) + " were there, " + (lacking - left)
                    + " rendered, " + (steps.size() - lacking) + " more for their history, " + left + " missing");
            out.println("written  " + PrintableText.of(options.out().toString()));
            return complete;
        } catch (FrameFolderException e) {
            throw new UsageException("--out: " + e.getMessage(), e);
        }
    }

    private boolean render(
            List<FrameRange.Step> steps,
            FrameFolder folder,
            Supplier<FrameLoop> opening,
            BiConsumer<FrameLoop, Throwable> failed,
            StopSignal stop)
            throws FrameFolderException {
        try (FrameLoop loop = opening.get();
                Progress progress = new Progress(
                        out, steps.size(), (done, perSecond) -> DemoRunner.framesDone(done, steps.size(), perSecond))) {
            try {
                if (options.particles()) {
                    loop.showParticles();
                }
                MeshletForm meshlets = options.meshlets();
                if (meshlets != null) {
                    loop.drawMeshlets(meshlets);
                }
                return loop.run(
                        steps,
                        (frame, picture) -> folder.write(
                                frame, file -> Png.write(file, options.width(), options.height(), picture)),
                        stop::requested,
                        progress::update);
            } catch (RuntimeException | Error failure) {
                failed.accept(loop, failure);
                throw failure;
            }
        }
    }

    private Map<String, String> settings(DeviceCapabilities capabilities, Scene scene) throws UsageException {
        Map<String, String> settings = new LinkedHashMap<>();
        // Pictures of another version may differ.
        settings.put("program", DemoCommand.VERSION);
        settings.put("scene", scene.name());
        Path model = options.model();
        if (model != null) {
            settings.put("model", digest(model));
            settings.put("animation", options.animation() == null ? "" : options.animation());
        }
        if (options.particles()) {
            settings.put("particles", "yes");
        }
        settings.put("size", options.width() + "x" + options.height());
        settings.put("device", capabilities.name());
        settings.put("driver", capabilities.driver());
        return settings;
    }

    /** Of a model and the files that it refers to, in the order of its references. */
    static String digest(Path model) throws UsageException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            MessageDigest each = MessageDigest.getInstance("SHA-256");
            for (Path file : GltfLoader.files(model)) {
                digest.update(each.digest(Files.readAllBytes(file)));
            }
            return "sha256 " + HexFormat.of().formatHex(digest.digest());
        } catch (ModelException e) {
            throw new UsageException(String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new UsageException("--model: " + IoReasons.of(e), e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
