package io.frameloom.rdg.file;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.frameloom.rdg.GraphFileException;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Walks through a JSON text without keeping it, so that memory does not grow with the file, and says of everything that
 * is wrong where it stands. One thread.
 */
final class JsonCursor implements AutoCloseable {
    private static final int MAX_DEPTH = 64;
    private static final int MAX_NAME = 1000;

    private final String file;
    private final JsonParser parser;

    JsonCursor(String file, Reader reader) throws IOException {
        this.file = file;
        JsonFactory factory = JsonFactory.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(MAX_DEPTH)
                        .maxStringLength(1 << 20)
                        .maxNumberLength(32)
                        .build())
                .build();
        parser = factory.createParser(reader);
        advance();
    }

    /** Goes through the members of an object: {@code member} takes the value behind each name. */
    void object(Consumer<String> member) {
        expect(JsonToken.START_OBJECT, "an object");
        while (advance() != JsonToken.END_OBJECT) {
            String name = name();
            advance();
            member.accept(name);
        }
    }

    /** Goes through the elements of an array. */
    void array(int max, Runnable element) {
        expect(JsonToken.START_ARRAY, "an array");
        int count = 0;
        while (advance() != JsonToken.END_ARRAY) {
            if (++count > max) {
                throw fail("more than " + max + " elements");
            }
            element.run();
        }
    }

    /** Passes over the value, whatever it is. */
    void skip() {
        try {
            parser.skipChildren();
        } catch (IOException e) {
            throw malformed(e);
        }
    }

    String string() {
        expect(JsonToken.VALUE_STRING, "a string");
        return text();
    }

    /** Returns a name: a string that is neither empty nor a novel. */
    String name(String what) {
        String text = string();
        if (text.isEmpty() || text.length() > MAX_NAME) {
            throw fail("the name of " + what + " must have 1 to " + MAX_NAME + " characters");
        }
        return text;
    }

    boolean bool() {
        if (token() != JsonToken.VALUE_TRUE && token() != JsonToken.VALUE_FALSE) {
            throw fail("expected true or false");
        }
        return token() == JsonToken.VALUE_TRUE;
    }

    boolean isNumber() {
        return token() == JsonToken.VALUE_NUMBER_INT;
    }

    boolean isArray() {
        return token() == JsonToken.START_ARRAY;
    }

    boolean isObject() {
        return token() == JsonToken.START_OBJECT;
    }

    long integer(long min, long max) {
        expect(JsonToken.VALUE_NUMBER_INT, "a whole number");
        try {
            if (parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER
                    && parser.getLongValue() >= min
                    && parser.getLongValue() <= max) {
                return parser.getLongValue();
            }
            throw fail("expected a number of " + min + " to " + max + ", got " + parser.getText());
        } catch (IOException e) {
            throw malformed(e);
        }
    }

    /** Returns the constant whose name in camel case is the text. */
    <E extends Enum<E>> E constant(Class<E> type) {
        String text = string();
        for (E constant : type.getEnumConstants()) {
            if (camelCase(constant.name()).equals(text)) {
                return constant;
            }
        }
        throw fail("unknown value '" + shortened(text) + "', known are " + known(type));
    }

    /** Returns the constant whose name is the text. */
    <E extends Enum<E>> E exactConstant(Class<E> type) {
        String text = string();
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equals(text)) {
                return constant;
            }
        }
        throw fail("unknown value '" + shortened(text) + "', known are "
                + String.join(
                        ", ",
                        Arrays.stream(type.getEnumConstants()).map(Enum::name).toList()));
    }

    /** Throws if anything stands behind the value. */
    void end() {
        if (advance() != null) {
            throw fail("the file goes on behind its object");
        }
    }

    GraphFileException fail(String message) {
        int line = parser.currentLocation().getLineNr();
        String place = parser.getParsingContext().pathAsPointer().toString();
        return new GraphFileException(file + ", line " + line + (place.isEmpty() ? "" : ", " + place) + ": " + message);
    }

    private GraphFileException malformed(IOException e) {
        if (e instanceof JsonProcessingException json) {
            int line = json.getLocation() == null ? 1 : json.getLocation().getLineNr();
            return new GraphFileException(file + ", line " + line + ": " + oneLine(json.getOriginalMessage()), e);
        }
        if (e instanceof CharacterCodingException) {
            return new GraphFileException(file + " is not UTF-8 text", e);
        }
        return new GraphFileException(file + " cannot be read: " + e.getMessage(), e);
    }

    private void expect(JsonToken wanted, String what) {
        if (token() != wanted) {
            throw fail("expected " + what);
        }
    }

    private JsonToken token() {
        return parser.currentToken();
    }

    private JsonToken advance() {
        try {
            return parser.nextToken();
        } catch (IOException e) {
            throw malformed(e);
        }
    }

    private String name() {
        try {
            return parser.currentName();
        } catch (IOException e) {
            throw malformed(e);
        }
    }

    private String text() {
        try {
            return parser.getText();
        } catch (IOException e) {
            throw malformed(e);
        }
    }

    private static String known(Class<? extends Enum<?>> type) {
        StringBuilder names = new StringBuilder();
        for (Enum<?> constant : type.getEnumConstants()) {
            names.append(names.length() == 0 ? "" : ", ").append(camelCase(constant.name()));
        }
        return names.toString();
    }

    private static String camelCase(String constant) {
        StringBuilder text = new StringBuilder();
        for (String word : constant.toLowerCase(Locale.ROOT).split("_", -1)) {
            text.append(text.length() == 0 ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        return text.toString();
    }

    private static String shortened(String text) {
        return text.length() <= 40 ? text : text.substring(0, 40) + "...";
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\s*\\R\\s*", " ")
                .replaceAll(" \\(start marker at .*", "")
                .strip();
    }

    @Override
    public void close() throws IOException {
        parser.close();
    }
}
