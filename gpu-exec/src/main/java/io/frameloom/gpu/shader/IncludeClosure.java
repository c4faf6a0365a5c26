package io.frameloom.gpu.shader;

import io.frameloom.gpu.ShaderIncludes;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The text of a shader with every file that its include lines can reach, each read once, and every path where one was looked
 * for in vain. It is found without the preprocessor, so it also has what is in comments and in branches that are left out:
 * what the compiler then asks for is never more than this, and equal closures compile to equal code. Immutable.
 *
 * @param text text of the shader itself
 * @param files files by path
 * @param missing paths without a file, and why: not there, or not readable
 */
record IncludeClosure(String text, SortedMap<String, String> files, SortedMap<String, String> missing) {
    private static final Pattern DIRECTIVE =
            Pattern.compile("#[ \\t]*include\\b[^\"<\\n]*(?:\"([^\"\\n]*)\"|<([^>\\n]*)>)");
    private static final String ABSENT = "there is no such file";

    /** Where an include line leads: to a file, or nowhere. */
    sealed interface Target {}

    /**
     * A file.
     *
     * @param path its path
     */
    record Found(String path) implements Target {}

    /**
     * No file.
     *
     * @param reason why, in words
     */
    record Nothing(String reason) implements Target {}

    static IncludeClosure of(String shader, String text, ShaderIncludes includes) {
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
                        files.put(path, found);
                        scan(path, found, unread);
                    }
                } catch (IOException e) {
                    missing.put(path, "it cannot be read: " + e.getMessage());
                }
            }
        }
        return new IncludeClosure(text, files, missing);
    }

    private static void scan(String from, String text, Deque<String> unread) {
        Matcher directive = DIRECTIVE.matcher(text);
        String folder = IncludePaths.folderOf(from);
        while (directive.find()) {
            String quoted = directive.group(1);
            String header = quoted == null ? directive.group(2) : quoted;
            String beside = quoted == null ? null : IncludePaths.resolve(folder, header);
            String fromRoot = IncludePaths.resolve("", header);
            if (beside != null) {
                unread.add(beside);
            }
            if (fromRoot != null && !fromRoot.equals(beside)) {
                unread.add(fromRoot);
            }
        }
    }

    /** Returns where an include line of a file leads. */
    Target find(String from, String header, boolean quoted) {
        String beside = quoted ? IncludePaths.resolve(IncludePaths.folderOf(from), header) : null;
        String fromRoot = IncludePaths.resolve("", header);
        if (beside == null && fromRoot == null) {
            return new Nothing("the path leads out of the shaders' root; use one below it");
        }
        if (beside != null && files.containsKey(beside)) {
            return new Found(beside);
        }
        if (fromRoot != null && files.containsKey(fromRoot)) {
            return new Found(fromRoot);
        }
        String reason = reason(beside);
        if (reason.isEmpty() || reason.equals(ABSENT)) {
            String second = reason(fromRoot);
            reason = second.isEmpty() ? reason : second;
        }
        return new Nothing(
                reason.isEmpty() ? "the path must be written out in the line, not made by the preprocessor" : reason);
    }

    private String reason(@Nullable String path) {
        return path == null ? "" : missing.getOrDefault(path, "");
    }

    /** Returns the text of the shader or of one of the files. */
    String textOf(String shader, String path) {
        return path.equals(shader) ? text : files.getOrDefault(path, text);
    }

    /** Returns the number of the first line in {@code text} that includes {@code header}, 0 if there is none. */
    static int lineOf(String text, String header) {
        Matcher directive = DIRECTIVE.matcher(text);
        while (directive.find()) {
            if (header.equals(directive.group(1)) || header.equals(directive.group(2))) {
                return 1
                        + (int) text.substring(0, directive.start())
                                .chars()
                                .filter(c -> c == '\n')
                                .count();
            }
        }
        return 0;
    }
}
