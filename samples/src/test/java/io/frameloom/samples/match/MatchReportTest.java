package io.frameloom.samples.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was found in a file stays found when the file cannot be read again to tell the line. */
final class MatchReportTest {
    private static final MatchWork WORK = new MatchWork("device", 1, 1);

    @TempDir
    private Path folder;

    private final MatchReport report = new MatchReport();

    private void add(Path file) {
        report.add(file, new MatchResult(20, 3, 2, 2, Mismatch.closesNothing(17, ')')));
    }

    @Test
    void aFileThatIsGoneStillHasItsMismatch() throws Exception {
        add(folder.resolve("gone.txt"));
        StringWriter text = new StringWriter();
        report.print(new PrintWriter(text, true), WORK, 0);
        report.printJson(new PrintWriter(text, true), WORK, FileList.of(List.of(), files -> {}));
        assertThat(report.hasMismatches()).isTrue();
        assertThat(text.toString())
                .contains("gone.txt:byte 17: ')' closes nothing, and 1 more; its line is not known: ")
                .contains("2 mismatches in 1 file, the first at ")
                .contains("\"placeUnknown\":")
                .contains("\"offset\":17")
                .doesNotContain("\"line\"");
    }

    @Test
    void aFileThatIsThereHasLineAndColumn() throws Exception {
        Path file = Files.writeString(folder.resolve("there.txt"), "0123456789\n23456) 89");
        add(file);
        StringWriter text = new StringWriter();
        report.print(new PrintWriter(text, true), WORK, 0);
        assertThat(text.toString()).contains("there.txt:2:7: ')' closes nothing, and 1 more\n");
    }
}
