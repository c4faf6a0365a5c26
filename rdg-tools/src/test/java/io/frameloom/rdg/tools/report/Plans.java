package io.frameloom.rdg.tools.report;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.tools.GraphFile;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/** Plans to report on. */
final class Plans {
    private static final String QUEUES =
            "\"queues\":[{\"id\":\"G\",\"family\":0,\"caps\":[\"graphics\",\"compute\",\"copy\"]},"
                    + "{\"id\":\"C\",\"family\":1,\"caps\":[\"compute\",\"copy\"]}],";

    /** What would run, break out of an element or end a comment if it were not escaped. */
    static final String HOSTILE = "</script ><img src=x onerror=alert(1)><!--<script >\"'&amp;]]> \u2028 \uD83D\uDE00";

    private Plans() {}

    /** Two queues, a wait, a shared render pass, aliases, a culled pass, an unused buffer. */
    static FramePlan small(Path folder) throws IOException {
        return compile(
                folder,
                "{\"id\":\"small\"," + QUEUES + "\"resources\":[" + texture("depth") + "," + texture("color") + ","
                        + texture("ao") + "," + texture("blurred") + "," + texture("debug") + ","
                        + "{\"id\":\"spare\",\"kind\":\"buffer\",\"bytes\":64},"
                        + "{\"id\":\"out\",\"kind\":\"texture\",\"lifetime\":\"external\"}],\"passes\":["
                        + pass("Depth", "raster", "G", use("depth", "depthWrite")) + ","
                        + pass("SSAO", "compute", "C", use("depth", "sampledComp"), use("ao", "storageWriteComp")) + ","
                        + target("Base", "clear", use("color", "colorWrite")) + ","
                        + target("Decals", "load", use("color", "colorReadWrite")) + ","
                        + pass("Debug", "raster", "G", use("debug", "colorWrite")) + ","
                        + pass("Blur", "compute", "G", use("ao", "sampledComp"), use("blurred", "storageWriteComp"))
                        + ","
                        + pass(
                                "Light",
                                "raster",
                                "G",
                                use("blurred", "sampledFrag"),
                                use("color", "sampledFrag"),
                                use("out", "colorWrite"))
                        + "]}");
    }

    /** Names and barriers as long as those of a real frame. */
    static FramePlan deferred(Path folder) throws IOException {
        return compile(
                folder,
                "{\"id\":\"deferred\"," + QUEUES + "\"resources\":[" + texture("g-buffer normal") + ","
                        + texture("occlusion blurred in x") + ","
                        + "{\"id\":\"frame constants\",\"kind\":\"buffer\",\"bytes\":534144},"
                        + "{\"id\":\"out\",\"kind\":\"texture\",\"lifetime\":\"external\"}],\"passes\":["
                        + pass("upload frame constants", "copy", "G", use("frame constants", "copyDst")) + ","
                        + pass("g-buffer of the city", "raster", "G", use("g-buffer normal", "colorWrite")) + ","
                        + pass(
                                "ambient occlusion blur x",
                                "compute",
                                "C",
                                use("g-buffer normal", "sampledComp"),
                                use("frame constants", "uniform"),
                                use("occlusion blurred in x", "storageWriteComp"))
                        + ","
                        + pass(
                                "tone mapping of everything",
                                "raster",
                                "G",
                                use("occlusion blurred in x", "sampledFrag"),
                                use("frame constants", "uniform"),
                                use("out", "colorWrite"))
                        + "]}");
    }

    /** Every name is {@link #HOSTILE}, with something in front of it. */
    static FramePlan hostile(Path folder) throws IOException {
        return compile(
                folder,
                "{\"id\":" + quoted(HOSTILE) + ",\"queues\":[{\"id\":" + quoted("queue " + HOSTILE)
                        + ",\"family\":0,\"caps\":[\"graphics\",\"compute\",\"copy\"]}],\"resources\":["
                        + texture("t " + HOSTILE) + "," + texture("dead " + HOSTILE) + ",{\"id\":"
                        + quoted("out " + HOSTILE) + ",\"kind\":\"texture\",\"lifetime\":\"external\"}],\"passes\":["
                        + pass("first " + HOSTILE, "raster", "queue " + HOSTILE, use("t " + HOSTILE, "colorWrite"))
                        + ","
                        + pass("culled " + HOSTILE, "raster", "queue " + HOSTILE, use("dead " + HOSTILE, "colorWrite"))
                        + ","
                        + pass(
                                "last " + HOSTILE,
                                "raster",
                                "queue " + HOSTILE,
                                use("t " + HOSTILE, "sampledFrag"),
                                use("out " + HOSTILE, "colorWrite"))
                        + "]}");
    }

    /** Passes that read some of the textures written shortly before them, on two queues. */
    static FramePlan random(Path folder, int passes, long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        StringBuilder resources = new StringBuilder();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < passes; i++) {
            resources.append(texture("t" + i)).append(',');
            boolean compute = random.nextInt(3) == 0;
            StringBuilder uses = new StringBuilder(use("t" + i, compute ? "storageWriteComp" : "colorWrite"));
            int from = i == 0 ? 0 : Math.max(0, i - 1 - random.nextInt(20));
            for (int r = from; r < i; r += 1 + random.nextInt(12)) {
                uses.append(',').append(use("t" + r, compute ? "sampledComp" : "sampledFrag"));
            }
            text.append(pass(
                            "pass " + i,
                            compute ? "compute" : "raster",
                            compute && random.nextBoolean() ? "C" : "G",
                            uses.toString()))
                    .append(',');
        }
        resources.append("{\"id\":\"out\",\"kind\":\"texture\",\"lifetime\":\"external\"}");
        text.append(pass("last", "raster", "G", use("t" + (passes - 1), "sampledFrag"), use("out", "colorWrite")));
        return compile(
                folder,
                "{\"id\":\"random\"," + QUEUES + "\"resources\":[" + resources + "],\"passes\":[" + text + "]}");
    }

    static String html(PlanReport report) throws IOException {
        StringWriter html = new StringWriter();
        report.writeHtml(html);
        return html.toString();
    }

    /** A pass on a graph whose compilation was timed. */
    static FramePlan timed(Path folder) throws IOException {
        String json = "{\"passes\":[" + pass("only", "compute", "graphics") + "]}";
        return compile(
                folder,
                json,
                options -> options.withDiagnostics(options.diagnostics().withCompileTimes(true)));
    }

    private static FramePlan compile(Path folder, String json) throws IOException {
        return compile(folder, json, options -> options);
    }

    private static FramePlan compile(Path folder, String json, UnaryOperator<RdgOptions> change) throws IOException {
        Path file = Files.writeString(Files.createTempFile(folder, "graph", ".json"), json);
        return Objects.requireNonNull(GraphFile.read(file).compile(change).plan());
    }

    private static String texture(String name) {
        return "{\"id\":" + quoted(name) + ",\"kind\":\"texture\",\"bytes\":1048576}";
    }

    private static String use(String resource, String access) {
        return "{\"r\":" + quoted(resource) + ",\"a\":\"" + access + "\"}";
    }

    private static String pass(String name, String kind, String queue, String... uses) {
        return "{\"id\":" + quoted(name) + ",\"kind\":\"" + kind + "\",\"queue\":" + quoted(queue) + ",\"uses\":["
                + String.join(",", uses) + "]}";
    }

    private static String target(String name, String load, String use) {
        String pass = pass(name, "raster", "G", use);
        return pass.substring(0, pass.length() - 1) + ",\"rt\":{\"color\":[{\"r\":\"color\",\"load\":\"" + load
                + "\"}]}}";
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
