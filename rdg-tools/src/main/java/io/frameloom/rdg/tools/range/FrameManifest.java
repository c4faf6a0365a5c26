package io.frameloom.rdg.tools.range;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What one process says of the frames that it has written in one block.
 *
 * @param range its frames, block and warm-up
 * @param settings what else decides about the pictures
 * @param frames file and digest of each frame that is there
 */
record FrameManifest(FrameRange range, Map<String, String> settings, SortedMap<Integer, Entry> frames) {
    private static final int FORMAT = 1;

    /**
     * A frame that is there.
     *
     * @param file name of its file
     * @param sha256 digest of the file's bytes, in hexadecimal digits
     */
    record Entry(String file, String sha256) {}

    /** Returns the block, the warm-up and the settings, by which runs are compared. */
    static Map<String, String> identity(FrameRange range, Map<String, String> settings) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("block", Integer.toString(range.block()));
        all.put("warmUp", Integer.toString(range.warmUp()));
        all.putAll(settings);
        return all;
    }

    void write(OutputStream out) throws IOException {
        try (JsonGenerator json = new JsonFactory().createGenerator(out).useDefaultPrettyPrinter()) {
            json.writeStartObject();
            json.writeNumberField("format", FORMAT);
            json.writeNumberField("first", range.first());
            json.writeNumberField("last", range.last());
            json.writeNumberField("block", range.block());
            json.writeNumberField("warmUp", range.warmUp());
            json.writeObjectFieldStart("settings");
            for (Map.Entry<String, String> setting : settings.entrySet()) {
                json.writeStringField(setting.getKey(), setting.getValue());
            }
            json.writeEndObject();
            json.writeArrayFieldStart("frames");
            for (Map.Entry<Integer, Entry> frame : frames.entrySet()) {
                json.writeStartObject();
                json.writeNumberField("frame", frame.getKey());
                json.writeStringField("file", frame.getValue().file());
                json.writeStringField("sha256", frame.getValue().sha256());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
    }

    /**
     * Reads a manifest.
     *
     * @throws IOException if the file cannot be read or holds none
     */
    static FrameManifest read(Path file) throws IOException {
        Map<String, Integer> numbers = new LinkedHashMap<>();
        Map<String, String> settings = new LinkedHashMap<>();
        SortedMap<Integer, Entry> frames = new TreeMap<>();
        try (JsonParser json = new JsonFactory().createParser(Files.readAllBytes(file))) {
            require(json.nextToken() == JsonToken.START_OBJECT, "it is no object");
            while (json.nextToken() != JsonToken.END_OBJECT) {
                String name = json.currentName();
                JsonToken value = json.nextToken();
                switch (name) {
                    case "settings" -> readTexts(json, settings);
                    case "frames" -> {
                        require(value == JsonToken.START_ARRAY, "\"frames\" is no array");
                        while (json.nextToken() != JsonToken.END_ARRAY) {
                            readFrame(json, frames);
                        }
                    }
                    default -> {
                        require(value == JsonToken.VALUE_NUMBER_INT, "\"" + name + "\" is no number");
                        numbers.put(name, json.getIntValue());
                    }
                }
            }
        }
        require(Objects.equals(numbers.get("format"), FORMAT), "its format is not " + FORMAT);
        FrameRange range;
        try {
            range = new FrameRange(
                    number(numbers, "first"),
                    number(numbers, "last"),
                    number(numbers, "block"),
                    number(numbers, "warmUp"));
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
        return new FrameManifest(range, settings, frames);
    }

    private static int number(Map<String, Integer> numbers, String name) throws IOException {
        Integer number = numbers.get(name);
        if (number == null) {
            throw new IOException("it has no \"" + name + "\"");
        }
        return number;
    }

    private static void readTexts(JsonParser json, Map<String, String> texts) throws IOException {
        require(json.currentToken() == JsonToken.START_OBJECT, "an object is missing");
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            require(json.nextToken().isScalarValue(), "\"" + name + "\" is no text");
            texts.put(name, json.getText());
        }
    }

    private static void readFrame(JsonParser json, SortedMap<Integer, Entry> frames) throws IOException {
        Map<String, String> texts = new LinkedHashMap<>();
        readTexts(json, texts);
        String frame = texts.get("frame");
        String file = texts.get("file");
        String sha256 = texts.get("sha256");
        if (frame == null
                || file == null
                || sha256 == null
                || !frame.matches("[0-9]{1,9}")
                || !sha256.matches("[0-9a-f]{64}")) {
            throw new IOException("a frame has no number, no file or no digest");
        }
        frames.put(Integer.valueOf(frame), new Entry(file, sha256));
    }

    private static void require(boolean holds, String otherwise) throws IOException {
        if (!holds) {
            throw new IOException(otherwise);
        }
    }
}
