package io.frameloom.gpu.cache.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.cache.disk.CanonicalFields.Field;
import io.frameloom.gpu.cache.disk.CanonicalFields;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Equal keys on every platform, different keys for any difference. */
@Timeout(60)
class ProgramKeyTest {
    private static final Compatibility COMPILER = Compatibility.builder()
            .text("compiler", "shaderc é")
            .number("version", -5)
            .bytes("uuid", new byte[] {0, 127, (byte) 255})
            .build();

    private static ProgramKey.Builder shader() {
        return ProgramKey.builder(ProgramKind.SHADER, "a.comp", COMPILER);
    }

    /** The digests were computed by another program, in another language, from the description of the format. */
    @Test
    void goldenKeys() {
        assertThat(COMPILER).hasToString("d929feb5cc20958290148031537dfdcd21f4ef05e89e0555c465e5ddf9cbdbc2");
        ProgramKey shader = shader().source("source", "void main() {}\n")
                .text("entry", "main")
                .build();
        assertThat(shader.id()).isEqualTo("eaafa1c00a7192569d3bf28b22e7b20c7766a78f29910b4aa3fe385cf5baac79");
        ProgramKey pipeline = ProgramKey.builder(ProgramKind.PIPELINE, "p", COMPILER)
                .part("vertex", shader)
                .real("bias", -1.5f)
                .build();
        assertThat(pipeline.id()).isEqualTo("6aee61432af7290875d20b4b66bd0c67c456a4f8f8fcaabfe232b57b30cd5595");
        assertThat(pipeline.parts()).containsExactly(shader);
    }

    @Test
    void anyDifferenceMakesAnotherKey() {
        Compatibility other = Compatibility.builder().number("version", -5).build();
        List<ProgramKey> keys = List.of(
                shader().build(),
                ProgramKey.builder(ProgramKind.PIPELINE, "a.comp", COMPILER).build(),
                ProgramKey.builder(ProgramKind.SHADER, "a.comp", other).build(),
                shader().text("entry", "main").build(),
                shader().text("entry", "mai").text("", "n").build(),
                shader().text("entrym", "ain").build(),
                shader().text("entr", "ymain").build(),
                shader().text("entry", "Main").build(),
                shader().text("Entry", "main").build(),
                shader().bytes("entry", new byte[] {'m', 'a', 'i', 'n'}).build(),
                shader().source("entry", "main").build(),
                shader().text("entry", "main").text("entry", "main").build(),
                shader().text("entry", "main").text("define", "A=1").build(),
                shader().text("define", "A=1").text("entry", "main").build(),
                shader().number("constant", 1).build(),
                shader().number("constant", 2).build(),
                shader().number("constant", 1L << 32).build(),
                shader().real("constant", 0f).build(),
                shader().real("constant", -0f).build(),
                shader().text("constant", "1").build());
        Set<String> ids = new HashSet<>();
        keys.forEach(key -> ids.add(key.id()));
        assertThat(ids).hasSize(keys.size());
        assertThat(new HashSet<>(keys)).hasSize(keys.size());
    }

    @Test
    void theLabelIsNoPartOfTheKey() {
        assertThat(ProgramKey.builder(ProgramKind.SHADER, "other", COMPILER).build())
                .isEqualTo(shader().build())
                .hasToString("shader 'other' (" + shader().build().id().substring(0, 12) + ")");
    }

    @Test
    void fieldsCanBeReadBack() {
        byte[] encoded = new CanonicalFields()
                .text("a", "ä")
                .number("b", -7)
                .bytes("c", new byte[] {1, (byte) 0xfe})
                .encoded();
        assertThat(CanonicalFields.decode(encoded))
                .containsExactly(new Field("a", "ä"), new Field("b", "-7"), new Field("c", "01fe"));
        for (int length = 1; length < encoded.length; length++) {
            byte[] cut = java.util.Arrays.copyOf(encoded, length);
            assertThat(CanonicalFields.decode(cut)).hasSizeLessThan(3);
        }
        assertThat(CanonicalFields.decode(new byte[] {'N', 127, 127, 127, 127})).isEmpty();
    }
}
