package io.frameloom.benchmarks.report;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.frameloom.benchmarks.driver.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The file of results: a JSON array of rows, then of verdicts. Each has at least shape, workers, contender, nsPerTask,
 * bytesPerTask and error; a verdict is told by its key {@code what}.
 */
public final class RowsFile {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String VERDICT_KEY = "what";

    private RowsFile() {}

    /**
     * Writes the file in one step: it is there completely or not at all.
     *
     * @throws IOException when the disk does not take it
     */
    public static void write(Path file, List<Row> rows, List<Verdict> verdicts) throws IOException {
        List<Object> all = new ArrayList<>(rows);
        all.addAll(verdicts);
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
        printer.indentArraysWith(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);
        printer.indentObjectsWith(new DefaultPrettyPrinter.FixedSpaceIndenter());
        Path whole = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.writeString(whole, MAPPER.writer(printer).writeValueAsString(all) + "\n");
            Files.move(whole, file, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(whole);
        }
    }

    /**
     * Reads the rows back, without the verdicts.
     *
     * @throws IOException when the file cannot be read or holds something else
     */
    public static List<Row> read(Path file) throws IOException {
        JsonNode array = MAPPER.readTree(file.toFile());
        if (array == null || !array.isArray()) {
            throw new IOException("it holds no array of rows");
        }
        List<Row> rows = new ArrayList<>();
        for (JsonNode element : array) {
            if (!element.has(VERDICT_KEY)) {
                rows.add(row(element));
            }
        }
        return rows;
    }

    private static Row row(JsonNode element) throws IOException {
        try {
            return MAPPER.treeToValue(element, Row.class);
        } catch (JacksonException wrong) {
            throw new IOException("it holds no row: " + wrong.getOriginalMessage(), wrong);
        }
    }
}
