package io.frameloom.samples.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.samples.Main;
import io.frameloom.samples.SteeringName;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class MatchCommandTest {
    @TempDir
    private Path folder;

    private record Run(int code, String out, String err) {}

    /** On the processor, which compiles no shaders. */
    private static Run match(Object... arguments) {
        return matchOn("cpu", arguments);
    }

    private static Run matchOn(String device, Object... arguments) {
        List<String> all = new ArrayList<>(List.of("match", "--device", device));
        for (Object argument : arguments) {
            all.add(argument.toString());
        }
        return run(all.toArray(String[]::new));
    }

    private static Run run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
        return new Run(code, out.toString(), err.toString());
    }

    private Path write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    /** All that is printed but the times and the device. */
    private static String results(Run run) {
        String varying = "\"(device|seconds|deviceSeconds|bracketsPerSecond|bytesPerSecond)\":(\"[^\"]*\"|[-+.eE0-9]+)";
        return run.code + run.out.replaceAll(varying, "\"$1\"") + run.err;
    }

    @Test
    void theProcessorFindsWhatTheDeviceFinds() throws IOException {
        Path large = write("large", "([{x}])".repeat(20_000) + "(((" + "{]".repeat(9) + ")".repeat(70_000) + "[[");
        write("in/kinds", "ok()\n  (a]\n)}");
        write("in/empty", "");
        write("in/opens", "{\n([)\n");
        String reason = VulkanDevices.unavailableReason();
        Run expected = matchOn(reason.isEmpty() ? "#0" : "virtual", "--json", large, folder.resolve("in"));
        Run actual = matchOn("cpu", "--json", large, folder.resolve("in"));
        assertThat(actual.code).isEqualTo(1);
        assertThat(actual.out).contains("\"cpu\"");
        assertThat(results(actual)).isEqualTo(results(expected));
    }

    @Test
    void whatMatches() throws IOException {
        Run run = matchOn("virtual", write("a.c", "int f(int a[]) {\n  return a[0];\n}\n"));
        assertThat(run.err).isEmpty();
        assertThat(run.code).isZero();
        assertThat(run.out)
                .startsWith("8 brackets in 1 file of 34 bytes, maximum depth 2 in " + folder.resolve("a.c")
                        + "\nall match\n")
                .contains("brackets/s", "bytes/s")
                .hasLineCount(3);
    }

    @Test
    void theFirstMismatchOfEachFileByLineAndColumn() throws IOException {
        Path kinds = write("kinds", "ok()\n  (a]\n)}");
        Path closes = write("closes", "\n\n ]");
        Path opens = write("opens", "{\n([)\n");
        Run run = matchOn("virtual", kinds, closes, opens);
        assertThat(run.code).isEqualTo(1);
        assertThat(run.out)
                .contains(
                        kinds + ":2:5: ']' closes '(', and 2 more\n",
                        closes + ":3:2: ']' closes nothing\n",
                        opens + ":2:3: ')' closes '[', and 2 more\n",
                        "mismatches in 3 files, the first at " + kinds + ":2:5\n");
        Run unclosed = matchOn("virtual", write("open", "()\n[{}\n"));
        assertThat(unclosed.code).isEqualTo(1);
        assertThat(unclosed.out).contains("open:2:1: '[' is never closed\n");
    }

    @Test
    void oneLineOfJson() throws IOException {
        Path file = write("b\"ad", "(\n ]");
        Run run = match("--json", file, write("good", "{}"));
        assertThat(run.code).isEqualTo(1);
        assertThat(run.err).isEmpty();
        assertThat(run.out).hasLineCount(1).endsWith("}\n");
        try (JsonParser parser = new JsonFactory().createParser(run.out)) {
            while (parser.nextToken() != null) {
                assertThat(parser.currentToken()).isNotNull();
            }
        }
        assertThat(run.out)
                .startsWith("{\"files\":2,\"bytes\":6,\"brackets\":4,\"maximumDepth\":1,\"deepest\":\"" + folder
                        + "/b\\\"ad\",\"mismatches\":1,")
                .contains(
                        "b\\\"ad\",\"line\":2,\"column\":2,\"offset\":3,\"what\":\"']' closes '('\",\"mismatches\":1}")
                .contains("\"skipped\":[],\"missing\":[],\"device\":\"", "\"bracketsPerSecond\":");
    }

    @Test
    void jsonNamesTheDeepestFile() throws IOException {
        Path shallow = write("shallow", "()");
        Path deep = write("deep", "[()]");
        assertThat(match("--json", shallow, deep, shallow).out)
                .contains("\"maximumDepth\":2,\"deepest\":\"" + deep + "\",\"mismatches\":0,");
        assertThat(match("--json", write("flat", "")).out).contains("\"maximumDepth\":0,\"deepest\":null,");
    }

    /** Two of them may be shown alike: only their URIs tell them apart. */
    @Test
    void jsonHasTheUriOfANameThatIsNoText() throws IOException {
        assumeTrue(File.separatorChar == '/', "names are text here");
        Path in = Files.createDirectory(folder.resolve("in"));
        String uri = folder.toUri() + "in/a%FF";
        Path open = Files.writeString(Path.of(URI.create(uri + "1")), "((");
        Path closed = Files.writeString(Path.of(URI.create(uri + "2")), ")");
        assertThat(open.getFileName().toString().replace('1', '2'))
                .isEqualTo(closed.getFileName().toString());
        Run run = match("--json", in);
        assertThat(run.code).isEqualTo(1);
        assertThat(run.out)
                .contains("\"deepest\":\"" + open + "\",\"deepestUri\":\"" + uri + "1\",")
                .contains("{\"file\":\"" + open + "\",\"fileUri\":\"" + uri + "1\",\"line\":1,")
                .contains("{\"file\":\"" + closed + "\",\"fileUri\":\"" + uri + "2\",\"line\":1,");
        assertThat(match("--json", write("a b", "(")).out).doesNotContain("Uri\":");
    }

    @Test
    void foldersAreWalkedAndTheirSymbolicLinksPassedOver() throws IOException {
        write("src/b/two", "[");
        write("src/a/one", "(");
        write("src/empty", "");
        Files.write(folder.resolve("src/binary"), new byte[] {0, -1, '{', -128, '}', 0});
        Path elsewhere = write("elsewhere", ")");
        Files.createSymbolicLink(folder.resolve("src/loop"), folder.resolve("src"));
        Files.createSymbolicLink(folder.resolve("src/link"), elsewhere);
        Run run = match(folder.resolve("src"));
        assertThat(run.err).isEmpty();
        assertThat(run.code).isEqualTo(1);
        String src = folder.resolve("src").toString();
        assertThat(run.out)
                .startsWith(src + "/a/one:1:1: '(' is never closed\n" + src + "/b/two:1:1: '[' is never closed\n"
                        + "4 brackets in 4 files of 8 bytes, maximum depth 1");
        // A link that is named is followed, to a folder as to a file.
        Run named = match(folder.resolve("src/loop"), folder.resolve("src/link"));
        assertThat(named.out)
                .contains(src + "/loop/a/one:1:1: '('", src + "/link:1:1: ')' closes nothing", "in 5 files");
    }

    @Test
    void whatCannotBeReadIsReportedAndSkipped() throws IOException, InterruptedException {
        Path good = write("good", "()");
        Path cycle = folder.resolve("cycle");
        Files.createSymbolicLink(cycle, cycle);
        Path pipe = folder.resolve("pipe");
        assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0, "no mkfifo");
        Run run = match(pipe, good, cycle);
        assertThat(run.code).isZero();
        assertThat(run.out).contains("2 brackets in 1 file", "all match");
        assertThat(run.err)
                .contains("frameloom match: skipped " + pipe + ": it is no regular file\n")
                .contains("frameloom match: skipped " + cycle + ": ")
                .hasLineCount(2);
        Run walked = match("--json", folder);
        assertThat(walked.code).isZero();
        assertThat(walked.out)
                .contains("\"skipped\":[{\"file\":\"" + pipe + "\",\"reason\":\"it is no regular file\"}]");
    }

    /** 0 would say that all match, and 1 that something does not. */
    @Test
    void aRunThatCouldReadNothingFails() throws IOException, InterruptedException {
        Path pipe = folder.resolve("pipe");
        assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0, "no mkfifo");
        Run run = match(pipe);
        assertThat(run.code).isEqualTo(3);
        assertThat(run.out).contains("0 brackets in 0 files", "\nnothing was matched: nothing could be read\n");
        assertThat(run.err).isEqualTo("frameloom match: skipped " + pipe + ": it is no regular file\n");
        assertThat(match("--json", pipe).code).isEqualTo(3);
        assertThat(match(pipe, folder.resolve("none")).code).isEqualTo(2);
        assertThat(run("match", "--help").out).contains("nothing").contains("could be read");
    }

    @Test
    void aFolderWithoutFilesHasNothingThatDoesNotMatch() throws IOException {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        Run run = match(empty);
        assertThat(run.code).isZero();
        assertThat(run.err).isEmpty();
        assertThat(run.out).contains("\nthere is nothing to match\n");
    }

    /** A device of that name would be refused. */
    @Test
    void whereThereIsNothingToMatchNoDeviceIsOpened() throws IOException {
        String none = "Voodoo 9000";
        Path empty = Files.createDirectory(folder.resolve("empty"));
        Path missing = folder.resolve("none");
        Path cycle = folder.resolve("cycle");
        Files.createSymbolicLink(cycle, cycle);
        String complaint = "frameloom match: there is no " + missing + "\n";
        assertThat(matchOn(none, missing)).isEqualTo(new Run(2, "", complaint));
        Run object = matchOn(none, "--json", missing);
        assertThat(object.code).isEqualTo(2);
        assertThat(object.err).isEqualTo(complaint);
        assertThat(object.out)
                .startsWith("{\"files\":0,")
                .contains("\"missing\":[\"" + missing + "\"],\"device\":null,\"seconds\":0.0,");
        Run nothing = matchOn(none, empty);
        assertThat(nothing.code).isZero();
        assertThat(nothing.err).isEmpty();
        assertThat(nothing.out)
                .isEqualTo("0 brackets in 0 files of 0 bytes, maximum depth 0\nthere is nothing to match\n");
        assertThat(matchOn(none, "--json", empty).out).contains("\"missing\":[],\"device\":null,");
        assertThat(matchOn(none, cycle).code).isEqualTo(3);
        assertThat(matchOn(none, "--json", cycle).out).contains("\"device\":null,");
    }

    @Test
    void aFileWithoutPermissionIsSkipped() throws IOException {
        Path secret = write("secret", "(");
        assumeTrue(secret.toFile().setReadable(false) && !Files.isReadable(secret), "this user may read everything");
        Run run = match(folder);
        assertThat(run.code).isEqualTo(3);
        assertThat(run.err).isEqualTo("frameloom match: skipped " + secret + ": access denied to " + secret + "\n");
    }

    @Test
    void badInput() throws IOException {
        assertThat(match().code).isEqualTo(2);
        assertThat(match("").err).contains("FILE needs a path").hasLineCount(1);
        Path bad = write("bad", ")");
        Run missing = match(folder.resolve("none"), bad);
        assertThat(missing.code).isEqualTo(2);
        assertThat(missing.err).isEqualTo("frameloom match: there is no " + folder.resolve("none") + "\n");
        assertThat(missing.out).contains(bad + ":1:1: ')' closes nothing");
        Run nothing = match(folder.resolve("none"));
        assertThat(nothing.code).isEqualTo(2);
        assertThat(nothing.err).isEqualTo("frameloom match: there is no " + folder.resolve("none") + "\n");
        assertThat(nothing.out).isEmpty();
        Run device = matchOn("virtual:lots=1", bad);
        assertThat(device.code).isEqualTo(2);
        assertThat(device.err).contains("'lots'").hasLineCount(1);
    }

    @Test
    void aLostDeviceIsSaidOnOneLine() throws IOException {
        Run run = matchOn("virtual:lose=1", write("a", "()"));
        // 1 would be mismatches.
        assertThat(run.code).isEqualTo(3);
        assertThat(run.err).contains("frameloom match: the device failed: ").hasLineCount(1);
        assertThat(run("match", "--help").out).contains("3 a failure");
    }

    /** Nobody may read one of the first pages of a process, not even root; listed it is a file of no bytes. */
    @Test
    void aFileThatFailsWhileItIsReadIsSkipped() throws IOException {
        Path memory = Path.of("/proc/self/mem");
        assumeTrue(Files.isReadable(memory), "no such file");
        Run run = match(memory, write("good", "()"));
        assertThat(run.code).isZero();
        assertThat(run.out).contains("2 brackets in 1 file", "all match");
        assertThat(run.err)
                .startsWith("frameloom match: skipped " + memory + ": ")
                .hasLineCount(1);
        Run object = match("--json", memory, folder.resolve("none"));
        assertThat(object.code).isEqualTo(2);
        assertThat(object.out)
                .contains("\"files\":0,")
                .contains("\"skipped\":[{\"file\":\"" + memory + "\",\"reason\":\"")
                .contains("\"missing\":[\"" + folder.resolve("none") + "\"],");
    }

    @Test
    void onATerminalACountThenABarTellHowFarItIs() throws IOException {
        byte[] text = new byte[9 << 20];
        Arrays.fill(text, (byte) 'x');
        Path large = Files.write(folder.resolve("large"), text);
        Path small = write("small", "()");
        String property = System.setProperty("frameloom.tty", "true");
        try {
            Run run = match(large, small);
            assertThat(run.code).isZero();
            assertThat(run.out)
                    .startsWith("\r1 file found \r")
                    .containsPattern("\r\\[#{26}-{4}] 8\\.0 of 9\\.0 MiB, \\d+\\.\\d MiB/s ")
                    .contains("\r\u001b[K2 brackets in 2 files of 9437186 bytes");
            assertThat(match("--json", large).out).startsWith("{").hasLineCount(1);
        } finally {
            if (property == null) {
                System.clearProperty("frameloom.tty");
            } else {
                System.setProperty("frameloom.tty", property);
            }
        }
        assertThat(match(large).out).doesNotContain("\r");
    }

    @Test
    void namesDoNotSteerTheTerminal() throws IOException {
        String name = SteeringName.RAW;
        String shown = SteeringName.SHOWN;
        Path steering = write("in/" + name, "(");
        Path cycle = folder.resolve("cycle" + name);
        Files.createSymbolicLink(cycle, cycle);
        Path missing = folder.resolve("none" + name);
        Run run = match(steering, cycle, missing);
        assertThat(run.out)
                .startsWith(folder.resolve("in") + "/" + shown + ":1:1: '(' is never closed\n")
                .contains("maximum depth 1 in " + folder.resolve("in") + "/" + shown + "\n")
                .contains("the first at " + folder.resolve("in") + "/" + shown + ":1:1\n");
        assertThat(run.err)
                .startsWith("frameloom match: skipped " + folder.resolve("cycle") + shown + ": ")
                .contains("\nframeloom match: there is no " + folder.resolve("none") + shown + "\n")
                .hasLineCount(2);
        Run object = match("--json", steering, cycle, missing);
        assertThat(object.out).hasLineCount(1);
        assertThat(List.of(run.out, run.err, object.out, object.err)).allMatch(SteeringName::isAbsentFrom);
        try (JsonParser parser = new JsonFactory().createParser(object.out)) {
            List<String> texts = new ArrayList<>();
            while (parser.nextToken() != null) {
                texts.add(parser.getText());
            }
            assertThat(texts).contains(steering.toString(), cycle.toString(), missing.toString());
        }
    }

    @Test
    void aDriverGivesTheSame() throws IOException {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
        Path file = write("text", "x(y[z]\n".repeat(20_000) + "]");
        Run virtual = matchOn("virtual", file);
        Run driver = matchOn("auto", file);
        assertThat(driver.code).isEqualTo(1);
        assertThat(driver.err).isEmpty();
        assertThat(driver.out.lines().limit(3))
                .containsExactlyElementsOf(virtual.out.lines().limit(3).toList());
        assertThat(driver.out).contains("text:20001:1: ']' closes '(', and 19999 more", "maximum depth 20001 ");
    }
}
