package io.frameloom.gpu.shader;

import io.frameloom.gpu.error.ShaderCompilationException;
import io.frameloom.gpu.pipeline.ShaderIncludes;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Compiles shaders over which native compilers may fall: nested deep, with long expressions, or known. In a process of
 * its own and on its main thread, whose stack is of the default size. Prints of each its name and {@code compiled}, or
 * what the compiler said.
 */
final class DeepShaders {
    private static final String HEAD = """
        #version 450
        layout(local_size_x = 1) in;
        layout(binding = 0) buffer B { int v; vec4 w; int c[4]; } b;
        """;

    private final Map<String, ShaderSource> shaders = new LinkedHashMap<>();

    private static ShaderSource glsl(String name, String text) {
        return new ShaderSource(name, ShaderStage.COMPUTE, text);
    }

    private void text(String name, String text) {
        shaders.put(name, glsl(name, HEAD + text));
    }

    private void body(String name, String statements) {
        text(name, "void main() {\n" + statements + "\n}\n");
    }

    private void realistic(int statements) {
        body("sum of 2,000", "b.v = b.v" + " + b.v".repeat(2_000) + ";");
        body("sum of 9,000", "int a = b.v; b.v = a" + " + a".repeat(9_000) + ";");
        body("4,000 minuses", "b.v = " + "- ".repeat(4_000) + "b.v;");
        body("4,000 brackets", "b.v = " + "(".repeat(4_000) + "b.v" + ")".repeat(4_000) + ";");
        body("2,000 blocks", "{".repeat(2_000) + "b.v = 1;" + "}".repeat(2_000));
        body("800 branches", "if (b.v > 0) {".repeat(800) + "b.v++;" + "}".repeat(800));
        body("800 alternatives", "if (b.v == 0) b.v = 2;" + "else if (b.v == 1) b.v = 3;".repeat(800));
        body("2,000 calls", "b.v = " + "abs(".repeat(2_000) + "b.v" + ")".repeat(2_000) + ";");
        body("2,000 constructors", "b.w = " + "vec4(".repeat(2_000) + "b.w" + ")".repeat(2_000) + ";");
        body("2,000 selections", "b.w = b.w" + ".wzyx".repeat(2_000) + ";");
        body("2,000 brackets of a macro", "#define F(x) x\nb.v = " + "F(".repeat(800) + "1" + ")".repeat(800) + ";");
        body("6,000 brackets of the preprocessor", "#if " + "(".repeat(6_000) + "1" + ")".repeat(6_000) + "\n#endif");
        text("chain of 1,000 functions", chainOfFunctions(1_000) + "void main() { b.v = f1000(1); }");
        body(statements + " statements", "b.v = b.v * 2 + b.c[1] - 3;\n".repeat(statements));
        text(
                "20,000 numbers",
                "const float T[20000] = float[](-1.0 + 2.0" + ", -1.0 + 2.0".repeat(19_999) + ");\n"
                        + "void main() { b.w.x = T[b.v]; }");
        text(
                "20,000 initializers",
                "const vec2 T[] = {{-1.0, -1.0}" + ", {-1.0, -1.0}".repeat(19_999) + "};\n"
                        + "void main() { b.w.xy = T[b.v]; }");
    }

    private static String chainOfFunctions(int count) {
        StringBuilder text = new StringBuilder("int f0(int a) { return a; }\n");
        for (int i = 1; i <= count; i++) {
            text.append("int f")
                    .append(i)
                    .append("(int a) { return f")
                    .append(i - 1)
                    .append("(a) + 1; }\n");
        }
        return text.toString();
    }

    /** Texts about as long as they may be, of what makes the compiler and its preprocessor recurse. */
    private void longest() {
        body("50,000 terms", "int a = b.v; b.v = a" + " + a + a".repeat(25_000) + ";");
        body("500,000 selections", "vec4 a = b.w; b.w.x = a" + ".x".repeat(500_000) + ";");
        text("35,000 structs", chainOfStructs(35_000) + "void main() {}");
        body("500,000 minuses of the preprocessor", "#if " + "- ".repeat(500_000) + "1\n#endif");
        body("130,000 branches of the preprocessor", "#if 0\n" + "#elif 0\n".repeat(130_000) + "#endif");
        body("200,000 minuses of a macro", doubling("-", " ", 17) + "#if A17 1\n#endif");
    }

    private void excessive() {
        body("sum of 300,000", "\nb.v = b.v" + " + b.v".repeat(300_000) + ";");
        body("9,900 brackets", "b.v = " + "(".repeat(9_900) + "b.v" + ")".repeat(9_900) + ";");
        body("300,000 brackets", "b.v = " + "(".repeat(300_000) + "b.v" + ")".repeat(300_000) + ";");
        body("300,000 minuses", "b.v = " + "- ".repeat(300_000) + "b.v;");
        body("3,000 branches", "if (b.v > 0) {".repeat(3_000) + "b.v++;" + "}".repeat(3_000));
        body("sum of a macro", doubling("b.v", " + ", 18) + "b.v = A18 + 1;");
        body("sum across includes", "b.v = 1\n" + "#include \"sum.glsl\"\n".repeat(100) + ";");
        shaders.computeIfPresent(
                "sum across includes",
                (name, source) ->
                        source.withIncludes(ShaderIncludes.of(Map.of("sum.glsl", "\n" + "+ b.v".repeat(3_000)))));
        body("sum of a definition", "b.v = SUM;");
        shaders.computeIfPresent(
                "sum of a definition",
                (name, source) -> source.withDefines(Map.of("SUM", "b.v" + " + b.v".repeat(300_000))));
        text("array called as a block", "buffer S { int x; };\nint S[3];\nvoid main() {}");
        text("block behind a carriage return", "// old\rbuffer S { int x; };\rint S[3];\rvoid main() {}\r");
        text("block behind a continued comment", "buffer S // x \\\n / \n{ int x; };\nint S[3];\nvoid main() {}\n");
        text("sum and an error", "#error no\nvoid main() { b.v = b.v" + " + b.v".repeat(4_000) + "; }");
        text(
                "300 structs",
                chainOfStructs(300) + "layout(binding = 1) buffer C { S300 s; } c;\n" + "void main() { b.v = c.s"
                        + ".a".repeat(301) + "; }");
        shaders.put(
                "20,000 arrays in SPIR-V",
                ShaderSource.spirv("20,000 arrays in SPIR-V", ShaderStage.COMPUTE, arrays(20_000), "main"));
    }

    private static String doubling(String once, String between, int times) {
        StringBuilder text = new StringBuilder("#define A0 " + once + "\n");
        for (int i = 1; i <= times; i++) {
            text.append("#define A%d A%d%sA%d\n".formatted(i, i - 1, between, i - 1));
        }
        return text.toString();
    }

    private static String chainOfStructs(int count) {
        StringBuilder text = new StringBuilder("struct S0 { int a; };\n");
        for (int i = 1; i <= count; i++) {
            text.append("struct S").append(i).append(" { S").append(i - 1).append(" a; };\n");
        }
        return text.toString();
    }

    /** A module that has nothing but arrays of arrays. */
    private static int[] arrays(int count) {
        List<Integer> words = new ArrayList<>(List.of(SpirvValidator.MAGIC, 0x00010000, 0, count + 4, 0));
        words.addAll(List.of(2 << 16 | 17, 1, 3 << 16 | 14, 0, 1));
        words.addAll(List.of(4 << 16 | 21, 1, 32, 0, 4 << 16 | 43, 1, 2, 1));
        for (int i = 0; i < count; i++) {
            words.addAll(List.of(4 << 16 | 28, i + 3, i == 0 ? 1 : i + 2, 2));
        }
        return words.stream().mapToInt(Integer::intValue).toArray();
    }

    public static void main(String[] arguments) {
        DeepShaders deep = new DeepShaders();
        switch (arguments[0]) {
            case "realistic" -> deep.realistic(Integer.parseInt(arguments[1]));
            case "longest" -> deep.longest();
            default -> deep.excessive();
        }
        try (ShaderCompiler compiler = new ShaderCompiler()) {
            deep.shaders.forEach((name, source) -> {
                System.out.println("begins " + name);
                String end = "compiled";
                try {
                    compiler.compile(source);
                } catch (ShaderCompilationException refused) {
                    end = String.valueOf(refused.getMessage()).replace("\n", " | ");
                }
                System.out.println(name + ": " + end);
            });
        }
    }
}
