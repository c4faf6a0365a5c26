package io.frameloom.gpu.shader;

import static org.lwjgl.util.shaderc.Shaderc.shaderc_compile_options_set_include_callbacks;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_include_type_relative;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.util.shaderc.ShadercIncludeResolve;
import org.lwjgl.util.shaderc.ShadercIncludeResult;
import org.lwjgl.util.shaderc.ShadercIncludeResultRelease;

/** Answers the include lines of one compilation from a closure. The compiling thread only. */
final class IncludeSession implements AutoCloseable {
    private static final int MOST_NESTED = 64;

    private final String shader;
    private final IncludeClosure closure;
    private final ShadercIncludeResolve resolve = ShadercIncludeResolve.create(this::resolve);
    private final ShadercIncludeResultRelease release =
            ShadercIncludeResultRelease.create((user, result) -> free(ShadercIncludeResult.create(result)));
    /** The files that are open, outermost first; the shader itself is the first. */
    private final List<String> open = new ArrayList<>();
    /** How each file came to be included first: the lines, innermost first. */
    private final Map<String, String> chains = new HashMap<>();

    IncludeSession(String shader, IncludeClosure closure) {
        this.shader = shader;
        this.closure = closure;
        open.add(shader);
        chains.put(shader, "");
    }

    void attach(long options) {
        shaderc_compile_options_set_include_callbacks(options, resolve, release, MemoryUtil.NULL);
    }

    private long resolve(long user, long requested, int type, long requesting, long depth) {
        String header = MemoryUtil.memUTF8(requested);
        String from = MemoryUtil.memUTF8(requesting);
        // The including file is still open, whatever was included from there before is not.
        int index = open.lastIndexOf(from);
        while (index >= 0 && open.size() > index + 1) {
            open.remove(open.size() - 1);
        }
        IncludeClosure.Target target = closure.find(from, header, type == shaderc_include_type_relative);
        if (target instanceof IncludeClosure.Nothing nothing) {
            return refuse(nothing.reason() + chainOf(from));
        }
        String path = ((IncludeClosure.Found) target).path();
        String chain = "\n  included from " + from + ":" + IncludeClosure.lineOf(closure.textOf(shader, from), header)
                + chainOf(from);
        if (open.contains(path)) {
            return refuse("'" + path + "' includes itself" + chain);
        }
        if (open.size() > MOST_NESTED) {
            return refuse("more than " + MOST_NESTED + " files are nested" + chain);
        }
        open.add(path);
        chains.putIfAbsent(path, chain);
        return answer(path, closure.textOf(shader, path));
    }

    private String chainOf(String file) {
        return chains.getOrDefault(file, "");
    }

    /** An answer without a name is an error. */
    private static long refuse(String reason) {
        return answer("", reason);
    }

    private static long answer(String name, String content) {
        return ShadercIncludeResult.calloc()
                .source_name(MemoryUtil.memUTF8(name, false))
                .content(MemoryUtil.memUTF8(content, false))
                .address();
    }

    private static void free(ShadercIncludeResult result) {
        MemoryUtil.memFree(result.source_name());
        MemoryUtil.memFree(result.content());
        result.free();
    }

    /** Returns the compiler's words; behind each line about an included file stands how it came to be included. */
    String explain(String words) {
        StringBuilder out = new StringBuilder();
        for (String line : words.lines().toList()) {
            out.append(out.length() == 0 ? "" : "\n").append(line);
            for (Map.Entry<String, String> file : chains.entrySet()) {
                if (line.startsWith(file.getKey() + ":")) {
                    out.append(file.getValue());
                }
            }
        }
        return out.toString();
    }

    @Override
    public void close() {
        resolve.free();
        release.free();
    }
}
