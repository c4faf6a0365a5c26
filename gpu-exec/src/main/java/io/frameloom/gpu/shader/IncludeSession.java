package io.frameloom.gpu.shader;

import static org.lwjgl.util.shaderc.Shaderc.shaderc_compile_options_set_include_callbacks;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_include_type_relative;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.util.shaderc.ShadercIncludeResolve;
import org.lwjgl.util.shaderc.ShadercIncludeResult;
import org.lwjgl.util.shaderc.ShadercIncludeResultRelease;

/**
 * Answers the include lines of one compilation from a closure. The compiling thread only.
 *
 * <p>The compiler names neither the line that asks for a file nor, when one file is included twice, which inclusion it
 * means. So every header for it ends in a mark and the number of its line. Every file for it is named by its path, the
 * mark and the number of the inclusion. Both are removed from its messages.
 */
final class IncludeSession implements AutoCloseable {
    private static final int MOST_NESTED = 64;
    /** In no path, and for the preprocessor a character of a header like any other. */
    private static final char MARK = '\u0001';

    private static final Pattern MARKED = Pattern.compile(MARK + "([0-9]+)");
    /** What the compiler adds to an error about an include line, which names the file itself. */
    private static final Pattern HEADER_NAME = Pattern.compile(" for header name: [^\n]*$");

    private static final Pattern ABOUT_INCLUSION = Pattern.compile("^[^" + MARK + "]*" + MARK + "([0-9]+):");

    private final IncludeClosure closure;
    private final ShadercIncludeResolve resolve = ShadercIncludeResolve.create(this::resolve);
    private final ShadercIncludeResultRelease release =
            ShadercIncludeResultRelease.create((user, result) -> free(ShadercIncludeResult.create(result)));
    /** By number; the shader itself is the first. */
    private final List<Inclusion> inclusions = new ArrayList<>();

    /**
     * The last line that led nowhere, and why: the compiler asks for a header in quotes once more, as one in brackets.
     */
    private @Nullable Inclusion refused;

    private String refusal = "";
    private boolean tooDeep;

    /** A file in the place where it is included, by a line of another. */
    private record Inclusion(
            String path, int line, @Nullable Inclusion by) {
        private static final int UNKNOWN_LINE = 0;

        /** Returns the lines that led here, innermost first; those of a cycle once. */
        String chain() {
            Set<String> lines = new LinkedHashSet<>();
            for (Inclusion at = this; at.by != null; at = at.by) {
                lines.add("\n  included from " + at.by.path + (at.line == UNKNOWN_LINE ? "" : ":" + at.line));
            }
            return String.join("", lines);
        }

        int depth() {
            int depth = 0;
            for (Inclusion at = this; at.by != null; at = at.by) {
                depth++;
            }
            return depth;
        }

        /** Returns the files from the last inclusion of this one on, in their order; empty if it is in none. */
        List<String> cycle() {
            List<String> files = new ArrayList<>();
            for (Inclusion at = by; at != null; at = at.by) {
                files.add(0, at.path);
                if (at.path.equals(path)) {
                    return files;
                }
            }
            return List.of();
        }

        String firstOf(List<String> files) {
            String first = path;
            for (Inclusion at = this; at != null; at = at.by) {
                first = files.contains(at.path) ? at.path : first;
            }
            return first;
        }
    }

    IncludeSession(String shader, IncludeClosure closure) {
        this.closure = closure;
        inclusions.add(new Inclusion(shader, Inclusion.UNKNOWN_LINE, null));
    }

    void attach(long options) {
        shaderc_compile_options_set_include_callbacks(options, resolve, release, MemoryUtil.NULL);
    }

    String text() {
        return marked(closure.text());
    }

    private static String marked(String text) {
        return IncludeClosure.withEachHeader(text, (header, line) -> header + MARK + line);
    }

    private long resolve(long user, long requested, int type, long requesting, long depth) {
        String header = MemoryUtil.memUTF8(requested);
        Inclusion from = inclusions.get(numberIn(MemoryUtil.memUTF8(requesting)));
        // A header that the preprocessor has made has no mark.
        int line = numberIn(header);
        header = withoutMarks(header);
        boolean quoted = type == shaderc_include_type_relative;
        Inclusion asked = new Inclusion(header, line, from);
        if (!quoted && asked.equals(refused)) {
            return answer("", refusal);
        }
        if (tooDeep) {
            // A file that was too deep once would be so by every other line as well.
            return included(asked, "");
        }
        String path = closure.find(from.path, header, quoted);
        if (path == null) {
            refused = asked;
            refusal = "'" + header + "': " + closure.whyNot(from.path, header, quoted);
            return answer("", refusal);
        }
        Inclusion inclusion = new Inclusion(path, line, from);
        if (inclusion.depth() > MOST_NESTED) {
            tooDeep = true;
            refused = asked;
            refusal = tooDeep(inclusion);
            return answer("", refusal);
        }
        return included(inclusion, closure.textOf(path));
    }

    private static String tooDeep(Inclusion inclusion) {
        List<String> cycle = inclusion.cycle();
        if (cycle.isEmpty()) {
            return "more than " + MOST_NESTED + " files are nested";
        }
        String first = inclusion.firstOf(cycle);
        List<String> turn = new ArrayList<>(cycle);
        Collections.rotate(turn, -cycle.indexOf(first));
        turn.add(first);
        return "'" + first + "' includes itself (" + String.join(" -> ", turn) + ") more than " + MOST_NESTED
                + " files deep; guard it by #ifndef";
    }

    private long included(Inclusion inclusion, String text) {
        inclusions.add(inclusion);
        return answer(inclusion.path + MARK + (inclusions.size() - 1), marked(text));
    }

    private static int numberIn(String marked) {
        Matcher mark = MARKED.matcher(marked);
        return mark.find() ? Integer.parseInt(mark.group(1)) : 0;
    }

    private static String withoutMarks(String words) {
        return MARKED.matcher(words).replaceAll("");
    }

    /** An answer without a name is an error. */
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

    /** Returns the compiler's message; after each line about an included file stands its chain of includes. */
    String explain(String words) {
        StringBuilder out = new StringBuilder();
        for (String line : words.lines().toList()) {
            out.append(out.length() == 0 ? "" : "\n")
                    .append(withoutMarks(HEADER_NAME.matcher(line).replaceFirst("")));
            Matcher about = ABOUT_INCLUSION.matcher(line);
            if (about.find()) {
                out.append(inclusions.get(Integer.parseInt(about.group(1))).chain());
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
