package io.frameloom.benchmarks.gpu.compute;

import io.frameloom.benchmarks.report.Plots;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Draws what there is when it is closed, so also when what measures has failed. */
final class Pictures implements AutoCloseable {
    private final @Nullable Path folder;
    private final List<Row> rows;
    private final PrintStream out;

    /**
     * @param folder of the pictures, or null for none; made if it is missing
     * @param rows figures; more may be added until this is closed
     */
    Pictures(@Nullable Path folder, List<Row> rows, PrintStream out) {
        this.folder = folder;
        this.rows = rows;
        this.out = out;
    }

    /** Says so, before anything is measured, if this machine cannot draw. */
    void announce() {
        if (folder != null) {
            Plots.impediment()
                    .ifPresent(
                            reason -> out.println("no pictures: " + reason + "; draw them elsewhere with --from FILE"));
        }
    }

    @Override
    public void close() throws IOException {
        if (folder == null || rows.isEmpty() || Plots.impediment().isPresent()) {
            return;
        }
        Files.createDirectories(folder);
        ComputePlots.write(folder, rows).forEach(file -> out.println("drew " + file));
    }
}
