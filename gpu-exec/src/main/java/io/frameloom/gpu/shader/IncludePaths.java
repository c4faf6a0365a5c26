package io.frameloom.gpu.shader;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Paths of shader files from their root, names separated by {@code /}. Stateless. */
final class IncludePaths {
    private IncludePaths() {}

    /** Returns the folder of a shader or file, or the root if the name is no path below it. */
    static String folderOf(String name) {
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
}
