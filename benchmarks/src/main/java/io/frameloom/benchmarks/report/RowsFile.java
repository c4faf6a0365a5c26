package io.frameloom.benchmarks.report;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.frameloom.benchmarks.driver.Row;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The files of results: a JSON array of rows, and next to it one of verdicts. Each element of either has at least shape,
 * workers, contender, nsPerTask and error, and bytesPerTask where a JVM counted them.
 */
public final class RowsFile {
    private static final ObjectMapper MAPPER =
            new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    private static final String JSON = ".json";
    private static final String TARGETS = "-targets";
    /** The keys that a row may lack. */
    static final Set<String> OPTIONAL = Set.of("bytesPerTask", "p99", "parameter");

    private static final String WAY_OUT = "; name a file that --json wrote";

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
        return rows.resolveSibling(stem + TARGETS + JSON);
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
     * @throws IOException when the file cannot be read or holds something else; the message is one line that tells what
     *     is wrong and the way out, without the name of the file
     */
    public static List<Row> read(Path file) throws IOException {
        JsonNode array;
        try {
            array = MAPPER.readTree(file.toFile());
        } catch (JacksonException broken) {
            JsonLocation place = broken.getLocation();
            throw new IOException(
                    (broken instanceof JsonEOFException ? "it ends in the middle of a value" : "it is not JSON")
                            + (place == null ? "" : ", line " + place.getLineNr() + " column " + place.getColumnNr())
                            + WAY_OUT,
                    broken);
        }
        if (array.isMissingNode()) {
            throw new IOException("it is empty" + WAY_OUT);
        }
        if (!array.isArray()) {
            throw new IOException("it holds no array of rows" + WAY_OUT);
        }
        List<Row> rows = new ArrayList<>();
        for (JsonNode element : array) {
            rows.add(row(element, "element " + (rows.size() + 1)));
        }
        return rows;
    }

    private static Row row(JsonNode element, String name) throws IOException {
        if (!element.isObject()) {
            throw new IOException(name + " is no row" + WAY_OUT);
        }
        if (element.has("what")) {
            throw new IOException("it tells what became of the targets; name the file of the rows beside it, without "
                    + TARGETS + " in its name");
        }
        Set<String> unknown = new LinkedHashSet<>();
        element.fieldNames().forEachRemaining(unknown::add);
        for (RecordComponent component : Row.class.getRecordComponents()) {
            unknown.remove(component.getName());
            check(element, component, name);
        }
        if (!unknown.isEmpty()) {
            throw new IOException(name + " has the unknown keys " + unknown + WAY_OUT);
        }
        return MAPPER.treeToValue(element, Row.class);
    }

    /** The library itself would read a missing number as 0, and a missing word as null. */
    private static void check(JsonNode element, RecordComponent component, String name) throws IOException {
        JsonNode value = element.path(component.getName());
        if (value.isMissingNode() || value.isNull()) {
            if (!OPTIONAL.contains(component.getName())) {
                throw new IOException(name + " has no " + component.getName() + WAY_OUT);
            }
            return;
        }
        Class<?> type = component.getType();
        if (!fits(type, value)) {
            throw new IOException(
                    name + " has no " + type.getSimpleName() + " for " + component.getName() + ": " + value + WAY_OUT);
        }
    }

    private static boolean fits(Class<?> type, JsonNode value) {
        if (type == String.class) {
            return value.isTextual();
        }
        if (type == boolean.class) {
            return value.isBoolean();
        }
        if (type == int.class || type == Integer.class) {
            return value.isInt();
        }
        return value.isNumber() && Double.isFinite(value.doubleValue());
    }
}
