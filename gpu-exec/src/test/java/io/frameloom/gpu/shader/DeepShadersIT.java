package io.frameloom.gpu.shader;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.testing.ChildJvm;
import io.frameloom.testing.TestEffort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** However deep a shader is nested, it is compiled or refused: native compilers recurse into it, on whatever stack they have. */
@Timeout(240)
class DeepShadersIT {
    private static final Duration LIMIT = Duration.ofSeconds(230);

    private static List<String> results(String kind) throws Exception {
        List<String> lines = ChildJvm.run(LIMIT, Map.of(), DeepShaders.class, kind);
        List<String> results = new ArrayList<>();
        for (int i = 1; i < lines.size(); i += 2) {
            results.add(lines.get(i));
        }
        return results;
    }

    private static List<String> told(String kind) throws Exception {
        String reason =
                ": error: more than 10000 operators or brackets follow each other or are nested here, which would"
                        + " exhaust the compiler's stack; split the expression";
        List<String> told = new ArrayList<>();
        for (String result : results(kind)) {
            int message = result.indexOf(" | ");
            told.add(message < 0 ? result : result.substring(message + 3).replace(reason, " too deep"));
        }
        return told;
    }

    @Test
    void whatOneMayWriteIsCompiled() throws Exception {
        assertThat(results("realistic")).hasSize(16).allMatch(line -> line.endsWith(": compiled"));
    }

    @Test
    void commentsAndLinesHideNothing() throws Exception {
        assertThat(told("hidden"))
                .containsExactly(
                        "block behind a carriage return:6: error: 'S' : redefinition, it is the name of a block",
                        "block behind a continued comment:7: error: 'S' : redefinition, it is the name of a block",
                        "sum behind a continued comment:7 too deep",
                        "sum behind a split end of a comment:7 too deep",
                        "sum behind carriage returns:6 too deep",
                        "preprocessor behind a carriage return:5 too deep",
                        "preprocessor behind quotes:5 too deep",
                        "preprocessor across comments:4 too deep",
                        "preprocessor in GLSL 4.10:3 too deep",
                        "macros of the preprocessor:23 too deep",
                        "calls of the preprocessor:5 too deep",
                        "branches of the preprocessor:4: error: there are more than 10000 #elif, which would exhaust the"
                                + " compiler's stack if they followed each other; use fewer",
                        "branch of two marks:5 too deep",
                        "line directive:4 too deep");
    }

    @Test
    void whatIsTooDeepIsRefusedByFileAndLine() throws Exception {
        assertThat(told("excessive"))
                .containsExactly(
                        "sum of 300,000:6 too deep",
                        "300,000 commas:5 too deep",
                        "300,000 selections:5 too deep",
                        "300,000 in a bracket:5 too deep",
                        "300,000 brackets:5 too deep",
                        "300,000 minuses:5 too deep",
                        "9,900 brackets: compiled",
                        "3,000 branches:5: error: '' :  memory exhausted |   brackets, blocks or branches are nested too"
                                + " deep here for the compiler; split them",
                        "300,000 of the preprocessor:5 too deep",
                        "sum of a macro:24 too deep",
                        "sum across lines:7 too deep",
                        "sum.glsl:2 too deep |   included from sum across includes:7",
                        "sum of a definition:5 too deep",
                        "array called as a block:5: error: 'S' : redefinition, it is the name of a block",
                        "sum and an error:4: error: '#error' : no",
                        "50,000 structs:4004: error: there are more than 4000 structs, which would exhaust the compiler's"
                                + " stack if they were nested; use fewer",
                        "300 structs: shader '300 structs' nests types more than 255 deep (word 4751 of its SPIR-V); use"
                                + " flatter structs and arrays",
                        "20,000 arrays in SPIR-V: shader '20,000 arrays in SPIR-V' nests types more than 255 deep (word"
                                + " 1038 of its SPIR-V); use flatter structs and arrays");
    }

    @Test
    void lineEndsAndCommentsAreReadAsTheCompilerDoes() throws Exception {
        long seed = Long.getLong("frameloom.mutants.seed", 1);
        List<String> lines = ChildJvm.run(LIMIT, Map.of(), LineEndShaders.class, seed, TestEffort.of(48, 400));
        assertThat(lines.get(lines.size() - 1)).as("with seed %d", seed).isEqualTo("done");
    }
}
