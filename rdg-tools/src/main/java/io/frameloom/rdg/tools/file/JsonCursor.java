package io.frameloom.rdg.tools.file;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import io.frameloom.rdg.options.NearestNames;
import io.frameloom.rdg.tools.GraphFileException;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Walks through a JSON text without keeping it, so memory does not grow with the file. Each error names its place. One
 * thread.
 */
final class JsonCursor implements AutoCloseable {
    private static final int MAX_DEPTH = 64;
    private static final int MAX_NAME = 1000;
    private static final int MAX_TEXT = 1 << 20;
    private static final int MAX_DIGITS = 32;

    private final String file;
    private final JsonParser parser;

    JsonCursor(String file, Reader reader) throws IOException {
        this.file = file;
        JsonFactory factory = JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(MAX_DEPTH)
                        .maxStringLength(MAX_TEXT)
                        .maxNumberLength(MAX_DIGITS)
                        .build())
                .build();
        parser = factory.createParser(reader);
        advance();
    }

    /**
     * The keys that an object may have.
     *
     * @param owner what the object is, with its article
     * @param needed how many of the keys it must have, which are the first
     * @param names at most 64 keys
     */
    record Keys(String owner, int needed, List<String> names) {
        static Keys of(String owner, String... names) {
            return new Keys(owner, 0, List.of(names));
        }

        static Keys needing(int needed, String owner, String... names) {
            return new Keys(owner, needed, List.of(names));
        }

        String need() {
            return owner + " needs "
                    + names.stream().limit(needed).map(name -> '"' + name + '"').collect(Collectors.joining(" and "));
        }
    }

    /**
     * Goes through the members of an object, each once: {@code member} takes the value after each name, null is none.
     */
    void object(Keys keys, Consumer<String> member) {
        expect(JsonToken.START_OBJECT, "an object");
        long seen = 0;
        long said = 0;
        while (advance() != JsonToken.END_OBJECT) {
            String name = name();
            int index = keys.names.indexOf(name);
            if (index < 0) {
                throw fail("unknown key '" + shortened(name) + "' of " + keys.owner + ", the nearest are "
                        + NearestNames.of(shortened(name), keys.names));
            }
            requireFirst((seen & 1L << index) == 0, name);
            seen |= 1L << index;
            if (advance() != JsonToken.VALUE_NULL) {
                member.accept(name);
                said |= 1L << index;
            }
        }
        if (Long.numberOfTrailingZeros(~said) < keys.needed) {
            throw fail(keys.need());
        }
    }

    /** Goes through the members of an object whose keys are names. */
    void namedObject(Consumer<String> member) {
        expect(JsonToken.START_OBJECT, "an object");
        Set<String> seen = new HashSet<>();
        while (advance() != JsonToken.END_OBJECT) {
            String name = name();
            requireFirst(seen.add(name), name);
            advance();
            member.accept(name);
        }
    }

    private void requireFirst(boolean first, String name) {
        if (!first) {
            throw fail("the key '" + shortened(name) + "' stands twice in one object");
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
        read(parser::skipChildren);
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

    /** Returns a name of something that is declared elsewhere. */
    FileGraph.Name reference(String what) {
        return new FileGraph.Name(name(what), line());
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

    boolean isNull() {
        return token() == JsonToken.VALUE_NULL;
    }

    boolean isString() {
        return token() == JsonToken.VALUE_STRING;
    }

    /** Returns a finite number. */
    double decimal() {
        if (token() != JsonToken.VALUE_NUMBER_INT && token() != JsonToken.VALUE_NUMBER_FLOAT) {
            throw fail("expected a number");
        }
        double value = read(parser::getDoubleValue);
        if (!Double.isFinite(value)) {
            throw fail("expected a number that a double holds");
        }
        return value;
    }

    long integer(long min, long max) {
        expect(JsonToken.VALUE_NUMBER_INT, "a whole number");
        if (read(parser::getNumberType) != JsonParser.NumberType.BIG_INTEGER) {
            long value = read(parser::getLongValue);
            if (value >= min && value <= max) {
                return value;
            }
        }
        throw fail("expected a number of " + min + " to " + max + ", got " + text());
    }

    /** Returns the constant whose name in camel case is the text. */
    <E extends Enum<E>> E constant(Class<E> type) {
        return constant(type, constant -> camelCase(constant.name()));
    }

    /** Returns the constant whose name is the text. */
    <E extends Enum<E>> E exactConstant(Class<E> type) {
        return constant(type, Enum::name);
    }

    private <E extends Enum<E>> E constant(Class<E> type, Function<E, String> name) {
        String text = string();
        List<E> all = List.of(type.getEnumConstants());
        return all.stream()
                .filter(constant -> name.apply(constant).equals(text))
                .findFirst()
                .orElseThrow(() -> unknown("value", text, all.stream().map(name).collect(Collectors.joining(", "))));
    }

    /** Returns whether the first of two words stands here, of which it must be one. */
    boolean either(String yes, String no) {
        String text = string();
        if (!text.equals(yes) && !text.equals(no)) {
            throw unknown("value", text, yes + ", " + no);
        }
        return text.equals(yes);
    }

    /** Throws if anything stands after the value. */
    void end() {
        if (advance() != null) {
            throw fail("the file goes on after its object");
        }
    }

    /** Returns the line of the value. */
    int line() {
        return parser.currentTokenLocation().getLineNr();
    }

    GraphFileException fail(String message) {
        String place = parser.getParsingContext().pathAsPointer().toString();
        return new GraphFileException(
                file + ", line " + line() + (place.isEmpty() ? "" : ", " + place) + ": " + message);
    }

    /** Says that a text is none of those that may stand here. */
    GraphFileException unknown(String what, String text, String known) {
        return fail("unknown " + what + " '" + shortened(text) + "', known are " + known);
    }

    private GraphFileException malformed(IOException e) {
        if (e instanceof JsonProcessingException json) {
            JsonLocation at = json.getLocation() == null ? parser.currentLocation() : json.getLocation();
            return new GraphFileException(
                    file + ", line " + at.getLineNr() + ", column " + at.getColumnNr() + ": " + reason(json), e);
        }
        if (e instanceof CharacterCodingException) {
            return new GraphFileException(file + " is not UTF-8 text", e);
        }
        return new GraphFileException(file + " cannot be read: " + e.getMessage(), e);
    }

    /** The parser's own words are about its tokens and classes. */
    private String reason(JsonProcessingException e) {
        if (e instanceof JsonEOFException) {
            return "the text ends inside of an object, a list or a string; it may be cut off";
        }
        if (e instanceof StreamConstraintsException) {
            return parser.getParsingContext().getNestingDepth() >= MAX_DEPTH
                    ? "objects and lists are nested deeper than " + MAX_DEPTH
                    : "a string of more than " + MAX_TEXT + " characters, or a number of more than " + MAX_DIGITS
                            + " digits";
        }
        return "this is not JSON; keys and strings stand in double quotes, entries are separated by one comma";
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
        return read(parser::nextToken);
    }

    private String name() {
        return read(parser::currentName);
    }

    private String text() {
        return read(parser::getText);
    }

    /** What the parser is asked for. */
    @FunctionalInterface
    private interface Reading<T> {
        T read() throws IOException;
    }

    private <T> T read(Reading<T> reading) {
        try {
            return reading.read();
        } catch (IOException e) {
            throw malformed(e);
        }
    }

    /** Returns the name in files of a constant. */
    static String camelCase(String constant) {
        StringBuilder text = new StringBuilder();
        for (String word : constant.toLowerCase(Locale.ROOT).split("_", -1)) {
            text.append(text.length() == 0 ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        return text.toString();
    }

    static String shortened(String text) {
        return text.length() <= 40 ? text : text.substring(0, 40) + "...";
    }

    @Override
    public void close() throws IOException {
        parser.close();
    }
}
