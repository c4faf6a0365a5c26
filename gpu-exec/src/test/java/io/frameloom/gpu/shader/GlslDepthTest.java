package io.frameloom.gpu.shader;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.IntFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GlslDepthTest {
    private static boolean passes(String text) {
        return GlslDepth.excess("a.comp", GlslText.plain(text, true)) == null;
    }

    /** Where a text stands that is repeated: {@code @} once, {@code ~} as often as is asked. */
    private static IntFunction<String> growing(String part, String around) {
        return count -> around.replace("~", part.repeat(count));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "+a|b = a~;",
                "&&a|b = a~;",
                "'- '|b = ~a;",
                "!|b = ~a;",
                ".xy|b = a~;",
                "[0]|b = a~;",
                ",a|b = a~;",
                ",a|b = (a~);",
                ",a|if (a~) b = 1;",
                ",a|b = c[a~];",
                "?a:b|c = a~;",
                "+a|b = f(1, g(2, a~));",
                "+a|b = { 1, { 2, a~ } };",
                "(|b = ~",
                "[|b = a~",
                "' +a\\\n'|b = a~;",
                "' +a \";}\" '|b = a~;",
                "' +a\n#line 3\n'|b = a~;",
                "+a/*;*/|b = a~;",
                "' +a//;\n'|b = a~;",
                "+1.5e3|b = a~;"
            })
    void rowsAreBounded(String part, String around) {
        IntFunction<String> text = growing(part.replace("\\n", "\n"), around);
        assertThat(passes(text.apply(3_300))).isTrue();
        assertThat(passes(text.apply(GlslDepth.MOST + 1))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a = b + c;",
                "f(a + b, c);",
                "if (a + b) { c = d; }",
                "#define A b + c\n",
                "// a + b\n",
                "/* a + b */",
                "for (i = 0; i < n; ++i) { a += i; }",
                "struct { int a; } b;"
            })
    void whatStandsSideBySideIsNot(String part) {
        if (!part.startsWith("struct")) {
            assertThat(passes(part.repeat(20_000))).isTrue();
        }
        assertThat(passes(part.repeat(1_000))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a = f(~);", "a = vec4[](~);", "a = { ~ };", "a = { { ~ }, { ~ } };"})
    void argumentsAndInitializersAreNot(String around) {
        assertThat(passes(growing("-1.0 + 2.0 * f(3, 4), ", around).apply(20_000)))
                .isTrue();
    }
}
