package io.frameloom.samples.demo;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.frameloom.gpu.internal.Plural;
import io.frameloom.rdg.AsyncCompute;
import io.frameloom.rdg.AsyncGains;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FrameStatistics;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.options.PrintableText;
import io.frameloom.samples.ByteSize;
import io.frameloom.samples.demo.FrameTimes.Medians;
import io.frameloom.samples.frame.DeferredFrame;
import io.frameloom.samples.frame.MeshletCounts;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What the demo has measured.
 *
 * @param device name of the device
 * @param driver its driver
 * @param simulated whether its times are those of a model, which mean nothing
 * @param scene name of the scene
 * @param draws draws of the scene, or null if its meshlets are drawn
 * @param width width of the picture
 * @param height height of the picture
 * @param frames frames rendered
 * @param framesPerSecond frames over the time of the frame loop
 * @param medians times of a frame
 * @param tasksPerFrame tasks of the task graph per frame
 * @param last statistics of the last frame
 * @param immediate whether each pass ran while it was declared
 * @param async which passes may run beside graphics
 * @param asyncPasses compute passes of the last frame that do
 * @param gains what the last frame gains by the passes beside graphics
 * @param reusedPlans frames whose graph got the plan of an equal one
 * @param validated whether validation layer and hazard checker looked on
 * @param validationMessages messages of the validation layer
 * @param hazards hazards found
 * @param meshlets what became of the meshlets of the last frame, or null without any
 * @param picture whether there is a picture
 * @param droppedSpans oldest spans that the trace had no room for
 */
record Summary(
        String device,
        String driver,
        boolean simulated,
        String scene,
        @Nullable Integer draws,
        int width,
        int height,
        int frames,
        double framesPerSecond,
        Medians medians,
        double tasksPerFrame,
        FrameStatistics last,
        boolean immediate,
        AsyncCompute async,
        int asyncPasses,
        AsyncGains gains,
        long reusedPlans,
        boolean validated,
        int validationMessages,
        int hazards,
        @Nullable MeshletCounts meshlets,
        boolean picture,
        long droppedSpans) {
    static final String PICTURE_FILE = "frame.png";
    private static final String NO_PICTURE =
            "no picture was rendered: the virtual GPU simulates raster work by cost alone; install a Vulkan driver"
                    + " (Debian, Ubuntu: apt install libvulkan1 mesa-vulkan-drivers) and run with --device auto";

    /** Returns the same summary with what validation layer and hazard checker have found. */
    Summary withFindings(int messages, int found) {
        return new Summary(
                device,
                driver,
                simulated,
                scene,
                draws,
                width,
                height,
                frames,
                framesPerSecond,
                medians,
                tasksPerFrame,
                last,
                immediate,
                async,
                asyncPasses,
                gains,
                reusedPlans,
                validated,
                messages,
                found,
                meshlets,
                picture,
                droppedSpans);
    }

    /** Returns the number of compute passes of a plan that run on another queue than graphics. */
    static int asyncPasses(FramePlan plan) {
        return (int) plan.passes().stream()
                .filter(pass -> pass.kind() == PassKind.COMPUTE && pass.queue() > 0)
                .count();
    }

    void writeJson(Writer writer) throws IOException {
        try (JsonGenerator json = new JsonFactory().createGenerator(writer).useDefaultPrettyPrinter()) {
            json.writeStartObject();
            json.writeStringField("device", device);
            json.writeStringField("driver", driver);
            json.writeStringField("scene", scene);
            if (draws != null) {
                json.writeNumberField("draws", draws);
            }
            json.writeStringField("size", width + "x" + height);
            json.writeNumberField("frames", frames);
            json.writeNumberField("lastFrame", last.frame());
            json.writeNumberField("framesPerSecond", rounded(framesPerSecond));
            json.writeObjectFieldStart("medianCpuMs");
            json.writeNumberField("game", rounded(medians.game()));
            json.writeNumberField("render", rounded(medians.render()));
            json.writeNumberField("record", rounded(medians.record()));
            json.writeNumberField("submit", rounded(medians.submit()));
            json.writeEndObject();
            json.writeStringField("gpuTimes", simulated ? "simulated, without a meaning" : "measured");
            json.writeNumberField("medianGpuMs", rounded(medians.gpu()));
            json.writeNumberField("tasksPerFrame", rounded(tasksPerFrame));
            json.writeBooleanField("immediate", immediate);
            json.writeStringField("async", async.name().toLowerCase(Locale.ROOT));
            json.writeNumberField("asyncPasses", asyncPasses);
            writeGains(json);
            json.writeNumberField("reusedPlans", reusedPlans);
            json.writeNumberField("passes", last.passes());
            json.writeNumberField("culledPasses", last.culledPasses());
            json.writeNumberField("barriers", last.barriers());
            json.writeNumberField("waits", last.waits());
            json.writeNumberField("heapBytes", last.heapBytes());
            json.writeBooleanField("validated", validated);
            json.writeNumberField("validationMessages", validationMessages);
            json.writeNumberField("hazards", hazards);
            if (meshlets != null) {
                writeMeshlets(json, meshlets);
            }
            json.writeNumberField("droppedSpans", droppedSpans);
            json.writeStringField("picture", picture ? PICTURE_FILE : NO_PICTURE);
            json.writeEndObject();
        }
    }

    private void writeMeshlets(JsonGenerator json, MeshletCounts meshlets) throws IOException {
        json.writeObjectFieldStart("lastFrameMeshlets");
        json.writeNumberField("all", meshlets.all());
        json.writeNumberField("outside", meshlets.outside());
        json.writeNumberField("facingAway", meshlets.away());
        json.writeNumberField("occluded", meshlets.occluded());
        json.writeNumberField("drawn", meshlets.drawn());
        json.writeNumberField("triangles", meshlets.triangles());
        json.writeStringField("shaders", meshlets.form().toString());
        json.writeNumberField("gpuMs", milliseconds(meshletNanos()));
        json.writeEndObject();
    }

    /** Returns the time of the passes that cull and draw meshlets, 0 without timestamps. */
    private long meshletNanos() {
        return last.scopeTimes().stream()
                .filter(scope -> scope.path().equals(DeferredFrame.MESHLETS))
                .mapToLong(FrameStatistics.ScopeTime::busyNanos)
                .sum();
    }

    /** Returns what the last frame has drawn. */
    private String drawn() {
        if (meshlets != null) {
            return Plural.of(meshlets.drawn(), "meshlet");
        }
        return draws == null ? "meshlets" : Plural.of(draws, "draw");
    }

    private void writeGains(JsonGenerator json) throws IOException {
        json.writeNumberField("lastFrameGpuMs", milliseconds(gains.frameNanos()));
        json.writeNumberField("lastFrameCriticalMs", milliseconds(gains.criticalNanos()));
        json.writeNumberField("lastFrameSerialMs", milliseconds(gains.serialNanos()));
        json.writeArrayFieldStart("asyncRegions");
        for (AsyncGains.Region region : gains.regions()) {
            json.writeStartObject();
            json.writeArrayFieldStart("passes");
            for (String pass : region.passes()) {
                json.writeString(pass);
            }
            json.writeEndArray();
            json.writeStringField("queue", region.queue());
            json.writeBooleanField("beside", region.beside());
            json.writeStringField("fork", region.fork());
            json.writeStringField("join", region.join());
            json.writeNumberField("serialMs", milliseconds(region.serialNanos()));
            json.writeNumberField("overlappedMs", milliseconds(region.overlappedNanos()));
            json.writeNumberField("predictedGainMs", milliseconds(region.predictedNanos()));
            if (region.measuredNanos().isPresent()) {
                json.writeNumberField(
                        "measuredGainMs", milliseconds(region.measuredNanos().getAsLong()));
            }
            json.writeStringField("decision", region.decision());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /**
     * Prints five lines; with meshlets one more, and with measured async compute a line for each region, one if there is
     * none.
     */
    void print(PrintWriter out, String folder, List<String> files) {
        out.printf("device   %s (%s)%n", device, driver);
        out.printf(
                Locale.ROOT,
                "frames   %d of %dx%d, %s of %s, %.1f frames/s%n",
                frames,
                width,
                height,
                drawn(),
                PrintableText.of(scene),
                framesPerSecond);
        out.printf(
                Locale.ROOT,
                "median   game %.2f ms, render %.2f ms, record %.2f ms, submit %.2f ms, GPU %s, %s%n",
                medians.game(),
                medians.render(),
                medians.record(),
                medians.submit(),
                simulated ? "simulated" : String.format(Locale.ROOT, "%.2f ms", medians.gpu()),
                Plural.of(Math.round(tasksPerFrame), "task"));
        String findings = validated
                ? Plural.of(validationMessages, "validation message") + ", " + Plural.of(hazards, "hazard")
                : "not validated";
        if (immediate) {
            out.println(
                    "graph    immediate mode: each pass was a frame of its own while it was declared, and report and"
                            + " graph.json show only what was left for the end; " + findings);
        } else {
            out.printf(
                    Locale.ROOT,
                    "graph    %s, %d culled, %d beside graphics, %s, %s, %s of transient memory,"
                            + " plan reused by %s, %s%n",
                    Plural.of(last.passes(), "pass"),
                    last.culledPasses(),
                    asyncPasses,
                    Plural.of(last.barriers(), "barrier"),
                    Plural.of(last.waits(), "wait"),
                    ByteSize.of(last.heapBytes()),
                    Plural.of(reusedPlans, "frame"),
                    findings);
        }
        if (meshlets != null) {
            out.printf(Locale.ROOT, "meshlets %s, GPU %.2f ms%n", meshlets, meshletNanos() * 1e-6);
        }
        if (async == AsyncCompute.MEASURED) {
            printDecisions(out);
        }
        out.printf(
                Locale.ROOT,
                "written  %s: %s%s%s%n",
                PrintableText.of(folder),
                String.join(", ", files),
                picture ? "" : " (" + NO_PICTURE + ")",
                droppedSpans == 0
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                "; the trace lacks the %s, fewer frames fit",
                                Plural.of(droppedSpans, "oldest span")));
    }

    private void printDecisions(PrintWriter out) {
        if (gains.regions().isEmpty()) {
            out.println("async    nothing to decide: no pass runs beside graphics, for want of a queue or of a tag");
        }
        for (AsyncGains.Region region : gains.regions()) {
            out.printf("async    %s: %s%n", String.join(", ", region.passes()), region.decision());
        }
    }

    private static double milliseconds(long nanos) {
        return rounded(nanos * 1e-6);
    }

    private static double rounded(double value) {
        return Math.round(value * 1000) / 1000.0;
    }
}
