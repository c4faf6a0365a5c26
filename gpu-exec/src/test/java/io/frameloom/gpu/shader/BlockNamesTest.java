package io.frameloom.gpu.shader;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockNamesTest {
    private static final String BLOCK = "layout(binding = 3) buffer S { int x; } q;\n";

    private static @Nullable String redefinition(String text) {
        return BlockNames.redefinition("a.comp", text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "shared float S[3];",
                "int[2] S;",
                "const int S[1] = {1};",
                "int a, S[2];",
                "layout(binding = 4) uniform sampler2D S [2];"
            })
    void anArrayThatIsCalledAsABlockIsFound(String second) {
        assertThat(redefinition("\n" + BLOCK + second))
                .isEqualTo("a.comp:3: error: 'S' : redefinition, it is the name of a block");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "void main() { int S[3]; }",
                "void f(int S[3]) {}",
                "layout(binding = 4) uniform S { int a; } w;",
                "struct T { int S[2]; };",
                "int S2[3];",
                "struct { int a; } k; struct T { int b; };",
                "struct\nT { int b; }; T make() { return T(1); }",
                "struct T \n{ int b; }; const T one = T(1);"
            })
    void otherNamesAreNot(String second) {
        assertThat(redefinition(BLOCK + second)).isNull();
    }

    @Test
    void aBracketMayStandBehindALineDirective() {
        assertThat(redefinition("buffer S\n#line 7\n{ int x; };\nint S[2];"))
                .isEqualTo("a.comp:8: error: 'S' : redefinition, it is the name of a block");
    }

    @Test
    void linesAreThoseThatAreNamed() {
        assertThat(redefinition(BLOCK + "#line 7 \"b.glsl\"\n\nint S[2];"))
                .isEqualTo("b.glsl:8: error: 'S' : redefinition, it is the name of a block");
    }
}
