package io.frameloom.gpu.shader;

import static org.lwjgl.util.shaderc.Shaderc.shaderc_compile_options_set_include_callbacks;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_include_type_relative;

import java.util.ArrayList;
import java.util.List;
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
 * <p>The compiler says neither which line asks for a file nor, when one file is included twice, which of the two it speaks
 * of. So every header that it is given ends in a mark and the number of its line, and every file that it is answered with is
 * named by its path, the mark and the number of the inclusion; its words are cleared of both.
 */
final class IncludeSession implements AutoCloseable {
    private static final int MOST_NESTED = 64;
    /** In no path, and read by the preprocessor as any other character of a header. */
    private static final char MARK = '\u0001';

    private static final Pattern MARKED = Pattern.compile(MARK + "([0-9]+)");
    private static final Pattern ABOUT_INCLUSION = Pattern.compile("^[^" + MARK + "]*" + MARK + "([0-9]+):");

    private final IncludeClosure closure;
    private final ShadercIncludeResolve resolve = ShadercIncludeResolve.create(this::resolve);
    private final ShadercIncludeResultRelease release =
            ShadercIncludeResultRelease.create((user, result) -> free(ShadercIncludeResult.create(result)));
    /** By number; the shader itself is the first. */
    private final List<Inclusion> inclusions = new ArrayList<>();

    /** A file in the place where it is included, by a line of another. */
    private record Inclusion(
            String path, int line, @Nullable Inclusion by) {
        private static final int UNKNOWN_LINE = 0;

        /** Returns the lines that led here, innermost first. */
        String chain() {
            StringBuilder chain = new StringBuilder();
            for (Inclusion at = this; at.by != null; at = at.by) {
                chain.append("\n  included from ").append(at.by.path);
                if (at.line != UNKNOWN_LINE) {
                    chain.append(':').append(at.line);
                }
            }
            return chain.toString();
        }

        /** Returns how many files it is in. */
        int depth() {
            int depth = 0;
            for (Inclusion at = this; at.by != null; at = at.by) {
                depth++;
            }
            return depth;
        }

        boolean isWithin(String other) {
            for (Inclusion at = this; at != null; at = at.by) {
                if (at.path.equals(other)) {
                    return true;
                }
            }
            return false;
        }
    }

    IncludeSession(String shader, IncludeClosure closure) {
        this.closure = closure;
        inclusions.add(new Inclusion(shader, Inclusion.UNKNOWN_LINE, null));
    }

    void attach(long options) {
        shaderc_compile_options_set_include_callbacks(options, resolve, release, MemoryUtil.NULL);
    }

    /** Returns the shader's text as the compiler is to be given it. */
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
        IncludeClosure.Target target = closure.find(from.path, header, type == shaderc_include_type_relative);
        if (target instanceof IncludeClosure.Nothing nothing) {
            return answer("", nothing.reason() + from.chain());
        }
        String path = ((IncludeClosure.Found) target).path();
        Inclusion inclusion = new Inclusion(path, line, from);
        if (from.isWithin(path)) {
            return answer("", "'" + path + "' includes itself" + inclusion.chain());
        }
        if (inclusion.depth() > MOST_NESTED) {
            return answer("", "more than " + MOST_NESTED + " files are nested" + inclusion.chain());
        }
        inclusions.add(inclusion);
        return answer(path + MARK + (inclusions.size() - 1), marked(closure.textOf(path)));
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

    /** Returns the compiler's words; behind each line about an included file stands how it came to be included. */
    String explain(String words) {
        StringBuilder out = new StringBuilder();
        for (String line : words.lines().toList()) {
            out.append(out.length() == 0 ? "" : "\n").append(withoutMarks(line));
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
