package io.frameloom.gpu.shader;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.testing.ChildJvm;
import io.frameloom.testing.TestEffort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** However deep a shader is nested, it is compiled or refused: native compilers recurse into it, on whatever stack they have. */
@Timeout(240)
class DeepShadersIT {
    private static final Duration LIMIT = Duration.ofSeconds(230);

    private static List<String> results(Object... arguments) throws Exception {
        List<String> lines = ChildJvm.run(LIMIT, Map.of(), DeepShaders.class, arguments);
        List<String> results = new ArrayList<>();
        for (int i = 1; i < lines.size(); i += 2) {
            results.add(lines.get(i));
        }
        return results;
    }

    @Test
    void whatOneMayWriteIsCompiled() throws Exception {
        assertThat(results("realistic", TestEffort.of(5_000, 20_000)))
                .hasSize(16)
                .allMatch(line -> line.endsWith(": compiled"));
    }

    @Test
    @Tag("thorough")
    void theLongestTextsAreCompiled() throws Exception {
        assertThat(results("longest")).hasSize(6).allMatch(line -> line.endsWith(": compiled"));
    }

    @Test
    void whatIsTooLongOrTooDeepIsRefused() throws Exception {
        String nested =
                ":5: error: '' :  memory exhausted |   brackets, blocks or branches are nested too deep here for"
                        + " the compiler; split them";
        List<String> told = new ArrayList<>();
        for (String result : results("excessive")) {
            int message = result.indexOf(" | ");
            told.add((message < 0 ? result : result.substring(message + 3))
                    .replaceFirst(
                            ":1: error: the text has [0-9]+ characters with what it includes and defines, more than"
                                    + " 1048576, which could exhaust the compiler's stack; make several shaders of it",
                            " too long"));
        }
        assertThat(told)
                .containsExactly(
                        "sum of 300,000 too long",
                        "9,900 brackets: compiled",
                        "300,000 brackets" + nested,
                        "300,000 minuses" + nested,
                        "3,000 branches" + nested,
                        "sum of a macro too long",
                        "sum across includes too long",
                        "sum of a definition too long",
                        "array called as a block:5: error: 'S' : redefinition, it is the name of a block",
                        "block behind a carriage return:6: error: 'S' : redefinition, it is the name of a block",
                        "block behind a continued comment:7: error: 'S' : redefinition, it is the name of a block",
                        "sum and an error:4: error: '#error' : no",
                        "300 structs: shader '300 structs' nests types more than 255 deep (word 4751 of its SPIR-V); use"
                                + " flatter structs and arrays",
                        "20,000 arrays in SPIR-V: shader '20,000 arrays in SPIR-V' nests types more than 255 deep (word"
                                + " 1038 of its SPIR-V); use flatter structs and arrays");
    }

    @Test
    void lineEndsAndCommentsAreReadAsTheCompilerDoes() throws Exception {
        long seed = Long.getLong("frameloom.testMutantSeed", 1);
        List<String> lines = ChildJvm.run(LIMIT, Map.of(), LineEndShaders.class, seed, TestEffort.of(24, 400));
        assertThat(lines.get(lines.size() - 1)).as("with seed %d", seed).isEqualTo("done");
    }
}
