package io.frameloom.testing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON as RFC 8259 has it, and nothing else: maps, lists, texts, {@link Double}s, booleans and null. */
final class JsonText {
    private final String text;
    private int at;

    private JsonText(String text) {
        this.text = text;
    }

    /** Returns the value of a whole text. */
    static Object parse(String text) {
        JsonText json = new JsonText(text);
        Object value = json.value();
        json.space();
        if (json.at != text.length()) {
            throw json.wrong("the end");
        }
        return value;
    }

    private Object value() {
        space();
        char c = peek();
        if (c == '{') {
            return object();
        } else if (c == '[') {
            return array();
        } else if (c == '"') {
            return string();
        }
        for (Object word : new Object[] {true, false, "null"}) {
            if (text.startsWith(word.toString(), at)) {
                at += word.toString().length();
                return word;
            }
        }
        int start = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String number = text.substring(start, at);
        if (!number.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) {
            throw wrong("a value");
        }
        return Double.valueOf(number);
    }

    private Map<String, Object> object() {
        Map<String, Object> members = new LinkedHashMap<>();
        take('{');
        space();
        if (peek() == '}') {
            at++;
            return members;
        }
        do {
            space();
            String key = string();
            space();
            take(':');
            if (members.put(key, value()) != null) {
                throw wrong("no second '" + key + "'");
            }
            space();
        } while (isNext(','));
        take('}');
        return members;
    }

    private List<Object> array() {
        List<Object> elements = new ArrayList<>();
        take('[');
        space();
        if (peek() == ']') {
            at++;
            return elements;
        }
        do {
            elements.add(value());
            space();
        } while (isNext(','));
        take(']');
        return elements;
    }

    private String string() {
        StringBuilder chars = new StringBuilder();
        take('"');
        while (peek() != '"') {
            char c = text.charAt(at);
            at++;
            if (c < 0x20) {
                throw wrong("an escaped control character");
            }
            chars.append(c == '\\' ? escaped() : c);
        }
        at++;
        return chars.toString();
    }

    private char escaped() {
        char c = peek();
        at++;
        if (c == 'u') {
            at += 4;
            return (char) Integer.parseInt(text, at - 4, at, 16);
        }
        int known = "\"\\/bfnrt".indexOf(c);
        if (known < 0) {
            throw wrong("an escape");
        }
        return "\"\\/\b\f\n\r\t".charAt(known);
    }

    private boolean isNext(char c) {
        boolean next = peek() == c;
        at += next ? 1 : 0;
        return next;
    }

    private void take(char c) {
        if (!isNext(c)) {
            throw wrong("'" + c + "'");
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw wrong("more");
        }
        return text.charAt(at);
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private AssertionError wrong(String expected) {
        return new AssertionError("no JSON: " + expected + " expected at " + at + ", after ..."
                + text.substring(Math.max(0, at - 60), Math.min(at, text.length())));
    }
}
