package io.frameloom.gpu.shader;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PreprocessorDepthTest {
    /** Makes 65,536 minuses of one. */
    private static final String LONG = """
        #define A - - - - - - - - - - - - - - - -
        #define B A A A A A A A A A A A A A A A A
        #define C B B B B B B B B B B B B B B B B
        #define D C C C C C C C C C C C C C C C C
        #define TWICE(x) x x
        #define CALL(f, x) f(x)
        #define JOIN(a, b) a##b
        #define IS_D D
        #define IS(x) IS_##x
        #define SAME TWICE
        """;

    private static @Nullable String excess(String text) {
        PreprocessorDepth depth = new PreprocessorDepth();
        depth.add("a.comp", text, true);
        return depth.excess();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#if D 1",
                "#if 1\n#elif D 1",
                "#line D 1",
                "#if 1 && (TWICE(TWICE(D))) 1",
                "#if IS(D) 1",
                "#if JOIN(IS, _D) 1",
                "#define E D\n#undef E\n#define E 1\n#if E 1",
                "#if TWICE(TWICE(TWICE(TWICE(TWICE(TWICE(B)))))) 1",
                "#if CALL(TWICE, CALL(TWICE, CALL(TWICE, CALL(TWICE, CALL(TWICE, CALL(TWICE, B)))))) 1",
                "#if SAME(SAME(SAME(SAME(SAME(SAME(B)))))) 1"
            })
    void macrosAreExpanded(String lines) {
        String found = excess(LONG + lines + "\n#endif\n");
        assertThat(found).contains(": error: more than 10000 operators or brackets follow each other");
    }

    @Test
    void definitionsFromOutsideAreExpanded() {
        PreprocessorDepth depth = new PreprocessorDepth();
        depth.define("OUT", "- ".repeat(20_000));
        depth.add("a.comp", "\n#if OUT 1\n#endif", true);
        assertThat(depth.excess()).startsWith("a.comp:2: error: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#ifdef D\n#endif",
                "int a = D 1;",
                "// #if D 1",
                "#if defined(E) && !E",
                "#define E E\n#if E",
                "#define E F\n#define F E\n#if E + F",
                "#define E (x)\n#if E",
                "#define AT_LEAST(a, b) (M > (a) || (M == (a) && N >= (b)))\n#if AT_LEAST(1, 2) || AT_LEAST(AT_LEAST(1, 1), 4)",
                "#define FEATURE_A 1\n#define HAS(x) (FEATURE_##x + 0)\n#define ANY (HAS(A) || HAS(B))\n#if ANY",
                "#define\n#if\n#\n#define E(\n#define F()\n#if E( F( )"
            })
    void otherwiseNothingIsRefused(String lines) {
        assertThat(excess(LONG + lines + "\n")).isNull();
    }

    @Test
    void manyExpressionsMayStandOneAfterTheOther() {
        assertThat(excess("#if -(1 + 2) > !(3)\n#elif ~A || (B)\n#endif\n".repeat(9_000)))
                .isNull();
    }

    @Test
    void manyArgumentsWithinEachOtherAreRefusedWithoutDepth() {
        assertThat(excess(LONG + "#if " + "TWICE(".repeat(300_000) + "1" + ")".repeat(300_000)))
                .isNotNull();
        assertThat(excess(LONG + "#if " + "TWICE(".repeat(300_000))).isNotNull();
    }
}
