package io.frameloom.gpu.shader;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GlslTextTest {
    private static String plain(String text) {
        return GlslText.plain(text);
    }

    @Test
    void linesOfAnyKindEndInLineFeeds() {
        assertThat(GlslText.withLineFeeds("a\r\nb\rc\n\rd\r\r\ne\n")).isEqualTo("a\nb\nc\n\nd\n\ne\n");
    }

    @Test
    void commentsAreTakenOutAndTheirLinesStay() {
        assertThat(plain("a // b\nc /* d\n * e */ f\ng / h/i")).isEqualTo("a \nc  \n f\ng / h/i");
        assertThat(plain("a /***/ b /**/ c /*/ d */ e")).isEqualTo("a   b   c   e");
        assertThat(plain("a /* b")).isEqualTo("a  ");
    }

    @Test
    void directivesGoOnBehindCommentsAndContinuedLines() {
        assertThat(plain("#if a /*\n*/ + b \\\n+ c\nd")).isEqualTo("#if a   + b + c\n\n\nd");
        assertThat(plain("/*\n*/ #if /*\n*/ a\nb")).isEqualTo(" \n #if   a\n\nb");
    }

    @Test
    void continuedLinesAreJoinedFirst() {
        assertThat(plain("stru\\\n\\\nct A/\\\n/ B\n;")).isEqualTo("struct A\n\n\n\n;");
        assertThat(plain("// a \\\nb\nc")).isEqualTo("\n\nc");
        assertThat(plain("/\\\n* a *\\\n/ b\nc")).isEqualTo(" \n\n b\nc");
        assertThat(plain("a \\ b\\")).isEqualTo("a \\ b\\");
    }

    @Test
    void quotesHoldNoCommentsAndEndWithTheirLine() {
        assertThat(plain("#pragma \"/*\" // a\nb\n\"// c\n/* d */\"")).isEqualTo("#pragma \"/*\" \nb\n\"// c\n \"");
    }
}
