package io.frameloom.benchmarks.report;

import de.erichseifert.vectorgraphics2d.Processors;
import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import io.frameloom.benchmarks.driver.Benchmark;
import io.frameloom.benchmarks.driver.Family;
import io.frameloom.benchmarks.driver.Row;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.font.FontRenderContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.knowm.xchart.internal.chartpart.Chart;

/** Draws a picture per family: an SVG file with a chart for each of its shapes. */
public final class Plots {
    private Plots() {}

    /** Why this JVM cannot draw, if it cannot: a machine may have no fonts. */
    public static Optional<String> impediment() {
        try {
            new Font(Font.SANS_SERIF, Font.PLAIN, 12).getStringBounds("ns", new FontRenderContext(null, true, true));
            return Optional.empty();
        } catch (RuntimeException | LinkageError | InternalError missing) {
            return Optional.of("this machine cannot draw text (" + missing.getMessage() + ")");
        }
    }

    /**
     * Draws.
     *
     * @param folder receives the files
     * @param benchmarks tell the families
     * @param rows what is drawn; rows of no known benchmark are left out
     * @return the files
     * @throws IOException when the disk does not take one
     */
    public static List<Path> write(Path folder, List<Benchmark> benchmarks, List<Row> rows) throws IOException {
        Map<Family, List<Row>> families = new LinkedHashMap<>();
        for (Benchmark benchmark : benchmarks) {
            List<Row> own = rows.stream()
                    .filter(row -> row.shape().equals(benchmark.name()))
                    .toList();
            families.computeIfAbsent(benchmark.family(), family -> new ArrayList<>())
                    .addAll(own);
        }
        List<Path> files = new ArrayList<>();
        for (Map.Entry<Family, List<Row>> family : families.entrySet()) {
            if (!family.getValue().isEmpty()) {
                Path file = folder.resolve(family.getKey().name() + ".svg");
                writeSvg(file, panels(family.getKey(), family.getValue()));
                files.add(file);
            }
        }
        return files;
    }

    /** The charts of one family, from top to bottom. */
    static List<Chart<?, ?>> panels(Family family, List<Row> rows) {
        List<Chart<?, ?>> panels = new ArrayList<>();
        for (String shape : Panel.values(rows, Row::shape)) {
            List<Row> own =
                    rows.stream().filter(row -> row.shape().equals(shape)).toList();
            String title = shape + ", body " + own.get(0).body();
            switch (family.axis()) {
                case CONTENDERS -> panels.add(Panel.bars(title, own));
                case WORKERS -> panels.add(Panel.lines(title, "workers", own, Row::workers));
                case PARAMETER -> {
                    for (int workers : Panel.values(own, Row::workers)) {
                        List<Row> same = own.stream()
                                .filter(row -> row.workers() == workers && row.parameter() != null)
                                .toList();
                        panels.add(Panel.lines(title + ", " + Panel.count(workers), "grain", same, Plots::parameter));
                    }
                }
            }
        }
        return panels;
    }

    private static int parameter(Row row) {
        Integer parameter = row.parameter();
        if (parameter == null) {
            throw new IllegalArgumentException("a row of " + row.shape() + " has no parameter");
        }
        return parameter;
    }

    /** Draws charts below each other. */
    static void paint(Graphics2D canvas, List<Chart<?, ?>> panels) {
        for (int index = 0; index < panels.size(); index++) {
            Graphics2D part = (Graphics2D) canvas.create();
            part.translate(0, index * Panel.HEIGHT);
            panels.get(index).paint(part, Panel.WIDTH, Panel.HEIGHT);
            part.dispose();
        }
    }

    /**
     * Draws charts below each other.
     *
     * @throws IOException when the disk does not take the file
     */
    public static void writeSvg(Path file, List<Chart<?, ?>> panels) throws IOException {
        VectorGraphics2D canvas = new VectorGraphics2D();
        paint(canvas, panels);
        PageSize size = new PageSize(0, 0, Panel.WIDTH, Panel.HEIGHT * panels.size());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Processors.get("svg").getDocument(canvas.getCommands(), size).writeTo(out);
        // A window that is narrower than the picture shows all of it, with the legend at its right.
        String fitting = out.toString(StandardCharsets.UTF_8)
                .replaceFirst("<svg ", "<svg style=\"max-width:100%;height:auto\" ");
        Files.writeString(file, fitting);
    }
}
