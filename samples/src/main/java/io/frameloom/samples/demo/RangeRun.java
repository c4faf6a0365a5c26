package io.frameloom.samples.demo;

import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.internal.Plural;
import io.frameloom.rdg.capture.Png;
import io.frameloom.rdg.options.PrintableText;
import io.frameloom.rdg.tools.range.FrameFolder;
import io.frameloom.rdg.tools.range.FrameFolderException;
import io.frameloom.rdg.tools.range.FrameRange;
import io.frameloom.rdg.tools.range.SharedWork;
import io.frameloom.rdg.tools.range.SharedWork.Outcome;
import io.frameloom.samples.AskedDevices;
import io.frameloom.samples.Closing;
import io.frameloom.samples.IoReasons;
import io.frameloom.samples.Progress;
import io.frameloom.samples.frame.MeshletForm;
import io.frameloom.samples.gltf.GltfLoader;
import io.frameloom.samples.gltf.ModelException;
import io.frameloom.samples.scene.Scene;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
     * A device that renders blocks.
     *
     * @param name what the user is told of it
     * @param capabilities what it is
     * @param loop makes its loop, if there is something to render
     * @param failed receives what ends the loop, before it is closed
     */
    record Renderer(
            String name,
            DeviceCapabilities capabilities,
            Supplier<FrameLoop> loop,
            BiConsumer<FrameLoop, Throwable> failed) {}

    /**
     * Renders what is missing. What was written stays, whatever happens.
     *
     * @param renderers equal devices: the first one's is the calling thread, those of the others are named as
     *     {@link AskedDevices#thread} does
     * @param survived receives name and failure of a device that the others went on without
     * @return whether nothing is missing any more; it is after a stop
     * @throws UsageException if a device renders no pictures, or the folder is of no use
     */
    boolean render(
            TaskGraph tasks,
            List<Renderer> renderers,
            Scene scene,
            StopSignal stop,
            BiConsumer<String, Throwable> survived)
            throws Exception {
        DeviceCapabilities capabilities = renderers.get(0).capabilities;
        if (!capabilities.renders()) {
            throw new UsageException("--frames " + range + " writes pictures, and " + capabilities.name()
                    + " renders none; install a Vulkan driver (Debian, Ubuntu: apt install libvulkan1"
                    + " mesa-vulkan-drivers), or name another --device");
        }
        try {
            FrameFolder folder = FrameFolder.open(options.out(), range, "png", settings(capabilities, scene));
            int lacking = folder.missing().size();
            List<FrameRange.Step> steps = folder.steps();
            boolean complete = steps.isEmpty() || render(tasks, renderers, steps, folder, stop, survived);
            int left = folder.missing().size();
            out.println("frames   " + range + ": " + (range.count() - lacking) + " were there, " + (lacking - left)
                    + " rendered, " + (steps.size() - lacking) + " more for their history, " + left + " missing");
            out.println("written  " + PrintableText.of(options.out().toString()));
            return complete;
        } catch (FrameFolderException e) {
            throw refused(e);
        }
    }

    private static UsageException refused(FrameFolderException e) {
        return new UsageException("--out: " + e.getMessage(), e);
    }

    /** One device renders everything in one go, several share the blocks. */
    private boolean render(
            TaskGraph tasks,
            List<Renderer> renderers,
            List<FrameRange.Step> steps,
            FrameFolder folder,
            StopSignal stop,
            BiConsumer<String, Throwable> survived)
            throws Exception {
        boolean shared = renderers.size() > 1;
        Map<NamedThread, SharedWork.Device<List<FrameRange.Step>>> devices = new LinkedHashMap<>();
        List<Blocks> all = new ArrayList<>();
        Outcome outcome;
        try (Progress progress = new Progress(
                out, steps.size(), (done, perSecond) -> DemoRunner.framesDone(done, steps.size(), perSecond))) {
            AtomicInteger begun = new AtomicInteger();
            LongConsumer oneMore = ofBlock -> {
                synchronized (progress) {
                    // What a failed device has done is done again.
                    progress.update(Math.min(steps.size(), begun.incrementAndGet()));
                }
            };
            for (int i = 0; i < renderers.size(); i++) {
                Blocks blocks = new Blocks(renderers.get(i), folder, stop, oneMore);
                all.add(blocks);
                devices.put(AskedDevices.thread(NamedThread.GAME, i), blocks::render);
            }
            try {
                outcome = SharedWork.run(tasks, shared ? folder.blocks() : List.of(steps), devices);
            } finally {
                Closing.all(all.stream().map(blocks -> (Runnable) blocks::close).toList());
            }
        }
        for (int i = 0; i < all.size() && shared; i++) {
            Throwable failure = outcome.failures().get(AskedDevices.thread(NamedThread.GAME, i));
            if (failure != null) {
                survived.accept(renderers.get(i).name, failure);
            }
            out.println("device   " + renderers.get(i).name + ": " + Plural.of(all.get(i).written, "frame"));
        }
        return outcome.complete();
    }

    /** What a device renders, on a thread of its own. */
    private final class Blocks {
        private final Renderer renderer;
        private final FrameFolder folder;
        private final StopSignal stop;
        private final LongConsumer begun;
        private @Nullable FrameLoop loop;
        private int written;

        Blocks(Renderer renderer, FrameFolder folder, StopSignal stop, LongConsumer begun) {
            this.renderer = renderer;
            this.folder = folder;
            this.stop = stop;
            this.begun = begun;
        }

        /** Renders some frames; returns false after a stop. */
        boolean render(List<FrameRange.Step> steps) throws UsageException {
            FrameLoop frames = loop == null ? renderer.loop.get() : loop;
            try {
                if (loop == null) {
                    loop = frames;
                    if (options.particles()) {
                        frames.showParticles();
                    }
                    MeshletForm meshlets = options.meshlets();
                    if (meshlets != null) {
                        frames.drawMeshlets(meshlets);
                    }
                }
                return frames.run(steps, this::write, stop::requested, begun);
            } catch (UsageException | RuntimeException | Error failure) {
                renderer.failed.accept(frames, failure);
                loop = null;
                try (frames) {
                    throw failure;
                }
            }
        }

        private void write(int frame, ByteBuffer picture) throws UsageException {
            try {
                folder.write(frame, file -> Png.write(file, options.width(), options.height(), picture));
            } catch (FrameFolderException e) {
                throw refused(e);
            }
            written++;
        }

        /** Only when the device has nothing more to render. */
        void close() {
            if (loop != null) {
                loop.close();
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
        if (options.meshlets() == MeshletForm.MESH) {
            // Only these are not those of whole objects, to the bit.
            settings.put("meshlets", "by mesh shaders");
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
