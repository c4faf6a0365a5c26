package io.frameloom.gpu.shader;

import io.frameloom.gpu.error.ShaderCompilationException;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import java.util.List;
import java.util.Random;

/**
 * Compiles shaders with line ends, continued lines and comments at random between their tokens, in a process of its
 * own: what is harmless must be compiled, what the compiler falls over must be refused. Arguments: seed and number. The
 * last line is {@code done}.
 */
final class LineEndShaders {
    private static final List<String> HARMLESS = List.of(
            "layout", "(", "binding", "=", "0", ")", "buffer", "B", "{", "int", "v", ";", "}", "b", ";", "void", "main",
            "(", ")", "{", "b", ".", "v", "=", "-", "b", ".", "v", "/", "2", ";", "}");
    private static final List<String> BLOCK =
            List.of("buffer", "S", "{", "int", "x", ";", "}", ";", "int", "S", "[", "3", "]", ";");
    private static final List<String> ENDS = List.of("\n", "\r", "\r\n", "\n\r", "\n\n");
    private static final List<String> CONTINUED = List.of("\\\n", "\\\r", "\\\r\n", "\\\n\\\r\n");

    private final Random random;
    private final StringBuilder text = new StringBuilder();

    private LineEndShaders(long seed) {
        random = new Random(seed);
    }

    private String one(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }

    /** Appends characters with continued lines between them. */
    private void spread(String characters) {
        for (int i = 0; i < characters.length(); i++) {
            text.append(random.nextInt(8) == 0 ? one(CONTINUED) : "").append(characters.charAt(i));
        }
    }

    /** Appends what is at least one blank. */
    private void apart() {
        text.append(' ');
        for (int i = random.nextInt(3); i > 0; i--) {
            switch (random.nextInt(6)) {
                case 0 -> text.append(one(ENDS));
                case 1 -> text.append(one(CONTINUED));
                case 2 -> {
                    spread("// /* x \" } ");
                    text.append(random.nextBoolean() ? one(CONTINUED) + "{ #if " : "")
                            .append(one(ENDS));
                }
                case 3 -> {
                    spread("/* // \" * { ");
                    text.append(one(ENDS)).append("#if ").append(one(CONTINUED));
                    spread("**/");
                }
                case 4 -> text.append("/**/");
                default -> text.append("\t");
            }
        }
        text.append(' ');
    }

    private void tokens(List<String> tokens) {
        for (String token : tokens) {
            spread(token);
            apart();
        }
    }

    private String shader(boolean redefines) {
        text.setLength(0);
        text.append("#version 450").append(one(ENDS));
        if (random.nextBoolean()) {
            text.append("#define UNUSED").append(one(ENDS));
        }
        apart();
        text.append(one(ENDS));
        tokens(List.of("layout", "(", "local_size_x", "=", "1", ")", "in", ";"));
        if (redefines) {
            tokens(BLOCK);
        }
        tokens(HARMLESS);
        return text.toString();
    }

    public static void main(String[] arguments) {
        LineEndShaders shaders = new LineEndShaders(Long.parseLong(arguments[0]));
        int count = Integer.parseInt(arguments[1]);
        try (ShaderCompiler compiler = new ShaderCompiler()) {
            for (int i = 0; i < count; i++) {
                boolean redefines = i % 4 == 0;
                String text = shaders.shader(redefines);
                System.out.println(i + ": " + text.replace("\n", "\\n").replace("\r", "\\r"));
                String said = "";
                try {
                    compiler.compile(new ShaderSource("s" + i, ShaderStage.COMPUTE, text));
                } catch (ShaderCompilationException refused) {
                    said = String.valueOf(refused.getMessage());
                }
                if (redefines ? !said.contains("redefinition") : !said.isEmpty()) {
                    throw new IllegalStateException("shader " + i + ": " + said);
                }
            }
        }
        System.out.println("done");
    }
}
