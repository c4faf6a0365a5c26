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
 * The files of results: a JSON array of rows, and next to it one of verdicts. Each element of either has at least shape,
 * workers, contender, nsPerTask, bytesPerTask and error.
 */
public final class RowsFile {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String JSON = ".json";

    private RowsFile() {}

    /**
     * Where the verdicts on the rows of a file are written: {@code rows-targets.json} for {@code rows.json}.
     *
     * @param rows the file of rows
     * @return its neighbour
     */
    public static Path targetsFile(Path rows) {
        String name = String.valueOf(rows.getFileName());
        String stem = name.endsWith(JSON) ? name.substring(0, name.length() - JSON.length()) : name;
        return rows.resolveSibling(stem + "-targets" + JSON);
    }

    /**
     * Writes rows or verdicts in one step: the file is there completely or not at all.
     *
     * @throws IOException when the disk does not take it
     */
    public static void write(Path file, List<? extends Record> elements) throws IOException {
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
        printer.indentArraysWith(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);
        printer.indentObjectsWith(new DefaultPrettyPrinter.FixedSpaceIndenter());
        Path whole = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.writeString(whole, MAPPER.writer(printer).writeValueAsString(elements) + "\n");
            Files.move(whole, file, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(whole);
        }
    }

    /**
     * Reads the rows back.
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
            rows.add(row(element));
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
