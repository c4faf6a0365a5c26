package io.frameloom.gpu.cache.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.cache.CacheFolder.Field;
import io.frameloom.gpu.cache.disk.CanonicalFields;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Equal keys on every platform, different keys for any difference. */
@Timeout(60)
class ProgramKeyTest {
    private static final Compatibility COMPILER = new Compatibility(new CanonicalFields()
            .text("compiler", "shaderc é")
            .number("version", -5)
            .bytes("uuid", new byte[] {0, 127, (byte) 255}));

    private static ProgramKey shader(CanonicalFields fields) {
        return new ProgramKey(ProgramKind.SHADER, "a.comp", COMPILER, fields);
    }

    private static CanonicalFields fields() {
        return new CanonicalFields();
    }

    /** The digests were computed by another program, in another language, from the description of the format. */
    @Test
    void goldenKeys() {
        assertThat(COMPILER).hasToString("d929feb5cc20958290148031537dfdcd21f4ef05e89e0555c465e5ddf9cbdbc2");
        ProgramKey shader = shader(fields().source("source", "void main() {}\n").text("entry", "main"));
        assertThat(shader.digest()).hasToString("eaafa1c00a7192569d3bf28b22e7b20c7766a78f29910b4aa3fe385cf5baac79");
        CanonicalFields fields =
                fields().bytes("vertex", shader.digest().bytes()).real("bias", -1.5f);
        ProgramKey pipeline = new ProgramKey(ProgramKind.PIPELINE, "p", COMPILER, fields, shader);
        assertThat(pipeline.digest()).hasToString("6aee61432af7290875d20b4b66bd0c67c456a4f8f8fcaabfe232b57b30cd5595");
        assertThat(pipeline.parts()).containsExactly(shader.digest());
    }

    @Test
    void anyDifferenceMakesAnotherKey() {
        Compatibility other = new Compatibility(fields().number("version", -5));
        List<ProgramKey> keys = List.of(
                shader(fields()),
                new ProgramKey(ProgramKind.PIPELINE, "a.comp", COMPILER, fields()),
                new ProgramKey(ProgramKind.SHADER, "a.comp", other, fields()),
                shader(fields().text("entry", "main")),
                shader(fields().text("entry", "mai").text("", "n")),
                shader(fields().text("entrym", "ain")),
                shader(fields().text("entr", "ymain")),
                shader(fields().text("entry", "Main")),
                shader(fields().text("Entry", "main")),
                shader(fields().bytes("entry", new byte[] {'m', 'a', 'i', 'n'})),
                shader(fields().source("entry", "main")),
                shader(fields().text("entry", "main").text("entry", "main")),
                shader(fields().text("entry", "main").text("define", "A=1")),
                shader(fields().text("define", "A=1").text("entry", "main")),
                shader(fields().number("constant", 1)),
                shader(fields().number("constant", 2)),
                shader(fields().number("constant", 1L << 32)),
                shader(fields().real("constant", 0f)),
                shader(fields().real("constant", -0f)),
                shader(fields().text("constant", "1")));
        assertThat(keys.stream().map(ProgramKey::digest)).doesNotHaveDuplicates();
        assertThat(keys).doesNotHaveDuplicates();
    }

    @Test
    void theLabelIsNoPartOfTheKey() {
        assertThat(new ProgramKey(ProgramKind.SHADER, "other", COMPILER, fields()))
                .isEqualTo(shader(fields()))
                .hasToString(
                        "shader 'other' (" + shader(fields()).digest().hex().substring(0, 12) + ")");
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
