package io.frameloom.samples.clip;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.compute.ClipBoxes;
import io.frameloom.gpu.internal.Plural;
import io.frameloom.rdg.options.PrintableText;
import io.frameloom.samples.AskedDevice;
import io.frameloom.samples.DeviceConverter;
import io.frameloom.samples.PathArgument;
import io.frameloom.samples.PictureFile;
import io.frameloom.samples.Processor;
import io.frameloom.samples.Progress;
import io.frameloom.samples.demo.UsageException;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code frameloom sample clip}: what the clips of an SVG picture leave of what it draws. */
@Command(
        name = "clip",
        mixinStandardHelpOptions = true,
        description = {
            "Reads an SVG picture and cuts the bounds of what it draws, and of its nested clip paths, by the clips around"
                    + " them on the GPU, or on the processor where there is none.",
            "The PNG shows all bounds as grey outlines; over them what is left: draws filled in the colour of the clip"
                    + " around them, clips as outlines in their own.",
            "Only that file is read: no entities, no other files, no network. Each clip path counts as the bounding box of"
                    + " what it shows. If it is itself clipped, the boxes are intersected. A line on standard error names"
                    + " what is not looked at: transforms of clip paths in units of a bounding box, what clips the parts"
                    + " of a clip path or the content of a pattern, what style sheets set in clip paths, clip paths that"
                    + " are inherited or not there, languages, images and switches.",
            "A clip around all others that leaves the whole picture is not counted: the picture itself clips as much."
        })
public final class ClipCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE.svg", description = "the picture; it may be packed by gzip (.svgz)")
    private String file = "";

    @Option(
            names = "--out",
            paramLabel = "PNG",
            defaultValue = "out/clip.png",
            description = "where to draw the boxes; folders that are missing are made (default ${DEFAULT-VALUE})")
    private String out = "";

    @Option(
            names = "--device",
            paramLabel = "NAME",
            defaultValue = "auto",
            converter = DeviceConverter.class,
            description =
                    "auto, cpu (the processor), virtual, virtual:queues=N,seed=N or a part of a device's name (default"
                            + " ${DEFAULT-VALUE}: cpu where there is no Vulkan device)")
    private DeviceSelector device = new DeviceSelector.Auto();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws UsageException {
        PictureFile target = PictureFile.of(spec, out);
        Path source = PathArgument.of(spec, "FILE.svg", file);
        ClipScene scene = SvgScene.read(source, note -> say(source + ":" + note));
        target.prepare();
        try (TaskGraph tasks = TaskGraph.builder().name("clip").build()) {
            if (Processor.isTaken(device, this::say)) {
                draw(tasks, scene, ClipFrame.computeOnProcessor(tasks, scene), Processor.NAME, target);
            } else {
                tasks.start(NamedThread.RHI);
                try (GpuDevice opened =
                        AskedDevice.open(device, new DeviceOptions(tasks, "Frameloom clip", false, null))) {
                    ClipFrame.Result result = ClipFrame.compute(opened, tasks, scene);
                    draw(tasks, scene, result, opened.capabilities().name(), target);
                }
            }
        }
        return 0;
    }

    /** Names of files, and what is in them, must not steer a terminal. */
    private void say(String line) {
        spec.commandLine().getErr().println(spec.qualifiedName() + ": " + PrintableText.of(line));
    }

    private void draw(TaskGraph tasks, ClipScene scene, ClipFrame.Result result, String device, PictureFile target)
            throws UsageException {
        PrintWriter out = spec.commandLine().getOut();
        ClipPicture picture = ClipPicture.of(scene, result);
        String rows = " of " + picture.height() + " rows painted";
        try (Progress progress = new Progress(out, picture.height(), (done, perSecond) -> done + rows)) {
            picture.paint(tasks, progress::update);
        }
        target.write(picture.width(), picture.height(), picture.pixels());
        out.println(PrintableText.of(words(scene, result) + " (" + device + "); drawn in " + target));
    }

    private static String words(ClipScene scene, ClipFrame.Result result) {
        int draws = 0;
        int gone = 0;
        int clips = 0;
        int depth = 0;
        int deepest = 0;
        for (int e = 0; e < scene.length(); e++) {
            switch (scene.operation(e)) {
                case ClipBoxes.BEGIN -> {
                    clips++;
                    depth++;
                    deepest = Math.max(deepest, depth);
                }
                case ClipBoxes.END -> depth--;
                default -> {
                    draws++;
                    boolean empty = result.boxes()[4 * e] >= result.boxes()[4 * e + 2]
                            || result.boxes()[4 * e + 1] >= result.boxes()[4 * e + 3];
                    gone += empty ? 1 : 0;
                }
            }
        }
        return Plural.of(draws, "draw") + ", " + gone + " of them clipped away, in " + Plural.of(clips, "clip")
                + " nested " + deepest + " deep";
    }
}
