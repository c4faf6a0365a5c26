package io.frameloom.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A command whose output a full disk or a closed pipe has swallowed has not succeeded. */
@Timeout(60)
final class LostOutputTest {
    @TempDir
    private Path folder;

    private record Run(int code, String err) {}

    /** Takes so many bytes. */
    private static final class Disk extends OutputStream {
        private int free;

        Disk(int free) {
            this.free = free;
        }

        @Override
        public void write(int one) throws IOException {
            if (free == 0) {
                throw new IOException("No space left on device");
            }
            free--;
        }
    }

    private static Run run(OutputStream standardOutput, String... arguments) {
        PrintWriter out = new PrintWriter(new PrintStream(standardOutput), true, StandardCharsets.UTF_8);
        StringWriter err = new StringWriter();
        int code = Main.run(out, new PrintWriter(err, true), arguments);
        return new Run(code, err.toString());
    }

    private static void assertLost(Run run, int code, String command) {
        assertThat(run.err).isEqualTo(command + ": standard output cannot be written, so not all of it is there\n");
        assertThat(run.code).isEqualTo(code);
    }

    private String write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    @Test
    void aMatchThatNobodyCouldReadIsAFailure() throws IOException {
        String matching = write("ok.txt", "()");
        String wrong = write("wrong.txt", ")");
        for (String file : new String[] {matching, wrong}) {
            assertLost(run(new Disk(0), "match", "--device", "cpu", file), 3, "frameloom match");
            assertLost(run(new Disk(20), "match", "--device", "cpu", "--json", file), 3, "frameloom match");
        }
        assertThat(run(new Disk(1 << 20), "match", "--device", "cpu", matching)).isEqualTo(new Run(0, ""));
    }

    @Test
    void aFullDeviceIsNoticed() throws IOException {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.isWritable(full), "no /dev/full");
        try (FileOutputStream device = new FileOutputStream(full.toFile())) {
            assertLost(run(device, "match", "--device", "cpu", write("ok.txt", "()")), 3, "frameloom match");
        }
    }

    @Test
    void ofOtherCommandsToo() {
        assertLost(run(new Disk(10), "--help"), 1, "frameloom");
        assertLost(run(new Disk(10), "cache", "list", "--help"), 1, "frameloom cache list");
        assertLost(run(new Disk(10), "sample", "clip", "--help"), 1, "frameloom sample clip");
    }

    /** Nothing was to be printed, so nothing is lost. */
    @Test
    void badInputStaysBadInput() {
        Run missing = run(new Disk(0), "plan", folder.resolve("none.json").toString());
        assertThat(missing.code).isEqualTo(2);
        assertThat(missing.err).doesNotContain("standard output").hasLineCount(1);
    }
}
