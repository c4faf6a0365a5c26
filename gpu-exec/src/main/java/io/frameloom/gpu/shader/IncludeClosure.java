package io.frameloom.gpu.shader;

import io.frameloom.gpu.pipeline.ShaderIncludes;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The text of a shader with every file that its include lines can reach, each read once, and every path that has no
 * file. It is found without the preprocessor, so it also has includes in comments and in branches that are left out.
 * The compiler then never asks for more than this, and equal closures compile to equal code. Immutable.
 *
 * @param text text of the shader itself
 * @param missing paths without a file, and why: not there, or not readable
 */
record IncludeClosure(String text, SortedMap<String, String> files, SortedMap<String, String> missing) {
    private static final Pattern DIRECTIVE =
            Pattern.compile("#[ \\t]*include\\b[^\"<\\n]*(?:\"([^\"\\n]*)\"|<([^>\\n]*)>)");
    /** A directive without quotes before it: a directive in quotes is none. */
    private static final Pattern INCLUDE_LINE =
            Pattern.compile("^[^\"\\n]*" + DIRECTIVE.pattern(), Pattern.MULTILINE | Pattern.UNIX_LINES);

    private static final String BYTE_ORDER_MARK = "\uFEFF";
    private static final String ABSENT = "there is no such file";

    /**
     * Reads the files that a text can include. A byte order mark at the beginning is no part of a text, and lines end
     * in line feeds.
     */
    static IncludeClosure of(String shader, String source, ShaderIncludes includes) {
        String text = normalised(source);
        SortedMap<String, String> files = new TreeMap<>();
        SortedMap<String, String> missing = new TreeMap<>();
        if (text.contains("include")) {
            Deque<String> unread = new ArrayDeque<>();
            scan(shader, text, unread);
            while (!unread.isEmpty()) {
                String path = unread.remove();
                if (files.containsKey(path) || missing.containsKey(path)) {
                    continue;
                }
                try {
                    String found = includes.read(path);
                    if (found == null) {
                        missing.put(path, ABSENT);
                    } else {
                        String file = normalised(found);
                        files.put(path, file);
                        scan(path, file, unread);
                    }
                } catch (IOException e) {
                    missing.put(path, "it cannot be read: " + e.getMessage());
                }
            }
        }
        return new IncludeClosure(text, files, missing);
    }

    private static String normalised(String text) {
        String unmarked = text.startsWith(BYTE_ORDER_MARK) ? text.substring(BYTE_ORDER_MARK.length()) : text;
        return unmarked.replace("\r\n", "\n").replace('\r', '\n');
    }

    /**
     * Returns the folder of a shader or file, or the root if the name is no path below it. Names of paths are separated
     * by {@code /}.
     */
    private static String folderOf(String name) {
        String path = resolve("", name);
        int slash = path == null ? -1 : path.lastIndexOf('/');
        return path == null || slash < 0 ? "" : path.substring(0, slash);
    }

    /** Returns the path that {@code header} means in {@code folder}, or null if that is not below the root. */
    static @Nullable String resolve(String folder, String header) {
        if (header.isEmpty() || header.startsWith("/") || header.indexOf('\\') >= 0 || header.indexOf(':') >= 0) {
            return null;
        }
        Deque<String> names = new ArrayDeque<>();
        String path = folder.isEmpty() ? header : folder + "/" + header;
        for (String name : path.split("/", -1)) {
            if (name.equals("..")) {
                if (names.pollLast() == null) {
                    return null;
                }
            } else if (!name.isEmpty() && !name.equals(".")) {
                names.addLast(name);
            }
        }
        return names.isEmpty() ? null : String.join("/", names);
    }

    private static void scan(String from, String text, Deque<String> unread) {
        Matcher directive = DIRECTIVE.matcher(text);
        String folder = folderOf(from);
        while (directive.find()) {
            String quoted = directive.group(1);
            String header = quoted == null ? directive.group(2) : quoted;
            String beside = quoted == null ? null : resolve(folder, header);
            String fromRoot = resolve("", header);
            if (beside != null) {
                unread.add(beside);
            }
            if (fromRoot != null && !fromRoot.equals(beside)) {
                unread.add(fromRoot);
            }
        }
    }

    /** Returns the path of the file that an include line of a file leads to, or null if it leads nowhere. */
    @Nullable
    String find(String from, String header, boolean quoted) {
        String beside = beside(from, header, quoted);
        if (beside != null && files.containsKey(beside)) {
            return beside;
        }
        String fromRoot = resolve("", header);
        return fromRoot != null && files.containsKey(fromRoot) ? fromRoot : null;
    }

    private static @Nullable String beside(String from, String header, boolean quoted) {
        return quoted ? resolve(folderOf(from), header) : null;
    }

    String whyNot(String from, String header, boolean quoted) {
        String beside = beside(from, header, quoted);
        String fromRoot = resolve("", header);
        if (beside == null && fromRoot == null) {
            return "the path leads out of the shaders' root; use one below it";
        }
        String reason = reason(beside);
        if (reason.isEmpty() || reason.equals(ABSENT)) {
            String second = reason(fromRoot);
            reason = second.isEmpty() ? reason : second;
        }
        return reason.isEmpty() ? "the path must be written out in the line, not made by the preprocessor" : reason;
    }

    private String reason(@Nullable String path) {
        return path == null ? "" : missing.getOrDefault(path, "");
    }

    String textOf(String path) {
        String file = files.get(path);
        if (file == null) {
            throw new IllegalArgumentException("there is no file '" + path + "' in " + files.keySet());
        }
        return file;
    }

    /**
     * Returns a text with other headers in its include lines, also in those that are left out.
     *
     * @param other gives what replaces a header, from the header and the number of its line
     */
    static String withEachHeader(String text, BiFunction<String, Integer, String> other) {
        Matcher line = INCLUDE_LINE.matcher(text);
        StringBuilder out = new StringBuilder();
        int copied = 0;
        int number = 1;
        while (line.find()) {
            int group = line.group(1) == null ? 2 : 1;
            number += (int) text.substring(copied, line.start(group))
                    .chars()
                    .filter(c -> c == '\n')
                    .count();
            out.append(text, copied, line.start(group)).append(other.apply(line.group(group), number));
            copied = line.end(group);
        }
        return out.append(text, copied, text.length()).toString();
    }
}
